"""What is shown, held, kept in accounts and set by hand."""

from __future__ import annotations

import pytest

from companion.core.record.lines import ChanceLine
from companion.core.ruling.chance import dealt
from companion.games.once_we_moved.judging.lines import Deploy, Removed, TurnRuling
from companion.games.once_we_moved.judging.pools import BUILT_IN, Pool
from tests.games.once_we_moved.matches import GAME, PRACTICE, SEED, random_match
from tests.games.once_we_moved.table import BLUE, RED, Table, find


def areas(table, viewer=None):
    return {area.name: area for area in GAME.view(table.state, viewer).areas}


# -- by hand


def test_an_incursion_that_is_set_by_hand_after_the_picking_lasts_beyond_the_turn():
    table = Table()
    table.until("move-1-army")
    table.set("incursion", 1)
    table.until("provocation")
    assert table.outcome.incursion


def test_an_incursion_that_is_taken_back_by_hand_is_gone_at_the_end_of_the_turn():
    table = Table()
    table.until("move-1-apache")
    table.done(crossed=True)
    table.set("incursion", 0)
    table.until("provocation")
    assert not table.outcome.incursion


def test_before_the_forces_are_out_only_the_marker_is_set_by_hand():
    table = Table()
    table.set("incursion", 1)
    table.roll(3)
    table.pick_all()
    assert table.outcome.out["mx-units"] == 2
    table.until("provocation")
    assert not table.outcome.incursion


def test_points_and_levels_set_by_hand_are_in_the_account_as_such():
    table = Table()
    table.until("combat")
    table.set("points-army", 5)
    table.set("points-army", 3)
    table.set("level-apache", 4)
    assert table.outcome.points == {"red": 0, "blue": 3}
    assert table.outcome.levels == {"red": 4, "blue": 0}
    rows = GAME.ledgers(table.state)[1].rows
    assert [row.values for row in rows] == [("set by hand", "5", "5"), ("set by hand", "-2", "-2")]
    table.until("provocation")
    assert table.outcome.levels == {"red": 4, "blue": 1}


def test_setting_a_number_to_what_it_is_changes_nothing():
    table = Table()
    before = table.state
    table.set("points-army", 0)
    assert table.state == before


def test_what_is_set_to_nothing_is_asked_no_more():
    table = Table()
    table.until("rumours-1")
    table.set("out-rumours", 0)
    assert table.state.stage == "reinforce"
    table.set("out-us-units", 0)
    assert table.state.stage == "move-2-apache"


def test_a_level_never_goes_beyond_9():
    table = Table()
    table.set("level-army", 9)
    table.until("combat")
    table.set("points-army", 1)
    rulings = table.until("provocation")
    (turn,) = [ruling for ruling in rulings if isinstance(ruling, TurnRuling)]
    assert turn.gains is BLUE
    assert turn.levels == {"red": 0, "blue": 9}


def test_what_is_aside_is_never_below_nothing():
    table = Table(PRACTICE)
    table.until("move-1-apache")
    table.set("apache-north", 40)
    assert table.state.aside(0) == 0


# -- held


def test_a_block_that_went_in_an_earlier_turn_is_not_among_what_is_dealt_from():
    table = Table()
    table.until("combat")
    table.write(Removed(sticker="band 7"))
    table.until("provocation")
    table.roll(3)
    table.draw()
    (held,) = GAME.held(table.state)
    assert held.items == tuple(name for name in BUILT_IN[Pool.BANDS] if name != "band 7")
    mine = dealt(SEED, held.chance, held.n, held.items)[held.first : held.first + held.count]
    assert len(mine) == 2
    assert "band 7" not in mine


def test_a_draw_that_is_entered_is_held_too_and_one_at_the_table_is_not():
    table = Table()
    table.roll(3)
    table.write(ChanceLine(name="bands", n=1, by="hand", result=("band 2", "band 9")))
    table.pick_all()
    assert [(held.chance, held.count) for held in GAME.held(table.state)] == [("bands", 2)]
    assert table.outcome.out["bands"] == 2


def test_a_draw_is_never_larger_than_what_is_left_of_a_pool():
    table = Table()
    table.roll(6)
    table.pick_all()
    table.until("combat")
    table.write(Removed(sticker="Crook"))
    table.write(Removed(sticker="Miles"))
    table.until("provocation")
    table.roll(6)
    table.pick_all()
    assert table.outcome.out["us-senior"] == 0


# -- accounts


@pytest.mark.parametrize("seed", range(8))
def test_the_account_of_points_adds_up_to_what_each_turn_says(seed):
    from companion.core.record.lines import parse_line
    from companion.core.ruling.judge import Judge

    judge = Judge(find)
    for number, raw in enumerate(random_match(seed), start=1):
        judge.feed(parse_line(raw, number, GAME.lines))
    assert judge.setup is not None
    turns, points = GAME.ledgers(judge.state)
    colours = [seat.colour for seat in judge.setup.seats]
    for row in turns.rows:
        mine = [one for one in points.rows if one.label == row.label]
        for column, colour in enumerate(colours, start=1):
            assert int(row.values[column]) == sum(int(one.values[2]) for one in mine if one.owner is colour)
    assert all(len(row.values) == len(ledger.columns) for ledger in (turns, points) for row in ledger.rows)
    assert len({row.label for row in turns.rows} | {row.label for row in points.rows}) <= judge.state.marks.turn


def test_what_was_entered_is_marked_so_and_what_the_box_counted_is_not():
    table = Table()
    table.until("count")
    table.reckon(army_lost=2, edge=3)
    says = [row.values[0] for row in GAME.ledgers(table.state)[1].rows]
    assert says == ["Army strength lost in combat, as entered", "Apache blocks at the map's edge"]


# -- views


def test_the_view_tells_the_stage_the_turn_and_where_blocks_stand():
    table = Table(PRACTICE)
    table.until("deploy-apache")
    table.write(Deploy(colour=RED, area="north", tally=2))
    view = GAME.view(table.state)
    assert (view.phase, view.round, view.turn) == ("A Apache set up", 1, RED)
    north = areas(table)["north"]
    assert [(cell.text, cell.owner) for cell in north.cells] == [("2", RED)]
    assert north.note == "river, edge"
    assert "south" not in areas(table)


def test_a_settler_weaker_than_the_others_is_told():
    table = Table()
    table.until("deploy-apache", die=1)
    assert areas(table)["Army forces"].note == "US 2, settler 1"


def test_the_army_is_reminded_to_keep_its_seniors_apart():
    table = Table()
    table.until("move-1-army")
    assert "Keep US seniors apart." not in GAME.view(table.state).hints
    table.set("out-us-senior", 2)
    assert "Keep US seniors apart." in GAME.view(table.state).hints


def test_buttons_say_what_they_do_now():
    table = Table()
    assert [face.label for face in GAME.buttons(None, None)] == ["first", "second", "third", "fourth"]
    table.roll(3)
    assert [face.label for face in GAME.buttons(table.state, RED)] == ["draw"]
    assert GAME.buttons(table.state, BLUE) == ()
    table.until("move-1-apache")
    assert [face.label for face in GAME.buttons(table.state, RED)] == ["done", "into Mexico", "more"]
    table.until("rumours-1")
    assert [face.label for face in GAME.buttons(table.state, RED)] == ["-1", "+1", "+10", "enter"]
    table.until("reinforce")
    assert [face.label for face in GAME.buttons(table.state, BLUE)] == ["0", "1", "2", "3"]


def test_areas_beyond_twenty_are_asked_in_parts():
    from companion.core.ruling.offers import Step

    board = "\n".join(f"area {number:03} AZ river" for number in range(1, 42))
    table = Table(board)
    table.until("deploy-apache")
    offer = table.offers["deploy"]
    step = GAME.step(table.state, offer, ())
    assert isinstance(step, Step)
    assert [value.label for value in step.values] == ["001 - 020", "021 - 040", "041 - 041"]
    within = GAME.step(table.state, offer, ("/1",))
    assert isinstance(within, Step)
    assert within.values[0].label == "021"
    assert GAME.step(table.state, offer, ("/1", "021", "2")) == Deploy(colour=RED, area="021", tally=2)


def test_the_readable_account_says_what_was_set_by_hand():
    from companion.screens.text.account import replay_account

    table = Table()
    table.set("out-bands", 4)
    table.set("level-army", 2)
    said = list(replay_account(table.record, find))
    assert said[1:3] == ["By hand: Bands out is set to 4 (a test).", "By hand: Level Army is set to 2 (a test)."]


def test_the_account_of_the_turns_names_the_sides_not_the_colours():
    table = Table()
    table.until("combat")
    table.set("points-army", 5)
    table.until("provocation")
    (row,) = GAME.ledgers(table.state)[0].rows
    assert row.values[-1] == "Army"
    assert row.owner is BLUE
