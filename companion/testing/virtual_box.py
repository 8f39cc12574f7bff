"""A box on a clock of the test's own: real arbiter and session; nothing waits."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING, Any

from companion.core.errors import CompanionError
from companion.core.match.effects import Began, Effect, GaveUp, Log, Recorded, Sound, TookIn, Wrote
from companion.core.match.match import PlaySettings
from companion.core.panel import BUTTONS, KNOB_PUSH, Colour, named_button
from companion.core.play.commands import Done, perform
from companion.core.play.pipeline import Box
from companion.core.play.seating import Table
from companion.core.play.session import Session
from companion.core.profiles.sitting import NOBODY
from companion.core.record.lines import Line, dump_line
from companion.core.shown.scene import MORE, Choosing
from companion.core.shown.times import USUAL, Times
from companion.core.timing.arbiter import Arbiter
from companion.core.timing.contacts import LineTiming
from companion.core.timing.events import MS, Edge, Levels, Press, SourceEvent, Turned

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.core.calibration.menu import Supplies
    from companion.core.match.match_maker import MakeConditions
    from companion.core.play.commands import Command
    from companion.core.play.session import Seeds, Unfinished
    from companion.core.profiles.sitting import KnownPeople
    from companion.core.ruling.game import AnyGame
    from companion.core.ruling.rulings import Ruling
    from companion.core.shown.scene import Scene

LINES = [*(button.label for button in BUTTONS), KNOB_PUSH]
SOURCE = "virtual panel"
DELAY_NS = 30 * MS
START_MS = 1000


class VirtualBox:
    """Times in the methods are milliseconds of the test; edges are delivered in the order of time, without delay.

    find: gives the games that `games` names. start: begin a match at once; else there is the seating.
    """

    def __init__(
        self,
        seats: Sequence[str],
        game: str,
        *,
        find: Callable[[str], AnyGame],
        games: tuple[str, ...],
        play: PlaySettings | None = None,
        timings: dict[str, LineTiming] | None = None,
        unfinished: Unfinished | None = None,
        start: bool = True,
        seeds: Seeds | None = None,
        conditions: MakeConditions | None = None,
        people: KnownPeople = NOBODY,
        times: Times = USUAL,
        supplies: Supplies | None = None,
        **table: Any,
    ) -> None:
        seat_of = {button.label: button.colour for button in BUTTONS}
        timing = {line: LineTiming(seat=seat_of.get(line)) for line in LINES} | (timings or {})
        self.table = Table(game=game, seats=tuple(Colour(seat) for seat in seats), **table)
        self.find = find
        self.session = Session(
            find, games, self.table, play or PlaySettings(), unfinished, seeds, conditions=conditions, people=people,
            times=times, supplies=supplies,
        )  # fmt: skip
        self.box = Box(Arbiter(timing, {SOURCE: DELAY_NS}), self.session)
        self.now_ms = float(START_MS)
        self.effects: list[Effect] = []
        self.lines: list[Line] = []
        self.begun = 0  # how many matches; `lines` are those of the newest
        self.store = True
        self.kept: list[Press] = []  # what would outlive a kill, beside the lines
        self._events: list[tuple[int, int, SourceEvent]] = []
        self._count = 0
        self._add(Levels(frozenset(), frozenset(LINES), START_MS * MS))
        if start and unfinished is None:
            self.session.start(self.table.setup(find(game)))
        self.run(START_MS + 100)

    # -- input

    def press(self, label: str, at_ms: float, hold_ms: float = 80, error_ns: int = 20_000) -> None:
        """Press a line, or a button as the game calls it ("red fourth"), and let it go."""
        self.edge(label, True, at_ms, error_ns)
        self.edge(label, False, at_ms + hold_ms, error_ns)

    def edge(self, label: str, active: bool, at_ms: float, error_ns: int = 20_000) -> None:
        """Give one edge of a line; `label`: the line's, or a button's as the game calls it."""
        button = named_button(label, self.find(self.table.game).roles)
        self._add(Edge(button.label if button else label, active, round(at_ms * MS), error_ns))

    def turn(self, steps: int, at_ms: float) -> None:
        """Turn the knob."""
        self._add(Turned(steps, round(at_ms * MS)))

    def click(self, at_ms: float) -> None:
        """Push the knob and let it go."""
        self.press(KNOB_PUSH, at_ms, 100)

    def pick(self, label: str, at_ms: float) -> None:
        """Turn the knob to a menu item and push; the menu must then be on the display."""
        self.turn(1, at_ms)
        self.run(at_ms + 50)
        items, cursor = [item.label for item in self.menu().items], self.menu().cursor
        if isinstance(self.body, Choosing):
            items, cursor = [*items, MORE.label], len(items) if self.body.more else cursor
        self.turn(items.index(label) - cursor, at_ms + 60)
        self.click(at_ms + 100)
        self.run(at_ms + 300)

    def command(self, command: Command, error_ns: int | None = 0) -> list[Done | CompanionError]:
        """Have a command carried out as of now ± `error_ns`, as a page does.

        The answer is in the list once its turn has come.
        """
        return self.request(lambda session, t_ns: perform(session, command, t_ns, error_ns))

    def request(self, what: Callable[[Session, int], Done]) -> list[Done | CompanionError]:
        """Have something done to the session in its turn, as the loop does; what else it raises goes through."""
        t_ns = round(self.now_ms * MS)
        answers: list[Done | CompanionError] = []

        def do(session: Session) -> None:
            try:
                answers.append(what(session, t_ns))
            except CompanionError as error:
                answers.append(error)

        self.box.ask(t_ns, do)
        return answers

    # -- time

    def _add(self, event: SourceEvent) -> None:
        self._count += 1
        heapq.heappush(self._events, (event.t_ns, self._count, event))

    def run(self, until_ms: float) -> None:
        """Let time pass, stopping at each event and each deadline as the real loop does."""
        until_ns = round(until_ms * MS)
        while True:
            now_ns = round(self.now_ms * MS)
            due = [(SOURCE, heapq.heappop(self._events)[2]) for _ in range(self._due(now_ns))]
            self.box.advance(now_ns, due)
            self._take()
            later = [d for d in (self.box.next_deadline(),) if d is not None]
            later += [self._events[0][0]] if self._events else []
            following = max(min(later, default=until_ns), now_ns + MS // 2)
            if now_ns >= until_ns:
                return
            self.now_ms = min(following, until_ns) / MS

    def _due(self, now_ns: int) -> int:
        return sum(1 for t_ns, _, _ in self._events if t_ns <= now_ns)

    def _take(self) -> None:
        for effect in self.session.take():
            self.effects.append(effect)
            if isinstance(effect, Began):
                self.lines.clear()
                self.begun += 1
            if isinstance(effect, Wrote):
                self.lines.append(effect.line)
            if isinstance(effect, TookIn):
                self.kept.append(effect.press)
            if isinstance(effect, Recorded) and effect.press in self.kept:
                self.kept.remove(effect.press)
        if self.store and self.lines:
            self.session.stored(len(self.lines))

    # -- output

    @property
    def scene(self) -> Scene:
        """What there is to show."""
        return self.session.scene()

    @property
    def body(self) -> Any:
        """The part of it that belongs to the match or the seating."""
        return self.session.scene().body

    def menu(self) -> Any:
        """The menu on the display; there must be one."""
        menu = self.body.menu
        assert menu is not None, f"no menu in {self.body}"
        return menu

    def tones(self) -> list[str]:
        """What has been sounded, in order."""
        return [effect.tone.value for effect in self.effects if isinstance(effect, Sound)]

    def logs(self) -> list[str]:
        """What has been said in the log, in order."""
        return [effect.text for effect in self.effects if isinstance(effect, Log)]

    def gave_up(self) -> bool:
        """Tell whether a match is not to be offered again."""
        return any(isinstance(effect, GaveUp) for effect in self.effects)

    def record(self) -> list[bytes]:
        """The record of the newest match, line by line."""
        return [dump_line(line) for line in self.lines]

    def types(self) -> list[str]:
        """The types of its lines."""
        return [str(line.__struct_config__.tag) for line in self.lines]


def live_rulings(box: VirtualBox) -> list[Ruling]:
    """Give what the box ruled while it was played, line by line, and the outcome as it stands if it is not over."""
    match = box.session.match
    assert match is not None
    ruled = [ruling for told in match.history for ruling in told.rulings]
    return ruled if match.is_over else [*ruled, match.judge.outcome()]
