"""`GpiodSource` above a fake of libgpiod's C layer: what the contract suite cannot provoke on real lines."""

from functools import partial
from pathlib import Path

import gpiod
import pytest

from companion.adapters.gpio import gpiod_chip, gpiod_request
from companion.adapters.gpio.gpiod_request import HOLD_NS, MOST_AT_ONCE
from companion.adapters.gpio.gpiod_source import GpiodSource
from companion.adapters.gpio.interrupt_threads import InterruptThreads
from companion.core.errors import Malformed, Unavailable
from companion.core.timing.events import MS, SECOND, Edge, Levels, SourceFault, Turned
from tests.contract.button_rigs import is_readable as is_readable_within
from tests.fakes.gpio_chip import Clock, FakeKernel
from tests.fakes.interrupt_counts import Machine

LINES = {"red first": 5, "red fourth": 6, "blue first": 7, "knob push": 22}
KNOB = (23, 24)


@pytest.fixture
def kernel(monkeypatch, tmp_path):
    return FakeKernel(monkeypatch, tmp_path)


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def chip(kernel):
    return kernel.add()


@pytest.fixture
def source(chip, clock):
    source = GpiodSource(LINES, rotary=KNOB, clock=clock)
    source.open()
    assert isinstance(source.read()[0], Levels)
    yield source
    source.close()


def press(chip, clock, number, **how):
    chip.drive(number, grounded=True, t_ns=clock(), **how)


def release(chip, clock, number, **how):
    chip.drive(number, grounded=False, t_ns=clock(), **how)


def is_readable(source):
    return is_readable_within(source, 0)


def read_settled(source, clock):
    """Read now and again after the time for which edges with a gap in their numbers are held back."""
    events = source.read()
    clock.now_ns += HOLD_NS
    return events + source.read()


def read_all(source):
    """Read for as long as the descriptor asks for it."""
    events = []
    while is_readable(source):
        events += source.read()
    return events


def told(events):
    return [(event.line, event.active) for event in events if isinstance(event, Edge)]


def faults(events):
    return [event for event in events if isinstance(event, SourceFault)]


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """The machine that counts the interrupts of lines 5 and 6."""
    machine = Machine(tmp_path / "counts")
    found = partial(InterruptThreads, proc=machine.proc, irqs=machine.irqs)
    monkeypatch.setattr(gpiod_request, "InterruptThreads", found)
    return machine


@pytest.fixture
def counted(chip, clock, machine):
    source = GpiodSource({"red first": 5, "red fourth": 6}, clock=clock)
    source.open()
    source.read()
    yield source
    source.close()


def bounce(chip, clock, number):
    """Close a contact, open it and close it again before its interrupt's thread has run; give the last one's time."""
    chip.grounded.add(number)
    (request,) = chip.of(number)
    t_ns = clock()
    request.edge(number, t_ns, interrupts=3)
    return t_ns


def test_a_press_that_others_were_merged_with_counts_from_the_middle_of_where_it_may_have_been(
    counted, chip, clock, machine
):
    """±20 µs and the time since the seat's last edge it was: at a real table half a minute."""
    clock.now_ns += 30 * SECOND
    machine.count(55, interrupts=3, ran_ns=20_000, waited_ns=60_000)
    t_ns = bounce(chip, clock, 5)
    (edge,) = read_settled(counted, clock)
    assert edge.latest_ns == t_ns
    assert (edge.latest_ns - edge.earliest_ns, edge.error_ns) == (80_000, 20_000 + 40_000)
    assert counted.longest_wait_ns == 80_000


def test_another_line_of_the_seat_is_as_certain_as_ever(counted, chip, clock, machine):
    machine.count(55, interrupts=3, ran_ns=20_000, waited_ns=60_000)
    machine.count(56, interrupts=1, ran_ns=20_000, waited_ns=60_000)
    press(chip, clock, 6)
    clock.now_ns += MS
    bounce(chip, clock, 5)
    fourth, first = read_settled(counted, clock)
    assert (fourth.line, fourth.error_ns) == ("red fourth", 20_000)
    assert first.merged_ns > 0


def test_how_long_threads_wait_stands_in_the_record_as_far_as_it_is_known(counted):
    assert counted.reading.endswith("and up to 2 ms more where it cannot count")
    counted._claims.requests[0].threads.close()
    assert counted.reading.endswith("the kernel does not tell how long interrupts' threads wait: 2 ms is assumed")


def test_each_seat_has_a_queue_and_numbers_of_its_own_as_the_times_need_it(source, chip):
    request, other = chip.requests
    assert sorted(request.offsets) == [5, 6]
    assert sorted(other.offsets) == [7, 22, 23, 24], "alone, a line has no numbers that show what was merged"
    assert (request.consumer, other.consumer) == ("companion 5", "companion 7"), "the kernel names the threads so"
    assert request.capacity == 1024
    settings = request.settings[5]
    assert settings["active_low"] is True
    assert settings["bias"] == gpiod.line.Bias.PULL_UP.value
    assert settings["edge_detection"] == gpiod.line.Edge.BOTH.value
    assert settings["event_clock"] == gpiod.line.Clock.MONOTONIC.value
    assert settings["debounce_period"] == 0


def test_the_kernels_time_stamps_are_kept_to_the_nanosecond(source, chip):
    chip.drive(5, grounded=True, t_ns=1_234_567_890_123)
    assert source.read() == [Edge("red first", True, 1_234_567_890_123, 20_000)]


def test_edges_queued_the_wrong_way_round_by_two_processors_are_sorted_and_none_is_missed(source, chip, clock):
    press(chip, clock, 5, withhold=True)
    press(chip, clock, 6)
    chip.requests[0].deliver_withheld()
    assert told(source.read()) == [("red first", True), ("red fourth", True)]
    assert source.read() == []


def test_an_edge_that_comes_a_reading_later_is_waited_for_and_makes_nothing_less_certain(source, chip, clock):
    press(chip, clock, 5, withhold=True)
    press(chip, clock, 6)
    assert source.read() == []
    assert is_readable(source), "nobody would read again"
    chip.requests[0].deliver_withheld()
    edges = source.read()
    assert [(edge.line, edge.error_ns) for edge in edges] == [("red first", 20_000), ("red fourth", 20_000)]
    assert not is_readable(source)


def test_an_edge_that_comes_too_late_to_be_waited_for_is_told_and_no_fault(source, chip, clock):
    press(chip, clock, 5, withhold=True)
    press(chip, clock, 6)
    assert told(read_settled(source, clock)) == [("red fourth", True)]
    chip.requests[0].deliver_withheld()
    (late,) = source.read()
    assert (late.line, late.active, late.error_ns) == ("red first", True, 20_000)
    clock.now_ns += 10 * source.delay_ns
    source.check()
    press(chip, clock, 7)
    assert faults(source.read()) == []


def test_a_gap_in_a_lines_numbers_is_a_fault_with_fresh_levels(source, chip, clock):
    press(chip, clock, 5, withhold=True)
    press(chip, clock, 6)
    release(chip, clock, 5)
    press(chip, clock, 5)
    *edges, fault, levels = read_settled(source, clock)
    assert told(edges)[-1] == ("red first", True)
    assert fault == SourceFault("gpiod", fault.text, fault.t_ns, lost=1, lines=("red first", "red fourth"))
    assert "1 edge was lost" in fault.text
    assert levels.active == {"red first", "red fourth"}
    press(chip, clock, 7)
    assert faults(source.read()) == []


def test_a_bounce_that_the_kernel_merged_is_no_loss_but_less_certain(source, chip, clock):
    press(chip, clock, 6)
    before_ns = clock.now_ns
    source.read()
    chip.flicker(5, t_ns=before_ns + 9 * MS)
    chip.drive(7, grounded=True, t_ns=before_ns + 10 * MS)
    events = read_settled(source, clock)
    assert faults(events) == []
    assert sorted((edge.line, edge.error_ns) for edge in events) == [
        ("blue first", 20_000),
        ("red first", 20_000 + MS),
        ("red first", 20_000 + MS),
    ]


def test_a_full_queue_whose_only_lost_edge_left_no_gap_on_its_line_is_a_fault(source, chip, clock):
    press(chip, clock, 5)
    for _ in range(512):
        press(chip, clock, 6)
        release(chip, clock, 6)
    events = read_all(source)
    (fault,) = faults(events)
    assert fault.lines == ("red first", "red fourth")
    assert "may have been lost" in fault.text
    assert events[-1].active == {"red first"}


def test_a_queue_that_ran_over_is_a_fault_with_the_number_of_lost_edges(source, chip, clock):
    for _ in range(600):
        press(chip, clock, 5)
        release(chip, clock, 5)
    press(chip, clock, 6)
    events = read_all(source)
    (fault,) = faults(events)
    assert fault.lost == 1201 - 1024
    assert isinstance(events[-1], Levels)
    assert (events[-1].active, events[-1].known) == ({"red fourth"}, {"red first", "red fourth"})
    assert source.read() == []


def test_edges_during_the_looking_again_come_after_the_levels(source, chip, clock, monkeypatch):
    request = chip.requests[0]
    real = request.get_values

    def press_while_reading(offsets, values):
        real(offsets, values)
        press(chip, clock, 6)

    press(chip, clock, 5, withhold=True)
    release(chip, clock, 5)
    monkeypatch.setattr(request, "get_values", press_while_reading)
    events = read_settled(source, clock)
    (levels,) = (event for event in events if isinstance(event, Levels))
    assert levels.active == frozenset()
    assert told(events[events.index(levels) :]) == [("red fourth", True)]


def test_a_press_while_the_lines_are_being_opened_is_told_once_with_its_time(kernel, chip, clock, monkeypatch):
    source = GpiodSource(LINES, clock=clock)
    add = kernel.open

    class PressedAtOnce:
        def __init__(self, path):
            self.real = add(path)

        def __getattr__(self, name):
            return getattr(self.real, name)

        def request_lines(self, *args):
            request = self.real.request_lines(*args)
            chip.drive(5, grounded=True, t_ns=clock())
            return request

    monkeypatch.setattr(gpiod._ext, "Chip", PressedAtOnce)
    source.open()
    levels, edge = source.read()
    assert isinstance(levels, Levels)
    assert isinstance(edge, Edge)
    assert levels.active == frozenset()
    assert (edge.line, edge.active) == ("red first", True)
    assert levels.t_ns < edge.t_ns
    source.close()


def test_a_contact_faster_than_the_interrupt_is_told_as_both_its_edges_and_since_when_it_may_be(source, chip, clock):
    clock.now_ns += 30 * MS
    t_ns = clock()
    chip.flicker(5, t_ns=t_ns)
    closed, opened = read_settled(source, clock)
    assert [(edge.line, edge.active) for edge in (closed, opened)] == [("red first", True), ("red first", False)]
    assert (closed.earliest_ns, closed.latest_ns) == (t_ns - 2 * MS, t_ns)
    assert (opened.earliest_ns, opened.latest_ns) == (t_ns + 1, t_ns + 2 * MS + 1), "it came back later"


def test_an_edge_that_waits_for_a_number_before_it_holds_back_what_is_certain(source, chip, clock):
    """The arbiter went past it: a press in time was shut out, and "came later" was noted of it."""
    press(chip, clock, 22)
    assert source.read()
    assert source.given_until_ns is None
    press(chip, clock, 5, withhold=True)
    press(chip, clock, 6)
    waiting_ns = clock.now_ns
    press(chip, clock, 7)
    release(chip, clock, 5)
    assert told(source.read()) == [("blue first", True)]
    assert source.given_until_ns == waiting_ns - 2 * MS - 1, "it may have been merged"
    clock.now_ns += 400 * MS  # the program stood still
    assert ("red fourth", True) in told(source.read())
    assert source.given_until_ns is None


def test_the_check_gives_no_edge_that_waits(source, chip, clock):
    press(chip, clock, 5, withhold=True)
    press(chip, clock, 6)
    source.check()
    assert source.read() == []
    chip.requests[0].deliver_withheld()
    assert [edge.error_ns for edge in source.read()] == [20_000, 20_000]


def test_a_flood_is_given_by_and_by_and_holds_back_only_what_it_holds(source, chip, clock):
    for _ in range(400):
        press(chip, clock, 5)
        release(chip, clock, 5)
    press(chip, clock, 7)
    flood = source.read()
    assert ("blue first", True) in told(flood)
    edges = [event for event in flood if event.line == "red first"]
    assert len(edges) == MOST_AT_ONCE
    assert edges[-1].t_ns <= source.given_until_ns + 2 * MS < edges[-1].t_ns + 2 * clock.step_ns
    assert len([event for event in flood + read_all(source) if event.line == "red first"]) == 800
    assert source.given_until_ns is None


def test_what_the_check_took_of_a_flood_makes_no_reading_longer(source, chip, clock):
    """A reading gave three times as much, once the machine was slow enough for the check to find new edges twice."""
    for _ in range(400):
        press(chip, clock, 5)
        release(chip, clock, 5)
    source.check()
    first = source.read()
    assert len(told(first)) == MOST_AT_ONCE
    assert is_readable(source)
    assert len(told(source.read())) == MOST_AT_ONCE
    assert len(told(read_all(source))) == 800 - 2 * MOST_AT_ONCE


def test_a_flood_of_one_seat_loses_no_edge_of_another(source, chip, clock):
    for _ in range(3000):
        press(chip, clock, 5)
        release(chip, clock, 5)
    press(chip, clock, 7)
    events = read_all(source)
    (edge,) = (event for event in events if isinstance(event, Edge) and event.line == "blue first")
    assert edge.error_ns == 20_000
    assert [fault.lines for fault in faults(events)] == [("red first", "red fourth")]
    assert [levels.known for levels in events if isinstance(levels, Levels)] == [{"red first", "red fourth"}]


def test_a_loss_that_goes_on_is_told_once_a_second(source, chip, clock):
    events = []
    for _ in range(40):
        for _ in range(1000):
            press(chip, clock, 5)
            release(chip, clock, 5)
        events += source.read()
    span_s = (clock.now_ns - events[0].t_ns) / SECOND
    assert 2 <= len(faults(events)) <= span_s + 1
    rest = read_all(source)
    assert isinstance(rest[-1], Levels)
    assert sum(fault.lost for fault in faults(events + rest)) + len(told(events + rest)) == 80_000


def test_what_is_left_in_the_kernels_queue_is_not_given_out_for_certain(source, chip, clock):
    for _ in range(5):
        for _ in range(500):
            press(chip, clock, 5)
            release(chip, clock, 5)
        source.read()
    begun_ns = clock.now_ns
    press(chip, clock, 6)
    source.read()
    assert source.given_until_ns < begun_ns


def test_the_knobs_turns_come_with_their_time_and_its_lines_do_not(source, chip, clock):
    for number, is_grounded in ((23, True), (24, True), (23, False), (24, False)):
        chip.drive(number, grounded=is_grounded, t_ns=clock())
    t_ns = clock.now_ns
    assert source.read() == [Turned(1, t_ns)]
    for number, is_grounded in ((24, True), (23, True), (24, False), (23, False)):
        t_ns = clock()
        chip.drive(number, grounded=is_grounded, t_ns=t_ns)
    assert source.read() == [Turned(-1, t_ns)]


def test_the_knobs_push_is_a_line_like_a_button(source, chip, clock):
    press(chip, clock, 22)
    assert told(source.read()) == [("knob push", True)]


def test_a_chip_that_vanishes_is_one_fault_and_can_be_opened_again(source, chip, clock):
    press(chip, clock, 5)
    source.read()
    chip.vanish()
    (fault,) = source.read()
    assert "does not answer any more" in fault.text
    assert source.is_gone
    assert source.read() == []
    source.check()
    assert source.read() == []
    with pytest.raises(Unavailable):
        GpiodSource(LINES).open()
    chip.is_gone = False
    source.close()
    source.open()
    assert source.read()[0].active == {"red first"}
    assert not source.is_gone


def test_a_chip_that_vanishes_unheard_is_found_by_the_check(source, chip):
    chip.is_gone = True
    source.check()
    assert [fault.source for fault in source.read()] == ["gpiod"]


def test_an_interrupt_that_never_came_is_found_by_the_check(source, chip, clock):
    chip.grounded.add(5)
    source.check()
    assert source.read() == []
    clock.now_ns += 2 * source.delay_ns
    source.check()
    fault, levels = source.read()
    assert fault.text == "missed an edge of red first"
    assert levels.active == {"red first"}
    clock.now_ns += 2 * source.delay_ns
    source.check()
    assert source.read() == []


def test_descriptors_are_given_back(kernel, chip, clock):
    source = GpiodSource(LINES, clock=clock)
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(3):
        source.open()
        source.read()
        source.close()
    assert len(list(Path("/proc/self/fd").iterdir())) == before


class TestFindingTheChip:
    @pytest.mark.parametrize("label", ["pinctrl-bcm2835", "pinctrl-bcm2711", "pinctrl-rp1"])
    def test_by_the_labels_of_all_pis(self, kernel, label):
        kernel.add("gpiochip10", label="gpio-brcmstb@107d508500", num_lines=32)
        wanted = kernel.add("gpiochip4", label=label)
        assert gpiod_chip.find_chip(None, 28).path == wanted.path

    @pytest.mark.parametrize("how", ["path", "name", "label"])
    def test_by_what_the_configuration_says(self, kernel, how):
        kernel.add("gpiochip0")
        wanted = kernel.add("gpiochip1", label="expander", num_lines=30)
        assert gpiod_chip.find_chip(getattr(wanted, how), 28).path == wanted.path

    def test_a_link_to_a_chip_is_not_a_second_one(self, kernel, tmp_path):
        chip = kernel.add("gpiochip0", label="pinctrl-rp1")
        (tmp_path / "gpiochip4").symlink_to(chip.path)
        assert gpiod_chip.find_chip(None, 28).path == chip.path
        assert gpiod_chip.find_chip(str(tmp_path / "gpiochip4"), 28).path == chip.path

    def test_of_two_with_one_label_the_one_with_the_headers_names(self, kernel):
        kernel.add("gpiochip0", label="pinctrl-rp1")
        header = kernel.add("gpiochip1", label="pinctrl-rp1", names={"ID_SDA": 0})
        assert gpiod_chip.find_chip(None, 28).path == header.path

    def test_two_that_cannot_be_told_apart_are_named(self, kernel):
        kernel.add("gpiochip0")
        kernel.add("gpiochip1")
        with pytest.raises(Unavailable, match=r"gpiochip0.*gpiochip1.*configuration"):
            gpiod_chip.find_chip(None, 28)

    def test_none_at_all(self, kernel):
        with pytest.raises(Unavailable, match="--simulate"):
            gpiod_chip.find_chip(None, 28)

    def test_only_others_are_listed(self, kernel):
        kernel.add("gpiochip0", label="gpio-mockup")
        with pytest.raises(Unavailable, match=r"gpiochip0 \(gpio-mockup\)"):
            gpiod_chip.find_chip(None, 28)

    def test_no_permission_names_the_group(self, kernel):
        kernel.add("gpiochip0", is_denied=True)
        with pytest.raises(Unavailable, match="group gpio"):
            gpiod_chip.find_chip(None, 28)

    def test_a_line_number_out_of_range(self, kernel):
        kernel.add("gpiochip0", num_lines=28)
        with pytest.raises(Unavailable, match="GPIO 0 to 27, and GPIO 40 is asked for"):
            GpiodSource({"red first": 40}).open()

    def test_a_line_in_use_names_who_has_it(self, kernel):
        kernel.add("gpiochip0", consumers={6: "spi0 CS1"})
        with pytest.raises(Unavailable, match=r"GPIO 6 \(red fourth\) is in use by 'spi0 CS1'"):
            GpiodSource(LINES).open()

    def test_libgpiod_1_is_told_from_2(self, monkeypatch):
        monkeypatch.delattr(gpiod, "LineSettings")
        with pytest.raises(Unavailable, match=r"2\.2 or newer"):
            gpiod_chip.load_gpiod()


def test_two_lines_on_one_gpio_are_refused_by_name():
    with pytest.raises(Malformed, match="GPIO 5 is given to both red first and blue first"):
        GpiodSource({"red first": 5, "blue first": 5})
    with pytest.raises(Malformed, match="knob b"):
        GpiodSource({"red first": 5}, rotary=(4, 5))
