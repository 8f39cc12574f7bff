"""Pods on pseudo-terminals: plugging, faults, assignment, bounds; beside what the contract asks of every source."""

from __future__ import annotations

import errno
import os
import time
from pathlib import Path

import pytest
import serial

from companion.adapters.pods.interpreter import Assigned
from companion.adapters.pods.ports import find_pods, open_port
from companion.adapters.pods.source import PodsSource
from companion.core.errors import Unavailable
from companion.core.pods.link import PodLink
from companion.core.timing.events import MS, Edge, Levels, SourceEvent, SourceFault
from companion.core.timing.host_clocks import ClockReading
from tests.contract.button_rigs import is_readable
from tests.fakes.wired_pico import WiredPico

RED = ("red first", "red second", "red third", "red fourth")
BLUE = ("blue first", "blue second", "blue third", "blue fourth")
WEST, EAST = b"\1west\0\0\0", b"\2east\0\0\0"


@pytest.fixture
def wired(tmp_path):
    made = []

    def make(name="pod", **board):
        pico = WiredPico(**board)
        pico.name(tmp_path / name)
        made.append(pico)
        return pico

    yield make
    for pico in made:
        pico.close()


@pytest.fixture
def opened():
    made = []

    def make(*arguments, **settings):
        source = PodsSource(*arguments, **settings)
        made.append(source)
        source.open()
        return source

    yield make
    for source in made:
        source.close()


def wait_for(source, what, patience_s=15.0):
    """Read until an event fulfils `what`; gives all events of these reads, that one last."""
    until = time.monotonic() + patience_s
    events = list[SourceEvent]()
    while time.monotonic() < until:
        source.check()
        if is_readable(source, 0.2):
            came = source.read()
            for event in came:
                if what(event):
                    return [*events, *(other for other in came if other is not event), event]
            events += came
    raise AssertionError(f"nothing of the kind came; only {events}")


def wait_until(condition, patience_s=15.0):
    """Wait for what another thread does."""
    until = time.monotonic() + patience_s
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.001)


def edge_of(label):
    return lambda event: isinstance(event, Edge) and event.line == label


def fault_with(text):
    return lambda event: isinstance(event, SourceFault) and text in event.text


def test_two_pods_with_clocks_of_their_own_are_ordered_together(wired, opened):
    west = wired("west", unique_id=WEST, drift_ppb=90_000, offset_ns=2**40)
    east = wired("east", unique_id=EAST, drift_ppb=-90_000)
    source = opened(
        {WEST.hex(): Assigned("west", RED), EAST.hex(): Assigned("east", BLUE)}, ports=[west.path, east.path]
    )
    known = [event.known for event in source.read() if isinstance(event, Levels)]  # a busy machine has more to say
    assert frozenset().union(*known) == {*RED, *BLUE}
    for number in range(8):
        pod, labels = ((west, RED), (east, BLUE))[number % 2]
        before_ns = time.monotonic_ns()
        pod.pico.contact(number // 2, closed=True)
        after_ns = time.monotonic_ns()
        *_, edge = wait_for(source, edge_of(labels[number // 2]))
        assert before_ns - edge.error_ns <= edge.t_ns <= after_ns + edge.error_ns


def test_a_pod_is_placed_on_a_clock_that_is_being_corrected(wired, opened):
    """The pod's clock and RAW are this machine's; CLOCK_MONOTONIC is made to run 5 % fast beside them."""
    west, begun_ns = wired(unique_id=WEST), time.monotonic_ns()

    def slewed_ns():
        now_ns = time.monotonic_ns()
        return now_ns + (now_ns - begun_ns) // 20

    def read_clocks():
        raw_ns, t_ns = time.monotonic_ns(), slewed_ns()
        return ClockReading(t_ns, raw_ns, time.monotonic_ns())

    source = opened({WEST.hex(): Assigned("west", RED)}, ports=[west.path], clock=slewed_ns, read_clocks=read_clocks)
    for number in range(8):
        before_ns = slewed_ns()
        west.pico.contact(number // 2, closed=number % 2 == 0)
        after_ns = slewed_ns()
        *others, edge = wait_for(source, edge_of(RED[number // 2]))
        assert before_ns - edge.error_ns <= edge.t_ns <= after_ns + edge.error_ns
        assert edge.disbelieved is None
        assert not [fault for fault in others if isinstance(fault, SourceFault) and "clock" in fault.text]


def test_a_pod_whose_edges_are_dated_after_they_came_is_told_of_and_its_presses_count_from_their_arrival(wired, opened):
    west, alarms = wired(unique_id=WEST), []
    ahead_ns = 10_000 * MS  # longer than any machine is late
    source = opened(
        {WEST.hex(): Assigned("west", RED)}, ports=[west.path], on_alarm=lambda key, text: alarms.append((key, text))
    )
    with west.pico.lock:
        note = west.pico.pod.ring.note

        def date_late(head, now, wraps):
            ring = west.pico.pod.ring
            before = ring._noted
            note(head, now, wraps)
            for seq in range(before, head):
                ring.stamps[seq & 1023] += ahead_ns // 1000

        west.pico.pod.ring.note = date_late
    west.pico.contact(0, closed=True)
    events = wait_for(source, fault_with("after it came"))
    (edge,) = [event for event in events if isinstance(event, Edge)]
    assert edge.t_ns <= time.monotonic_ns()
    assert edge.disbelieved is not None
    assert "after it came" in edge.disbelieved.why
    says = next(text for key, text in reversed(alarms) if key.startswith("clock of"))  # a late machine has more to tell
    assert "pod west" in says


def test_unplugged_and_plugged_in_again_in_play(wired, opened):
    west = wired(unique_id=WEST)
    alarms = []
    source = opened(
        {WEST.hex(): Assigned("west", RED)}, ports=[west.path], on_alarm=lambda key, text: alarms.append(text)
    )
    assert isinstance(source.read()[0], Levels)
    west.unplug()
    wait_for(source, fault_with("gone"))
    west.pico.contact(2, closed=True)  # pressed while the cable was out: the pod kept it
    west.plug()
    events = wait_for(source, edge_of("red third"))
    assert any(fault_with("west is back")(event) for event in events)
    assert not any(isinstance(event, Levels) for event in events), "the same boot: nothing has been missed"
    assert alarms[-1] is None
    assert "gone" in alarms[0]
    west.pico.contact(2, closed=False)
    (release,) = [event for event in wait_for(source, edge_of("red third")) if isinstance(event, Edge)]
    assert release.active is False


def test_a_pod_that_lost_its_power_tells_its_levels_anew(wired, opened):
    west = wired(unique_id=WEST)
    source = opened({WEST.hex(): Assigned("west", RED)}, ports=[west.path])
    source.read()
    west.unplug(power=True)
    west.pico.pins[1].level = 0
    west.pico.boot()
    west.plug()
    *_, levels = wait_for(source, lambda event: isinstance(event, Levels))
    assert levels.active == {"red second"}
    assert levels.known == set(RED)


def test_a_pod_plugged_in_after_the_start_is_taken_in(wired, opened, tmp_path):
    ports = list[Path]()
    source = opened({WEST.hex(): Assigned("west", RED)}, find=lambda: list(ports))
    (levels,) = source.read()
    assert levels.known == frozenset()
    west = wired(unique_id=WEST)
    ports.append(west.path)
    *_, levels = wait_for(source, lambda event: isinstance(event, Levels))
    assert levels.known == set(RED)
    west.pico.contact(3, closed=True)
    wait_for(source, edge_of("red fourth"))


def test_a_pod_nobody_has_assigned_is_named_and_gives_no_edges(wired, opened):
    west = wired(unique_id=WEST)
    source = opened({}, ports=[west.path])
    _, fault = source.read()
    assert WEST.hex() in fault.text
    assert "companion pods assign" in fault.text
    west.pico.contact(0, closed=True)
    wait_until(lambda: west.pico.pod.ring.state[1] == 1)  # it need not be kept
    assert source.read() == []


def test_lines_without_a_button_give_no_edges(wired, opened):
    west = wired(unique_id=WEST)
    source = opened({WEST.hex(): Assigned("west", (None, "red first"))}, ports=[west.path])
    (levels,) = source.read()
    assert levels.known == {"red first"}
    for line in (0, 3, 1):
        west.pico.contact(line, closed=True)
    *before, edge = wait_for(source, edge_of("red first"))
    assert before == []
    assert edge.active


def test_edges_are_forgotten_by_the_pod_only_once_they_were_read(wired, opened):
    west = wired(unique_id=WEST)
    assigned = {WEST.hex(): Assigned("west", RED)}
    source = opened(assigned, ports=[west.path])
    source.read()
    west.pico.contact(0, closed=True)
    assert is_readable(source)
    assert west.pico.pod.ring.state[1] == 0
    source.close()  # as a program that is killed: never read
    again = opened(assigned, ports=[west.path])
    levels, edge = again.read()
    assert levels.active == frozenset()
    assert edge.line == "red first"
    again.close()
    wait_until(lambda: west.pico.pod.ring.state[1] == 1)
    third = opened(assigned, ports=[west.path])
    (levels,) = third.read()
    assert levels.active == {"red first"}


def test_a_device_that_is_no_pod_is_said_to_be_one(wired, opened):
    west = wired(unique_id=WEST)
    west.pico.pod.step = lambda: west.pico.outbox.extend(b"$GPGGA,nonsense\r\n\0")
    source = opened({WEST.hex(): Assigned("west", RED)}, ports=[west.path])
    _, fault = source.read()
    assert "says what no pod says" in fault.text
    assert "companion pods install" in fault.text


def test_noise_in_play_is_reported_and_loses_nothing(wired, opened):
    west = wired(unique_id=WEST)
    source = opened({WEST.hex(): Assigned("west", RED)}, ports=[west.path])
    source.read()
    west.say(b"\0".join([b"\x03ab", b"\xffrubbish"] * 8) + b"\0")
    west.pico.contact(1, closed=True)
    events = wait_for(source, fault_with("garbled"))
    if not any(edge_of("red second")(event) for event in events):
        wait_for(source, edge_of("red second"))


def test_lamps_follow_the_labels(wired, opened):
    west = wired(unique_id=WEST)
    source = opened({WEST.hex(): Assigned("west", RED)}, ports=[west.path])
    source.show_lamps(["red first", "blue first"])
    wait_until(lambda: west.pico.lamps[0].level)
    assert [lamp.level for lamp in west.pico.lamps] == [1, 0, 0, 0]


def test_bounds_are_told_by_name(wired, opened):
    west = wired(unique_id=WEST)
    source = opened({WEST.hex(): Assigned("west", RED)}, ports=[west.path])
    (bound_ns,) = source.bounds_ns().values()
    assert source.bounds_ns().keys() == {"west"}
    assert bound_ns > 100_000


@pytest.mark.parametrize(
    ("number", "advice"),
    [
        (errno.ENOENT, "plug it in"),
        (errno.EACCES, "group dialout"),
        (errno.EBUSY, "held by another program"),
        (errno.EAGAIN, "held by another program"),
        (errno.ENOTTY, "cannot be opened as a serial port"),
    ],
)
def test_a_port_that_cannot_be_opened_says_why_and_what_to_do(monkeypatch, tmp_path, number, advice):
    def refuse(*_, **__):
        raise serial.SerialException(number, os.strerror(number))

    monkeypatch.setattr(serial, "Serial", refuse)
    with pytest.raises(Unavailable, match=advice) as caught:
        open_port(tmp_path / "ttyACM0")
    assert "ttyACM0" in str(caught.value)


def test_a_port_that_another_program_holds_is_busy(wired, opened):
    west = wired(unique_id=WEST)
    holder = open_port(west.path)
    with pytest.raises(Unavailable, match="held by another program"):
        open_port(west.path)
    source = opened({WEST.hex(): Assigned("west", RED)}, ports=[west.path])
    assert any("held by another" in event.text for event in source.read() if isinstance(event, SourceFault))
    holder.close()
    *_, levels = wait_for(source, lambda event: isinstance(event, Levels))
    assert levels.known == set(RED)


def test_pods_are_found_by_their_usb_identity(tmp_path):
    assert find_pods(tmp_path / "nowhere") == []
    for name in (
        "usb-MicroPython_Board_in_FS_mode_e6614104032a5b28-if00",
        "usb-FTDI_FT232R_USB_UART_A50285BI-if00-port0",
        "usb-Raspberry_Pi_Pico_E6614104032A5B28-if00",
    ):
        (tmp_path / name).touch()
    assert [path.name[:12] for path in find_pods(tmp_path)] == ["usb-MicroPyt", "usb-Raspberr"]


def test_edges_that_wait_for_a_pods_clock_hold_back_what_is_certain(wired, opened, monkeypatch):
    pico = wired(unique_id=WEST)
    source = opened({WEST.hex(): Assigned("west", RED)}, ports=[pico.path], is_required=True)
    source.read()
    assert source.given_until_ns is None
    free_ns = time.monotonic_ns()
    source.read()
    read_ns = time.monotonic_ns()
    monkeypatch.setattr(PodLink, "is_holding", True)
    for _ in range(3):
        source.read()
        assert free_ns - source.delay_ns <= source.given_until_ns <= read_ns - source.delay_ns
    monkeypatch.undo()
    assert source.given_until_ns is None


def told(source, text):
    """Wait for a fault, give its text."""
    return wait_for(source, fault_with(text))[-1].text


def test_the_same_pod_at_two_ports_is_told_by_both_names_and_the_first_stays_in_use(wired, opened):
    west = wired("west", unique_id=WEST)
    ports = [west.path]
    alarms = dict[str, str | None]()
    source = opened({WEST.hex(): Assigned("west", RED)}, find=lambda: list(ports), on_alarm=alarms.__setitem__)
    source.read()
    twin = wired("twin", unique_id=WEST)
    ports.append(twin.path)
    says = told(source, "both say")
    assert says == (
        f"{west.path} and {twin.path} both say they are pod west: {west.path} is used, {twin.path} is not; unplug one"
    )
    assert alarms[f"pod {twin.path}"] == says
    twin.pico.contact(0, closed=True)
    west.pico.contact(1, closed=True)
    events = wait_for(source, edge_of("red second"))
    assert [event.line for event in events if isinstance(event, Edge)] == ["red second"]

    west.unplug()  # the one that is left is used, and what it was told before goes
    told(source, "is back")
    assert alarms[f"pod {twin.path}"] is None
    twin.pico.contact(2, closed=True)
    wait_for(source, edge_of("red third"))


def test_another_pod_at_the_port_is_told_and_its_presses_are_its_own(wired, opened, tmp_path):
    west = wired("port", unique_id=WEST)
    source = opened(
        {WEST.hex(): Assigned("west", RED), EAST.hex(): Assigned("east", BLUE)}, ports=[tmp_path / "port"]
    )  # fmt: skip
    source.read()
    west.unplug()
    wait_for(source, fault_with("gone"))
    east = wired("port", unique_id=EAST)
    fault = wait_for(source, fault_with("was: its buttons are dead"))[-1]
    assert fault.text.startswith(f"{tmp_path / 'port'}: pod east is there now, and west was")
    assert fault.lines == RED
    east.pico.contact(0, closed=True)
    *_, edge = wait_for(source, lambda event: isinstance(event, Edge))
    assert edge.line == "blue first"


def test_a_pod_nobody_knows_in_the_place_of_one_gives_no_presses(wired, opened, tmp_path):
    west = wired("port", unique_id=WEST)
    source = opened({WEST.hex(): Assigned("west", RED)}, ports=[tmp_path / "port"])
    source.read()
    west.unplug()
    wait_for(source, fault_with("gone"))
    strange = wired("port", unique_id=EAST)
    assert EAST.hex() in told(source, "is not assigned")
    strange.pico.contact(0, closed=True)
    wait_until(lambda: strange.pico.pod.ring.state[1] == 1)
    assert [event for event in source.read() if isinstance(event, Edge)] == []


def test_a_pod_that_began_anew_and_one_with_too_few_lines_are_told(wired, opened):
    west = wired(unique_id=WEST, lines=3)
    source = opened({WEST.hex(): Assigned("west", RED)}, ports=[west.path])
    assert any("3 lines, and no line for red fourth" in event.text for event in source.read()[1:])
    west.unplug(power=True)
    west.plug()
    fault = wait_for(source, fault_with("began anew"))[-1]
    assert fault.lines == RED


def safe_up_to(source, pico, number):
    source.acknowledge(WEST.hex(), int.from_bytes(bytes((pico.boots & 0xFF, 1, 2, 3)), "little"), number)


def test_for_a_box_a_pod_keeps_each_edge_until_it_is_safe_and_one_taken_before_is_not_given_again(wired):
    west = wired(unique_id=WEST)
    ring = west.pico.pod.ring
    source = PodsSource({WEST.hex(): Assigned("west", RED)}, ports=[west.path])
    source.wait_until_safe(())
    source.open()
    source.read()
    given = []
    for line, closed in ((0, True), (1, True), (0, False)):
        west.pico.contact(line, closed=closed)
        *_, edge = wait_for(source, lambda event: isinstance(event, Edge))
        given.append(edge)
    assert [edge.origin[2:] for edge in given] == [(0, 0, True), (1, 1, True), (0, 2, False)]
    safe_up_to(source, west.pico, 1)
    wait_until(lambda: ring.state[1] == 1)
    source.close()
    assert ring.state[1] == 1

    again = PodsSource({WEST.hex(): Assigned("west", RED)}, ports=[west.path])
    again.wait_until_safe([given[1].origin])
    again.open()
    levels, *edges = again.read()
    edge = edges[0] if edges else wait_for(again, edge_of("red first"))[-1]
    assert isinstance(levels, Levels)
    assert isinstance(edge, Edge)
    assert edge.origin is not None
    assert levels.active == {"red first", "red second"}
    assert levels.t_ns < edge.t_ns
    assert (edge.line, edge.active, edge.origin.number) == ("red first", False, 2)
    safe_up_to(again, west.pico, 3)
    wait_until(lambda: ring.state[1] == 3)
    again.close()


def test_what_is_never_safe_does_not_fill_the_pod(wired):
    """The disk takes nothing: presses stay in the pod as long as there is room, and then the next ones count more."""
    west = wired(unique_id=WEST)
    source = PodsSource({WEST.hex(): Assigned("west", RED)}, ports=[west.path])
    source.wait_until_safe(())
    source.open()
    faults = []
    for number in range(1200):
        west.pico.contact(0, closed=number % 2 == 0)
        if number % 20 == 19:
            wait_until(lambda number=number: west.pico.pod._heard == number + 1)
            faults += [event.text for event in source.read() if isinstance(event, SourceFault)]
    assert faults == ["pod west: presses are not stored, and it can keep no more; it plays on"]
    wait_until(lambda: west.pico.pod.ring.state[0] - west.pico.pod.ring.state[1] <= 770)
    assert west.pico.pod.ring.state[2] == 0, "none is lost in the pod"
    source.close()
