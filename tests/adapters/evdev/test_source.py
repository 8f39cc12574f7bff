"""Input devices as buttons: which instants they have, how they come and go, and that they type nowhere else."""

import select
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.adapters.evdev.assigned import Assigned
from companion.adapters.evdev.catching import Touched
from companion.adapters.evdev.codes import Key, key_of, name_of
from companion.adapters.evdev.plugged import JOIN
from companion.adapters.evdev.source import EvdevSource, Times
from companion.core.errors import Malformed
from companion.core.timing.events import MS, Edge, Levels, SourceFault
from tests.amounts import many
from tests.fakes.input_devices import FakeDevice, FakeInputs

A, B, SPACE = 0x130, 0x131, 57
ABS_Z = 2
RED, BLUE = "red first (pad)", "blue first (pad)"
PAD = Assigned("pad", {"BTN_A": "red first", "BTN_B": "blue first"})
KEY = "usb 1234:0001 number A1"


@pytest.fixture
def inputs(monkeypatch, tmp_path):
    return FakeInputs(monkeypatch, tmp_path)


@pytest.fixture
def make(inputs):
    made = []

    def source(assigned=None, **options):
        one = EvdevSource(
            {KEY: PAD} if assigned is None else assigned, folder=inputs.folder, sys=inputs.sys, **options
        )  # fmt: skip
        made.append(one)
        return one

    yield source
    for one in made:
        one.close()


def opened(source):
    source.open()
    (levels,) = source.read()
    assert isinstance(levels, Levels)
    return source


def edges(events):
    return [(event.line, event.active) for event in events if isinstance(event, Edge)]


def faults(events):
    return [event.text for event in events if isinstance(event, SourceFault)]


def is_readable(source):
    return bool(select.select([source.fileno()], [], [], 0)[0])


def test_its_clock_is_monotonic_and_it_is_had_alone(inputs, make):
    pad = inputs.plug(0, uniq="A1")
    opened(make())
    assert pad.clock == time.CLOCK_MONOTONIC
    assert pad.is_grabbed


def test_a_device_whose_delay_is_not_known_counts_from_its_stamp_and_is_never_certain(inputs, make):
    pad = inputs.plug(0, uniq="A1")
    source = opened(make(times=Times(unknown_ns=400 * MS)))
    pad.key(A, True, t_ns=5_000_000_000)
    (edge,) = source.read()
    assert edge == Edge(RED, True, 5_000_000_000, 400 * MS)
    assert source.error_ns == 400 * MS
    assert source.remark is not None
    assert "pad: delay not known" in source.remark


def test_a_press_lies_between_polling_and_measured_delay_before_its_stamp_and_the_stamp(inputs, make):
    pad = inputs.plug(0, uniq="A1", interval="8ms")
    source = opened(make({KEY: Assigned("pad", {"BTN_A": "red first"}, delay_ns=6 * MS)}))
    pad.key(A, True, t_ns=5_000_000_000)
    (edge,) = source.read()
    assert edge.t_ns == 5_000_000_000 - 7 * MS
    assert edge.t_ns + edge.error_ns >= 5_000_000_999
    assert edge.t_ns - edge.error_ns <= 5_000_000_000 - 14 * MS
    assert edge.error_ns == 7 * MS + 1000 == source.error_ns
    assert source.delay_ns == 30 * MS + 7 * MS
    assert source.remark is None


def test_a_device_that_comes_within_a_match_is_taken_in_with_its_levels(inputs, make):
    source = opened(make())
    assert not is_readable(source)
    pad = inputs.plug(0, uniq="A1")
    pad.down.add(B)
    assert is_readable(source)
    (levels,) = [event for event in source.read() if isinstance(event, Levels)]
    assert (levels.known, levels.active) == ({RED, BLUE}, {BLUE})
    pad.key(A, True)
    assert edges(source.read()) == [(RED, True)]


def test_a_device_that_is_pulled_lets_go_of_what_it_held_and_says_so_until_it_is_back(inputs, make):
    pad = inputs.plug(0, uniq="A1")
    source = opened(make())
    pad.key(A, True)
    assert edges(source.read()) == [(RED, True)]
    inputs.pull(pad)
    events = source.read() + source.read()
    (levels,) = [event for event in events if isinstance(event, Levels)]
    assert (levels.known, levels.active) == ({RED, BLUE}, frozenset())
    assert faults(events) == ["pad has gone: its buttons are dead until it is plugged in again"]
    again = inputs.plug(5, uniq="A1")
    events = source.read() + source.read()
    assert [event.is_over for event in events if isinstance(event, SourceFault)] == [True]
    again.key(A, True)
    assert edges(source.read()) == [(RED, True)]


def test_the_same_model_twice_is_two_devices(inputs, make):
    one = inputs.plug(0, phys="usb-1/input0")
    other = inputs.plug(1, phys="usb-2/input0")
    left = Assigned("left", {"BTN_A": "red first"})
    right = Assigned("right", {"BTN_A": "blue first"})
    source = opened(make({"usb 1234:0001 at usb-1": left, "usb 1234:0001 at usb-2": right}))
    other.key(A, True, t_ns=2_000)
    one.key(A, True, t_ns=3_000)
    assert edges(source.read()) == [("blue first (right)", True), ("red first (left)", True)]


def test_any_key_of_a_keyboard_may_be_one_switch_and_two_at_once_are_one_press(inputs, make):
    keyboard = inputs.plug(0, uniq="A1", keys=[30, SPACE])
    source = opened(make({KEY: Assigned("keys", {"ANY": "red first"})}))
    keyboard.key(30, True)
    keyboard.key(SPACE, True)
    keyboard.key(30, False)
    assert edges(source.read()) == [("red first (keys)", True)]
    keyboard.key(SPACE, False)
    assert edges(source.read()) == [("red first (keys)", False)]


def test_a_trigger_is_a_button(inputs, make):
    pad = inputs.plug(0, uniq="A1", axes={ABS_Z: (0, 1023, 0)})
    source = opened(make({KEY: Assigned("pad", {"ABS_Z+": "red first"})}))
    for value in (100, 700, 650, 100):
        pad.axis(ABS_Z, value)
    assert edges(source.read()) == [("red first (pad)", True), ("red first (pad)", False)]


def test_lost_edges_are_told_and_the_levels_with_them(inputs, make):
    pad = inputs.plug(0, uniq="A1")
    source = opened(make())
    pad.key(A, True)
    pad.drop()
    pad.down = {B}
    events = source.read()
    (fault,) = [event for event in events if isinstance(event, SourceFault)]
    assert fault.lines == (BLUE, RED)
    (levels,) = [event for event in events if isinstance(event, Levels)]
    assert levels.active == {BLUE}
    pad.key(B, False)
    assert edges(source.read()) == [(BLUE, False)]


def test_a_device_that_may_not_be_read_is_named_with_the_way_out(inputs, make):
    inputs.forbidden.add("event0")
    inputs.plug(0, uniq="A1")
    source = make()
    source.open()
    (text,) = faults(source.read())
    assert text == f"pad may not be read at {inputs.folder}/event0: {JOIN}"
    source.check()
    assert faults(source.read()) == []
    inputs.forbidden.clear()
    source.check()
    assert any(isinstance(event, Levels) for event in source.read())


def test_another_program_that_has_it_alone_is_told_once(inputs, make):
    pad = inputs.plug(0, uniq="A1", title="Switch")
    pad.grabbed_by_others = True
    source = make()
    source.open()
    source.check()
    assert faults(source.read()) == ["another program has taken Switch: Device or resource busy"]
    pad.grabbed_by_others = False
    source.check()
    assert pad.is_grabbed


def test_a_key_that_is_held_is_let_go_of_before_the_device_is_taken_from_whoever_hears_it(inputs, make):
    pad = inputs.plug(0, uniq="A1")
    pad.down.add(A)
    source = opened(make())
    assert not pad.is_grabbed
    pad.key(A, False)
    source.read()
    source.check()
    assert pad.is_grabbed


def test_a_stranger_is_heard_not_taken_and_not_opened_before_the_box_is_ready(inputs, make):
    stranger = inputs.plug(3, "Foot Pedal", keys=[SPACE])
    source = make()
    touched = list[Touched]()
    source.catcher.on_stranger = touched.append
    opened(source)
    assert stranger.clock is None
    source.check()
    stranger.key(SPACE, True)
    stranger.key(SPACE, False)
    assert source.read() == []
    assert [(one.identity.title, one.key) for one in touched] == [("Foot Pedal", Key(SPACE))]
    assert not stranger.is_grabbed


def test_a_mouse_that_is_moved_is_masked_out(inputs, make):
    mouse = inputs.plug(3, keys=[0x110])
    source = make()
    source.catcher.on_stranger = lambda _: None
    opened(source)
    source.check()
    assert mouse.masks[2] == bytes(2)


def test_what_is_to_be_assigned_is_caught_with_its_bounces_and_does_nothing_else(inputs, make):
    pad = inputs.plug(0, uniq="A1")
    source = opened(make())
    caught = list[Touched]()
    source.catcher.on_catch = caught.append
    source.arrange()
    for index, down in enumerate((True, False, True, False)):
        pad.key(A, down, t_ns=10 * index * MS)
    assert edges(source.read()) == []
    assert [one.key for one in caught] == [Key(A)]
    pad.key(A, True, t_ns=400 * MS)
    assert edges(source.read()) == [(RED, True)]


def test_a_device_is_used_otherwise_from_one_moment_to_the_next(inputs, make):
    pad = inputs.plug(0, uniq="A1")
    source = opened(make({}))
    source.use({KEY: PAD})
    source.check()
    source.catcher.on_stranger = lambda _: None
    source.check()
    assert source.lines == (BLUE, RED)
    pad.key(A, True)
    assert edges(source.read()) == [(RED, True)]
    source.use({})
    levels = [event for event in source.read() if isinstance(event, Levels)]
    assert levels[0] == Levels(frozenset(), frozenset({RED, BLUE}), levels[0].t_ns)
    assert not pad.is_grabbed


def test_a_key_that_is_held_while_something_else_is_assigned_stays_held(inputs, make):
    pad = inputs.plug(0, uniq="A1")
    known = Assigned("pad", {"BTN_A": "red first"}, delay_ns=6 * MS)
    source = opened(make({KEY: known}))
    pad.key(A, True)
    assert edges(source.read()) == [(RED, True)]
    source.use({KEY: Assigned("pad", {"BTN_A": "red first", "BTN_B": "blue first"}, delay_ns=6 * MS)})
    last = [event for event in source.read() if isinstance(event, Levels) and RED in event.known]
    assert [RED in event.active for event in last] == [True]
    pad.key(A, False)
    assert edges(source.read()) == [(RED, False)]


def test_a_device_that_floods_holds_nothing_back_for_good(inputs, make):
    pad = inputs.plug(0, uniq="A1")
    source = opened(make())
    for _ in range(400):
        pad.key(A, True)
        pad.key(A, False)
    seen = []
    while is_readable(source):
        seen += edges(source.read())
    assert len(seen) == 800
    assert source.given_until_ns is None


def test_garbage_in_an_event_file_is_no_press_and_no_crash(inputs, make):
    pad = inputs.plug(0, uniq="A1")
    source = opened(make())
    pad.raw(bytes(range(240)) * 4)
    assert edges(source.read()) == []
    pad.key(A, True)
    assert edges(source.read()) == [(RED, True)]


@pytest.mark.parametrize("name", ["BTN_A", "KEY_SPACE", "ABS_Z+", "ABS_HAT0X-", "KEY_0x2fe", "BTN_TRIGGER_HAPPY3"])
def test_a_key_s_name_is_read_back(name):
    key = key_of(name)
    assert key is not None
    assert name_of(key) == name


@pytest.mark.parametrize(
    "name", ["", "A", "BTN_NONE", "ABS_Z", "KEY_A+", "KEY_0x999", "KEY_0xzz", "EV_KEY", "SYN_REPORT"]
)
def test_what_is_no_key_is_refused(name):
    with pytest.raises(Malformed):
        key_of(name)


ACTIONS = st.lists(
    st.tuples(st.sampled_from(["plug", "pull", "down", "up", "drop", "read", "check"]), st.integers(0, 1)), max_size=25
)


@settings(max_examples=many(40), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(actions=ACTIONS)
def test_in_whatever_order_devices_come_go_and_are_pressed_each_line_alternates(actions, tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        inputs = FakeInputs(patch, tmp_path_factory.mktemp("inputs"))
        pads = {f"usb 1234:0001 number A{n}": Assigned(f"pad{n}", {"BTN_A": "red first"}) for n in range(2)}
        source = EvdevSource(pads, folder=inputs.folder, sys=inputs.sys)
        source.open()
        there, levels = dict[int, FakeDevice](), dict[str, bool]()
        for action, n in [*actions, ("read", 0), ("read", 0)]:
            _act(inputs, source, there, action, n)
            for event in source.read() if action == "read" else ():
                if isinstance(event, Levels):
                    levels |= {line: line in event.active for line in event.known}
                elif isinstance(event, Edge):
                    assert levels[event.line] is not event.active
                    levels[event.line] = event.active
        held = {f"red first (pad{n})": bool(device.down) for n, device in there.items()}
        assert levels == {f"red first (pad{n})": False for n in range(2)} | held
        source.close()


def _act(inputs, source, there, action, n):
    if action == "check":
        source.check()
    elif action == "plug" and n not in there:
        there[n] = inputs.plug(n, uniq=f"A{n}")
    elif action == "pull" and n in there:
        inputs.pull(there.pop(n))
    elif action in ("down", "up") and n in there:
        there[n].key(A, action == "down")
    elif action == "drop" and n in there:
        there[n].drop()
