"""Phones as buttons on a real box, over a bad network: the order is right, or within the stated ± called a dead heat.

The truth: each page's own clock is compared with this process's, past the proxy that delays the page's connection; a
press is made in the page at a time that was chosen here.
"""

from __future__ import annotations

import json
import random
import re
import time
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.desk import begin_match, open_desk, open_page, open_panel, reveal, wait_state
from tests.browser.proxy import Proxy

if TYPE_CHECKING:
    from playwright.sync_api import Page

MS = 1_000_000
APART_MS = (3, 25, 120, 300, 500)
FAR_APART_MS = (1_500, 1_500)
"""The last rounds: so far apart that their order is called however busy the machine was."""
NEAR = 6
ROUNDS = NEAR + len(FAR_APART_MS)
REAL = '[source]\nkind = "none"\n[display]\nkind = "none"\n[buzzer]\nkind = "none"\n[web]\nmax_error_ms = 1000\n'
"""Phones are believed with any ±: the network is bad on purpose, or the machine busy."""

PRESS_AT = """([at, button]) => {
    const element = document.querySelector(`[data-button="${button}"]`);
    const make = (type) => element.dispatchEvent(new PointerEvent(type, {
        bubbles: true, cancelable: true, pointerId: 7, pointerType: "touch", isPrimary: true, button: 0,
    }));
    const note = (event) => { window.pressedAt = event.timeStamp; };
    element.addEventListener("pointerdown", note, { once: true, capture: true });
    window.pressedAt = null;
    const wait = () => {
        const left = at - performance.now();
        if (left > 12) { setTimeout(wait, left - 10); return; }
        while (performance.now() < at);
        make("pointerdown");
        setTimeout(() => make("pointerup"), 90);
    };
    wait();
}"""


def page_clock(page: Page) -> tuple[int, int]:
    """Compare a page's clock with CLOCK_MONOTONIC: what to add to `performance.now()` in ns, and its half-width."""
    low, high = -(1 << 62), 1 << 62
    for _ in range(60):
        sent = time.monotonic_ns()
        told = round(page.evaluate("performance.now()") * MS)
        received = time.monotonic_ns()
        low, high = max(low, sent - told), min(high, received - told)
    return (low + high) // 2, (high - low) // 2 + MS // 5  # browsers round their clock to 0.1 ms


@pytest.mark.parametrize("jitter_ms", [0, 40])
def test_no_wrong_call_outside_the_stated_error(new_box, new_context, jitter_ms):
    box = new_box("--game", "order", "--seats", "red,yellow", "--window", "20", config=REAL)
    proxies = [Proxy(box.port, base_ms=12 * (i + 1), jitter_ms=jitter_ms, uneven=1.5, seed=i) for i in range(2)]
    desk = open_desk(new_context(), box)
    phones = {}
    for colour, proxy in zip(("red", "yellow"), proxies, strict=True):
        phone = open_page(new_context(has_touch=True, viewport={"width": 390, "height": 800}), f"{proxy.url}/panel")
        phone.click(f'[data-key="ask {colour}"]')
        code = phone.inner_text(".code strong")
        desk.click(f"#phones-all:has-text('{code}') #grant-all")
        phone.wait_for_selector("body.is-ready .arcade")
        phones[colour] = phone
    clocks = {colour: page_clock(phone) for colour, phone in phones.items()}
    truth: list[dict[str, int]] = []
    chance = random.Random(jitter_ms)
    for number in range(ROUNDS):
        for phone in phones.values():
            phone.wait_for_selector("body.is-ready")
        first, second = chance.sample(["red", "yellow"], 2)
        at_ns = time.monotonic_ns() + 250 * MS
        apart_ms = chance.choice(APART_MS) if number < NEAR else FAR_APART_MS[number - NEAR]
        aims = {first: at_ns, second: at_ns + apart_ms * MS}
        for colour, phone in phones.items():
            phone.evaluate(PRESS_AT, [(aims[colour] - clocks[colour][0]) / MS, f"{colour} fourth"])
        wait_state(desk, "state.race?.number === argument && state.race.status === 'final'", number + 1)
        truth.append(
            {c: round(p.evaluate("window.pressedAt") * MS) + clocks[c][0] for c, p in phones.items()}
        )  # fmt: skip
    check(truth, clocks, [json.loads(line) for line in box.record(1).splitlines()], box.replay(1))
    for proxy in proxies:
        proxy.close()


def check(truth, clocks, record, replayed) -> None:
    presses = [line for line in record if line["type"] == "press"]
    orders = [ruling["order"] for ruling in replayed if ruling["type"] == "order"]
    assert (len(presses), len(orders)) == (2 * ROUNDS, ROUNDS), "a press was lost or doubled"
    called = doubted = 0
    for number, (true, order) in enumerate(zip(truth, orders, strict=True)):
        pair = {line["colour"]: line for line in presses[2 * number : 2 * number + 2]}
        if any("error_ns" not in line for line in pair.values()):
            doubted += 1  # the stamp was not believed: it counts from its arrival, and a remark says so
            continue
        for colour, line in pair.items():
            off_ns = abs(line["t_ns"] - true[colour])
            assert off_ns <= line["error_ns"] + clocks[colour][1], f"{colour}: {off_ns / MS} ms off, more than stated"
        right = sorted(true, key=lambda colour: true[colour])
        is_close = abs(true["red"] - true["yellow"]) <= sum(line["error_ns"] for line in pair.values())
        is_heat = any(row.get("dead_heat") for row in order)
        if [row["colour"] for row in order] == right:
            called += not is_heat
        else:
            assert is_heat, f"round {number + 1}: a wrong call, and no dead heat"
            assert is_close, f"round {number + 1}: a dead heat although the stated errors do not overlap"
    told = [line for line in record if line["type"] == "remark" and "counts from its arrival" in line["text"]]
    assert (doubted > 0) == (len(told) > 0)
    assert called, "every round was a dead heat: nothing was called"


def errors_of(record: list[dict[str, Any]]) -> dict[str, int]:
    """The ± of the presses by seat, in ns; of one that came too late to be believed it stands in words."""
    errors = {line["colour"]: line["error_ns"] for line in record if line["type"] == "press" and "error_ns" in line}
    for line in record:
        if line["type"] == "remark" and (own := re.search(r"its own stamp was \d+ ns ± (\d+) ns", line["text"])):
            errors[line["source"].split()[0]] = int(own[1])
    return errors


def test_a_phone_presses_only_what_the_referee_gave_it(new_box, new_context):
    box = new_box("--game", "order", "--seats", "red,yellow", config=REAL)
    desk = open_desk(new_context(), box)
    phone = open_page(new_context(has_touch=True), f"{box.url}/panel")
    phone.wait_for_selector(".code strong")
    assert phone.locator(".arcade").count() == 0
    phone.click('[data-key="ask yellow"]')
    code = phone.inner_text(".code strong")
    desk.click(f"#phones-all:has-text('{code}') #grant-all")
    phone.wait_for_selector("body.is-ready .arcade")
    names = phone.eval_on_selector_all(".arcade", "all => all.map((one) => one.dataset.button)")
    assert names == ["yellow first", "yellow second", "yellow third", "yellow fourth"]
    phone.tap('[data-button="yellow third"]')
    wait_state(desk, "state.race?.rows.length === 1")
    record = [json.loads(line) for line in box.record(1).splitlines()]
    assert errors_of(record)["yellow"] >= 8 * MS, "a touch screen's own uncertainty is missing"
    desk.select_option(f'[aria-label="Seat of the phone {code}"]', "")
    phone.wait_for_selector(".arcade", state="detached")


def test_several_fingers_and_held_keys_are_one_press_each(box, new_context):
    desk = open_desk(new_context(), box)
    begin_match(desk, "red", "yellow", window_s=20)
    desk.click('.card-key[data-key="buffalo"]')
    panel = open_panel(new_context(has_touch=True), box.url)
    for _ in range(30):
        panel.keyboard.down("z")  # what a held key does
    panel.wait_for_selector('[data-button="red fourth"].is-down:not(.is-sent)')
    panel.keyboard.up("z")
    panel.tap('[data-button="yellow first"]')
    wait_state(desk, "state.race?.status === 'final'")
    record = [json.loads(line) for line in box.record(1).splitlines()]
    assert [line["colour"] for line in record if line["type"] == "press"] == ["red", "yellow"]


def test_mouse_touch_and_keyboard_each_press_with_their_own_error(box, new_context):
    desk = open_desk(new_context(), box)
    begin_match(desk, "red", "yellow", "blue", window_s=60)
    reveal(desk, box, "buffalo")
    panel = open_panel(new_context(has_touch=True), box.url)
    panel.click('[data-button="red fourth"]')
    panel.tap('[data-button="yellow fourth"]')
    panel.keyboard.press("v")
    state = wait_state(desk, "state.race?.rows.length === 3 && state.race.status === 'final'")
    record = [json.loads(line) for line in box.record(1).splitlines()]
    assert [row["colour"] for row in state["race"]["rows"]] == ["red", "yellow", "blue"]
    errors = errors_of(record)
    assert min(errors["yellow"], errors["blue"]) > 8 * MS
    assert errors["red"] > 4 * MS


def test_the_knob_turns_by_buttons_wheel_and_arrows_and_is_pushed(box, new_context):
    """The seating on the box alone: two seats by their buttons, one step down the menu and back, start."""
    panel = open_panel(new_context(), box.url)
    for key in ("z", "x"):
        panel.keyboard.press(key)
    wait_state(panel, "state.lobby?.seats.join() === 'red,yellow'")
    panel.click('[aria-label="Turn the knob right"]')
    wait_state(panel, "state.menu.cursor === 1")
    panel.keyboard.press("ArrowRight")
    wait_state(panel, "state.menu.cursor === 2")
    panel.hover(".knob-push")
    panel.mouse.wheel(0, -120)
    wait_state(panel, "state.menu.cursor === 0")
    panel.click(".knob-push")
    wait_state(panel, "state.match !== null")
