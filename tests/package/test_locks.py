"""The lock files hold what `pyproject.toml` asks for, on every Python and machine, and nothing without a hash."""

from __future__ import annotations

import re
import tomllib
from importlib import metadata
from itertools import product
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from systemd.supply import lock
from systemd.supply.lock import LOCKS, Entry, LockError, environment, read, selected
from systemd.supply.wheels import normalised
from tests.package.trees import ROOT

PYTHONS = ("3.11", "3.12", "3.13", "3.14")
MACHINES = ("x86_64", "aarch64", "armv7l", "armv6l")
TARGETS = [environment(python, machine) for python, machine in product(PYTHONS, MACHINES)]
NAMES = sorted([*lock.SETS, lock.BUILD])
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def asked(name: str) -> list[str]:
    """What a lock is for, as `pyproject.toml` says it."""
    if name == lock.BUILD:
        return [*PROJECT["build-system"]["requires"], *lock.BUILD_TOOLS]
    extras = PROJECT["project"]["optional-dependencies"]
    return [*PROJECT["project"]["dependencies"], *(line for extra in lock.SETS[name] for line in extras[extra])]


def lacking(requirements: list[str], entries: list[Entry]) -> list[str]:
    """What a lock does not give, with the Python and machine that lack it."""
    missing = []
    for target in TARGETS:
        there = {each.name: each.version for each in selected(entries, target)}
        for line in requirements:
            wanted = Requirement(line)
            if wanted.marker is not None and not wanted.marker.evaluate(dict(target)):
                continue
            version = there.get(normalised(wanted.name))
            if version is None or not wanted.specifier.contains(version, prereleases=True):
                missing.append(f"{line} on {target['python_version']} {target['platform_machine']}: {version}")
    return missing


@pytest.fixture(scope="module")
def locks() -> dict[str, list[Entry]]:
    return {name: read(LOCKS / f"{name}.txt") for name in NAMES}


def test_there_is_a_lock_for_each_set_and_no_other() -> None:
    assert sorted(path.stem for path in LOCKS.iterdir()) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_lock_gives_what_the_project_asks_for(locks: dict[str, list[Entry]], name: str) -> None:
    assert lacking(asked(name), locks[name]) == [], "`make lock` makes it anew"


@pytest.mark.parametrize("line", ["click>=99", "nothing-of-the-kind", "cbor2>=6; python_version >= '3.13'"])
def test_what_a_lock_does_not_give_is_seen(locks: dict[str, list[Entry]], line: str) -> None:
    assert lacking([line], locks["run"]) != []


def test_a_lock_gives_what_its_packages_ask_for(locks: dict[str, list[Entry]]) -> None:
    """As far as they are installed here in the locked version: nothing would be fetched beside the lock."""
    for name in ("run", "dev"):
        for entry in locks[name]:
            try:
                installed = metadata.distribution(entry.name)
            except metadata.PackageNotFoundError:
                continue
            if installed.version == entry.version:
                wanted = [line for line in installed.requires or [] if "extra ==" not in line]
                here = environment("3.11", "x86_64")
                there = {each.name for each in selected(locks[name], here)}
                needs = [Requirement(line) for line in wanted]
                absent = [str(each) for each in needs
                          if (each.marker is None or each.marker.evaluate(dict(here)))
                          and normalised(each.name) not in there]  # fmt: skip
                assert absent == [], entry.name


@pytest.mark.parametrize("target", TARGETS, ids=lambda each: f"{each['python_version']}-{each['platform_machine']}")
def test_no_two_locks_name_different_versions_or_files(locks: dict[str, list[Entry]], target: dict[str, str]) -> None:
    known: dict[str, Entry] = {}
    for name in NAMES:
        for entry in selected(locks[name], target):
            first = known.setdefault(entry.name, entry)
            assert (entry.version, entry.hashes) == (first.version, first.hashes), f"{entry.name} in {name}"


@pytest.mark.parametrize("name", NAMES)
def test_a_lock_names_no_registry(name: str) -> None:
    text = (LOCKS / f"{name}.txt").read_text()
    assert re.findall(r"\S*(?:://|--index|--extra|--find|@ )\S*", text) == []


@pytest.mark.parametrize(
    "line", ["click", "click>=8", "click==8.1", "click @ file:///x", "click==8.1 --hash=sha256:12", "-r other.txt"]
)
def test_a_line_without_version_or_hash_is_refused(tmp_path: Path, line: str) -> None:
    path = tmp_path / "some.txt"
    path.write_text(f"{line}\n")
    with pytest.raises(LockError, match=r"some\.txt"):
        read(path)


def test_each_environment_of_the_makefile_has_its_locks() -> None:
    made = re.findall(r'\.ci/venv \$\(VENV\) "[^"]*"(?: ([a-z,]+))?$', (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert len(made) >= 7
    assert {extra for words in made for extra in words.split(",") if extra} <= set(lock.SETS)


def test_an_environment_takes_nothing_without_a_hash() -> None:
    script = (ROOT / ".ci" / "venv").read_text()
    installs = re.findall(r"^ +(?:.*\|\| )?pip install (.*?)(?:; \})?(?: &&)?$", script, re.MULTILINE)
    assert len(installs) == 4
    assert [line for line in installs if "--require-hashes" not in line] == [
        "--no-deps --no-build-isolation --editable ."
    ]
    assert all("--no-build-isolation" in line or "--only-binary :all:" in line for line in installs)
    # An older pip looks for the newest of what is needed with extras, whatever is pinned.
    assert all("--no-deps" in line for line in installs)


def test_the_package_is_of_a_runs_versions(locks: dict[str, list[Entry]]) -> None:
    assert {(each.name, each.version) for each in locks["run"]} <= {(e.name, e.version) for e in locks["package"]}
