"""A page read aloud: the words of the live region, by the browser's own speechSynthesis.

Chromium without windows has the whole interface and no voices: `speak` is recorded, and an utterance ends when the test
says so. All above that is the page's own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.desk import begin_match, open_desk, open_page, open_panel, press, reveal, wait_state

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

RECORD = """
    window.said = [];
    window.cut = 0;
    let speaking = null;
    speechSynthesis.speak = (one) => { said.push(one); speaking = one; };
    const over = (how) => {
        const was = speaking;
        speaking = null;
        was?.[how]?.(new Event(how.slice(2)));
        return was !== null;
    };
    speechSynthesis.cancel = () => { cut += 1; over("onerror"); };
    window.heard = () => { // each that ends begins the next
        while (over("onend"));
        return said.map((one) => one.text).join(" ");
    };
"""


def recorded(new_context) -> BrowserContext:
    context: BrowserContext = new_context()
    context.add_init_script(RECORD)
    return context


def heard(page: Page, text: str) -> str:
    """Wait until something was read aloud, and give all that was."""
    page.wait_for_function("(text) => heard().includes(text)", arg=text)
    everything: str = page.evaluate("heard()")
    return everything


def texts(page: Page) -> list[str]:
    found: list[str] = page.evaluate("said.map((one) => one.text)")
    return found


def test_a_page_is_silent_until_it_is_switched_on_and_then_reads_what_the_live_region_says(box, new_context):
    context = recorded(new_context)
    desk, panel = open_desk(context, box), open_panel(context, box.url)
    table = open_page(context, f"{box.url}/table")
    begin_match(desk, "red", "yellow", variants=("wedding",))
    for card in ("buffalo", "teepee", "green maiden"):
        reveal(desk, box, card)
    table.wait_for_selector("#lamp.is-live")
    assert texts(table) == []
    table.click("#read-aloud")
    assert texts(table) == ["This page is read aloud."]
    reveal(desk, box, "red hunter")
    heard(table, "Revealed: red hunter.")
    press(panel, "red hunter")
    press(panel, "yellow chief")
    wait_state(desk, "state.phase === 'choosing'")
    said = heard(table, "Red must choose")
    assert "Pow-Wow 1, final. 1: red hunter is first. 2: yellow chief" in said
    assert "Red chief: 1 buffalo." in heard(table, "Red chief:")
    assert table.evaluate("said.every((one) => one.lang === document.documentElement.lang)")


def test_a_ruling_cuts_off_what_is_being_read_and_again_says_it_once_more(box, new_context):
    context = recorded(new_context)
    desk, panel = open_desk(context, box), open_panel(context, box.url)
    table = open_page(context, f"{box.url}/table")
    begin_match(desk, "red", "yellow")
    table.wait_for_selector("#lamp.is-live")
    table.click("#read-aloud")
    for card in ("buffalo", "teepee", "red hunter"):
        reveal(desk, box, card)  # nothing ends: the first sentence is still being read
    cuts = table.evaluate("cut")
    press(panel, "red hunter")
    press(panel, "yellow chief")
    table.wait_for_function("(cuts) => cut > cuts", arg=cuts)
    said = heard(table, "Pow-Wow 1, final.")
    assert "Revealed: teepee." not in said  # it waited, and was old by then
    before = texts(table)
    table.keyboard.press("Alt+V")
    table.evaluate("heard()")
    again = texts(table)[len(before) :]
    assert again
    assert again == before[-len(again) :]


def test_rate_volume_and_the_switch_are_remembered_for_this_page(box, new_context):
    context = recorded(new_context)
    table = open_page(context, f"{box.url}/table")
    table.click("#read-aloud")
    table.click("#read-slower")
    table.click("#read-slower")
    assert texts(table)[-1] == "Slower."
    assert table.evaluate("said.at(-1).rate") == pytest.approx(0.6)
    table.locator("#read-volume").fill("0.3")
    table.reload()
    assert table.get_attribute("#read-aloud", "aria-pressed") == "true"
    table.click("#read-faster")
    assert table.evaluate("[said.at(-1).rate, said.at(-1).volume]") == pytest.approx([0.8, 0.3])
    other = open_page(context, f"{box.url}/matches")
    assert other.get_attribute("#read-aloud", "aria-pressed") == "false"


def test_what_is_private_is_read_on_its_own_seats_page_and_on_no_other(box, new_context):
    context = recorded(new_context)
    table = open_page(context, f"{box.url}/table")
    table.wait_for_selector("#lamp.is-live")
    table.click("#read-aloud")
    phone = open_page(recorded(new_context), f"{box.url}/play")
    phone.wait_for_selector("#pads .colour.red")
    phone.click("#menu-opener")
    phone.click("#read-aloud")
    phone.click("#menu-close")
    before = phone.inner_text("#line .headline")
    phone.click("#pads .colour.red")
    phone.wait_for_function("(before) => document.querySelector('#line .headline').innerText !== before", arg=before)
    own = phone.inner_text("#line .headline")
    heard(phone, own)
    assert own not in table.evaluate("heard()")
