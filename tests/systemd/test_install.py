"""`install` and `postinst` as the shell runs them, with the system's own programs taken by names of the same kind."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

SYSTEMD = Path(__file__).parents[2] / "systemd"
BOOT_FILES = "boot-files --config /etc/table-companion/config.toml"


@pytest.fixture
def called(tmp_path: Path) -> Path:
    """The file with what was called; the folder `bin` beside it holds what is called."""
    programs = tmp_path / "bin"
    programs.mkdir()
    calls = tmp_path / "calls"
    calls.write_text("")

    def program(name: str, does: str = "") -> None:
        path = programs / name
        path.write_text(f'#!/bin/sh\necho "{name} $*" >> {calls}\n{does}\n')
        path.chmod(0o755)

    for name in ("systemd-sysusers", "systemctl", "udevadm", "sync"):
        program(name)
    program("apt-get", f'echo "LEAVE=$TABLE_COMPANION_LEAVE_PINS" >> {calls}')
    program("dpkg-query", "exit 1")
    program("dpkg-deb", "echo 1.0")
    program("id", "echo 0")
    program("companion", f'[ "$1" != boot-files ] || {{ echo said; [ ! -e {tmp_path}/broken ]; }}')
    program("setpriv", 'while [ "${1#--}" != "$1" ]; do case $1 in --re[ug]id) shift;; esac; shift; done; exec "$@"')
    return calls


def run(called: Path, *command: str | Path, **env: str) -> subprocess.CompletedProcess[str]:
    path = f"{called.parent / 'bin'}:{os.environ['PATH']}"
    return subprocess.run(
        [str(word) for word in command], env={"PATH": path, **env}, capture_output=True, text=True, check=False
    )


def test_install_sees_to_the_boot_files_itself_and_says_what_was_changed(called: Path, tmp_path: Path) -> None:
    (tmp_path / "box.deb").write_text("")
    done = run(called, "/bin/bash", SYSTEMD / "install", tmp_path / "box.deb")
    assert done.returncode == 0, done.stderr
    assert f"companion {BOOT_FILES}" in called.read_text()
    assert "install: said" in done.stdout
    assert "LEAVE=yes" in called.read_text(), "the package does not do it too"


def test_install_leaves_the_pins_where_it_is_told_to(called: Path, tmp_path: Path) -> None:
    (tmp_path / "box.deb").write_text("")
    done = run(called, "/bin/bash", SYSTEMD / "install", "--leave-pins", tmp_path / "box.deb")
    assert done.returncode == 0, done.stderr
    assert "boot-files" not in called.read_text()
    assert "LEAVE=yes" in called.read_text()


def test_boot_files_that_cannot_be_written_end_the_installation_with_a_status(called: Path, tmp_path: Path) -> None:
    (tmp_path / "box.deb").write_text("")
    (tmp_path / "broken").write_text("")
    assert run(called, "/bin/bash", SYSTEMD / "install", tmp_path / "box.deb").returncode != 0


def configure(called: Path, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Run `postinst` of a package that is unpacked, with programs that say what they were called with."""
    base = called.parent / "usr"
    (base / "package").mkdir(parents=True, exist_ok=True)
    for name in ("launch.py", "libraries.py"):
        told = f'import sys; open({str(called)!r}, "a").write("{name} " + " ".join(sys.argv[1:]) + "\\n")\n'
        (base / "package" / name).write_text(told)
    script = called.parent / "postinst"
    text = (SYSTEMD / "deb" / "postinst").read_text().replace("@VERSION@", "1.0")
    assert "BASE=/usr/lib/table-companion\n" in text
    script.write_text(text.replace("BASE=/usr/lib/table-companion\n", f"BASE={base}\n"))
    return run(called, "/bin/sh", script, "configure", *words, **env)


def test_the_first_installation_by_apt_alone_sees_to_the_boot_files(called: Path) -> None:
    done = configure(called, "")
    assert done.returncode == 0, done.stderr
    assert f"launch.py {BOOT_FILES}" in called.read_text()


@pytest.mark.parametrize(("words", "env"), [(["0.9"], {}), ([""], {"TABLE_COMPANION_LEAVE_PINS": "yes"})])
def test_an_upgrade_and_one_who_wants_the_pins_left_keep_what_is_there(
    called: Path, words: list[str], env: dict[str, str]
) -> None:
    done = configure(called, *words, **env)
    assert done.returncode == 0, done.stderr
    assert "launch.py config" in called.read_text(), "the rest is done"
    assert "boot-files" not in called.read_text()
