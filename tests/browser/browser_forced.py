"""Forced colours: what is marked by a ground or a shadow elsewhere keeps a mark that can be seen, in pixels."""

from __future__ import annotations

import io
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from tests.browser.desk import begin_match, open_desk, open_page, open_panel, press, reveal, wait_state
from tests.browser.sizes import in_both

if TYPE_CHECKING:
    from playwright.sync_api import Locator

ADDRESSES = ("/table", "/referee", "/panel", "/matches")


def picture(element: Locator) -> Image.Image:
    element.scroll_into_view_if_needed()
    return Image.open(io.BytesIO(element.screenshot(animations="disabled"))).convert("L")


def inked(image: Image.Image) -> float:
    """Give how much of a picture is not its ground, 0 to 1."""
    pixels = Counter(image.tobytes())
    return 1 - pixels.most_common(1)[0][1] / pixels.total()


def underlined(link: Locator) -> bool:
    """Tell whether the last line of pixels of a tab differs from the ground above its words."""
    image = picture(link)
    ground = image.getpixel((1, 1))
    last = [image.getpixel((x, image.height - 2)) for x in range(2, image.width - 2)]
    return sum(pixel != ground for pixel in last) > len(last) / 2


@pytest.fixture
def forced(new_context):
    return new_context(forced_colors="active", viewport={"width": 1280, "height": 900})


def test_the_page_one_is_on_is_the_only_tab_with_a_line_below(box, new_context):
    context = new_context(forced_colors="active")
    for address in ADDRESSES:
        page = open_page(context, box.url + address)
        page.mouse.move(600, 600)
        for scheme in in_both(page):
            tabs = [(tab.get_attribute("href"), underlined(tab)) for tab in page.locator("nav a").all()]
            assert [href for href, is_marked in tabs if is_marked] == [address], scheme


def test_a_race_keeps_its_lanes_and_its_window(box, forced):
    desk, panel = open_desk(forced, box), open_panel(forced, box.url)
    table = open_page(forced, f"{box.url}/table")
    begin_match(desk, "red", "yellow", "blue", window_s=100)
    for card in ("buffalo", "red hunter"):
        reveal(desk, box, card)
    press(panel, "red hunter")
    press(panel, "yellow chief")
    table.wait_for_selector(".place >> nth=1")
    for page in (table, desk):
        lane = picture(page.locator(".place >> nth=1 >> .lane"))
        above = lane.height - 3  # the line of the lane itself is below
        before, after = lane.crop((0, 0, lane.width // 2, above)), lane.crop((lane.width // 2, 0, lane.width, above))
        assert inked(before) == 0, "nothing is drawn before the press"
        assert inked(after) > 0, "the press is"
        bar, around = picture(page.locator(".window-bar")), picture(page.locator(".window"))
        assert bar.getpixel((4, bar.height // 2)) != around.getpixel((0, 0)), "what is left of the time is"


def test_the_current_option_keeps_its_mark(box, forced):
    desk, panel = open_desk(forced, box), open_panel(forced, box.url)
    begin_match(desk, "red", "yellow", variants=("wedding",))
    for card in ("buffalo", "teepee", "green maiden", "red hunter"):
        reveal(desk, box, card)
    press(panel, "red hunter")
    press(panel, "yellow chief")
    wait_state(desk, "state.phase === 'choosing'")
    options = panel.locator("#choice li")
    options.first.wait_for()
    edges = [mark_at_the_edge(one) for one in options.all()]
    assert edges == [True, False, False]


def mark_at_the_edge(option: Locator) -> bool:
    image = picture(option)
    column = [image.getpixel((1, y)) for y in range(2, image.height - 2)]
    return sum(pixel != image.getpixel((image.width // 2, 1)) for pixel in column) > len(column) / 2


def test_a_button_keeps_its_player_s_colour_and_shows_that_it_is_held(box, forced):
    panel = open_panel(forced, box.url)
    style = "(selector) => getComputedStyle(document.querySelector(selector))"
    caps = [f'[data-button="{colour} first"] .cap' for colour in ("red", "yellow", "green", "blue", "purple")]
    assert len({panel.evaluate(f"({style})({cap!r}).backgroundColor") for cap in caps}) == len(caps)
    panel.locator(caps[0]).hover()
    panel.mouse.down()
    panel.wait_for_selector('[data-button="red first"].is-down')
    ring, ground = (
        panel.evaluate(f"({style})({selector!r}).{what}")
        for selector, what in ((".is-down .cap", "outlineColor"), ("html", "backgroundColor"))
    )
    panel.mouse.up()
    assert ring != ground
