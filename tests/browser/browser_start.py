"""The first minutes: from the line that the box prints to the first ruling of one's own, in taps and seconds."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from companion.adapters.web.pages import PAGES
from tests.browser.browser_pages import faults_in_both
from tests.browser.desk import begin_match, open_desk, open_page, wait_state

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import BrowserContext, Page

    from tests.browser.box import Box

MOST_TAPS, MOST_SECONDS = 6, 60
SIZES = [(360, 640), (1280, 800)]
PLAY = "/play#seat={}" if any(page.address == "/play" for page in PAGES) else "/panel?seat={}"
"""Where a phone asks for a seat."""


class Hand:
    """Taps what a person would, and counts."""

    def __init__(self) -> None:
        self.taps = 0
        self._began_s = time.monotonic()

    def tap(self, page: Page, selector: str) -> None:
        page.locator(selector).first.tap()
        self.taps += 1

    def click_the_printed_line(self, context: BrowserContext, box: Box) -> Page:
        self.taps += 1
        return open_page(context, first_page(box))

    def seconds(self) -> float:
        return time.monotonic() - self._began_s


def first_page(box: Box) -> str:
    """The link that a person at a terminal is given; a pipe is told no PIN by a real box."""
    return f"{box.url}/#pin={box.pin}"


def test_from_the_first_line_to_the_first_own_ruling_takes_six_taps_and_a_minute_at_most(new_box, new_context):
    hand = Hand()
    box = new_box("--simulate")
    assert box.said[0].startswith("begin here: "), box.said
    page = hand.click_the_printed_line(new_context(has_touch=True), box)
    hand.tap(page, "#try:visible")
    for card in ("buffalo", "red hunter"):
        hand.tap(page, f'#try-cards [data-key="{card}"]')
    page.wait_for_function("() => document.querySelector('#try-good').textContent.includes('red hunter')")
    for button in ("red fourth", "yellow first"):
        hand.tap(page, f'[data-button="{button}"]:not(:disabled)')
        page.wait_for_selector(f'#try-ruling .place[data-colour="{button.split()[0]}"]')
    page.wait_for_function("() => document.querySelector('#try-ruling .status').textContent === 'Final'")
    seconds = hand.seconds()
    print(f"make run to the first own ruling: {hand.taps} taps, {seconds:.1f} s")
    places = page.eval_on_selector_all("#try-ruling .place", "all => all.map((one) => one.dataset.colour)")
    assert places == ["red", "yellow"]
    assert "No yellow chief is face up" in page.inner_text("#try-ruling")
    assert hand.taps <= MOST_TAPS
    assert seconds <= MOST_SECONDS


def test_the_link_opens_a_session_and_the_pin_goes_out_of_the_address(box, new_context):
    page = open_page(new_context(), first_page(box))
    page.wait_for_function("() => location.hash === ''")
    page.wait_for_selector("#try:visible")
    assert page.evaluate("fetch('/api/session').then((one) => one.json()).then((one) => one.referee)")
    page.click("text=Host")
    page.wait_for_selector("#host-match:visible")
    assert page.locator("#pin").count() == 0


def test_without_the_pin_the_first_page_is_whole_and_a_match_can_be_tried(box, new_context):
    page = open_page(new_context(), box.url)
    page.click("#try")
    page.wait_for_url("**/try")
    page.wait_for_selector("#try-cards .button")
    assert box.get("/api/state")["match"]["over"] is False


def test_the_first_page_says_how_the_box_stands_and_every_tile_leads_somewhere(box, new_context):
    context = new_context()
    page = open_page(context, box.url)
    page.wait_for_selector("#now >> text=Nobody sits here yet")
    for address in page.eval_on_selector_all("a.tile", "all => all.map((one) => one.getAttribute('href'))"):
        assert page.request.get(box.url + address).status == 200, address
    desk = open_desk(context, box)
    begin_match(desk, "red", "yellow", "blue")
    page.wait_for_selector("#now >> text=Red, yellow and blue play.")
    page.click("text=Watch")
    page.wait_for_url("**/table")


@pytest.mark.parametrize("seats", [("red",), ("red", "yellow", "blue")])
def test_the_table_says_who_sits_before_a_match(box, new_context, seats):
    context = new_context()
    table = open_page(context, f"{box.url}/table")
    table.wait_for_selector("text=Nobody sits here yet")
    panel = open_page(context, f"{box.url}/panel")
    for colour in seats:
        panel.wait_for_selector("body.is-ready")
        panel.locator(f'[data-button="{colour} first"]').click()
        wait_state(panel, "state.lobby.seats.includes(argument)", colour)
    table.wait_for_selector("#race-title:has-text('seat')")
    said = table.inner_text("#race").lower()
    assert all(colour in said for colour in seats)
    assert "nobody" not in said


def test_home_host_and_trial_have_nothing_for_axe_core_and_do_not_scroll_sideways(new_box, new_context):
    box = new_box("--simulate", "--lan")
    context = new_context(viewport={"width": SIZES[-1][0], "height": SIZES[-1][1]})
    found: list[str] = []

    def look(page: Page) -> None:
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            found.extend(f"{width}: {fault}" for fault in faults_in_both(page))
            if page.evaluate("document.documentElement.scrollWidth") > width:
                found.append(f"{page.url} is wider than {width}")
            small = page.eval_on_selector_all(
                "main button, main a.button, main a.tile, main select",
                """all => all.filter((one) => one.checkVisibility()).filter((one) => {
                    const box = one.getBoundingClientRect();
                    return box.height < 34;
                }).map((one) => one.outerHTML)""",
            )
            found.extend(f"{width}: small: {one}" for one in small)

    home = open_page(context, first_page(box))
    home.wait_for_selector("#try:visible")
    look(home)
    host = open_page(context, f"{box.url}/host")
    host.wait_for_selector(".seat-code >> nth=4")
    asking = open_page(new_context(), f"{box.url}/panel?seat=red")
    asking.wait_for_selector("body.is-ready")
    host.wait_for_selector("#grant-all")
    look(host)
    home.click("#try")
    home.wait_for_selector("#try-cards .button")
    look(home)
    assert found == []


def scan(new_context: Callable[..., BrowserContext], box: Box, seat: str) -> Page:
    """A phone opens what its camera reads on the host's page."""
    phone = open_page(new_context(has_touch=True, viewport={"width": 360, "height": 640}), box.url + PLAY.format(seat))
    wait_state(phone, "state.phones.some((one) => one.asks === argument && one.connected)", seat)
    return phone


def test_phones_alone_from_the_first_line_to_the_first_ruling(new_box, new_context):
    """Host and referee are one person here, with one page; scanning is counted apart, since it is done side by side."""
    hand = Hand()
    box = new_box("--phones", "--game", "order")
    host = hand.click_the_printed_line(new_context(has_touch=True), box)
    hand.tap(host, '.tile[href="/host"]')
    host.wait_for_selector(".seat-code >> nth=4")
    seats = ("red", "yellow")
    phones = {seat: scan(new_context, box, seat) for seat in seats}
    host.wait_for_selector("#grant-all >> text=2 phones")
    hand.tap(host, "#grant-all")
    hand.tap(host, "#begin:not(:disabled)")
    wait_state(host, "state.match && state.seats.length === 2")
    for phone in phones.values():
        phone.wait_for_selector("body.is-ready")
    for seat, phone in phones.items():  # nobody is told of a press before the race is closed: a phone plays
        hand.tap(phone, f'[data-button="{seat} first"]')
    state = wait_state(host, "state.race?.status === 'final'")
    seconds = hand.seconds()
    print(f"phones alone, to the first own ruling: {hand.taps} taps and two codes scanned, {seconds:.1f} s")
    assert [row["colour"] for row in state["race"]["rows"]] == list(seats)
    assert hand.taps <= MOST_TAPS
    assert seconds <= MOST_SECONDS


def test_the_host_sees_who_asks_who_plays_and_a_seat_of_a_phone_is_a_seat_of_the_match(new_box, new_context):
    box = new_box("--phones")
    host = open_page(new_context(), f"{box.url}/host#pin={box.pin}")
    host.wait_for_selector(".seat-code >> nth=4")
    assert host.inner_text("#host-codes").count("free") == 5
    picture = host.locator('.seat-code[data-colour="blue"] img')
    host.wait_for_function("() => document.querySelector('.seat-code img').naturalWidth > 0")
    assert picture.get_attribute("src") == "/api/seats/blue.svg"
    for seat in ("blue", "green"):
        scan(new_context, box, seat)
    host.wait_for_selector('.seat-code[data-colour="blue"] >> text=asks')
    host.click("#grant-all")
    host.wait_for_selector('.seat-code[data-colour="blue"] >> text=plays')
    host.wait_for_selector("#grant-all", state="detached")
    assert host.eval_on_selector_all(".seating > li", "all => all.map((one) => one.dataset.colour)") == [
        "green",
        "blue",
    ]
    host.click("#begin")
    host.wait_for_selector("#host-now >> text=Green and blue play.")
    assert not host.is_visible("#host-match")
    host.click("#host-end")
    host.click("dialog .is-main")
    host.wait_for_selector("#host-now >> text=is over")
    host.wait_for_selector("#begin:visible")


def test_the_host_s_page_asks_for_the_pin_where_nobody_gave_it_and_shows_no_more_than_everybody_may_see(
    new_box, new_context
):
    box = new_box("--phones")
    host = open_page(new_context(), f"{box.url}/host")
    host.wait_for_selector("#pin")
    host.wait_for_selector(".seat-code >> nth=4")
    assert not host.is_visible("#host-match")
    assert not host.is_visible("#host-phones-part")
    host.fill("#pin", box.pin)
    host.keyboard.press("Enter")
    host.wait_for_selector("#host-match:visible")
    assert host.locator("#pin").count() == 0


def test_a_box_that_only_this_machine_reaches_says_how_phones_come_in(box, new_context):
    host = open_page(new_context(), f"{box.url}/host")
    host.wait_for_selector("#host-codes >> text=companion run --phones")
    assert host.locator(".seat-code").count() == 0


def test_the_referee_s_desk_lets_all_phones_play_by_one_tap_too(new_box, new_context):
    box = new_box("--phones")
    desk = open_desk(new_context(), box)
    for seat in ("red", "purple"):
        scan(new_context, box, seat)
    desk.wait_for_selector("#grant-all >> text=2 phones")
    desk.click("#grant-all")
    state = wait_state(desk, "state.phones.filter((one) => one.seat === one.asks).length === 2")
    assert sorted(phone["seat"] for phone in state["phones"]) == ["purple", "red"]
