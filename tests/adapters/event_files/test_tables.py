"""Pairings and standings for spreadsheets: a row for each player, numbers as they read them, names that are not run."""

from __future__ import annotations

from companion.adapters.event_files.cells import Separator
from companion.adapters.event_files.players import ListedPlayer
from companion.adapters.event_files.tables import pairings_csv, standings_csv
from companion.tournament.log.lines import TIE_BREAKS, TableDrawn
from companion.tournament.results import Place, RoundResults, TableResult
from companion.tournament.standings.standings import standings

WHO = {1: ListedPlayer(1, "Ann", "Harbour"), 2: ListedPlayer(2, "=Bea", "a;b"), 3: ListedPlayer(3, "Cid")}
ROUNDS = (
    RoundResults(1, (TableResult(1, 1, (Place(1, 1, 2), Place(2, 2, 1), Place(3, 3, 0)), is_final=True),), byes=(4,)),
    RoundResults(2, (TableResult(2, 1, (Place(1, 1, 1, 1), Place(3, 2, 2))),), byes=(2, 4)),
)
STANDING = standings(ROUNDS, range(1, 5), TIE_BREAKS, "5eed", "spring")


def lines(content: bytes) -> list[str]:
    assert content.startswith(b"\xef\xbb\xbf")
    assert content.endswith(b"\r\n")
    return content.decode("utf-8-sig").split("\r\n")[:-1]


def test_standings_have_a_row_for_each_player_in_order() -> None:
    head, *rows = lines(standings_csv(STANDING, TIE_BREAKS, WHO))
    assert head == "place,number,name,club,sum,points,wins,cards,opponents,punishments,lots,state"
    assert [row.rpartition(",0x")[0] for row in rows] == [
        "1,1,Ann,Harbour,48,24,1,0.5,12,0.5", "2,2,'=Bea,a;b,24,12,0,0.3333,12,0", "3,4,,,24,12,0,0,12,0",
        "4,3,Cid,,0,0,0,0.3333,12,0",
    ]  # fmt: skip
    assert [row.rpartition(",")[2] for row in rows] == ["provisional", "final", "final", "provisional"]
    assert {len(row.rpartition(",0x")[2].split(",")[0]) for row in rows} == {12}


def test_where_semicolons_part_cells_decimals_have_a_comma() -> None:
    head, first, second, *_ = lines(standings_csv(STANDING, TIE_BREAKS, WHO, Separator.SEMICOLON))
    assert head.startswith("place;number;name;")
    assert first.startswith("1;1;Ann;Harbour;48;24;1;0,5;12;0,5;0x")
    assert second.startswith('2;2;\'=Bea;"a;b";24;12;0;0,3333;12;0;0x')


def test_only_the_tie_breaks_of_the_event_are_there() -> None:
    found = standings(ROUNDS, range(1, 5), ("points", "wins"), "5eed", "spring")
    assert lines(standings_csv(found, ("points", "wins"), WHO))[:2] == [
        "place,number,name,club,sum,points,wins,state", "1,1,Ann,Harbour,48,24,1,provisional",
    ]  # fmt: skip


def test_pairings_have_a_row_for_each_seat_and_byes_last() -> None:
    tables = (TableDrawn(2, (5, 1)), TableDrawn(1, (3, 2)))
    assert lines(pairings_csv(4, tables, (7, 6), WHO)) == [
        "round,table,seat,number,name,club",
        "4,1,1,3,Cid,", "4,1,2,2,'=Bea,a;b", "4,2,1,5,,", "4,2,2,1,Ann,Harbour", "4,bye,,6,,", "4,bye,,7,,",
    ]  # fmt: skip
