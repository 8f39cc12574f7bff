"""Puts the commit that is built into the wheel and the sdist, as `companion/commit`, without writing to the checkout.

The commit is git's; in a tree that `git archive` made it is in `.git_archival.txt`, in an unpacked sdist already in
`companion/commit`. Where none of them knows it, there is no such file.
"""

import os
import re
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

INSTALLED = "companion/commit"
COMMIT = re.compile(r"[0-9a-f]{40,64}")


class CommitHook(BuildHookInterface[Any]):
    """Hatchling's hook; it finds it by its base class."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the file, but to an editable installation: that asks git whenever it is asked."""
        commit = commit_of(Path(self.root))
        if commit is None or version == "editable":
            return
        handle, self._written = tempfile.mkstemp(prefix="companion-commit-")
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(f"{commit}\n")
        build_data["force_include"][self._written] = INSTALLED

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Remove what was written for the build."""
        if (written := getattr(self, "_written", None)) is not None:
            Path(written).unlink(missing_ok=True)


def commit_of(root: Path) -> str | None:
    """Give the commit of a source tree in full, None where nothing says it."""
    if (root / ".git").exists():
        return of_git(root)
    for place in (root / ".git_archival.txt", root / INSTALLED):
        if place.is_file() and (found := COMMIT.search(place.read_text(encoding="utf-8"))):
            return found[0]
    return None


def of_git(root: Path) -> str | None:
    """Ask git; None where it is not installed, does not trust the folder, or has no commit yet."""
    command = ["git", "-C", str(root), "rev-parse", "--verify", "HEAD"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - these words only
    except OSError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None
