"""How often the truth lies within the ± of a touch: 10,000 presses each on screens and clocks of every kind.

A finger comes down at a random instant. The screen is looked at so many times a second, the controller takes a while,
the browser stamps the event by a clock that goes in steps, and the message is on its way for as long as Wi-Fi likes.
"""

from __future__ import annotations

import random
from typing import NamedTuple

import pytest

from companion.adapters.web.phones.clock_steps import ClockSteps
from companion.adapters.web.phones.panel_source import USUAL_TRUST, PhoneTrust
from companion.adapters.web.phones.phone_clock import PhoneClock
from companion.adapters.web.phones.stamps import MOST_BACK_NS, Stamp, stamped
from companion.core.timing.events import MS, SECOND

pytestmark = pytest.mark.slow  # simulates thousands of presses

PRESSES = 10_000
ALL = PhoneTrust(max_error_ns=10 * SECOND)
SYNC_NS = 500 * MS


class Device(NamedTuple):
    """touch_hz: how often its screen is looked at. step_us: of its clock. is_tried: whether the page has told both."""

    touch_hz: int
    step_us: float
    is_tried: bool = True


class Played(NamedTuple):
    true_ns: int
    arrival_ns: int
    stamp: Stamp


FINE = [Device(60, 100), Device(120, 100), Device(240, 100), Device(60, 5, False), Device(60, 1000), Device(240, 1000)]
COARSE = [Device(60, 50_000 / 3, False), Device(120, 16_667), Device(60, 100_000, False)]


class Finger:
    """Presses on one device, as the box comes to know them."""

    def __init__(self, device: Device, trust: PhoneTrust, seed: int) -> None:
        self.device, self.trust, self.rng = device, trust, random.Random(seed)
        self.clock = PhoneClock()
        self.now_ns = 50 * SECOND
        if device.is_tried:
            self.clock.tried(round(device.step_us), round(1e6 / device.touch_hz))
        for _ in range(12):
            self.sync()
            self.now_ns += 50 * MS + self.rng.randrange(MS)

    def reads_us(self, t_ns: int) -> int:
        drifted_us = t_ns / 1000 + (t_ns - 50 * SECOND) * 40 / 1e9 + 777_123.4
        return round(drifted_us // self.device.step_us * self.device.step_us)

    def way_ns(self) -> int:
        """A way through Wi-Fi: mostly 1 to 4 ms, with a long tail."""
        return round((1 + self.rng.expovariate(1 / 1.5)) * MS)

    def sync(self) -> None:
        number = self.clock.ask(self.now_ns)
        there_ns = self.now_ns + self.way_ns()
        self.now_ns = there_ns + self.way_ns()
        self.clock.answer(number, self.reads_us(there_ns), self.now_ns)

    def press(self) -> Played:
        self.sync()
        self.now_ns += self.rng.randrange(SYNC_NS)
        interval_ns = SECOND // self.device.touch_hz
        true_ns = self.now_ns
        seen_ns = true_ns + self.rng.randrange(interval_ns) + self.rng.randrange(4 * MS)
        self.now_ns = seen_ns + self.way_ns()
        span = self.clock.span(self.reads_us(seen_ns), "touch", self.trust.touch)
        stamp = stamped(span, self.now_ns, self.clock.trips, self.trust.max_error_ns)
        return Played(true_ns, self.now_ns, stamp)


def played(device: Device, trust: PhoneTrust) -> list[Played]:
    finger = Finger(device, trust, seed=device.touch_hz + round(device.step_us))
    return [finger.press() for _ in range(PRESSES)]


def share_within(presses: list[Played]) -> float:
    """Of the stamps that are taken, how many have the truth within their ±."""
    taken = [one for one in presses if one.stamp.disbelieved is None]
    return sum(abs(one.stamp.t_ns - one.true_ns) <= one.stamp.error_ns for one in taken) / len(taken)


@pytest.mark.parametrize("device", FINE)
def test_the_truth_lies_within_the_stated_error_of_a_touch(device: Device) -> None:
    presses = played(device, USUAL_TRUST)
    believed = sum(one.stamp.disbelieved is None for one in presses) / PRESSES
    assert believed > 0.97
    assert share_within(presses) > 0.999
    assert all(0 <= one.arrival_ns - one.stamp.t_ns <= MOST_BACK_NS for one in presses)


@pytest.mark.parametrize("device", COARSE)
def test_a_coarse_clock_is_noticed_and_its_step_is_in_the_stated_error(device: Device) -> None:
    presses = played(device, ALL)
    assert share_within(presses) > 0.999
    assert min(one.stamp.error_ns for one in presses) > device.step_us * 1000 / 2  # one reading tells no more
    finger = Finger(device, USUAL_TRUST, seed=5)
    assert finger.clock.steps.is_coarse
    assert finger.clock.steps.step_us == pytest.approx(device.step_us, abs=4)
    counted = [finger.press() for _ in range(200)]
    arrived = [one for one in counted if one.stamp.disbelieved is not None]
    assert all(one.stamp[:2] == (one.arrival_ns, 0) for one in arrived)
    assert all(one.stamp.error_ns <= USUAL_TRUST.max_error_ns for one in counted)
    assert len(arrived) == 200 or device.step_us < 100_000


@pytest.mark.parametrize("step_us", [5, 20, 100, 1000])
def test_a_fine_clock_is_taken_for_coarse_by_nobody(step_us: int) -> None:
    rng = random.Random(step_us)
    for _ in range(300):
        steps, now_us = ClockSteps(), rng.randrange(10**9)
        for _ in range(16):
            now_us += 50_000 + rng.randrange(5_000)
            steps.feed(now_us // step_us * step_us)
        assert not steps.is_coarse


def test_a_clock_is_no_longer_taken_for_coarse_once_a_reading_lies_between_its_steps() -> None:
    steps = ClockSteps()
    for number in range(20):
        steps.feed(100_000 * number)
    assert (steps.step_us, steps.is_coarse) == (100_000, True)
    steps.feed(2_050_000)
    assert steps.step_us == 50_000
    steps.feed(2_050_333)
    assert (steps.step_us, steps.is_coarse) == (1000, False)
