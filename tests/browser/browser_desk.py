"""The referee's desk: each part keeps its place, "what now" has the answers, one tap takes back, keys for all."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.box import Box
from tests.browser.desk import begin_match, open_desk, open_page, open_panel, press, reveal, wait_lines, wait_state

if TYPE_CHECKING:
    from playwright.sync_api import Page

SIZES = {"phone": {"width": 360, "height": 640}, "desktop": {"width": 1280, "height": 800}}

PLACES = """() => {
    const kept = [...document.querySelectorAll(".card-key, #now, #now-title, .window, #answers, .tool, #type, #race")];
    return kept.filter((one) => one.checkVisibility()).map((one) => {
        const { x, y, width, height } = one.getBoundingClientRect();
        const says = one.id || one.dataset.key;
        return [says, x + scrollX, y + scrollY, width, height].join(" ");
    });
}"""


def look(page: Page, name: str) -> None:
    """Keep a picture where somebody wants to look at it."""
    if folder := os.environ.get("PICTURES"):
        page.screenshot(path=Path(folder) / f"{name}.png")
        page.screenshot(path=Path(folder) / f"{name} whole.png", full_page=True)


class Kept:
    """What must stay where it is: compared with how it was when a match began."""

    def __init__(self, desk: Page, size: str) -> None:
        self.desk, self.size = desk, size
        self.places = desk.evaluate(PLACES)
        self.seen: list[str] = []

    def check(self, when: str) -> None:
        self.desk.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        self.seen.append(when)
        look(self.desk, f"desk {self.size} {len(self.seen)} {when}")
        moved = [(old, new) for old, new in zip(self.places, self.desk.evaluate(PLACES), strict=True) if old != new]
        assert moved == [], f"moved: {when}"


def answered(desk: Page, selector: str) -> None:
    """Click an answer, which is in "what now" and nowhere else."""
    assert desk.locator(selector).count() == 1
    assert desk.locator(f"#now {selector}").count() == 1
    desk.click(f"#now {selector}")


@pytest.mark.parametrize("size", SIZES)
def test_nothing_moves_through_a_whole_match(box, new_context, size):
    """Cards, presses, a choice, a taking back, a phone that asks, a protest, the end: all keep their places."""
    context = new_context(viewport=SIZES[size], reduced_motion="reduce", color_scheme=os.environ.get("SCHEME", "light"))
    desk, keys = open_desk(context, box), open_panel(new_context(), box.url)
    begin_match(desk, "red", "yellow", "green", variants=("wedding",), window_s=60)
    kept = Kept(desk, size)
    assert len(kept.places) >= 25 + 7 + 5
    for card in ("buffalo", "teepee", "green maiden", "red hunter"):
        reveal(desk, box, card)
    kept.check("cards lie there")
    for button in ("red hunter", "yellow chief"):
        press(keys, button)
        desk.wait_for_selector(f'#race .place[data-colour="{button.split()[0]}"]')
        kept.check(f"{button} pressed")
    answered(desk, "#act-close")
    wait_state(desk, "state.phase === 'choosing'")
    desk.wait_for_selector("#offers .option")
    assert desk.locator(".card-key:visible:disabled").count() == desk.locator(".card-key").count()
    kept.check("red chooses")
    phone = open_panel(new_context(), box.url, "?seat=blue")
    desk.wait_for_selector("#asking .asked")
    kept.check("a phone asks")
    desk.click("#now #offers .option >> nth=0")
    wait_state(desk, "state.offers.length === 0 && state.race.status === 'final'")
    kept.check("red has chosen")
    desk.click("#act-undo")
    desk.wait_for_selector("#offers .option")
    kept.check("the choice is taken back")
    desk.click("#act-undo")
    desk.wait_for_selector("#act-no-card")
    kept.check("the judging is taken back")
    desk.click("#act-undo")
    desk.wait_for_selector("#act-close")
    kept.check("the close is taken back")
    answered(desk, "#act-close")
    desk.click("#now #offers .option >> nth=1")
    wait_state(desk, "state.offers.length === 0 && state.race.status === 'final'")
    phone.close()
    other = open_panel(new_context(), box.url, "?seat=yellow")
    other.click("#protest")
    other.fill("dialog [name=text]", "the card was covered by another, and nobody could see it")
    other.click("dialog button[type=submit]")
    desk.wait_for_selector("#now .protest-list")
    kept.check("yellow protests")
    desk.click("#act-end")
    desk.click("dialog button[type=submit]")
    wait_state(desk, "state.phase === 'final'")
    kept.check("the end")
    desk.click("#now .protest-list button >> nth=0")
    desk.fill("dialog [name=text]", "seen on the strip")
    desk.fill("dialog [name=by]", "Ann")
    desk.click("dialog button[type=submit]")
    desk.wait_for_selector("#sign-red")
    answered(desk, "#sign-red")
    wait_state(desk, "state.signed.length === 1")
    kept.check("red has signed")
    answered(desk, "#act-leave")
    desk.wait_for_selector("#begin")


def test_what_now_and_every_card_are_in_view_once_a_match_has_begun(box, new_context):
    desk = open_desk(new_context(viewport=SIZES["desktop"]), box)
    begin_match(desk, "red", "yellow")
    outside = """() => [...document.querySelectorAll("#now, .card-key, .tool")].filter((one) => {
        const { top, bottom } = one.getBoundingClientRect();
        return top < 0 || bottom > innerHeight;
    }).map((one) => one.id || one.textContent)"""
    desk.wait_for_function("() => scrollY === 0")
    assert desk.evaluate(outside) == []


def test_one_tap_takes_back_and_the_reason_is_told_afterwards(box, new_context):
    context = new_context(viewport=SIZES["desktop"])
    desk, other = open_desk(context, box), open_desk(context, box)
    begin_match(desk, "red", "yellow")
    for card in ("buffalo", "teepee", "red hunter"):
        reveal(desk, box, card)
    desk.click("#act-undo")
    wait_state(desk, "state.can.explain.length === 1")  # by what was done, not by lines: a busy box remarks that it was
    desk.click("#act-undo")
    state = wait_state(desk, "state.can.explain.length === 2")
    assert desk.locator("dialog[open]").count() == 0
    assert [one["says"] for one in state["can"]["explain"]] == ["revealed: teepee", "revealed: red hunter"]
    other.wait_for_selector("#now #reasons >> text=Wrong card entered")
    other.click("#reasons >> text=Wrong card entered")
    wait_state(desk, "state.can.explain.length === 0")
    for page in (desk, other):
        page.wait_for_function("() => document.querySelector('#reasons').textContent === ''")
    lines = [json.loads(line) for line in box.record(1).splitlines()]
    assert all(line.keys() <= {"type", "wall"} for line in lines if line["type"] == "undo")
    _, teepee, hunter = [number for number, line in enumerate(lines, 1) if line["type"] == "reveal"]
    assert lines[-1]["text"] == f"why lines {teepee}, {hunter} were taken back: wrong card entered"
    assert [ruling for ruling in box.replay(1) if ruling["type"] == "error"] == []


def test_another_reason_may_be_typed_with_a_name(box, new_context):
    desk = open_desk(new_context(viewport=SIZES["desktop"]), box)
    begin_match(desk, "red", "yellow")
    reveal(desk, box, "buffalo")
    desk.click("#act-undo")
    desk.click("#why-other")
    desk.fill("dialog [name=reason]", "the wind turned it")
    desk.fill("dialog [name=by]", "Ann")
    desk.click("dialog button[type=submit]")
    wait_state(desk, "state.can.explain.length === 0")
    remark = json.loads(box.record(1).splitlines()[-1])
    assert (remark["text"], remark["source"]) == ("why line 2 was taken back: the wind turned it", "Ann")


def test_what_now_says_what_is_waited_for_after_an_undone_judging(box, new_context):
    """The close is taken back, too: nothing counts down, and it says so where the countdown was."""
    context = new_context(viewport=SIZES["desktop"])
    desk, keys = open_desk(context, box), open_panel(new_context(), box.url)
    begin_match(desk, "red", "yellow", window_s=60)
    reveal(desk, box, "red hunter")
    press(keys, "red hunter")
    desk.wait_for_function("() => /^closes in [0-9.]+ s$/.test(document.querySelector('.window-text').textContent)")
    desk.click("#act-close")
    wait_state(desk, "state.race?.status === 'final'")
    desk.wait_for_function("() => document.querySelector('.window-text').textContent === ''")
    desk.click("#act-undo")
    desk.wait_for_selector("#now-title >> text=Was another card turned?")
    assert desk.inner_text("#act-no-card").startswith("It was red hunter")
    desk.click("#act-undo")
    desk.wait_for_selector("#now-title >> text=The race is open again")
    desk.wait_for_selector(".window >> text=no countdown: you close it")
    press(keys, "yellow hunter")
    wait_state(desk, "state.race.rows.length === 2 && state.race.status === 'provisional'")
    desk.click("#act-close")
    wait_state(desk, "state.race.status === 'final' && state.race.rows.length === 2")


def test_everything_has_a_key_that_stands_on_it(box, new_context):
    """A match by the desk's keys alone: cards, close, a choice by its digit, taking back, a note, the end."""
    context = new_context(viewport=SIZES["desktop"])
    desk, keys = open_desk(context, box), open_panel(new_context(), box.url)
    begin_match(desk, "red", "yellow", window_s=60)
    desk.evaluate("document.activeElement.blur()")
    for count, letters in enumerate(("bu", "te", "rh"), start=2):
        desk.keyboard.type(letters)
        wait_lines(desk, count)
    press(keys, "red hunter")
    desk.wait_for_selector("#act-close")
    desk.evaluate("document.activeElement.blur()")
    desk.keyboard.press("Shift+C")
    wait_state(desk, "state.phase === 'choosing'")
    second = desk.locator("#offers .option >> nth=1")
    second.wait_for()
    assert second.get_attribute("aria-keyshortcuts") == "2"
    assert second.evaluate("(one) => getComputedStyle(one.querySelector('.keycap'), '::before').content") == '"2"'
    chosen = second.get_attribute("data-key")
    desk.keyboard.press("2")
    wait_state(desk, "state.offers.length === 0 && state.seats[0].score > 0")
    claim = [line for line in map(json.loads, box.record(1).splitlines()) if line["type"] == "claim"][-1]
    assert claim["take"] == str(chosen).split()[2]
    desk.keyboard.press("Shift+U")
    wait_state(desk, "state.phase === 'choosing'")
    desk.keyboard.press("1")
    wait_state(desk, "state.offers.length === 0 && state.seats[0].score > 0")
    desk.keyboard.press("Shift+N")
    desk.wait_for_selector("dialog[open]")
    desk.keyboard.type("bU?1")  # is typed, and does nothing else
    assert desk.input_value("dialog [name=text]") == "bU?1"
    desk.keyboard.press("Escape")
    desk.wait_for_selector("dialog[open]", state="detached")
    desk.keyboard.press("?")
    listed = desk.inner_text(".key-list")
    for words in ("take back", "end the match", "note something", "replace a call", "two letters: enter the card"):
        assert words in listed
    look(desk, "desk desktop keys")
    desk.keyboard.press("Escape")
    desk.wait_for_selector("dialog[open]", state="detached")
    desk.keyboard.press("Shift+E")
    desk.wait_for_selector("dialog[open]")
    desk.keyboard.press("Enter")
    wait_state(desk, "state.phase === 'final'")


def test_single_keys_can_be_switched_off(box, new_context):
    """WCAG 2.1.4: then no letter, digit or sign does anything by itself, and nothing says that it would."""
    context = new_context(viewport=SIZES["desktop"])
    desk = open_desk(context, box)
    begin_match(desk, "red", "yellow")
    reveal(desk, box, "buffalo")
    desk.click("#keys")
    desk.uncheck("#keys-on")
    desk.keyboard.press("Escape")
    desk.wait_for_selector("dialog[open]", state="detached")
    for again in (False, True):
        if again:  # it is remembered
            desk.reload()
            desk.wait_for_selector("#act-undo:enabled")
        assert desk.locator('[aria-keyshortcuts]:not([aria-keyshortcuts^="Alt+"])').count() == 0
        assert desk.locator(".keycap:visible").count() == 0
        desk.evaluate("document.activeElement.blur()")
        for key in ("t", "e", "Shift+U", "?", "1"):
            desk.keyboard.press(key)
        assert desk.input_value("#type") == ""
        assert desk.locator("dialog[open]").count() == 0
    assert box.get("/api/state")["match"]["lines"] == 2
    desk.click("#keys")
    desk.check("#keys-on")
    desk.keyboard.press("Escape")
    desk.wait_for_selector("dialog[open]", state="detached")
    desk.keyboard.press("Shift+U")
    wait_lines(desk, 3)


def test_before_a_match_and_in_resuming_the_answers_are_in_the_same_box(box, new_context):
    desk = open_desk(new_context(viewport=SIZES["desktop"]), box)
    assert desk.inner_text("#now-title") == "Nobody sits yet: seat the players, then begin the match."
    desk.wait_for_selector("#act-seat")
    look(desk, "desk desktop nobody")
    desk.keyboard.press("1")  # leads to the seats
    assert desk.evaluate("document.activeElement.dataset.key") == "sit red"
    for colour in ("red", "yellow"):
        desk.click(f'[data-key="sit {colour}"]')
    answered(desk, "#act-begin")
    desk.wait_for_selector("#entry:visible")
    reveal(desk, box, "buffalo")
    desk.close()
    box.stop()
    again = Box(box.state, "--simulate", port=box.port)
    try:
        desk = open_desk(new_context(viewport=SIZES["desktop"]), again)
        desk.wait_for_selector("#now-title >> text=A match was cut off: take it up, or leave it.")
        look(desk, "desk desktop cut off")
        answered(desk, "#act-resume")
        wait_state(desk, "state.match?.lines >= 2")
    finally:
        again.stop()


def test_the_health_of_each_button_is_told_as_it_is_pressed(box, new_context):
    desk, keys = open_desk(new_context(viewport=SIZES["desktop"]), box), open_panel(new_context(), box.url)
    begin_match(desk, "red", "yellow")
    desk.click("#health-details summary")
    desk.wait_for_selector("text=more inputs: nothing to tell yet")
    keys.wait_for_selector("body.is-ready")
    key = keys.get_attribute('[data-button="red fourth"]', "aria-keyshortcuts") or ""
    keys.keyboard.down(key)
    desk.wait_for_selector('.input-list [data-line^="red fourth"] >> text=● pressed now')
    look(desk, "desk desktop health")
    keys.keyboard.up(key)
    desk.wait_for_selector('.input-list [data-line^="red fourth"] >> text=pressed once, last')
    desk.wait_for_selector(".input-list >> text=● pressed now", state="detached")


def test_a_dead_phone_goes_by_itself_and_its_fault_with_the_phone_that_takes_its_seat(new_box, new_context):
    real = '[source]\nkind = "none"\n[display]\nkind = "none"\n[buzzer]\nkind = "none"\n[web]\nmax_error_ms = 1000\n'
    box = new_box("--game", "order", "--seats", "red,yellow", config=real)
    desk = open_desk(new_context(viewport=SIZES["desktop"]), box)
    phones = [open_page(new_context(has_touch=True), f"{box.url}/panel") for _ in range(3)]
    codes = []
    for phone, colour in zip(phones, ("red", "red", "yellow"), strict=True):
        phone.click(f'[data-key="ask {colour}"]')
        codes.append(phone.inner_text(".code strong"))
    desk.click(f'#now [data-key="allow {codes[0]}"]')
    phones[0].wait_for_selector("body.is-ready .arcade")
    phones[0].close()
    desk.wait_for_selector(f"#now >> text=the phone {codes[0]} (red) has gone")
    desk.click(f'#now [data-key="allow {codes[1]}"]')
    desk.wait_for_selector(f"#now >> text=the phone {codes[0]} (red) has gone", state="detached")
    assert box.get("/api/health")["withheld"].startswith("not shown while phones play")
    phones[2].close()  # it was given nothing
    desk.wait_for_selector("#now #grant-all", state="detached")
    for code in (codes[0], codes[2]):
        desk.wait_for_selector(f'[data-phone="{code}"]', state="detached")
    assert [phone["code"] for phone in box.get("/api/state")["phones"]] == [codes[1]]
