"""What a setup says of the parameters, files and seats that a game asks for, and what is refused of it."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.errors import Illegal, Malformed
from companion.core.panel import Colour
from companion.core.record.lines import Seat, Setup, SetupFile
from companion.core.ruling.parameters import Parameter, setting, variants_of, verify_setup, why_wrong
from companion.games import registry
from tests.contract.everything import EVERYTHING, Everything
from tests.contract.nim import NIM

ROUNDS, MOOD, DOUBLES, OPEN_BIDS, BOARD = EVERYTHING.parameters


def setup(**changes: Any) -> Setup:
    seats = (Seat(Colour.RED), Seat(Colour.BLUE))
    return Setup(
        **{
            "record": 2,
            "match": "0" * 32,
            "game": "everything",
            "edition": 1,
            "seats": seats,
            "first": Colour.RED,
            **changes,
        }
    )


def of(*colours: Colour) -> tuple[Seat, ...]:
    return tuple(Seat(colour) for colour in colours)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"parameters": {"rounds": 1, "mood": "wild", "doubles": False}, "variants": ("open-bids",)},
        {"parameters": {"rounds": 3}, "files": {"board": SetupFile("b.txt", "x")}},
        {"seats": of(Colour.RED, Colour.BLUE, Colour.GREEN), "first": Colour.GREEN},
    ],
)
def test_what_a_game_asks_may_be_said_or_left_out(changes):
    verify_setup(EVERYTHING, setup(**changes))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"edition": 2}, "field `edition`: everything 2 is not installed; this judges 1"),
        ({"variants": ("raid",)}, "field `variants`: 'raid' is no variant; allowed: open-bids"),
        (
            {"parameters": {"rouns": 2}},
            "field `parameters`: 'rouns' is no parameter of everything; there are: rounds, mood, doubles",
        ),
        (
            {"parameters": {"open-bids": True}},
            "field `parameters`: 'open-bids' is no parameter of everything; there are: rounds, mood, doubles",
        ),
        (
            {"parameters": {"mood": "calm", "rounds": 4}},
            "field `parameters`: rounds: 4 is no whole number from 1 to 3",
        ),
        (
            {"files": {"board": SetupFile("b", "x"), "map": SetupFile("m", "y")}},
            "field `files`: 'map' is no file that everything asks for; there are: board",
        ),
    ],
)
def test_what_a_game_does_not_have_is_malformed_and_named(changes, message):
    with pytest.raises(Malformed) as error:
        verify_setup(EVERYTHING, setup(**changes))
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"parameters": {"rounds": 2}}, "field `parameters`: 'rounds' is no parameter of nim; there are: none"),
        ({"files": {"map": SetupFile("m", "")}}, "field `files`: 'map' is no file that nim asks for; there are: none"),
    ],
)
def test_a_game_that_asks_for_no_such_thing_says_so(changes, message):
    with pytest.raises(Malformed) as error:
        verify_setup(NIM, setup(game="nim", **changes))
    assert str(error.value) == message


def test_a_game_without_variants_has_no_such_field_not_even_an_empty_one():
    order = registry.find("order")
    verify_setup(order, setup(game="order"))
    with pytest.raises(Malformed, match=r"^field `variants`: order has no variants; leave the field out$"):
        verify_setup(order, setup(game="order", variants=()))


class WithMap(Everything):
    parameters = (*Everything.parameters, Parameter("map", "Map", "file"), Parameter("fog", "Fog", is_variant=True))


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"files": {"plan": SetupFile("p", "x")}}, "there are: board, map"),
        ({"variants": ("rain",)}, "allowed: open-bids, fog"),
    ],
)
def test_all_that_there_is_instead_is_named(changes, told):
    with pytest.raises(Malformed, match=f"; {told}$"):
        verify_setup(WithMap(), setup(**changes))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"variants": ("open-bids", "open-bids")}, "field `variants`: one is named twice"),
        ({"seats": of(Colour.RED, Colour.RED)}, "field `seats`: two seats have the same colour"),
        ({"seats": of(Colour.RED)}, "Everything is for 2 to 3 players, not 1"),
        (
            {"seats": of(Colour.RED, Colour.BLUE, Colour.GREEN, Colour.YELLOW)},
            "Everything is for 2 to 3 players, not 4",
        ),
        ({"first": Colour.GREEN}, "field `first`: green has no seat"),
    ],
)
def test_what_cannot_be_played_is_illegal_and_says_why(changes, message):
    with pytest.raises(Illegal) as error:
        verify_setup(EVERYTHING, setup(**changes))
    assert str(error.value) == message


def test_lots_have_their_seed_and_nothing_else_has_one():
    verify_setup(EVERYTHING, setup(dead_heat="lots", seed="3f09"))
    with pytest.raises(Malformed, match=r"^field `seed` is missing; dead heats that go by lots need it$"):
        verify_setup(EVERYTHING, setup(dead_heat="lots"))
    for policy in ("timestamp", "clockwise"):
        with pytest.raises(Malformed, match=r"^field `seed`: nothing is drawn with it here; leave the field out$"):
            verify_setup(EVERYTHING, setup(dead_heat=policy, seed="3f09"))


def test_without_times_there_are_no_allowances_and_no_earlier_time():
    verify_setup(EVERYTHING, setup(timing="untimed", dead_heat="clockwise"))
    verify_setup(EVERYTHING, setup(timing="untimed", dead_heat="lots", seed="0"))
    with pytest.raises(Illegal, match=r"^field `dead_heat`: without times it is not the earlier time that decides$"):
        verify_setup(EVERYTHING, setup(timing="untimed"))
    seats = (Seat(Colour.RED), Seat(Colour.BLUE, allowance_ms=1))
    with pytest.raises(Illegal, match=r"^field `seats`: without times nobody has an allowance$"):
        verify_setup(EVERYTHING, setup(timing="untimed", dead_heat="clockwise", seats=seats))


@pytest.mark.parametrize(
    ("parameter", "right", "wrong", "why"),
    [
        (DOUBLES, (True, False), ("yes", 1, 0), "is neither true nor false"),
        (ROUNDS, (1, 2, 3), (0, 4, "2", True), "is no whole number from 1 to 3"),
        (MOOD, ("calm", "wild"), ("", "Calm", 1), "is no choice; allowed: calm, wild"),
    ],
    ids=lambda value: value.kind if isinstance(value, Parameter) else None,
)
def test_the_value_of_a_parameter_is_of_its_kind_and_within_its_range(parameter, right, wrong, why):
    assert [why_wrong(parameter, value) for value in right] == [""] * len(right)
    assert [why_wrong(parameter, value) for value in wrong] == [f"{value!r} {why}" for value in wrong]


def test_a_parameter_is_what_the_setup_says_and_else_its_default():
    said = setup(parameters={"rounds": 3, "doubles": False}, variants=("open-bids",))
    assert [setting(said, asked) for asked in (ROUNDS, MOOD, DOUBLES, OPEN_BIDS)] == [3, "calm", False, True]
    assert [setting(setup(), asked) for asked in (ROUNDS, MOOD, DOUBLES, OPEN_BIDS)] == [2, "calm", True, False]


def test_variants_are_those_that_the_record_lists_as_such():
    assert variants_of(EVERYTHING.parameters) == (OPEN_BIDS,)
