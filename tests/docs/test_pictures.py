"""The pictures of the pages are there: of each page, in each state, size and scheme; small, and shown."""

from __future__ import annotations

import re

import pytest

from companion.adapters.web.pages import PAGES, Page
from tests.browser.gallery import (
    FOLDER,
    LARGEST_BYTES,
    MOST_BYTES,
    PAGE,
    SCENES,
    SIZES,
    Scene,
    Shot,
    drawn,
    file_name,
    text,
)
from tests.browser.sizes import SCHEMES

WANTED = [file_name(scene, shot, width, scheme) for scene, shot in drawn() for width, _ in SIZES for scheme in SCHEMES]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_page_is_drawn(page: Page) -> None:
    assert any(shot.page == page.name for _, shot in drawn()), f"add {page.name} to tests/browser/gallery.py"


def test_no_two_pictures_have_one_name() -> None:
    everything = [(scene.name, shot.page) for scene in SCENES for shot in scene.shots]
    assert len(set(everything)) == len(everything)


def test_what_is_drawn_is_there_and_nothing_else() -> None:
    there = {path.name for path in FOLDER.iterdir()}
    assert there == set(WANTED), "draw them anew: make pictures"


def test_pictures_are_small() -> None:
    sizes = {path.name: path.stat().st_size for path in FOLDER.iterdir()}
    assert max(sizes.values()) <= LARGEST_BYTES
    assert sum(sizes.values()) <= MOST_BYTES


def test_the_page_shows_all_of_them_and_says_what_each_is() -> None:
    shown = re.findall(r"!\[([^]]+)\]\(pictures/([^)]+)\)", PAGE.read_text(encoding="utf-8"))
    assert [name for _, name in shown if name not in WANTED] == []
    assert sorted(name for _, name in shown) == sorted(WANTED)
    assert PAGE.read_text(encoding="utf-8") == text()


def test_pages_that_do_not_exist_are_left_out() -> None:
    assert [shot.page for _, shot in drawn({"table"})] == ["table"] * sum(
        shot.page == "table" for scene in SCENES for shot in scene.shots
    )
    assert list(drawn(set())) == []
    assert file_name(Scene("over", lambda _: None, ()), Shot("hall", "x"), 360, "dark") == "hall-over-360-dark.webp"
