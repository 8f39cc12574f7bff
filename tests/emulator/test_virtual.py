"""The pod's very files on the real MicroPython, on an emulated RP2040, in virtual time: stamps, order, nothing lost."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import pytest

from companion.core.pods.frames import FrameDecoder
from companion.core.pods.link import LineEdge, LineLevels, PodLink
from companion.core.pods.messages import Edges, PodEdge, decode_message
from companion.core.timing.events import MS
from tests.emulator.pods import GARBAGE, VirtualPico, file_system

PINS = list(range(2, 22))
EDGES = 2000
LEAST_GAP_NS, MOST_GAP_NS = 50_000, 4 * MS
SPREAD_NS = 20_000
START_NS = 600 * MS


@dataclass
class Led:
    """A host in virtual time: `link` talks with the pod, `stamped` are the edges as it has sent them, by number."""

    pico: VirtualPico
    link: PodLink = field(default_factory=lambda: PodLink(limit_ns=5 * MS))
    edges: list[LineEdge] = field(default_factory=list)
    levels: list[LineLevels] = field(default_factory=list)
    stamped: dict[int, PodEdge] = field(default_factory=dict)
    overruns: int = 0
    came: list[int] = field(default_factory=list)
    """When each of the edges was given."""
    frames: int = 0
    """With edges in them, as they came."""
    acknowledges: bool = True

    def __post_init__(self) -> None:
        self.pico.advance(START_NS)
        self.link.reconnect(self.pico.now_ns)
        self._wire = FrameDecoder()

    def until(self, end_ns: int, edges: list[tuple[int, int, int]]) -> None:
        """Talk until `end_ns` while contacts move as `edges` says."""
        while self.pico.now_ns < end_ns:
            now_ns = self.pico.now_ns
            deadline_ns = min(self.link.next_deadline() or end_ns, now_ns + 20 * MS, end_ns)
            data = self.pico.advance(
                max(deadline_ns, now_ns + 10_000), usb=self.link.send(now_ns), edges=edges, wake=True
            )  # fmt: skip
            edges = []
            data = self._portion(data)
            self._note(data)
            for event in [*self.link.receive(data, self.pico.now_ns), *self.link.advance(self.pico.now_ns)]:
                if isinstance(event, LineEdge):
                    self.edges.append(event)
                    self.came.append(self.pico.now_ns)
                    if self.acknowledges:
                        self.link.acknowledge(event.mark)
                elif isinstance(event, LineLevels):
                    self.levels.append(event)

    def _portion(self, data: bytes) -> bytes:
        return data

    def _note(self, data: bytes) -> None:
        for payload in self._wire.feed(data):
            message = decode_message(payload)
            if isinstance(message, Edges):
                self.frames += 1
                self.stamped |= dict(enumerate(message.edges, start=message.first_seq))
                self.overruns = message.overruns


def presses(seed: int, begin_ns: int) -> list[tuple[int, int, int]]:
    """Edges of all lines in random order, at random gaps, as short as two players' presses ever are."""
    chance = random.Random(seed)
    levels = dict.fromkeys(PINS, 1)
    at_ns, made = begin_ns, []
    for _ in range(EDGES):
        at_ns += chance.choice((LEAST_GAP_NS, chance.randint(LEAST_GAP_NS, MOST_GAP_NS)))
        pin = chance.choice(PINS)
        levels[pin] ^= 1
        made.append((at_ns, pin, levels[pin]))
    return made


def tell(late_ns: list[int], led: Led) -> None:
    """Print what was measured."""
    low, middle, high = (late_ns[at] / 1000 for at in (0, len(late_ns) // 2, -1))
    bound_ns, best_ns = led.link.bound_ns(led.pico.now_ns), led.link.mapping.best_round_trip_ns
    assert bound_ns is not None
    assert best_ns is not None
    bound, best = bound_ns / MS, best_ns / MS
    print(f"\n{len(late_ns)} edges, stamped {low:.1f} to {high:.1f} us after (median {middle:.1f} us);", end=" ")
    print(f"bound {bound:.2f} ms, best round trip {best:.2f} ms")


@pytest.fixture(params=[False, True], ids=["idle", "garbage collection"])
def led(request, emulator, tmp_path):
    extra = {"boot.py": GARBAGE} if request.param else {}
    files = file_system(tmp_path / "files.img", {"contact": "ground", "inputs": PINS}, extra)
    pico = VirtualPico(files)
    yield Led(pico)
    pico.close()


def test_two_thousand_edges_are_stamped_within_20_us_none_lost_and_in_order(led, capsys):
    led.until(START_NS + 100 * MS, [])
    assert led.levels[0].active == 0
    made = presses(20, led.pico.now_ns + MS)
    led.until(made[-1][0] + 300 * MS, made)
    assert led.overruns == 0
    assert [(edge.line, edge.active) for _, edge in sorted(led.stamped.items())] == [
        (PINS.index(pin), level == 0) for _, pin, level in made
    ]
    sent = [edge for _, edge in sorted(led.stamped.items())]
    late_ns = sorted(edge.ticks * 1000 - at_ns for edge, (at_ns, _, _) in zip(sent, made, strict=True))
    with capsys.disabled():
        tell(late_ns, led)
    assert late_ns[-1] - late_ns[0] <= SPREAD_NS
    assert [(edge.line, edge.active) for edge in led.edges] == [(PINS.index(pin), level == 0) for _, pin, level in made]
    for edge, (at_ns, _, _) in zip(led.edges, made, strict=True):
        assert abs(edge.t_ns - at_ns) <= edge.error_ns
    assert led.link.dropped_frames == 0
    assert led.pico.resets == 0
    assert led.pico.warnings == []


def test_asked_to_it_restarts_without_its_program_and_the_prompt_answers(emulator, tmp_path):
    """The emulator makes no reset of the chip: what the reset keeps is handed to a second one."""
    files = file_system(tmp_path / "files.img", {"contact": "ground", "inputs": PINS})
    pico = VirtualPico(files)
    try:
        led = Led(pico)
        led.until(START_NS + 60 * MS, [])
        led.link.to_repl()
        led.until(START_NS + 100 * MS, [])
        assert pico.resets >= 1
        kept = pico.kept
    finally:
        pico.close()
    again = VirtualPico(files, kept)
    try:
        again.advance(START_NS)
        assert b"4950" in again.advance(2 * START_NS, usb=b"print(sum(range(100)))\r\n")
        assert again.kept[2] == 0, "only once"
        assert again.kept[1] & 0xFFFF == 1, "resets so far"
    finally:
        again.close()
