"""A box that nobody can touch, on a clock of its own: for demonstrations, and for trying a game's file out.

The box is the program's own (arbiter, session, rules). It has no journal, no source and no display, so nothing of it is
kept, and it stands in no list of matches: every line that it writes is durable at once. Part of `app`.
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING, Any

from companion.core.errors import CompanionError, Unavailable
from companion.core.match.effects import Began, Wrote
from companion.core.match.match import PlaySettings
from companion.core.panel import BUTTONS, KNOB_PUSH
from companion.core.play.commands import Done, perform
from companion.core.play.pipeline import Box
from companion.core.play.session import Session
from companion.core.timing.arbiter import Arbiter
from companion.core.timing.contacts import LineTiming
from companion.core.timing.events import MS, Levels
from companion.screens.web.state import state_document

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.core.play.commands import Command
    from companion.core.play.seating import Table
    from companion.core.play.session import Seeds
    from companion.core.ruling.game import AnyGame
    from companion.core.timing.events import SourceEvent

Document = dict[str, Any]

LINES = (*(button.label for button in BUTTONS), KNOB_PUSH)
DELAY_NS = 5 * MS
ASKED_NS = 50 * MS
"""A command has had its turn after so long."""


class Stage:
    """A box whose time passes only by `run`. source: what its buttons are called. seeds, draw: as for a session."""

    def __init__(
        self,
        find: Callable[[str], AnyGame],
        names: tuple[str, ...],
        table: Table,
        *,
        source: str,
        seeds: Seeds | None = None,
        draw: Callable[[int], str] | None = None,
    ) -> None:
        self.session = Session(find, names, table, PlaySettings(), None, seeds, draw)
        self._box = Box(Arbiter({line: LineTiming() for line in LINES}, {source: DELAY_NS}), self.session)
        self._source = source
        self._events: list[tuple[int, int, SourceEvent]] = []
        self.now_ns = self._lines = 0
        self.announce(Levels(frozenset(), frozenset(LINES), 0))

    def announce(self, event: SourceEvent) -> None:
        """Have an event happen when its time has come."""
        heapq.heappush(self._events, (event.t_ns, len(self._events), event))

    def perform(self, command: Command) -> Done:
        """Have a command carried out as of now, as a page's is. Raises what it raises; nothing has changed then."""
        t_ns = self.now_ns
        answers: list[Done | CompanionError] = []

        def do(session: Session) -> None:
            try:
                answers.append(perform(session, command, t_ns, 0))
            except CompanionError as error:
                answers.append(error)

        self._box.ask(t_ns, do)
        self.run(t_ns + ASKED_NS)
        if not answers:
            raise Unavailable("the command has had no turn")
        if isinstance(answers[0], CompanionError):
            raise answers[0]
        return answers[0]

    def run(self, until_ns: int) -> None:
        """Let time pass, with a stop at each event and each deadline."""
        while True:
            self._advance()
            if self.now_ns >= until_ns:
                return
            due = [self._events[0][0]] if self._events else []
            deadline_ns = self._box.next_deadline()
            due += [deadline_ns] if deadline_ns is not None else []
            self.now_ns = min(max(min(due, default=until_ns), self.now_ns + MS // 2), until_ns)

    def _advance(self) -> None:
        events = []
        while self._events and self._events[0][0] <= self.now_ns:
            events.append((self._source, heapq.heappop(self._events)[2]))
        self._box.advance(self.now_ns, events)
        for effect in self.session.take():
            if isinstance(effect, Began):
                self._lines = 0
            self._lines += isinstance(effect, Wrote)
        if self._lines:
            self.session.stored(self._lines)

    def document(self, number: int) -> Document:
        """Give what is to be seen now, as the state of a box that nobody else is at. number: of the state."""
        state = state_document(self.session.snapshot(self.now_ns), None)
        return {**state, "seq": number, "box": self._source, "simulated": True, "phones": [], "door_open": False}
