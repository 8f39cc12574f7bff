"""Buttons in browsers: panels on the simulated box, and phones that stand in for a player's buttons on a real one.

The time of a press is the browser's own (`event.timeStamp`), mapped to the host's CLOCK_MONOTONIC by round trips that
the box measures (`phone_clock`), and taken as far as its arrival allows (`stamps`). Its uncertainty is what the mapping
leaves plus what lies before the browser's stamp: how often a screen, a mouse or a keyboard is looked at. What is not
taken counts from its arrival, and the referee is told at once. A message that comes twice is taken once: each panel
numbers its inputs.

Threads: `Panels` is used by the web server's thread alone; `PanelSource` hands edges over to the loop that reads them,
under a lock, with a pipe that makes `fileno()` readable. Knows no server, no game and no seat beyond its colour.
"""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from companion.adapters.web.phones.clock_steps import USUAL_STEP_US
from companion.adapters.web.phones.doubts import Doubts
from companion.adapters.web.phones.phone_clock import INTERVAL_NS, PhoneClock, TouchDelay
from companion.adapters.web.phones.places import MOST_PANELS_OF_ONE, Place, Places
from companion.adapters.web.phones.stamps import MAX_ERROR_NS, Stamp, stamped
from companion.core.errors import Malformed
from companion.core.panel import BUTTON_BY_LABEL, KNOB_PUSH, Colour, marked
from companion.core.timing.events import MS, SECOND, Edge, Levels, SourceFault, Turned
from companion.core.timing.host_clocks import HostClocks
from companion.core.words.texts import text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from companion.adapters.web.wire.messages import By
    from companion.core.timing.events import SourceEvent
    from companion.core.timing.host_clocks import ClockReading

SMALLEST_DELAY_NS = 10 * MS
"""The delivery delay while no panel is there that may play: from the web server's thread to the box's."""
NEAR_DELAY_NS = 60 * MS
"""Worst delivery delay of a browser on the box's own machine: no network, but a busy page."""
FAR_DELAY_NS = 150 * MS
"""Worst delivery delay of a phone in a usable wireless network; a later press is noted as late."""
DEAD_NS = 20 * SECOND
"""A phone without a seat that has gone for so long is listed no more: one that was reloaded, or changed its network, is
back by then. Its place is kept: when it comes back, it is listed again."""
SHORTEST_HOLD_NS = 40 * MS
"""A browser's button does not bounce: a press that was let go sooner lasts so long."""
MARK = "browser"


class Taken(NamedTuple):
    """An input was taken (`error_ns`: half-width of its time's uncertainty), or not (`why`).

    arrival: why it counts from its arrival, None where its own stamp is taken.
    """

    error_ns: int | None = None
    why: str | None = None
    arrival: str | None = None


class PhoneTrust(NamedTuple):
    """How far phones are believed. max_error_ns: the largest ± of a press. touch: what their touch controllers take."""

    max_error_ns: int = MAX_ERROR_NS
    touch: TouchDelay = TouchDelay()


USUAL_TRUST = PhoneTrust()


class PanelSource:
    """The `ButtonSource` of all browsers. error_ns: the least that a press carries; most carry more.

    mark: what tells these lines from the real buttons' ("red fourth (browser)"); empty for none. read_clocks: the
    box's clock beside the one that nobody corrects; None takes it to be the same.
    """

    name = "browser panels"
    remark: str | None = None
    certificate: str | None = None
    is_gone = False
    given_until_ns: int | None = None
    """`read` gives all that has come in."""
    error_ns = min(INTERVAL_NS.values()) // 2 + USUAL_STEP_US * 1000

    def __init__(
        self,
        clock: Callable[[], int],
        lines: Iterable[str],
        mark: str = MARK,
        read_clocks: Callable[[], ClockReading] | None = None,
    ) -> None:
        self._clock = clock
        self.read_clocks = read_clocks
        self._line = {label: marked(label, mark) if mark else label for label in lines}
        self._lock = threading.Lock()
        self._at_start: list[SourceEvent] = []
        self._events: list[SourceEvent] = []
        self._pipe: tuple[int, int] | None = None
        self.delay_ns = SMALLEST_DELAY_NS
        """Set by `Panels` as panels come and go; read by the loop before each turn."""

    @property
    def lines(self) -> tuple[str, ...]:
        """Its lines' names, for the arbiter."""
        return tuple(self._line.values())

    @property
    def labels(self) -> frozenset[str]:
        """The buttons it stands in for."""
        return frozenset(self._line)

    def open(self) -> None:
        """Begin; nothing is down."""
        with self._lock:
            if self._pipe is not None:
                return
            self._at_start = [Levels(frozenset(), frozenset(self._line.values()), self._clock())]
            self._pipe = os.pipe()
            for end in self._pipe:
                os.set_blocking(end, False)
            self._poke()

    def fileno(self) -> int:
        """Give the descriptor that is readable when `read` has something; Malformed before `open`."""
        if self._pipe is None:
            raise Malformed(f"{self.name} is not open: call open() first")
        return self._pipe[0]

    def read(self) -> list[SourceEvent]:
        """Give what has come in, in the order of time."""
        with self._lock:
            if self._pipe is None:
                return []
            try:
                os.read(self._pipe[0], 4096)
            except BlockingIOError:
                return []
            first, self._at_start = self._at_start, []
            events, self._events = self._events, []
        return [*first, *sorted(events, key=lambda event: event.t_ns)]

    def check(self) -> None:
        """Nothing is missed here: what does not come is not known."""

    def close(self) -> None:
        """Stop; may be called again."""
        with self._lock:
            pipe, self._pipe = self._pipe, None
            self._at_start, self._events = [], []
        for end in pipe or ():
            os.close(end)

    def put(self, *events: SourceEvent) -> None:
        """Hand events over, from any thread. Lines are named by their buttons; dropped while it is not open."""
        with self._lock:
            if self._pipe is None:
                return
            self._events += [self._named(event) for event in events]
            self._poke()

    def _named(self, event: SourceEvent) -> SourceEvent:
        if isinstance(event, Edge):
            return event._replace(line=self._line[event.line])
        if isinstance(event, Levels):
            active, known = (frozenset(self._line[label] for label in labels) for labels in event[:2])
            return Levels(active, known, event.t_ns)
        return event

    def _poke(self) -> None:
        if self._pipe is not None:
            try:
                os.write(self._pipe[1], b".")
            except BlockingIOError:
                return  # full of pokes: readable already


@dataclass(slots=True, eq=False)
class Panel(Place):
    """A place with its clock and what is held down."""

    next_number: int = 1
    down: dict[str, int] = field(default_factory=dict)  # label: when it was pressed
    clock: PhoneClock = field(default_factory=PhoneClock)
    pressed_ns: int = 0  # when its newest press counts from
    doubted_ns: int | None = None  # when it was last told that one counts from its arrival

    left_ns: int = 0  # when its newest connection ended

    def map_anew(self) -> None:
        """Forget what is known of the other clock."""
        self.clock.anew()


class Panels(Places[Panel]):
    """What each panel may press, and when it did. on_change: called whenever `listed` would give something else."""

    def __init__(
        self,
        source: PanelSource,
        clock: Callable[[], int],
        *,
        simulated: bool,
        far_delay_ns: int = FAR_DELAY_NS,
        most_of_one: int = MOST_PANELS_OF_ONE,
        trust: PhoneTrust = USUAL_TRUST,
        on_change: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(Panel, most_of_one)
        self._source, self._clock, self._simulated = source, clock, simulated
        self._far_delay_ns, self._trust = far_delay_ns, trust
        self._doubts = Doubts(self._fault)
        self._host = HostClocks()
        self.on_change = on_change

    def leave(self, panel: Panel, connection: int) -> None:
        """A connection has ended; a newer one of the same page stays."""
        panel.left_ns = self._clock()
        super().leave(panel, connection)

    def listed(self) -> list[Panel]:
        """Give the panels a referee should see: those with a seat, and those that ask for one and are not dead."""
        now_ns = self._clock()
        return [panel for panel in super().listed() if panel.seat is not None or not _is_dead(panel, now_ns)]

    def buttons(self, panel: Panel) -> list[str]:
        """Give what a panel may press now."""
        labels = self._source.labels
        if self._simulated:
            return [label for label in (*BUTTON_BY_LABEL, KNOB_PUSH) if label in labels]
        own = [label for label, button in BUTTON_BY_LABEL.items() if button.colour is panel.seat and label in labels]
        return [*own, KNOB_PUSH] if panel.is_referee and KNOB_PUSH in labels else own

    def plays(self, panel: Panel) -> Colour | None:
        """Give the seat whose private choices a panel may see: the one it was given.

        On a simulated box, where anybody may press everything, the one it asked for will do.
        """
        if panel.seat is None and self._simulated:
            return panel.asks
        return panel.seat

    def others(self, panel: Panel) -> tuple[Colour, ...]:
        """Give the seats that other phones play."""
        return tuple(other.seat for other in self.listed() if other.seat is not None and other is not panel)

    def delay_ns(self, *, is_near: bool) -> int:
        """Give the worst delivery delay that is stated for a page on this machine, or on another."""
        return NEAR_DELAY_NS if is_near else self._far_delay_ns

    # -- its clock ---------------------------------------------------------------------------------------------------

    def ask_time(self, panel: Panel) -> int:
        """Begin a round trip now, and give its id."""
        _note_clocks(self._source, self._host, self._panels.values())
        return panel.clock.ask(self._clock())

    def time_told(self, panel: Panel, number: int, t_us: int, received_ns: int) -> None:
        """A round trip is over: the panel's clock read `t_us` between its beginning and `received_ns`."""
        _note_clocks(self._source, self._host, self._panels.values())
        was_ready = self.is_ready(panel, received_ns)
        panel.clock.answer(number, t_us, received_ns)
        if panel.seat is not None or self._simulated:
            self._doubts.clock(panel)
        if self.is_ready(panel, received_ns) != was_ready:
            self._changed()

    def is_ready(self, panel: Panel, now_ns: int) -> bool:
        """Tell whether a press of this panel could be placed."""
        return panel.clock.is_ready(now_ns)

    def error_ns(self, panel: Panel) -> int | None:
        """Give the uncertainty that the mapping leaves, None while there is none."""
        return panel.clock.error_ns()

    # -- inputs ------------------------------------------------------------------------------------------------------

    def press(self, panel: Panel, number: int, label: str, t_us: int, by: By, received_ns: int) -> Taken:
        """A button went down at `t_us` of the panel's clock; the message came at `received_ns`."""
        if label in panel.down:
            return _numbered(panel, number) or Taken(why=text("{label} is down already").format(label=label))
        return self._input(panel, number, label, t_us, by, received_ns, self._down)

    def tapped(self, panel: Panel, t_us: int | None, by: By, received_ns: int) -> Stamp:
        """Give when a choice counts from that was tapped at `t_us` (None: it does not say) and came at `received_ns`.

        As a press does; but what counts from its arrival has the longest way of such a message as its ±.
        """
        arrived = Stamp(received_ns, self.delay_ns(is_near=panel.is_near))
        if t_us is None or not self.is_ready(panel, received_ns):
            return arrived
        _note_clocks(self._source, self._host, self._panels.values())
        stamp = _stamp_of(panel, t_us, by, received_ns, self._trust)
        panel.pressed_ns = stamp.t_ns
        if stamp.disbelieved is None:
            return stamp
        self._doubts.press(panel, stamp.disbelieved, stamp.t_ns)
        return arrived._replace(disbelieved=stamp.disbelieved)

    def release(
        self, panel: Panel, number: int, label: str, t_us: int, by: By, received_ns: int, *, is_seen: bool = True
    ) -> Taken:  # fmt: skip
        """A button went up. is_seen: a hand let it go; else the browser took the finger, or the key, away."""
        if label not in panel.down:
            return _numbered(panel, number) or Taken(why=text("{label} is not down").format(label=label))
        if number >= panel.next_number and not self.is_ready(panel, received_ns):  # else it were down for ever
            panel.next_number = number + 1
            self._up(panel, label, Stamp(received_ns, self._source.error_ns), is_seen=is_seen)
            return Taken(self._source.error_ns, arrival=text("the clock of this page is not known"))
        return self._input(panel, number, label, t_us, by, received_ns, partial(self._up, is_seen=is_seen))

    def turn(self, panel: Panel, number: int, steps: int, t_us: int, by: By, received_ns: int) -> Taken:
        """The knob was turned by `steps` detents, clockwise positive."""

        def put(_panel: Panel, _label: str, stamp: Stamp) -> None:
            self._source.put(Turned(steps, stamp.t_ns))

        return self._input(panel, number, KNOB_PUSH, t_us, by, received_ns, put)

    def _input(
        self,
        panel: Panel,
        number: int,
        label: str,
        t_us: int,
        by: By,
        received_ns: int,
        put: Callable[[Panel, str, Stamp], None],
    ) -> Taken:
        refused = _numbered(panel, number) or self._not_now(panel, label, received_ns)
        if refused is not None:
            return refused
        panel.next_number = number + 1
        if label == KNOB_PUSH and not self._simulated:  # a command, not a play: it is as old as its message
            put(panel, label, arrived := Stamp(received_ns, self.delay_ns(is_near=panel.is_near)))
            return Taken(arrived.error_ns)
        _note_clocks(self._source, self._host, self._panels.values())
        stamp = _stamp_of(panel, t_us, by, received_ns, self._trust)
        put(panel, label, stamp)
        return Taken(stamp.error_ns, arrival=stamp.disbelieved.why if stamp.disbelieved is not None else None)

    def _not_now(self, panel: Panel, label: str, now_ns: int) -> Taken | None:
        if label not in self._source.labels:
            return Taken(why=text("there is no button {label}").format(label=label))
        if label not in self.buttons(panel) and label not in panel.down:  # what it holds, it may let go
            return Taken(why=text("this panel may not press that: ask for the seat, and the referee gives it"))
        needs_time = self._simulated or label != KNOB_PUSH
        if needs_time and not self.is_ready(panel, now_ns):
            return Taken(why=text("the clock of this page is not known yet: press again in a moment"))
        return None

    def _down(self, panel: Panel, label: str, stamp: Stamp) -> None:
        panel.down[label] = panel.pressed_ns = stamp.t_ns
        if stamp.disbelieved is not None:
            self._doubts.press(panel, stamp.disbelieved, stamp.t_ns)
        self._source.put(Edge(label, True, stamp.t_ns, stamp.error_ns, disbelieved=stamp.disbelieved))

    def _up(self, panel: Panel, label: str, stamp: Stamp, *, is_seen: bool) -> None:
        """A button is down no longer; where no hand was seen to let it go it is found open, and picks nothing."""
        t_ns = max(stamp.t_ns, panel.down.pop(label) + SHORTEST_HOLD_NS)
        found_open = Levels(frozenset(), frozenset({label}), t_ns)
        self._source.put(Edge(label, False, t_ns, stamp.error_ns) if is_seen else found_open)

    # -- what follows from coming and going --------------------------------------------------------------------------

    def rights_changed(self) -> None:
        """Sessions have ended: what a panel holds down and may not press any more is let go."""
        for panel in self._panels.values():
            may_press = self.buttons(panel) if panel.down else ()
            self._let_go(panel, [label for label in panel.down if label not in may_press])
        self._changed()

    def _came(self, panel: Panel) -> None:
        panel.map_anew()
        if not panel.is_near:  # a page of this machine is stamped by the very clock that is corrected
            panel.clock.host = self._host
        self._let_go(panel)

    def _let_go(self, panel: Panel, labels: Iterable[str] | None = None) -> None:
        """Nobody holds these buttons of a panel, None: all of them."""
        for label in list(panel.down if labels is None else labels):
            self._up(panel, label, Stamp(self._clock(), self._source.error_ns), is_seen=False)

    def _changed(self) -> None:
        may_press = [
            panel
            for panel in self._panels.values()
            if not panel.is_gone and (self._simulated or panel.seat is not None)
        ]
        self._source.delay_ns = max(
            (self.delay_ns(is_near=panel.is_near) for panel in may_press), default=SMALLEST_DELAY_NS
        )
        self.on_change()

    def _fault(self, panel: Panel, says: str) -> None:
        self._source.put(SourceFault(self._source.name, says, self._clock(), about=_about(panel)))

    def _well(self, panel: Panel, says: str) -> None:
        self._source.put(SourceFault(self._source.name, says, self._clock(), about=_about(panel), is_over=True))


def _note_clocks(source: PanelSource, host: HostClocks, panels: Iterable[Panel]) -> None:
    """Take a reading of the box's clocks; after a sleep nothing is known of any page's clock."""
    if source.read_clocks is not None and host.note(source.read_clocks()):
        for panel in panels:
            panel.map_anew()


def _stamp_of(panel: Panel, t_us: int, by: By, received_ns: int, trust: PhoneTrust) -> Stamp:
    span = panel.clock.span(t_us, by, trust.touch)
    return stamped(span, received_ns, panel.clock.trips, trust.max_error_ns, panel.pressed_ns)


def _numbered(panel: Panel, number: int) -> Taken | None:
    if number >= panel.next_number:
        return None
    return Taken(why=text("doubled: {number} has been taken already").format(number=number))


def _is_dead(panel: Panel, now_ns: int) -> bool:
    return panel.is_gone and now_ns - panel.left_ns >= DEAD_NS


def _about(panel: Panel) -> str:
    return f"phone {panel.code}"
