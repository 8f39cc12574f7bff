"""A match as the program's own arbiter and session make it of made-up presses: what it writes, and what its box shows.

It is worked out once, before any box begins; boxes then play it in time, each in a record of its own.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, NamedTuple

from companion.adapters.simulated.memory_journal import MemoryJournal
from companion.app.event.thread import OnTable, shown_of
from companion.app.storing.sealing import Sealing
from companion.app.tournament.simulated.table import SimulatedTable
from companion.app.turn.effect_runner import EffectRunner
from companion.core.match.match import PlaySettings
from companion.core.panel import Colour
from companion.core.play.commands import EndMatch, SignResult
from companion.core.play.seating import Table
from companion.core.play.session import Session
from companion.core.timing.events import SECOND
from companion.games import registry
from companion.screens.tournament.tables import rows_shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core.shown.scene import Scene

SEATS = tuple(Colour)[:4]
FIRST_MS, APART_MS = 300.0, 37.0


class Race(NamedTuple):
    """A race: the lines of its presses and of its ruling, and what the box shows then."""

    lines: list[bytes]
    after: Scene


class Played(NamedTuple):
    """A match. begin: its first lines. ends: the line that ends it, then each seat's signature. end: what is shown."""

    begin: list[bytes]
    races: list[Race]
    ends: list[bytes]
    end: Scene


def rows_of(scene: Scene, names: Sequence[str]) -> tuple[str, ...]:
    """Give what the desk's pages show of what a box shows. names: of those at its table."""
    return tuple(map(str, rows_shown(shown_of(OnTable("0" * 32, 1, scene, is_over=False, seats=SEATS)), names)))


def play(races: int) -> Played:
    """Play a match of so many races by four seats, of which another is first each time."""
    table = _Table()
    begin = table.lines()
    found = []
    for number in range(races):
        known = len(table.lines())
        order = SEATS[number % 4 :] + SEATS[: number % 4]
        table.table.race({colour: FIRST_MS + APART_MS * place for place, colour in enumerate(order)})
        found.append(Race(table.lines()[known:], table.shown))
    known = len(table.lines())
    table.table.do(EndMatch())
    for colour in SEATS:
        table.table.do(SignResult(colour=colour))
    return Played(begin, found, table.lines()[known:], table.shown)


class _Table:
    """A table without a disk and without seals. shown: what its box shows now."""

    def __init__(self) -> None:
        self._journal = MemoryJournal()
        self._stored = 0
        self._journal.open(self._durable, print)
        self._runner = EffectRunner(
            self._journal, None, (), None, None, lambda: "2026-05-01T12:00:00+00:00", Sealing(None, print)
        )
        seating = Table(game="order", seats=SEATS, first=SEATS[0])
        session = Session(
            registry.find, registry.names(), seating, PlaySettings(window_ns=SECOND), draw=secrets.token_hex
        )
        self._session = session
        self.shown = session.scene()
        self.table = SimulatedTable(session, self._turn)
        self.table.call(lambda session: session.start(seating.setup(registry.find("order"))))

    def lines(self) -> list[bytes]:
        match_id = self._runner.match_id
        return [] if match_id is None else self._journal.lines(match_id)

    def _durable(self, _match_id: int, count: int) -> None:
        self._stored = count

    def _turn(self) -> None:
        self._runner.run(self._session)
        if self._runner.match_id is not None:
            self._session.stored(self._stored)
            self.shown = self._session.scene()
