"""A seat on one switch, by its phone: the whole screen is the switch, and what is offered is for that phone alone."""

from __future__ import annotations

import json
from contextlib import suppress
from urllib.error import HTTPError

import pytest

from tests.browser.players import PHONE, REAL, Host, code_of, open_phone, seated, tap

SCANS = (
    REAL
    + """
[seats.red]
input = "scan"
scan_dwell_s = 2.0
scan_loops = 2
"""
)
STEPS = SCANS + 'scan_way = "step"\n'
HELD = SCANS.replace("2.0", "1.0").replace("loops = 2", "loops = 20") + 'scan_way = "inverse"\n'
CARDS = ("red hunter", "buffalo", "teepee")
FELT = "navigator.vibrate = (pattern) => { (window.felt ??= []).push(pattern); return true; }"


def with_switch(host, box, context):
    """Open the phone of red, which scans."""
    phone = open_phone(context, box.url, "red")
    host.post(f"/api/phones/{code_of(phone)}", {"seat": "red"})
    phone.wait_for_selector("body.is-ready .switch")
    return phone


def offered(page, says: str) -> None:
    """Wait until that is offered on a phone."""
    page.wait_for_function("says => document.querySelector('#offered')?.textContent.includes(says)", arg=says)


def judged(page, box) -> None:
    """Wait until the record says that a race is judged."""
    for _ in range(200):
        with suppress(HTTPError):  # while the race runs nobody is given its record
            if b'"type":"judge"' in box.record(1):
                return
        page.wait_for_timeout(100)
    raise AssertionError("no race was judged")


def press_switch(page) -> None:
    """Tap where no word stands."""
    box = page.locator(".switch").last.bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] - 30)


def press_key(page, key: str) -> None:
    """Press as a finger does: what comes sooner after the last letting-go is a contact that bounces."""
    page.wait_for_timeout(100)
    page.keyboard.press(key, delay=60)


def duel(new_box, new_context, config: str):
    box = new_box("--game", "apache", config=config)
    host = Host(box)
    red = with_switch(host, box, new_context(**PHONE))
    red.evaluate(FELT)
    yellow = seated(host, new_context(**PHONE), box.url, "yellow")
    host.begin("red", "yellow")
    red.wait_for_function("() => document.querySelector('.headline').textContent !== 'You have a seat'")
    host.reveal(*CARDS)
    return host, red, yellow


def presses_of(box) -> list[tuple[str, str]]:
    lines = [json.loads(line) for line in box.record(1).splitlines()]
    return [(line["colour"], line["role"]) for line in lines if line["type"] == "press"]


def test_a_match_by_touch_the_first_press_is_the_time_and_nobody_else_is_told_what_is_offered(new_box, new_context):
    host, red, yellow = duel(new_box, new_context, SCANS)
    box = red.locator(".switch").bounding_box()
    size = red.viewport_size
    assert box["width"] * box["height"] > 0.95 * size["width"] * size["height"]
    press_switch(red)
    red.wait_for_selector("#offered")
    tap(yellow, "yellow hunter")
    assert yellow.locator("#offered").count() == 0
    assert "Your card" not in json.dumps(host.box.get("/api/state"))
    offered(red, "Hunter")
    felt = red.evaluate("window.felt")
    assert [one for one in felt if one == [100, 120] * 4], felt
    press_switch(red)
    judged(red, host.box)
    assert sorted(presses_of(host.box)) == [("red", "hunter"), ("yellow", "hunter")]
    red.wait_for_selector("#offered")  # red may choose: the buffalo or the teepee
    offered(red, "eepee")
    press_switch(red)
    red.wait_for_function("() => !document.querySelector('#offered')")


def test_by_keys_as_a_switch_at_bluetooth_sends_them(new_box, new_context):
    host, red, _yellow = duel(new_box, new_context, STEPS)
    press_key(red, "Enter")
    red.wait_for_selector("#offered")
    press_key(red, "Space")
    offered(red, "Warrior")
    press_key(red, "Space")
    offered(red, "Maiden")
    press_key(red, "Space")
    offered(red, "Hunter")
    press_key(red, "Enter")
    judged(red, host.box)
    assert presses_of(host.box) == [("red", "hunter")]


def finger(page, moves: str) -> None:
    page.dispatch_event(".switch", moves, {"pointerId": 7, "pointerType": "touch", "button": 0, "bubbles": True})


@pytest.mark.parametrize(
    ("down", "taken_away", "up"),
    [
        (lambda page: page.keyboard.down("Enter"), lambda page: page.evaluate("dispatchEvent(new Event('blur'))"),
         lambda page: page.keyboard.up("Enter")),
        (lambda page: finger(page, "pointerdown"), lambda page: finger(page, "pointercancel"),
         lambda page: finger(page, "pointerup")),
        (lambda page: finger(page, "pointerdown"), lambda page: finger(page, "lostpointercapture"),
         lambda page: finger(page, "pointerup")),
    ],
    ids=["the page is left", "the finger is taken", "the capture is lost"],
)  # fmt: skip
def test_held_what_the_browser_takes_away_picks_nothing_and_a_hand_that_lets_go_does(
    new_box, new_context, down, taken_away, up
):
    host, red, _yellow = duel(new_box, new_context, HELD)
    press_key(red, "Enter")
    offered(red, "Chief")
    red.wait_for_timeout(100)
    down(red)
    offered(red, "Warrior")
    red.wait_for_timeout(100)
    taken_away(red)
    up(red)
    offered(red, "Maiden")  # it goes on
    down(red)
    offered(red, "Hunter")
    red.wait_for_timeout(100)
    up(red)
    judged(red, host.box)
    assert presses_of(host.box) == [("red", "hunter")]


def test_a_phone_that_loses_its_connection_in_mid_scan_comes_back_to_what_is_offered(new_box, new_context):
    host, red, _yellow = duel(new_box, new_context, SCANS)
    press_switch(red)
    red.wait_for_selector("#offered")
    red.context.set_offline(True)
    red.evaluate("() => window.dispatchEvent(new Event('offline'))")
    red.wait_for_timeout(500)
    red.context.set_offline(False)
    judged(red, host.box)  # what was offered last is played: nobody waits for ever
    assert [colour for colour, _ in presses_of(host.box)] == ["red"]


def test_the_switch_and_the_menu_fit_on_every_screen(new_box, new_context):
    box = new_box("--game", "apache", config=SCANS)
    host = Host(box)
    red = with_switch(host, box, new_context(**PHONE))
    seated(host, new_context(**PHONE), box.url, "yellow")
    host.begin("red", "yellow")
    red.wait_for_function("() => document.querySelector('.headline').textContent !== 'You have a seat'")
    press_switch(red)
    red.wait_for_selector("#offered")
    for width, height in ((360, 560), (320, 480), (640, 360), (1280, 800)):
        red.set_viewport_size({"width": width, "height": height})
        found = red.evaluate("""() => {
            const { scrollHeight, scrollWidth } = document.documentElement;
            const out = [];
            if (scrollHeight > innerHeight || scrollWidth > innerWidth)
                out.push(`scrolls: ${scrollWidth}x${scrollHeight}`);
            for (const one of document.querySelectorAll(".switch, .menu-opener, #offered, .line")) {
                const { left, top, right, bottom } = one.getBoundingClientRect();
                if (left < 0 || top < 0 || right > innerWidth + 0.5 || bottom > innerHeight + 0.5)
                    out.push(one.className);
            }
            return out;
        }""")
        assert found == [], (width, height)
    red.tap("#menu-opener")
    red.wait_for_selector("#menu[open] #speak-cues", state="attached")
