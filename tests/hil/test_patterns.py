"""Patterns of presses, bounces and faults, before anything is played."""

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.hil.patterns import (
    CLEAN,
    CLOSED,
    OPEN,
    REAL_SWITCH,
    Contact,
    Edge,
    Kind,
    Plan,
    Stroke,
    bounce_duel,
    burst,
    burst_rounds,
    chatter,
    glitch,
    hold,
    plan,
    press,
    release,
)

GPIOS = tuple(range(4, 24))
seeds = st.integers(0, 2**32).map(random.Random)


@given(seeds)
def test_a_clean_press_has_two_edges(rng: random.Random) -> None:
    stroke = press(rng, 5, 1_000, 40_000, CLEAN)
    assert stroke.edges == (Edge(1_000, 5, CLOSED), Edge(41_000, 5, OPEN))


@given(seeds)
def test_a_real_switch_chatters_5_to_10_ms_on_make_and_on_break(rng: random.Random) -> None:
    edges = press(rng, 5, 1_000, 40_000, REAL_SWITCH).edges
    make = [edge for edge in edges if edge.at_us < 41_000]
    leave = [edge for edge in edges if edge.at_us >= 41_000]
    for part, first, last in ((make, CLOSED, CLOSED), (leave, OPEN, OPEN)):
        assert (part[0].level, part[-1].level) == (first, last)
        assert 4_000 <= part[-1].at_us - part[0].at_us <= 10_000
        assert 5 <= len(part) <= 33
    assert all(after.at_us - edge.at_us >= 300 for edge, after in pairwise(edges))
    # No closure while it makes is long enough to be taken for the settled contact, none is a gap for a second press.
    closures = [after.at_us - edge.at_us for edge, after in pairwise(make) if edge.level == CLOSED]
    gaps = [after.at_us - edge.at_us for edge, after in pairwise(make) if edge.level == OPEN]
    assert max(closures) < 2_000
    assert max(gaps) < 2_000


def test_a_press_let_go_of_before_it_has_settled_is_refused() -> None:
    with pytest.raises(ValueError, match="GPIO 5: held for 4000 us, but the contact chatters for 7000 us"):
        press(random.Random(1), 5, 0, 4_000, Contact(make_us=(7_000, 7_000)))


@given(seeds)
def test_a_burst_presses_every_button_once_a_gap_apart(rng: random.Random) -> None:
    strokes = burst(rng, GPIOS, 500, gap_us=(50, 200))
    assert sorted(stroke.gpio for stroke in strokes) == list(GPIOS)
    assert strokes[0].at_us == 500
    assert all(50 <= after.at_us - stroke.at_us <= 200 for stroke, after in pairwise(strokes))
    assert {stroke.kind for stroke in strokes} == {Kind.PRESS}


@given(seeds)
def test_rounds_leave_every_line_alone_between_them(rng: random.Random) -> None:
    rounds = burst_rounds(rng, GPIOS, 3, contact=REAL_SWITCH)
    for earlier, later in pairwise(rounds):
        assert min(s.at_us for s in later) - max(s.end_us for s in earlier) >= 50_000


def test_the_same_seed_gives_the_same_pattern_and_another_seed_another_one() -> None:
    texts = [plan(burst_rounds(random.Random(seed), GPIOS, 2)).text() for seed in (7, 7, 8)]
    assert texts[0] == texts[1] != texts[2]


@given(seeds)
def test_in_a_bounce_duel_the_clean_contact_closes_while_the_earlier_one_chatters(rng: random.Random) -> None:
    bouncing, clean = bounce_duel(rng, 5, 6, 100)
    settled = max(edge.at_us for edge in bouncing.edges if edge.at_us < 50_000)
    assert bouncing.at_us < clean.at_us < settled
    assert len(clean.edges) == 2


@given(seeds)
def test_a_glitch_is_one_short_closure(rng: random.Random) -> None:
    stroke = glitch(rng, 5, 100)
    assert [edge.level for edge in stroke.edges] == [CLOSED, OPEN]
    assert stroke.end_us - stroke.at_us < 2_000


@given(seeds)
def test_chatter_never_stays_closed_and_ends_open(rng: random.Random) -> None:
    stroke = chatter(rng, 5, 0, 300_000)
    assert stroke.edges[-1].level == OPEN
    assert 290_000 <= stroke.end_us <= 302_000
    assert max(b.at_us - a.at_us for a, b in pairwise(stroke.edges)) < 3_000


def test_a_hold_and_its_release_are_two_plans() -> None:
    assert plan(hold(5)).text() == "0 5 0\n"
    assert plan(release(5, 30)).text() == "30 5 1\n"


def test_a_plan_interleaves_strokes_by_time_and_writes_delays() -> None:
    rng = random.Random(1)
    both = plan(press(rng, 5, 10, 100), press(rng, 6, 40, 100))
    assert both.text() == "10 5 0\n30 6 0\n70 5 1\n30 6 1\n"
    assert both.duration_us == 140
    edges, numbers = both.edges_with_strokes()
    assert tuple(edges) == both.edges
    assert numbers == [0, 1, 0, 1]


@pytest.mark.parametrize(
    ("edges", "message"),
    [
        ((), "at least one edge"),
        ((Edge(0, 5, OPEN), Edge(1, 5, CLOSED)), "a press does not begin with level 1"),
        ((Edge(0, 5, CLOSED), Edge(1, 6, OPEN)), "one stroke on two lines: GPIO 5 and 6"),
        ((Edge(0, 5, CLOSED), Edge(0, 5, OPEN)), "out of turn on GPIO 5 at 0 and 0 us"),
        ((Edge(0, 5, CLOSED), Edge(3, 5, CLOSED)), "out of turn on GPIO 5 at 0 and 3 us"),
    ],
)
def test_a_stroke_of_impossible_edges_is_refused(edges: tuple[Edge, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Stroke(Kind.PRESS, edges)


def test_a_plan_of_impossible_strokes_is_refused() -> None:
    rng = random.Random(1)
    with pytest.raises(ValueError, match="at least one stroke"):
        Plan(())
    with pytest.raises(ValueError, match="GPIO 5 has an edge at -1 us, before the start"):
        plan(press(rng, 5, -1, 10))
    with pytest.raises(ValueError, match="two strokes of GPIO 5 overlap at 60 us"):
        plan(press(rng, 5, 0, 100), press(rng, 5, 60, 100))
    with pytest.raises(ValueError, match="two strokes of GPIO 5 overlap"):
        plan(hold(5), press(rng, 5, 60, 100))
