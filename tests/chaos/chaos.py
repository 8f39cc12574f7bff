"""Holds an event while broker, desk, boxes and network are killed, stopped and cut at random, and checks it.

    python -m tests.chaos.chaos [--minutes 60] [--seed 1] [--boxes 8] [--spoil lost|other|wins]

Faults are drawn from the seed. After the minutes nothing more is done to anybody, the round that is played is played to
its end, and everything must come right by itself. Then the same event is held without any fault, and compared. Prints
what was done and what was found; the status is 1 where anything does not hold. The folder stays then.
"""

from __future__ import annotations

import argparse
import asyncio
import shutil
import sqlite3
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from companion.core.errors import CompanionError
from tests.chaos import checks
from tests.chaos.faults import Striking
from tests.chaos.given import DESK, ended_file, enough_file, notes_file, store_file
from tests.chaos.hall import Hall
from tests.chaos.plan import Kind
from tests.chaos.spoiling import SPOILS

if TYPE_CHECKING:
    from collections import Counter

RACES = 10
PACE_MS = 40.0
LOOK_S = 1.0
PER_MINUTE = 5
"""At least so many faults: 300 in an hour."""


class NeverCame(Exception):
    """Something did not come right."""


def say(text: str) -> None:
    """Tell whoever waits."""
    print(f"{time.strftime('%H:%M:%S')} {text}", flush=True)


async def disturbed(hall: Hall, given: argparse.Namespace) -> Counter[Kind]:
    """Hold an event for so many minutes, while things go wrong; give what did."""
    async with hall:
        striking = Striking(hall, given.seed, say)
        running = asyncio.create_task(striking.run())
        try:
            await asyncio.wait({running}, timeout=given.minutes * 60)
        finally:
            running.cancel()
        await striking.over()
        enough_file(hall.folder).touch()
        say("nothing more is done to anybody")
        await until_all_is_there(hall, given.patience)
        return striking.counts


async def undisturbed(hall: Hall, given: argparse.Namespace) -> None:
    """Hold an event at which nothing goes wrong."""
    async with hall:
        await until_all_is_there(hall, given.patience)


async def until_all_is_there(hall: Hall, patience_s: float) -> None:
    """Wait until the event has ended, and the desk has every line. Raises NeverCame: nothing grew for so long."""
    seen, end = -1, time.monotonic()
    while not (ended_file(hall.folder).exists() and is_all_there(hall)):
        if hall.fallen():
            raise NeverCame(f"ended by itself: {', '.join(hall.fallen())}")
        lines = checks.lines_in(store_file(hall.folder))
        if lines != seen:
            seen, end = lines, time.monotonic() + patience_s
        if time.monotonic() > end:
            raise NeverCame(
                f"nothing has come for {patience_s:.0f} s: the event is not over, or not every line is there"
            )
        await asyncio.sleep(LOOK_S)


def is_all_there(hall: Hall) -> bool:
    """Tell whether the desk has every line of every box."""
    try:
        stored = checks.stored_in(store_file(hall.folder))
        return not checks.differences(checks.journals_of(hall.folder, hall.boxes), stored)
    except (CompanionError, sqlite3.Error):
        return False  # looked at in the middle of something


def hold(given: argparse.Namespace, folder: Path) -> list[str]:
    """Hold both events, print what was done and found, and give what is wrong."""
    wrong: list[str] = []
    hall = Hall(
        folder / "disturbed", given.seed, given.boxes, RACES, rounds=None, pace_ms=PACE_MS, spoils=given.spoil
    )  # fmt: skip
    counts: Counter[Kind] | None = None
    try:
        counts = asyncio.run(disturbed(hall, given))
    except NeverCame as never:
        wrong.append(str(never))
    wrong += said_by_programs(hall)
    if counts is None:
        stored = checks.stored_in(store_file(hall.folder))
        return wrong + checks.differences(checks.journals_of(hall.folder, hall.boxes), stored)
    found = checks.ended(hall.folder, hall.boxes)
    say(f"{found.came_to.rounds} rounds were played; now without any fault")
    other = Hall(folder / "undisturbed", given.seed, given.boxes, RACES, rounds=found.came_to.rounds, pace_ms=0.0)
    asyncio.run(undisturbed(other, given))
    reference = checks.ended(other.folder, other.boxes)
    wrong += [*found.wrong, *(f"undisturbed: {one}" for one in reference.wrong)]
    wrong += checks.unlike(found.came_to, reference.came_to)
    wrong += counted_wrong(counts, given.minutes)
    print_table(counts, found)
    return wrong


def said_by_programs(hall: Hall) -> list[str]:
    """Give what desk and boxes have said that they should never have had to."""
    notes = notes_file(hall.folder)
    noted = checks.bad_notes(notes.read_text().splitlines() if notes.exists() else ())
    return noted + checks.told_faults(hall.folder, (DESK, *hall.boxes))


def counted_wrong(counts: Counter[Kind], minutes: float) -> list[str]:
    """Say where there were not enough faults, of any kind or of one."""
    wrong = [f"there was none of: {kind.value}" for kind in Kind if not counts[kind]]
    if counts.total() < PER_MINUTE * minutes:
        wrong.append(f"only {counts.total()} faults in {minutes} minutes")
    return wrong


def print_table(counts: Counter[Kind], found: checks.Ended) -> None:
    """Print what was done, and what came of it."""
    for kind in Kind:
        print(f"{counts[kind]:6} {kind.value}")
    print(f"{counts.total():6} faults")
    print(f"{found.came_to.rounds:6} rounds, {len(found.came_to.results)} tables, {found.lines:,} sealed lines")
    print(f"{found.resumed:6} times a box went on with a match after a kill, {found.in_race} of them within a race")
    print(f"{found.protests:6} protests, {found.answers} of their answers in the records")
    print("       final: " + ", ".join(f"{count} {why}" for why, count in found.why.items()))


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--boxes", type=int, default=8)
    parser.add_argument("--patience", type=float, default=300, help="seconds for which nothing may grow")
    parser.add_argument("--spoil", default="", choices=["", *SPOILS], help="break something, to see that it is noticed")
    given = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="chaos-"))
    for name in ("disturbed", "undisturbed"):
        (folder / name).mkdir()
    wrong = hold(given, folder)
    for one in wrong:
        print(f"WRONG: {one}")
    if wrong:
        print(f"{len(wrong)} things do not hold; see {folder}")
        return 1
    print("every sealed line once and in order; drawings, results and standings as in the undisturbed event")
    shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
