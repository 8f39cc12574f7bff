"""`.ci/unchanged`: a long suite is left out only while all that it is about is what it passed upon."""

from __future__ import annotations

import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = {
    "hardware/case.py": "from companion.core.panel import Colour\nfrom hardware import board\n",
    "hardware/board/__init__.py": "",
    "hardware/board/header.kicad_sch": "(kicad_sch)",
    "tests/hardware/test_case.py": "import hardware.case\n",
    "systemd/supply/locks/dev.txt": "numpy==2.3.5\n",
    "companion/core/panel.py": "import companion.core.lamps\n",
    "companion/core/lamps.py": "",
    "docs/play.md": "",
}


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "unchanged", tmp_path / ".ci")
    for name, content in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    subprocess.run(("git", "init", "--quiet"), cwd=tmp_path, check=True)
    subprocess.run(("git", "add", "."), cwd=tmp_path, check=True)
    return tmp_path


def ask(checkout: Path, *arguments: str) -> tuple[int, str]:
    command = (".ci/unchanged", *arguments)
    done = subprocess.run(command, cwd=checkout, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def test_it_is_unchanged_from_when_it_has_passed_until_a_file_of_it_is_another(checkout: Path) -> None:
    assert ask(checkout, "hardware") == (1, "hardware: one of its 6 files has changed since it last passed whole\n")
    assert ask(checkout, "--passed", "hardware") == (0, "")
    status, says = ask(checkout, "hardware")
    assert status == 0
    assert says.startswith("hardware: its 6 files are those that it passed whole upon on 20")
    assert ask(checkout, "emulator")[0] == 1, "each has its own"
    assert ask(checkout, "--passed", "emulator") == (0, "")
    assert ask(checkout, "hardware")[0] == 0


@pytest.mark.parametrize("name", [*list(FILES)[:6]])
def test_each_of_its_files_counts_and_so_does_what_they_import(checkout: Path, name: str) -> None:
    ask(checkout, "--passed", "hardware")
    (checkout / name).write_text(FILES[name] + " \n", encoding="utf-8")
    assert ask(checkout, "hardware")[0] == 1
    (checkout / name).write_text(FILES[name], encoding="utf-8")
    assert ask(checkout, "hardware")[0] == 0
    (checkout / name).unlink()
    assert ask(checkout, "hardware")[0] == 1


def test_other_files_do_not_count(checkout: Path) -> None:
    ask(checkout, "--passed", "hardware")
    for name in ("docs/play.md", "companion/core/lamps.py"):
        (checkout / name).write_text("x = 1\n", encoding="utf-8")
    assert ask(checkout, "hardware")[0] == 0


@pytest.mark.parametrize("content", ["", "[hardware", "[hardware]\n", "hardware = 1\n"])
def test_a_file_of_what_has_passed_that_says_nothing_leaves_nothing_out(checkout: Path, content: str) -> None:
    (checkout / ".ci/passed.toml").write_text(content, encoding="utf-8")
    status, says = ask(checkout, "hardware")
    assert (status, says.count("\n")) == (1, 1)
    assert ask(checkout, "--passed", "hardware") == (0, "")
    assert ask(checkout, "hardware")[0] == 0


def test_without_git_nothing_is_left_out_and_nothing_fails(checkout: Path) -> None:
    ask(checkout, "--passed", "hardware")
    shutil.rmtree(checkout / ".git")
    (checkout.parent / ".git").mkdir()
    says = "hardware: Git does not say which files it is about\n"
    assert ask(checkout, "hardware") == (1, says)
    assert ask(checkout, "--passed", "hardware") == (0, says)


def test_another_suite_is_none(checkout: Path) -> None:
    for arguments in ((), ("browser",), ("hardware", "emulator")):
        status, says = ask(checkout, *arguments)
        assert (status, says) == (2, "unchanged: say which suite: hardware or emulator\n")


def test_what_this_checkout_says_has_passed_is_of_its_suites() -> None:
    passed = tomllib.loads((ROOT / ".ci" / "passed.toml").read_text(encoding="utf-8"))
    assert set(passed) <= {"hardware", "emulator"}
