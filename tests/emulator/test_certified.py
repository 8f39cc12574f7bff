"""The trial of `companion certify --pods` on the emulated pod, in virtual time: its very program stamps.

The wire begins at the host: at known times of the host's clock the contact moves, and what comes of it goes the whole
way of a pod's press: MicroPython's interrupt, the chip's counter, USB, and the mapping of that counter to the host's
clock. What this cannot show: a real crystal's drift, real USB, and the host's own output, which is an order here.
"""

from __future__ import annotations

import random
import re

import pytest

from companion.cli.button_trial import Ear
from companion.cli.certificate.trial import Trial
from companion.core.timing.certificate import samples
from companion.core.timing.events import MS, SECOND, Edge
from companion.core.timing.loop_errors import Change, worst_difference
from tests.emulator.pods import VirtualPico, file_system
from tests.emulator.test_virtual import PINS, START_NS, Led

LINES = {"red first (west)": 0, "red second (west)": 7, "blue first (west)": 19}
LATE, LATE_NS = "red second (west)", 3 * MS
"""The line whose wire is made slower, and by how much."""
WRITE_NS = 8_000
PULSES = 60
STEP_NS = 2 * MS
"""Virtual time goes on by so much at most before the trial looks again."""


class LoopedPod:
    """A source, its clock, and a wire from the host's output to one of the pod's lines; `truths` are when it moved.

    lost: numbers of changes, from 1, that the wire does not pass on.
    """

    name = "pods"
    delay_ns = 200 * MS
    error_ns = 100_000
    certificate = remark = None
    is_gone = False

    def __init__(self, led: Led) -> None:
        self.led = led
        self.on: str | None = None
        self.changes = 0
        self.lost = frozenset[int]()
        self.truths: list[tuple[str, bool, int]] = []
        self.given: list[Edge] = []
        self._moves: list[tuple[int, int, int]] = []
        self._taken = 0

    def clock(self) -> int:
        return self.led.pico.now_ns

    def fileno(self) -> int:
        return -1

    def change(self, active: bool) -> Change:
        now_ns = self.clock()
        self.changes += 1
        if self.on is not None and self.changes not in self.lost:
            at_ns = now_ns + WRITE_NS // 2 + (LATE_NS if self.on == LATE else 0)
            self._moves.append((at_ns, PINS[LINES[self.on]], int(not active)))
            self.truths.append((self.on, active, at_ns))
        return Change(active, now_ns, now_ns + WRITE_NS)

    def wait(self, fd: int, timeout_ns: int) -> bool:
        moves, self._moves = self._moves, []
        self.led.until(self.clock() + min(timeout_ns, STEP_NS), moves)
        return len(self.led.edges) > self._taken

    def read(self) -> list[Edge]:
        labels = {line: label for label, line in LINES.items()}
        new, self._taken = self.led.edges[self._taken :], len(self.led.edges)
        found = [Edge(labels[edge.line], edge.active, edge.t_ns, edge.error_ns) for edge in new]
        self.given += found
        return found


@pytest.fixture
def pod(emulator, tmp_path):
    pico = VirtualPico(file_system(tmp_path / "files.img", {"contact": "ground", "inputs": PINS}))
    led = Led(pico)
    led.until(START_NS + 2 * SECOND, [])  # so long until its clock is known well
    yield LoopedPod(led)
    pico.close()


def test_a_pods_lines_are_measured_through_its_own_program_and_the_slower_wire_is_found(pod, capsys):
    kept = []

    def say(text):
        if asked := re.match(r"put the wire on (.+) \(the pod's input \d+\)", text):
            pod.on = asked[1]

    trial = Trial(
        Ear(pod, pod.clock, pod.wait), pod, LINES, random.Random(11), say,
        lambda done, line, paired: kept.append(samples(line, paired)), pulses=PULSES, where="the pod's input",
    )  # fmt: skip
    assert trial.run() == []
    lines = {line.line: line for line in trial.done}
    assert {name: line.input for name, line in lines.items()} == LINES
    assert all((line.pulses, line.lost, line.spurious, line.elsewhere) == (PULSES, 0, 0, 0) for line in trial.done)
    assert sum(data.count(b"\n") for data in kept) == 2 * PULSES * len(LINES)

    # No stamp is further from the truth than it says.
    assert [(edge.line, edge.active) for edge in pod.given] == [truth[:2] for truth in pod.truths]
    errors = [edge.t_ns - truth[2] for edge, truth in zip(pod.given, pod.truths, strict=True)]
    assert all(abs(error) <= edge.error_ns for error, edge in zip(errors, pod.given, strict=True))

    # The slower wire is found to be slower by as much, to within what the mapping of the pod's clock leaves open.
    worst, bound_ns = worst_difference(trial.done), max(edge.error_ns for edge in pod.given)
    others = [line for name, line in lines.items() if name != LATE]
    with capsys.disabled():
        found = ", ".join(f"{(lines[LATE].error.median_ns - other.error.median_ns) / MS:.3f}" for other in others)
        print(f"\na wire slower by {LATE_NS / MS} ms is found to be slower by {found} ms;", end=" ")
        print(f"worst difference {worst.ns / MS:.3f} ms; stamps {min(errors) / 1000:.0f} to", end=" ")
        print(f"{max(errors) / 1000:.0f} us off, each within its own ±, at most {bound_ns / MS:.2f} ms")
    assert all(abs(lines[LATE].error.median_ns - other.error.median_ns - LATE_NS) <= bound_ns for other in others)
    assert worst.late == LATE
    assert LATE_NS - bound_ns <= worst.ns <= LATE_NS + 2 * bound_ns + WRITE_NS


def test_a_contact_that_does_not_move_is_counted_as_lost(pod):
    pod.on = "red first (west)"
    pod.lost = frozenset({8 + 21, 8 + 22})  # behind the question: one pulse is left out, and the trial goes on
    trial = Trial(
        Ear(pod, pod.clock, pod.wait), pod, {"red first (west)": 0}, random.Random(3), lambda text: None,
        lambda done, line, paired: None, pulses=30,
    )  # fmt: skip
    assert trial.run() == []
    assert (trial.done[0].pulses, trial.done[0].lost, trial.done[0].spurious) == (30, 2, 0)
