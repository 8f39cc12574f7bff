"""The setup: districts, the board file and its faults, by their lines (`les-apaches.md`, 1 and 11)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from companion.core.errors import Illegal, Malformed
from companion.core.ruling.judge import Judge
from companion.core.ruling.parameters import FileFault
from companion.games.les_apaches.rules.board import Board, check_board, read_board
from companion.games.les_apaches.rules.districts import HIDEOUTS, LISTED, LOOTS, PRINTED, left_hideouts, named
from companion.games.registry import find
from tests.games.les_apaches.boards import AS_PRINTED, BOARDS, PLACES, WHOLE
from tests.games.les_apaches.table import Table, setup_line

GAME = find("les-apaches")
SEATS = {2: "red blue", 3: "red blue green", 4: "red blue green yellow"}


def test_1_1_there_are_31_hideouts_and_19_things_that_they_may_say() -> None:
    assert sum(HIDEOUTS) == 31
    assert len(LOOTS) == 19


@pytest.mark.parametrize("players", SEATS)
def test_1_2_the_printed_districts_leave_six_hideouts_for_each_player(players: Any) -> None:
    assert left_hideouts(PRINTED[players]) == 6 * players
    assert Table(SEATS[players]).state.terms.quarters == PRINTED[players]


@pytest.mark.parametrize("listed", LISTED, ids=named)
def test_1_3_every_listed_set_leaves_six_for_two_or_three_players(listed: Any) -> None:
    players = left_hideouts(listed) // 6
    table = Table(SEATS[players], districts=named(listed))
    assert table.state.terms.opened == (*listed, 8, 9)


@pytest.mark.parametrize(("players", "districts"), [(3, "5-6-7"), (2, "1-3-4-5-6"), (4, "1-2-3-4")])
def test_1_4_a_set_for_another_number_of_players_is_refused(players: Any, districts: Any) -> None:
    with pytest.raises(Illegal, match=rf"{players} players lay {6 * players} \(rule 1\.4\)"):
        Table(SEATS[players], districts=districts)


def test_1_3_other_sets_are_named_district_by_district() -> None:
    chosen: dict[str, Any] = {f"district-{n}": True for n in (1, 2, 6, 7)}
    table = Table("red blue", districts="other", **chosen)
    assert table.state.terms.opened == (1, 2, 6, 7, 8, 9)


@pytest.mark.parametrize(
    ("chosen", "says"),
    [((), "districts none leave 0 hideouts; 2 players lay 12"), ((1, 5), "districts 1, 5 leave 7"),
     (range(1, 8), "districts 1, 2, 3, 4, 5, 6, 7 leave 24")],
)  # fmt: skip
def test_1_4_other_sets_must_leave_six_for_each_player(chosen: Any, says: Any) -> None:
    with pytest.raises(Illegal, match=says):
        Table("red blue", None, districts="other", **{f"district-{n}": True for n in chosen})


def test_districts_that_are_named_do_nothing_unless_other_ones_are_asked_for() -> None:
    assert Table("red blue", None, **{"district-7": True}).state.terms.quarters == (1, 2, 3, 6)


@pytest.mark.parametrize("seats", ["red", "red blue green yellow purple"])
def test_two_to_four_gangs_play(seats: Any) -> None:
    with pytest.raises(Illegal, match="for 2 to 4 players"):
        Table(seats)


def test_1_5_a_gang_begins_with_seven_leaders_three_novices_and_500_francs() -> None:
    state = Table("red blue").state
    assert {(gang.money, gang.reserve) for gang in state.gangs} == {(500, (7, 3, 0))}
    assert state.stock == 5


# -- the board file


@pytest.mark.parametrize("text", [text for text in BOARDS if text is not None])
def test_a_good_board_file_has_no_fault(text: Any) -> None:
    assert GAME.check_file("board", text) == ()


def test_the_file_that_comes_along_has_what_is_printed_and_is_what_stands_by_default() -> None:
    (sample,) = GAME.samples("board")
    parameter = next(one for one in GAME.parameters if one.key == "board")
    assert parameter.default == AS_PRINTED
    assert sample.text == "companion.games.les_apaches:board.toml"
    assert read_board(AS_PRINTED) == Board()


def test_what_the_file_that_comes_along_leaves_to_write_can_be_written() -> None:
    lines = [line.removeprefix("# ") if line.startswith("# ") and " = " in line else line for line in
             AS_PRINTED.splitlines()]  # fmt: skip
    text = "\n".join(lines)
    assert check_board(text) == ()
    assert read_board(text).linked is not None


def test_neighbours_go_both_ways() -> None:
    board = read_board(WHOLE)
    assert board.linked is not None
    for origin, targets in enumerate(board.linked, start=1):
        assert all(origin in board.linked[target - 1] for target in targets)
    assert board.linked[5] == (1, 5, 7, 9)
    assert board.places[0] == PLACES[1]


def test_11_2_an_empty_list_of_neighbours_says_that_there_are_none() -> None:
    assert read_board("[district.1]\ntouches = []\n").linked == ((),) * 9
    assert read_board("[district.1]\n").linked is None


FAULTS = [
    ("[district.1]\nhideouts = 4\n", 2, "district 1 has 3 hideouts"),
    ("[district.1]\nhideouts = true\n", 2, "district 1 has 3 hideouts"),
    ("\n\n[district.10]\n", 3, "there is no district '10'"),
    ("[district.1]\n\n# so\ncolour = 'red'\n", 4, "'colour' is not known; there are name, hideouts"),
    ("[streets]\na = 1\n", 1, "'streets' is not known"),
    ("district = 3\n", 1, "write a table for each district"),
    ("[district]\n1 = 2\n", 2, r"write a table: \[district.1\]"),
    ("[district.2]\nname = ''\n", 2, "1 to 16 characters"),
    ("[district.2]\nname = 'a name that is too long'\n", 2, "1 to 16 characters"),
    ("[district.2]\ntouches = 3\n", 2, "write a list of districts"),
    ("[district.2]\ntouches = [0]\n", 2, "write a list of districts"),
    ("[district.2]\ntouches = [true]\n", 2, "write a list of districts"),
    ("[district.2]\nhideouts = 4\nbridges = [2]\n", 3, "district 2 is its own neighbour"),
    ("[district.2]\nbridges = [3, 3]\n", 2, "a district stands twice"),
    ("[district.1]\nplaces = ['theft']\n", 2, "district 1 has 3 places"),
    ("[district.1]\nplaces = [\n 'theft',\n 'theft',\n 'money 50',\n]\n", 2, "'money 50' is no hideout; there are"),
    ("[district.8]\nplaces = ['theft']\n", 2, "it has no places"),
    ("[[district]]\nname = 'x'\n", 1, "write a table for each district"),
    ("[district.1]\nhideouts = = 3\n", 2, "this is no TOML"),
    ("[district.1]\nhideouts = 3\nhideouts = 3\n", 3, "this is no TOML"),
    ("[district.1]\nname = 'x", 2, "this is no TOML"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line", "says"), FAULTS)
def test_11_1_a_fault_is_told_with_its_line(text: Any, line: Any, says: Any) -> None:
    (fault,) = check_board(text)
    assert fault.line == line
    with pytest.raises(Malformed, match=rf"board: line {line}: .*{says}.* \(rule 1\.6\)"):
        Judge(find).feed(setup_line("red blue", text))


def test_every_fault_is_told_in_the_order_of_the_file() -> None:
    text = "[district.1]\nhideouts = 5\n[district.2]\ntouches = [2]\n[district.9]\nplaces = [1]\nbridges = [1]\nx = 1\n"
    faults = check_board(text)
    assert [fault.line for fault in faults] == [2, 4, 6, 8]
    assert isinstance(faults[0], FileFault)


def test_another_file_than_the_board_is_not_checked() -> None:
    assert GAME.check_file("other", "= =") == ()
    assert GAME.samples("other") == ()


@given(st.text() | st.text("[]{}.=\"'#\n 13districtnameplaces,", max_size=80))
@example("a = " + "[" * 5000)
@example("a = " + "1" * 5000)
@settings(deadline=None)
def test_any_text_is_a_board_file_or_has_faults(text: str) -> None:
    faults = check_board(text)
    assert faults or read_board(text)
    assert all(fault.says and (fault.line is None or fault.line >= 1) for fault in faults)
