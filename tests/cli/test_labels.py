"""`companion deck labels`: all cards or some, from the first label of a sheet or another; wrong options are named."""

from __future__ import annotations

import pypdfium2
import pytest
import zxingcpp

from companion.cli.main import main
from companion.config.deck_file import Deck, printed_deck, write_deck
from companion.screens.labels.sheets import SHEETS

MM = 25.4
DPI = 300


@pytest.fixture
def labels(tmp_path, capsys):
    """Run the command; give its exit status, what it said, and by code where its symbol lies on which page, in mm."""

    def run(*options):
        out = tmp_path / "labels.pdf"
        status = main(["deck", "labels", str(out), *options])
        said = "".join(capsys.readouterr())
        return status, said, read(out) if status == 0 else {}

    return run


def read(out):
    document, found = pypdfium2.PdfDocument(out), {}
    for number, page in enumerate(document):
        for code in zxingcpp.read_barcodes(page.render(scale=DPI / 72, grayscale=True).to_pil()):
            assert code.text not in found
            corner = code.position.top_left
            found[code.text] = (number, corner.x * MM / DPI, corner.y * MM / DPI)
    document.close()
    return found


def text_of(out):
    document = pypdfium2.PdfDocument(out)
    told = "".join(page.get_textpage().get_text_range() for page in document)
    document.close()
    return told


def is_on(place, sheet, row, column):
    """Tell whether a symbol lies on a label of the first page; rows and columns from 1."""
    left, top = sheet.place((row - 1) * sheet.columns + column - 1)
    page, x, y = place
    return page == 0 and left <= x <= left + sheet.label[0] and top <= y <= top + sheet.label[1]


def test_all_cards_are_printed_with_code_and_name_in_clear(labels, tmp_path):
    status, said, found = labels("--game", "apache")
    assert (status, said) == (0, "114 labels on 2 pages of a4-65; print at 100 %, not fitted to the page\n")
    assert sorted(found) == sorted(printed_deck("apache").codes)
    told = text_of(tmp_path / "labels.pdf")
    for code, card in printed_deck("apache").codes.items():
        assert code in told
        assert card in told


@pytest.mark.parametrize("symbol", ["data-matrix", "code-128"])
def test_another_symbol_may_be_chosen(labels, symbol):
    _, said, found = labels("--symbol", symbol, "--only", "APACHE-114")
    assert said.startswith("1 label on 1 page of a4-65")
    assert list(found) == ["APACHE-114"]


def test_one_label_is_printed_again_where_its_sheet_is_still_whole(labels):
    _, said, found = labels("--only", "apache-007", "--at", "3,2")
    assert said.startswith("1 label on 1 page")
    assert list(found) == ["APACHE-007"]
    assert is_on(found["APACHE-007"], SHEETS["a4-65"], 3, 2)


def test_a_card_is_named_by_its_name_in_the_language_of_the_labels_too(labels):
    _, _, by_record = labels("--only", "red chief", "--only", "APACHE-001")
    _, _, by_language = labels("--only", "roter Häuptling", "--language", "de")
    assert sorted(by_record) == sorted(by_language) == ["APACHE-001", "APACHE-002"]


def test_a_begun_sheet_is_used_up_and_the_next_begins_at_its_first_label(labels):
    _, said, found = labels("--only", "red chief", "--skip", "64")
    assert said.startswith("2 labels on 2 pages")
    assert is_on(found["APACHE-001"], SHEETS["a4-65"], 13, 5)
    assert found["APACHE-002"][0] == 1
    assert is_on((0, *found["APACHE-002"][1:]), SHEETS["a4-65"], 1, 1)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--skip", "999"], "--skip 999: a sheet a4-65 has 65 labels; of a begun one, at most 64 are used"),
        (["--skip", "65"], "at most 64 are used"),
        (["--sheet", "letter-30", "--skip", "30"], "a sheet letter-30 has 30 labels"),
        (["--at", "14,1"], "--at 14,1: a sheet a4-65 has 13 rows of 5 labels"),
        (["--at", "1,6"], "13 rows of 5 labels"),
        (["--at", "0,1"], "must be the row and the column of a label, such as 3,2"),
        (["--at", "7"], "must be the row and the column"),
        (["--at", "1,1", "--skip", "3"], "give one of them"),
        (["--only", "red cheif"], "did you mean red chief"),
        (["--only", "APACHE-999"], "no card of apache has this code (such as APACHE-001)"),
        (["--symbol", "aztec"], "'aztec' is not one of 'qr', 'data-matrix', 'code-128'"),
        (["--sheet", "a4-66"], "a4-65"),
        (
            ["--symbol", "code-128", "--sheet", "a4-189"],
            "would be finer on a4-189 than scanners read;"
            " wide enough: --sheet a4-65 or a4-24 or letter-30 or letter-80",
        ),
    ],
)
def test_what_cannot_be_printed_is_named_and_nothing_is_written(labels, tmp_path, options, why):
    status, said, _ = labels(*options)
    assert status == 2
    assert why in said
    assert not (tmp_path / "labels.pdf").exists()


def test_a_code_that_no_sheet_has_room_for_is_named(labels, tmp_path):
    deck = tmp_path / "deck.toml"
    write_deck(deck, Deck("apache", {"x" * 64: "buffalo"}))
    status, said, _ = labels("--deck", str(deck), "--symbol", "code-128")
    assert status == 2
    assert "no sheet is wide enough" in said
    assert labels("--deck", str(deck), "--sheet", "a4-24")[0] == 0


@pytest.mark.parametrize(("code", "card"), [("it", "apo rosso"), ("de", "roter Häuptling"), ("fr", "hef rouge")])
def test_labels_have_the_names_of_cards_in_the_language_that_is_asked_for(labels, code, card, tmp_path):
    labels("--game", "apache", "--language", code, "--only", "APACHE-001")
    told = text_of(tmp_path / "labels.pdf")
    assert card in told
    assert "red chief" not in told
