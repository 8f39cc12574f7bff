"""What an event prints, read again from the PDF as any reader would, and looked at page by page."""

from __future__ import annotations

import io

import pypdfium2
import pytest

from companion.core.errors import Unavailable
from companion.core.words.language import ENGLISH
from companion.screens.prints.facts import (
    RoundPrinted,
    Sitter,
    StandingPrinted,
    StandingsPrinted,
    TablePrinted,
    printed_round,
    printed_standings,
)  # fmt: skip
from companion.screens.prints.pairings import by_name, by_table, table_sheets
from companion.screens.prints.paper import Fonts, Paper
from companion.screens.prints.standing_list import standing_list
from companion.tournament.event.results import results_of
from companion.tournament.log import lines
from companion.tournament.standings.standings import standings
from companion.tournament.verifying.verifying import FEWEST_DIGITS
from tests.tournament.logs import SEED, Log

POINTS = {"A4": (595, 842), "Letter": (612, 792)}
HEAD = "ab" * 32


def read(pdf: bytes) -> list[str]:
    """Give the text of each page."""
    document = pypdfium2.PdfDocument(io.BytesIO(pdf))
    try:
        return [page.get_textpage().get_text_bounded().replace("\r\n", "\n") for page in document]
    finally:
        document.close()


def many(count: int, name: str = "Player {}") -> RoundPrinted:
    """Give a round of so many tables."""
    tables = tuple(
        TablePrinted(
            table, tuple(Sitter(4 * table + seat, name.format(4 * table + seat), "Club", seat) for seat in range(1, 5))
        )
        for table in range(1, count + 1)
    )
    byes = (Sitter(9000, name.format(9000), "", 0),)
    return RoundPrinted("Spring Cup", "spring", 2, tables, byes, "cd" * 32, HEAD, changed=False)


@pytest.mark.parametrize("draw", [by_table, by_name, table_sheets])
@pytest.mark.parametrize("size", ["A4", "Letter"])
def test_every_page_is_of_the_paper_has_its_title_and_says_by_what_it_can_be_checked(draw, size) -> None:
    pdf = draw(many(60), size, ENGLISH)
    document = pypdfium2.PdfDocument(io.BytesIO(pdf))
    sizes = {tuple(round(side) for side in page.get_size()) for page in document}
    document.close()
    assert sizes == {POINTS[size]}
    pages = read(pdf)
    assert len(pages) > 1
    for number, page in enumerate(pages, start=1):
        assert "Spring Cup, round 2:" in page
        assert f"page {number} of {len(pages)}" in page
        assert f"log {HEAD}" in page
        assert f"companion verify spring.zip --head {HEAD[:FEWEST_DIGITS]}" in page


def test_by_what_it_can_be_checked_has_room_whatever_the_event_is_called() -> None:
    page = read(by_table(many(1)._replace(id="i" + "w" * 31, changed=True), "A4", ENGLISH))[0]
    assert f"changed by hand; pairings {'cd' * 8}, log {HEAD}" in page
    assert f"{'w' * 31}.zip --head {HEAD[:FEWEST_DIGITS]}" in page


def test_by_table_has_every_player_once_and_the_byes() -> None:
    text = "\n".join(read(by_table(many(60), "A4", ENGLISH)))
    for player in range(5, 245):
        assert text.count(f"Player {player}\n") + text.count(f"Player {player} ") == 1, player
    assert "Without a table: Player 9000" in text


def test_by_name_is_in_the_order_of_names_with_everybodys_table() -> None:
    one = many(3)._replace(tables=(TablePrinted(7, (Sitter(1, "zoe", "", 1), Sitter(2, "Adam", "", 2))),))
    text = read(by_name(one, "A4", ENGLISH))[0]
    assert text.index("Adam") < text.index("Player 9000") < text.index("zoe")
    assert text.count("7") >= 2
    assert "bye" in text


def test_a_table_is_never_parted_by_a_page() -> None:
    pages = read(by_table(many(60), "A4", ENGLISH))
    for table in range(1, 61):
        players = [f"Player {4 * table + seat}" for seat in range(1, 5)]
        assert sum(all(player in page for player in players) for page in pages) == 1


def test_two_sheets_are_on_a_page() -> None:
    pages = read(table_sheets(many(5), "A4", ENGLISH))
    assert [page.count("signature") for page in pages] == [2, 2, 1]


def test_a_drawing_that_was_changed_by_hand_says_so() -> None:
    assert "changed by hand" in read(by_table(many(1)._replace(changed=True), "A4", ENGLISH))[0]


def test_letters_that_the_plain_font_lacks_are_put_into_the_nearest() -> None:
    text = read(by_table(many(1, "Łukasz Ćirić {}"), "A4", ENGLISH))[0]
    assert "Lukasz Ciric 5" in text


def test_a_name_too_long_for_its_place_is_cut_and_the_next_column_stays() -> None:
    text = read(by_table(many(1, "A" * 70 + " {}"), "A4", ENGLISH))[0]
    assert "A..\n" in text or "A.. " in text
    assert "Club" in text


def test_a_font_that_is_not_there_is_refused_in_words(tmp_path) -> None:
    broken = tmp_path / "font.ttf"
    with pytest.raises(Unavailable, match="cannot be used as a font"):
        Paper("t", "f", "A4", ENGLISH, Fonts(str(broken), str(broken)))


def event(rounds: int = 1) -> Log:
    log = Log(event="spring", name="Spring Cup")
    log.players(4)
    for number in range(1, rounds + 1):
        log.draw((1, 2, 3, 4))
        places = tuple(lines.PlaceByHand(player, rank) for rank, player in enumerate((3, 1, 2, 4), start=1))
        log.add(lines.ByHandLine, round=number, table=1, places=places, reason="r", by="R")
    return log


def standing_of(log: Log) -> StandingsPrinted:
    event_now = log.event
    found = standings(
        results_of(event_now, lambda _: None), event_now.players.ever(), event_now.line.tie_breaks, SEED, "spring"
    )
    return printed_standings(event_now, found, HEAD)


def test_the_standings_have_places_points_and_the_values_of_the_tie_breaks() -> None:
    printed = standing_of(event(2))
    assert [(row.place, row.name, row.points) for row in printed.rows] == [
        (1, "Player 3", 48), (2, "Player 1", 32), (3, "Player 2", 16), (4, "Player 4", 0),
    ]  # fmt: skip
    assert printed.rows[0].rounds == ("24", "24")
    text = read(standing_list(printed, "A4", ENGLISH))[0]
    assert "Spring Cup: final standings" in text
    for title in ("player", "sum", "wins", "opponents", "punished"):
        assert title in text
    assert text.index("Player 3") < text.index("Player 1") < text.index("Player 2") < text.index("Player 4")


def test_standings_of_many_rounds_and_players_fill_pages_and_lose_nobody() -> None:
    rows = tuple(
        StandingPrinted(place, f"Name {place}!", "Club", 500 - place, ("0.250", "–", "11.875", "0.400"), ("12",) * 30)
        for place in range(1, 201)
    )
    printed = StandingsPrinted("Cup", 30, ("wins", "cards", "opponents", "punishments"), rows, False, HEAD)
    text = "\n".join(read(standing_list(printed, "Letter", ENGLISH)))
    assert all(f"Name {place}!" in text for place in range(1, 201))
    assert "standings after 30 rounds" in text


def test_a_round_is_printed_as_it_is_drawn_now() -> None:
    log = event()
    printed = printed_round(log.event, 1, HEAD)
    assert [sitter.name for sitter in printed.tables[0].sitters] == [f"Player {number}" for number in range(1, 5)]
    assert (printed.changed, printed.id, printed.byes) == (False, "spring", ())
