"""Gets matches back out of damaged databases: what `companion doctor --repair` does. It judges no record."""

from __future__ import annotations

import shutil
import sqlite3
from typing import TYPE_CHECKING

from companion.adapters.keys.ed25519 import check
from companion.adapters.sqlite_journal.repair import Outcome, repair
from companion.adapters.sqlite_journal.salvage import SHELL
from companion.core.errors import CompanionError, Unavailable
from companion.core.record.seals import verify_seals
from companion.files.owner import as_owner

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from companion.adapters.sqlite_journal.repair import RepairedMatch


def run_repair(directory: Path, say: Callable[[str], None]) -> int:
    """Put back what can be read of damaged databases; say of each match what was got, and give the exit status.

    0: nothing is missing; 1: lines of a match are. The damaged files stay. Raises Unavailable where the box is running,
    or the disk does not let it.
    """
    if not directory.is_dir():
        raise Unavailable(f"nothing is kept in {directory}: there is no such folder")
    missing = matches = 0
    try:
        with as_owner(directory):
            for one in repair(directory):
                if isinstance(one, str):
                    say(one)
                    continue
                matches += 1
                missing += one.cut is not None
                say(sentence(one))
    except (OSError, sqlite3.Error) as error:
        if isinstance(error, CompanionError):
            raise
        raise Unavailable(f"{directory} cannot be repaired: {getattr(error, 'strerror', None) or error}") from error
    say(_summary(matches, missing))
    return 1 if missing else 0


def sentence(one: RepairedMatch) -> str:
    """Say what was got of a match."""
    number = f"match {one.was}" + (f", now match {one.id}" if one.id != one.was else "")
    got = f"{one.outcome}, {_lines(len(one.lines))}" if one.outcome is not Outcome.THERE else str(one.outcome)
    parts = [f"{one.file.name}: {number}: {got}"]
    if one.cut is None:
        parts.append("whole, as far as its check sums tell")
    else:
        parts.append(f"cut off at line {one.cut}: it cannot be read, and {_lines(one.beyond)} after it cannot be used")
    if one.mended:
        parts.append(f"a changed bit was put right in line {', '.join(map(str, one.mended))}")
    return "; ".join([*parts, _sealed(one)])


def _sealed(one: RepairedMatch) -> str:
    found = verify_seals((line + b"\n" for line in one.lines), check)
    if found.fault is not None:
        return f"its seal in line {found.fault.line} does not hold"
    return f"its seals hold up to line {found.sealed}" if found.seals else "it has no seal"


def _summary(matches: int, missing: int) -> str:
    if not matches:
        return "nothing is damaged, and no damaged database was set aside"
    shell = "" if shutil.which(SHELL) else f"; with {SHELL} installed (sudo apt install {SHELL}) there may be more"
    whole = f"{matches - missing} of {matches} matches whole"
    return f"{whole}{shell if missing else ''}; the damaged files are left as they are"


def _lines(count: int) -> str:
    return "1 line" if count == 1 else f"{count} lines"
