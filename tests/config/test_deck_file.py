"""Decks: every one of the 114 prairie cards has its own code, and a deck's file is read as it was written."""

from __future__ import annotations

from collections import Counter

import pytest

from companion.config.deck_file import Deck, cards_of, printed_deck, read_deck, write_deck
from companion.core.errors import Malformed
from companion.games.apache.cards import DECK, NAMES


def test_the_printed_deck_has_each_of_the_114_prairie_cards_once():
    deck = printed_deck("apache")
    assert len(deck.codes) == 114
    assert Counter(deck.codes.values()) == dict(zip(NAMES, DECK, strict=True))
    assert deck.missing() == {}


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
