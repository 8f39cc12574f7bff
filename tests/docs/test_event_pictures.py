"""The pictures of an event: of every page of a desk, every part of the organiser's, every print; small, and shown."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from companion.adapters.web.tournament.pages import PAGES
from companion.app.tournament.prints import OF_A_ROUND, STANDINGS
from tests.browser.event_gallery import (
    FOLDER,
    LARGEST_BYTES,
    MOST_BYTES,
    PAGE,
    PRINTS,
    SHOTS,
    text,
    wanted,
)

PARTS = ("players", "boxes", "rounds", "tables", "prints", "end")
"""Of the organiser's page."""


@pytest.mark.parametrize("path", [page.address for page in PAGES])
def test_every_page_of_a_desk_is_drawn(path: str) -> None:
    found = [shot for shot in SHOTS if re.sub(r"#.*|/\d+$", "", shot.address) == path]
    assert found != [], f"add {path} to tests/browser/event_gallery.py"


@pytest.mark.parametrize("part", PARTS)
def test_every_part_of_the_organisers_page_is_drawn(part: str) -> None:
    assert any(shot.address == f"/desk#{part}" for shot in SHOTS)


def test_every_print_is_drawn() -> None:
    assert [one.name for one in PRINTS] == [*OF_A_ROUND, STANDINGS]


def test_no_two_pictures_have_one_name() -> None:
    assert [name for name, count in Counter(wanted()).items() if count > 1] == []


def test_what_is_drawn_is_there_and_nothing_else() -> None:
    assert {path.name for path in FOLDER.iterdir()} == set(wanted()), "draw them anew: make pictures"


def test_pictures_are_small() -> None:
    sizes = {path.name: path.stat().st_size for path in FOLDER.iterdir()}
    assert max(sizes.values()) <= LARGEST_BYTES
    assert sum(sizes.values()) <= MOST_BYTES


def test_the_page_shows_all_of_them_and_says_what_each_is() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert sorted(re.findall(r"!\[[^]]+\]\(event_pictures/([^)]+)\)", page)) == sorted(wanted())
    assert page == text()
