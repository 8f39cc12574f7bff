"""The package's builder, as far as it needs neither network nor dpkg: dependencies, equal files, what is left out."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path
from typing import Any

import pytest

SYSTEMD = Path(__file__).parents[2] / "systemd"


@pytest.fixture(scope="module")
def builder() -> dict[str, Any]:
    return runpy.run_path(str(SYSTEMD / "build_deb.py"))


@pytest.mark.parametrize(
    ("pythons", "expected"),
    [
        (["3.11"], "python3 (>= 3.11), python3 (<< 3.12)"),
        (["3.11", "3.13"], "python3 (>= 3.11), python3 (<< 3.14), python3 (<< 3.12) | python3 (>= 3.13)"),
        (["3.12", "3.13"], "python3 (>= 3.12), python3 (<< 3.14)"),
    ],
)
def test_a_package_wants_one_of_the_pythons_it_is_built_for(
    builder: dict[str, Any], pythons: list[str], expected: str
) -> None:
    assert builder["depends"](pythons) == expected


def test_equal_files_of_two_pythons_are_stored_once_and_others_are_left_alone(
    builder: dict[str, Any], tmp_path: Path
) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "same").write_text("same")
        (tmp_path / name / "own").write_text(name)
        (tmp_path / name / "empty").write_text("")
    builder["share_equal_files"]([tmp_path / "a", tmp_path / "b"])
    assert (tmp_path / "a" / "same").samefile(tmp_path / "b" / "same")
    assert not (tmp_path / "a" / "empty").samefile(tmp_path / "b" / "empty")
    assert [(tmp_path / name / "own").read_text() for name in ("a", "b")] == ["a", "b"]


@pytest.mark.parametrize(("architecture", "wanted"), [("amd64", False), ("arm64", False), ("armhf", True)])
def test_a_32_bit_package_has_its_signatures_from_debian(
    builder: dict[str, Any], tmp_path: Path, architecture: str, wanted: bool
) -> None:
    builder["write_control"](tmp_path, "1", architecture, ["3.11"])
    control = (tmp_path / "DEBIAN/control").read_text()
    (depends,) = (line for line in control.splitlines() if line.startswith("Depends: "))
    assert ("python3-cryptography" in depends.removeprefix("Depends: ").split(", ")) is wanted
    assert "libc6 (>= 2.36)" in depends.split(", ")


@pytest.mark.parametrize(
    ("architecture", "python", "packed"),
    [
        ("arm64", "3.11", {"cryptography", "gpiod", "lgpio"}),
        ("arm64", "3.13", {"cryptography", "gpiod"}),
        ("amd64", "3.11", {"cryptography", "gpiod"}),
        ("armhf", "3.11", {"gpiod", "lgpio"}),
    ],
)
def test_what_debian_has_and_what_has_no_wheel_is_not_packed(
    builder: dict[str, Any], architecture: str, python: str, packed: set[str]
) -> None:
    pins = builder["needed"](Path(sys.executable), architecture, python)
    names = {builder["name_of"](pin) for pin in pins}
    assert (
        names & {"cryptography", "cffi", "pycparser", "gpiod", "lgpio", "setuptools"} - {"cffi", "pycparser"} == packed
    )
    assert ("cffi" in names) is ("cryptography" in packed)
    assert all(" --hash=sha256:" in pin and ";" not in pin for pin in pins)


def test_32_bit_arm_is_built_only_on_such_a_machine_for_its_own_python(
    builder: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    assert builder["main"](["--arch", "armhf", "--python", "3.9"]) == 1
    assert "armhf has no wheels of every library" in capsys.readouterr().err


def test_the_time_of_a_package_is_the_one_that_is_said_or_the_commits(
    builder: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "12")
    assert builder["epoch"]() == 12
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    monkeypatch.setitem(builder["epoch"].__globals__, "ROOT", tmp_path)
    (tmp_path / ".git_archival.txt").write_text("commit: 12ab\ndate: 1700000000\n")
    assert builder["epoch"]() == 1_700_000_000
    (tmp_path / ".git_archival.txt").write_text("commit: 12ab\ndate: $Format:%ct$\n")
    assert builder["epoch"]() == builder["WITHOUT_DATE"]


def test_modes_and_times_are_the_packages_own(builder: dict[str, Any], tmp_path: Path) -> None:
    start = tmp_path / "usr" / "bin" / "companion"
    start.parent.mkdir(parents=True, mode=0o700)
    for path, mode in ((start, 0o600), (tmp_path / "library.so", 0o777)):
        path.write_text("")
        path.chmod(mode)
    builder["set_modes"](tmp_path)
    builder["set_times"](tmp_path, 1_600_000_000)
    assert [start.parent.stat().st_mode & 0o7777, start.stat().st_mode & 0o7777] == [0o755, 0o755]
    assert (tmp_path / "library.so").stat().st_mode & 0o7777 == 0o644
    assert {path.stat().st_mtime for path in (tmp_path, *tmp_path.rglob("*"))} == {1_600_000_000}


def test_a_packages_size_is_the_same_on_every_disk(builder: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "one").write_bytes(b"x" * 1025)
    (tmp_path / "same").hardlink_to(tmp_path / "folder" / "one")
    assert builder["size_kb"](tmp_path) == 3


def test_every_file_that_is_packed_is_there(builder: dict[str, Any]) -> None:
    for name in builder["SYSTEM_FILES"]:
        assert (SYSTEMD / name).stat().st_size > 0, name
    for name in builder["SCRIPTS"]:
        assert (SYSTEMD / "deb" / name).read_text().startswith("#!/bin/sh\n"), name


def test_the_settings_and_nothing_else_are_the_users_to_change(builder: dict[str, Any]) -> None:
    places = [place for place, _ in builder["SYSTEM_FILES"].values()]
    assert [place for place in places if place.startswith("etc/")] == ["etc/table-companion/config.toml"]


@pytest.mark.parametrize(
    ("python", "debian"),
    [
        ("1.2.3", "1.2.3"),
        ("0.1.0.dev0", "0.1.0~dev0"),
        ("0.1.0.dev35+g24c50f749.d20261121", "0.1.0~dev35+g24c50f749.d20261121"),
        ("1.0.0rc1", "1.0.0~rc1"),
        ("1.0.0b2.dev3", "1.0.0~b2~dev3"),
        ("1.0.0.post1", "1.0.0.post1"),
        ("1.0.0+b1", "1.0.0+b1"),
    ],
)
def test_what_comes_before_a_release_is_older_than_it_for_debian_too(
    builder: dict[str, Any], python: str, debian: str
) -> None:
    assert builder["debian_version"](python) == debian


def test_the_package_has_the_version_of_the_wheel_in_it(builder: dict[str, Any]) -> None:
    wheel = Path("dist/table_companion-0.2.0.dev3+g24c50f7-py3-none-any.whl")
    assert builder["debian_version"](builder["wheel_version"](wheel)) == "0.2.0~dev3+g24c50f7"
