"""A pod's very program and the host's link, with a line between them that a test may delay, cut and garble."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from companion.core.pods.frames import FrameDecoder
from companion.core.pods.link import LineEdge, LineLevels, LinkEvent, PodLink
from companion.core.timing.events import MS
from tests.fakes.pico import FakePico

EDGES = 0x83
"""The first byte of a message with edges."""


@dataclass
class LinkedPod:
    """Virtual time: one `turn` is a step of the pod and a look of the host, with a delay on both ways."""

    seed: int = 1
    lines: int = 4
    drift_ppb: int = 0
    offset_ns: int = 0
    delay_ns: tuple[int, int] = (MS // 10, 2 * MS)
    garble: float = 0.0
    """The chance of each portion of bytes, either way, to have one bit flipped or to be lost."""
    now_ns: int = 10**12
    events: list[LinkEvent] = field(default_factory=list)
    pressed: list[tuple[int, bool, int]] = field(default_factory=list)
    is_plugged: bool = True
    frames_to_lose: int = 0
    """So many of the next portions with edges from the pod are lost."""
    edge_frames: int = 0
    """So many portions with edges came from the pod."""

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)
        self.pico = FakePico(
            lambda: self.now_ns, lines=self.lines, drift_ppb=self.drift_ppb, offset_ns=self.offset_ns
        )  # fmt: skip
        self.pico.boot()
        self.restart_host()

    def restart_host(self) -> None:
        """The host's program begins anew: it knows nothing of the pod."""
        self.link = PodLink()
        self.link.reconnect(self.now_ns)

    def turn(self, acknowledge: bool = True) -> list[LinkEvent]:
        sent = self._through(self.link.send(self.now_ns)) if self.is_plugged else b""
        self.now_ns += self.chance.randint(*self.delay_ns)
        self.pico.inbox.extend(sent)
        self.pico.step()
        self.now_ns += self.chance.randint(*self.delay_ns)
        data = self._lost(self.pico.take())
        received = self._through(data) if self.is_plugged else b""
        new = [*self.link.receive(received, self.now_ns), *self.link.advance(self.now_ns)]
        for event in new:
            if acknowledge and isinstance(event, LineEdge):
                self.link.acknowledge(event.mark)
        self.events += new
        return new

    def turns(self, count: int) -> None:
        for _ in range(count):
            self.turn()

    def change(self, line: int) -> None:
        """Move a contact to its other position."""
        closed = self.pico.pins[line].level == 1
        self.pico.contact(line, closed)
        self.pressed.append((line, closed, self.now_ns))

    def edges(self) -> list[LineEdge]:
        return [event for event in self.events if isinstance(event, LineEdge)]

    def levels(self) -> list[LineLevels]:
        return [event for event in self.events if isinstance(event, LineLevels)]

    def check(self) -> None:
        """What came is what was done: all of it, in its order, once, each within its bound."""
        found = self.edges()
        assert [(edge.line, edge.active) for edge in found] == [(line, active) for line, active, _ in self.pressed]
        for edge, (_, _, at_ns) in zip(found, self.pressed, strict=True):
            assert abs(edge.t_ns - at_ns) <= edge.error_ns
        assert [edge.t_ns for edge in found] == sorted(edge.t_ns for edge in found)

    def _lost(self, data: bytes) -> bytes:
        if not any(payload[0] == EDGES for payload in FrameDecoder().feed(data)):
            return data
        self.edge_frames += 1
        if not self.frames_to_lose:
            return data
        self.frames_to_lose -= 1
        return b""

    def _through(self, data: bytes) -> bytes:
        if not data or self.chance.random() >= self.garble:
            return data
        if self.chance.random() < 0.3:
            return b""
        wrong = bytearray(data)
        wrong[self.chance.randrange(len(wrong))] ^= 1 << self.chance.randrange(8)
        return bytes(wrong)
