"""The clocks of a game on every page: they count on by themselves, all alike, and nobody is talked at every second."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.desk import open_desk, open_page, open_panel, press, wait_state
from tests.browser.players import PHONE, REAL, Host, open_phone

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.box import Box

PLACES = {"table": "#race .clocks", "hall": "#stage .clocks", "overlay": ".clocks", "referee": "#race-plate .clocks"}


def clock_box(new_box: Any, *arguments: str, **settings: Any) -> Box:
    box: Box = new_box(*arguments, path=os.environ.get("PYTHONPATH", ""), **settings)
    return box


def tenths(text: str) -> int:
    """Read "1:02:03" or "0:04.2" as tenths of a second."""
    whole, _, tenth = text.replace("−", "-").partition(".")
    seconds = 0
    for part in whole.split(":"):
        seconds = seconds * 60 + int(part)
    return seconds * 10 + int(tenth or 0)


def shown(page: Page, within: str) -> dict[str, int]:
    found = page.eval_on_selector_all(
        f"{within} li", "all => all.map((one) => [one.dataset.colour, one.querySelector('.digits').textContent])"
    )
    return {colour: tenths(text) for colour, text in found}


LISTEN = """() => {
  window.heard = [];
  const region = document.getElementById("spoken");
  if (region) new MutationObserver(() => window.heard.push(region.textContent)).observe(region, { childList: true });
}"""


def listen_to(page: Page, sentence: str) -> None:
    """Wait until a page's live region, if it has one, has said this; from then on, `heard_on` tells what it says."""
    page.wait_for_function(
        "sentence => document.getElementById('spoken')?.textContent.includes(sentence) ?? true", arg=sentence
    )
    page.evaluate(LISTEN)


def heard_on(page: Page) -> list[str]:
    """Give what a page's live region has said, but for faults: a busy machine may be slow to keep a press."""
    return [text for text in page.evaluate("window.heard") if not text.startswith("Fault: ")]


def test_every_page_counts_the_clock_that_runs_and_speaks_of_none(new_box, new_context):
    box = clock_box(new_box, "--simulate")
    context = new_context()
    Host(box).begin("red", "yellow", "blue", game="clock", parameters={"main": "60"})
    pages = {name: open_desk(context, box) if name == "referee" else open_page(context, f"{box.url}/{name}")
             for name in PLACES}  # fmt: skip
    panel = open_panel(context, box.url)
    press(panel, "red first")
    press(panel, "red second")
    for name, page in pages.items():
        page.bring_to_front()
        page.wait_for_selector(f'{PLACES[name]} [data-colour="yellow"].is-running')
        listen_to(page, "Yellow has the turn.")
        before = shown(page, PLACES[name])
        page.wait_for_timeout(1500)
        after = shown(page, PLACES[name])
        truth = {one["seat"]: one["left_ms"] // 100 for one in box.get("/api/state")["clocks"]}
        assert abs(after["yellow"] - truth["yellow"]) <= 15, f"{name} is not what the box says"
        assert after["yellow"] < before["yellow"]
        assert (after["red"], after["blue"]) == (before["red"], 600)
        assert page.get_attribute(f'{PLACES[name]} [data-colour="yellow"] .digits', "role") == "timer"
        assert heard_on(page) == []


def test_a_phone_shows_its_own_clock_largest_and_one_tap_ends_the_turn(new_box, new_context):
    box = clock_box(new_box, config=REAL)
    host = Host(box)
    phones = {}
    for colour in ("red", "yellow"):
        phones[colour] = open_phone(new_context(**PHONE), box.url, colour)
        host.let_in(phones[colour], colour)
    host.begin("red", "yellow", game="clock", parameters={"main": "300", "extra": "5"})
    red = phones["red"]
    red.tap('[data-button="red second"]')
    red.wait_for_selector(".clocks .is-own.is-running")
    sizes = red.eval_on_selector_all(".clocks .digits", "all => all.map((one) => one.getBoundingClientRect().height)")
    assert max(sizes) == sizes[0] >= 2 * min(sizes)
    assert red.evaluate("document.documentElement.scrollHeight <= innerHeight"), "nothing to scroll"
    red.wait_for_selector(".pads .says >> text=end turn")
    red.wait_for_timeout(300)
    red.tap('[data-button="red first"]')
    phones["yellow"].wait_for_selector(".clocks .is-own.is-running")
    lines = [json.loads(line) for line in box.record(1).splitlines()]
    start, done = (line for line in lines if line["type"] in {"start", "done"})
    assert start["t_ns"] < done["t_ns"]
    if "error_ns" in done:
        assert done["error_ns"] > 0
    else:  # a busy page's press counts from its arrival, and the player is told
        red.wait_for_selector("#note >> text=from its arrival")
    (turn,) = (ruling for ruling in box.replay(1) if ruling["type"] == "turn")
    assert turn["spent_ns"] == done["t_ns"] - start["t_ns"]
    assert turn["left_ns"] == 310_000_000_000 - turn["spent_ns"]


WITHIN = """() => [...document.querySelectorAll(".clocks .is-own, .clocks .is-own .digits, .pads .pad, .pads .says")]
  .filter((one) => one.textContent.trim()).map((one) => {
    const { left, top, right, bottom, width, height } = one.getBoundingClientRect();
    const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    const within = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
    const seen = there !== null && (one.contains(there) || there.contains(one));
    const whole = !one.classList.contains("pad") || one.scrollHeight <= one.clientHeight + 1;
    return { what: one.className, width, height, fits: within && seen && whole };
  })"""
BROKEN = """() => [...document.querySelectorAll(".pads .says")].filter((one) => {
    one.style.overflowWrap = "normal";
    const isBroken = one.scrollWidth > one.clientWidth + 1;
    one.style.overflowWrap = "";
    return isBroken;
  }).map((one) => one.textContent)"""
SCREENS = [(360, 560), (360, 640), (320, 568), (390, 844), (844, 390)]


@pytest.mark.parametrize("seats", [("red", "yellow"), ("red", "yellow", "green", "blue", "purple")])
def test_the_own_clock_and_four_pads_are_on_every_screen_of_a_phone(new_box, new_context, seats):
    box = clock_box(new_box, config=REAL)
    host = Host(box)
    phone = open_phone(new_context(**PHONE), box.url, "red")
    host.let_in(phone, "red")
    others = [open_phone(new_context(**PHONE), box.url, colour) for colour in seats[1:]]
    for other, colour in zip(others, seats[1:], strict=True):
        host.let_in(other, colour)
    host.begin(*seats, game="clock", parameters={"main": "300", "extra": "5"})
    pictures = os.environ.get("CLOCK_PICTURES")
    for state in ("before", "running"):
        if state == "running":
            phone.tap('[data-button="red second"]')
            phone.wait_for_selector(".clocks .is-own.is-running")
        for width, height in SCREENS:
            phone.set_viewport_size({"width": width, "height": height})
            phone.wait_for_timeout(200)
            if pictures:
                phone.screenshot(path=f"{pictures}/{state}-{len(seats)}-{width}x{height}.png")
            found = phone.evaluate(WITHIN)
            pads = [one for one in found if one["what"].startswith("pad")]
            assert len(pads) == 4, f"{width}x{height}"
            assert phone.evaluate(BROKEN) == [], f"{width}x{height}, {state}: a word is broken"
            cut = "all => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)"
            assert phone.eval_on_selector_all(".clocks .name", cut) == [], f"{width}x{height}: a name is cut off"
            assert [one for one in found if not one["fits"]] == [], f"{width}x{height}, {state}"
            assert min(min(pad["width"], pad["height"]) for pad in pads) >= 44, f"{width}x{height}, {state}"
            assert phone.evaluate("document.documentElement.scrollHeight <= innerHeight"), f"{width}x{height}: scrolls"
            left = "innerHeight - document.querySelector('.pads').getBoundingClientRect().bottom"
            assert phone.evaluate(left) <= (16 if width > height else 80), f"{width}x{height}: room is left unused"


def test_a_delay_that_is_left_stands_beside_each_clock_that_stands_too(new_box, new_context):
    box = clock_box(new_box, "--simulate")
    Host(box).begin("red", "yellow", game="clock", parameters={"main": "60", "mode": "delay", "extra": "30"})
    context = new_context()
    table, panel = open_page(context, f"{box.url}/table"), open_panel(context, box.url)
    press(panel, "red first")
    panel.wait_for_timeout(1500)
    press(panel, "red fourth")
    table.wait_for_selector('[data-colour="yellow"] .held >> text=+30 s')
    table.wait_for_function(  # what it has stood still for is not there any more
        """() => {
            const told = document.querySelector('[data-colour="red"] .held').textContent;
            const left = Number(told.replace(/[^0-9]/g, ""));
            return 1 <= left && left < 30;
        }"""
    )
    seconds = table.inner_text('[data-colour="red"] .held')
    table.wait_for_timeout(1200)
    assert table.inner_text('[data-colour="red"] .held') == seconds, "it counts on, and the clocks stand"


def test_a_time_that_runs_out_is_marked_and_said_once(new_box, new_context):
    box = clock_box(new_box, "--simulate")
    context = new_context()
    Host(box).begin("red", "yellow", game="clock", parameters={"main": "10"})
    table = open_page(context, f"{box.url}/table")
    table.evaluate(
        """() => { window.heard = []; const region = document.querySelector("#spoken");
        new MutationObserver(() => window.heard.push(region.textContent)).observe(region, { childList: true }); }"""
    )
    panel = open_panel(context, box.url)
    press(panel, "red first")
    table.bring_to_front()
    table.wait_for_selector('[data-colour="red"] .flag >> text=⚑ 1')
    wait_state(table, "state.game_phase === 'time is over'")
    assert shown(table, PLACES["table"]) == {"red": 0, "yellow": 100}
    table.wait_for_timeout(500)
    (told,) = [text for text in table.evaluate("window.heard") if "time is over" in text]
    assert told.startswith("Red: time is over.")
    (fall,) = (json.loads(line) for line in box.record(1).splitlines() if b'"fall"' in line)
    assert fall["t_ns"] > 0
