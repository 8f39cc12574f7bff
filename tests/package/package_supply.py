"""The Debian package: the same bytes wherever it is built, all of it accounted for, and nothing that is not locked.

Needs the network. Run by `make package`; the name keeps it out of the quick suite.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from systemd.supply import components, notices
from systemd.supply.bill import COPYRIGHT, LIBRARIES, PLACE, TEXT
from systemd.supply.lock import LOCKS, environment, read, selected
from tests.package.trees import ROOT, committed, git, run

VERSION = "1.2.3"
EPOCH = "1767225600"
"""Of the commit, and so of the package: 2026-01-01."""
NAME = f"table-companion_{VERSION}"
BUILDER = Path("systemd/build_deb.py")
PYTHONS = ("3.11", "3.13")
MACHINES = {"amd64": "x86_64", "arm64": "aarch64"}
LGPIO = ("arm64", "3.11")
pytestmark = pytest.mark.timeout(900)
"""Seconds: the first test of each fixture waits for two packages to be built, and other suites build beside."""


@dataclass(frozen=True)
class Package:
    """A package, unpacked."""

    tree: Path
    architecture: str

    def bill(self) -> dict[str, Any]:
        said: dict[str, Any] = json.loads((self.tree / PLACE).read_text())
        return said

    def components(self) -> list[dict[str, Any]]:
        """The libraries, without what is within them."""
        listed: list[dict[str, Any]] = self.bill()["components"]
        return listed

    def everything(self) -> list[dict[str, Any]]:
        """The program, the libraries, and what is within them."""
        said = self.bill()
        listed = [said["metadata"]["component"], *said["components"]]
        return [part for each in listed for part in (each, *each.get("components", ()))]

    def files(self) -> set[str]:
        return {str(path.relative_to(self.tree)) for path in self.tree.rglob("*") if not path.is_dir()}


def own_architecture() -> str:
    return subprocess.run(["dpkg", "--print-architecture"], capture_output=True, text=True, check=True).stdout.strip()


@pytest.fixture(scope="session")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The checkout as one tagged commit of a known time."""
    tree = committed(tmp_path_factory.mktemp("source"))
    when = {"GIT_AUTHOR_DATE": f"{EPOCH} +0000", "GIT_COMMITTER_DATE": f"{EPOCH} +0000"}
    run("git", "-c", "user.name=Test", "-c", "user.email=test@example.invalid", "commit", "--quiet", "--amend",
        "--no-edit", cwd=tree, **when)  # fmt: skip
    git(tree, "tag", f"v{VERSION}")
    return tree


def other_python() -> str:
    """Another Python than this one where the machine has one: what builds must not be seen in what is built."""
    for name in ("python3.13", "python3.12", "/usr/bin/python3"):
        if (found := shutil.which(name)) and Path(found).resolve() != Path(sys.executable).resolve():
            says = subprocess.run([found, "-c", "import ensurepip, venv, sys; sys.exit(sys.version_info < (3, 11))"],
                                  capture_output=True, check=False)  # fmt: skip
            if says.returncode == 0:
                return found
    return sys.executable


def built(tree: Path, out: Path, python: str, umask: int, *words: str, **env: str) -> Path:
    """Build in a checkout, as a user with that umask and those habits does."""
    clean = {name: value for name, value in os.environ.items() if name != "SOURCE_DATE_EPOCH"}
    done = subprocess.run([python, str(BUILDER), "--out", str(out), *words], cwd=tree, capture_output=True, text=True,
                          check=False, umask=umask, env={**clean, **env})  # fmt: skip
    assert done.returncode == 0, done.stderr
    return Path(done.stdout.split()[-1])


PACKED = ("--compress", "gzip")


@pytest.fixture(scope="session")
def twice(source: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The package for this machine, built by two people who have nothing in common but the commit.

    Packed by gzip: what xz does differently with more threads would not be seen on one machine.
    """
    first, second = tmp_path_factory.mktemp("one") / "a", tmp_path_factory.mktemp("two") / "a-much-longer-name" / "b"
    git(source.parent, "clone", "--quiet", str(source), str(first))
    a = built(first, first.parent / "out", sys.executable, 0o022, *PACKED, LC_ALL="C.UTF-8", TZ="UTC")
    shutil.rmtree(first)  # nothing of it is found by the second
    second.parent.mkdir(exist_ok=True)
    run("git", "clone", "--quiet", source, second, cwd=source.parent)
    for age, path in enumerate(sorted(second.rglob("*"), reverse=True)):
        if ".git" not in path.parts:
            os.utime(path, (1_000_000_000 + age, 1_000_000_000 + age))
    b = built(second, second.parent / "out", other_python(), 0o077, *PACKED, LC_ALL="C", TZ="Asia/Tokyo", COLUMNS="40")
    return a, b


@pytest.fixture(scope="session", params=["own", "other"])
def package(
    request: pytest.FixtureRequest, twice: tuple[Path, Path], source: Path, tmp_path_factory: pytest.TempPathFactory
) -> Package:
    """The package for this machine, and the one for the other."""
    own = own_architecture()
    if request.param == "own":
        deb, architecture = twice[0], own
    else:
        (architecture,) = set(MACHINES) - {own}
        deb = built(source, tmp_path_factory.mktemp("other"), sys.executable, 0o022, "--arch", architecture,
                    "--compress", "none")  # fmt: skip
    tree = tmp_path_factory.mktemp(architecture)
    run("dpkg-deb", "-x", deb, tree, cwd=tree)
    return Package(tree, architecture)


# The same bytes -------------------------------------------------------------------------------------------------------


def test_two_builds_of_a_commit_are_the_same_bytes(twice: tuple[Path, Path]) -> None:
    assert twice[0].name == twice[1].name == f"{NAME}_{own_architecture()}.deb"
    assert twice[0].read_bytes() == twice[1].read_bytes()


def test_everything_in_it_is_of_the_commits_time_and_of_root(twice: tuple[Path, Path]) -> None:
    listed = run("dpkg-deb", "-c", twice[0], cwd=ROOT, TZ="UTC").splitlines()
    assert {(" ".join(line.split()[3:5]), line.split()[1]) for line in listed} == {("2026-01-01 00:00", "root/root")}
    assert {line.split()[0] for line in listed} <= {"drwxr-xr-x", "-rw-r--r--", "-rwxr-xr-x", "hrw-r--r--"}
    assert [line for line in listed if ".pyc" in line or "__pycache__" in line] == []


# What is in it --------------------------------------------------------------------------------------------------------


def test_the_bill_is_valid_by_its_own_schema(package: Package) -> None:
    text = (package.tree / PLACE).read_text()
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    assert package.bill()["metadata"]["component"]["version"] == VERSION


@pytest.mark.parametrize("python", PYTHONS)
def test_the_bill_has_what_is_locked_and_nothing_else(package: Package, python: str) -> None:
    target = environment(python, MACHINES[package.architecture])
    locked = {each.name: each for each in selected(read(LOCKS / "package.txt"), target)}
    left_out = {"setuptools"} if (package.architecture, python) == LGPIO else {"setuptools", "lgpio"}
    folder = f"{LIBRARIES}/python{python}/"
    here = [each for each in package.components() if any(
        one["location"].startswith(folder) for one in each["evidence"]["occurrences"])]  # fmt: skip
    assert {each["name"]: each["version"] for each in here} == {
        name: each.version for name, each in locked.items() if name not in left_out
    }
    for each in here:
        assert f"sha256:{each['hashes'][0]['content']}" in locked[each["name"]].hashes


def test_every_file_of_the_libraries_is_one_components(package: Package) -> None:
    told = [one["location"] for each in package.everything() for one in each.get("evidence", {}).get("occurrences", ())]
    assert len(told) == len(set(told))
    there = {name for name in package.files() if re.match(rf"{LIBRARIES}/python3\.[0-9]+/", name)}
    assert set(told) == there
    assert len(there) > 1000


def test_what_is_compiled_in_is_named(package: Package) -> None:
    within = {each["name"]: each for each in package.everything()}
    assert within["libgpiod"]["licenses"] == [{"expression": "LGPL-2.1-or-later"}]
    assert {"openssl", "libffi", "freetype", "openssl-sys", "libjpeg-turbo"} <= set(within)
    assert {"zxing-wasm", "zxing-cpp", "libzueci"} <= set(within), "what the pages bring along"
    assert not {"cc", "syn", "quote"} & set(within), "they only built it"


# On which terms -------------------------------------------------------------------------------------------------------


def texts(one: dict[str, Any]) -> list[str]:
    return [each["value"] for each in one["properties"] if each["name"] == TEXT]


def test_every_component_has_its_licence_and_the_text_of_it(package: Package) -> None:
    for one in package.everything():
        assert one["licenses"][0]["expression"], one["name"]
        assert texts(one) != [], one["name"]
        assert any(len(text_at(package, place)) > 150 for place in texts(one)), one["name"]


def text_at(package: Package, place: str) -> str:
    """A licence text, in the package or among those that every Debian has."""
    if place.startswith("/usr/share/common-licenses/"):
        assert Path(place).name in components.IN_COMMON
        return Path(place).read_text()
    return (package.tree / place.lstrip("/")).read_text()


def test_the_texts_that_wheels_lack_are_there(package: Package) -> None:
    by_name = {each["name"]: texts(each) for each in package.everything()}
    (serial,) = by_name["pyserial"]
    assert "Chris Liechti" in text_at(package, serial)
    (lesser,) = by_name["libgpiod"]
    text = text_at(package, lesser)
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in text
    assert "Version 2.1, February 1999" in text


def test_the_copyright_has_every_text_and_fits_debians_format(package: Package) -> None:
    said = (package.tree / COPYRIGHT).read_text()
    assert said.startswith("Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n")
    for stanza in said.split("\n\n"):
        fields = re.findall(r"^(\S+):", stanza, re.MULTILINE)
        assert fields[0] in {"Format", "Files", "License"}, stanza[:200]
        assert fields[0] != "Files" or fields[1:3] == ["Copyright", "License"], stanza[:200]
        assert all(line[0] == " " or re.match(r"[A-Z][A-Za-z-]*:", line) for line in stanza.rstrip().splitlines())
    for each in package.components():
        for place in texts(each):
            assert notices.folded(text_at(package, place).strip("\n")) in said, place


def test_each_pattern_of_the_copyright_is_of_files_that_are_there(package: Package) -> None:
    said = (package.tree / COPYRIGHT).read_text()
    for line in re.findall(r"^Files: (.*)$", said, re.MULTILINE):
        for pattern in line.split():
            assert pattern == "*" or any(package.tree.glob(pattern)), pattern


# Nothing that is not locked -------------------------------------------------------------------------------------------


def test_a_file_with_another_hash_is_not_installed(source: Path, tmp_path: Path) -> None:
    """As if a registry, or who sits between, gave something else than what was locked."""
    run("git", "clone", "--quiet", source, tmp_path / "tree", cwd=tmp_path)
    lock = tmp_path / "tree" / "systemd" / "supply" / "locks" / "package.txt"
    text = lock.read_text()
    first = re.search(r"^anyio==.*\n(?: .*\n)+", text, re.MULTILINE)
    assert first is not None
    lock.write_text(text.replace(first[0], re.sub("sha256:[0-9a-f]{8}", "sha256:00000000", first[0])))
    done = subprocess.run([sys.executable, str(BUILDER), "--sbom", "--out", str(tmp_path / "out")],
                          cwd=tmp_path / "tree", capture_output=True, text=True, check=False)  # fmt: skip
    assert done.returncode == 1
    assert "DO NOT MATCH THE HASHES" in done.stderr
    assert not (tmp_path / "out").exists()
