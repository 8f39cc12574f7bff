"""Lists of players: as spreadsheets write them, all faults by row, nothing half done, and back again as they were."""

from __future__ import annotations

import csv
import io
import unicodedata
from contextlib import suppress

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from companion.adapters.event_files.cells import Fault, FaultyFile, Separator, guarded, unguarded
from companion.adapters.event_files.players import COLUMNS, ListedPlayer, PlayerList, read_players, write_players
from tests.amounts import many

ANN, BEA, CID = ListedPlayer(1, "Ann", "Harbour"), ListedPlayer(2, "Béa", "Harbour", 5), ListedPlayer(3, "Cid")
APART = frozenset(((1, 3), (2, 3)))
LIST = PlayerList((ANN, BEA, CID), APART)
SEMICOLONS = "number;name;club;fixed;apart\r\n1;Ann;Harbour;;3\r\n2;Béa;Harbour;5;\r\n3;Cid;;;1 2\r\n"


def faults(content: bytes | str, first: int = 1) -> list[str]:
    with pytest.raises(FaultyFile) as error:
        read_players(content.encode() if isinstance(content, str) else content, first)
    return list(map(str, error.value.faults))


# What is read -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("hint", ["", "sep=;\r\n", "SEP=;\n"])
def test_a_list_is_read_as_spreadsheets_write_it(mark: bytes, end: str, hint: str) -> None:
    assert read_players(mark + (hint + SEMICOLONS.replace("\r\n", end)).encode()) == LIST
    assert read_players(mark + SEMICOLONS.replace("\r\n", end).replace(";", ",").encode()) == LIST


def test_columns_stand_in_any_order_and_only_names_are_needed() -> None:
    assert read_players(b"Club, NAME ,fixed\nHarbour,Ann,\nHarbour,Zoe,5\n") == PlayerList(
        (ListedPlayer(1, "Ann", "Harbour"), ListedPlayer(2, "Zoe", "Harbour", 5))
    )
    assert read_players(b"name\nAnn\nBea\nCid").players == (
        ListedPlayer(1, "Ann"), ListedPlayer(2, "Bea"), ListedPlayer(3, "Cid"),
    )  # fmt: skip
    assert read_players(b"name") == PlayerList()


def test_quoted_cells_blanks_and_blank_rows_are_what_they_are_for_spreadsheets() -> None:
    content = b'name,club,\n"Ann, the ""Fox""",  Harbour,\n,,\n\n"  Bea\t Lee  ",,\n'
    assert [(one.name, one.club) for one in read_players(content).players] == [
        ('Ann, the "Fox"', "Harbour"), ("Bea Lee", ""),
    ]  # fmt: skip


def test_rows_may_stand_in_any_order_of_their_numbers() -> None:
    content = b"number,name,apart\n3,Cid,\n1,Ann,3\n2,Bea,\n"
    assert [one.name for one in read_players(content).players] == ["Ann", "Bea", "Cid"]
    assert read_players(content).apart == {(1, 3)}


def test_players_who_are_added_are_numbered_on_and_may_be_kept_apart_from_those_who_are_there() -> None:
    assert read_players(b"name,apart\nDan,2 5\nEve,", 4) == PlayerList(
        (ListedPlayer(4, "Dan"), ListedPlayer(5, "Eve")), frozenset(((2, 4), (4, 5)))
    )
    assert faults("number,name\n1,Dan", 4) == [
        "row 2: number 1 cannot be; 1 players have the numbers 4 to 4, each once"
    ]


# What is wrong with it ----------------------------------------------------------------------------------------------


def test_every_fault_is_told_with_its_row_and_what_would_be_right() -> None:
    content = f"number,name,club,fixed,apart\n1,Ann,,0,\n1,,,x,9\n\nz,Cid,,,3 y\n5,{'n' * 81},a\x07b,2,5,more\n,Eve\n"
    assert faults(content) == [
        "row 2: fixed is the number of a table, or empty; not '0'",
        "row 3: there is no name",
        "row 3: fixed is the number of a table, or empty; not 'x'",
        "row 3: number 1 is that of row 2 already; 5 players have the numbers 1 to 5, each once",
        "row 3: apart has 9, and no player has that number; the last is 5",
        "row 5: number is a whole number from 1 on; not 'z'",
        "row 5: apart is the numbers of players, parted by blanks, such as 3 17; not 'y'",
        "row 6: 'more' stands in column 6, which has no name in the first row",
        f"row 6: the name '{'n' * 40}…' has 81 characters; at most 80 are right",
        "row 6: the club 'a\\x07b' has signs that cannot be shown",
        "row 6: apart has 5, the player's own number",
        "row 7: there is no number, but other rows have one; 5 players have the numbers 1 to 5, each once, or none has"
        " any",
    ]


@pytest.mark.parametrize(
    ("head", "says"),
    [
        ("", ["the first row has to name the columns, and there is none called name"]),
        ("Ann;Harbour", ["there is no column 'ann'", "there is no column 'harbour'", "there is none called name"]),
        ("name;name;club", ["the column name is there 2 times; once is right"]),
        ("name\tclub", ["there is no column 'name\\tclub'", "there is none called name"]),
    ],
)
def test_a_head_that_does_not_name_the_columns_is_told(head: str, says: list[str]) -> None:
    told = faults(head + "\n1;Ann")
    assert len(told) == len(says)
    for fault, said in zip(told, says, strict=True):
        assert fault.startswith("row 1: ")
        assert said in fault


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1"])
def test_a_file_of_windows_1252_is_refused_with_the_place_and_the_way_out(encoding: str) -> None:
    content = SEMICOLONS.replace("Ann", "Jürg").encode(encoding)
    assert faults(content) == [
        "row 2: not UTF-8, perhaps Windows-1252 (“1;Jürg;Harbour;;3”): save it as “CSV UTF-8”; in LibreOffice choose"
        " the character set Unicode (UTF-8)"
    ]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le"])
def test_a_file_of_utf_16_is_refused(encoding: str) -> None:
    assert faults(SEMICOLONS.encode(encoding))


def test_a_quote_that_is_not_closed_is_told_with_its_row() -> None:
    (told,) = faults('name,club\nAnn,Harbour\n"Bea,Harbour\nCid,x\n')
    assert told.startswith("row 3: cannot be parted into cells: ")


def test_what_is_far_too_much_is_refused() -> None:
    assert faults(b"name\n" + b"x" * 5_000_000) == ["the file is too large: at most 4 MiB are read"]
    assert faults("name\n" + "Ann\n" * 10_001) == ["10001 players are too many: at most 10000"]
    assert "field larger than field limit" in faults(b"name\n" + b"x" * 200_000)[0]


def test_a_sentence_tells_the_first_faults_and_how_many_more_there_are() -> None:
    error = FaultyFile([Fault(row, "x") for row in range(1, 31)])
    assert str(error).startswith("row 1: x; row 2: x; ")
    assert str(error).endswith("row 20: x; and 10 more")
    assert len(error.faults) == 30


@settings(max_examples=many(150))
@given(st.binary(max_size=60) | st.text(alphabet="name,;\"'\n\r\t=1 ÿ", max_size=40).map(str.encode))
def test_whatever_is_read_gives_players_or_faults(content: bytes) -> None:
    for whole in (content, b"name,apart\n" + content):
        with suppress(FaultyFile):
            assert read_players(whole) == read_players(write_players(read_players(whole)))


# Back again ---------------------------------------------------------------------------------------------------------

PRINTABLE = st.characters(codec="utf-8", exclude_categories=("C", "Z")) | st.sampled_from(" =+-@';,\"")
WORDS = st.text(PRINTABLE, max_size=40).map(lambda text: " ".join(unicodedata.normalize("NFC", text).split()))


@st.composite
def lists(draw: st.DrawFn) -> PlayerList:
    count = draw(st.integers(0, 6))
    names = st.tuples(WORDS.filter(lambda text: text.isprintable() and text), WORDS.filter(str.isprintable))
    players = tuple(
        ListedPlayer(number, *draw(names), draw(st.none() | st.integers(1, 999_999))) for number in range(1, count + 1)
    )
    pairs = [(one, other) for one in range(1, count + 1) for other in range(one + 1, count + 1)]
    apart = draw(st.sets(st.sampled_from(pairs))) if pairs else ()
    return PlayerList(players, frozenset(apart))


@settings(max_examples=many(80))
@given(lists(), st.sampled_from(Separator))
@example(
    PlayerList((ListedPlayer(1, "=1+1", "'=x"), ListedPlayer(2, "'t Hooft", "''@")), frozenset([(1, 2)])),
    Separator.COMMA,
)
def test_a_list_comes_back_as_it_was(those: PlayerList, separator: Separator) -> None:
    content = write_players(those, separator)
    assert read_players(content) == those
    assert write_players(read_players(content), separator) == content


@settings(max_examples=many(150))
@given(st.text())
def test_no_cell_is_run_by_a_spreadsheet_and_every_one_is_read_again(text: str) -> None:
    assert guarded(text)[:1] not in {"=", "+", "-", "@", "\t", "\r"}
    assert unguarded(guarded(text)) == text


def test_a_name_that_looks_like_a_formula_is_guarded_in_the_file() -> None:
    content = write_players(PlayerList((ListedPlayer(1, "=HYPERLINK(1)", "@home"), ListedPlayer(2, "'t Hooft"))))
    assert content.decode("utf-8-sig").splitlines()[1:] == ["1,'=HYPERLINK(1),'@home,,", "2,'t Hooft,,,"]


def test_a_file_is_what_other_programs_read() -> None:
    content = write_players(LIST, Separator.SEMICOLON)
    assert content == b"\xef\xbb\xbf" + SEMICOLONS.replace("2;Béa;Harbour;5;\r", "2;Béa;Harbour;5;3\r").encode()
    read = list(csv.DictReader(io.StringIO(write_players(LIST).decode("utf-8-sig"), newline="")))
    assert tuple(read[0]) == COLUMNS
    assert [row["apart"] for row in read] == ["3", "3", "1 2"]
