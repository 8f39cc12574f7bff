"""After the cards of a hunt: thief, sharing ground by ground, cylinders, tomahawks, points (`big-manitou.md`)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.big_manitou.table import GAME, Table
from tests.games.big_manitou.test_course import named, settle


def hunted(*grounds: str, seats: str = "red yellow green", **plays: str) -> Table:
    """A first hunt with these tiles and cards; whatever needs a choice waits."""
    table = Table(seats).laid(*grounds)
    table.hunt(**plays)
    return table


def taken(table: Table, ground: str, hunt: int = 1) -> list[tuple[str, str, str]]:
    gained = named(table.rulings, "gained")
    return [(str(one.colour), one.by, one.tile) for one in gained if (one.hunt, one.ground) == (hunt, ground)]


def totals(table: Table, ground: str, hunt: int = 1) -> Any:
    (found,) = [one for one in named(table.rulings, "totals") if (one.hunt, one.ground) == (hunt, ground)]
    return found


# -- sharing -------------------------------------------------------------------------------------------------------


def test_first_the_hero_takes_one_then_the_most_two_then_the_second_what_is_left() -> None:
    table = hunted(
        "tipi 1, tipi 2, tipi 3, buffalo 1, buffalo 2", "horse", "totem",
        red="scout l", yellow="9 l", green="8 l",
    )  # fmt: skip
    assert (table.phase, table.decides) == ("sharing", "red")
    assert table.offered() == ["buffalo 1", "buffalo 2", "tipi 1", "tipi 2", "tipi 3"]
    table.loot("red", "tipi 3")
    assert (table.decides, totals(table, "left").most, totals(table, "left").second) == ("yellow", "yellow", "green")
    table.loot("yellow", "buffalo 2")
    assert table.decides == "yellow"
    found = table.loot("yellow", "tipi 2")
    assert taken(table, "left") == [
        ("red", "hero", "tipi 3"), ("yellow", "most", "buffalo 2"), ("yellow", "most", "tipi 2"),
        ("green", "second", "tipi 1"), ("green", "second", "buffalo 1"),
    ]  # fmt: skip
    assert named(found, "gone")[0].ground == "middle"


def test_two_heroes_of_one_player_still_take_one_tile() -> None:
    table = hunted("tipi 1, tipi 2", "horse", "totem", red="scout l, chieftain l")
    table.loot("red", "tipi 2")
    assert taken(table, "left") == [("red", "hero", "tipi 2")]
    assert named(table.rulings, "gone")[0].tiles == ("tipi 1",)


def test_the_owner_of_the_hero_may_also_have_the_strongest_hunters() -> None:
    table = hunted("tipi 1, tipi 2, tipi 3, horse", "horse", "totem", red="scout l, 10 l")
    table.loot("red", "tipi 3", "tipi 2", "horse")
    assert [by for _, by, _ in taken(table, "left")] == ["hero", "most", "most"]
    assert named(table.rulings, "gone")[0].tiles == ("tipi 1",)


def test_in_a_tie_for_the_highest_nobody_of_the_tied_takes_and_the_next_take_two_and_the_rest() -> None:
    table = hunted(
        "tipi 1, tipi 2, tipi 3", "horse", "totem", seats="red yellow green blue",
        red="9 l", yellow="9 l", green="5 l", blue="4 l",
    )  # fmt: skip
    found = totals(table, "left")
    assert found.totals == {"red": 9, "yellow": 9, "green": 5, "blue": 4}
    assert (found.tied, found.most, found.second) == (("red", "yellow"), "green", "blue")
    table.loot("green", "tipi 3", "tipi 2")
    assert taken(table, "left")[-1] == ("blue", "second", "tipi 1")


def test_in_a_tie_for_the_second_place_the_third_takes_what_is_left() -> None:
    table = hunted(
        "tipi 1, tipi 2, tipi 3", "horse", "totem", seats="red yellow green blue",
        red="9 l", yellow="5 l", green="5 l", blue="4 l",
    )  # fmt: skip
    found = totals(table, "left")
    assert (found.tied, found.most, found.second) == (("yellow", "green"), "red", "blue")
    table.loot("red", "tipi 3", "tipi 2")
    assert taken(table, "left")[-1] == ("blue", "second", "tipi 1")


def test_where_all_are_tied_all_tiles_are_out_of_the_game() -> None:
    table = hunted("tipi 1, tipi 2", "horse", "totem", seats="red yellow", red="9 l", yellow="9 l")
    assert (totals(table, "left").most, totals(table, "left").second) == (None, None)
    assert [(one.ground, one.tiles) for one in named(table.rulings, "gone")][:2] == [
        ("left", ("tipi 1", "tipi 2")), ("middle", ("horse",)),
    ]  # fmt: skip


def test_strength_counts_and_not_the_number_of_cards() -> None:
    table = hunted("tipi 1, tipi 2", "horse", "totem", red="1 l, 2 l, 3 l", yellow="10 l")
    assert totals(table, "left").totals == {"red": 6, "yellow": 10}
    assert taken(table, "left") == [("yellow", "most", "tipi 1"), ("yellow", "most", "tipi 2")]


def test_a_ground_without_any_card_loses_its_tiles() -> None:
    table = hunted("tipi 1", "horse, tomahawk", "totem")
    assert totals(table, "middle").totals == {}
    assert [one.tiles for one in named(table.rulings, "gone") if one.ground == "middle"] == [("horse", "tomahawk")]


def test_fewer_tiles_than_due_are_what_there_is() -> None:
    table = hunted("tipi 1, tipi 2", "horse", "totem", red="scout l", yellow="9 l", green="8 l")
    table.loot("red", "tipi 1")
    assert taken(table, "left") == [("red", "hero", "tipi 1"), ("yellow", "most", "tipi 2")]
    assert totals(table, "left").second == "green"


def test_a_single_way_to_take_is_taken_without_asking() -> None:
    table = hunted("tipi 2, tipi 2, tipi 2", "horse", "totem", red="scout l", yellow="9 l")
    assert table.phase != "sharing" or table.state.settling.ground > 0
    assert [tile for _, _, tile in taken(table, "left")] == ["tipi 2"] * 3


def test_grounds_are_shared_from_the_left() -> None:
    table = hunted("tipi 1", "tipi 2", "tipi 3", red="9 l, 8 m")
    assert [one.ground for one in named(table.rulings, "totals")] == ["left", "middle", "right"]


# -- tomahawks -----------------------------------------------------------------------------------------------------


def test_a_tomahawk_won_on_the_left_counts_in_the_middle() -> None:
    table = hunted("tomahawk", "tipi 1, tipi 2", "totem", red="1 l, 5 m, 2 m", yellow="8 m", green="")
    assert totals(table, "middle").totals == {"red": 5 + 2 + 2, "yellow": 8}


def test_a_tomahawk_taken_by_the_hero_counts_at_once_on_the_same_ground() -> None:
    table = hunted("tomahawk, tipi 2", "tipi 1", "totem", red="scout l, 8 l", yellow="9 l")
    table.loot("red", "tomahawk")
    assert totals(table, "left").totals == {"red": 9, "yellow": 9}
    assert named(table.rulings, "gone")[0].tiles == ("tipi 2",)


def test_a_tomahawk_needs_a_hunter_to_make_stronger() -> None:
    table = hunted("tomahawk", "tipi 1", "totem", red="chieftain l, scout m")
    assert table.held("red")[0] == "tomahawk"
    assert "red" not in totals(table, "middle").totals


def test_tomahawks_do_not_count_for_the_thief() -> None:
    table = hunted("tomahawk, tomahawk", "tipi 1", "totem", seats="red yellow", red="10 l, 9 l", yellow="")
    (thief,) = named(table.rulings, "thief")
    assert thief.totals == {"red": 19 + 1 + 2 + 3 + 4 + 5, "yellow": 1 + 2 + 3 + 4 + 5 + 6 + 7}


# -- the thief -----------------------------------------------------------------------------------------------------


def test_after_the_first_hunt_the_thief_is_paid_from_what_was_gained_once_the_right_ground_is_done() -> None:
    table = hunted("tipi 1, tipi 2, horse", "totem", "totem", seats="red yellow", red="10 l, 9 l", yellow="")
    table.loot("red", "horse", "tipi 1")
    tags = [one.__struct_config__.tag for one in table.rulings]
    assert tags.index("thief") > max(index for index, tag in enumerate(tags) if tag == "gone")
    assert [(str(one.colour), one.tile) for one in named(table.rulings, "stolen")] == [("red", "tipi 1")]
    assert table.held("red") == ["horse"]


def test_in_later_hunts_the_thief_comes_before_the_sharing() -> None:
    table = hunted("tipi 1, tipi 2", "totem", "totem", seats="red yellow", red="10 l, scout m")
    settle(table)
    assert table.state.hunt == 2
    table.lay("tipi 1", "tipi 1", "horse", "horse")
    table.ready()
    table.hunt(red="9 r", yellow="8 r")
    settle(table)
    tags = [one.__struct_config__.tag for one in table.rulings if getattr(one, "hunt", 0) == 2]
    assert tags.index("thief") < tags.index("stolen") < tags.index("totals")


def test_a_tipi_or_a_buffalo_is_paid_and_the_payer_chooses() -> None:
    table = hunted("tipi 1, buffalo 2, horse", "totem", "totem", seats="red yellow", red="10 l, scout l, 9 l")
    table.loot("red", "horse")
    assert (table.phase, table.decides, table.offered()) == ("thief", "red", ["buffalo 2", "tipi 1"])
    before = table.judge.outcome().gone
    table.forfeit("red", "buffalo 2")
    assert table.held("red") == ["horse", "tipi 1"]
    assert table.judge.outcome().gone == before + 1


def test_without_any_of_those_any_tile_is_paid() -> None:
    table = hunted("tomahawk, horse", "totem", "tipi 1", seats="red yellow", red="10 l, 9 l, 8 l, chieftain m, squaw m")
    assert table.held("red") == ["tomahawk", "horse", "totem"]
    assert (table.decides, table.offered()) == ("red", ["horse", "tomahawk", "totem"])


def test_without_any_tile_nothing_is_paid() -> None:
    table = hunted("tomahawk", "totem", "tipi 1", red="8 l, 9 l", yellow="9 l, 8 l", green="")
    assert [(str(one.colour), one.tile) for one in named(table.rulings, "stolen")] == [("yellow", None), ("red", None)]


def test_all_who_tie_pay_from_the_dealer_s_left() -> None:
    table = Table("red yellow green", first="yellow").laid("horse, tipi 1", "totem, tipi 2", "tomahawk, tipi 3")
    table.hunt(red="10 l", yellow="10 m", green="10 r")
    (thief,) = named(table.rulings, "thief")
    assert thief.pays == ("green", "red", "yellow")
    assert [str(one.colour) for one in named(table.rulings, "stolen")] == ["green", "red", "yellow"]


def test_nobody_is_thief_with_a_total_of_0() -> None:
    """Two players who have played all their heroes and no hunter."""
    table = Table("red yellow").laid("tipi 1", "tipi 1", "tipi 1")
    table.hunt(
        yellow="medicine_man l, scout l, chieftain r, rain_maker m, squaw r, squaw r, chieftain m",
        red="chieftain l, chieftain l, squaw m, squaw m, rain_maker r, scout r, medicine_man m",
    )
    found = named(table.rulings, "thief")
    assert [(one.totals, one.pays) for one in found] == [({"red": 0, "yellow": 0}, ())]
    assert named(table.rulings, "stolen") == []


# -- cylinders -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tile", ["totem", "horse"])
def test_the_first_to_take_the_tile_gets_the_cylinder_and_it_passes_at_the_same_number(tile: Any) -> None:
    table = hunted(tile, tile, tile, red="10 l", yellow="10 m", green="10 r")
    moved = named(table.rulings, "cylinder")
    assert [(one.of, one.colour, one.before) for one in moved] == [
        (tile, "red", None), (tile, "yellow", "red"), (tile, "green", "yellow"),
    ]  # fmt: skip


def test_it_does_not_pass_to_who_has_fewer() -> None:
    table = hunted("totem, totem", "totem", "tipi 1", red="10 l", yellow="10 m")
    assert [one.colour for one in named(table.rulings, "cylinder")] == ["red"]
    assert table.points("red") == 1


def test_a_totem_that_was_paid_to_the_thief_counts_no_more_and_the_cylinder_stays() -> None:
    table = hunted("totem", "tipi 1, tipi 2", "horse", red="10 l, 9 l", yellow="10 m", green="")
    settle(table)
    assert table.held("red") == []
    assert table.judge.outcome().totem == "red"
    table.lay("tipi 1", "totem", "tipi 1", "tipi 1")
    table.ready()
    table.hunt(yellow="9 m, 8 l")
    while table.phase in {"eighth", "ride"}:
        table.forgo(table.decides)
    settle(table)
    assert any(one.hunt == 2 for one in named(table.rulings, "cylinder"))


# -- points --------------------------------------------------------------------------------------------------------


def ranked(**values: dict[str, int]) -> Table:
    """A table of two at which both have what was set by hand."""
    table = Table("red yellow")
    for colour, having in values.items():
        for sort, value in having.items():
            table.by_hand(f"{colour} {sort}", value)
    return table


def test_numbers_on_both_kinds_are_added_up_and_halved_together() -> None:
    table = ranked(red={"tipis": 3, "buffaloes": 4}, yellow={"tipis": 1, "buffaloes": 1})
    assert (table.points("red"), table.points("yellow")) == (3, 1)


def test_one_point_for_each_cylinder_and_for_the_most_tomahawks() -> None:
    table = ranked(red={"tomahawks": 2}, yellow={"tomahawks": 1})
    assert (table.points("red"), table.judge.outcome().tomahawk) == (1, "red")
    table.by_hand("totem", 1)
    table.by_hand("horse", 1)
    assert table.points("red") == 3


def test_a_tie_of_tomahawks_gives_no_point() -> None:
    table = ranked(red={"tomahawks": 2}, yellow={"tomahawks": 2})
    assert (table.points("red"), table.points("yellow"), table.judge.outcome().tomahawk) == (0, 0, None)


def test_no_tomahawk_gives_no_point() -> None:
    assert ranked().judge.outcome().tomahawk is None


def test_a_tie_goes_to_the_higher_sum_of_tipis_then_to_more_tiles_then_it_is_shared() -> None:
    table = ranked(red={"tipis": 2}, yellow={"buffaloes": 2})
    assert table.judge.outcome().leaders == ("red",)
    table = ranked(red={"tipis": 2}, yellow={"buffaloes": 2, "horses": 3})
    assert table.judge.outcome().leaders == ("red",)
    table = ranked(red={"tipis": 2}, yellow={"tipis": 2, "horses": 1})
    assert table.judge.outcome().leaders == ("yellow",)
    table = ranked(red={"tipis": 2}, yellow={"tipis": 2})
    assert table.judge.outcome().leaders == ("red", "yellow")
    table = ranked(red={"tipis": 2}, yellow={"tipis": 2, "buffaloes": 1})
    assert table.judge.outcome().leaders == ("red", "yellow")


# -- by hand -------------------------------------------------------------------------------------------------------


def test_what_is_set_by_hand_is_added_to_what_the_tiles_say_from_then_on() -> None:
    table = hunted("tipi 3", "horse", "totem", red="chieftain l")
    table.by_hand("red tipis", 5)
    has = {one.key: one.value for one in GAME.adjustable(table.state)}
    assert has["red tipis"] == 5
    assert table.held("red") == ["tipi 3", "totem"]


def test_tomahawks_set_by_hand_make_hunters_stronger_and_none_makes_them_weaker_than_printed() -> None:
    table = Table("red yellow").laid("tipi 1", "tipi 2", "tipi 3")
    table.by_hand("red tomahawks", 2)
    table.hunt(red="5 l, 6 l", yellow="10 l")
    assert totals(table, "left").totals == {"red": 15, "yellow": 10}


def test_a_correction_never_leads_below_0() -> None:
    table = hunted("tipi 3, tipi 2", "horse", "totem", seats="red yellow", red="chieftain l, 10 l, 9 l")
    table.loot("red", "tipi 3")
    table.by_hand("red tipis", 0)
    table.forfeit("red", "tipi 3")
    assert table.judge.outcome().has["red"].tipis == 0


def test_a_cylinder_set_by_hand_goes_on_by_the_rule() -> None:
    table = hunted("tipi 3", "totem", "totem", red="10 m", yellow="10 r")
    assert table.judge.outcome().totem == "yellow"
    table.by_hand("totem", 0)
    assert table.judge.outcome().totem is None
    table.by_hand("totem", 3)
    assert table.judge.outcome().totem == "green"
