"""The photo finish of a race on the page of a past match: reached by a link, readable by all, on a phone as well."""

from __future__ import annotations

import re
from itertools import takewhile

import pytest

from tests.browser.browser_pages import faults_in_both, play_a_race
from tests.browser.desk import open_desk, open_page, open_panel
from tests.browser.sizes import at_each


def evidence_is_named(box) -> bool:
    return b'"evidence"' in box.record(1)


@pytest.fixture
def played(box, new_context):
    """A box on which a race has been played whose evidence is stored."""
    context = new_context(viewport={"width": 1280, "height": 900})
    desk = open_desk(context, box)
    play_a_race(desk, open_panel(context, box.url), box)
    for _ in range(100):
        if evidence_is_named(box):
            return box
        desk.wait_for_timeout(100)
    pytest.fail("the evidence was never named")


def test_a_photo_finish_is_a_click_away_and_axe_core_finds_nothing(played, new_context):
    page = open_page(new_context(viewport={"width": 1280, "height": 900}), f"{played.url}/matches#1")
    page.click("text=Photo finish")
    page.wait_for_selector(".strip svg")
    assert page.inner_text("h1") == "Photo finish, race 1"
    assert page.evaluate("document.activeElement.tagName") == "H1"
    words = page.eval_on_selector_all(".strip text", "all => all.map((one) => one.textContent)")
    lane = list(takewhile(lambda text: "browser" not in text, words[words.index("RED hunter (browser)") + 1 :]))
    assert {"place 1", "edges lost"} & set(lane), "its lane tells the place, or why it is in doubt"
    first = re.compile(r"RED hunter .*: 0\.000 ms, .*: accepted, place 1, at 0\.000 ms ±")
    assert [text for text in words if first.match(text)], words
    assert faults_in_both(page) == []
    page.click("text=← Match 1")
    page.wait_for_selector(".race-list")


def test_a_photo_finish_is_laid_out_for_a_phone(played, new_context):
    context = new_context(viewport={"width": 320, "height": 700}, has_touch=True, is_mobile=True)
    page = open_page(context, f"{played.url}/matches#1/1")
    page.wait_for_selector(".strip svg")
    for width in at_each(page, [320, 390], 700):
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        smallest = page.eval_on_selector_all(
            ".strip text", "all => Math.min(...all.map((o) => o.getBoundingClientRect().height))"
        )
        assert smallest >= 10, width


def test_a_race_that_is_not_there_is_said(played, new_context):
    page = open_page(new_context(), f"{played.url}/matches#1/9")
    page.wait_for_selector(".problem")
    assert "no pow-wow 9" in page.inner_text(".problem")
    assert [problem for problem in page.problems if "404" not in problem] == []
    page.problems.clear()
