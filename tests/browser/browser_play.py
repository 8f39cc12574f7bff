"""The player's page: a phone is a panel. Four buttons that fit, one line for whoever holds it, and every fault told."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from companion.adapters.web.pages import PAGES
from companion.core.signals.signs import Sign
from tests.adapters.web.page_signs import trembling
from tests.adapters.web.talk import Talk
from tests.browser.browser_pages import faults_in_both
from tests.browser.desk import open_page, wait_state
from tests.browser.players import (
    PHONE,
    REAL,
    Host,
    code_of,
    line_says,
    open_phone,
    pads_say,
    seated,
    tap,
    wait_line,
)
from tests.browser.proxy import Proxy

CARDS = ("red hunter", "buffalo", "teepee")
SIZES = [(320, 480), (360, 560), (360, 640), (640, 360), (390, 844), (1280, 800)]


@pytest.fixture
def real(new_box):
    """A box without buttons of its own."""
    return new_box("--game", "apache", config=REAL)


def duel(real, new_context, **match):
    """Two phones in a match of two: the host, red's phone, yellow's phone."""
    host = Host(real)
    red, yellow = (seated(host, new_context(**PHONE), real.url, colour) for colour in ("red", "yellow"))
    host.begin("red", "yellow", **match)
    wait_line(red, "Your turn")
    return host, red, yellow


# -- it fits -----------------------------------------------------------------------------------------------------------

FITS = """() => {
    const out = [];
    const { scrollHeight, scrollWidth } = document.documentElement;
    if (scrollHeight > innerHeight || scrollWidth > innerWidth) out.push(`scrolls: ${scrollWidth}x${scrollHeight}`);
    for (const one of document.querySelectorAll("button:not(dialog *, [hidden]), .line, .note")) {
        const { left, top, right, bottom, width, height } = one.getBoundingClientRect();
        const name = one.id || one.textContent;
        if (left < 0 || top < 0 || right > innerWidth + 0.5 || bottom > innerHeight + 0.5) out.push(`outside: ${name}`);
        if (one.matches("button") && (width < 44 || height < 44)) out.push(`small: ${name}`);
    }
    for (const one of document.querySelectorAll(".line, .pads, .pad, .foot")) {
        if (one.scrollHeight > one.clientHeight + 1) out.push(`cut off: ${one.className} ${one.innerText}`);
    }
    return out;
}"""


@pytest.mark.parametrize("loaded", [SIZES[0], SIZES[-1]], ids=["small", "large"])
def test_all_fits_with_nothing_to_scroll_in_every_state(real, new_context, loaded):
    """Loaded at the smallest size and at the largest one, and looked at in all."""
    host = Host(real)
    place = {**PHONE, "viewport": {"width": loaded[0], "height": loaded[1]}}
    found = {}

    def look(page: Any, state: str) -> None:
        for width, height in (*SIZES, loaded):
            page.set_viewport_size({"width": width, "height": height})
            found[state, width, height] = page.evaluate(FITS)

    red = open_page(new_context(**place), f"{real.url}/play")
    red.wait_for_selector(".colour")
    look(red, "colours")
    red.tap('[data-key="ask red"]')
    wait_line(red, "asks for red")
    look(red, "asks")
    host.let_in(red, "red")
    look(red, "seat")
    yellow = seated(host, new_context(**PHONE), real.url, "yellow")
    host.begin("red", "yellow")
    wait_line(red, "Your turn")
    look(red, "turn")
    host.reveal(*CARDS)
    tap(red, "red hunter")
    wait_line(red, "Taken")
    look(red, "taken")
    tap(yellow, "yellow chief")
    wait_line(red, "Choose now")
    look(red, "choice")
    tap(red, "red chief")
    wait_line(red, "You take")
    look(red, "result")
    host.post("/api/end", {})
    wait_line(red, "You win")
    look(red, "end")
    wait_line(yellow, "Red wins. Accept the result, or protest.")
    look(yellow, "end for yellow")
    host.post("/api/protest", {"colour": "yellow"})
    wait_line(yellow, "answers a protest")
    look(yellow, "protest")
    assert {state: said for state, said in found.items() if said} == {}


def test_no_button_moves_from_one_state_to_another(real, new_context):
    host, red, yellow = duel(real, new_context)
    places = "() => [...document.querySelectorAll('.pad')].map((one) => JSON.stringify(one.getBoundingClientRect()))"
    before = red.evaluate(places)
    host.reveal(*CARDS)
    tap(red, "red hunter")
    tap(yellow, "yellow chief")
    wait_line(red, "Choose now")
    assert red.evaluate(places) == before
    tap(red, "red chief")
    wait_line(red, "You take")
    assert red.evaluate(places) == before


def test_axe_core_finds_nothing_in_any_state(real, new_context):
    host = Host(real)
    red = open_phone(new_context(**PHONE), real.url, "red")
    found = faults_in_both(red)
    host.let_in(red, "red")
    yellow = seated(host, new_context(**PHONE), real.url, "yellow")
    host.begin("red", "yellow")
    wait_line(red, "Your turn")
    found += faults_in_both(red)
    host.reveal(*CARDS)
    tap(red, "red hunter")
    tap(yellow, "yellow chief")
    wait_line(red, "Choose now")
    found += faults_in_both(red)
    wait_line(yellow, "Punished")
    found += faults_in_both(yellow)
    red.tap("#menu-opener")
    found += faults_in_both(red)
    assert found == []


# -- what is said ------------------------------------------------------------------------------------------------------


def test_a_seat_is_taken_by_a_tap_and_the_referee_s_consent(real, new_context):
    host = Host(real)
    phone = open_page(new_context(**PHONE), f"{real.url}/play")
    wait_line(phone, "Which colour do you play?")
    phone.tap('[data-key="ask green"]')
    said = wait_line(phone, "asks for green")
    assert code_of(phone) in said
    assert phone.url.endswith("#seat=green")
    assert phone.locator(".pad").count() == 0
    host.let_in(phone, "green")
    assert pads_say(phone) == ["sit down"] * 4
    tap(phone, "green first")
    wait_line(phone, "You have a seat")


def test_the_line_says_taken_only_of_a_press_that_counts(real, new_context):
    host, red, yellow = duel(real, new_context, window_ms=60_000)
    host.reveal(*CARDS)
    tap(red, "red hunter")
    wait_line(red, "Taken")
    assert pads_say(red) == ["nothing now"] * 3 + ["taken"]
    tap(red, "red chief")
    wait_line(red, "Already played")
    host.post("/api/close", {})
    tap(yellow, "yellow chief")
    wait_line(yellow, "Too late")
    wait_line(red, "Choose now")
    assert pads_say(red) == ["1 buffalo", "1 teepee", "nothing now", "nothing now"]
    tap(yellow, "yellow maiden")
    wait_line(yellow, "Not yours")
    assert pads_say(yellow) == ["nothing now"] * 4
    tap(red, "red warrior")
    wait_line(red, "You take red hunter, 1 teepee")
    assert red.inner_text("#pile") == "2 cards"


FINGER = """([button, type]) => document.querySelector(`[data-button="${button}"]`).dispatchEvent(
    new PointerEvent(type, { bubbles: true, cancelable: true, pointerId: 7, pointerType: "touch", isPrimary: true }))"""


def test_a_finger_that_lies_on_its_button_while_the_page_changes_is_lifted(real, new_context):
    """Else the box would take the button for one that is held, and refuse its next press."""
    host, red, _yellow = duel(real, new_context, window_ms=60_000)
    host.reveal(*CARDS)
    red.wait_for_selector("body.is-ready")
    red.evaluate(FINGER, ["red fourth", "pointerdown"])
    wait_line(red, "Taken")
    red.evaluate(FINGER, ["red fourth", "pointerup"])
    red.wait_for_selector(".pad.is-taken:not(.is-down)")
    tap(red, "red hunter")
    wait_line(red, "Already played")


def test_the_own_place_with_its_gap_and_why_one_is_punished(real, new_context):
    host, red, yellow = duel(real, new_context)
    host.reveal(*CARDS)
    tap(red, "red hunter")
    wait_line(red, "Taken")
    tap(yellow, "yellow chief")
    said = wait_line(yellow, "Punished: no yellow chief is face up.")
    assert re.search(r"2nd, \+\S+ \w+ ±\S+ [mµ]?s", said), said


def test_nothing_of_another_s_press_or_choice_is_on_my_phone(real, new_context):
    host, red, yellow = duel(real, new_context, window_ms=60_000)
    host.reveal(*CARDS)
    wait_state(yellow, "state.match.lines === argument", 4)
    before = yellow.inner_text("#play")
    tap(red, "red hunter")
    wait_line(red, "The order is shown when no more presses are taken.")
    assert yellow.inner_text("#play") == before
    assert yellow.evaluate("fetch('/api/state').then((answer) => answer.json()).then((state) => state.race)") is None
    host.post("/api/close", {})
    wait_line(red, "Choose now")
    wait_line(yellow, "Red chooses now")
    assert "RED takes" not in yellow.inner_text("body")
    assert "buffalo" not in yellow.inner_text("#play")


def test_what_four_buttons_cannot_name_is_tapped(real, new_context):
    host, red, _yellow = duel(real, new_context, variants=["wedding"], window_ms=60_000)
    host.reveal("red hunter", "buffalo", "teepee", "yellow maiden", "blue maiden")
    tap(red, "red hunter")
    wait_line(red, "Taken")
    host.post("/api/close", {})
    wait_line(red, "Choose now")
    if red.locator(".option").count() == 0:  # a group first, then which of it
        red.tap(f".pad:nth-child({pads_say(red).index(next(t for t in pads_say(red) if 'wedding' in t.lower())) + 1})")
        red.wait_for_selector(".option")
    assert [option.inner_text() for option in red.locator(".option").all()] == ["yellow maiden", "blue maiden", "back"]
    red.tap(".option >> text=blue maiden")
    wait_line(red, "You take")
    assert "blue maiden" in line_says(red)


def test_five_phones_play_a_match_from_the_seat_to_the_signed_result(new_box, new_context):
    box = new_box("--game", "order", config=REAL)
    host = Host(box)
    colours = ("red", "yellow", "green", "blue", "purple")
    phones = {colour: seated(host, new_context(**PHONE), box.url, colour) for colour in colours}
    for phone in phones.values():
        phone.tap(".pad >> nth=0")
        wait_line(phone, "You have a seat")
    host.begin(*colours, window_ms=20_000)
    for number in (1, 2):
        for colour in colours:
            wait_line(phones[colour], "Ready") if number == 1 else None
            tap(phones[colour], f"{colour} third")
            wait_line(phones[colour], "Taken") if colour != colours[-1] else None
        for place, colour in enumerate(colours, 1):
            wait_line(phones[colour], ("1st", "2nd", "3rd", "4th", "5th")[place - 1])
    assert [phone.inner_text("#pile") for phone in phones.values()] == ["2 wins", *["0 wins"] * 4]
    host.post("/api/end", {})
    for phone in phones.values():
        wait_line(phone, "Accept the result")
        phone.tap("#sign")
        wait_line(phone, "You accepted the result.")
    record = [json.loads(line) for line in box.record(1).splitlines()]
    assert [line["colour"] for line in record if line["type"] == "sign"] == list(colours)


def test_a_protest_is_made_on_the_phone(real, new_context):
    host, red, _yellow = duel(real, new_context)
    host.reveal(*CARDS)
    tap(red, "red chief")
    wait_line(red, "Punished")
    red.tap("#protest")
    red.fill("dialog[open] input[name=text]", "the card was covered")
    red.tap("dialog[open] .is-main")
    red.wait_for_selector("#note >> text=Red protests")
    state = wait_state(red, "state.protests.length === 1")
    assert "covered" in state["protests"][0]["says"]


def test_keys_and_a_screen_reader_do_all_of_it(real, new_context):
    host, red, _yellow = duel(real, new_context)
    red.wait_for_function("() => /Your turn/.test(document.querySelector('#spoken').textContent)")
    host.reveal(*CARDS)
    red.focus('.pad[data-button="red fourth"]')
    red.wait_for_selector("body.is-ready")
    red.keyboard.press("Space")
    red.wait_for_function("() => /Taken/.test(document.querySelector('#spoken').textContent)")
    assert red.evaluate("document.activeElement.dataset.button") == "red fourth"
    names = red.eval_on_selector_all(".pad", "all => all.map((one) => one.innerText.replaceAll('\\n', ' '))")
    assert names[-1].split() == ["✓", "taken", "hunter"]


def test_on_a_simulated_box_a_phone_plays_at_once(box, new_context):
    phone = open_page(new_context(**PHONE), f"{box.url}/play#seat=red")
    phone.wait_for_selector("body.is-ready .pad")
    tap(phone, "red first")
    wait_line(phone, "You have a seat")


# -- what a phone needs ------------------------------------------------------------------------------------------------


def test_the_menu_has_sound_trembling_full_screen_help_and_gives_the_seat_up(real, new_context):
    host, red, _yellow = duel(real, new_context)
    red.tap("#menu-opener")
    assert red.is_visible("#full-screen")
    assert red.get_attribute("#menu a", "href") == "/help"
    red.uncheck("#sound")
    red.uncheck("#tremble")
    assert red.evaluate("[localStorage['companion sound'], localStorage['companion vibration']]") == ["off", "off"]
    red.tap("#leave")
    wait_line(red, "Which colour do you play?")
    assert "seat=" not in red.url
    wait_state(red, "state.phones.every((phone) => phone.seat !== 'red')")
    assert host


TREMBLED = """() => {
    window.trembled = [];
    Navigator.prototype.vibrate = (pattern) => window.trembled.push(pattern);
}"""


def test_the_phone_trembles_in_the_rhythm_of_what_is_new_for_it_and_at_nobody_else_s(real, new_context):
    context = new_context(**PHONE)
    context.add_init_script(f"({TREMBLED})()")
    host = Host(real)
    red = seated(host, context, real.url, "red")
    yellow = seated(host, new_context(**PHONE), real.url, "yellow")
    host.begin("red", "yellow")
    host.reveal(*CARDS)
    tap(yellow, "yellow chief")
    wait_line(yellow, "Taken")
    before = red.evaluate("window.trembled")
    assert trembling(Sign.ACCEPTED) not in before, before
    tap(red, "red hunter")
    wait_line(red, "Choose now")
    felt = red.evaluate("window.trembled")[len(before) :]
    assert felt[0] == trembling(Sign.ACCEPTED), felt
    assert felt[-1] == trembling(Sign.YOURS), felt
    red.evaluate("localStorage['companion vibration'] = 'off'")
    tap(red, "red chief")
    wait_line(red, "You take")
    assert red.evaluate("window.trembled")[len(before) :] == felt


def test_what_is_heard_and_felt_stands_at_the_edge_for_a_moment_with_its_word(real, new_context):
    host, red, _yellow = duel(real, new_context)
    host.reveal(*CARDS)
    red.evaluate(
        """() => { window.marked = [];
        new MutationObserver(() => {
          const mark = document.querySelector("#edge-mark");
          if (mark && !mark.hidden) window.marked.push(mark.textContent);
        }).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true }); }"""
    )
    tap(red, "red hunter")
    red.wait_for_function("() => window.marked.some((text) => text.includes('Taken'))")
    assert red.get_attribute("#edge-mark", "aria-hidden") == "true"
    red.wait_for_selector("#edge-mark", state="hidden")
    red.tap("#menu-opener")
    red.uncheck("#marks")
    red.fill("#volume", "40")
    assert red.evaluate("[localStorage['companion signs'], localStorage['companion volume']]") == ["off", "40"]


LOCKED = """() => {
    window.locks = [];
    const request = (kind) => {
        const lock = { kind, released: false };
        window.locks.push(lock);
        return Promise.resolve(lock);
    };
    Object.defineProperty(Navigator.prototype, "wakeLock", { get: () => ({ request }), configurable: true });
}"""


def test_the_screen_stays_on_and_does_so_again_after_the_page_was_away(real, new_context):
    context = new_context(**PHONE)
    context.add_init_script(f"({LOCKED})()")
    phone = open_phone(context, real.url, "red")
    phone.wait_for_function("() => window.locks.length === 1")
    phone.evaluate("window.locks[0].released = true; document.dispatchEvent(new Event('visibilitychange'))")
    phone.wait_for_function("() => window.locks.length === 2")
    assert phone.evaluate("window.locks[1].kind") == "screen"


def test_without_tls_a_silent_video_keeps_the_screen_on(real, new_context):
    context = new_context(**PHONE)
    context.add_init_script("delete Navigator.prototype.wakeLock")
    phone = open_phone(context, real.url, "red")
    phone.tap(".headline")
    phone.wait_for_function("() => document.querySelector('video.awake')?.paused === false")
    assert phone.evaluate("(() => { const v = document.querySelector('video.awake'); return v.muted && v.loop; })()")


def test_every_page_leads_to_the_manifest_and_its_icons_are_there(real, new_context):
    page = open_page(new_context(), f"{real.url}/play")
    for address in [one.address for one in PAGES]:
        text = page.evaluate("(address) => fetch(address).then((answer) => answer.text())", address)
        assert '<link rel="manifest" href="/manifest.webmanifest">' in text, address
    manifest = page.evaluate(
        """async () => {
            const answer = await fetch("/manifest.webmanifest");
            const manifest = await answer.json();
            const icons = [];
            for (const { src, sizes } of manifest.icons) {
                const picture = new Image();
                picture.src = src;
                await picture.decode();
                icons.push([src, sizes, picture.naturalWidth, picture.naturalHeight]);
            }
            return { type: answer.headers.get("content-type"), start: manifest.start_url, icons };
        }"""
    )
    assert (manifest["type"], manifest["start"]) == ("application/manifest+json", "/play")
    sizes = {(sizes, width) for _src, sizes, width, _height in manifest["icons"]}
    assert {("192x192", 192), ("512x512", 512)} <= sizes


# -- faults, each told in one sentence ---------------------------------------------------------------------------------


def test_a_phone_that_slept_wakes_in_the_same_seat_with_its_clock_compared_again(real, new_context):
    host, red, _yellow = duel(real, new_context, window_ms=60_000)
    host.reveal(*CARDS)
    tools = red.context.new_cdp_session(red)
    tools.send("Page.setWebLifecycleState", {"state": "frozen"})
    wait_state(_yellow, "state.phones.length === 2")
    host.post("/api/remark", {"text": "red's phone sleeps"})
    tools.send("Page.setWebLifecycleState", {"state": "active"})
    red.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    red.wait_for_selector("body.is-ready .pads.red")
    tap(red, "red hunter")
    wait_line(red, "Taken")


def test_a_phone_whose_connection_was_cut_while_it_slept_says_so_and_comes_back(real, new_context):
    host = Host(real)
    proxy = Proxy(real.port)
    red = seated(host, new_context(**PHONE), proxy.url, "red")
    proxy.cut()
    said = wait_line(red, "Connection lost")
    assert "Keep this page open" in said
    proxy.mend()
    red.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    red.wait_for_selector("body.is-ready .pads.red")
    wait_line(red, "Sit down")
    red.problems.clear()
    proxy.close()


def test_a_page_loaded_again_in_a_race_has_its_seat_and_its_press(real, new_context):
    host, red, _yellow = duel(real, new_context, window_ms=60_000)
    host.reveal(*CARDS)
    tap(red, "red hunter")
    wait_line(red, "Taken")
    red.reload()
    wait_line(red, "Taken")
    assert pads_say(red) == ["nothing now"] * 3 + ["taken"]


def test_of_two_phones_for_one_seat_the_one_that_lost_it_is_told(real, new_context):
    host = Host(real)
    first = seated(host, new_context(**PHONE), real.url, "red")
    second = open_phone(new_context(**PHONE), real.url, "red")
    wait_line(second, "Another phone plays red: the referee may give it to you.")
    host.let_in(second, "red")
    said = wait_line(first, "Another phone plays red now: pick another colour, or ask the referee.")
    assert first.locator(".pad").count() == 0, said
    assert "seat=" not in first.url


def test_a_page_open_in_another_tab_says_so_and_is_taken_back_by_a_tap(real, new_context):
    host = Host(real)
    context = new_context(**PHONE)
    first = seated(host, context, real.url, "red")
    second = open_page(context, f"{real.url}/play#seat=red")
    second.wait_for_selector("body.is-ready .pads.red .pad")
    wait_line(first, "No buttons here")
    first.tap("#take-back")
    first.wait_for_selector("body.is-ready .pads.red .pad")
    wait_line(second, "No buttons here")


def test_a_phone_that_lies_about_its_clock_gains_nothing_and_is_told(real, new_context):
    host, red, _yellow = duel(real, new_context, window_ms=60_000)
    host.reveal(*CARDS)
    red.evaluate(
        """() => {
            const own = Object.getOwnPropertyDescriptor(Event.prototype, "timeStamp").get;
            Object.defineProperty(Event.prototype, "timeStamp", { get() { return own.call(this) - 700; } });
        }"""
    )
    tap(red, "red hunter")
    wait_line(red, "Taken")
    said = red.wait_for_selector("#note >> text=Counted from its arrival").inner_text()
    assert "load this page again" in said
    red.tap("#menu-opener")
    assert "before it came" in red.inner_text("#doubt")


def test_a_press_that_did_not_reach_the_box_in_time_says_what_to_do(real, new_context):
    host = Host(real)
    proxy = Proxy(real.port)
    red = seated(host, new_context(**PHONE), proxy.url, "red")
    proxy.cut()
    wait_line(red, "Connection lost")
    red.tap('.pad[data-button="red first"]')
    made = red.evaluate("performance.now()")
    red.wait_for_function("(made) => performance.now() > made + 2100", arg=made)
    proxy.mend()
    wait_line(red, "Not taken The box could not be reached in time: say aloud what you pressed.")
    red.problems.clear()
    proxy.close()


def test_two_hundred_spectators_do_not_disturb_a_player(real, new_context):
    host, red, _yellow = duel(real, new_context, window_ms=60_000)
    watching = [Talk(real.port) for _ in range(200)]
    for talk in watching:
        talk.get("state")
    host.reveal(*CARDS)
    tap(red, "red hunter")
    wait_line(red, "Taken")
    host.post("/api/close", {})
    wait_line(red, "Choose now")
    for talk in watching:
        talk.get("state", lambda message: message["state"]["race"] is not None)
    for talk in watching:
        talk.close()


def test_a_player_plays_on_while_the_referee_s_pin_is_changed(real, new_context):
    host, red, _yellow = duel(real, new_context, window_ms=60_000)
    host.reveal(*CARDS)
    host.post("/api/pin", {"pin": "86420864"}, "PUT")
    tap(red, "red hunter")
    wait_line(red, "Taken")
    assert code_of(red)


def test_a_box_that_was_started_again_asks_for_the_consent_again(new_box, new_context):
    box = new_box("--game", "apache", config=REAL)
    host = Host(box)
    red = seated(host, new_context(**PHONE), box.url, "red")
    port = box.port
    box.stop()
    wait_line(red, "Connection lost")
    again = new_box("--game", "apache", config=REAL, port=port)
    wait_line(red, "The box does not know this phone any more: the referee lets it in again.")
    Host(again).let_in(red, "red")
    wait_line(red, "Sit down")
    red.problems.clear()
