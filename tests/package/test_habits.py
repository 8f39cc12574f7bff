"""What people and tools are told about the project agrees with the project, and what is still open is named."""

from __future__ import annotations

import os
import re
import subprocess
import tomllib
from datetime import date
from pathlib import Path

import pytest
import yaml
from packaging.version import Version

from companion.cli.main import COMMANDS
from tests.package.test_version import FALLBACK
from tests.package.trees import ROOT, run, tool

OPEN = {
    ".github/ISSUE_TEMPLATE/config.yml": {"https://example.invalid/table-companion/security"},
    "CONTRIBUTING.md": {"https://example.invalid/table-companion/source"},
    "SECURITY.md": {"https://example.invalid/table-companion/security"},
    "companion/cli/report/command.py": {"https://example.invalid/table-companion/issues"},
    "docs/reports.md": {"https://example.invalid/table-companion/issues"},
    "hardware/board/places.py": {"https://example.invalid/table-companion"},
    "pyproject.toml": {
        "https://example.invalid/table-companion",
        "https://example.invalid/table-companion/source",
        "https://example.invalid/table-companion/issues",
        "https://example.invalid/table-companion/changelog",
    },
}
"""Each file that names a place which does not exist yet, and the places. Whoever gives the project a home changes these
files, and takes them out of here."""

SECTIONS = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]
"""Of Keep a Changelog, in its order."""


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def make_targets() -> set[str]:
    (line,) = re.findall(r"^\.PHONY: (help .*)$", text("Makefile"), re.MULTILINE)
    return set(line.split())


def commands(page: str) -> set[str]:
    """The targets that a page calls by `make`, within backticks or in an indented block."""
    called = re.findall(r"(?:^ {4}|`)make((?: [a-z][a-z-]*)+)", text(page), re.MULTILINE)
    return {word for words in called for word in words.split()}


# What is open ---------------------------------------------------------------------------------------------------------


def test_every_place_that_does_not_exist_yet_is_named_here() -> None:
    tracked = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", cwd=ROOT).split("\0")
    found = {
        name: places
        for name in filter(None, tracked)
        if not name.startswith("tests/")
        and (ROOT / name).is_file()
        and (places := set(re.findall(r"https?://example\.invalid[\w/.-]*", read_lenient(ROOT / name))))
    }
    assert found == OPEN


def read_lenient(path: Path) -> str:
    return path.read_bytes().decode("utf-8", errors="replace")


# Changelog and version ------------------------------------------------------------------------------------------------


def releases() -> list[tuple[str, str]]:
    """Version and date of each release in the changelog, the newest first; what is unreleased is not among them."""
    heads = re.findall(r"^## (.*)$", text("CHANGELOG.md"), re.MULTILINE)
    assert heads[0] == "[Unreleased]"
    found = [re.fullmatch(r"\[([0-9]+\.[0-9]+\.[0-9]+)\] - ([0-9-]{10})", head) for head in heads[1:]]
    assert all(found), heads
    return [(match[1], match[2]) for match in found if match is not None]


def test_the_changelog_has_its_releases_in_order_and_known_sections() -> None:
    versions = [Version(version) for version, _ in releases()]
    assert versions == sorted(set(versions), reverse=True)
    days = [date.fromisoformat(day) for _, day in releases()]
    assert days == sorted(days, reverse=True)
    for part in re.split(r"^## ", text("CHANGELOG.md"), flags=re.MULTILINE)[1:]:
        sections = re.findall(r"^### (.*)$", part, re.MULTILINE)
        assert sections == [name for name in SECTIONS if name in sections]
        assert sections != []


def test_the_fallback_version_is_of_the_release_to_come() -> None:
    released = [Version("0"), *(Version(version) for version, _ in releases())]
    fallback = tomllib.loads(text("pyproject.toml"))["tool"]["hatch"]["version"]["fallback-version"]
    assert fallback == FALLBACK
    assert Version(fallback).is_devrelease
    assert Version(fallback) > max(released)


# What the pages and the tools call ------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "README.md", ".github/pull_request_template.md"])
def test_pages_name_targets_that_exist(page: str) -> None:
    assert commands(page) != set()
    assert commands(page) <= make_targets()


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"])
def test_pages_link_to_files_that_exist(page: str) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)", text(page))
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_hooks_are_the_projects_own_targets() -> None:
    run(tool("pre-commit"), "validate-config", ".pre-commit-config.yaml", cwd=ROOT)
    config = yaml.safe_load(text(".pre-commit-config.yaml"))
    assert [each["repo"] for each in config["repos"]] == ["local"]
    entries = [hook["entry"].split() for each in config["repos"] for hook in each["hooks"]]
    assert {words[0] for words in entries} == {"make"}
    assert {words[-1] for words in entries} <= make_targets()


def test_the_workflow_only_calls_what_anybody_can_call() -> None:
    workflow = yaml.safe_load(text(".github/workflows/ci.yml"))
    check, everything = workflow["jobs"]["check"], workflow["jobs"]["everything"]
    assert check["steps"][-1]["run"] == "make check PYTHON=python${{ matrix.python }}"
    assert everything["steps"][-1]["run"] == ".ci/run"
    assert everything["needs"] == "check"
    for job in workflow["jobs"].values():
        (checkout,) = [step for step in job["steps"] if step.get("uses", "").startswith("actions/checkout@")]
        assert checkout["with"]["fetch-depth"] == 0, "the version is counted from the tags"


def test_the_workflow_and_the_target_check_every_python_that_is_declared() -> None:
    checked = set(yaml.safe_load(text(".github/workflows/ci.yml"))["jobs"]["check"]["strategy"]["matrix"]["python"])
    declared = {
        line.rpartition(" ")[2]
        for line in tomllib.loads(text("pyproject.toml"))["project"]["classifiers"]
        if re.search(r"Python :: 3\.", line)
    }
    (here,) = re.findall(r"^for version in (.*); do$", text(".ci/pythons"), re.MULTILINE)
    assert checked == set(here.split())
    assert declared <= checked


def test_every_stage_of_the_run_is_a_target() -> None:
    stages = re.findall(r"^ *(?:[A-Z]+=\w+ )?stage(?:_twice)? ([0-9]+) ([a-z-]+)", text(".ci/run"), re.MULTILINE)
    assert {target for _, target in stages} <= make_targets()
    assert {"check", "test-all", "package"} <= {target for _, target in stages}


def test_a_run_that_fails_gives_its_reason_in_one_log(tmp_path: Path) -> None:
    make = tmp_path / "make"
    make.write_text("#!/bin/sh\necho the reason >&2\nexit 2\n", encoding="utf-8")
    make.chmod(0o755)
    path = f"{tmp_path}:{os.environ['PATH']}"
    done = subprocess.run(
        [ROOT / ".ci" / "run"], env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (2, "")
    assert done.stdout.splitlines() == ["== make check ", "the reason"]


def test_what_runs_beside_is_told_as_one_piece_after_it_has_ended_and_fails_the_run() -> None:
    script = """
        . .ci/beside
        beside bash -c 'echo a reason >&2; exit 3'
        beside echo more
        echo first
        joined
        echo "status $?"
        beside sh -c 'echo $$; exec sleep 600'
        until [ -s "${BESIDE[1]}" ]; do sleep 0.01; done
    """
    done = subprocess.run(["bash", "-uc", script], cwd=ROOT, capture_output=True, text=True, check=False)
    *told, unfinished = done.stdout.splitlines()
    assert told == ["first", "a reason", "more", "status 3"]
    assert not Path(f"/proc/{unfinished}").exists()


def test_templates_ask_for_what_the_program_says() -> None:
    fault = yaml.safe_load(text(".github/ISSUE_TEMPLATE/fault.yml"))
    asked = {field["id"] for field in fault["body"]}
    assert asked >= {"happened", "record", "version", "doctor"}
    named = set(re.findall(r"`companion ([a-z]+)", text(".github/ISSUE_TEMPLATE/fault.yml")))
    assert named == {"matches", "export", "doctor"}
    assert named <= set(COMMANDS)


def test_files_keep_to_the_editorconfig() -> None:
    """No blanks at the ends of lines and a line end at the end, in every text that people write."""
    tracked = run("git", "ls-files", "*.py", "*.md", "*.toml", "*.yml", "*.yaml", "*.js", "*.css", "Makefile", ".ci/*",
                  cwd=ROOT).split()  # fmt: skip
    faults = subprocess.run(
        ["grep", "-lE", r"[[:blank:]]+$", *tracked], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.split()
    assert faults == []
    ends = [name for name in tracked if (content := (ROOT / name).read_bytes()) and not content.endswith(b"\n")]
    assert ends == []
