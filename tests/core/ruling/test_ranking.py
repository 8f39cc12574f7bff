"""The order of a race (`record.md`: Order, Dead heat)."""

from hypothesis import given
from hypothesis import strategies as st

from companion.core.panel import Colour
from companion.core.record.lines import PressLine, Seat
from companion.core.ruling.ranking import rank
from companion.games.apache.cards import Role

COLOURS = list(Colour)
MS = 1_000_000


def press(colour: str, t_ns: int, error_ns: int = 0) -> PressLine:
    return PressLine(colour=Colour(colour), role=Role.HUNTER, t_ns=t_ns, error_ns=error_ns)


def ranked(*presses, revealer="red", policy="timestamp", **allowances):
    seats = tuple(Seat(colour, allowance_ms=allowances.get(colour, 0)) for colour in COLOURS)
    places = rank(presses, seats, Colour(revealer), policy)
    assert [place.place for place in places] == list(range(1, len(presses) + 1))
    return [(place.colour.value, place.gap_ns, place.dead_heat) for place in places]


def test_order_is_by_ascending_time():
    assert ranked(press("red", 300), press("green", 100), press("blue", 200)) == [
        ("green", 0, False),
        ("blue", 100, False),
        ("red", 200, False),
    ]


def test_order_of_one_or_no_press():
    assert ranked(press("red", 300, 50)) == [("red", 0, False)]
    assert ranked() == []


def test_order_carries_role_and_raw_time_and_no_verdict():
    (place,) = rank((press("red", 7),), (Seat(Colour.RED, allowance_ms=1),), Colour.RED, "timestamp")
    assert (place.role, place.t_ns, place.verdict, place.why) == ("hunter", 7, None, None)


def test_order_of_several_carries_each_ones_role_and_raw_time():
    seats = (Seat(Colour.RED, allowance_ms=1), Seat(Colour.BLUE))
    presses = [
        PressLine(colour=Colour.RED, role=Role.CHIEF, t_ns=MS + 7),
        PressLine(colour=Colour.BLUE, role=Role.MAIDEN, t_ns=9),
    ]
    places = rank(presses, seats, Colour.RED, "timestamp")
    assert [(place.colour, place.role, place.t_ns) for place in places] == [
        (Colour.RED, Role.CHIEF, MS + 7),
        (Colour.BLUE, Role.MAIDEN, 9),
    ]


def test_order_equal_values_go_by_clockwise_distance_from_the_revealer_the_revealer_first():
    presses = [press(colour, 100) for colour in COLOURS]
    names = [name for name, _, _ in ranked(*presses, revealer="green")]
    assert names == ["green", "blue", "purple", "red", "yellow"]


def test_allowance_is_taken_off_before_comparing_and_gaps_are_of_raw_times():
    assert ranked(press("red", 0), press("blue", 90 * MS), blue=100) == [("blue", 0, False), ("red", -90 * MS, False)]


def test_allowance_equal_adjusted_times_are_a_dead_heat_by_clockwise_distance():
    assert ranked(press("blue", 100 * MS), press("red", 0), blue=100, revealer="blue") == [
        ("blue", 0, True),
        ("red", -100 * MS, True),
    ]


def test_dead_heat_is_a_gap_of_at_most_the_sum_of_the_errors():
    assert ranked(press("red", 0, 20), press("blue", 50, 30)) == [("red", 0, True), ("blue", 50, True)]
    assert ranked(press("red", 0, 20), press("blue", 51, 30)) == [("red", 0, False), ("blue", 51, False)]


def test_dead_heat_is_judged_by_adjusted_times():
    assert ranked(press("red", 0, 5), press("blue", MS, 5), blue=1) == [("red", 0, True), ("blue", MS, True)]
    assert ranked(press("red", 0, 5), press("blue", 5, 5), blue=1)[0] == ("blue", 0, False)


def test_dead_heat_groups_are_chains_of_neighbours():
    places = ranked(press("red", 0, 10), press("yellow", 20, 10), press("green", 40, 10), press("blue", 61, 10))
    assert [dead_heat for _, _, dead_heat in places] == [True, True, True, False]


def test_dead_heat_policy_timestamp_leaves_the_order():
    assert [name for name, _, _ in ranked(press("yellow", 0, 9), press("red", 9, 9))] == ["yellow", "red"]


def test_dead_heat_policy_clockwise_orders_the_members_of_a_group_only():
    places = ranked(
        press("blue", 0, 10), press("yellow", 15, 10), press("purple", 30, 10), press("red", 1000), press("green", 900),
        policy="clockwise", revealer="yellow",
    )  # fmt: skip
    assert places == [
        ("yellow", 0, True),
        ("blue", -15, True),
        ("purple", 15, True),
        ("green", 885, False),
        ("red", 985, False),
    ]


@st.composite
def races(draw):
    colours = draw(st.lists(st.sampled_from(COLOURS), min_size=1, max_size=5, unique=True))
    seats = tuple(Seat(colour, allowance_ms=draw(st.sampled_from([0, 0, 1]))) for colour in colours)
    presses = [
        press(colour, draw(st.integers(0, 200)) + draw(st.sampled_from([0, MS])), draw(st.integers(0, 30)))
        for colour in draw(st.permutations(colours))[: draw(st.integers(1, len(colours)))]
    ]
    return presses, seats, draw(st.sampled_from(colours)), draw(st.sampled_from(["timestamp", "clockwise"]))


@given(races(), st.randoms())
def test_the_order_of_arrival_does_not_change_the_order(race, random):
    presses, seats, revealer, policy = race
    shuffled = random.sample(presses, len(presses))
    assert rank(presses, seats, revealer, policy) == rank(shuffled, seats, revealer, policy)


@given(races())
def test_both_policies_find_the_same_dead_heats_and_keep_the_groups_in_order(race):
    presses, seats, revealer, _ = race
    by_time, clockwise = (rank(presses, seats, revealer, policy) for policy in ("timestamp", "clockwise"))
    assert {place.colour for place in by_time if place.dead_heat} == {
        place.colour for place in clockwise if place.dead_heat
    }
    alone = [(place.place, place.colour) for place in by_time if not place.dead_heat]
    assert alone == [(place.place, place.colour) for place in clockwise if not place.dead_heat]


@given(races())
def test_times_further_apart_than_their_errors_are_never_swapped(race):
    presses, seats, revealer, policy = race
    allowances = {seat.colour: seat.allowance_ms * MS for seat in seats}
    places = rank(presses, seats, revealer, policy)
    position = {place.colour: place.place for place in places}
    widest = 2 * max(press.error_ns for press in presses) * len(presses)
    for one in presses:
        for other in presses:
            gap = (other.t_ns - allowances[other.colour]) - (one.t_ns - allowances[one.colour])
            if gap > widest:
                assert position[one.colour] < position[other.colour]


def tied(*presses, **allowances):
    seats = tuple(Seat(colour, allowance_ms=allowances.get(colour, 0)) for colour in COLOURS)
    return {str(p.colour): [str(c) for c in p.tied_with] for p in rank(presses, seats, Colour.BLUE, "timestamp")}


def test_tied_with_names_whom_the_times_cannot_tell_apart_in_seat_order():
    """The ends of a chain are told apart, though all of it is one dead heat."""
    chain = [press("purple", 0, 20), press("red", 35, 20), press("yellow", 70, 20), press("blue", 200, 20)]
    assert tied(*chain) == {"purple": ["red"], "red": ["yellow", "purple"], "yellow": ["red"], "blue": []}
    assert ranked(*chain) == [("purple", 0, True), ("red", 35, True), ("yellow", 70, True), ("blue", 200, False)]


def test_tied_with_goes_by_adjusted_times_and_equal_ones_are_tied():
    assert tied(press("red", MS), press("green", 0), red=1) == {"red": ["green"], "green": ["red"]}
    assert tied(press("red", 7), press("green", 8)) == {"red": [], "green": []}
