"""The game's own words: every line in the list of what was done, every ruling in the account."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.core.record.lines import ByHand, ChanceLine
from companion.core.ruling.rulings import Fault
from companion.games.once_we_moved.judging.lines import (
    Casualties,
    Chieftains,
    Cost,
    Crossed,
    Deploy,
    Earned,
    Excess,
    Forces,
    ProvocationRuling,
    Reckoning,
    Reinforced,
    Removed,
    Segment,
    Stacked,
    Surplus,
    Trek,
    TurnRuling,
    Undisclosed,
    Unmasked,
)
from companion.games.once_we_moved.judging.pools import KEYS
from tests.games.once_we_moved.matches import GAME
from tests.games.once_we_moved.table import BLUE, RED, Table

DIE = ChanceLine(name="provocation", n=1, by="hand", result=("4",))


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (DIE, "the die of provocation: 4"),
        (ChanceLine(name=KEYS[1], n=1, by="box", result=None), "drawn unseen: rumours"),
        (Undisclosed(), "drawn at the table, unseen by the box"),
        (Chieftains(tally=1), "1 Apache leader is out"),
        (Chieftains(tally=2), "2 Apache leaders are out"),
        (Segment(colour=RED), "red is done"),
        (Segment(colour=RED, crossed=True), "red is done, and has crossed the border"),
        (Deploy(colour=RED, area="B", tally=2), "red sets up 2 blocks in B"),
        (Trek(colour=BLUE, whence="B", whither="C", tally=1), "blue moves 1 block from B to C"),
        (Surplus(colour=RED, tally=3), "red was over a limit by 3 blocks"),
        (Stacked(colour=RED, area="B", tally=1), "red has 1 leader in B"),
        (Stacked(colour=BLUE, area="C", tally=2), "blue has 2 leaders in C"),
        (Casualties(colour=BLUE, area="B", tally=1), "blue loses 1 block in B by combat"),
        (Unmasked(tally=1), "1 rumour revealed"),
        (Unmasked(tally=2, area="B"), "2 rumours revealed: B"),
        (Reinforced(tally=4), "strength reinforced: 4"),
        (Removed(sticker="Cochise"), "Cochise is out of the match"),
        (Reckoning(toll="captured", tally=2), "leaders captured, as entered: 2"),
        (ByHand(set="points-army", value=5, reason=" a  dropped\nblock "),
         "by hand: Points Army is set to 5 (a dropped block)"),
        (ByHand(set="apache-B", value=2, reason=" "), "by hand: B Apache is set to 2 (-)"),
        (ByHand(set="army-B", value=2, reason="x"), "by hand: B Army is set to 2 (x)"),
    ],
)  # fmt: skip
def test_a_line_is_told_in_a_few_words(line: Any, says: str) -> None:
    assert str(GAME.describe(line)) == says


TURN = TurnRuling(turn=3, level="moderate", points={"red": 4, "blue": 4}, gains=None, levels={}, incursion=False)


@pytest.mark.parametrize(
    ("ruling", "says"),
    [
        (ProvocationRuling(turn=2, die=5, modifier=-1, level="major"),
         ("Turn 2: the die shows 5, with -1 for the turn before: major.",)),
        (Forces(turn=2, out={"bands": 3, "rumours": 0, "leaders": 2}),
         ("Out this turn: war bands 3, Apache leaders 2.",)),
        (Forces(turn=2, out={"bands": 0}), ("Out this turn: nothing.",)),
        (Earned(colour=RED, toll="edge", tally=1, points=1),
         ("red gets 1 victory point: Apache blocks at the map's edge, 1.",)),
        (Cost(colour=RED, whence="B", whither="C", tally=2, points=1, crossing=False),
         ("red moves 2 blocks from B to C: each pays 1 movement point.",)),
        (Cost(colour=RED, whence="B", whither="C", tally=1, points=None, crossing=True),
         ("red moves 1 block from B to C: what each pays is not known.",
          "red has crossed into Mexico: incursion yes.")),
        (Crossed(colour=RED), ("red has crossed into Mexico: incursion yes.",)),
        (Excess(colour=BLUE, area=None, tally=1), ("Over the limit: 1 block of blue taken off, picked at random.",)),
        (Excess(colour=BLUE, area="C", tally=2),
         ("Over the limit in C: 2 blocks of blue taken off, picked at random.",)),
        (TURN, ("Turn 3 is over (moderate). Victory points: red 4, blue 4.", "Nobody gains a victory level.",
                "Mexican incursion: no.")),
    ],
)  # fmt: skip
def test_a_ruling_is_told_in_the_account(ruling: Any, says: tuple[str, ...]) -> None:
    told = GAME.sentences(ruling)
    assert told is not None
    assert tuple(map(str, told)) == says


def test_who_gains_a_level_and_an_incursion_are_told() -> None:
    told = GAME.sentences(replace(TURN, points={"red": 5, "blue": 4}, gains=RED, incursion=True))
    assert told is not None
    assert [str(one) for one in told] == [
        "Turn 3 is over (moderate). Victory points: red 5, blue 4.", "red gains a victory level.",
        "Mexican incursion: yes.",
    ]  # fmt: skip


def test_a_tie_is_told_at_the_end_alone() -> None:
    table = Table(turns=7)
    running = GAME.sentences(table.outcome)
    ended = GAME.sentences(replace(table.outcome, over=True, leaders=(RED, BLUE)))
    assert [str(one) for one in running or ()] == ["Victory levels: red 0, blue 0, in turn 1 of 7."]
    assert [str(one) for one in ended or ()][1:] == ["Equal levels: a tie."]


def test_what_is_no_ruling_of_this_game_has_the_general_words() -> None:
    assert GAME.sentences(Fault(line=3, kind="illegal", message="no such line")) is None
