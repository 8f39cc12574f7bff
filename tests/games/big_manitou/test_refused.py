"""What is refused, each with the rule that it breaks (`docs/games/big-manitou.md`, What is refused)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from companion.core.errors import Illegal, Malformed
from companion.core.panel import Colour
from companion.core.record.lines import Close, End, JudgeLine, PressLine, Reveal, dump_line, parse_line
from companion.games.big_manitou.lines import (
    BootyLine,
    ForfeitLine,
    ForgoLine,
    GroundsLine,
    HuntingLine,
    HuntLine,
    LootLine,
    RideLine,
)
from tests.games.big_manitou.table import GAME, Table

RED, YELLOW, GREEN = Colour.RED, Colour.YELLOW, Colour.GREEN
GROUNDS = GroundsLine(booty=(1, 1, 1))
BOOTY = BootyLine(ground="left", tile="tipi 1")
READY = HuntingLine(colour=YELLOW)
HUNT = HuntLine(colour=YELLOW, card="yellow hunter 1", ground="left")
FORGO = ForgoLine(colour=YELLOW)
RIDE = RideLine(colour=RED, card="red hunter 1", ground="left")
FORFEIT = ForfeitLine(colour=RED, tile="tipi 1")
LOOT = LootLine(colour=RED, tile="tipi 1")
ALL = (GROUNDS, BOOTY, READY, HUNT, FORGO, RIDE, FORFEIT, LOOT)


def at_counts() -> Table:
    return Table("red yellow")


def at_booty() -> Table:
    table = at_counts().grounds(2, 1, 1)
    table.lay("tipi 1")
    return table


def at_choosing() -> Table:
    table = at_booty()
    table.lay("tipi 2", "tipi 3", "tipi 4")
    return table


def at_turns() -> Table:
    return at_choosing().ready()


def at_sharing() -> Table:
    table = Table("red yellow").laid("tipi 1, tipi 2, horse", "tipi 3", "totem")
    table.hunt(red="9 l, 10 l, 8 l, scout m", yellow="10 r")
    assert (table.phase, table.decides) == ("sharing", "red")
    return table


def at_thief() -> Table:
    table = at_sharing()
    table.loot("red", "tipi 1", "horse")
    assert (table.phase, table.decides) == ("thief", "red")
    return table


def at_eighth() -> Table:
    """Yellow holds the totem, red the horse; yellow deals no more: the third hunt."""
    table = at_thief()
    table.forfeit("red", "tipi 1")
    table.lay("tipi 1", "tipi 1", "tipi 1", "tipi 1", "tipi 1")
    table.ready()
    table.hunt()
    while table.phase != "booty":
        skip, settle = table.phase in {"ride", "eighth"}, table.loot if table.phase == "sharing" else table.forfeit
        table.forgo(table.decides) if skip else settle(table.decides, table.offered()[0])
    table.lay("tipi 1", "tipi 1", "tipi 1", "tipi 1", "tipi 1")
    table.ready()
    table.hunt()
    assert (table.phase, table.decides) == ("eighth", "yellow")
    return table


def at_ride() -> Table:
    table = at_eighth()
    table.forgo("yellow")
    assert (table.phase, table.decides) == ("ride", "red")
    return table


LEGAL = {
    at_counts: {"grounds"},
    at_booty: {"booty"},
    at_choosing: {"hunting"},
    at_turns: {"hunt", "forgo"},
    at_eighth: {"hunt", "forgo"},
    at_ride: {"ride", "forgo"},
    at_thief: {"forfeit"},
    at_sharing: {"loot"},
}


@pytest.mark.parametrize("phase", LEGAL)
def test_rule_1_each_line_in_its_phase(phase: Any) -> None:
    table = phase()
    before = table.state
    for line in ALL:
        if line.__struct_config__.tag not in LEGAL[phase]:
            with pytest.raises(Illegal, match=r"^rule 1: "):
                table.feed(line)
    assert table.state == before


@pytest.mark.parametrize("line", [Close(), JudgeLine(), Reveal(card="tipi 1")])
def test_rule_1_lines_of_other_games_are_refused(line: Any) -> None:
    with pytest.raises(Illegal, match=r"^rule 1: Big Manitou has no `"):
        at_turns().feed(line)


def test_rule_1_a_press_is_no_line_of_this_game() -> None:
    with pytest.raises(Illegal, match=r"^rule 1: "):
        at_turns().feed(PressLine(colour=RED, role="first", t_ns=0))


@pytest.mark.parametrize(
    ("phase", "line"),
    [
        (at_choosing, HuntingLine(colour=GREEN)),
        (at_turns, HuntLine(colour=RED, card="red hunter 1", ground="left")),
        (at_turns, HuntLine(colour=GREEN, card="green hunter 1", ground="left")),
        (at_turns, ForgoLine(colour=RED)),
        (at_eighth, ForgoLine(colour=RED)),
        (at_eighth, HuntLine(colour=RED, card="red hunter 10", ground="left")),
        (at_ride, ForgoLine(colour=YELLOW)),
        (at_ride, RideLine(colour=YELLOW, card="yellow hunter 1", ground="left")),
        (at_thief, ForfeitLine(colour=YELLOW, tile="tipi 1")),
        (at_sharing, LootLine(colour=YELLOW, tile="tipi 1")),
    ],
)
def test_rule_2_the_seat_that_decides(phase: Any, line: Any) -> None:
    with pytest.raises(Illegal, match=r"^rule 2: "):
        phase().feed(line)


@pytest.mark.parametrize(
    ("seats", "most"), [("red yellow", 15), ("red yellow green", 20), ("red yellow green blue purple", 12)]
)
def test_rule_3_the_tiles_of_all_hunts_are_60_at_most(seats: Any, most: Any) -> None:
    table = Table(seats)
    with pytest.raises(Illegal, match=rf"^rule 3: of 60 tiles the grounds of a hunt may have {most} together$"):
        table.grounds(most - 8, 4, 5)
    table.grounds(most - 13, 8, 5) if most > 13 else table.grounds(2, 5, 5)


def test_rule_3_numbers_are_said_again_before_a_hunt_s_first_tile_and_only_other_ones() -> None:
    table = Table("red yellow").grounds(2, 1, 1)
    with pytest.raises(Illegal, match=r"^rule 3: so many lie there already$"):
        table.grounds(2, 1, 1)
    table.grounds(1, 1, 1)
    table.lay("tipi 1", "tipi 1", "tipi 1")
    table.ready()
    table.hunt()
    while table.phase != "booty":
        table.loot(table.decides, table.offered()[0])
    table.grounds(9, 1, 9)
    with pytest.raises(Illegal, match=r"^rule 3: of 60 tiles the grounds of a hunt may have 19 together$"):
        table.grounds(9, 2, 9)


def test_rule_4_tiles_are_laid_ground_by_ground() -> None:
    with pytest.raises(Illegal, match=r"^rule 4: tiles are laid on the left ground now$"):
        at_booty().feed(BootyLine(ground="middle", tile="tipi 1"))


def test_rule_5_a_seat_is_ready_once() -> None:
    table = at_choosing()
    table.feed(READY)
    with pytest.raises(Illegal, match=r"^rule 5: yellow is ready already$"):
        table.feed(READY)


def test_rule_6_a_card_is_of_one_s_own_tribe() -> None:
    with pytest.raises(Illegal, match=r"^rule 6: the red hunter 1 is not yellow's$"):
        at_turns().feed(HuntLine(colour=YELLOW, card="red hunter 1", ground="left"))


def test_rule_7_a_card_is_played_once_in_a_hunt() -> None:
    table = at_turns()
    table.play("yellow", "7 l")
    table.play("red", "7 l")
    with pytest.raises(Illegal, match=r"^rule 7: the yellow hunter 7 has been played already$"):
        table.play("yellow", "7 r")


def test_rule_7_of_chieftains_and_squaws_there_are_two() -> None:
    table = at_turns()
    for number, where in enumerate(("chieftain l", "chieftain m"), start=1):
        table.play("yellow", where)
        table.play("red", f"{number} r")
    with pytest.raises(Illegal, match=r"^rule 7: the yellow chieftain has been played already$"):
        table.play("yellow", "chieftain r")


def test_rule_7_nor_in_hunts_2_and_4_what_was_played_in_the_one_before() -> None:
    table = at_thief()
    table.forfeit("red", "tipi 1")
    table.lay("tipi 1", "tipi 1", "tipi 1", "tipi 1", "tipi 1")
    table.ready()
    assert table.decides == "red"
    with pytest.raises(Illegal, match=r"^rule 7: the red scout has been played already$"):
        table.play("red", "scout m")
    with pytest.raises(Illegal, match=r"^rule 7: "):
        table.play("red", "9 m")


def test_rule_8_two_heroes_face_up_at_most() -> None:
    table = at_turns()
    for number, where in enumerate(("scout l", "squaw l"), start=1):
        table.play("yellow", where)
        table.play("red", f"{number} r")
    with pytest.raises(Illegal, match=r"^rule 8: two heroes of yellow lie face up on the left ground$"):
        table.play("yellow", "chieftain l")


def test_rule_9_a_turn_is_passed_only_where_no_hero_fits_anywhere() -> None:
    with pytest.raises(Illegal, match=r"^rule 9: "):
        at_turns().feed(FORGO)


@pytest.mark.parametrize("what", ["10 l", "chieftain l", "1 r"])
def test_rule_10_an_own_hunter_that_lies_there_goes_to_another_ground(what: Any) -> None:
    """Red's 10 was never played, a hero is no hunter, and the 1 is on the right already."""
    with pytest.raises(Illegal, match=r"^rule 10: "):
        at_ride().ride("red", what)


def test_rule_10_nobody_moves_the_hunters_of_others() -> None:
    with pytest.raises(Illegal, match=r"^rule 10: the yellow hunter 1 is no hunter of red's$"):
        at_ride().feed(RideLine(colour=RED, card="yellow hunter 1", ground="left"))


@pytest.mark.parametrize("tile", ["horse", "tipi 2", "tomahawk"])
def test_rule_11_the_thief_is_paid_from_tipis_and_buffaloes_that_one_has(tile: Any) -> None:
    with pytest.raises(Illegal, match=r"^rule 11: "):
        at_thief().forfeit("red", tile)


def test_rule_12_only_what_lies_there_is_taken() -> None:
    with pytest.raises(Illegal, match=r"^rule 12: no tipi 3 lies on the ground that is being shared$"):
        at_sharing().loot("red", "tipi 3")


def test_nothing_follows_the_end() -> None:
    table = at_turns()
    table.end()
    for line in (*ALL, End()):
        with pytest.raises(Illegal, match="the game is over"):
            table.feed(line)


# -- malformed -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("card", ["red hunter 11", "red hunter 0", "hunter 1", "red wizard", "pink scout", "scout", ""])
def test_a_card_that_does_not_exist_is_malformed_before_any_rule(card: Any) -> None:
    for line in (HuntLine(colour=RED, card=card, ground="left"), RideLine(colour=RED, card=card, ground="left")):
        with pytest.raises(Malformed, match=r"^field `card`: "):
            at_counts().feed(line)


@pytest.mark.parametrize("tile", ["tipi 0", "tipi 7", "tipi", "buffalo 9", "bear", ""])
def test_a_tile_that_does_not_exist_is_malformed_before_any_rule(tile: Any) -> None:
    for line in (
        BootyLine(ground="left", tile=tile),
        ForfeitLine(colour=RED, tile=tile),
        LootLine(colour=RED, tile=tile),
    ):
        with pytest.raises(Malformed, match=r"^field `tile`: "):
            at_counts().feed(line)


@pytest.mark.parametrize(
    "fields",
    [
        {"type": "grounds", "booty": [1, 1]},
        {"type": "grounds", "booty": [0, 1, 1]},
        {"type": "grounds", "booty": [1, 1, 10]},
        {"type": "grounds", "booty": [1, 1, "1"]},
        {"type": "grounds"},
        {"type": "booty", "ground": "centre", "tile": "tipi 1"},
        {"type": "booty", "ground": "left"},
        {"type": "hunting", "colour": "pink"},
        {"type": "hunt", "colour": "red", "card": "red scout", "ground": 1},
        {"type": "hunt", "colour": "red", "card": "red scout", "ground": "left", "face": "up"},
        {"type": "forgo"},
        {"type": "loot", "colour": "red", "tile": 3},
    ],
)
def test_a_line_that_cannot_be_read_is_malformed(fields: Any) -> None:
    with pytest.raises(Malformed):
        parse_line(json.dumps(fields), 2, GAME.lines)


@pytest.mark.parametrize("line", ALL)
def test_every_line_is_read_as_it_was_written(line: Any) -> None:
    assert parse_line(dump_line(line), 2, GAME.lines) == line


# -- by hand -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "value"),
    [("green tipis", 1), ("red tents", 1), ("red tipis", 361), ("red tipis", -1), ("red horses", 61), ("totem", 3)],
)
def test_by_hand_only_what_is_listed_and_within_its_range(key: Any, value: Any) -> None:
    with pytest.raises(Illegal):
        at_turns().by_hand(key, value)
