"""The panel's keys: called as the keyboard in use has them, at the same places, and switched off by whoever wishes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.desk import begin_match, open_desk, open_page, open_panel, press, reveal, wait_state

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

UNTOLD = "Object.defineProperty(navigator, 'keyboard', {value: undefined})"
TOLD = """Object.defineProperty(navigator, 'keyboard', {value: {getLayoutMap: async () => new Map([
    ["KeyQ", "a"], ["KeyA", "q"], ["KeyW", "z"], ["KeyZ", "w"], ["Digit1", "&"], ["KeyV", "v"]])}})"""
ALL = ("red first", "red second", "red third", "red fourth", "yellow second")
QWERTY, QWERTZ, AZERTY = ("1", "Q", "A", "Z", "W"), ("1", "Q", "A", "Y", "W"), ("1", "A", "Q", "W", "Z")


def legends(panel: Page) -> tuple[str, ...]:
    """Give what stands on the keys of some buttons, and see that assistive technology is told the same."""
    found = [panel.locator(f'[data-button="{button}"]') for button in ALL]
    printed = tuple(one.locator("kbd").inner_text() for one in found)
    assert tuple((one.get_attribute("aria-keyshortcuts") or "").upper() for one in found) == printed
    return printed


def type_key(panel: Page, code: str, key: str) -> None:
    """Press the key at a place, which types `key`: as the system's layout would."""
    keyboard = panel.context.new_cdp_session(panel)
    for kind in ("keyDown", "keyUp"):
        keyboard.send("Input.dispatchKeyEvent", {"type": kind, "code": code, "key": key})


def panel_of(context: BrowserContext, url: str, script: str) -> Page:
    context.add_init_script(script)
    return open_panel(context, url)


def test_keys_are_called_as_the_browser_says_the_layout_has_them(box, new_context):
    panel = panel_of(new_context(), box.url, TOLD)
    panel.wait_for_selector('[data-button="red second"] >> text=A')
    assert legends(panel) == AZERTY
    type_key(panel, "KeyQ", "a")
    panel.wait_for_selector("#answer >> text=Red second")


@pytest.mark.parametrize(("code", "key", "layout"), [("KeyZ", "y", QWERTZ), ("KeyW", "z", AZERTY)])
def test_where_no_browser_says_it_the_first_telling_key_does_and_is_remembered(box, new_context, code, key, layout):
    panel = panel_of(new_context(), box.url, UNTOLD)
    assert legends(panel) == QWERTY
    type_key(panel, code, key)
    panel.wait_for_selector("#answer:not(:empty)")
    assert legends(panel) == layout
    panel.reload()
    panel.wait_for_selector("body.is-ready")
    assert legends(panel) == layout


def test_another_keyboard_is_noticed_and_a_letter_of_any_alphabet_stands_on_its_key(box, new_context):
    panel = panel_of(new_context(), box.url, UNTOLD)
    type_key(panel, "KeyZ", "w")
    panel.wait_for_selector('[data-button="red fourth"] >> text=W')
    type_key(panel, "KeyZ", "я")
    panel.wait_for_selector('[data-button="red fourth"] >> text=Я')
    assert legends(panel) == ("1", "Q", "A", "Я", "W")


def test_a_layout_that_was_chosen_holds(box, new_context):
    panel = panel_of(new_context(), box.url, UNTOLD)
    panel.select_option("#layout", "AZERTY")
    assert legends(panel) == AZERTY
    panel.reload()
    panel.wait_for_selector("body.is-ready")
    assert (legends(panel), panel.input_value("#layout")) == (AZERTY, "AZERTY")


def test_single_keys_are_switched_off_and_buttons_still_pressed_by_space(box, new_context):
    context = new_context()
    desk, panel = open_desk(context, box), open_panel(context, box.url)
    begin_match(desk, "red", "yellow", window_s=60)
    for card in ("buffalo", "red hunter"):
        reveal(desk, box, card)
    panel.uncheck("#keys-play")
    assert panel.locator(".arcade kbd").count() == 0
    assert panel.locator(".arcade[aria-keyshortcuts]").count() == 0
    panel.focus("#main")
    panel.keyboard.press("z")
    panel.keyboard.press("1")
    assert panel.locator(".arcade.is-sent, .arcade.is-down").count() == 0
    panel.focus('[data-button="yellow second"]')
    panel.keyboard.press("Space")
    state = wait_state(desk, "state.race.rows.length > 0")
    assert [row["colour"] for row in state["race"]["rows"]] == ["yellow"]
    again = open_page(context, f"{box.url}/panel")
    again.wait_for_selector("body.is-ready")
    assert not again.is_checked("#keys-play"), "it is remembered"
    again.check("#keys-play")
    press(again, "red hunter")
    wait_state(desk, "state.race.rows.length === 2")
