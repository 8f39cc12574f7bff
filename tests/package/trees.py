"""Source trees to build from, as strangers get them: by git, by `git archive`, and as bare files."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

GIT_VARIABLES = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR", "GIT_PREFIX")
"""What a git hook sets, and would turn every git in a test towards the checkout."""
IDENTITY = {
    "GIT_AUTHOR_NAME": "Test", "GIT_AUTHOR_EMAIL": "test@example.invalid",
    "GIT_COMMITTER_NAME": "Test", "GIT_COMMITTER_EMAIL": "test@example.invalid",
    "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull,
}  # fmt: skip


def run(*command: str | Path, cwd: Path, **environment: str) -> str:
    """Run a program that must succeed, and give what it printed."""
    inherited = {name: value for name, value in os.environ.items() if name not in GIT_VARIABLES}
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=cwd, env={**inherited, **environment}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def git(folder: Path, *words: str) -> str:
    """Run git in a repository of the test's own."""
    return run("git", *words, cwd=folder, **IDENTITY).strip()


def tool(name: str) -> str:
    """A program of this virtual environment."""
    return str(Path(sys.executable).with_name(name))


def copy_checkout(target: Path) -> Path:
    """Copy what the checkout has, committed or not, without git."""
    listed = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", cwd=ROOT)
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():  # not one that was removed and is still in the index
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, target / name)
    return target


def committed(target: Path) -> Path:
    """Copy the checkout as a repository of one commit on `main`, without tags."""
    copy_checkout(target)
    git(target, "init", "--quiet", "--initial-branch=main")
    git(target, "add", "--all")
    git(target, "commit", "--quiet", "--message=All of it")
    return target


def archive(repository: Path, target: Path) -> Path:
    """Unpack `git archive` of a repository's HEAD."""
    target.mkdir()
    git(repository, "archive", "--output", str(target.parent / "archive.tar"), "HEAD")
    shutil.unpack_archive(target.parent / "archive.tar", target, filter="data")
    return target
