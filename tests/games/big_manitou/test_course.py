"""How a match goes: hunts, dealers, how many cards, who plays when, what is back in the tribe, totem and horse."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.panel import Colour
from companion.core.record.lines import End
from companion.games.big_manitou.cards import COPIES, ROLES
from companion.games.big_manitou.state import cards_left
from tests.games.big_manitou.table import GAME, Table

SEATS = ["red yellow", "red yellow green", "red yellow green blue", "red yellow green blue purple"]


def named(rulings: Any, tag: Any) -> Any:
    return [ruling for ruling in rulings if ruling.__struct_config__.tag == tag]


def settle(table: Table) -> None:
    """Take whatever is on offer, until the next hunt or the end."""
    while table.phase in {"thief", "sharing"}:
        act = table.forfeit if table.phase == "thief" else table.loot
        act(table.decides, table.offered()[0])


def pass_by(table: Table) -> None:
    while table.phase in {"eighth", "ride"}:
        table.forgo(table.decides)


def whole_hunt(table: Table, tiles: str = "tipi 1") -> None:
    if not table.state.counts:
        table.grounds(1, 1, 1)
    table.lay(tiles, tiles, tiles)
    table.ready()
    table.hunt()
    pass_by(table)
    settle(table)


@pytest.mark.parametrize(("seats", "hunts"), list(zip(SEATS, (4, 3, 4, 5), strict=True)))
def test_four_hunts_for_two_and_four_three_for_three_five_for_five(seats: Any, hunts: Any) -> None:
    table = Table(seats)
    for hunt in range(1, hunts + 1):
        assert table.state.hunt == hunt
        assert not GAME.is_exhausted(table.state)
        whole_hunt(table)
        assert table.judge.outcome().hunts == hunt
    assert GAME.is_exhausted(table.state)
    (outcome,) = table.feed(End())
    assert outcome.over
    assert outcome.hunts == hunts


@pytest.mark.parametrize("seats", SEATS)
def test_the_dealer_of_the_first_hunt_is_first_and_it_moves_to_the_left_after_each(seats: Any) -> None:
    table = Table(seats, first="yellow")
    colours = seats.split()
    for hunt in range(3):
        dealer = colours[(1 + hunt) % len(colours)]
        assert str(table.state.colour(table.state.dealer)) == dealer
        whole_hunt(table)


@pytest.mark.parametrize(
    ("seats", "cards"),
    [
        ("red yellow", {"red": 7, "yellow": 8}),
        ("red yellow green", {"red": 7, "yellow": 9, "green": 8}),
        ("red yellow green blue", {"red": 7, "yellow": 9, "green": 8, "blue": 8}),
        ("red yellow green blue purple", {"red": 7, "yellow": 9, "green": 8, "blue": 8, "purple": 8}),
    ],
)
def test_the_first_player_takes_9_cards_the_dealer_7_others_8_and_of_two_8_and_7(seats: Any, cards: Any) -> None:
    (muster,) = Table(seats).grounds(1, 1, 1).lay("horse", "totem", "tipi 2")
    assert muster.cards == cards
    assert (muster.dealer, muster.begins, muster.hunt) == ("red", "yellow", 1)


def test_everybody_says_when_ready_by_one_press_of_any_own_button_in_any_order() -> None:
    table = Table("red yellow green").grounds(1, 1, 1)
    table.lay("horse", "totem", "tipi 2")
    offers = GAME.offers(table.state)
    ready, *areas = GAME.view(table.state).areas[:4]
    assert (ready.name, ready.note) == ("ready", "press any button")
    assert [(area.name, area.cells[0].text) for area in areas] == [
        ("RED chooses", "7"), ("YEL chooses", "9"), ("GRN chooses", "8"),
    ]  # fmt: skip
    assert [(offer.seat, offer.prompt, offer.at_once) for offer in offers] == [
        (Colour.RED, "RED chooses 7", True),
        (Colour.YELLOW, "YEL chooses 9", True),
        (Colour.GREEN, "GRN chooses 8", True),
    ]
    for offer in offers:
        (option,) = offer.options
        buttons = {button.label for button in (option.button, *option.also)}
        assert buttons == {f"{offer.seat} {place}" for place in ("first", "second", "third", "fourth")}
    for seat in (2, 0, 1):
        assert table.phase == "choosing"
        table.feed(next(o.options[0].line for o in offers if o.seat is table.state.colour(seat)))
    assert table.phase == "turns"


def test_in_quick_hunts_cards_are_drawn() -> None:
    table = Table("red yellow", quick=True).grounds(1, 1, 1)
    table.lay("horse", "totem", "tipi 2")
    assert [offer.prompt for offer in GAME.offers(table.state)] == ["RED draws 7", "YEL draws 8"]


def test_seven_turns_each_clockwise_from_the_left_of_the_dealer() -> None:
    table = Table("red yellow green", first="yellow").laid("horse", "totem", "tipi 1")
    seen = []
    while table.phase == "turns":
        seen.append(table.decides)
        table.play(table.decides, f"{len(seen) // 3 + 1 if len(seen) % 3 else len(seen) // 3} r")
    assert seen == ["green", "red", "yellow"] * 7


def left(table: Table, colour: str) -> dict[str, int]:
    seat = table.colours.index(colour)
    played = table.state.spent[seat]
    return {ROLES[card]: COPIES[card] - played.count(card) for card in cards_left(table.state, seat)}


def test_hunts_2_and_4_go_without_the_cards_of_the_hunt_before_and_then_all_are_back() -> None:
    table = Table("red yellow")
    whole = dict(zip(ROLES, COPIES, strict=True))
    assert left(table, "red") == whole
    table.laid("tipi 1", "tipi 1", "tipi 1")
    table.hunt(red="chieftain l, squaw m, squaw l", yellow="scout l")
    settle(table)
    without = {role: whole[role] for role in whole if role not in {"squaw", *(f"hunter {n}" for n in range(1, 5))}}
    assert left(table, "red") == {**without, "chieftain": 1}
    assert "scout" not in left(table, "yellow")
    whole_hunt(table)
    assert left(table, "red") == whole
    whole_hunt(table)
    assert left(table, "red") != whole
    whole_hunt(table)
    assert left(table, "red") == whole


def test_in_the_third_and_fifth_hunt_of_five_everybody_has_the_whole_tribe() -> None:
    table = Table("red yellow green blue purple")
    sizes = []
    for _ in range(5):
        sizes.append(sum(left(table, "blue").values()))
        whole_hunt(table)
    assert sizes == [17, 10, 17, 10, 17]


# -- the totem's eighth card, the horse's move ---------------------------------------------------------------------


def with_cylinder(seats: str, tile: str, holder: str) -> Table:
    """A table in the second hunt, in which `holder` has a cylinder and all have played seven cards."""
    table = Table(seats).laid(tile, "tipi 1", "tipi 1")
    table.hunt(**{holder: "chieftain l"})
    settle(table)
    table.lay("tipi 1", "tipi 1", "tipi 1")
    table.ready()
    table.hunt()
    return table


def test_the_holder_of_the_totem_may_play_an_eighth_card_after_all_others() -> None:
    table = with_cylinder("red yellow green", "totem", "red")
    assert (table.phase, table.decides) == ("eighth", "red")
    seat = table.state.seats[0]
    before = sum(one.seat == seat for ground in table.state.grounds for one in ground.cards)
    assert before == 7
    found = table.play("red", "scout l")
    assert [(one.hunt, one.by, one.colour) for one in named(found, "gained")][:1] == [(2, "hero", "red")]


def test_the_eighth_card_may_be_left_and_may_be_a_hero_in_a_trial() -> None:
    table = with_cylinder("red yellow green", "totem", "red")
    table.undo()
    assert table.phase == "turns"
    table = with_cylinder("red yellow green", "totem", "red")
    found = table.forgo("red")
    assert named(found, "thief")
    table = Table("red yellow green").laid("totem", "tipi 1", "tipi 1")
    table.hunt(red="chieftain l")
    settle(table)
    table.lay("tipi 1", "tipi 1", "tipi 1")
    table.ready()
    table.hunt(yellow="scout l")
    (trial, *_) = table.play("red", "rain_maker l")
    assert trial.result == "wins"


def test_the_last_player_has_no_eighth_card() -> None:
    """In the second hunt yellow deals."""
    table = with_cylinder("red yellow green", "totem", "yellow")
    assert table.state.holdings.totem == 1
    assert table.phase not in {"eighth", "turns"}


def test_an_eighth_card_is_missing_in_the_hunt_after_it() -> None:
    table = Table("red yellow")
    table.laid("totem", "tipi 1", "tipi 1")
    table.hunt(yellow="chieftain l")
    settle(table)
    whole_hunt(table)
    table.lay("tipi 1", "tipi 1", "tipi 1")
    table.ready()
    table.hunt()
    assert (table.phase, table.decides) == ("eighth", "yellow")
    table.play("yellow", "10 l")
    settle(table)
    assert sum(left(table, "yellow").values()) == 17 - 8


def test_the_holder_of_the_horse_may_move_one_own_hunter_after_all_cards() -> None:
    table = with_cylinder("red yellow green", "horse", "red")
    assert (table.phase, table.decides) == ("ride", "red")
    table.ride("red", "9 m")
    (totals,) = [one for one in named(table.rulings, "totals") if (one.hunt, one.ground) == (2, "middle")]
    assert totals.totals == {"red": 9}


def test_the_horse_s_move_may_be_left() -> None:
    table = with_cylinder("red yellow green", "horse", "red")
    assert named(table.forgo("red"), "thief")


def test_it_comes_after_the_totem_s_card_even_where_both_are_one_player_s() -> None:
    table = Table("red yellow green").laid("totem", "horse", "tipi 1")
    table.hunt(red="chieftain l, chieftain m")
    settle(table)
    table.lay("tipi 1", "tipi 1", "tipi 1")
    table.ready()
    table.hunt()
    assert (table.phase, table.decides) == ("eighth", "red")
    table.play("red", "scout l")
    assert (table.phase, table.decides) == ("ride", "red")


def test_nobody_is_asked_for_the_horse_s_move_without_a_hunter_on_a_ground() -> None:
    table = Table("red yellow").laid("horse", "tipi 1", "tipi 1")
    table.hunt(red="chieftain l", yellow="chieftain r, squaw r, scout m, medicine_man m")
    settle(table)
    assert table.state.holdings.horse == 0
    table.lay("tipi 1", "tipi 1", "tipi 1")
    table.ready()
    heroes = "chieftain l, squaw l, squaw m, rain_maker m, scout r, medicine_man r"
    while table.phase == "turns":
        if table.decides == "yellow":
            table.hunt_one("yellow")
        elif heroes:
            what, _, heroes = heroes.partition(", ")
            table.play("red", what)
        else:
            table.forgo("red")
    assert table.phase != "ride"


def test_who_has_two_heroes_on_every_ground_may_pass_a_turn() -> None:
    table = Table("red yellow").laid("tipi 1", "tipi 1", "tipi 1")
    heroes = ["chieftain l", "chieftain l", "squaw m", "squaw m", "rain_maker r", "scout r"]
    table.play("yellow", "1 l")
    for number, what in enumerate(heroes, start=2):
        table.play("red", what)
        table.play("yellow", f"{number} l")
    assert table.decides == "red"
    table.forgo("red")
    assert table.phase != "turns"
