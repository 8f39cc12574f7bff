"""What lamps and motors do at an instant: one after the other, private where it must be, and never too fast."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from companion.core.panel import Colour
from companion.core.signals.board import MOST_WAITING, Lit, SignBoard
from companion.core.signals.rhythms import FELT, PASSING
from companion.core.signals.signs import Outlet, Sign
from companion.core.timing.events import MS, SECOND
from tests.amounts import many

RED, BLUE = Colour.RED, Colour.BLUE
LAMP, MOTOR = Lit(RED, Outlet.LAMP), Lit(RED, Outlet.MOTOR)


def course(board: SignBoard, until_ns: int, begins_ns: int = 0) -> dict[Lit, list[tuple[int, int]]]:
    """Drive a board as its thread does; give when each was on, from and until, in ms."""
    out: dict[Lit, list[tuple[int, int]]] = {}
    since: dict[Lit, int] = {}
    now_ns: int | None = begins_ns
    while now_ns is not None and now_ns <= until_ns:
        on = board.on(now_ns)
        for lit in on - since.keys():
            since[lit] = now_ns
        for lit in since.keys() - on:
            out.setdefault(lit, []).append((since.pop(lit) // MS, now_ns // MS))
        now_ns = board.next_deadline(now_ns)
    for lit, began_ns in since.items():
        out.setdefault(lit, []).append((began_ns // MS, until_ns // MS))
    return out


def test_an_accepted_press_flashes_once_and_then_stays_lit():
    board = SignBoard()
    board.show({RED: Sign.ACCEPTED}, 0)
    assert course(board, 5 * SECOND) == {LAMP: [(0, 150), (400, 5000)], MOTOR: [(0, 100)]}


def test_whoever_must_choose_is_told_twice_at_once_and_felt_again_after_six_seconds():
    board = SignBoard()
    board.show({RED: Sign.YOURS}, 0)
    told = course(board, 8 * SECOND)
    assert told[MOTOR] == [(0, 100), (220, 320), (6800, 6900), (7020, 7120)]
    assert told[LAMP][:4] == [(0, 150), (400, 550), (2050, 2200), (2450, 2600)]


def test_what_lasts_ends_when_it_is_no_longer_shown():
    board = SignBoard()
    board.show({RED: Sign.YOURS}, 0)
    course(board, 3 * SECOND)
    board.show({}, 3 * SECOND)
    assert course(board, 60 * SECOND, 3 * SECOND) == {}


def test_the_same_sign_shown_again_is_not_given_again():
    board = SignBoard()
    board.show({RED: Sign.OPEN}, 0)
    course(board, 5 * SECOND)
    board.show({RED: Sign.OPEN}, 5 * SECOND)
    assert board.given(5 * SECOND) == {}


def test_signs_are_given_one_after_the_other():
    board = SignBoard()
    board.give(Sign.PUNISHED, [RED], 0)
    board.give(Sign.YOURS, [RED], 1 * MS)
    told = course(board, 20 * SECOND)
    assert told[MOTOR] == [(0, 1000), (1850, 1950), (2070, 2170)]


def test_an_answer_takes_the_place_of_the_answer_before():
    board = SignBoard()
    board.give(Sign.ACCEPTED, [RED], 0)
    board.give(Sign.IGNORED, [RED], 10 * MS)
    assert board.given(10 * MS) == {RED: Sign.IGNORED}
    assert course(board, 20 * SECOND, 10 * MS)[MOTOR] == [(10, 330)]


def test_no_more_than_so_many_wait():
    board = SignBoard()
    for sign in (Sign.PUNISHED, Sign.TIME_LOW, Sign.TIME_UP, Sign.ALARM):
        board.give(sign, [RED], 0)
    given: list[Sign] = []
    now_ns: int | None = 0
    while now_ns is not None:
        now = board.given(now_ns).get(RED)
        given += [now] if now is not None and now not in given else []
        now_ns = board.next_deadline(now_ns)
    assert given == [Sign.PUNISHED, Sign.TIME_LOW, Sign.ALARM]
    assert len(given) == MOST_WAITING


def test_a_cue_is_so_many_pulses_of_the_seat_s_own_motor_and_nothing_else():
    board = SignBoard()
    board.cue(RED, 3, 0)
    assert course(board, 20 * SECOND) == {MOTOR: [(0, 100), (220, 320), (440, 540)]}


def test_a_cue_takes_the_place_of_the_one_before_and_zero_ends_it():
    board = SignBoard()
    board.cue(RED, 4, 0)
    assert board.on(0) == {MOTOR}
    board.cue(RED, 1, 50 * MS)
    assert course(board, 20 * SECOND, 50 * MS) == {MOTOR: [(50, 150)]}
    board.cue(RED, 4, 30 * SECOND)
    board.cue(RED, 0, 30 * SECOND)
    assert board.on(30 * SECOND) == frozenset()


def test_a_cue_goes_before_signs_on_the_motor_and_leaves_the_lamp_to_them():
    board = SignBoard()
    board.give(Sign.PUNISHED, [RED], 0)
    board.cue(RED, 2, 0)
    told = course(board, 20 * SECOND)
    assert told[LAMP] == [(0, 1600)]
    assert told[MOTOR] == [(0, 100), (220, 320), (440, 1000)]


def test_each_seat_is_told_its_own():
    board = SignBoard()
    board.give(Sign.ACCEPTED, [RED, BLUE], 0)
    board.give(Sign.ACCEPTED, [BLUE], 200 * MS)
    told = course(board, 20 * SECOND)
    assert {lit.seat for lit in told} == {RED, BLUE}
    assert told[Lit(BLUE, Outlet.LAMP)] == [(0, 150)]


def test_nothing_is_due_where_nothing_is_told():
    assert SignBoard().next_deadline(0) is None


@pytest.mark.parametrize("sign", Sign)
def test_a_motor_is_never_left_on(sign):
    board = SignBoard()
    board.show({RED: sign}, 0)
    board.show({}, 10 * MS)
    assert all(lit.outlet is Outlet.MOTOR or lit == LAMP for lit in course(board, 60 * SECOND, 10 * MS))
    assert board.on(60 * SECOND) == frozenset()
    assert PASSING[Outlet.MOTOR][sign].round_ns <= 4 * (FELT.very_long + FELT.rest) * MS


ACTIONS = st.one_of(
    st.tuples(st.just("show"), st.dictionaries(st.sampled_from(list(Colour)), st.sampled_from(list(Sign)))),
    st.tuples(st.just("give"), st.sampled_from(list(Sign))),
    st.tuples(st.just("cue"), st.integers(0, 20)),
)


@pytest.mark.no_cover  # counting branches makes it three times as slow
@settings(max_examples=many(200), deadline=None)
@given(st.lists(st.tuples(st.integers(0, 700 * MS) | st.integers(150 * MS, 250 * MS), ACTIONS), max_size=30))
@example([(160 * MS, ("give", sign)) for sign in [Sign.ACCEPTED, Sign.REFUSED] * 10])
def test_whatever_seats_are_told_no_lamp_flashes_more_than_three_times_in_a_second(story):
    board, now_ns = SignBoard(), 0
    rises: dict[Lit, list[int]] = {}
    was: frozenset[Lit] = frozenset()

    def look(at_ns: int) -> None:
        nonlocal was
        on = board.on(at_ns)
        for lit in on - was:
            rises.setdefault(lit, []).append(at_ns)
        was = on

    for wait_ns, (what, value) in [*story, (20 * SECOND, ("cue", 0))]:
        until_ns = now_ns + wait_ns
        while (due_ns := board.next_deadline(now_ns)) is not None and due_ns <= until_ns:
            now_ns = due_ns
            look(now_ns)
        now_ns = until_ns
        match what:
            case "show":
                board.show(value, now_ns)
            case "give":
                board.give(value, list(Colour), now_ns)
            case "cue":
                board.cue(RED, value, now_ns)
        look(now_ns)
    for lit, times in rises.items():
        if lit.outlet is Outlet.LAMP:
            assert all(sum(first <= one < first + SECOND for one in times) <= 3 for first in times)
            assert all(b > a for a, b in pairwise(times))
