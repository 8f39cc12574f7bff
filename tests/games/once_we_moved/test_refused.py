"""Each rule that forbids a line, by its number: the kind of the error, and that nothing has changed."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal, Malformed
from companion.core.panel import Colour
from companion.core.record.lines import ByHand, ChanceLine, Close, End, JudgeLine, PressLine, Reveal, SetupFile
from companion.core.ruling.judge import Judge
from companion.games.once_we_moved.judging.lines import (
    OWN_LINES,
    Casualties,
    Chieftains,
    Deploy,
    Reckoning,
    Reinforced,
    Removed,
    Segment,
    Stacked,
    Surplus,
    Trek,
    Undisclosed,
    Unmasked,
)
from companion.games.once_we_moved.judging.state import Stage
from tests.games.once_we_moved.matches import GAME, PRACTICE, STICKERS
from tests.games.once_we_moved.table import BLUE, RED, Table, find, setup

PAIR = "area a AZ river\narea b AZ\narea c SO\nborder a b open"
STAGES_OF = {
    Undisclosed(): {"pick"},
    Chieftains(tally=1): {"pick"},
    Segment(colour=RED): {"deploy-apache", "deploy-army", "move-1-apache", "move-1-army", "move-2-apache",
                          "move-2-army", "combat"},
    Deploy(colour=RED, area="a", tally=1): {"deploy-apache", "deploy-army"},
    Trek(colour=RED, whence="a", whither="b", tally=1): {"move-1-apache", "move-1-army", "move-2-apache",
                                                         "move-2-army", "combat"},
    Surplus(colour=RED, tally=1): {"move-1-apache", "move-1-army", "move-2-apache", "move-2-army"},
    Stacked(colour=RED, area="a", tally=0): set(),
    Unmasked(tally=0): {"rumours-1", "rumours-2"},
    Reinforced(tally=0): {"reinforce"},
    Removed(sticker="band 1"): {"combat"},
    Casualties(colour=RED, area="a", tally=1): {"combat"},
    Reckoning(toll="apache-lost", tally=0): {"count"},
}  # fmt: skip
STAGES = [stage for stage in Stage if not stage.startswith("limit") and stage is not Stage.OVER]


def test_every_line_of_the_game_is_tried_at_every_stage():
    assert {type(line) for line in STAGES_OF} == set(OWN_LINES)


@pytest.mark.parametrize("stage", STAGES)
def test_w1_a_line_that_is_not_asked_at_a_stage_is_refused(stage):
    table = Table()
    if stage is Stage.END:
        table.set("turn", 7)
    table.until(str(stage))
    for line, stages in STAGES_OF.items():
        if stage not in stages:
            table.refuses(line, "W1")


def test_w1_at_its_stage_a_pool_is_drawn_or_leaders_are_counted():
    table = Table()
    table.roll(3)
    table.refuses(Chieftains(tally=1), "W1")
    table.draw()
    table.draw()
    table.refuses(Undisclosed(), "W1")


@pytest.mark.parametrize("line", [Reveal(card="ace"), Close(), JudgeLine()])
def test_w1_there_are_no_races(line):
    Table().refuses(line, "W1")


def test_w1_a_press_is_refused():
    Table().refuses(PressLine(colour=RED, role="first", t_ns=1), "W1")


def test_w1_a_roll_that_nobody_asks_for_is_refused_by_the_game_too():
    state = Table().state
    with pytest.raises(Illegal, match="rule W1"):
        GAME.apply(state, ChanceLine(name="bands", n=1, by="box"))


def test_w1_another_area_than_the_one_that_is_asked():
    table = Table("area a AZ\narea b AZ")
    table.until("move-1-apache")
    table.stand(a=(5, 0), b=(6, 1))
    table.done()
    table.refuses(Stacked(colour=RED, area="b", tally=0), "W1")
    table.write(Stacked(colour=RED, area="a", tally=0))
    table.refuses(Stacked(colour=RED, area="a", tally=0), "W1")
    table.write(Stacked(colour=RED, area="b", tally=0))
    table.done()
    table.refuses(Unmasked(area="a", tally=0), "W1")


def test_w1_another_number_than_the_one_that_is_asked():
    table = Table()
    table.until("count")
    table.refuses(Reckoning(toll="kept", tally=0), "W1")


def test_w1_only_the_apache_cross_and_only_while_they_move():
    table = Table()
    table.until("deploy-apache")
    table.refuses(Segment(colour=RED, crossed=True), "W1")
    table.until("move-1-army")
    table.refuses(Segment(colour=BLUE, crossed=True), "W1")


def test_w2_it_is_for_the_side_whose_stage_it_is():
    table = Table(PAIR)
    table.until("deploy-apache")
    table.refuses(Segment(colour=BLUE), "W2")
    table.refuses(Deploy(colour=BLUE, area="a", tally=1), "W2")
    table.until("move-1-army")
    table.refuses(Trek(colour=RED, whence="a", whither="b", tally=1), "W2")
    table.refuses(Segment(colour=RED), "W2")
    table.refuses(Surplus(colour=RED, tally=1), "W2")
    table.stand(a=(0, 12))
    table.done()
    table.refuses(Stacked(colour=RED, area="a", tally=0), "W2")


def test_w2_in_combat_both_sides_may_act_and_nobody_else():
    table = Table(PAIR)
    table.until("combat")
    table.stand(a=(1, 0))
    for line in (
        Segment(colour=Colour.GREEN), Trek(colour=Colour.GREEN, whence="a", whither="b", tally=1),
        Casualties(colour=Colour.GREEN, area="a", tally=1),
    ):  # fmt: skip
        table.refuses(line, "W2")
    table.write(Segment(colour=RED))


def test_w3_numbers_out_of_their_range():
    table = Table()
    table.roll(3)
    table.draw()
    table.draw()
    for wrong in (0, 7, -1, 2**63 - 1, -(2**63)):
        table.refuses(Chieftains(tally=wrong), "W3")
    table.until("move-1-apache")
    for wrong in (0, 9, -1):
        table.refuses(Surplus(colour=RED, tally=wrong), "W3")
    table.until("rumours-1")
    table.refuses(Unmasked(tally=7), "W3")
    table.until("reinforce")
    table.refuses(Reinforced(tally=4), "W3")
    table.until("count")
    table.refuses(Reckoning(toll="apache-lost", tally=5), "W3")
    table.refuses(Reckoning(toll="apache-lost", tally=-1), "W3")


def test_w3_no_more_blocks_than_stand_there():
    table = Table(PAIR)
    table.until("move-1-apache")
    table.stand(a=(2, 0))
    table.refuses(Trek(colour=RED, whence="a", whither="b", tally=3), "W3")
    table.refuses(Trek(colour=RED, whence="b", whither="a", tally=1), "W3")
    table.until("combat")
    table.refuses(Casualties(colour=RED, area="a", tally=3), "W3")
    table.stand(a=(30, 0))
    table.refuses(Trek(colour=RED, whence="a", whither="b", tally=21), "W3")


def test_w3_no_more_leaders_in_a_place_than_are_out():
    table = Table(PAIR)
    table.until("move-1-apache")
    table.stand(b=(5, 0))
    table.done()
    table.refuses(Stacked(colour=RED, area="b", tally=2), "W3")
    table.write(Stacked(colour=RED, area="b", tally=1))


def test_w4_no_such_area_block_or_number():
    table = Table(PAIR)
    table.until("deploy-apache")
    table.refuses(Deploy(colour=RED, area="z", tally=1), "W4")
    table.until("move-1-apache")
    table.refuses(Trek(colour=RED, whence="z", whither="b", tally=1), "W4")
    table.refuses(Trek(colour=RED, whence="a", whither="z", tally=1), "W4")
    table.stand(b=(5, 0))
    table.done()
    table.refuses(Stacked(colour=RED, area="z", tally=0), "W4")
    table.until("combat")
    table.refuses(Removed(sticker="band 19"), "W4")
    table.refuses(Casualties(colour=RED, area="z", tally=1), "W4")
    table.until("count")
    table.refuses(Reckoning(toll="gold", tally=0), "W4")


def test_w5_without_a_board_nobody_is_in_an_area():
    table = Table()
    table.until("deploy-apache")
    table.refuses(Deploy(colour=RED, area="a", tally=1), "W5")
    table.until("move-1-apache")
    table.refuses(Trek(colour=RED, whence="a", whither="b", tally=1), "W5")
    table.until("rumours-1")
    table.refuses(Unmasked(area="a", tally=0), "W5")
    table.until("combat")
    table.refuses(Casualties(colour=RED, area="a", tally=1), "W5")


def test_w5_with_a_board_the_box_counts_by_itself():
    table = Table(PAIR)
    table.until("move-1-apache")
    table.refuses(Surplus(colour=RED, tally=1), "W5")
    table.refuses(Segment(colour=RED, crossed=True), "W5")
    table.stand(a=(1, 1))
    table.until("rumours-1")
    table.refuses(Unmasked(tally=0), "W5")


def test_w6_the_army_is_set_up_at_bases():
    table = Table(PAIR)
    table.until("deploy-army")
    table.refuses(Deploy(colour=BLUE, area="a", tally=1), "W6")


def test_w7_areas_without_a_border():
    table = Table(PAIR)
    table.until("move-1-apache")
    table.stand(a=(1, 0))
    table.refuses(Trek(colour=RED, whence="a", whither="c", tally=1), "W7")
    table.refuses(Trek(colour=RED, whence="a", whither="a", tally=1), "W7")


def test_w8_is_not_asked_of_those_who_are_there_already():
    table = Table("area a AZ\narea b AZ\nborder a b open")
    table.until("move-1-army")
    table.stand(a=(0, 20))
    table.move(BLUE, "a", "b", 20)


def test_w9_a_block_that_is_gone_or_of_which_none_is_out():
    table = Table()
    table.until("combat")
    table.write(Removed(sticker="band 3"))
    for sticker in ("band 3", "Scout", "MX unit 1", "Geronimo"):
        table.refuses(Removed(sticker=sticker), "W9")


def test_nothing_but_notes_and_undos_after_the_end():
    table = Table()
    table.write(End())
    with pytest.raises(Illegal, match="the game is over"):
        table.judge.feed(Segment(colour=RED))
    assert GAME.adjustable(table.state) == ()
    table.undo()
    assert not table.outcome.over


def test_what_is_set_by_hand_has_a_key_and_a_range():
    table = Table(PAIR)
    keys = [one.key for one in GAME.adjustable(table.state)]
    assert keys[:7] == [
        "points-apache", "points-army", "level-apache", "level-army", "incursion", "turn", "provocation",
    ]  # fmt: skip
    assert keys[7:9] == ["out-bands", "out-rumours"]
    assert keys[-6:] == ["apache-a", "army-a", "apache-b", "army-b", "apache-c", "army-c"]
    for key, value in (("turn", 8), ("turn", 0), ("out-scout", 2), ("army-a", 41), ("gold", 1), ("army-z", 1)):
        with pytest.raises(Illegal):
            table.judge.feed(ByHand(set=key, value=value, reason="a test"))


# -- W0: files

FAULTY_BOARDS = {
    "area": (1, "an area without anything"),
    "area a": (1, "without territories"),
    "area a AZ+AZ": (1, "a territory twice"),
    "area a Utah": (1, "no such territory"),
    "area a AZ+": (1, "half a territory"),
    "area a AZ castle": (1, "no such sign"),
    "area a AZ town town": (1, "a sign twice"),
    "area a_b AZ": (1, "a name with other characters"),
    "area ABCDEFGHIJ AZ": (1, "a name too long"),
    "area a AZ\narea a NM": (2, "an area twice"),
    "river a AZ": (1, "no such statement"),
    "border a b open": (1, "borders alone"),
    "area a AZ\narea b AZ\nborder a b": (3, "a border without a kind"),
    "area a AZ\narea b AZ\nborder a b wall": (3, "no such kind"),
    "area a AZ\nborder a a open": (2, "a border with itself"),
    "area a AZ\nborder a z open": (2, "an area that is not there"),
    "area a AZ\narea b AZ\nborder a b open\nborder b a rio": (4, "a border twice"),
    "\n# x\r\n  \narea ? AZ": (4, "remarks and empty lines are counted"),
    "\n".join(f"area a{number} AZ" for number in range(101)): (101, "too many areas"),
}
FAULTY_STICKERS = {
    "band": (1, "no name"),
    "tribe Nednhi": (1, "no such kind"),
    "scout Kayitah": (1, "the scout has no name of its own"),
    "leader Juh": (1, "no turns"),
    "leader 1-5": (1, "no name before the turns"),
    "leader Juh 5-1": (1, "turns that fall"),
    "leader Juh 0-4": (1, "no such turn"),
    "leader Juh 1-5-7": (1, "more turns"),
    "band " + "x" * 21: (1, "too long"),
    "us-senior One": (1, "fewer than there are"),
    "us-senior One\nus-senior Two\nus-senior Three": (3, "more than there are"),
    "us-senior One\nus-senior One": (1, "a name twice"),
    "us-senior One\nus-senior band 3": (2, "the name of another block"),
}


@pytest.mark.parametrize("text", FAULTY_BOARDS, ids=lambda text: FAULTY_BOARDS[text][1])
def test_w0_a_board_s_fault_is_told_with_its_line(text):
    assert GAME.check_file("terrain", text)[0].line == FAULTY_BOARDS[text][0]
    with pytest.raises(Malformed, match=r"^rule W0: "):
        Judge(find).feed(setup(text))


@pytest.mark.parametrize("text", FAULTY_STICKERS, ids=lambda text: FAULTY_STICKERS[text][1])
def test_w0_a_fault_of_the_stickers_is_told_with_its_line(text):
    assert GAME.check_file("stickers", text)[0].line == FAULTY_STICKERS[text][0]
    with pytest.raises(Malformed, match=r"^rule W0: "):
        Judge(find).feed(setup(stickers=text))


def test_all_faults_are_told_at_once():
    text = "area a AZ castle\narea b AZ\nborder b c open\nborder b b wall"
    assert [fault.line for fault in GAME.check_file("terrain", text)] == [1, 3, 4, 4]


def test_the_samples_can_be_played_with():
    from importlib.resources import files

    for key in ("terrain", "stickers"):
        for sample in GAME.samples(key):
            package, _, name = sample.text.partition(":")
            text = files(package).joinpath(name).read_text(encoding="utf-8")
            assert GAME.check_file(key, text) == ()
    assert not Table("# nothing is filled in").state.has_board
    assert len(Table(PRACTICE).state.stacks) == 8
    assert Table(stickers=STICKERS).state.terms.stickers.names == Table().state.terms.stickers.names


def test_the_map_to_be_filled_in_has_the_41_areas_of_the_printed_one():
    from importlib.resources import files

    text = files("companion.games.once_we_moved").joinpath("map.txt").read_text(encoding="utf-8")
    filled = "\n".join(
        line.removeprefix("# ").replace("?", "AZ") for line in text.splitlines() if line.startswith("# area 0")
    )
    assert GAME.check_file("terrain", filled) == ()
    assert list(Table(filled).outcome.areas) == [f"{number:03}" for number in range(1, 42)]


def test_a_file_may_have_windows_line_ends_tabs_and_remarks():
    table = Table("area\ta  AZ+SO\triver # Tucson\r\n# all\r\n\r\narea b TX\r\nborder a b rio\r\n")
    (first, second) = table.state.terms.terrain.grounds
    assert (first.name, first.territories, first.flags) == ("a", ("AZ", "SO"), frozenset({"river"}))
    assert not first.is_us
    assert not first.is_mexican
    assert second.is_us


def test_a_file_that_nobody_asks_for_is_refused():
    wrong = setup()
    from msgspec.structs import replace

    with pytest.raises(Malformed):
        Judge(find).feed(replace(wrong, files={"map": SetupFile("map", "")}))
