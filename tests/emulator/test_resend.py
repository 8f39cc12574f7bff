"""A frame that the line has lost, on the real MicroPython: it comes again by its age, while new edges keep coming."""

from __future__ import annotations

import random

import pytest

from companion.core.pods.frames import FrameDecoder
from companion.core.pods.link import LineEdge
from companion.core.pods.messages import Edges, decode_message
from companion.core.timing.events import MS, SECOND
from tests.emulator.pods import GARBAGE, VirtualPico, file_system
from tests.emulator.test_virtual import PINS, START_NS, Led

EDGES = 30
SOON_NS = 200 * MS


class LossyLed(Led):
    """A host whose line loses the frame with edge number `loses`, as often as `times` says."""

    loses = times = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        self._ahead = FrameDecoder()

    def _portion(self, data: bytes) -> bytes:
        if not self.times or not any(self._has_it(payload) for payload in self._ahead.feed(data)):
            return data
        self.times -= 1
        return b""

    def _has_it(self, payload: bytes) -> bool:
        message = decode_message(payload)
        return isinstance(message, Edges) and 0 <= self.loses - message.first_seq < len(message.edges)


@pytest.fixture
def lead(emulator, tmp_path):
    """Gives what starts the pod, with more files on it."""
    made = []

    def lead(extra):
        made.append(VirtualPico(file_system(tmp_path / "files.img", {"contact": "ground", "inputs": PINS}, extra)))
        return LossyLed(made[-1])

    yield lead
    for pico in made:
        pico.close()


@pytest.mark.parametrize("extra", [{}, {"boot.py": GARBAGE}], ids=["idle", "garbage collection"])
def test_a_lost_frame_is_made_up_for_within_a_fifth_of_a_second_while_edges_keep_coming(lead, extra, capsys):
    led = lead(extra)
    led.until(START_NS + 300 * MS, [])
    chance, at_ns, made = random.Random(9), led.pico.now_ns + MS, []
    for number in range(EDGES):
        made.append((at_ns, PINS[number % len(PINS)], (number // len(PINS)) % 2))
        at_ns += chance.randint(20, 90) * MS
    led.loses, led.times = 10, 1
    led.until(at_ns + SECOND, made)
    assert led.times == 0, "the frame was lost"
    assert [(edge.line, edge.active) for edge in led.edges] == [(PINS.index(pin), not level) for _, pin, level in made]
    late_ns = [came_ns - due_ns for came_ns, (due_ns, _, _) in zip(led.came, made, strict=True)]
    with capsys.disabled():
        print(f"\nlost, sent again and here after {late_ns[10] / MS:.1f} ms; all by {max(late_ns) / MS:.1f} ms")
    assert late_ns[10] == max(late_ns) <= SOON_NS
    assert all(isinstance(edge, LineEdge) and abs(edge.t_ns - at) <= edge.error_ns
               for edge, (at, _, _) in zip(led.edges, made, strict=True))  # fmt: skip
    assert led.link.dropped_frames == 0
    assert (led.pico.resets, led.pico.warnings) == (0, [])


def test_a_pod_that_keeps_its_whole_ring_neither_sends_it_again_nor_answers_more_slowly(lead):
    """The disk takes nothing, say: what has come is not acknowledged, and 1,024 edges stay in the pod."""
    led = lead({})
    led.acknowledges = False
    led.until(START_NS + 300 * MS, [])
    begin_ns = led.pico.now_ns + MS
    made = [(begin_ns + number * 2 * MS, PINS[number % 20], (number // 20) % 2) for number in range(1000)]
    led.until(made[-1][0] + 300 * MS, made)
    assert len(led.edges) == 1000
    frames = led.frames
    led.until(led.pico.now_ns + SECOND, [])
    assert led.frames == frames, "nothing is sent again"
    last_ns = led.pico.now_ns + MS
    led.until(last_ns + 100 * MS, [(last_ns, PINS[0], 0)])
    assert len(led.edges) == 1001
    assert led.came[-1] - last_ns < 20 * MS
    assert led.overruns == 0
