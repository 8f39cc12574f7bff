"""The knob's gestures: no press is swallowed, every one keeps its time."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from companion.core.hands.knob import CHORD_LIMIT_NS, Chord, Click, Hold, Knob, Play, Rotation
from companion.core.panel import KNOB_PUSH
from companion.core.timing.events import MS, SECOND, Press, Release, Turned


def press(at_ms: int, line: str = "red fourth") -> Press:
    return Press(line, at_ms * MS, 0)


def knob_down(at_ms: int) -> Press:
    return Press(KNOB_PUSH, at_ms * MS, 0)


def knob_up(at_ms: int) -> Release:
    return Release(KNOB_PUSH, at_ms * MS)


def test_turning_is_a_turn() -> None:
    assert Knob().feed(Turned(-2, 5)) == [Rotation(-2, 5)]


def test_a_short_push_is_a_click_at_its_beginning() -> None:
    knob = Knob()
    assert knob.feed(knob_down(100)) == []
    assert knob.is_held
    assert knob.feed(knob_up(300)) == [Click(100 * MS)]
    assert not knob.is_held


def test_a_second_of_holding_is_a_hold_once_and_its_end_nothing() -> None:
    knob = Knob()
    knob.feed(knob_down(100))
    assert knob.next_deadline() == 1100 * MS
    assert knob.advance(1099 * MS) == []
    assert knob.advance(1100 * MS) == [Hold(1100 * MS)]
    assert knob.next_deadline() is None
    assert knob.advance(3000 * MS) == []
    assert knob.feed(knob_up(3000)) == []


def test_one_press_within_the_push_names_a_card() -> None:
    knob = Knob()
    knob.feed(knob_down(100))
    assert knob.feed(press(200)) == []
    assert knob.earliest_held() == 200 * MS
    assert knob.feed(knob_up(400)) == [Chord(press(200))]


def test_a_press_after_the_hold_still_names_a_card() -> None:
    knob = Knob()
    knob.feed(knob_down(100))
    knob.advance(1200 * MS)
    knob.feed(press(1300))
    assert knob.feed(knob_up(1500)) == [Chord(press(1300))]


def test_two_presses_within_the_push_are_plays_in_the_order_of_time() -> None:
    knob = Knob()
    knob.feed(knob_down(100))
    knob.feed(press(250))
    knob.feed(press(200, "blue first"))
    assert knob.feed(knob_up(400)) == [Play(press(200, "blue first")), Play(press(250))]


def test_a_press_after_the_letting_go_that_arrives_before_it_is_a_play() -> None:
    knob = Knob()
    knob.feed(knob_down(100))
    knob.feed(press(310))
    assert knob.feed(knob_up(300)) == [Click(100 * MS), Play(press(310))]


def test_a_press_before_the_push_is_a_play() -> None:
    knob = Knob()
    knob.feed(knob_down(100))
    assert knob.feed(press(99)) == [Play(press(99))]


def test_a_leaned_on_knob_gives_up_its_claim_and_later_presses_are_plays_at_once() -> None:
    knob = Knob()
    knob.feed(knob_down(0))
    knob.feed(press(200))
    deadline = knob.next_deadline()
    assert deadline == CHORD_LIMIT_NS + 1
    assert knob.advance(deadline) == [Play(press(200))]
    assert knob.feed(press(5200)) == [Play(press(5200))]
    assert knob.feed(knob_up(9000)) == []


def test_a_release_without_a_push_and_of_other_lines_is_nothing() -> None:
    knob = Knob()
    assert knob.feed(knob_up(100)) == []
    assert knob.feed(Release("red fourth", 5)) == []


@given(st.lists(st.tuples(st.integers(1, 2 * SECOND), st.sampled_from(["down", "up", "press", "wait"])), max_size=40))
def test_every_press_comes_out_exactly_once(steps: list[tuple[int, str]]) -> None:
    knob, now_ns, is_down, given_, got = Knob(), 0, False, [], []
    for gap_ns, what in [*steps, (1, "up"), (10 * SECOND, "wait")]:
        now_ns += gap_ns
        gestures = knob.advance(now_ns - 1)
        if what == "press":
            given_.append(Press("red fourth", now_ns, 0))
            gestures += knob.feed(given_[-1])
        elif what == "down" and not is_down:
            is_down = True
            gestures += knob.feed(Press(KNOB_PUSH, now_ns, 0))
        elif what == "up" and is_down:
            is_down = False
            gestures += knob.feed(Release(KNOB_PUSH, now_ns))
        got += [gesture.press for gesture in gestures if isinstance(gesture, (Play, Chord))]
    assert sorted(got) == given_
