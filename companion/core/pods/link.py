"""The host's end of the talk with one pod: bytes in, events on the host's clock out. No thread, no port, no clock.

    state     sends                                   becomes
    CALLING   Hello, again every half second          TALKING by an Identity with a common version, REFUSED without
    TALKING   bursts of Pings, Acks, Lamps, reports   CALLING after a silence
    REFUSED   nothing                                 CALLING by `reconnect`

Theory of operation. The pod numbers its edges and keeps each until it is acknowledged; it sends from the oldest one
kept and, unanswered, again. The host takes an edge only if its number is the next one: nothing is taken twice, and a
frame that was lost is simply sent again. `reconnect` (the port was opened again) forgets what was half received, but
neither the number nor the clock mapping; a pod that began anew says so by its boot, or by numbers that cannot be.

Edges wait here until the pod's clock is known well enough (`WARM_TRIPS`). `acknowledge` is called when an edge has been
handed on: until then the pod keeps it. Every instant is CLOCK_MONOTONIC in ns: `now_ns` is read *before* what `send`
gives is written, `received_ns` *after* the bytes were read. The bound of the mapping rests on both.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from companion.core.errors import Malformed
from companion.core.pods.frames import FrameDecoder, encode_frame
from companion.core.pods.messages import (
    TICK_BITS,
    Ack,
    AskReport,
    Baseline,
    Edges,
    Hello,
    HostMessage,
    Identity,
    Lamps,
    Ping,
    PodEdge,
    Pong,
    Report,
    ToRepl,
    UnknownMessage,
    decode_message,
    encode_message,
)
from companion.core.timing.clock_mapping import ClockMapping, SteadyTimes, TickCounter
from companion.core.timing.events import MS, SECOND

HELLO_NS = SECOND // 2
SILENCE_NS = 3 * SECOND // 2
"""A pod that has said nothing for so long is called anew."""
BURST = 20
BURST_EVERY_NS = SECOND
PING_PATIENCE_NS = 200 * MS
REPORT_EVERY_NS = 10 * SECOND
WARM_TRIPS = 8
"""Round trips after which the first edges are placed; with fewer the bound could be many times what it soon is."""
WARM_PATIENCE_NS = SECOND


class LinkState(Enum):
    """Where the talk is in the table at the top of the module."""

    CALLING = "calling"
    TALKING = "talking"
    REFUSED = "refused"


class Met(NamedTuple):
    """The pod has said who it is."""

    identity: Identity
    is_new_boot: bool


class Refused(NamedTuple):
    """Host and pod have no version of the protocol in common."""

    identity: Identity


class Silent(NamedTuple):
    """A pod that had talked does not any more."""

    t_ns: int


class LineLevels(NamedTuple):
    """The levels of all the pod's lines at `t_ns`, bits by line."""

    active: int
    t_ns: int


class Mark(NamedTuple):
    """How far edges have been handed on: those before number `next_seq`, counted since the pod's boot `epoch`."""

    epoch: int
    next_seq: int


class LineEdge(NamedTuple):
    """An edge on the host's clock; `mark` is for `acknowledge`, once it has been handed on."""

    line: int
    active: bool
    t_ns: int
    error_ns: int
    mark: Mark


class Overrun(NamedTuple):
    """So many edges more were lost, because the pod's ring was full."""

    lost: int


class Bound(NamedTuple):
    """The bound has become wider than the limit, or is within it again."""

    is_wide: bool
    error_ns: int


LinkEvent = Met | Refused | Silent | LineLevels | LineEdge | Overrun | Bound | Report


class PodLink:
    """One pod. edge_error_ns: the uncertainty of the pod's own stamp. limit_ns: the widest bound that is still good."""

    def __init__(self, *, edge_error_ns: int = 100_000, limit_ns: int = 2 * MS, max_drift_ppb: int = 120_000) -> None:
        self.state = LinkState.CALLING
        self.identity: Identity | None = None
        self.report: Report | None = None
        self.is_wide = False
        self.malformed = 0
        self.edges = 0
        self._edge_error_ns, self._limit_ns, self._drift_ppb = edge_error_ns, limit_ns, max_drift_ppb
        self._decoder = FrameDecoder()
        self._lamps = Lamps(0, 0)
        self._queue: list[HostMessage] = []
        self._boot: int | None = None
        self._epoch = 0
        self._next: int | None = None  # the number of the next edge to be taken
        self._held: list[PodEdge | LineLevels] = []
        self._acknowledged = self._told = self._trips = 0
        self._hello_at_ns = self._heard_ns = 0
        self._begin_anew()
        self._call(0)

    # -- for the adapter ---------------------------------------------------------------------------------------------

    @property
    def dropped_frames(self) -> int:
        """Frames that were none, or held no message."""
        return self._decoder.errors.total + self.malformed

    @property
    def is_settled(self) -> bool:
        """Tell whether all that the pod had kept before the call has been given out."""
        return self.state is LinkState.TALKING and self._is_warm and self._next is not None and self._next >= self._due

    def bound_ns(self, now_ns: int) -> int | None:
        """Give the error that an edge of now would carry; None while the pod's clock is not known."""
        ticks = self._newest_ticks
        if ticks is None or not self.mapping.is_known:
            return None
        newest_ns = self.mapping.to_host(ticks).t_ns
        return self.mapping.to_host(ticks + max(now_ns - newest_ns, 0) // 1000).error_ns + self._edge_error_ns

    def reconnect(self, now_ns: int) -> None:
        """The port has been opened again: call the pod."""
        self._decoder = FrameDecoder()
        self._call(now_ns)

    def acknowledge(self, mark: Mark) -> None:
        """Every edge before `mark` has been handed on; one of an earlier boot says nothing any more."""
        if mark.epoch == self._epoch:
            self._acknowledged = max(self._acknowledged, mark.next_seq)

    def lamps(self, lit: int, blinking: int) -> None:
        """Say which lamps are lit and which blink, bits by line."""
        if (lit, blinking) != self._lamps:
            self._lamps = Lamps(lit, blinking)
            self._queue.append(self._lamps)

    def to_repl(self) -> None:
        """Have the pod restart without its program."""
        self._queue.append(ToRepl())

    def send(self, now_ns: int) -> bytes:
        """Give what is to be written now, empty where nothing is."""
        messages: list[HostMessage] = []
        if self._is_calling and now_ns >= self._hello_at_ns:
            self._hello_at_ns = now_ns + HELLO_NS
            messages.append(Hello())
        if self.state is LinkState.TALKING:
            messages += self._queue
            self._queue.clear()
            if self._boot is not None and self._acknowledged > self._told:
                self._told = self._acknowledged
                messages.append(Ack(self._boot, self._acknowledged))
            messages += self._pings(now_ns)
        return b"".join(encode_frame(encode_message(message)) for message in messages)

    def next_deadline(self) -> int | None:
        """Give the instant at which `send` or `advance` has something to do without new bytes; None where never."""
        if self.state is LinkState.REFUSED:
            return None
        if self.state is LinkState.CALLING:
            return self._hello_at_ns
        asked = self._asked
        instants = [self._heard_ns + SILENCE_NS, self._burst_at_ns if asked is None else asked[1] + PING_PATIENCE_NS]
        instants += [self._warm_by_ns] if self._held else []
        instants += [self._hello_at_ns] if self._is_calling else []
        return min(instants)

    def advance(self, now_ns: int) -> list[LinkEvent]:
        """Let time pass."""
        if self.state is not LinkState.TALKING:
            return []
        if now_ns >= self._heard_ns + SILENCE_NS:
            self._call(now_ns)
            return [Silent(now_ns)]
        return self._release(now_ns)

    def receive(self, data: bytes, received_ns: int) -> list[LinkEvent]:
        """Take bytes from the port, in any portions; give what they say."""
        events: list[LinkEvent] = []
        for payload in self._decoder.feed(data):
            try:
                message = decode_message(payload)
            except UnknownMessage:
                continue  # a later version's; it is not needed
            except Malformed:
                self.malformed += 1
                continue
            self._heard_ns = received_ns
            if isinstance(message, Identity):
                events += self._meet(message, received_ns)
            elif self.state is LinkState.TALKING:
                events += self._take(message, received_ns)
        return [*events, *self._release(received_ns)]

    # -- beginning ---------------------------------------------------------------------------------------------------

    @property
    def _is_calling(self) -> bool:
        """Tell whether Hellos are said: also to a pod that is known, until its levels are (the answer may be lost)."""
        if self.state is LinkState.TALKING:
            return not self._has_baseline or self._wants_levels
        return self.state is LinkState.CALLING

    def _call(self, now_ns: int) -> None:
        self.state = LinkState.CALLING
        self._hello_at_ns = now_ns
        self._heard_ns = now_ns
        self._asked: tuple[int, int] | None = None
        self._let_go()

    def _let_go(self) -> None:
        """Forget what waits to be given out: the pod has it still, and sends it again after the next Hello."""
        if any(isinstance(event, LineLevels) for event in self._held):
            self._next = None
        elif self._next is not None:
            self._next -= len(self._held)
        self._held = []
        self._has_baseline = False

    def _begin_anew(self) -> None:
        """Forget all that held for the pod's last boot."""
        self.mapping = ClockMapping(max_drift_ppb=self._drift_ppb)
        self._times = SteadyTimes(self.mapping)
        self._ticks = TickCounter(TICK_BITS)
        self._newest_ticks: int | None = None
        self._epoch += 1
        self._next = None
        self._held = []
        self._due = 0  # `_next` once all that was kept before the call is here
        self._levels = 0
        self._wants_levels = False  # edges were lost: what the lines are at now must be told
        self._overruns = 0
        self._acknowledged = self._told = self._trips = 0

    def _meet(self, identity: Identity, now_ns: int) -> list[LinkEvent]:
        if self.state is LinkState.TALKING and identity.boot == self._boot:
            return []  # the answer to a Hello that was said twice
        self.identity = identity
        if not identity.version:
            self.state = LinkState.REFUSED
            return [Refused(identity)]
        is_new = identity.boot != self._boot
        if is_new:
            self._boot = identity.boot
            self._begin_anew()
        self.state = LinkState.TALKING
        self._let_go()
        self._trips = 0
        self._number = 0
        self._left = BURST
        self._asked = None
        self._burst_at_ns = self._report_at_ns = now_ns
        self._warm_by_ns = now_ns + WARM_PATIENCE_NS
        self._queue = [self._lamps]
        return [Met(identity, is_new)]

    # -- the clock ---------------------------------------------------------------------------------------------------

    def _pings(self, now_ns: int) -> list[HostMessage]:
        """Ask for the pod's clock: one round trip at a time, a burst of them every now and then."""
        messages: list[HostMessage] = []
        if self._asked is not None and now_ns >= self._asked[1] + PING_PATIENCE_NS:
            self._asked = None
        if self._asked is not None or now_ns < self._burst_at_ns:
            return messages
        if now_ns >= self._report_at_ns:
            self._report_at_ns = now_ns + REPORT_EVERY_NS
            messages.append(AskReport())
        self._number = (self._number + 1) & 0xFFFF
        self._asked = (self._number, now_ns)
        self._left -= 1
        if self._left <= 0:
            self._left, self._burst_at_ns = BURST, now_ns + BURST_EVERY_NS
        return [*messages, Ping(self._number)]

    def _map(self, pong: Pong, received_ns: int) -> None:
        if self._asked is None or self._asked[0] != pong.number:
            return  # the answer to a question that was given up: its time says too little
        sent_ns, self._asked = self._asked[1], None
        self._newest_ticks = self._ticks.extend(pong.ticks)
        self.mapping.feed(sent_ns, self._newest_ticks, received_ns)
        self._trips += 1

    @property
    def _is_warm(self) -> bool:
        return self._trips >= WARM_TRIPS

    # -- edges -------------------------------------------------------------------------------------------------------

    def _take(self, message: Pong | Edges | Baseline | Report, received_ns: int) -> list[LinkEvent]:
        match message:
            case Pong():
                self._map(message, received_ns)
                return []
            case Report():
                self.report = message
                return self._overrun(message.overruns)
            case Baseline() if message.boot == self._boot:
                return self._rebase(message, received_ns)
            case Edges() if message.boot == self._boot and self._has_baseline:
                return [*self._number_edges(message), *self._overrun(message.overruns)]
        return []

    def _rebase(self, baseline: Baseline, now_ns: int) -> list[LinkEvent]:
        """The pod says what it has kept, and the levels before that."""
        end = baseline.next_seq + baseline.waiting
        if self._next is None or not baseline.next_seq <= self._next <= end:
            if self._next is not None:
                self._begin_anew()  # the numbers cannot be: the pod began anew under the same boot number
            self._next = self._acknowledged = self._told = baseline.next_seq
            self._levels = baseline.active
            self._held.append(LineLevels(baseline.active, now_ns))
        elif baseline.next_seq == end == self._next and not self._held and baseline.active != self._levels:
            self._levels = baseline.active
            self._held.append(LineLevels(baseline.active, now_ns))
        self._due = end
        self._has_baseline = True
        if baseline.next_seq == end == self._next:
            self._wants_levels = False
        return []

    def _number_edges(self, message: Edges) -> list[LinkEvent]:
        """Keep the edges that are next; those before have been taken, those after a gap will come again."""
        if self._next is None or message.first_seq > self._next:
            return []
        self._told = min(self._told, message.first_seq)  # it sends what it need not: say again what was taken
        new = message.edges[self._next - message.first_seq :]
        self._held += new
        self._next += len(new)
        return []

    def _overrun(self, overruns: int) -> list[LinkEvent]:
        lost, self._overruns = overruns - self._overruns, overruns
        if lost <= 0:
            return []
        self._wants_levels = True
        return [Overrun(lost)]

    def _release(self, now_ns: int) -> list[LinkEvent]:
        """Give what waits, once the pod's clock is known."""
        if self.state is not LinkState.TALKING or not self.mapping.is_known or self._next is None:
            return []
        if not self._is_warm and now_ns < self._warm_by_ns:
            return []
        if self._next < self._due and now_ns < self._warm_by_ns:
            return []  # levels lie before the first edge: it must be here
        held, self._held = self._held, []
        seq = self._next - sum(isinstance(event, PodEdge) for event in held)
        events: list[LinkEvent] = []
        for event in held:
            if isinstance(event, PodEdge):
                events += self._place(event, seq)
                seq += 1
            else:
                events.append(event)
        return [*_levels_before_edges(events), *self._watch_bound(now_ns)]

    def _place(self, edge: PodEdge, seq: int) -> list[LineEdge]:
        """Put an edge on the host's clock; one that repeats its line's level stands for two changes."""
        t_ns, error_ns = self._times.place(self._ticks.extend(edge.ticks))
        placed = LineEdge(edge.line, edge.active, t_ns, error_ns + self._edge_error_ns, Mark(self._epoch, seq + 1))
        bit = 1 << edge.line
        was_active, self._levels = bool(self._levels & bit), self._levels & ~bit | (bit if edge.active else 0)
        self.edges += 1
        if was_active is not edge.active:
            return [placed]
        mark = Mark(self._epoch, seq)  # the pair is handed on together
        return [placed._replace(active=not edge.active, mark=mark), placed._replace(t_ns=t_ns + 1)]

    def _watch_bound(self, now_ns: int) -> list[LinkEvent]:
        """Say when the bound crosses the limit; back again only well within it."""
        bound_ns = self.bound_ns(now_ns)
        if bound_ns is None or not self._is_warm:
            return []
        is_wide = bound_ns > (self._limit_ns * 3 // 4 if self.is_wide else self._limit_ns)
        if is_wide is self.is_wide:
            return []
        self.is_wide = is_wide
        return [Bound(is_wide, bound_ns)]


def _levels_before_edges(events: list[LinkEvent]) -> list[LinkEvent]:
    """Put the instant of levels before that of the edges that follow them."""
    out: list[LinkEvent] = []
    earliest_ns: int | None = None
    for event in reversed(events):
        placed = event
        if isinstance(event, LineEdge):
            earliest_ns = event.t_ns if earliest_ns is None else min(earliest_ns, event.t_ns)
        elif isinstance(event, LineLevels) and earliest_ns is not None:
            placed = event._replace(t_ns=min(event.t_ns, earliest_ns - 1))
        out.append(placed)
    return out[::-1]
