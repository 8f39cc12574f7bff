"""Buttons in browsers: panels on the simulated box, and phones that stand in for a player's buttons on a real one.

The time of a press is the browser's own (`event.timeStamp`), mapped to the host's CLOCK_MONOTONIC by round trips that
the box measures (`core.clock_mapping`). Its uncertainty is what the mapping leaves plus what lies before the browser's
stamp: how often a screen, a mouse or a keyboard is looked at. A message that comes twice is taken once (each panel
numbers its inputs), one that comes later than any phone may be is refused, aloud.

A mapping is trusted only while the other clock is known to have run on: a phone that slept stops its clock, and what it
then says would be placed too early. So a round trip that is not answered promptly makes a panel unready until new ones
have been.

Threads: `Panels` is used by the web server's thread alone; `PanelSource` hands edges over to the loop that reads them,
under a lock, with a pipe that makes `fileno()` readable. Knows no server, no game and no seat beyond its colour.
"""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from companion.adapters.web.phones.places import MOST_PANELS_OF_ONE, Place, Places
from companion.core.errors import Malformed
from companion.core.panel import BUTTON_BY_LABEL, KNOB_PUSH, Colour, marked
from companion.core.timing.clock_mapping import ClockMapping, SteadyTimes
from companion.core.timing.events import MS, SECOND, Edge, Levels, SourceFault, Turned

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from companion.adapters.web.wire.messages import By
    from companion.core.timing.events import SourceEvent

INPUT_ERROR_NS: dict[By, int] = {"touch": 8 * MS, "mouse": 4 * MS, "key": 8 * MS}
"""What is uncertain before the browser's stamp: a screen is scanned 60 times a second or more often, a mouse looked at
125 times, a keyboard scanned and then looked at so. Half of that interval, and what the system needs."""
RESOLUTION_TICKS = 1000
"""Browsers round their clock, to as much as 1 ms."""
SMALLEST_DELAY_NS = 10 * MS
"""The delivery delay while no panel is there that may play: from the web server's thread to the box's."""
NEAR_DELAY_NS = 60 * MS
"""Worst delivery delay of a browser on the box's own machine: no network, but a busy page."""
FAR_DELAY_NS = 150 * MS
"""Worst delivery delay of a phone in a usable wireless network; a later press is noted as late."""
LATEST_NS = 2 * SECOND
"""A press that comes later than this after it was made is not taken."""
SHORTEST_HOLD_NS = 40 * MS
"""A browser's button does not bounce: a press that was let go sooner lasts so long."""
UNANSWERED_NS = 600 * MS
"""A round trip that takes longer says that the other clock may have stood still."""
STALE_NS = 3 * SECOND
"""A mapping is used for no longer after its newest round trip."""
ENOUGH_ROUND_TRIPS = 3
MARK = "browser"


class Taken(NamedTuple):
    """An input was taken (`error_ns`: half-width of its time's uncertainty), or not (`why`)."""

    error_ns: int | None = None
    why: str | None = None


class PanelSource:
    """The `ButtonSource` of all browsers. error_ns: the least that a press carries; most carry more.

    mark: what tells these lines from the real buttons' ("red fourth (browser)"); empty for none.
    """

    name = "browser panels"
    remark: str | None = None
    certificate: str | None = None
    is_gone = False
    given_until_ns: int | None = None
    """`read` gives all that has come in."""
    error_ns = min(INPUT_ERROR_NS.values()) + RESOLUTION_TICKS * 1000

    def __init__(self, clock: Callable[[], int], lines: Iterable[str], mark: str = MARK) -> None:
        self._clock = clock
        self._line = {label: marked(label, mark) if mark else label for label in lines}
        self._lock = threading.Lock()
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
            self._events = [Levels(frozenset(), frozenset(self._line.values()), self._clock())]
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
            events, self._events = self._events, []
        return sorted(events, key=_time_of)

    def check(self) -> None:
        """Nothing is missed here: what does not come is not known."""

    def close(self) -> None:
        """Stop; may be called again."""
        with self._lock:
            pipe, self._pipe = self._pipe, None
            self._events = []
        for end in pipe or ():
            os.close(end)

    def put(self, *events: SourceEvent) -> None:
        """Hand events over, from any thread. Lines are named by their buttons; dropped while it is not open."""
        with self._lock:
            if self._pipe is None:
                return
            self._events += [e._replace(line=self._line[e.line]) if isinstance(e, Edge) else e for e in events]
            self._poke()

    def _poke(self) -> None:
        if self._pipe is not None:
            try:
                os.write(self._pipe[1], b".")
            except BlockingIOError:
                return  # full of pokes: readable already


def _time_of(event: SourceEvent) -> tuple[bool, int]:
    return not isinstance(event, Levels), event.t_ns


@dataclass(slots=True, eq=False)
class Panel(Place):
    """A place with its clock and what is held down."""

    next_number: int = 1
    down: dict[str, int] = field(default_factory=dict)  # label: when it was pressed
    mapping: ClockMapping = field(default_factory=lambda: ClockMapping(resolution_ticks=RESOLUTION_TICKS))
    times: SteadyTimes | None = None
    asked: dict[int, int] = field(default_factory=dict)  # round trips under way: id, sent_ns
    answered_ns: int | None = None
    syncs: int = 0

    def map_anew(self) -> None:
        """Forget what is known of the other clock."""
        self.mapping = ClockMapping(resolution_ticks=RESOLUTION_TICKS)
        self.times = SteadyTimes(self.mapping)
        self.asked.clear()
        self.answered_ns = None


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
        on_change: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(Panel, most_of_one)
        self._source, self._clock, self._simulated = source, clock, simulated
        self._far_delay_ns = far_delay_ns
        self.on_change = on_change

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

    def delay_ns(self, panel: Panel) -> int:
        """Give the worst delivery delay that is stated for a panel."""
        return NEAR_DELAY_NS if panel.is_near else self._far_delay_ns

    # -- its clock ---------------------------------------------------------------------------------------------------

    def ask_time(self, panel: Panel) -> int:
        """Begin a round trip now, and give its id."""
        panel.syncs += 1
        panel.asked[panel.syncs] = self._clock()
        for old in list(panel.asked)[:-16]:
            del panel.asked[old]
        return panel.syncs

    def time_told(self, panel: Panel, number: int, t_us: int, received_ns: int) -> None:
        """A round trip is over: the panel's clock read `t_us` between its beginning and `received_ns`."""
        sent_ns = panel.asked.pop(number, None)
        if sent_ns is None:
            return  # one that was given up, or told twice
        was_ready = self.is_ready(panel, received_ns)
        if received_ns - sent_ns > UNANSWERED_NS:
            panel.map_anew()
        else:
            panel.mapping.feed(sent_ns, t_us, received_ns)
            panel.answered_ns = received_ns
        if self.is_ready(panel, received_ns) != was_ready:
            self._changed()

    def is_ready(self, panel: Panel, now_ns: int) -> bool:
        """Tell whether a press of this panel could be placed."""
        if panel.answered_ns is None or panel.mapping.round_trips < ENOUGH_ROUND_TRIPS:
            return False
        waits_ns = now_ns - min(panel.asked.values(), default=now_ns)
        return waits_ns <= UNANSWERED_NS and now_ns - panel.answered_ns <= STALE_NS and panel.mapping.is_known

    def error_ns(self, panel: Panel, t_us: int | None = None) -> int | None:
        """Give the uncertainty that the mapping leaves, None while there is none."""
        if panel.answered_ns is None or not panel.mapping.is_known:
            return None
        best_ns = panel.mapping.best_round_trip_ns or 0
        return panel.mapping.to_host(t_us).error_ns if t_us is not None else best_ns // 2 + RESOLUTION_TICKS * 1000

    # -- inputs ------------------------------------------------------------------------------------------------------

    def press(self, panel: Panel, number: int, label: str, t_us: int, by: By, received_ns: int) -> Taken:
        """A button went down at `t_us` of the panel's clock; the message came at `received_ns`."""
        if label in panel.down:
            return self._numbered(panel, number) or Taken(why=f"{label} is down already")
        return self._input(panel, number, label, t_us, by, received_ns, self._down)

    def release(self, panel: Panel, number: int, label: str, t_us: int, by: By, received_ns: int) -> Taken:
        """A button went up."""
        if label not in panel.down:
            return self._numbered(panel, number) or Taken(why=f"{label} is not down")
        return self._input(panel, number, label, t_us, by, received_ns, self._up)

    def turn(self, panel: Panel, number: int, steps: int, t_us: int, by: By, received_ns: int) -> Taken:
        """The knob was turned by `steps` detents, clockwise positive."""

        def put(_panel: Panel, _label: str, t_ns: int, _error_ns: int) -> None:
            self._source.put(Turned(steps, t_ns))

        return self._input(panel, number, KNOB_PUSH, t_us, by, received_ns, put)

    def _input(
        self,
        panel: Panel,
        number: int,
        label: str,
        t_us: int,
        by: By,
        received_ns: int,
        put: Callable[[Panel, str, int, int], None],
    ) -> Taken:
        refused = self._numbered(panel, number) or self._not_now(panel, label, received_ns)
        if refused is not None:
            return refused
        if label == KNOB_PUSH and not self._simulated:  # a command, not a play: it is as old as its message
            panel.next_number = number + 1
            put(panel, label, received_ns, self._source.error_ns)
            return Taken(self._source.error_ns)
        mapped = (panel.times or SteadyTimes(panel.mapping)).place(t_us)
        if mapped.t_ns - mapped.error_ns > received_ns:
            return Taken(why="its time lies in the future: is the clock of the page right?")
        panel.next_number = number + 1
        t_ns = min(mapped.t_ns, received_ns)
        if received_ns - t_ns > LATEST_NS:
            late_s = (received_ns - t_ns) / SECOND
            self._fault(f"{label} of the phone {panel.code} came {late_s:.1f} s after it was pressed: not taken")
            return Taken(why=f"it came {late_s:.1f} s late")
        error_ns = mapped.error_ns + (mapped.t_ns - t_ns) + INPUT_ERROR_NS[by]
        put(panel, label, t_ns, error_ns)
        return Taken(error_ns)

    def _numbered(self, panel: Panel, number: int) -> Taken | None:
        return Taken(why=f"doubled: {number} has been taken already") if number < panel.next_number else None

    def _not_now(self, panel: Panel, label: str, now_ns: int) -> Taken | None:
        if label not in self._source.labels:
            return Taken(why=f"there is no button {label!r}")
        if label not in self.buttons(panel) and label not in panel.down:  # what it holds, it may let go
            return Taken(why="this panel may not press that: the referee gives seats to phones")
        needs_time = self._simulated or label != KNOB_PUSH
        if needs_time and not self.is_ready(panel, now_ns):
            return Taken(why="the clock of this page is not known yet")
        return None

    def _down(self, panel: Panel, label: str, t_ns: int, error_ns: int) -> None:
        panel.down[label] = t_ns
        self._source.put(Edge(label, True, t_ns, error_ns))

    def _up(self, panel: Panel, label: str, t_ns: int, error_ns: int) -> None:
        pressed_ns = panel.down.pop(label)
        self._source.put(Edge(label, False, max(t_ns, pressed_ns + SHORTEST_HOLD_NS), error_ns))

    # -- what follows from coming and going --------------------------------------------------------------------------

    def rights_changed(self) -> None:
        """Sessions have ended: what a panel holds down and may not press any more is let go."""
        for panel in self._panels.values():
            may_press = self.buttons(panel) if panel.down else ()
            self._let_go(panel, [label for label in panel.down if label not in may_press])
        self._changed()

    def _came(self, panel: Panel) -> None:
        panel.map_anew()
        self._let_go(panel)

    def _let_go(self, panel: Panel, labels: Iterable[str] | None = None) -> None:
        """Nobody holds these buttons of a panel, None: all of them."""
        for label in list(panel.down if labels is None else labels):
            self._up(panel, label, self._clock(), self._source.error_ns)

    def _changed(self) -> None:
        may_press = [
            panel
            for panel in self._panels.values()
            if not panel.is_gone and (self._simulated or panel.seat is not None)
        ]
        self._source.delay_ns = max((self.delay_ns(panel) for panel in may_press), default=SMALLEST_DELAY_NS)
        self.on_change()

    def _fault(self, text: str) -> None:
        self._source.put(SourceFault(self._source.name, text, self._clock()))
