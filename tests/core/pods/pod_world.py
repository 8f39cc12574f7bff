"""A pod's very program, a USB port and the host's link in one world, whose truth is known: `run` tells each edge's.

Physical time, in events: nothing is polled that need not be. The pod's program runs on a fake board (`FakePico`); the
link is the very one of the box. Between them lies a `Usb`: a host's controller that looks once a millisecond, a hub
that stalls, threads that are late.
"""

from __future__ import annotations

import heapq
import random
import struct
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from companion.core.pods.frames import FrameDecoder, encode_frame
from companion.core.pods.link import LineEdge, LinkEvent, PodLink
from companion.core.timing.events import MS, SECOND
from tests.core.pods.host_world import US, HostWorld
from tests.fakes.pico import PPB, FakePico

if TYPE_CHECKING:
    from collections.abc import Callable

PONG, EDGES = 0x82, 0x83
TICKS = struct.Struct("<HI")
"""Wraps and counter, as firmware/README.md has them."""


@dataclass(frozen=True)
class Usb:
    """How long bytes are on their way. frame_ns: how often the host's controller looks. thread_ns: how late a thread of
    the host is. stall: the chance of a portion to be kept by a hub for up to `stall_ns`. more_out_ns, more_back_ns: a
    delay besides, one way."""

    frame_ns: int = MS
    thread_ns: tuple[int, int] = (50 * US, 300 * US)
    stall: float = 0.0
    stall_ns: int = 0
    more_out_ns: tuple[int, int] = (0, 0)
    more_back_ns: tuple[int, int] = (0, 0)


class Lie(NamedTuple):
    """What a dishonest pod tells: takes what its counter showed, in µs since the pod began, and gives what it says.

    pong: of what it answers to a Ping. stamp: of edges.
    """

    name: str
    pong: Callable[[int], int] = lambda ticks: ticks
    stamp: Callable[[int], int] = lambda ticks: ticks


HONEST = Lie("honest")


class WorldPico(FakePico):
    """A board whose counter has run since `since_ns` of physical time, and which may lie in what it sends."""

    lie = HONEST
    since_ns = 0

    def ticks_us(self) -> int:
        shown_ns = (self.clock() - self.since_ns) * (PPB + self.drift_ppb) // PPB + self.offset_ns
        return shown_ns // 1000 & 0x3FFFFFFF

    def take(self) -> bytes:
        sent = super().take()
        if self.lie is HONEST or not sent:
            return sent
        return b"".join(encode_frame(self._twisted(bytearray(payload))) for payload in FrameDecoder().feed(sent))

    def _twisted(self, payload: bytearray) -> bytes:
        if payload[0] == PONG:
            self._twist(payload, 3, self.lie.pong)
        elif payload[0] == EDGES:
            for at in range(15, len(payload), 7):
                self._twist(payload, at, self.lie.stamp)
        return bytes(payload)

    def _twist(self, payload: bytearray, at: int, lie: Callable[[int], int]) -> None:
        wraps, ticks = TICKS.unpack_from(payload, at)
        begun = self.offset_ns // 1000 % 2**30
        said = lie((wraps << 30 | ticks) - begun) + begun
        TICKS.pack_into(payload, at, said >> 30 & 0xFFFF, said & 0x3FFFFFFF)


class Told(NamedTuple):
    """An edge as the link told it, beside the truth; ns. heard_ns: MONOTONIC when the host had it."""

    edge: LineEdge
    truth_ns: int
    heard_ns: int
    physical_ns: int

    @property
    def is_outside(self) -> bool:
        return abs(self.edge.t_ns - self.truth_ns) > self.edge.error_ns


@dataclass
class PodWorld:
    """One pod on one host. reboots: when the pod begins anew. edges_ns: mean time between edges."""

    seed: int
    host: HostWorld
    usb: Usb = field(default_factory=Usb)
    drift_ppb: int = 0
    offset_ns: int = 0
    lie: Lie = HONEST
    reboots_ns: tuple[int, ...] = ()
    unplugged: tuple[tuple[int, int], ...] = ()
    edges_ns: int = 60 * MS
    until_ns: int = 10 * SECOND
    first_edge_ns: int = 1500 * MS
    now_ns: int = 0

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)
        self.pico = WorldPico(lambda: self.now_ns, drift_ppb=self.drift_ppb, offset_ns=self.offset_ns)
        self.pico.lie = self.lie
        self.pico.boot()
        self.link = PodLink()
        self.events: list[tuple[LinkEvent, int]] = []
        self.told: list[Told] = []
        self.pressed: list[int] = []
        """When each edge of the pod's running boot was made."""
        self.lost = 0
        """Edges that a pod had not been rid of when it began anew."""
        self._agenda: list[tuple[int, int, Callable[[], None]]] = []
        self._order = count()
        self._last_out_ns = self._last_back_ns = self._last_heard_ns = 0
        self._wake_ns: int | None = None
        self._taken = 0

    # -- the world's course ------------------------------------------------------------------------------------------

    def run(self) -> list[Told]:
        """Let the time pass; give each edge that the link has told, in the order of telling."""
        self.link.reconnect(self._read())
        at_ns = self.first_edge_ns
        while at_ns < self.until_ns - SECOND:
            self._at(at_ns, self._edge)
            at_ns = self._passing(at_ns + max(round(self.chance.expovariate(1 / self.edges_ns)), 60 * US))
        for at_ns in self.reboots_ns:
            self._at(at_ns, self._reboot)
        at_ns = 0
        while at_ns < self.until_ns:
            self._at(at_ns, self._step_pod)
            at_ns = at_ns + 20 * MS if self._passing(at_ns) == at_ns else at_ns + SECOND
        self._wake()
        while self._agenda and self._agenda[0][0] <= self.until_ns:
            at_ns, _, act = heapq.heappop(self._agenda)
            self.now_ns = max(self.now_ns, at_ns)
            act()
        return self.told

    def _passing(self, at_ns: int) -> int:
        """Give an instant; where that is in the midst of a long sleep, one near its end: nothing happens until then."""
        for sleep in self.host.sleeps:
            if sleep.from_ns + 5 * SECOND < at_ns < sleep.until_ns - 2 * SECOND:
                return sleep.until_ns - 2 * SECOND
        return at_ns

    def _at(self, at_ns: int, act: Callable[[], None]) -> None:
        heapq.heappush(self._agenda, (at_ns, next(self._order), act))

    # -- the pod -----------------------------------------------------------------------------------------------------

    def _edge(self) -> None:
        line = self.chance.randrange(self.pico.lines)
        self.pressed.append(self.now_ns)
        self.pico.contact(line, self.pico.pins[line].level == 1)
        self._at(self.now_ns + self.chance.randint(20 * US, 400 * US), self._step_pod)

    def _reboot(self) -> None:
        self.lost += self.missing
        self.pressed.clear()
        self._taken = 0
        self.pico.since_ns = self.now_ns
        self.pico.boot()

    @property
    def missing(self) -> int:
        """Edges of the pod's running boot that the link has not told."""
        return len(self.pressed) - self._taken

    def _step_pod(self) -> None:
        self.pico.step()
        if sent := self.pico.take():
            self._last_back_ns = max(self._through(sent, self.usb.more_back_ns), self._last_back_ns)
            self._to_host(sent, self._last_back_ns)

    # -- the line ----------------------------------------------------------------------------------------------------

    def _through(self, _: bytes, more_ns: tuple[int, int]) -> int:
        """Give when bytes that are sent now come out."""
        at_ns = (self.now_ns // self.usb.frame_ns + 1) * self.usb.frame_ns if self.usb.frame_ns else self.now_ns
        at_ns += 10 * US + self.chance.randint(*more_ns)
        return at_ns + (self.chance.randint(0, self.usb.stall_ns) if self.chance.random() < self.usb.stall else 0)

    def _is_cut(self) -> bool:
        return any(begin <= self.now_ns < end for begin, end in self.unplugged)

    def _to_host(self, sent: bytes, at_ns: int) -> None:
        if not self._is_cut():
            at_ns = self.host.awake_ns(at_ns + self.chance.randint(*self.usb.thread_ns))
            self._last_heard_ns = max(self._last_heard_ns, at_ns)
            self._at(self._last_heard_ns, lambda: self._hear(sent))

    def _to_pod(self, sent: bytes, at_ns: int) -> None:
        if self._is_cut():
            return

        def come() -> None:
            self.pico.inbox.extend(sent)
            self._at(self.now_ns + self.chance.randint(20 * US, 400 * US), self._step_pod)

        self._at(at_ns, come)

    # -- the host ----------------------------------------------------------------------------------------------------

    def _read(self) -> int:
        """Read the host's clocks, as the thread of a port does."""
        reading = self.host.reading(self.now_ns + US, self.chance)
        self.now_ns += 2 * US
        self.link.note(reading)
        return reading.t_ns

    def _hear(self, data: bytes) -> None:
        now_ns = self._read()
        self._note([*self.link.receive(data, now_ns), *self.link.advance(now_ns)], now_ns)
        self._say()

    def _wake(self) -> None:
        if self._wake_ns is not None and self.now_ns < self._wake_ns:
            return  # another wake has been set
        self._wake_ns = None
        now_ns = self._read()
        self._note(self.link.advance(now_ns), now_ns)
        self._say()

    def _say(self) -> None:
        if sent := self.link.send(self._read()):
            self._last_out_ns = max(self._through(sent, self.usb.more_out_ns), self._last_out_ns)
            self._to_pod(sent, self._last_out_ns)
        deadline_ns = self.link.next_deadline()
        at_ns = self.now_ns + SECOND // 2
        if deadline_ns is not None:
            at_ns = min(max(self.host.physical_ns(deadline_ns), self.now_ns + 200 * US), at_ns)
        at_ns = self.host.awake_ns(at_ns + self.chance.randint(*self.usb.thread_ns))
        self._wake_ns = at_ns
        self._at(at_ns, self._wake)

    def _note(self, events: list[LinkEvent], now_ns: int) -> None:
        for event in events:
            self.events.append((event, self.now_ns))
            if isinstance(event, LineEdge):
                self.link.acknowledge(event.mark)
                made_ns = self.pressed[self._taken]
                self._taken += 1
                self.told.append(Told(event, self.host.mono_ns(made_ns), now_ns, made_ns))
