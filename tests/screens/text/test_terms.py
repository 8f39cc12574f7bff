"""The words that pages explain: each is in the glossary, with the very sentence that pages show."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.screens.text.terms import TERMS, anchor_of, words_document

GLOSSARY = (Path(__file__).parents[3] / "docs" / "glossary.md").read_text(encoding="utf-8")
ROWS = dict(re.findall(r"^\| (.+?) \| (.+) \|$", GLOSSARY, re.MULTILINE))


@pytest.mark.parametrize("term", TERMS, ids=lambda term: term.word)
def test_the_glossary_says_the_same(term):
    assert ROWS[term.word].startswith(term.says)


def test_each_word_stands_once_and_in_the_order_of_the_alphabet():
    words = [term.word for term in TERMS]
    assert words == sorted(set(words))


@pytest.mark.parametrize("term", TERMS, ids=lambda term: term.word)
def test_an_explanation_is_short_enough_for_a_phone_and_a_whole_sentence(term):
    assert len(term.says) <= 200
    assert term.says[0].isupper()
    assert term.says.endswith(".")


def test_pages_get_each_word_with_its_place_in_the_help():
    assert words_document()["dead heat"] == {
        "word": "dead heat",
        "says": "Presses whose times differ by no more than their uncertainties allow to tell.",
        "more": "/help#dead-heat",
    }


def test_an_anchor_has_nothing_that_an_address_would_have_to_escape():
    assert anchor_of("What ± means: it’s [web]") == "what-means-it-s-web"
