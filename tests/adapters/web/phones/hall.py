"""A table in virtual time: the real panels, arbiter and session, wired buttons, and phones that are honest or lie.

Everything happens at an instant of the hall's own clock, in the order of time. A phone has a clock, a way to the box
and one back; what it answers to a round trip, when, and how it dates a press are methods that a cheater overrides.
"""

from __future__ import annotations

import heapq
import random
from typing import TYPE_CHECKING

from companion.adapters.web.phones.panel_source import USUAL_TRUST, Panels, PanelSource, PhoneTrust, Taken
from companion.core.match.effects import Wrote
from companion.core.match.match import PlaySettings
from companion.core.panel import BUTTONS, KNOB_PUSH, Colour, named_button
from companion.core.play.pipeline import Box
from companion.core.play.seating import Table
from companion.core.play.session import Session
from companion.core.record.lines import Line, PressLine, Remark
from companion.core.timing.arbiter import Arbiter
from companion.core.timing.contacts import LineTiming
from companion.core.timing.events import MS, SECOND, Edge, Levels, SourceEvent
from companion.games import registry

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.adapters.web.wire.messages import By
    from companion.core.play.commands import Command

LABELS = [*(button.label for button in BUTTONS), KNOB_PUSH]
WIRED = "wired"
WIRED_DELAY_NS = 5 * MS
START_NS = 1000 * SECOND
BURST_NS, BURSTS, SYNC_NS = 50 * MS, 6, 500 * MS


class Hall:
    """One match. play: how its races are collected. Seats that no phone has are played by wired buttons."""

    def __init__(
        self, seats: str = "red yellow", game: str = "order", play: PlaySettings | None = None,
        trust: PhoneTrust = USUAL_TRUST,
    ) -> None:  # fmt: skip
        self.now_ns = START_NS
        self.source = PanelSource(self.clock, LABELS)
        self.source.open()
        self.panels = Panels(self.source, self.clock, simulated=False, trust=trust)
        lines = [*LABELS, *self.source.lines]
        self.arbiter = Arbiter({line: LineTiming() for line in lines}, {WIRED: WIRED_DELAY_NS})
        play = play or PlaySettings()
        table = Table(game=game, seats=tuple(Colour(seat) for seat in seats.split()), window_ns=play.window_ns)
        self.session = Session(registry.find, (game,), table, play)
        self.box = Box(self.arbiter, self.session)
        self.game = registry.find(game)
        self.lines: list[Line] = []
        self._todo: list[tuple[int, int, Callable[[], None]]] = []
        self._count = 0
        self._wired: list[tuple[str, SourceEvent]] = [(WIRED, Levels(frozenset(), frozenset(LABELS), START_NS))]
        self.session.start(table.setup(self.game))
        self.run(100 * MS)

    def clock(self) -> int:
        return self.now_ns

    def at(self, t_ns: int, do: Callable[[], None]) -> None:
        """Have something done at an instant that has not passed."""
        self._count += 1
        heapq.heappush(self._todo, (max(t_ns, self.now_ns), self._count, do))

    def run(self, for_ns: int) -> None:
        """Let time pass, stopping at all that happens and at each deadline."""
        until_ns = self.now_ns + for_ns
        while True:
            while self._todo and self._todo[0][0] <= self.now_ns:
                heapq.heappop(self._todo)[2]()
            self._turn()
            if self.now_ns >= until_ns:
                return
            instants = [until_ns, *([self._todo[0][0]] if self._todo else [])]
            deadline_ns = self.box.next_deadline()
            instants += [max(deadline_ns, self.now_ns + MS // 4)] if deadline_ns is not None else []
            self.now_ns = min(instants)

    def wired(self, label: str, at_ns: int) -> None:
        """A wired button is pressed: its edge is exact, and comes at once."""
        button = named_button(label, self.game.roles)
        line = button.label if button else label
        for active, t_ns in ((True, at_ns), (False, at_ns + 80 * MS)):
            edge = Edge(line, active, t_ns, 20_000)
            self.at(t_ns, lambda edge=edge: self._wired.append((WIRED, edge)))  # type: ignore[misc]

    def command(self, command: Command) -> None:
        """Have a command of the referee's carried out in its turn. Raises what it raises."""
        from companion.core.play.commands import perform

        t_ns = self.now_ns

        def carry_out(session: Session) -> None:
            perform(session, command, t_ns)

        self.box.ask(t_ns, carry_out)
        self.run(300 * MS)

    def _turn(self) -> None:
        self.arbiter.delays[self.source.name] = self.source.delay_ns
        events, self._wired = self._wired, []
        events += [(self.source.name, event) for event in self.source.read()]
        self.box.advance(self.now_ns, events)
        self.lines += [effect.line for effect in self.session.take() if isinstance(effect, Wrote)]
        self.session.stored(len(self.lines))

    # -- what came of it

    def presses(self, seat: str) -> list[PressLine]:
        return [line for line in self.lines if isinstance(line, PressLine) and line.colour == seat]

    def remarks(self) -> list[str]:
        return [line.text for line in self.lines if isinstance(line, Remark)]

    def alarms(self) -> tuple[str, ...]:
        return self.session.scene().alarms

    def firsts(self) -> list[str]:
        """Who was first in each race that was judged."""
        rulings = [ruling for told in self.session.match.history for ruling in told.rulings]  # type: ignore[union-attr]
        return [str(ruling.order[0].colour) for ruling in rulings if hasattr(ruling, "order")]


class Phone:
    """An honest phone. there_ms, back_ms: its ways; jitter_ms: added to each. drift_ppm: of its clock.

    touch_hz: how often its screen is looked at; step_us: of its clock; controller_ms: of its touch controller.
    """

    def __init__(
        self, hall: Hall, seat: str, *, there_ms: float = 1.5, back_ms: float = 1.5, jitter_ms: float = 1.0,
        drift_ppm: int = 30, touch_hz: int = 120, step_us: int = 100, controller_ms: float = 2.0, seed: int = 1,
    ) -> None:  # fmt: skip
        self.hall, self.rng = hall, random.Random(seed)
        self.there_ms, self.back_ms, self.jitter_ms, self.drift_ppm = there_ms, back_ms, jitter_ms, drift_ppm
        self.touch_hz, self.step_us, self.controller_ms = touch_hz, step_us, controller_ms
        self.panel = hall.panels.join(asks=Colour(seat))
        hall.panels.grant(self.panel.code, Colour(seat))
        self.number, self.synced = 0, 0
        self.taken: list[tuple[int, int, Taken]] = []  # when the message was sent, when it came, what was answered
        self.panel.clock.tried(step_us, round(1e6 / touch_hz))
        self._ask()
        hall.run(2 * SECOND)

    def way_ns(self, usual_ms: float) -> int:
        return round((usual_ms + self.rng.random() * self.jitter_ms) * MS)

    def true_us(self, t_ns: int) -> int:
        """What its clock really shows."""
        return t_ns // 1000 + (t_ns - START_NS) * self.drift_ppm // 10**9 + 123_456_789

    def _ask(self) -> None:
        hall, number = self.hall, self.hall.panels.ask_time(self.panel)
        there_ns = hall.now_ns + self.way_ns(self.there_ms)
        hall.at(there_ns, lambda: self._answer(number))
        self.synced += 1
        hall.at(hall.now_ns + (BURST_NS if self.synced < BURSTS else SYNC_NS), self._ask)

    def _answer(self, number: int) -> None:
        reading, held_ns = self.answers(self.hall.now_ns)
        comes_ns = self.hall.now_ns + held_ns + self.way_ns(self.back_ms)
        panels, panel = self.hall.panels, self.panel
        self.hall.at(comes_ns, lambda: panels.time_told(panel, number, reading, self.hall.now_ns))

    def answers(self, now_ns: int) -> tuple[int, int]:
        """What it answers to a round trip that is there now, and for how long it holds the answer back."""
        return self.true_us(now_ns) // self.step_us * self.step_us, 0

    def stamp_us(self, at_ns: int) -> int:
        """How it dates a press."""
        return self.true_us(at_ns) // self.step_us * self.step_us

    def touch(self, at_ns: int, label: str) -> None:
        """A finger comes down: it is seen when the screen is next looked at, and told when the controller is done."""
        interval_ns = SECOND // self.touch_hz
        seen_ns = at_ns + self.rng.randrange(interval_ns) + round(self.controller_ms * MS)
        self.hall.at(seen_ns, lambda: self.send(label, self.stamp_us(seen_ns)))

    def send(self, label: str, t_us: int, by: By = "touch", late_ns: int = 0) -> None:
        """Send a press now, and let go a little later."""
        sent_ns = self.hall.now_ns
        comes_ns = sent_ns + self.way_ns(self.back_ms) + late_ns
        number, self.number = self.number + 1, self.number + 2
        panels, panel, hall = self.hall.panels, self.panel, self.hall

        def come() -> None:
            taken = panels.press(panel, number, label, t_us, by, hall.now_ns)
            self.taken.append((sent_ns, hall.now_ns, taken))

        hall.at(comes_ns, come)
        hall.at(comes_ns + 60 * MS, lambda: panels.release(panel, number + 1, label, t_us, by, hall.now_ns) and None)
