"""Decks and their labels: every one of the 114 prairie cards has its own code, and a printed one can be read again."""

from __future__ import annotations

from collections import Counter

import pypdfium2
import pytest
import zxingcpp

from companion.cli.labels import SHEETS, sheet, write_labels
from companion.cli.main import main
from companion.config.deck_file import Deck, cards_of, printed_deck, read_deck, write_deck
from companion.config.toml_file import WrongOption
from companion.core.errors import Malformed
from companion.games.apache.cards import DECK, NAMES


def test_the_printed_deck_has_each_of_the_114_prairie_cards_once():
    deck = printed_deck("apache")
    assert len(deck.codes) == 114
    assert Counter(deck.codes.values()) == dict(zip(NAMES, DECK, strict=True))
    assert deck.missing() == {}


@pytest.mark.parametrize("name", SHEETS)
def test_all_printed_labels_are_read_back_from_the_rendered_pdf(name, tmp_path):
    deck, on = printed_deck("apache"), sheet(name)
    pages = write_labels(tmp_path / "labels.pdf", deck.codes, "Cards", on)
    document = pypdfium2.PdfDocument(tmp_path / "labels.pdf")
    assert len(document) == pages == -(-114 // (on.columns * on.rows))
    found = []
    text = ""
    for page in document:
        width, height = page.get_size()
        assert (width, height) == pytest.approx((on.page[0] / 25.4 * 72, on.page[1] / 25.4 * 72), abs=1)
        picture = page.render(scale=600 / 72 if on.label[1] < 15 else 300 / 72, grayscale=True).to_pil()
        found += [code.text for code in zxingcpp.read_barcodes(picture, formats=zxingcpp.BarcodeFormat.QRCode)]
        text += page.get_textpage().get_text_range()
    document.close()
    assert sorted(found) == sorted(deck.codes)
    for card in set(deck.codes.values()):
        assert card in text


def test_labels_lie_within_their_sheet():
    for on in SHEETS.values():
        assert on.margin[0] + (on.columns - 1) * on.pitch[0] + on.label[0] <= on.page[0] + 0.01, on.name
        assert on.margin[1] + (on.rows - 1) * on.pitch[1] + on.label[1] <= on.page[1] + 0.01, on.name
        assert on.label[0] <= on.pitch[0] + 0.01
        assert on.label[1] <= on.pitch[1] + 0.01


def test_a_sheet_that_was_begun_can_be_used_up(tmp_path):
    deck = Deck("apache", {"A-1": "buffalo"})
    assert write_labels(tmp_path / "one.pdf", deck.codes, "Cards", sheet("a4-65"), skip=65) == 2


def test_an_unknown_sheet_names_those_there_are():
    with pytest.raises(WrongOption, match="a4-65"):
        sheet("a4-66")


def test_a_deck_is_written_and_read_again(tmp_path):
    deck = Deck("apache")
    deck.enrol("04A2B91C", "red chief")
    deck.enrol('04:A2 "x" = \\', "buffalo")
    write_deck(tmp_path / "deck.toml", deck)
    assert read_deck(tmp_path / "deck.toml") == deck
    assert deck.missing()["red chief"] == 1
    assert "red chief" in (tmp_path / "deck.toml").read_text()


def test_enrolling_what_cannot_be_is_refused_and_changes_nothing():
    deck = Deck("apache")
    deck.enrol("1", "red chief")
    deck.enrol("2", "red chief")
    for code, card, why in (
        ("1", "buffalo", "is red chief already"),
        ("3", "red chief", "all 2 cards"),
        ("4", "red cheif", "did you mean red chief"),
        ("", "buffalo", "no code"),
        ("x" * 65, "buffalo", "no code"),
        ("tab\t", "buffalo", "no code"),
    ):
        with pytest.raises(Malformed, match=why):
            deck.enrol(code, card)
    assert deck.codes == {"1": "red chief", "2": "red chief"}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('game = "apachee"\n', "must name an installed game"),
        ('game = "apache"\ncolour = 1\n', "there is no such key"),
        ('game = "apache"\n[cards]\nA = "red cheif"\n', "line 3.*red chief"),
        ('game = "apache"\ncards = 3\n', "must be a table"),
        ('game = "order"\n[cards]\nA = "red chief"\n', "has no cards"),
        ("game =", "not TOML"),
    ],
)
def test_a_wrong_deck_file_names_the_fault_and_where(tmp_path, text, why):
    (tmp_path / "deck.toml").write_text(text)
    with pytest.raises(Malformed, match=why):
        read_deck(tmp_path / "deck.toml")


def test_a_game_without_cards_has_no_deck():
    with pytest.raises(Malformed, match="no cards"):
        cards_of("order")


@pytest.mark.parametrize(("code", "card"), [("it", "apo rosso"), ("de", "roter Häuptling"), ("fr", "hef rouge")])
def test_labels_have_the_names_of_cards_in_the_language_that_is_asked_for(code, card, tmp_path):
    out = tmp_path / "labels.pdf"
    assert main(["deck", "labels", str(out), "--game", "apache", "--language", code]) == 0
    document = pypdfium2.PdfDocument(out)
    told = "".join(page.get_textpage().get_text_range() for page in document)
    document.close()
    assert card in told
    assert "red chief" not in told
