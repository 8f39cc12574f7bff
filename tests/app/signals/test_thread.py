"""The thread of lamps and motors, with the test's own time: what goes out when, and what becomes of one that fails."""

from __future__ import annotations

import threading

import pytest

from companion.adapters.signals.chips import Pca9685
from companion.adapters.signals.expander import ExpanderSignals, Wired
from companion.app.signals.thread import SignalThread
from companion.core.panel import Colour
from companion.core.signals.board import Lit
from companion.core.signals.signs import Outlet, Sign
from companion.core.timing.events import MS, SECOND
from tests.app.signals.led_thread import LedThread
from tests.fakes.expanders import FakeBus, FakePca9685

RED, BLUE = Colour.RED, Colour.BLUE
WIRED = {Lit(colour, outlet): Wired(number + (8 if outlet is Outlet.MOTOR else 0))
         for number, colour in enumerate(Colour) for outlet in Outlet}  # fmt: skip
RED_LAMP, RED_MOTOR = 0, 8


class Bench(LedThread):
    """A thread on an expander. Time passes when the test says so."""

    def __init__(self, checks=True):
        self.chip = FakePca9685()
        self.bus = FakeBus({0x40: self.chip})
        self.changes: list[tuple[int, set[int]]] = []
        signals = ExpanderSignals(Pca9685(lambda _s: None), WIRED, open_bus=self.bus.open)
        signals.checks = checks
        switch = signals.switch

        def noting(on, given):
            before = self.on()
            switch(on, given)
            if self.on() != before:
                self.changes.append((self.now_ns // MS, self.on()))

        signals.switch = noting  # type: ignore[method-assign]  # it notes what comes of it
        self.signals = signals
        super().__init__([signals])
        self.start()

    def pass_(self, until_ns):
        """Let time pass, from one thing that is due to the next."""
        while self.due_ns is not None and self.due_ns <= until_ns:
            self.now_ns = self.due_ns
            self._asleep.clear()
            with self.thread._changed:
                self.thread._changed.notify()
            self.rest()
        self.now_ns = until_ns

    def on(self):
        return {output for output in range(16) if self.chip.share(output)}

    def stop(self):
        self.thread.stop()


@pytest.fixture
def bench():
    made = Bench()
    yield made
    made.stop()


def test_a_sign_goes_out_in_its_rhythm(bench):
    bench.do(bench.thread.give, Sign.YOURS, [RED])
    bench.pass_(5 * SECOND)
    assert bench.changes == [
        (0, {RED_LAMP, RED_MOTOR}), (100, {RED_LAMP}), (150, set()), (220, {RED_MOTOR}), (320, set()),
        (400, {RED_LAMP}), (550, set()),
    ]  # fmt: skip


def test_a_cue_is_felt_by_its_seat_and_seen_by_nobody(bench):
    bench.do(bench.thread.cue, BLUE, 2)
    bench.pass_(5 * SECOND)
    assert [on for _, on in bench.changes] == [{11}, set(), {11}, set()]


def test_without_anything_to_say_it_only_looks_whether_the_expander_is_there(bench):
    bench.bus.written.clear()
    bench.pass_(20 * SECOND)
    assert bench.bus.written == []
    assert bench.told == [(bench.signals.name, None)]


def test_without_anything_to_look_at_it_sleeps_without_a_timeout():
    bench = Bench(checks=False)
    assert bench.due_ns is None
    bench.do(bench.thread.give, Sign.ACCEPTED, [RED])
    bench.pass_(5 * SECOND)
    assert bench.due_ns is None
    bench.stop()


def test_one_that_goes_is_told_once_and_shows_what_lasts_when_it_is_back(bench):
    bench.do(bench.thread.show, {RED: Sign.ACCEPTED})
    bench.pass_(SECOND)
    assert bench.on() == {RED_LAMP}
    del bench.bus.chips[0x40]
    bench.pass_(9 * SECOND)
    (name, text) = bench.told[-1]
    assert name == bench.signals.name
    assert "does not answer" in text
    assert len(bench.told) == 2
    bench.do(bench.thread.give, Sign.ALARM, [RED])  # nobody can be told; nothing fails
    bench.pass_(14 * SECOND)
    bench.chip.power_on()
    bench.bus.chips[0x40] = bench.chip
    bench.pass_(18 * SECOND)
    assert bench.told[-1] == (bench.signals.name, None)
    assert bench.on() == {RED_LAMP}


def test_one_whose_power_was_away_is_set_up_again(bench):
    bench.do(bench.thread.show, {RED: Sign.ACCEPTED})
    bench.pass_(SECOND)
    bench.chip.power_on()
    assert bench.on() == set()
    bench.pass_(7 * SECOND)
    assert bench.on() == {RED_LAMP}
    assert [text is None for _, text in bench.told] == [True, False, True]


def test_one_that_is_not_there_at_the_start_is_told_and_taken_in_when_it_comes():
    bench = Bench()
    bench.stop()
    bus = FakeBus({})
    told = []
    signals = ExpanderSignals(Pca9685(lambda _s: None), WIRED, open_bus=bus.open)
    asleep = threading.Event()

    def wait(condition, _seconds):
        asleep.set()
        condition.wait()

    now_ns = [0]
    thread = SignalThread([signals], lambda *what: told.append(what), clock=lambda: now_ns[0], wait=wait)
    thread.start()
    assert asleep.wait(20)
    assert "does not answer" in told[0][1]
    bus.chips[0x40] = FakePca9685()
    asleep.clear()
    now_ns[0] = 3 * SECOND
    thread.show({RED: Sign.ACCEPTED})
    assert asleep.wait(20)
    assert told[1:] == [(signals.name, None)]
    assert bus.chips[0x40].share(RED_LAMP) == 1
    thread.stop()


def test_at_the_end_all_are_off_and_the_thread_is_gone(bench):
    bench.do(bench.thread.show, {RED: Sign.ACCEPTED})
    assert bench.on()
    bench.stop()
    assert bench.on() == set()
    assert "signals" not in {thread.name for thread in threading.enumerate()}
    bench.stop()


def test_a_thread_that_fails_leaves_no_motor_on_and_goes_on_when_it_is_begun_again(bench, monkeypatch):
    bench.do(bench.thread.cue, RED, 3)
    assert bench.on() == {RED_MOTOR}
    left, real, close = [], bench.thread._sleep, bench.signals.close

    def failing():
        monkeypatch.setattr(bench.thread, "_sleep", real)
        raise RuntimeError("as nobody expects")

    def closing():
        close()
        left.append(bench.on())

    monkeypatch.setattr(bench.thread, "_sleep", failing)
    monkeypatch.setattr(bench.signals, "close", closing)
    bench.do(bench.thread.cue, BLUE, 1)
    assert left == [set()]
    assert 11 in bench.on()
