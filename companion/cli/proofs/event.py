"""Works out again what a whole event came to, from one file and without a network: `companion verify EVENT.zip`."""

from __future__ import annotations

import sys
import time
from itertools import islice
from typing import TYPE_CHECKING, TextIO

import click

from companion.adapters.event_archive.reader import opened_archive
from companion.adapters.keys.ed25519 import check
from companion.config.installed_games import games_in
from companion.config.languages import ENGLISH
from companion.core.errors import Malformed, Unavailable, UnknownGame
from companion.files.reading import shown
from companion.tournament.verifying.findings import Verdict
from companion.tournament.verifying.means import Means
from companion.tournament.verifying.verifying import FEWEST_DIGITS, verify_event

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from companion.tournament.event.event import Event
    from companion.tournament.verifying.findings import Finding, Worked

HOLD, BROKEN, UNREADABLE = 0, 1, 2
"""Exit statuses: all of it holds; something does not; nothing could be verified: no file, or no such game here."""
MOST_TOLD = 50
"""So many faults, and so many notes, are printed."""
FEW = 5
"""So many tables are named in a line."""
HEAD_DIGITS = 64
WITHOUT = (
    "take the head from a print of the pairings, and give it by --head; without it, somebody could have written the"
    " whole file anew"
)


def run(path: str, head: str | None) -> int:
    """Verify an event's file and give the exit status. head: as `read_head` gives it."""
    began = time.monotonic()
    progress = Progress(sys.stderr, is_shown=sys.stderr.isatty())
    try:
        with opened_archive(path) as archive:
            worked = verify_event(archive, Means(games_in(ENGLISH).find, check, tell=progress.tell), head)
    except Malformed as error:
        click.echo(f"broken: {printable(str(error))}")
        return BROKEN
    except (Unavailable, UnknownGame) as error:
        click.echo(f"companion verify: {printable(str(error))}", err=True)
        return UNREADABLE
    finally:
        progress.end()
    for sentence in sentences(shown(path), worked, head, time.monotonic() - began):
        click.echo(printable(sentence))
    return BROKEN if worked.verdict is Verdict.BROKEN else HOLD


def read_head(text: str) -> str:
    """Give a head that was typed from a print, maybe in groups. Raises UsageError."""
    digits = "".join(text.split()).lower()
    if not FEWEST_DIGITS <= len(digits) <= HEAD_DIGITS or digits.strip("0123456789abcdef"):
        raise click.UsageError(
            f"--head {shown(text)}: a head is {HEAD_DIGITS} digits 0 to 9 and a to f, of which the first"
            f" {FEWEST_DIGITS} will do"
        )
    return digits


def printable(text: str) -> str:
    """Give a text in which nothing moves a terminal's cursor: names and reasons are whatever somebody has typed."""
    return "".join(one if one.isprintable() else ascii(one)[1:-1] for one in text)


def sentences(name: str, worked: Worked, head: str | None, seconds: float) -> Iterator[str]:
    """Say what was found: what it is, the verdict, what is behind it, and the standings."""
    if worked.event is not None:
        yield f"{name}: {_of(worked.event)}"
    yield _counts(worked, seconds)
    yield from _verdict(worked, head)
    yield from _listed("noted", worked.notes)
    yield from _marked(worked)
    yield from _standings(worked)


def _of(event: Event) -> str:
    players = len(event.players.ever())
    return f"{event.line.name} ({event.line.event}), {players} players, {len(event.rounds)} rounds; {event.stage.value}"


def _counts(worked: Worked, seconds: float) -> str:
    return (
        f"worked out again in {seconds:.1f} s: {worked.lines} lines of the log, {worked.official} official records of"
        f" {worked.records}, {worked.drawings} drawings"
    )


def _verdict(worked: Worked, head: str | None) -> Iterator[str]:
    match worked.verdict:
        case Verdict.BROKEN:
            yield from _listed("broken", worked.broken)
        case Verdict.CONSISTENT:
            yield f"{Verdict.CONSISTENT.value}: {WITHOUT}"
        case Verdict.AUTHENTICATED:
            line, last = worked.vouched, worked.lines
            where = "its last line" if line == last else f"line {line} of {last}"
            yield f"authenticated: the head {head} is that of the log at {where}"
            if line < last:
                yield f"what follows line {line} is consistent, not authenticated: a newer print vouches for more"


def _listed(word: str, findings: Sequence[Finding]) -> Iterator[str]:
    yield from (f"{word}: {one}" for one in islice(findings, MOST_TOLD))
    if len(findings) > MOST_TOLD:
        yield f"{word}: and {len(findings) - MOST_TOLD} more"


def _marked(worked: Worked) -> Iterator[str]:
    """Say what is to be marked at official results, with the first tables of which it is so."""
    for remark, places in islice(worked.marked, MOST_TOLD):
        named = ", ".join(f"table {table} of round {number}" for number, table in places[:FEW])
        more = len(places) - FEW
        yield f"marked: {remark}: {named}{f', and {more} more' if more > 0 else ''}"


def _standings(worked: Worked) -> Iterator[str]:
    event = worked.event
    if event is None or not worked.standings:
        return
    yield "standings:"
    for one in worked.standings:
        player = event.players[one.player]
        club = f" ({player.club})" if player.club else ""
        yield f"{one.place:>5}. {player.name}{club}, player {one.player}: {one.points} points"


class Progress:
    """How far it is, in one line of a terminal that is written over and at last taken away."""

    def __init__(self, out: TextIO, *, is_shown: bool) -> None:
        self._out, self._is_shown = out, is_shown
        self._percent = -1

    def tell(self, done: int, of: int) -> None:
        """Take how many steps are done."""
        percent = 100 * done // max(of, 1)
        if self._is_shown and percent != self._percent:
            self._percent = percent
            self._out.write(f"\r{percent:>3} %")
            self._out.flush()

    def end(self) -> None:
        """Take the line away."""
        if self._percent >= 0:
            self._out.write("\r     \r")
            self._out.flush()
            self._percent = -1
