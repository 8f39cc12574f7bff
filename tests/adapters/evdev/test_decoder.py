"""Events of a device as keys: autorepeat, axes with their hysteresis, lost events; and whatever garbage comes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.adapters.evdev.codes import Key
from companion.adapters.evdev.decoder import EV_SYN, SYN_DROPPED, SYN_REPORT, Decoder, Span

EV_KEY, EV_REL, EV_ABS, EV_MSC = 1, 2, 3, 4
ABS_X, ABS_Z, ABS_HAT0X, ABS_PROFILE = 0, 2, 16, 0x21
STICK, TRIGGER, HAT = Span(-32768, 32767, 100), Span(0, 1023, 0), Span(-1, 1, 0)


def told(decoder, *events):
    """Feed (type, code, value) at 1, 2, … s; give what came as (code, sign, active)."""
    raw = [(second, 5, *event) for second, event in enumerate(events, 1)]
    return [(edge.key.code, edge.key.sign, edge.active) for edge in decoder.feed(raw)]


def test_a_key_is_pressed_and_let_go_of_at_the_kernel_s_stamp():
    edges = Decoder({}).feed([(12, 345_678, EV_KEY, 304, 1), (12, 345_678, EV_SYN, 0, 0), (13, 0, EV_KEY, 304, 0)])
    assert [(edge.key, edge.active, edge.t_ns) for edge in edges] == [
        (Key(304), True, 12_345_678_000),
        (Key(304), False, 13_000_000_000),
    ]


def test_a_keyboard_s_own_repeating_is_no_press():
    edges = Decoder({}).feed([(second, 0, EV_KEY, 30, value) for second, value in enumerate((1, 2, 2, 0), 1)])
    assert [(edge.active, edge.t_ns) for edge in edges] == [(True, 1_000_000_000), (False, 4_000_000_000)]


def test_what_is_no_key_is_nothing():
    assert told(Decoder({}), (EV_MSC, 4, 0x90001), (EV_REL, 0, 5), (EV_ABS, ABS_X, 30_000), (0x15, 1, 1)) == []


@pytest.mark.parametrize(
    ("span", "values", "edges"),
    [
        (HAT, (-1, 0, 1, -1), [(-1, True), (-1, False), (1, True), (1, False), (-1, True)]),
        (TRIGGER, (300, 620, 500, 400, 620), [(1, True), (1, False), (1, True)]),
        (STICK, (-32768, -16_000, -12_000, 32767), [(-1, True), (-1, False), (1, True)]),
        (Span(0, 255, 127), (0, 127, 255), [(-1, True), (-1, False), (1, True)]),
        (Span(0, 255, 255), (0,), [(-1, True)]),
    ],
    ids=["hat", "trigger", "stick", "stick of a pad that counts from 0", "trigger that rests at its end"],
)
def test_an_axis_is_pressed_away_from_where_it_rests(span, values, edges):
    decoder = Decoder({ABS_Z: span})
    out = told(decoder, *((EV_ABS, ABS_Z, value) for value in values))
    assert [(sign, active) for _, sign, active in out] == edges


def test_a_trembling_trigger_makes_one_press():
    decoder = Decoder({ABS_Z: TRIGGER})
    values = (614, 590, 640, 500, 613, 420, 612)
    assert told(decoder, *((EV_ABS, ABS_Z, value) for value in values)) == [(ABS_Z, 1, True)]


def test_a_lighter_press_is_a_setting():
    assert told(Decoder({ABS_Z: TRIGGER}, 30), (EV_ABS, ABS_Z, 320)) == [(ABS_Z, 1, True)]
    assert told(Decoder({ABS_Z: TRIGGER}, 95), (EV_ABS, ABS_Z, 900)) == []


def test_a_controller_s_profile_and_a_finger_are_no_buttons():
    assert told(Decoder({ABS_PROFILE: Span(0, 4, 0), 0x39: Span(0, 65535, 0)}), (EV_ABS, ABS_PROFILE, 3)) == []


def test_after_lost_events_nothing_is_believed_until_the_levels_are_told_anew():
    decoder = Decoder({ABS_Z: TRIGGER})
    assert told(decoder, (EV_KEY, 304, 1), (EV_SYN, SYN_DROPPED, 0), (EV_KEY, 305, 1)) == [(304, 0, True)]
    assert not decoder.is_adrift
    assert told(decoder, (EV_SYN, SYN_REPORT, 0), (EV_KEY, 306, 1)) == []
    assert decoder.is_adrift
    assert decoder.restate([306], {ABS_Z: 1000}) == {Key(306), Key(ABS_Z, 1)}
    assert told(decoder, (EV_KEY, 306, 0), (EV_ABS, ABS_Z, 0)) == [(306, 0, False), (ABS_Z, 1, False)]


EVENTS = st.tuples(
    st.integers(0, 2**31), st.integers(-1, 2**32), st.integers(0, 0x1F), st.integers(0, 0x2FF),
    st.sampled_from([0, 1, 2, -1]) | st.integers(-(2**31), 2**31 - 1),
)  # fmt: skip
LIKELY = st.tuples(
    st.just(7), st.integers(0, 999_999), st.sampled_from([EV_SYN, EV_KEY, EV_ABS]), st.sampled_from([0, 2, 3, 304]),
    st.sampled_from([0, 1, 2, 600, 1023, -32768]),
)  # fmt: skip


@given(st.lists(EVENTS | LIKELY, max_size=60), st.integers(30, 95))
def test_whatever_comes_each_key_alternates_and_only_keys_that_can_be_pressed_are(events, percent):
    decoder = Decoder({ABS_X: STICK, ABS_Z: TRIGGER, ABS_HAT0X: HAT, 5: Span(7, 7, 7)}, percent)
    down = set[Key]()
    for event in events:
        for edge in decoder.feed([event]):
            assert edge.active is (edge.key not in down)
            (down.add if edge.active else down.discard)(edge.key)
            assert event[2] in (EV_KEY, EV_ABS)
            assert edge.key.sign == 0 or edge.key.code in (ABS_X, ABS_Z, ABS_HAT0X)
        if decoder.is_adrift:
            down = set(decoder.restate([], {}))
    assert decoder.active == down


@given(st.lists(st.tuples(st.just(EV_REL) | st.integers(EV_MSC, 0x1F), st.integers(0, 0x2FF)), max_size=40))
def test_no_press_comes_of_what_is_no_key(events):
    assert told(Decoder({ABS_Z: TRIGGER}), *((kind, code, 1) for kind, code in events)) == []
