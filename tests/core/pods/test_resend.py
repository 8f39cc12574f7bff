"""What was lost on the line is made up for by its own age: whatever else the pod has to say never puts it off."""

from __future__ import annotations

import itertools

import pytest

from companion.core.pods.link import WARM_TRIPS, LineEdge
from companion.core.timing.events import MS
from tests.core.pods.pod_rig import LinkedPod

SOON_NS = 200 * MS
"""An edge whose frame was lost has come by then: sent again after 100 ms, and on its way for some more."""


def met(rig: LinkedPod) -> LinkedPod:
    rig.turns(3 * WARM_TRIPS)
    assert rig.link.is_settled
    return rig


def delays(rig: LinkedPod, gap_ns: int, count: int) -> list[int]:
    """Move contacts every `gap_ns`, the first while the line loses the frame; give how long each was on its way."""
    came: list[int] = []
    rig.frames_to_lose = 1
    due_ns = rig.now_ns
    while len(came) < count:
        assert rig.now_ns - due_ns < 10_000 * MS, f"{len(came)} of {len(rig.pressed)} came"
        if len(rig.pressed) < count and rig.now_ns >= due_ns:
            rig.change(len(rig.pressed) % rig.lines)
            due_ns += gap_ns
        edges = [event for event in rig.turn() if isinstance(event, LineEdge)]
        came += [rig.now_ns for _ in edges]
    return [now_ns - at_ns for now_ns, (_, _, at_ns) in zip(came, rig.pressed, strict=True)]


@pytest.mark.parametrize("gap_ms", [20, 50, 90])
def test_a_lost_frame_comes_again_however_many_edges_follow_it(gap_ms):
    rig = met(LinkedPod(seed=gap_ms))
    found = delays(rig, gap_ms * MS, 40)
    assert max(found) < SOON_NS
    rig.check()


def test_what_has_come_and_is_not_acknowledged_yet_is_not_sent_again():
    """An edge is acknowledged only once it is safe; line and pod must not be busy with it till then."""
    rig = met(LinkedPod())
    for number in range(20):
        rig.change(number % 4)
        rig.turn(acknowledge=False)
    for _ in range(10):
        rig.turn(acknowledge=False)
    frames = rig.edge_frames
    for _ in itertools.repeat(None, 200):  # half a second
        rig.turn(acknowledge=False)
    state = rig.pico.pod.ring.state
    assert state[0] - state[1] == 20, "the pod keeps all of them"
    assert rig.edge_frames == frames
    rig.check()
    rig.restart_host()
    rig.events.clear()
    rig.turns(100)
    rig.check()


def test_an_acknowledgement_that_was_lost_is_said_again():
    rig = met(LinkedPod(delay_ns=(5 * MS, 10 * MS)))
    ring = rig.pico.pod.ring
    rig.change(0)
    for _ in range(20):
        rig.turn(acknowledge=False)
    (edge,) = rig.edges()
    forget, ring.forget = ring.forget, lambda _number: None
    rig.link.acknowledge(edge.mark)
    rig.turns(2)
    ring.forget = forget
    rig.turns(20)
    assert ring.state[0] - ring.state[1] == 1, "nothing has it said again at once"
    rig.turns(1000)  # fifteen seconds: it was asked how it is
    assert ring.state[0] == ring.state[1]
    rig.check()
