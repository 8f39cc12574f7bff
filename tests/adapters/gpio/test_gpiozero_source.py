"""`GpiozeroSource` on mock pins, and lgpio's own thread fed by hand: a guard for each thing that went wrong there."""

import os
import select
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.adapters.gpio.gpiozero_source import MOST_AT_ONCE, GpiozeroSource, _Crossing, to_ns
from companion.adapters.gpio.pin_factory import TIMINGS, OpenFactory, open_factory
from companion.adapters.gpio.reports import HOLD_NS
from companion.core.errors import Malformed, Unavailable
from companion.core.timing.events import MS, SECOND, Edge, Levels, SourceFault, Turned
from tests.fakes.gpio_chip import Clock
from tests.fakes.interrupt_counts import MERGE_NS, Machine

LINES = {"red first": 5, "red fourth": 6, "knob push": 22}
KNOB = (23, 24)


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def source(clock):
    source = GpiozeroSource(LINES, rotary=KNOB, factory="mock", clock=clock)
    source.open()
    assert isinstance(source.read()[0], Levels)
    yield source
    source.close()


def pin(source, number):
    return source.pins.factory.pin(number)


def is_readable(source):
    poll = select.poll()
    poll.register(source.fileno(), select.POLLIN)
    return bool(poll.poll(0))


@pytest.fixture
def lossy(clock, monkeypatch):
    """A source whose factory drops edges when it is late, as lgpio does."""
    monkeypatch.setitem(TIMINGS, "mock", TIMINGS["lgpio"])
    source = GpiozeroSource(LINES, factory="mock", clock=clock)
    source.open()
    source.read()
    yield source
    source.close()


def report(source, line, t_ns, *, low):
    source._devices[line]._changed(t_ns / SECOND, not low)


def test_first_edges_that_lgpio_lost_are_told_and_what_is_left_says_since_when_it_may_have_been(lossy, clock):
    """Stopped for 300 ms while a switch bounced: eight of ten races had the wrong first, and ±20 µs."""
    clock.step_ns = 1_000
    report(lossy, "red fourth", clock.now_ns // 1000 * 1000, low=True)
    known_ns = clock.now_ns
    assert [edge.error_ns for edge in lossy.read()] == [120_000]
    first_left_ns = (known_ns + 5 * MS) // 1000 * 1000
    clock.now_ns += 300 * MS
    for n in range(16):
        report(lossy, "red first", first_left_ns + n * 500_000, low=n % 2 == 1)
    events = lossy.read()
    edge, *_, fault = events
    assert (edge.line, edge.latest_ns) == ("red first", first_left_ns)
    assert edge.lost_since_ns is not None
    assert edge.lost_since_ns < known_ns
    assert isinstance(fault, SourceFault)
    assert fault.lines == ("red first",)
    assert "may have been lost" in fault.text


def test_an_edge_that_lgpio_reports_late_waits_for_what_may_follow_and_holds_back_what_is_certain(lossy, clock):
    clock.step_ns = 1_000
    t_ns = clock.now_ns // 1000 * 1000
    clock.now_ns += 4 * MS
    report(lossy, "red first", t_ns, low=True)
    assert lossy.read() == []
    assert lossy.given_until_ns == t_ns - 1
    assert is_readable(lossy), "nobody would read again"
    clock.now_ns += HOLD_NS + 4 * MS
    assert lossy.read() == [Edge("red first", True, t_ns, 120_000)]
    assert lossy.given_until_ns is None
    assert not is_readable(lossy)


def test_the_check_judges_no_edge_too_early(lossy, clock):
    """It comes right after the program stood still, when the reports of what was left are still on their way."""
    clock.step_ns = 1_000
    clock.now_ns += 300 * MS
    t_ns = (clock.now_ns - 200 * MS) // 1000 * 1000
    report(lossy, "red first", t_ns, low=True)
    lossy.check()
    assert lossy.read() == []
    clock.now_ns += HOLD_NS + 100 * MS
    for n in range(1, 16):
        report(lossy, "red first", t_ns + n * 500_000, low=n % 2 == 0)
    edge, *_, fault = lossy.read()
    assert edge.lost_since_ns is not None
    assert fault.lines == ("red first",)


@given(st.integers(0, 100 * 365 * 24 * 3600 * SECOND))
def test_the_kernels_nanoseconds_come_back_from_gpiozeros_float_within_a_microsecond(tick):
    assert abs(to_ns(tick / 1_000_000_000) - tick) < 1000


@given(st.integers(0, 10_000_000 * SECOND))
def test_and_within_four_nanoseconds_for_the_first_hundred_days(tick):
    assert abs(to_ns(tick / 1_000_000_000) - tick) <= 4


def test_the_factorys_own_stamp_is_kept(source):
    source._devices["red first"]._changed(1234.567890123, False)
    assert source.read() == [Edge("red first", True, 1_234_567_890_123, 20_000)]


def test_reports_that_come_late_are_sorted_by_their_stamps(source):
    source._devices["red fourth"]._changed(2000.2, False)
    source._devices["red first"]._changed(2000.1, False)
    assert [edge.line for edge in source.read()] == ["red first", "red fourth"]


def test_no_pin_ever_has_a_bounce_time(source):
    for device in source._devices.values():
        assert device.pin.bounce is None
        assert device.pin.edges == "both"
        assert device.pull_up is True


def test_no_exception_leaves_the_handler_and_the_failure_is_told(source):
    crossing = source._crossing
    crossing.reports = None
    source._devices["red first"]._changed(1.0, False)
    assert "append" in crossing.failures[0]


def test_a_failure_in_the_handler_becomes_a_fault(source):
    source._crossing.failures.append("MemoryError()")
    (fault,) = source.read()
    assert isinstance(fault, SourceFault)
    assert "MemoryError()" in fault.text


def test_a_report_on_its_way_while_closing_touches_no_foreign_descriptor():
    crossing = _Crossing()
    crossing.close()
    crossing.put(1.0, "red first", False)
    assert "file descriptor" in crossing.failures[0]


def test_reports_while_nobody_reads_are_kept_however_many(source):
    for _ in range(3000):
        pin(source, 5).drive_low()
        pin(source, 5).drive_high()
    events = source.read()
    assert sum(isinstance(event, Edge) for event in events) == MOST_AT_ONCE
    assert events[-1].t_ns <= source.given_until_ns
    while is_readable(source):
        events += source.read()
    assert sum(isinstance(event, Edge) for event in events) == 6000
    assert source.given_until_ns is None


def test_what_the_check_took_makes_no_reading_longer(source):
    for _ in range(1500):
        pin(source, 5).drive_low()
        pin(source, 5).drive_high()
    source.check()
    assert sum(isinstance(event, Edge) for event in source.read()) == MOST_AT_ONCE
    assert is_readable(source)


def test_no_report_is_missed_while_some_wait_to_be_taken(source, clock):
    """Levels are held against what was told only once all of it has been."""
    for _ in range(1500):
        pin(source, 5).drive_low()
        pin(source, 5).drive_high()
    pin(source, 6)._state = False
    source.check()
    clock.now_ns += source.delay_ns + MS
    source.check()
    events = source.read()
    while is_readable(source):
        events += source.read()
    assert not [event for event in events if isinstance(event, SourceFault)]
    clock.now_ns += source.delay_ns + MS
    source.check()
    clock.now_ns += source.delay_ns + MS
    source.check()
    (fault,) = [event for event in source.read() if isinstance(event, SourceFault)]
    assert fault.lines == ("red fourth",)


def test_a_lost_report_is_found_by_the_check_after_the_stated_delay(source, clock):
    pin(source, 5)._state = False
    source.check()
    assert not is_readable(source)
    clock.now_ns += source.delay_ns + MS
    source.check()
    assert is_readable(source)
    fault, levels = source.read()
    assert "missed a report of red first" in fault.text
    assert levels.active == {"red first"}
    assert not is_readable(source)


def test_a_report_that_was_only_late_is_no_fault(source, clock):
    pin(source, 5)._state = False
    source.check()
    source._devices["red first"]._changed(clock.now_ns / SECOND, False)
    clock.now_ns += source.delay_ns + MS
    source.check()
    assert [type(event) for event in source.read()] == [Edge]


def test_a_state_read_after_two_changes_is_told_as_both(source, clock):
    clock.now_ns += 30 * MS
    t_ns = clock() // 1000 * 1000
    source._devices["red first"]._changed(t_ns / SECOND, True)
    first, second = source.read()
    assert (first.active, second.active) == (True, False)
    assert (first.earliest_ns, first.latest_ns) == (t_ns - 2 * MS, t_ns)
    assert (second.earliest_ns, second.latest_ns) == (t_ns + 1, t_ns + 2 * MS + 1)


def test_the_knob_is_decoded_in_the_readers_thread(source):
    for number, is_low in ((23, True), (24, True), (23, False), (24, False)):
        (pin(source, number).drive_low if is_low else pin(source, number).drive_high)()
    (turned,) = source.read()
    assert isinstance(turned, Turned)
    assert turned.steps == 1


def test_a_pin_that_another_device_has_is_named():
    first = GpiozeroSource({"red first": 5}, factory="mock")
    first.open()
    assert first.pins is not None
    factory = first.pins.factory

    class SameFactory(GpiozeroSource):
        pass

    second = SameFactory({"blue first": 5}, factory="mock")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            "companion.adapters.gpio.gpiozero_source.open_factory", lambda *_, **__: OpenFactory("mock", factory)
        )
        with pytest.raises(Unavailable, match=r"GPIO 5 \(blue first\) cannot be had: .*already in use"):
            second.open()
    first.close()


@pytest.fixture
def counted(clock, tmp_path):
    """A source on lgpio, as far as its times go, and the machine that counts its interrupts."""
    source = GpiozeroSource({"red first": 5, "red fourth": 6}, factory="mock", clock=clock)
    source.open()
    source.read()
    assert source.pins is not None
    machine, source.pins = Machine(tmp_path), OpenFactory("lgpio", source.pins.factory)
    source._threads = machine.threads(still_ns=TIMINGS["lgpio"].delay_ns)
    yield source, machine
    source.close()


def test_a_report_that_stands_for_several_interrupts_may_have_been_as_much_earlier_as_the_thread_waited(counted, clock):
    source, machine = counted
    clock.now_ns += MS
    t_ns = clock.now_ns // 1000 * 1000
    machine.count(55, interrupts=3, ran_ns=100_000, waited_ns=300_000)
    machine.count(56, interrupts=1, ran_ns=100_000, waited_ns=900_000)
    report(source, "red first", t_ns, low=True)
    report(source, "red fourth", t_ns, low=True)
    red, fourth = source.read()
    assert (red.line, red.earliest_ns, red.latest_ns) == ("red first", t_ns - 400_000, t_ns)
    assert (fourth.line, fourth.merged_ns) == ("red fourth", 0), "it is the only one of its line"
    assert source.longest_wait_ns == 1_000_000


def test_a_report_that_came_late_may_stand_for_others_whatever_is_counted(counted, clock):
    source, machine = counted
    clock.now_ns += SECOND
    t_ns = clock.now_ns // 1000 * 1000
    machine.count(55, interrupts=1, ran_ns=0, waited_ns=0)
    report(source, "red first", t_ns, low=True)
    clock.now_ns += 2 * TIMINGS["lgpio"].delay_ns
    read_ns = clock.now_ns
    edge = next(event for event in source.read() if isinstance(event, Edge))
    assert (edge.earliest_ns, edge.latest_ns) == (t_ns - 2 * MERGE_NS, t_ns)
    assert edge.lost_since_ns is not None
    late_ns = read_ns - t_ns
    assert t_ns - late_ns - MS <= edge.lost_since_ns <= t_ns - late_ns, "for as long as it was late"


@pytest.mark.parametrize("name", ["rpigpio", "native"])
def test_factories_that_take_the_time_themselves_say_so(name):
    source = GpiozeroSource(LINES, factory=name)
    assert source.error_ns == 5 * MS
    assert source.remark is not None
    assert "±5 ms" in source.remark


def test_lgpio_hands_on_the_kernels_time_and_says_what_it_cannot_know():
    source = GpiozeroSource(LINES, factory="lgpio")
    assert source.error_ns == 120_000
    assert source.remark is not None
    assert "numbers no edge" in source.remark
    assert source.delay_ns == TIMINGS["lgpio"].delay_ns > 81 * MS


def test_stated_values_can_be_set():
    source = GpiozeroSource(LINES, factory="rpigpio", delay_ns=7, error_ns=8)
    assert (source.delay_ns, source.error_ns) == (7, 8)


def test_without_a_pi_every_factory_says_why_it_cannot():
    with pytest.raises(Unavailable, match=r"lgpio: .*rpigpio: .*native: .*--simulate"):
        GpiozeroSource(LINES).open()


@pytest.mark.parametrize("name", ["pigpio", "gpiod", ""])
def test_factories_that_cannot_read_buttons_are_refused(name):
    with pytest.raises(Malformed, match="auto, lgpio, rpigpio, native, mock"):
        GpiozeroSource(LINES, factory=name)


def test_closing_one_factory_leaves_anothers_pins_alone():
    shared = {"GPIO27": "the buzzer's"}

    class Local:
        def __init__(self):
            self.pins = shared

        def close(self):
            assert not self.pins

    OpenFactory("lgpio", Local()).close()
    assert shared == {"GPIO27": "the buzzer's"}


def test_closing_rpi_gpio_does_not_free_every_pin_of_the_process():
    closed = []

    class Factory:
        def close(self):
            closed.append("all")

    class Held:
        def close(self):
            closed.append("its own")

    opened = OpenFactory("rpigpio", Factory())
    opened.factory.pins["GPIO5"] = Held()
    opened.close()
    assert closed == ["its own"]


def test_an_unknown_factory_is_refused_by_name():
    with pytest.raises(Malformed, match="'pigpio'"):
        open_factory("pigpio")


def run_with_lgpio(tmp_path, script):
    """Run a script in a process of its own: lgpio starts its thread and makes its pipe when it is imported."""
    prelude = f"""
    import os, struct, sys, threading
    from pathlib import Path
    from companion.adapters.gpio.pin_factory import load_lgpio, _guarded
    from companion.adapters.gpio.gpiozero_source import _Crossing
    os.chdir("/proc")
    work_dir = Path({str(tmp_path / "lgpio")!r})
    lgpio = load_lgpio(work_dir)
    def report(tick, gpio, level):
        with open(work_dir / f".lgd-nfy{{lgpio._notify_thread._notify}}", "wb") as pipe:
            pipe.write(struct.pack("QBBBBI", tick, 0, gpio, level, 0, 0))
    """
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
    environment.pop("LG_WD", None)
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", textwrap.dedent(prelude) + textwrap.dedent(script)],
        env=environment, capture_output=True, text=True, timeout=30, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_lgpio_is_imported_where_nothing_can_be_written_and_the_working_directory_stays(tmp_path):
    out = run_with_lgpio(tmp_path, "print(os.getcwd(), os.environ['LG_WD'])")
    assert out.split() == ["/proc", str(tmp_path / "lgpio")]


def test_lgpios_thread_outlives_a_handler_that_cannot_take_a_report(tmp_path):
    script = """
    crossing = _Crossing()
    done = threading.Event()
    lgpio.callback(0, 5, lgpio.BOTH_EDGES, lambda chip, gpio, level, tick: crossing.put(tick / 1e9, "red first", level))
    lgpio.callback(0, 6, lgpio.BOTH_EDGES, lambda *report: done.set())
    whole, crossing.reports = crossing.reports, None
    report(1_000_000_000, 5, 0)
    report(1_000_000_001, 6, 0)
    assert done.wait(20), "the thread did not live to give the next report"
    crossing.reports = whole
    done.clear()
    report(2_000_000_000, 5, 0)
    report(2_000_000_001, 6, 0)
    assert done.wait(20)
    assert lgpio._notify_thread.is_alive()
    print(len(crossing.failures), crossing.take())
    """
    out = run_with_lgpio(tmp_path, script)
    assert out.startswith("1 [Report(came_ns=")
    assert "RawEdge(t_ns=2000000000, line='red first', active=True" in out


def test_lgpios_thread_outlives_gpiozeros_own_stumble_over_a_closing_pin(tmp_path):
    script = """
    from gpiozero.pins.lgpio import LGPIOPin
    pin = object.__new__(_guarded(LGPIOPin))
    pin._when_changed = None
    done = threading.Event()
    lgpio.callback(0, 5, lgpio.BOTH_EDGES, pin._call_when_changed)
    lgpio.callback(0, 6, lgpio.BOTH_EDGES, lambda *report: done.set())
    report(1_000_000_000, 5, 0)
    report(1_000_000_001, 6, 0)
    assert done.wait(20)
    """
    run_with_lgpio(tmp_path, script)


def test_a_dead_lgpio_thread_is_replaced_at_the_next_opening(tmp_path):
    script = """
    threading.excepthook = lambda *_: None
    def fail(*report):
        raise ValueError("a foreign handler")
    lgpio.callback(0, 5, lgpio.BOTH_EDGES, fail)
    dead = lgpio._notify_thread
    report(1_000_000_000, 5, 0)
    dead.join(20)
    assert not dead.is_alive()
    assert load_lgpio(work_dir) is lgpio
    done = threading.Event()
    lgpio.callback(0, 6, lgpio.BOTH_EDGES, lambda *report: done.set())
    report(2_000_000_000, 6, 0)
    assert done.wait(20)
    """
    run_with_lgpio(tmp_path, script)


def test_a_dead_lgpio_thread_is_named_as_the_cause(source, clock, monkeypatch):
    monkeypatch.setattr(source.pins, "is_reporting", lambda: False)
    pin(source, 5)._state = False
    source.check()
    clock.now_ns += source.delay_ns + MS
    source.check()
    assert "thread has ended, all buttons are dead" in source.read()[0].text
