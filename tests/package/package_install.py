"""The built sdist and wheel, as a stranger gets them: what is in them, and that they install and play by themselves.

Needs the network. Run by `make package`; the name keeps it out of the quick suite.
"""

from __future__ import annotations

import hashlib
import json
import runpy
import subprocess
import sys
import tarfile
import zipfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import pytest

from tests.package.trees import ROOT, committed, git, run, tool

VERSION = "1.2.3"
IN_SDIST = {
    "companion", "hardware/pinmap.toml", "firmware/pod", "hatch_build.py", ".git_archival.txt", "README.md", "LICENSE",
    "CHANGELOG.md", "pyproject.toml", "PKG-INFO", ".gitignore",
}  # fmt: skip
"""What an sdist may have, by the beginning of the path. Hatchling adds the last two."""
KINDS = ("wheel", "sdist")
DEMONSTRATION_SECONDS = 180
"""It takes 50 s in real time, on a machine that has other work too."""

ORDERS = [
    [("yellow", 0, "punish"), ("red", 83_000_000, "claim"), ("blue", 124_000_000, "punish")],
    [("blue", 0, "claim"), ("red", 15_000, "punish")],
]
"""Of the demonstration's two races, as its script says: who, how many nanoseconds after the first, and the ruling."""

TYPED_USE = "from companion.core.panel import Colour\ncolour: str = Colour.RED\nwrong: int = Colour.RED\n"


@dataclass(frozen=True)
class Built:
    """What was built from one tagged commit."""

    commit: str
    sdist: Path
    wheel: Path
    """From the sdist."""
    direct: Path
    """A wheel from the checkout itself."""


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    tree = committed(tmp_path_factory.mktemp("tree"))
    git(tree, "tag", f"v{VERSION}")
    out, direct = tmp_path_factory.mktemp("dist"), tmp_path_factory.mktemp("direct")
    run(sys.executable, "-m", "build", "--outdir", out, tree, cwd=out)
    run(sys.executable, "-m", "build", "--wheel", "--outdir", direct, tree, cwd=direct)
    assert git(tree, "status", "--porcelain") == "", "a build writes nothing into the checkout"
    name = f"table_companion-{VERSION}"
    wheel = f"{name}-py3-none-any.whl"
    return Built(git(tree, "rev-parse", "HEAD"), out / f"{name}.tar.gz", out / wheel, direct / wheel)


def files_of(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


# What is in them ------------------------------------------------------------------------------------------------------


def test_the_sdist_has_what_the_wheel_is_built_from_and_nothing_else(built: Built) -> None:
    with tarfile.open(built.sdist) as archive:
        paths = [PurePosixPath(*PurePosixPath(name).parts[1:]) for name in archive.getnames()]
    strangers = [path for path in paths if not any(str(each) in IN_SDIST for each in (path, *path.parents))]
    assert strangers == []
    found = {str(each) for path in paths for each in (path, *path.parents)}
    assert found >= IN_SDIST
    assert found >= {"companion/py.typed", "companion/commit"}


def test_the_wheel_from_the_sdist_is_the_wheel_from_the_checkout(built: Built) -> None:
    assert files_of(built.wheel) == files_of(built.direct)


def test_the_wheel_has_every_file_of_the_package_and_what_comes_from_elsewhere(built: Built) -> None:
    files = files_of(built.wheel)
    tracked = run("git", "ls-files", "companion", cwd=ROOT).splitlines()
    assert [name for name in tracked if name not in files] == []
    catalogues = [name for name in tracked if "/locale/" in name and name.endswith(".po")]
    assert len(catalogues) >= 6
    assert [name for name in catalogues if name.replace(".po", ".mo") not in files] == []
    assert files["companion/pinmap.toml"] == (ROOT / "hardware" / "pinmap.toml").read_bytes()
    for program in (ROOT / "firmware" / "pod").glob("*.py"):
        assert files[f"companion/firmware/pod/{program.name}"] == program.read_bytes()
    assert files["companion/commit"].decode() == f"{built.commit}\n"
    assert "companion/py.typed" in files
    assert (
        hashlib.sha256(files["companion/adapters/web/static/zxing/reader/zxing_reader.wasm"]).hexdigest()
        in (
            files["companion/adapters/web/static/zxing/share.js"]
            + files["companion/adapters/web/static/zxing/reader/index.js"]
        ).decode()
    ), "the reader that its scripts belong to"


# That they install and play -------------------------------------------------------------------------------------------


class Installed:
    """What pipx made of a file, in an empty place: nothing of this checkout or of this user is seen from there."""

    def __init__(self, package: Path, place: Path) -> None:
        self._place = place / "empty"
        self._place.mkdir()
        run(
            tool("pipx"), "install", "--python", sys.executable, package, cwd=self._place,
            PIPX_HOME=str(place / "pipx"), PIPX_BIN_DIR=str(place / "bin"), PIPX_MAN_DIR=str(place / "man"),
            PIPX_DEFAULT_BACKEND="pip",
        )  # fmt: skip
        self.state = self._place / ".local" / "state" / "table-companion"
        self._command = place / "bin" / "companion"
        self.python = place / "pipx" / "venvs" / "table-companion" / "bin" / "python"
        self.demonstration = self.start("run", "--demo", "--plain")

    def start(self, *words: str) -> subprocess.Popen[str]:
        """Start the program without a terminal."""
        home = {"HOME": str(self._place), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
        return subprocess.Popen(
            [str(self._command), *words], cwd=self._place, env=home, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip

    def ask(self, *words: str) -> str:
        """Run the program to its end, and give what it printed."""
        return ended(self.start(*words))


def ended(process: subprocess.Popen[str]) -> str:
    """Give what was printed. Beside other stages a disk may be slow: the box then says so, and that is no fault."""
    out, err = process.communicate(timeout=DEMONSTRATION_SECONDS)
    told = [line for line in err.splitlines() if "the disk is slow" not in line]
    assert (process.returncode, told) == (0, [])
    return out


@pytest.fixture(scope="session")
def both(built: Built, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Installed]:
    """Both at once: the demonstrations play in real time."""
    return {kind: Installed(getattr(built, kind), tmp_path_factory.mktemp(kind)) for kind in KINDS}


@pytest.mark.parametrize("kind", KINDS)
def test_it_says_its_version_and_the_commit_it_was_built_from(
    both: dict[str, Installed], built: Built, kind: str
) -> None:
    assert both[kind].ask("--version") == f"companion {VERSION}, commit {built.commit[:12]}\n"


def test_a_program_that_uses_it_is_checked_with_its_types(both: dict[str, Installed], tmp_path: Path) -> None:
    """By what was made of the sdist: the other wheel is the same, byte by byte."""
    (tmp_path / "use.py").write_text(TYPED_USE)
    command = [tool("mypy"), "--strict", "--python-executable", str(both["sdist"].python), "use.py"]
    said = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False).stdout
    faults = [line for line in said.splitlines() if ": error:" in line]
    assert len(faults) == 1, said
    assert faults[0].startswith("use.py:3: error: Incompatible types in assignment"), said


@pytest.mark.parametrize("kind", KINDS)
def test_the_demonstration_is_played_shown_recorded_and_judged_again(both: dict[str, Installed], kind: str) -> None:
    box = both[kind]
    shown = ended(box.demonstration)
    apart = ("--state-dir", str(box.state / "demonstration"))
    (match,) = map(json.loads, box.ask("matches", "--json", *apart).splitlines())
    box.ask("export", str(match["id"]), "--output", "record.jsonl", *apart)
    assert not (box.state / "matches.sqlite").exists()
    judged = [json.loads(line) for line in box.ask("replay", "--json", "record.jsonl").splitlines()]
    orders = [[(each["colour"], each["gap_ns"], each["verdict"]) for each in line["order"]]
              for line in judged if line["type"] == "order"]  # fmt: skip
    assert orders == ORDERS
    assert "FINAL" in shown


def test_a_debian_package_may_be_given_a_version(tmp_path: Path) -> None:
    """Upgrades are tried with packages of several versions, all built from one checkout."""
    builder = runpy.run_path(str(ROOT / "systemd" / "build_deb.py"))
    builder["build_wheel"].__globals__["BUILD"] = tmp_path
    assert builder["wheel_version"](builder["build_wheel"](Path(sys.executable), "9.8.7")) == "9.8.7"
