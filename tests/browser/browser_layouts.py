"""Pages at every width and with large letters: targets for a finger, nothing cut off, nothing beyond the edge."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.conftest import CHROMIUM
from tests.browser.desk import begin_match, frame_of, open_desk, open_page, open_panel, press, reveal, wait_state
from tests.browser.sizes import at_each

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, BrowserContext, Page

    from tests.browser.box import Box

TARGET_PX = 44
WIDTHS, HEIGHT = (320, 360, 768, 1280), 640
MORE_TABS = """(names) => {
    const list = document.querySelector("nav ul");
    for (const name of names.slice(0, Math.max(0, 8 - list.children.length))) {
        const tab = list.lastElementChild.cloneNode(true);
        tab.firstElementChild.textContent = name;
        tab.firstElementChild.removeAttribute("aria-current");
        list.append(tab);
    }
    return list.children.length;
}"""
# A word that explains itself has a larger place to be touched than its letters take (`browser_help`).
PRESSED = "nav a, a.button, a.match, .brand, button:not(.term), select, input, summary, .back a, .finish"
SMALL = """([pressed, least]) => [...document.querySelectorAll(pressed)]
    .filter((one) => one.checkVisibility() && !one.matches(".unseen *"))
    .map((one) => [one, (one.closest("label.tick") ?? one).getBoundingClientRect()])
    .filter(([, box]) => box.width < least - 0.5 || box.height < least - 0.5)
    .map(([one, box]) => `${Math.round(box.width)}x${Math.round(box.height)} ${one.outerHTML.slice(0, 120)}`)"""
BEYOND = """() => [...document.querySelectorAll("body *")].filter((one) => one.checkVisibility()).filter((one) => {
    if (one.closest(".unseen, .skip, svg, .oled")) return false;
    const style = getComputedStyle(one);
    const cut = style.overflowX === "hidden" && one.scrollWidth > one.clientWidth + 1;
    const scrolls = one.closest(".plot-frame, .strip") !== null;
    return cut || (!scrolls && one.getBoundingClientRect().right > innerWidth + 1);
}).map((one) => one.outerHTML.slice(0, 120))"""


def choosing(desk: Page, panel: Page, box: Box) -> None:
    """A race with a claim, a choice that is open, a punishment."""
    begin_match(desk, "red", "yellow", "blue", variants=("wedding",), window_s=60)
    for card in ("buffalo", "teepee", "green maiden", "red hunter"):
        reveal(desk, box, card)
    press(panel, "red hunter")
    press(panel, "yellow chief")
    desk.click("#act-close")
    wait_state(desk, "state.phase === 'choosing'")


def test_up_to_eight_tabs_are_each_large_enough_and_in_sight(still_box, new_context):
    page = open_page(new_context(), f"{still_box.url}/matches")
    assert page.evaluate(MORE_TABS, ["Play", "Host", "Hall", "People", "Help"]) >= 8
    for width in at_each(page, [320, 360, 768, 1280, 1920], HEIGHT):
        assert page.evaluate(SMALL, [PRESSED, TARGET_PX]) == [], width
        assert page.evaluate(BEYOND) == [], width
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        boxes = [frame_of(tab) for tab in page.locator("nav a").all()]
        assert all(one["x"] >= 0 and one["x"] + one["width"] <= width for one in boxes), width
        page.locator("nav a >> nth=7").focus()
        assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none", width


def test_whatever_is_pressed_is_large_enough_and_nothing_is_cut_off(box, new_context):
    context = new_context(viewport={"width": WIDTHS[-1], "height": HEIGHT})
    desk, panel = open_desk(context, box), open_panel(context, box.url)
    table, matches = open_page(context, f"{box.url}/table"), open_page(context, f"{box.url}/matches")
    table.wait_for_selector("#lamp.is-live")
    found = [text for page in (desk, panel, table, matches) for text in wrong(page)]
    choosing(desk, panel, box)
    table.wait_for_selector(".decision")
    found += [text for page in (desk, panel, table) for text in wrong(page)]
    desk.click("#replace-open")
    desk.select_option("#replace-line", index=1)
    found += wrong(desk)
    past = open_page(context, f"{box.url}/matches#1")
    past.wait_for_selector(".race-list")
    assert found + wrong(past) == []


def wrong(page: Page) -> list[str]:
    found = []
    for width in at_each(page, WIDTHS, HEIGHT):
        page.evaluate("Promise.all(document.getAnimations().map((animation) => animation.finished))")
        texts = [*page.evaluate(SMALL, [PRESSED, TARGET_PX]), *page.evaluate(BEYOND)]
        found += [f"{page.url}, {width}: {text}" for text in texts]
    return found


@pytest.fixture
def with_large_letters(browser: Browser) -> Iterator[Callable[..., BrowserContext]]:
    """Contexts of a browser whose owner has set letters twice as large."""
    own = browser.browser_type.launch(
        executable_path=CHROMIUM, args=["--headless", "--no-sandbox", "--blink-settings=defaultFontSize=32"]
    )
    yield own.new_context
    own.close()


def test_letters_are_as_large_as_the_reader_has_set_them_and_nothing_is_lost(box, with_large_letters):
    context = with_large_letters(viewport={"width": 1280, "height": 800})
    desk, panel = open_desk(context, box), open_panel(context, box.url)
    table = open_page(context, f"{box.url}/table")
    assert table.evaluate("parseFloat(getComputedStyle(document.body).fontSize)") >= 32
    choosing(desk, panel, box)
    table.wait_for_selector(".decision")
    past = open_page(context, f"{box.url}/matches#1")
    past.wait_for_selector(".race-list")
    for page in (desk, panel, table, past):
        for width in at_each(page, [768, 1280]):
            assert page.evaluate(BEYOND) == [], (page.url, width)
            assert page.evaluate("document.documentElement.scrollWidth") <= width, page.url
