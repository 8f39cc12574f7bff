"""Every fact and example of the rules that are public, one by one, under its own name."""

from __future__ import annotations

import pytest

from companion.games.once_we_moved.judging import pools
from companion.games.once_we_moved.judging.lines import (
    Casualties,
    Chieftains,
    Crossed,
    Deploy,
    Earned,
    Excess,
    Forces,
    ProvocationRuling,
    Reckoning,
    Reinforced,
    Removed,
    Stacked,
    Surplus,
    Trek,
    TurnRuling,
    Unmasked,
)
from companion.games.once_we_moved.judging.pools import BUILT_IN, SIZES, Pool, read_stickers
from tests.games.once_we_moved.matches import GAME, PRACTICE
from tests.games.once_we_moved.table import BLUE, RED, Table

STICKERS, _ = read_stickers("")


def last(rulings, kind):
    return [ruling for ruling in rulings if isinstance(ruling, kind)][-1]


# -- 3.0 components, 4.0 setting up


def test_there_are_18_bands_14_rumours_8_leaders_13_us_units_with_the_scout_7_us_leaders_and_9_mexican_blocks():
    assert [len(names) for names in BUILT_IN] == list(SIZES)
    assert (SIZES[Pool.BANDS], SIZES[Pool.RUMOURS], SIZES[Pool.LEADERS]) == (18, 14, 8)
    assert SIZES[Pool.US_UNITS] + SIZES[Pool.SCOUT] == 13
    assert (SIZES[Pool.US_SENIOR], SIZES[Pool.US_JUNIOR]) == (2, 5)
    assert SIZES[Pool.MX_UNITS] == 6
    assert SIZES[Pool.MX_SENIOR] + SIZES[Pool.MX_JUNIOR] == 3
    assert len(Table().outcome.out) == 11


def test_it_begins_on_turn_1_with_levels_and_points_at_0_incursion_no_and_no_provocation():
    outcome = Table().outcome
    assert (outcome.turn, outcome.turns, outcome.level, outcome.incursion) == (1, 7, "none", False)
    assert outcome.points == outcome.levels == {"red": 0, "blue": 0}


def test_geronimo_comes_on_turns_5_to_8_alone():
    assert [STICKERS.availability("Geronimo", turn) for turn in range(1, 10)] == [
        False, False, False, False, True, True, True, True, False,
    ]  # fmt: skip


def test_cochise_is_available_on_turns_1_to_5_and_no_longer():
    assert [STICKERS.availability("Cochise", turn) for turn in range(1, 8)] == [True] * 5 + [False] * 2


def test_victorio_is_put_on_turn_4_and_how_long_he_stays_is_not_known():
    assert [STICKERS.availability("Victorio", turn) for turn in range(2, 7)] == [False, False, True, None, None]


def test_how_many_leaders_are_out_is_asked_within_what_is_known():
    table = Table()
    table.roll(3)
    table.draw()
    table.draw()
    assert (table.offers["chieftains"].number.low, table.offers["chieftains"].number.high) == (1, 6)
    table.write(Chieftains(tally=2))
    assert table.outcome.out["leaders"] == 2


def test_nobody_is_asked_for_leaders_whose_turns_are_all_known():
    turns = ("1-5", "4-6", "5-8", "1-2", "2-7", "3-8", "4-9", "5-7")
    stickers = "\n".join(f"leader L{number} {of}" for number, of in enumerate(turns))
    table = Table(stickers=stickers)
    table.roll(3)
    table.pick_all()
    assert table.outcome.out["leaders"] == 2


def test_scout_and_settler_are_in_no_pool():
    table = Table()
    table.roll(3)
    drawn = []
    while table.state.stage == "pick":
        if "draw" in table.offers:
            drawn += table.offers["draw"].chance.items
        table.write(table.offers["undisclosed"].options[0].line if "draw" in table.offers else Chieftains(tally=1))
    assert not {"Scout", "Settler"} & set(drawn)


# -- 6.0 provocation


@pytest.mark.parametrize(
    ("die", "level"),
    [(1, "slight"), (2, "slight"), (3, "moderate"), (4, "moderate"), (5, "major"), (6, "severe")],
)
def test_turn_1_has_no_modifier(die, level):
    (ruling, *_) = Table().roll(die)
    assert isinstance(ruling, ProvocationRuling)
    assert (ruling.turn, ruling.modifier, ruling.level) == (1, 0, level)


@pytest.mark.parametrize(
    ("before", "die", "modifier", "level"),
    [
        (0, 6, 1, "extreme"), (1, 1, 1, "slight"), (2, 4, 1, "major"), (3, 6, 0, "severe"), (4, 1, -1, "none"),
        (5, 2, -1, "slight"), (5, 6, -1, "major"),
    ],
)  # fmt: skip
def test_the_level_of_the_turn_before_modifies_the_die(before, die, modifier, level):
    table = Table()
    table.set("turn", 3)
    table.set("provocation", before)
    (ruling, *_) = table.roll(die)
    assert isinstance(ruling, ProvocationRuling)
    assert (ruling.modifier, ruling.level) == (modifier, level)


def test_on_none_the_turn_is_skipped_the_incursion_marker_stays_and_the_next_die_gets_one_more():
    table = Table()
    table.set("turn", 3)
    table.set("provocation", 4)
    table.set("incursion", 1)
    rulings = table.roll(1)
    turn = last(rulings, TurnRuling)
    assert (turn.turn, turn.level, turn.gains, turn.incursion) == (3, "none", None, True)
    assert (table.outcome.turn, table.outcome.stage) == (4, "provocation")
    (ruling, *_) = table.roll(6)
    assert isinstance(ruling, ProvocationRuling)
    assert (ruling.modifier, ruling.level) == (1, "extreme")


CHART = {
    2: ("slight", 2, 3, 1, (0, 1, 2, 0, 1), 2, (0, 1, 1)),
    4: ("moderate", 2, 6, 2, (1, 2, 3, 0, 1), 2, (0, 1, 2)),
    5: ("major", 4, 8, 3, (1, 2, 4, 1, 0), 3, (0, 2, 3)),
    6: ("severe", 6, 10, 4, (1, 4, 6, 1, 0), 4, (1, 1, 4)),
    7: ("extreme", 8, 12, 4, (2, 5, 9, 1, 0), 4, (1, 2, 6)),
}


@pytest.mark.parametrize("number", CHART)
def test_the_chart_draws_the_forces_of_each_level(number):
    level, bands, rumours, strength, us, us_strength, mexico = CHART[number]
    table = Table()
    if number == 7:
        table.set("turn", 2)
    table.set("incursion", 1)
    table.roll(min(number, 6))
    out = last(table.pick_all(), Forces).out
    assert table.outcome.level == level
    assert (out["bands"], out["rumours"]) == (bands, rumours)
    assert tuple(out[key] for key in ("us-senior", "us-junior", "us-units", "scout", "settler")) == us
    assert tuple(out[key] for key in ("mx-senior", "mx-junior", "mx-units")) == mexico
    assert pools.BAND_STRENGTH[table.state.marks.level] == strength
    assert pools.US_STRENGTH[table.state.marks.level] == us_strength


def test_the_settler_has_strength_1_in_a_slight_and_2_in_a_moderate_provocation():
    assert pools.SETTLER_STRENGTH[1:3] == (1, 2)


def test_mexicans_are_picked_only_where_the_marker_says_yes():
    table = Table()
    table.roll(3)
    out = last(table.pick_all(), Forces).out
    assert [out[key] for key in ("mx-senior", "mx-junior", "mx-units")] == [0, 0, 0]


@pytest.mark.parametrize("turns", [7, 8, 9])
def test_on_the_last_turn_being_played_mexicans_are_always_there(turns):
    table = Table(turns=turns)
    table.set("turn", turns - 1)
    table.until("deploy-apache")
    assert table.outcome.out["mx-units"] == 0
    table.until("provocation")
    table.roll(3)
    assert table.outcome.turn == turns
    assert last(table.pick_all(), Forces).out["mx-units"] == 2


def test_bands_and_rumours_are_drawn_unseen_and_shown_to_their_owner_alone():
    table = Table()
    table.roll(3)
    table.draw()
    assert table.record[-1] == b'{"type":"chance","name":"bands","n":1,"by":"box"}'
    (held,) = GAME.held(table.state)
    assert (held.seat, held.chance, held.n, held.count) == (RED, "bands", 1, 2)
    assert held.items == BUILT_IN[Pool.BANDS]


def test_the_army_s_draws_are_shown_to_the_army():
    table = Table()
    table.roll(5)
    while table.state.stage == "pick":
        if "draw" in table.offers:
            table.draw()
        else:
            table.write(Chieftains(tally=1))
    of_blue = [held.chance for held in GAME.held(table.state) if held.seat is BLUE]
    assert of_blue == ["us-senior", "us-junior", "us-units"]
    assert [held.count for held in GAME.held(table.state)] == [4, 8, 1, 2, 4]


def test_pools_are_whole_again_at_the_start_of_each_turn_but_for_blocks_that_are_gone():
    table = Table()
    table.until("combat")
    table.write(Removed(sticker="band 7"))
    table.write(Removed(sticker="Cochise"))
    table.until("provocation")
    table.roll(3)
    chance = table.offers["draw"].chance
    assert chance.items == tuple(name for name in BUILT_IN[Pool.BANDS] if name != "band 7")
    assert GAME.held(table.state) == ()
    table.draw()
    table.draw()
    assert table.offers["chieftains"].number.low == 0
    assert table.outcome.gone == ("band 7", "Cochise")


def test_what_was_drawn_before_a_block_was_gone_is_still_dealt_from_the_whole_pool():
    table = Table()
    table.roll(3)
    table.draw()
    table.until("combat")
    table.write(Removed(sticker="band 7"))
    assert GAME.held(table.state)[0].items == BUILT_IN[Pool.BANDS]


# -- deployment


def test_bands_and_rumours_are_set_up_by_water_and_leaders_anywhere():
    table = Table(PRACTICE)
    table.until("deploy-apache")
    table.set("out-leaders", 2)
    table.write(Deploy(colour=RED, area="north", tally=8))
    table.write(Deploy(colour=RED, area="plains", tally=1))
    table.refuses(Deploy(colour=RED, area="town", tally=2), "W3")
    table.write(Deploy(colour=RED, area="town", tally=1))
    assert table.state.aside(0) == 0


def test_the_army_is_set_up_where_a_fort_or_a_town_is():
    table = Table(PRACTICE)
    table.until("deploy-army")
    table.refuses(Deploy(colour=BLUE, area="plains", tally=1), "W6")
    table.write(Deploy(colour=BLUE, area="fort", tally=3))


def test_the_settler_goes_where_a_town_is():
    table = Table(PRACTICE)
    table.until("deploy-army")
    left = table.state.aside(1)
    table.refuses(Deploy(colour=BLUE, area="fort", tally=left), "W3")
    table.write(Deploy(colour=BLUE, area="fort", tally=left - 1))
    table.refuses(Deploy(colour=BLUE, area="fort", tally=1), "W3")
    table.write(Deploy(colour=BLUE, area="town", tally=1))


def test_mexican_blocks_are_set_up_in_mexico_only_and_us_blocks_in_the_us_only():
    table = Table(PRACTICE)
    table.set("incursion", 1)
    table.until("deploy-army")
    mexican = table.state.out(*pools.MX_POOLS)
    assert mexican == 3
    table.refuses(Deploy(colour=BLUE, area="villa", tally=mexican + 1), "W3")
    table.write(Deploy(colour=BLUE, area="villa", tally=mexican))
    table.refuses(Deploy(colour=BLUE, area="villa", tally=1), "W3")


def test_an_area_that_crosses_a_border_belongs_to_both_territories():
    table = Table(PRACTICE)
    table.set("incursion", 1)
    table.until("deploy-army")
    table.set("out-settler", 0)
    table.write(Deploy(colour=BLUE, area="rio", tally=table.state.aside(1)))


# -- 7.0 movement


@pytest.mark.parametrize(
    ("kind", "apache", "army"), [("open", 1, 1), ("mixed", 1, 2), ("mountain", 3, None), ("rio", 2, 3)]
)
def test_borders_cost_what_the_map_s_chart_says(kind, apache, army):
    table = Table(f"area a AZ river\narea b AZ town\nborder a b {kind}")
    table.until("move-1-apache")
    table.stand(a=(2, 0))
    assert table.move(RED, "a", "b") == apache
    table.done()
    table.stand(a=(0, 1), b=(0, 0))
    assert table.move(BLUE, "a", "b") == army


def test_what_a_mountain_border_costs_the_army_may_be_said_in_the_setup():
    table = Table("area a AZ river\narea b AZ\nborder a b mountain", mountain=4)
    table.until("move-1-army")
    table.stand(a=(0, 1))
    assert table.move(BLUE, "a", "b") == 4


def test_an_apache_block_pays_one_more_into_an_area_with_army_blocks_and_nothing_more_to_leave_it():
    table = Table("area a AZ river\narea b AZ town\nborder a b open")
    table.until("move-1-apache")
    table.stand(a=(1, 0), b=(0, 1))
    assert table.move(RED, "a", "b") == 2
    assert table.move(RED, "b", "a") == 1


def test_an_army_block_pays_nothing_more_for_apache_blocks():
    table = Table("area a AZ river\narea b AZ town\nborder a b open")
    table.until("move-1-army")
    table.stand(a=(0, 1), b=(3, 0))
    assert table.move(BLUE, "a", "b") == 1


@pytest.mark.parametrize(
    ("signs", "side", "limit"),
    [("river", 0, 6), ("", 0, 3), ("town", 1, 14), ("fort", 1, 14), ("", 1, 10), ("river", 1, 10), ("fort", 0, 3)],
)
def test_limits_are_6_by_water_or_3_and_14_with_a_town_or_fort_or_10(signs, side, limit):
    table = Table(f"area a AZ {signs}")
    table.until("move-1-army" if side else "move-1-apache")
    for pool in ("us-units", "rumours"):
        table.set(f"out-{pool}", 12)
    table.set("out-us-junior", 2)
    table.set("out-leaders", 2)
    key = "army-a" if side else "apache-a"
    table.set(key, limit)
    table.done()
    assert not table.state.stage.startswith("limit")
    table.undo()
    table.set(key, limit + 3)
    table.done()
    assert table.state.stage.startswith("limit")
    (excess, *_) = table.write(Stacked(colour=(RED, BLUE)[side], area="a", tally=2))
    assert isinstance(excess, Excess)
    assert (excess.area, excess.tally) == ("a", 1)
    assert table.state.stacks[0][side] == limit + 2


def test_leaders_are_free_of_limits():
    table = Table("area a AZ")
    table.until("move-1-apache")
    table.set("out-leaders", 4)
    table.set("apache-a", 7)
    table.done()
    rulings = table.write(Stacked(colour=RED, area="a", tally=4))
    assert not [ruling for ruling in rulings if isinstance(ruling, Excess)]
    assert table.state.stacks[0] == (7, 0)


def test_blocks_that_are_taken_off_over_a_limit_give_no_points():
    table = Table("area a AZ")
    table.until("move-1-apache")
    table.set("apache-a", 7)
    table.done()
    table.write(Stacked(colour=RED, area="a", tally=0))
    assert table.outcome.points == {"red": 0, "blue": 0}
    assert table.state.forces.off == (4, 0)


def test_without_a_board_the_blocks_over_a_limit_are_entered():
    table = Table()
    table.until("move-1-apache")
    (excess,) = table.write(Surplus(colour=RED, tally=2))
    assert isinstance(excess, Excess)
    assert (excess.colour, excess.area, excess.tally) == (RED, None, 2)


def test_mexican_blocks_stay_out_of_all_us_areas():
    table = Table("area us AZ\narea both AZ+SO\nborder us both open")
    table.set("incursion", 1)
    table.until("move-1-army")
    us = table.state.out(*pools.US_POOLS)
    table.stand(both=(0, us + 2))
    table.refuses(Trek(colour=BLUE, whence="both", whither="us", tally=us + 1), "W8")
    table.move(BLUE, "both", "us", us)


def test_us_blocks_need_a_senior_leader_in_all_mexican_areas():
    table = Table("area both AZ+SO\narea mexico SO\nborder both mexico open")
    table.until("move-1-army", die=1)
    assert table.state.out(Pool.US_SENIOR) == 0
    table.stand(both=(0, 3))
    table.refuses(Trek(colour=BLUE, whence="both", whither="mexico", tally=1), "W8")
    table.set("out-us-senior", 1)
    table.move(BLUE, "both", "mexico", 2)


def test_an_apache_block_from_the_us_to_an_all_mexican_area_sets_the_incursion_marker_to_yes():
    table = Table("area us AZ\narea mexico SO\nborder us mexico open")
    table.until("move-1-apache")
    table.stand(us=(1, 0))
    table.move(RED, "us", "mexico")
    assert table.outcome.incursion
    table.until("provocation")
    assert table.outcome.incursion


def test_an_area_partly_in_the_us_is_us_for_incursion():
    table = Table("area both AZ+SO\narea mexico SO\nborder both mexico open")
    table.until("move-1-apache")
    table.stand(both=(1, 0))
    table.move(RED, "both", "mexico")
    assert table.outcome.incursion


def test_a_way_within_mexico_is_no_incursion():
    table = Table("area one SO\narea other CH\nborder one other open")
    table.until("move-1-apache")
    table.stand(one=(1, 0))
    table.move(RED, "one", "other")
    assert not table.outcome.incursion


def test_where_nobody_crosses_in_a_turn_the_marker_goes_back_to_no():
    table = Table()
    table.until("move-1-apache")
    (ruling,) = table.done(crossed=True)
    assert isinstance(ruling, Crossed)
    table.until("provocation")
    assert table.outcome.incursion
    assert not last(table.until("count") + table.until("provocation"), TurnRuling).incursion
    assert not table.outcome.incursion


def test_a_crossing_in_the_second_movement_counts_too():
    table = Table()
    table.until("move-2-apache")
    table.done(crossed=True)
    assert table.outcome.incursion


# -- rumours and reinforcements


def test_rumours_are_revealed_where_both_sides_have_blocks_and_pay_the_army_one_each():
    table = Table("area a AZ\narea b AZ\narea c AZ")
    table.until("move-1-army")
    table.stand(a=(2, 0), b=(2, 1), c=(0, 1))
    table.done()
    assert table.offers["unmasked"].number.line(1).area == "b"
    (earned, *_) = table.write(Unmasked(area="b", tally=2))
    assert isinstance(earned, Earned)
    assert (earned.colour, earned.toll, earned.points) == (BLUE, "rumours", 2)
    assert table.state.stacks == ((2, 0), (0, 1), (0, 1))
    assert table.state.stage != "rumours-1"


def test_rumours_are_revealed_after_the_second_movement_too_and_no_more_than_are_left():
    table = Table()
    table.until("rumours-1")
    table.write(Unmasked(tally=4))
    table.until("rumours-2")
    assert table.offers["unmasked"].number.high == 2  # six were drawn


def test_reinforcement_gives_each_us_unit_and_the_scout_in_towns_one_strength_and_the_army_a_point_for_it():
    table = Table("area a AZ town\narea b SO town\narea c AZ fort")
    table.until("move-1-army", die=5)
    table.stand(a=(0, 4), b=(0, 3), c=(0, 5))
    table.done()
    assert table.offers["reinforce"].number.high == 3  # one of the four in the US town leads
    (earned, *_) = table.write(Reinforced(tally=3))
    assert isinstance(earned, Earned)
    assert (earned.colour, earned.toll, earned.points) == (BLUE, "reinforced", 3)


def test_no_more_strength_is_gained_than_there_are_us_units_and_scouts():
    table = Table()
    table.until("reinforce", die=5)
    assert table.offers["reinforce"].number.high == 5  # four units and the scout


def test_there_are_reinforcements_after_the_first_movement_only():
    table = Table()
    stages: list[str] = []
    while table.state.stage != "count":
        if not stages or stages[-1] != table.state.stage:
            stages.append(str(table.state.stage))
        table.until("deploy-apache") if len(stages) == 1 else None
        table.done() if "segment" in table.offers else table.write(next(iter(table.offers.values())).number.line(0))
    assert stages.count("reinforce") == 1
    assert stages.index("rumours-1") < stages.index("reinforce") < stages.index("move-2-apache")


# -- 9.0 victory points


@pytest.mark.parametrize(
    ("toll", "tally", "colour", "points"),
    [
        ("apache-lost", 2, BLUE, 6), ("army-lost", 3, RED, 6), ("captured", 4, BLUE, 4), ("forced", 2, BLUE, 4),
        ("kept", 3, RED, 3), ("edge", 7, BLUE, 2), ("edge", 2, BLUE, 0), ("edge", 3, BLUE, 1),
    ],
)  # fmt: skip
def test_each_number_that_is_entered_pays_what_the_chart_says(toll, tally, colour, points):
    table = Table()
    table.until("count")
    rulings = table.reckon(**{toll.replace("-", "_"): tally})
    earned = last(rulings, Earned)
    assert (earned.colour, earned.toll, earned.tally, earned.points) == (colour, toll, tally, points)


def test_with_a_board_the_blocks_at_the_edge_count_by_themselves_leaders_too():
    table = Table("area a AZ edge\narea b SO edge\narea c AZ")
    table.until("combat")
    table.stand(a=(4, 0), b=(3, 0), c=(9, 0))
    table.done()
    earned = last(table.reckon(), Earned)
    assert (earned.toll, earned.tally, earned.points) == ("edge", 7, 2)


def test_more_points_in_a_turn_are_one_level_and_points_begin_at_0_again():
    table = Table()
    table.until("count")
    turn = last(table.reckon(army_lost=30), TurnRuling)
    assert (turn.gains, turn.points, turn.levels) == (RED, {"red": 60, "blue": 0}, {"red": 1, "blue": 0})
    assert table.outcome.points == {"red": 0, "blue": 0}


def test_equal_points_are_nobody_s_level():
    table = Table()
    table.until("count")
    turn = last(table.reckon(army_lost=3, apache_lost=2), TurnRuling)
    assert (turn.points, turn.gains) == ({"red": 6, "blue": 6}, None)


def test_after_turn_7_the_higher_level_has_won():
    table = Table()
    table.set("turn", 7)
    table.until("count")
    table.reckon(army_lost=1)
    assert table.outcome.stage == "end"
    assert GAME.is_exhausted(table.state)
    assert table.outcome.leaders == (RED,)


def test_equal_levels_are_a_tie():
    table = Table()
    table.set("turn", 7)
    table.until("end")
    assert table.outcome.leaders == (RED, BLUE)


def test_turns_8_and_9_are_played_where_they_were_agreed():
    table = Table(turns=9)
    table.set("turn", 8)
    table.until("count")
    table.reckon()
    assert table.outcome.stage == "provocation"
    table.until("count")
    table.reckon()
    assert table.outcome.stage == "end"


# -- 8.0 combat: the source has none of it, and results are entered


def test_what_combat_took_off_the_map_is_entered_by_area():
    table = Table("area a AZ\narea b AZ\nborder a b open")
    table.until("combat")
    table.stand(a=(3, 2))
    table.write(Casualties(colour=RED, area="a", tally=1))
    table.move(BLUE, "a", "b")
    assert table.state.stacks == ((2, 1), (0, 1))
    assert table.state.forces.off == (1, 0)


def test_no_more_apache_strength_is_lost_forced_or_kept_than_the_bands_began_with():
    table = Table()
    table.until("count")  # two bands of strength 2
    table.refuses(Reckoning(toll="apache-lost", tally=5), "W3")
    table.write(Reckoning(toll="apache-lost", tally=3))
    table.write(Reckoning(toll="army-lost", tally=0))
    table.write(Reckoning(toll="captured", tally=0))
    table.refuses(Reckoning(toll="forced", tally=2), "W3")
    table.write(Reckoning(toll="forced", tally=1))
    assert table.offers["reckoning"].number.line(0).toll == "edge"  # nothing is left to be kept


def test_the_account_marks_what_was_entered():
    assert GAME.describe(Reckoning(toll="apache-lost", tally=2)) == "Apache strength lost in combat, as entered: 2"
