"""A box's table on a clock of its own: the program's own arbiter and session, and time that passes as it is told to.

So a race takes no longer than it takes to be judged, and what comes of it does not depend on how busy the machine is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.errors import Illegal
from companion.core.panel import BUTTONS, KNOB_PUSH
from companion.core.play.commands import perform
from companion.core.play.pipeline import Box
from companion.core.timing.arbiter import Arbiter
from companion.core.timing.contacts import LineTiming
from companion.core.timing.events import MS, SECOND, Edge, Levels

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion.core.panel import Colour
    from companion.core.play.commands import Command
    from companion.core.play.session import Session
    from companion.core.timing.events import SourceEvent

SOURCE = "simulated panel"
LINES = (*(button.label for button in BUTTONS), KNOB_PUSH)
DELAY_NS = 10 * MS
ERROR_NS = 20_000
"""How surely a simulated edge is known, as that of a pin is."""
HELD_MS = 80.0
PAUSE_NS = SECOND
"""From one race to the next."""
LONGEST_RACE_S = 30
"""After so long every race is closed and judged."""


class SimulatedTable:
    """Panel and session. turn: does what the session wants done, after each piece of time."""

    def __init__(self, session: Session, turn: Callable[[], None]) -> None:
        seat_of = {button.label: button.colour for button in BUTTONS}
        timing = {line: LineTiming(seat=seat_of.get(line)) for line in LINES}
        self.session, self._turn = session, turn
        self._box = Box(Arbiter(timing, {SOURCE: DELAY_NS}), session)
        self._now_ns = SECOND
        self._events: list[SourceEvent] = [Levels(frozenset(), frozenset(LINES), self._now_ns)]
        self.run(PAUSE_NS)

    def race(self, reactions_ms: Mapping[Colour, float]) -> None:
        """Play one race: each seat presses so long after its beginning."""
        begin_ns = self._now_ns + PAUSE_NS
        for colour, after_ms in reactions_ms.items():
            label = next(button.label for button in BUTTONS if button.colour is colour)
            for active, at_ms in ((True, after_ms), (False, after_ms + HELD_MS)):
                self._events.append(Edge(label, active, begin_ns + round(at_ms * MS), ERROR_NS))
        self._events.sort(key=lambda event: event.t_ns)
        before = self.races
        for _ in range(LONGEST_RACE_S):
            self.run(SECOND)
            if self.races > before:
                return
        raise Illegal("a simulated race has not been judged")

    @property
    def races(self) -> int:
        """Give how many races of the match have been judged."""
        match = self.session.match
        return 0 if match is None or match.race is None else match.race.number - 1

    def do(self, command: Command) -> None:
        """Have a command carried out. Raises what it raises."""
        raised: list[Exception] = []
        at_ns = self._now_ns

        def request(session: Session) -> None:
            try:
                perform(session, command, at_ns, 0)
            except Exception as error:  # noqa: BLE001 - it is raised below, outside of the box
                raised.append(error)

        self._box.ask(at_ns, request)
        self.run(PAUSE_NS)
        if raised:
            raise raised[0]

    def call(self, act: Callable[[Session], None]) -> None:
        """Do something to the session itself. Raises what it raises."""
        act(self.session)
        self.run(PAUSE_NS)

    def run(self, lasts_ns: int) -> None:
        """Let time pass, from one event or deadline to the next."""
        until_ns = self._now_ns + lasts_ns
        while True:
            due = [event for event in self._events if event.t_ns <= self._now_ns]
            del self._events[: len(due)]
            self._box.advance(self._now_ns, [(SOURCE, event) for event in due])
            self._turn()
            if self._now_ns >= until_ns:
                return
            later = [event.t_ns for event in self._events[:1]]
            later += [deadline for deadline in (self._box.next_deadline(),) if deadline is not None]
            self._now_ns = min(max(min(later, default=until_ns), self._now_ns + MS // 2), until_ns)
