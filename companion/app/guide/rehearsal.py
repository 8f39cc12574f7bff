"""Trying a game's file out: a match on a stage, in which everything that happens is said, and nothing of it is kept.

What is asked for is the whole of a match, each time: who plays, and its steps. The newest match is kept on its stage,
and goes on where the same one is asked for with more steps. Part of `app`.

Threads: any, one at a time.
"""

from __future__ import annotations

from hashlib import sha256
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.adapters.web.wire.files import Presses, Wait
from companion.app.guide.stage import Stage
from companion.core.errors import CompanionError, Malformed
from companion.core.panel import BUTTON_BY_LABEL
from companion.core.ruling.race import RacePhase
from companion.core.timing.events import MS, SECOND, Edge
from companion.screens.text.history import entries
from companion.screens.web.offers import secrets_document, step_document

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.adapters.web.wire.files import AnyStep
    from companion.adapters.web.wire.messages import NextStep
    from companion.core.play.seating import Table
    from companion.core.play.snapshot import Running
    from companion.core.ruling.game import AnyGame

Document = dict[str, Any]

SOURCE = "rehearsal"
SEED = sha256(b"a rehearsal").hexdigest()
"""What is rolled and drawn is the same each time: the same steps lead to the same match."""
ERROR_NS = 20_000
HOLD_NS = 80 * MS
APART_NS = 500 * MS
"""Between two steps."""
LONGEST_RACE_NS = 300 * SECOND


class _Seeds:
    """Gives one seed."""

    def new(self) -> str:
        return SEED

    def find(self, sha256: str) -> str:  # noqa: ARG002 - there is one
        return SEED


class Refusal(NamedTuple):
    """Which step could not be done, from 1, and why."""

    step: int
    says: str


class Rehearsal:
    """One match on a stage. Raises Malformed or Illegal where it cannot begin."""

    def __init__(self, find: Callable[[str], AnyGame], table: Table) -> None:
        self._stage = Stage(
            find, (table.game,), table, source=SOURCE, seeds=_Seeds(), draw=lambda size: SEED[: 2 * size]
        )
        self._stage.run(APART_NS)
        self._stage.session.begin(table)
        self._settle()
        self.done: tuple[AnyStep, ...] = ()
        self.refused: Refusal | None = None

    def go_on(self, steps: Sequence[AnyStep]) -> None:
        """Do the steps after those that are done; the first that cannot be done is the last that is tried."""
        self.refused = None
        for number, step in enumerate(steps, start=len(self.done) + 1):
            try:
                self._do(step)
            except CompanionError as error:
                self.refused = Refusal(number, str(error))
                return
            self.done = (*self.done, step)

    def _do(self, step: AnyStep) -> None:
        if isinstance(step, Presses):
            self._press(step)
        elif isinstance(step, Wait):
            self._stage.run(self._stage.now_ns + step.ms * MS)
        else:
            self._stage.perform(step)
        self._settle()

    def _press(self, step: Presses) -> None:
        for press in step.presses:
            if press.button not in BUTTON_BY_LABEL:
                raise Malformed(f"there is no button {press.button!r}: a colour and first, second, third or fourth")
        begins_ns = self._stage.now_ns + APART_NS
        for press in step.presses:
            t_ns = begins_ns + press.ms * MS
            self._stage.announce(Edge(press.button, active=True, t_ns=t_ns, error_ns=ERROR_NS))
            self._stage.announce(Edge(press.button, active=False, t_ns=t_ns + HOLD_NS, error_ns=ERROR_NS))
        self._stage.run(begins_ns + max(press.ms for press in step.presses) * MS + HOLD_NS)

    def _settle(self) -> None:
        """Let time pass until no press is collected and none is judged any more."""
        until_ns = self._stage.now_ns + LONGEST_RACE_NS
        while True:
            self._stage.run(self._stage.now_ns + APART_NS)
            match = self._stage.session.match
            race = None if match is None else match.game.race(match.judge.state)
            is_on = race is not None and race.phase in {RacePhase.COLLECTING, RacePhase.CLOSED}
            if not is_on or self._stage.now_ns >= until_ns:
                return

    def document(self, asks: NextStep | None = None) -> Document:
        """Give how it stands, what has happened, what each seat alone may choose now, and what is asked for."""
        snapshot = self._stage.session.snapshot(self._stage.now_ns)
        running = snapshot.match
        seats = () if running is None else tuple(seat.colour for seat in running.setup.seats)
        return {
            "state": self._stage.document(len(self.done) + 1),
            "course": [] if running is None else entries(running.history, running.game),
            "secrets": {str(seat): secrets_document(snapshot, seat) for seat in seats},
            "next": None if asks is None or running is None else self._next(running, asks),
            "done": len(self.done),
            "refused": None if self.refused is None else self.refused._asdict(),
        }

    def _next(self, running: Running, asks: NextStep) -> Document:
        """Give the next field of a choice of many; what cannot be is told as the field's own words."""
        try:
            return step_document(running, asks.kind, asks.seat, asks.chosen)
        except CompanionError as error:
            return {"done": False, "prompt": str(error), "values": [], "says": ""}


class Rehearsals:
    """Gives rehearsals by what is asked for; the newest is kept."""

    def __init__(self, find: Callable[[str], AnyGame]) -> None:
        self._find = find
        self._newest: tuple[Table, Rehearsal] | None = None
        self._lock = Lock()

    def told(self, table: Table, steps: Sequence[AnyStep], asks: NextStep | None = None) -> Document:
        """Give how a match stands after its steps. Raises Malformed or Illegal where it cannot begin."""
        with self._lock:
            newest, self._newest = self._newest, None
            if newest is not None and newest[0] == table and newest[1].done == tuple(steps)[: len(newest[1].done)]:
                rehearsal = newest[1]
            else:
                rehearsal = Rehearsal(self._find, table)
            rehearsal.go_on(steps[len(rehearsal.done) :])
            self._newest = (table, rehearsal)
            return rehearsal.document(asks)
