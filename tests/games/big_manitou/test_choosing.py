"""How choices are come to: by own buttons alone, by a name at once (knob, phone, scanner), in few steps."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from companion.core.panel import Colour
from companion.core.ruling.offers import Step
from companion.games.big_manitou.cards import NAMES, TILE_NAMES
from companion.games.big_manitou.lines import BootyLine, HuntLine
from companion.games.big_manitou.state import cards_left, deciding, grounds_for
from companion.testing.possible import every_completion
from tests.games.big_manitou.matches import Match
from tests.games.big_manitou.table import GAME, Table
from tests.games.big_manitou.test_refused import at_booty, at_counts, at_eighth, at_ride, at_sharing, at_thief, at_turns

BUTTONS = 4


def by_buttons(state: Any, offer: Any, chosen: tuple[str, ...] = ()) -> Iterator[tuple[Any, int]]:
    """Every line that a seat's own four buttons lead to."""
    step = GAME.step(state, offer, chosen)
    if not isinstance(step, Step):
        yield step, len(chosen)
        return
    for value in step.values[:BUTTONS]:
        yield from by_buttons(state, offer, (*chosen, value.key))


def chosen_by_name(state: Any, offer: Any, name: Any, *more: Any) -> Any:
    """The line that a name given at once leads to."""
    return GAME.step(state, offer, (name, *more))


def test_every_card_at_every_ground_is_three_own_presses_away_or_four() -> None:
    table = at_turns()
    (offer,) = GAME.offers(table.state)
    lines = dict(by_buttons(table.state, offer))
    wanted = {
        HuntLine(colour=Colour.YELLOW, card=name, ground=ground)  # type: ignore[arg-type]  # one of the three
        for name, ground in product(NAMES[Colour.YELLOW], ("left", "middle", "right"))
    }
    assert set(lines) == wanted
    assert max(lines.values()) == 4
    assert sum(presses == 3 for presses in lines.values()) == 3 * (10 + 3)


def test_and_each_card_is_taken_by_its_name_without_its_group_as_by_a_code() -> None:
    table = at_turns()
    (offer,) = GAME.offers(table.state)
    for name in NAMES[Colour.YELLOW]:
        step = GAME.step(table.state, offer, (name,))
        assert [value.key for value in step.values] == ["left", "middle", "right"]
        assert chosen_by_name(table.state, offer, name, "middle").card == name


def test_every_tile_is_two_own_presses_away_or_three_and_is_taken_by_its_name() -> None:
    table = at_booty()
    (offer,) = GAME.offers(table.state)
    lines = dict(by_buttons(table.state, offer))
    assert {line.tile for line in lines} == set(TILE_NAMES)
    assert all(isinstance(line, BootyLine) and line.ground == "left" for line in lines)
    assert max(lines.values()) == 3
    assert [chosen_by_name(table.state, offer, name).tile for name in TILE_NAMES] == list(TILE_NAMES)


@pytest.mark.parametrize("phase", [at_eighth, at_ride, at_thief, at_sharing])
def test_whatever_can_be_chosen_can_be_chosen_by_own_buttons(phase: Any) -> None:
    table = phase()
    (offer,) = GAME.offers(table.state)
    reached = [line for line, _ in by_buttons(table.state, offer)]
    assert len(reached) >= 2
    assert set(reached) == set(every_completion(GAME, table.state, offer))


def test_of_nine_tiles_of_nine_names_each_is_two_own_presses_away() -> None:
    tiles = "tipi 1, tipi 2, tipi 3, buffalo 1, buffalo 2, buffalo 3, horse, totem, tomahawk"
    table = Table("red yellow").laid(tiles, "tipi 1", "tipi 2")
    table.hunt(red="scout l")
    (offer,) = GAME.offers(table.state)
    lines = dict(by_buttons(table.state, offer))
    assert {line.tile for line in lines} == set(tiles.split(", "))
    assert set(lines.values()) <= {1, 2}


def test_how_many_tiles_lie_on_each_ground_offers_only_what_can_be_completed() -> None:
    table = at_counts()
    (offer,) = GAME.offers(table.state)
    assert [v.key for v in GAME.step(table.state, offer, ()).values] == [str(n) for n in range(1, 10)]
    assert [v.key for v in GAME.step(table.state, offer, ("9",)).values] == [str(n) for n in range(1, 6)]
    assert [v.key for v in GAME.step(table.state, offer, ("9", "5")).values] == ["1"]


def test_what_lies_on_the_grounds_already_is_not_offered_again() -> None:
    table = at_counts().grounds(9, 5, 1)
    offer = next(one for one in GAME.offers(table.state) if one.kind == "grounds")
    assert not offer.required
    assert [v.key for v in GAME.step(table.state, offer, ("9",)).values] == ["1", "2", "3", "4"]
    assert [v.key for v in GAME.step(table.state, offer, ("9", "4")).values] == ["1", "2"]
    table.grounds(4, 4, 4)
    offer = next(one for one in GAME.offers(table.state) if one.kind == "grounds")
    assert "4" not in [v.key for v in GAME.step(table.state, offer, ("4", "4")).values]


@pytest.mark.parametrize("seed", range(12))
def test_in_whole_matches_exactly_the_legal_cards_are_offered(seed: Any) -> None:
    match = Match(seed)
    match.troubles = 0.0
    while not GAME.is_over(match.state):
        state = match.state
        offers = [offer for offer in GAME.offers(state) if offer.kind == "hunt"]
        for offer in offers:
            seat = deciding(state) or 0
            names = NAMES[state.colour(seat)]
            wanted = {names[card] for card in cards_left(state, seat) if grounds_for(state, seat, card)}
            assert {line.card for line, _ in by_buttons(state, offer) if isinstance(line, HuntLine)} == wanted
        match.feed(match.next_line())


def test_groups_have_what_is_left_in_them() -> None:
    """In the second hunt, when few are left."""
    table = at_turns()
    heroes = "chieftain l, squaw r, rain_maker m, medicine_man m"
    table.hunt(yellow=heroes, red="1 l, 2 l, 3 l, 4 l, 5 l, 6 l, 7 l")
    while table.phase in {"thief", "sharing"}:
        (table.loot if table.phase == "sharing" else table.forfeit)(table.decides, table.offered()[0])
    table.lay("tipi 1", "tipi 1", "tipi 1", "tipi 1")
    table.ready()
    table.play("red", "8 l")
    (offer,) = GAME.offers(table.state)
    assert [value.label for value in GAME.step(table.state, offer, ()).values] == [
        "hunter 4 to 6", "hunter 7 to 10", "a hero",
    ]  # fmt: skip
    heroes = GAME.step(table.state, offer, ("heroes..",)).values
    assert [value.label for value in heroes] == ["chieftain", "squaw", "scout"]
