"""The game's own words: lines, sentences, prompts, the accounts as tables, what is hidden from whom."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.core.panel import Colour
from companion.core.record.lines import ByHand, Reveal
from companion.core.ruling.offers import Step
from companion.games.les_apaches.rules.lines import (
    Bail,
    Bailed,
    DistrictSettled,
    Draft,
    Hideout,
    Muster,
    Prowl,
    RoundOver,
    Unlaid,
    Unmask,
)
from companion.games.registry import find
from companion.screens.text.account import replay_account
from tests.games.les_apaches.boards import WHOLE
from tests.games.les_apaches.matches import random_match
from tests.games.les_apaches.table import Table

GAME = find("les-apaches")
RED = Colour.RED
GOLDEN = Path(__file__).parent / "golden"


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (Draft(colour=RED, district="3"), "red takes a hideout of 3"),
        (Muster(colour=RED, district="3", leaders=2, novices=1), "red places in 3: 2 leaders, 1 novice"),
        (Muster(colour=RED, district="3", reinforcements=1), "red places in 3: 1 reinforcement"),
        (Prowl(colour=RED, figures=(("leader", "1", "4"),)), "red moves leader from 1 to 4"),
        (
            Prowl(colour=RED, figures=(("leader", "1", "4"), ("novice", "6", "4"))),
            "red moves leader from 1 to 4 and novice from 6 to 4",
        ),
        (Hideout(colour=RED, district="5", loot="burglary 150"), "red lays in 5: burglary 150 F"),
        (Bail(colour=RED, prisoners=2), "red pays bail for 2 prisoners"),
        (Bail(colour=RED, prisoners=0), "red pays no bail"),
        (Unlaid(district="5", loot="killed"), "taken away from 5: killed"),
        (Unmask(colour=RED, policeman=True), "red has the policeman"),
        (Unmask(colour=RED, policeman=False), "red has no policeman"),
        (ByHand(set="red jail", value=1, reason=""), "by hand: red jail is 1"),
    ],
)
def test_a_line_is_told_in_a_few_words(line: Any, says: Any) -> None:
    assert GAME.describe(line) == says


def test_what_a_hideout_says_may_have_been_meant_otherwise_and_where_it_lies() -> None:
    district, loot = GAME.fields(Hideout(colour=RED, district="5", loot="theft"))
    assert ([value.value for value in district.values], len(loot.values)) == (list("1234567"), 19)
    assert GAME.fields(Reveal(card="x")) == ()


def test_how_many_may_have_been_meant_otherwise_and_who_has_the_policeman() -> None:
    found = {field.name: [one.value for one in field.values] for field in GAME.fields(Muster(colour=RED, district="3"))}
    assert [*found] == ["district", "leaders", "novices", "reinforcements"]
    assert (found["leaders"], found["novices"], found["reinforcements"]) == (
        [*range(8)], [*range(4)], [*range(6)],
    )  # fmt: skip
    (prisoners,) = GAME.fields(Bail(colour=RED, prisoners=2))
    assert [one.value for one in prisoners.values] == [*range(8)]
    (policeman,) = GAME.fields(Unmask(colour=RED, policeman=True))
    assert [one.value for one in policeman.values] == [False, True]


def prompts(table: Any, *chosen: Any) -> Any:
    (offer,) = table.game.offers(table.state)
    step = table.game.step(table.state, offer, chosen)
    assert isinstance(step, Step)
    return step.prompt, [value.label for value in step.values]


def test_a_turn_is_asked_field_by_field() -> None:
    table = Table("red blue", WHOLE).put(red="1:1l 2:2l", blue="1:2l 3:1l").turn(hands="red=12 blue=3")
    assert prompts(table) == ("RED does what?", ["place figures", "move figures", "lay a hideout"])
    assert prompts(table, "muster")[0] == "Place where?"
    assert prompts(table, "muster", "1") == ("Leaders?", ["0", "1", "2", "3", "4"])
    assert prompts(table, "muster", "1", "1") == ("Novices?", ["1", "2", "3"])
    assert prompts(table, "muster", "1", "0") == ("Novices? No tie!", ["2", "3"])
    assert prompts(table, "prowl")[1] == ["leader of 1", "leader of 2"]
    assert prompts(table, "hideout") == ("Lay where?", ["district 1", "district 2"])
    assert prompts(table, "hideout", "1") == ("It says?", ["300 F", "theft", "wounded"])


def test_the_scanner_s_cards_are_the_hideouts_of_each_district() -> None:
    table = Table("red blue").turn(hands="red=12 blue=3")
    (offer,) = table.game.offers(table.state)
    step = table.game.step(table.state, offer, ("hideout", "2"))
    names = {card.name for card in GAME.deck}
    assert len(names) == 7 * 19
    assert {value.key for value in step.values} < names


def test_a_view_has_an_area_for_each_open_district_and_for_what_is_elsewhere() -> None:
    table = Table("red blue").gang("red", jail=(1, 0)).put(red="3:2l1n", blue="3:1l").turn(hands="red=1")
    view = table.game.view(table.state)
    areas = {area.name: area for area in view.areas}
    assert list(areas) == [
        "district 1", "district 2", "district 3", "district 6", "8 burghers", "9 fence",
        "hideouts left from", "reserve", "jail",
    ]  # fmt: skip
    assert [(cell.text, cell.owner) for cell in areas["district 3"].cells] == [("3 (1 novice)", "red"), ("1", "blue")]
    assert [(cell.text, cell.owner) for cell in areas["hideouts left from"].cells] == [("1", "red")]
    assert areas["district 3"].note == "0 of 4 laid"
    assert (view.phase, view.turn) == ("turn 1 of 6", "red")


def test_who_gets_nothing_is_told_so() -> None:
    table = Table("red blue").put(red="1:1l", blue="2:1l").gang("blue", reinforcements=5)
    table.settle({1: "reinforcements", 2: "money 300"})
    rows = table.game.ledgers(table.state)[2].rows
    assert rows[0].values == ("reinforcements", "red", "nothing")


def test_in_the_draft_each_stack_tells_how_many_can_be_taken_and_who_has_which() -> None:
    table = Table("red blue")
    table.draft("red", 6)
    areas = {area.name: area for area in table.game.view(table.state).areas}
    assert (areas["district 6"].note, areas["district 2"].note) == ("3 hideouts to take", "3 hideouts to take")
    assert [(cell.text, cell.owner) for cell in areas["hideouts left from"].cells] == [("6", "red")]


def test_figures_that_are_no_leaders_are_told_in_words() -> None:
    table = Table("red blue").gang("red", reinforcements=2).gang("blue", novices=0, reinforcements=1)
    areas = {area.name: area for area in table.game.view(table.state).areas}
    assert [cell.text for cell in areas["reserve"].cells] == ["12 (3 nov. 2 reinf.)", "8 (1 reinforcement)"]


def test_the_accounts_are_tables_whose_columns_add_up() -> None:
    table = Table("red blue green").put(red="1:2l", blue="4:1l", green="5:2l")
    table.settle({1: "theft", 4: "burglary 200", 5: "money 500"})
    total, first, districts, second = table.game.ledgers(table.state)
    assert [one.key for one in (total, first, districts, second)] == ["accounts", "round-1", "districts-1", "round-2"]
    assert total.columns == first.columns == ("red", "blue", "green")
    assert [row.label for row in total.rows] == [
        "Start", "Money", "Burglary", "Thefts", "Robbed", "Total", "Fit for action",
    ]  # fmt: skip
    for ledger, end in ((total, "Total"), (first, "Sum")):
        rows = {row.label: [*map(int, row.values)] for row in ledger.rows if row.label != "Fit for action"}
        sums = rows.pop(end)
        assert [sum(values) for values in zip(*rows.values(), strict=True)] == sums
    assert [row.values for row in districts.rows][:4] == [
        ("theft", "red", "400 F"), ("burglary 200 F", "blue", "200 F"), ("500 F", "green", "500 F"), ("", "nobody", ""),
    ]  # fmt: skip
    assert total.note == "The final accounts have not been made."


def test_the_account_of_a_whole_match(request: Any) -> None:
    """After a wanted change: pytest … --update-golden, and read it."""
    account = "\n".join(replay_account(random_match(8, undo_chance=0.01), find)) + "\n"
    path = GOLDEN / "match.txt"
    if request.config.getoption("--update-golden"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(account, encoding="utf-8")
    assert account == path.read_text(encoding="utf-8")


def settled(**changes: Any) -> DistrictSettled:
    plain = {
        "round": 1, "district": "5", "loot": None, "strength": {"red": 3}, "colour": RED, "francs": 0,
        "reinforcements": 0, "lost": 0, "burghers": 0, "given": {},
    }  # fmt: skip
    return DistrictSettled(**{**plain, **changes})


@pytest.mark.parametrize(
    ("ruling", "says"),
    [
        (Bailed(colour=RED, prisoners=2, francs=400), ["red pays bail for 2 prisoners: 400 F."]),
        (Bailed(colour=RED, prisoners=0, francs=0), ["red pays no bail."]),
        (settled(colour=None), ["District 5: nobody gets anything."]),
        (settled(), ["District 5, red 3: red gets nothing."]),
        (settled(loot="theft", francs=50), ["District 5 (theft), red 3: red 50 F."]),
        (settled(francs=50, given={"blue": 20}), ["District 5, red 3: red 50 F, blue gives 20 F."]),
        (settled(burghers=1), ["District 5, red 3: red takes a burgher, unseen."]),
        (settled(loot="killed", lost=1), ["District 5 (killed), red 3: red one leader is lost: killed."]),
        (RoundOver(round=1, back={"red": 0}, money={"red": 50, "blue": 0}, first=None),
         ["Round 1 is over: red 50 F, blue 0 F."]),
        (RoundOver(round=1, back={"red": 2, "blue": 0}, money={"red": 50}, first=RED),
         ["Round 1 is over: red 50 F.", "Back from hospital and jail: red 2.", "red is first player now."]),
    ],
)  # fmt: skip
def test_a_ruling_is_told_in_the_account(ruling: Any, says: list[str]) -> None:
    assert [str(one) for one in GAME.sentences(ruling) or ()] == says


def test_what_the_bank_and_the_table_answer_may_have_been_meant_otherwise() -> None:
    names = [[field.name for field in GAME.fields(line)] for line in (
        Draft(colour=RED, district="3"), Unlaid(district="5", loot="killed"), Bail(colour=RED, prisoners=1),
        Unmask(colour=RED, policeman=True),
    )]  # fmt: skip
    assert names == [["district"], ["loot"], ["prisoners"], ["policeman"]]
