"""The version is the tag's, in every kind of source tree; the program names the commit it is of."""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING

import pytest

from companion.adapters.service import installed
from tests.package.trees import GIT_VARIABLES, ROOT, archive, committed, copy_checkout, git, run, tool

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

pytestmark = pytest.mark.slow  # starts processes

FALLBACK = "0.1.0.dev0"


@pytest.fixture(autouse=True)
def _no_git_hook_calls_us(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in GIT_VARIABLES:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="module")
def shared_repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return committed(tmp_path_factory.mktemp("repository"))


@pytest.fixture
def repository(shared_repository: Path, tmp_path: Path) -> Path:
    """One commit on `main`, no tag, of the test's own."""
    git(tmp_path, "clone", "--quiet", str(shared_repository), "clone")
    return tmp_path / "clone"


@pytest.fixture(scope="module")
def hook() -> ModuleType:
    """The build hook, as hatchling loads it."""
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def version(tree: Path, **environment: str) -> str:
    return run(tool("hatchling"), "version", cwd=tree, **environment).strip()


def one_more(repository: Path) -> None:
    git(repository, "commit", "--quiet", "--allow-empty", "--message=One more")


def short(repository: Path) -> str:
    return git(repository, "describe", "--always", "--exclude=*", "--abbrev=7")


# The version ----------------------------------------------------------------------------------------------------------


def test_before_the_first_tag_it_counts_towards_the_first_release(repository: Path) -> None:
    one_more(repository)
    assert version(repository).startswith(f"0.1.0.dev2+g{short(repository)}")


def test_a_tag_is_the_release_and_what_follows_counts_towards_the_next(repository: Path) -> None:
    git(repository, "tag", "v1.2.3")
    assert version(repository) == "1.2.3"
    one_more(repository)
    assert version(repository).startswith(f"1.3.0.dev1+g{short(repository)}")


def test_on_a_branch_of_a_release_it_counts_towards_its_next_repair(repository: Path) -> None:
    git(repository, "tag", "v1.2.3")
    git(repository, "switch", "--quiet", "--create", "release-1.2")
    one_more(repository)
    assert version(repository).startswith("1.2.4.dev1+g")


def test_what_is_not_committed_shows(repository: Path) -> None:
    git(repository, "tag", "v1.2.3")
    (repository / "README.md").write_text("changed\n")
    assert version(repository).startswith("1.3.0.dev0+g")


def test_an_archive_of_a_tag_is_the_release(repository: Path, tmp_path: Path) -> None:
    git(repository, "tag", "v1.2.3")
    assert version(archive(repository, tmp_path / "archive")) == "1.2.3"


def test_an_archive_between_tags_counts_as_the_repository_does(repository: Path, tmp_path: Path) -> None:
    git(repository, "tag", "--annotate", "--message=A release", "v1.2.3")
    one_more(repository)
    assert version(archive(repository, tmp_path / "archive")).startswith(f"1.3.0.dev1+g{short(repository)}")


def test_an_archive_without_any_tag_is_the_fallback(repository: Path, tmp_path: Path) -> None:
    assert version(archive(repository, tmp_path / "archive")) == FALLBACK


def test_files_without_git_are_the_fallback(tmp_path: Path) -> None:
    assert version(copy_checkout(tmp_path)) == FALLBACK


def test_a_machine_without_git_builds_the_fallback(repository: Path) -> None:
    git(repository, "tag", "v1.2.3")
    assert version(repository, PATH=str(repository)) == FALLBACK


def test_files_in_somebody_elses_repository_are_not_taken_for_it(repository: Path) -> None:
    git(repository, "tag", "v1.2.3")
    inner = copy_checkout(repository / "vendor" / "box")
    assert version(inner) == FALLBACK


# The commit -----------------------------------------------------------------------------------------------------------


def test_the_builder_knows_the_commit_of_a_repository_and_of_an_archive(
    hook: ModuleType, repository: Path, tmp_path: Path
) -> None:
    commit = git(repository, "rev-parse", "HEAD")
    assert hook.commit_of(repository) == commit
    assert hook.commit_of(archive(repository, tmp_path / "archive")) == commit


def test_the_builder_takes_the_commit_that_an_sdist_brings(hook: ModuleType, tmp_path: Path) -> None:
    copy_checkout(tmp_path)
    assert hook.commit_of(tmp_path) is None
    (tmp_path / "companion" / "commit").write_text("0123456789" * 4 + "\n")
    assert hook.commit_of(tmp_path) == "0123456789" * 4


def test_a_checkout_is_asked_for_its_commit_and_its_changes(repository: Path) -> None:
    commit = git(repository, "rev-parse", "HEAD")
    git(repository, "tag", "v1.2.3")
    assert installed.commit_of(repository) == commit[:12]
    (repository / "README.md").write_text("changed\n")
    assert installed.commit_of(repository) == f"{commit[:12]} with changes"


def test_without_git_the_commit_is_unknown(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(repository))
    assert installed.commit_of(repository) == installed.UNKNOWN
