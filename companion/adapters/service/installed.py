"""What is installed: the program's version, and the commit that it was built from. Reads files, and asks git."""

from __future__ import annotations

import subprocess
from importlib import resources
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

UNKNOWN = "unknown"
COMMIT_DIGITS = 12


def program_version() -> str:
    """Give the version that is installed, "unknown" where it runs without being installed."""
    try:
        return version("table-companion")
    except PackageNotFoundError:
        return UNKNOWN


def program_commit() -> str:
    """Give the commit this program is of, in 12 hexadecimal digits; "unknown" where nothing says it.

    A wheel and an sdist carry it (`hatch_build.py`). A checkout that is run in place is asked now, since it may have
    gone on after its installation: "24c50f749058 with changes" where files differ from that commit.
    """
    package = Path(str(resources.files("companion")))
    if (package / "commit").is_file():
        return (package / "commit").read_text(encoding="ascii").strip()[:COMMIT_DIGITS]
    return commit_of(package.parent) if (package.parent / ".git").exists() else UNKNOWN


def commit_of(checkout: Path) -> str:
    """Give a checkout's commit, as above; "unknown" without git, or with one that does not trust the folder."""
    command = ["git", "-C", str(checkout), "describe", "--always", "--exclude=*", "--dirty= with changes",
               f"--abbrev={COMMIT_DIGITS}"]  # fmt: skip
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - these words only
    except OSError:
        return UNKNOWN
    return done.stdout.strip() if done.returncode == 0 else UNKNOWN
