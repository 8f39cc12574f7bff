"""Two pods whose clocks drift apart, and buttons on pins: one order, held against the truth, in virtual time."""

from __future__ import annotations

import random

import pytest

from companion.core.panel import BUTTON_BY_LABEL, Colour
from companion.core.pods.link import Bound, LineEdge
from companion.core.record.dead_heats import Ties
from companion.core.record.lines import PressLine, Seat
from companion.core.ruling.ranking import rank
from companion.core.timing.arbiter import Arbiter, LateDelivery
from companion.core.timing.contacts import LineTiming
from companion.core.timing.events import MS, SECOND, Edge, Levels, Press
from tests.core.pods.pod_rig import LinkedPod

DELAY_NS = 60 * MS
POD_LABELS = (("red first", "red fourth"), ("blue first", "blue fourth"))
PIN_LABELS = ("green first",)


class Table:
    """Two pods and a button on a pin, on one virtual clock."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.pods = [
            LinkedPod(seed, lines=2, drift_ppb=95_000, offset_ns=2**43),
            LinkedPod(seed + 1, lines=2, drift_ppb=-95_000),
        ]
        labels = [label for pod in POD_LABELS for label in pod] + list(PIN_LABELS)
        self.arbiter = Arbiter({label: LineTiming(bounce_ns=0) for label in labels}, {"pods": DELAY_NS})
        self.arbiter.feed("pods", Levels(frozenset(), frozenset(labels), self.pods[0].now_ns))
        self.given: list[Press] = []
        self.late: list[LateDelivery] = []
        self.truth: list[tuple[int, str]] = []

    @property
    def now_ns(self) -> int:
        return max(pod.now_ns for pod in self.pods)

    def run(self, until_ns: int) -> None:
        while self.now_ns < until_ns:
            for pod, labels in zip(self.pods, POD_LABELS, strict=True):
                pod.now_ns = self.now_ns
                for event in pod.turn():
                    if isinstance(event, LineEdge):
                        self.arbiter.feed("pods", Edge(labels[event.line], event.active, event.t_ns, event.error_ns))
            for told in self.arbiter.advance(self.now_ns):
                if isinstance(told, Press):
                    self.given.append(told)
                elif isinstance(told, LateDelivery):
                    self.late.append(told)

    def press(self, label: str) -> None:
        """Press a button for five milliseconds, at the clock's instant."""
        self.truth.append((self.now_ns, label))
        for closed in (True, False):
            if label in PIN_LABELS:
                self.arbiter.feed("pods", Edge(label, closed, self.now_ns + 15_000, 20_000))
            else:
                at = next(number for number, labels in enumerate(POD_LABELS) if label in labels)
                self.pods[at].now_ns = self.now_ns
                self.pods[at].change(POD_LABELS[at].index(label))
            if closed:
                self.run(self.now_ns + 5 * MS)

    def ranked(self):
        lines = []
        for press in self.given:
            button = BUTTON_BY_LABEL[press.line]
            lines.append(
                PressLine(colour=button.colour, role=button.position, t_ns=press.t_ns, error_ns=press.error_ns)
            )
        seats = [Seat(colour) for colour in (Colour.RED, Colour.BLUE, Colour.GREEN)]
        return rank(lines, seats, Colour.RED, Ties("timestamp"), 1)


@pytest.mark.parametrize("seed", range(12))
def test_presses_of_two_pods_and_a_pin_are_ordered_as_they_were_made(seed):
    table = Table(seed)
    table.run(table.now_ns + 3 * SECOND)
    order = [*table.chance.sample(["red first", "blue first", "green first"], 3)]
    for label in order:
        table.press(label)
        table.run(table.now_ns + table.chance.randint(0, 20 * MS))
    table.run(table.now_ns + SECOND)
    assert [press.line for press in table.given] == order
    assert table.late == []
    for press, (at_ns, label) in zip(table.given, table.truth, strict=True):
        assert press.line == label
        assert abs(press.t_ns - at_ns) <= press.error_ns
    assert [place.dead_heat for place in table.ranked()] == [False] * 3


def test_unplugged_and_plugged_in_again_in_the_middle_of_a_race_a_press_keeps_its_time():
    table = Table(5)
    table.run(table.now_ns + 3 * SECOND)
    west = table.pods[0]
    west.is_plugged = False
    table.press("red first")
    table.press("blue first")
    table.run(table.now_ns + 500 * MS)
    assert [press.line for press in table.given] == ["blue first"]
    west.is_plugged = True
    west.link.reconnect(table.now_ns)
    table.run(table.now_ns + SECOND)
    assert [(event.source, event.edges) for event in table.late] == [("pods", 2)]
    assert [place.colour for place in table.ranked()] == [Colour.RED, Colour.BLUE]


def test_a_pod_with_a_wide_bound_is_flagged_and_cannot_win_a_close_call():
    table = Table(9)
    east = table.pods[1]
    east.delay_ns = (15 * MS, 40 * MS)
    table.run(table.now_ns + 3 * SECOND)
    assert any(isinstance(event, Bound) and event.is_wide for event in east.events)
    pressed_ns = table.now_ns
    for pod in (east, table.pods[0]):  # a millisecond apart
        pod.now_ns = pressed_ns
        pod.change(0)
        pressed_ns += MS
    table.run(table.now_ns + SECOND)
    assert {press.line for press in table.given} == {"red first", "blue first"}
    assert [place.dead_heat for place in table.ranked()] == [True, True]
