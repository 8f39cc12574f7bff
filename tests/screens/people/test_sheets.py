"""Sheets of people: what they say, and what they leave out."""

from __future__ import annotations

import csv
import io
from typing import Any

import pypdfium2
import pytest

from companion.config.languages import language
from companion.core.errors import Illegal
from companion.core.people.book import Book, Share, UnknownPerson
from companion.core.record.lines import ByHand, End, dump_line
from companion.core.words.telling import in_words
from companion.core.words.texts import listed
from companion.games import registry
from companion.screens.people.dates import clock, day, short_day
from companion.screens.people.exported import COLUMNS, as_csv, harmless
from companion.screens.people.pdf import sheet_pdf
from companion.screens.people.sheet import Sheet, Table, matches_said
from companion.screens.people.sheets import evening_sheet, overview, person_sheet, result_sheet, unplayed_sheet
from companion.screens.web.matches import match_document
from tests.core.people.records import facts, record
from tests.games.big_manitou.matches import setup
from tests.words.pseudo import PSEUDO, ours

NAMES = {"red": "Ann", "blue": "Bob"}
SEVEN = [{"red": 300 + 10 * number, "blue": 400 - 7 * number} for number in range(7)]
MATCHES = [
    facts(*SEVEN, names=NAMES, match_id=1),
    facts(*SEVEN[:3], names={**NAMES, "green": ""}, match_id=2, started="2025-03-01T23:30:00+01:00"),
    facts({"red": 1, "blue": 2}, names=NAMES, game="order", match_id=3, started="2025-04-02T20:00:00+02:00"),
]


def table(sheet: Sheet, title: str) -> Table:
    return next(one for one in sheet.tables if one.title == title)


def texts(sheet: Sheet, title: str) -> list[list[str]]:
    return [[cell.text for cell in row] for row in table(sheet, title).rows]


def test_each_figure_of_a_person_says_what_it_rests_on() -> None:
    sheet = person_sheet("ann", MATCHES, is_shared=False)
    assert (sheet.title, sheet.about) == ("Ann", ("3 matches on 2 evenings, from 1 March 2025 to 2 April 2025",))
    assert texts(sheet, "Figures") == [
        ["Wins", "1", "3 matches"],
        ["Shared wins", "2", "3 matches"],
        ["First in races", "10", "11 races"],
        ["Punished", "10", "11 presses"],
        ["Median reaction", "320 ms ±20 µs", "10 reactions"],
        ["Faster quarter below", "310 ms ±20 µs", "10 reactions"],
        ["Slower quarter above", "338 ms ±20 µs", "10 reactions"],
        ["Fastest reaction", "300 ms ±20 µs", "10 reactions"],
    ]
    assert texts(sheet, "By game") == [["Apache", "2", "0", "2", "9 of 10"], ["Order", "1", "1", "0", "1 of 1"]]
    assert [(bar.label, bar.part, bar.of) for bar in sheet.bars[0].bars] == [("Apache", 10, 10), ("Order", 0, 1)]


def test_too_few_reactions_are_said_and_not_plotted() -> None:
    sheet = person_sheet("Ann", MATCHES[1:], is_shared=False)
    assert texts(sheet, "Figures")[-1] == ["Reactions", "too few: 3 reactions of 5", "3 reactions"]
    assert sheet.plots == ()
    assert "fewer than 5 reactions" in " ".join(sheet.notes)


def test_a_plot_has_a_lane_for_each_evening_with_enough_reactions() -> None:
    (plot,) = person_sheet("Ann", MATCHES, is_shared=False).plots
    (lane,) = plot.lanes
    assert (lane.label, len(lane.values), lane.median) == ("1 Mar 25", 10, "320 ms")
    assert lane.values[0].says == "match 1, race 1: 300 ms ±20 µs"


@pytest.mark.parametrize("is_shared", [False, True])
def test_a_shared_person_names_nobody_else_and_leads_nowhere(is_shared: bool) -> None:
    told = str(person_sheet("Ann", MATCHES, is_shared=is_shared).document())
    assert ("Bob" in told, "'/people#" in told) == (not is_shared, not is_shared)


@pytest.mark.parametrize("is_shared", [False, True])
def test_a_shared_evening_leads_nowhere(is_shared: bool) -> None:
    told = str(evening_sheet("2025-03-01", MATCHES, is_shared=is_shared).document())
    assert "Bob" in told
    assert ("'/people#" in told) == (not is_shared)


def test_an_evening_has_its_matches_with_winners_and_seats_without_a_name() -> None:
    sheet = evening_sheet("2025-03-01", MATCHES, is_shared=False)
    assert sheet.title == "Evening of 1 March 2025"
    assert sheet.about == ("2 matches; Ann and Bob",)
    assert [row[1] for row in texts(sheet, "Matches")] == ["19:30", "23:30"]
    assert texts(sheet, "Matches")[1][3] == "★ Ann 0, ★ Bob 0, ★ green 0"
    assert [row[:2] for row in texts(sheet, "Standings")] == [["1", "Ann"], ["1", "Bob"]]


@pytest.mark.parametrize("name", ["Nobody", "", "An"])
def test_whoever_has_not_played_has_no_sheet(name: str) -> None:
    with pytest.raises(UnknownPerson):
        person_sheet(name, MATCHES, is_shared=True)
    with pytest.raises(UnknownPerson):
        evening_sheet(name, MATCHES, is_shared=True)
    assert unplayed_sheet("Cleo").tables == ()


def test_the_page_lists_everybody_once_as_the_list_spells_them() -> None:
    token = "t" * 22
    book = Book(people=("ANN", "Zoë"), shares=(Share(token=token, evening="2025-03-01"),))
    found = overview(book, MATCHES, "people.json was damaged")
    assert [(one["name"], one["matches"]) for one in found["people"]] == [("ANN", 3), ("Bob", 3), ("Zoë", 0)]
    assert [one["title"] for one in found["standings"]] == [
        "Standings, all games", "Standings, Apache", "Standings, Order",
    ]  # fmt: skip
    assert [one["evening"] for one in found["evenings"]] == ["2025-04-02", "2025-03-01"]
    assert found["shares"] == [
        {"token": token, "address": f"/people#shared={token}", "says": "Evening of 1 March 2025"}
    ]
    assert found["fault"] == "people.json was damaged"


def test_one_game_has_one_table_and_nothing_none() -> None:
    assert [one["title"] for one in overview(Book(), MATCHES[:1], "")["standings"]] == ["Standings, Apache"]
    assert overview(Book(), [], "")["standings"] == []


def result(lines: list[bytes]) -> Sheet:
    told: dict[str, Any] = match_document(lines, registry.find)
    game = registry.find(told["game"])
    return result_sheet(4, "2025-03-01T19:30:00+01:00", told, game, lines)


def test_a_result_has_score_races_times_and_room_for_signatures() -> None:
    sheet = result([*record({"blue": 1, "red": 90}, {"red": 1}, names={"red": "Ann", "blue": ""}, game="order")])
    assert (sheet.title, sheet.about) == ("Result of Order, match 4", ("1 March 2025, 19:30",))
    assert texts(sheet, "Score") == [
        ["1", "Ann", "1", "★ shares the victory"], ["1", "Blue", "1", "★ shares the victory"],
    ]  # fmt: skip
    assert table(sheet, "Races").head == ("Race", "Order")
    assert texts(sheet, "Races")[0] == ["1", "1 Blue first; 2 Ann +89.0 ms"]
    assert texts(sheet, "Signatures") == [["Ann", "", ""], ["Blue", "", ""], ["Referee", "", ""]]
    assert sheet.notes == ("The box has not sealed this record.",)


def test_who_wins_by_something_else_than_the_score_has_the_first_place_alone() -> None:
    """Both have 2 points, one of them by tipis, which decide."""
    counted = {"reason": "counted", "by": "Ann"}
    lines = [
        setup("red", "blue"),
        ByHand(set="red buffaloes", value=4, **counted),
        ByHand(set="blue tipis", value=4, **counted),
        End(),
    ]
    sheet = result([dump_line(line) for line in lines])
    assert texts(sheet, "Score") == [["1", "Blue", "2", "★ wins"], ["2", "Red", "2", ""]]


def test_a_result_names_the_newest_seal() -> None:
    seal = b'{"type":"seal","sha256":"%s","key":"%s=","signature":"%s=="}' % (b"a" * 64, b"A" * 43, b"A" * 86)
    (note,) = result([*record({"red": 1}, names=NAMES), seal]).notes
    assert note.startswith(f"The box has sealed the record's lines before line 8: SHA-256 {'a' * 64}, key AAA")
    assert note.endswith("companion verify match-4.jsonl")


def test_a_match_that_is_not_over_has_no_result() -> None:
    with pytest.raises(Illegal, match="it is not over"):
        result(record({"red": 1}, names=NAMES, over=False))


def test_a_spreadsheet_runs_no_name() -> None:
    assert [harmless(text) for text in ("=1+1", "+1", "-1", "@x", "Ann", "")] == [
        "'=1+1",
        "'+1",
        "'-1",
        "'@x",
        "Ann",
        "",
    ]
    rows = list(csv.DictReader(io.StringIO(as_csv(MATCHES).decode("utf-8-sig"))))
    assert tuple(rows[0]) == COLUMNS
    assert [row["median_reaction_ns"] for row in rows] == ["330000000", "379000000", "", "", "", "", ""]
    assert rows[0]["median_error_ns"] == "20000"


def test_any_sheet_becomes_a_pdf_with_letters_that_latin_1_lacks() -> None:
    match = facts(*SEVEN, names={"red": "Łukasz", "blue": "日本"}, match_id=1)
    for sheet in (
        person_sheet("Łukasz", [match], is_shared=False),
        evening_sheet("2025-03-01", [match], is_shared=False),
    ):
        assert sheet_pdf(sheet).startswith(b"%PDF-")
    assert sheet_pdf(unplayed_sheet("Cleo")).startswith(b"%PDF-")


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("it", ("Ancora nessuna partita",)),
        ("fr", ("Encore aucune partie",)),
        ("de", ("Noch keine Partie",)),
    ],
)
def test_a_sheet_is_a_pdf_in_the_language_that_is_asked_for(code: str, words: tuple[str, ...]) -> None:
    paper = pypdfium2.PdfDocument(sheet_pdf(in_words(unplayed_sheet("Cleo"), language(code)), code))
    told = paper[0].get_textpage().get_text_bounded()
    assert [one for one in words if one not in told] == [], told


def test_no_word_of_a_sheet_on_paper_is_english_in_another_language() -> None:
    match = facts(*SEVEN, names={"red": "A1", "blue": "B2"}, match_id=1)
    for sheet in (person_sheet("A1", [match], is_shared=False), evening_sheet("2025-03-01", [match], is_shared=False)):
        said = in_words(sheet, PSEUDO)
        told = [said.title, *said.about, *said.notes]
        for table in said.tables:
            told += [table.title, table.how, *table.head, *(cell.text for row in table.rows for cell in row)]
        assert [one for one in told if ours(one, known=frozenset(("apache", "mar")))] == []


def test_dates_are_words() -> None:
    assert [day("2025-03-01"), short_day("2025-03-01"), clock("2025-03-01T19:30:00+01:00")] == [
        "1 March 2025", "1 Mar 25", "19:30",
    ]  # fmt: skip
    assert [day("undated"), short_day("undated"), clock("")] == ["without a date", "no date", "–"]


def test_numbers_and_lists_are_words() -> None:
    assert [matches_said(1), matches_said(1200)] == ["1 match", "1,200 matches"]
    assert [listed([]), listed(["a"]), listed(["a", "b"]), listed("abc")] == ["", "a", "a and b", "a, b and c"]
