"""An untimed match in browsers: the desk's form, two phones, the table; and simple screens by switch and address."""

from __future__ import annotations

import json

import pytest

from tests.browser.browser_play import FITS
from tests.browser.desk import open_desk, open_page
from tests.browser.players import PHONE, REAL, Host, seated, tap, wait_line


@pytest.fixture
def real(new_box):
    """A box without buttons of its own."""
    return new_box("--game", "apache", config=REAL)


def laying(real, new_context):
    """Two phones in an untimed match; a buffalo lies face up."""
    host = Host(real)
    red, yellow = (seated(host, new_context(**PHONE), real.url, colour) for colour in ("red", "yellow"))
    host.begin("red", "yellow", timing="untimed")
    host.reveal("buffalo")
    wait_line(red, "Lay a card")
    return host, red, yellow


def test_a_card_is_laid_changed_and_shown_with_the_others(real, new_context):
    _, red, yellow = laying(real, new_context)
    table = open_page(new_context(), f"{real.url}/table")
    tap(red, "red chief")
    wait_line(red, "Chief. Another button changes it.")
    table.wait_for_selector(".made >> text=Red ✓")
    assert "chief" not in table.inner_text("#race").lower()
    assert "chief" not in json.dumps(table.evaluate("fetch('/api/state').then((r) => r.json())")["race"]).lower()
    wait_line(yellow, "Lay a card")  # it is asked as long as it has not laid one
    tap(red, "red hunter")
    wait_line(red, "Hunter. Another button changes it.")
    assert red.evaluate(FITS) == []
    tap(yellow, "yellow chief")
    table.wait_for_selector(".order .place, .order li")
    assert "hunter" in table.inner_text("#race").lower()


def test_a_phone_plays_no_card_and_lays_one_after_all(real, new_context):
    _, red, yellow = laying(real, new_context)
    tap(yellow, "yellow chief")
    red.tap("#none")
    wait_line(red, "You")  # all have done something: the race is judged
    wait_line(yellow, "1st")


def test_the_desk_begins_one_without_a_window_and_with_a_policy_that_needs_no_times(new_box, new_context):
    box = new_box("--simulate", "--game", "apache")
    desk = open_desk(new_context(), box)
    for colour in ("red", "yellow"):
        desk.click(f'[data-key="sit {colour}"]')
    assert desk.is_visible("#window")
    desk.select_option("#timing", "untimed")
    desk.wait_for_selector("#window", state="detached")
    policies = desk.eval_on_selector_all("#dead-heat option", "(all) => all.map((one) => one.value)")
    assert policies == ["clockwise", "lots"]
    desk.click("#begin")
    desk.wait_for_function("fetch('/api/state').then((r) => r.json()).then((s) => s.match?.timing === 'untimed')")


def test_the_form_says_why_to_play_untimed_and_its_button_takes_it(new_box, new_context):
    """Cards are to be said before they are shown, and no voice says them."""
    box = new_box("--simulate", "--game", "apache", config='[match]\nstart = "spoken"\n')
    desk = open_desk(new_context(), box)
    desk.wait_for_selector("#why-untimed >> text=No voice says the cards")
    for colour in ("red", "yellow"):
        desk.click(f'[data-key="sit {colour}"]')
    desk.click('[data-key="untimed"]')
    desk.wait_for_selector("#why-untimed", state="detached")
    assert desk.input_value("#timing") == "untimed"
    desk.click("#begin")
    desk.wait_for_function("fetch('/api/state').then((r) => r.json()).then((s) => s.match?.timing === 'untimed')")


def test_a_simple_screen_says_one_thing_at_a_time_and_is_remembered(real, new_context):
    _, red, yellow = laying(real, new_context)
    tap(red, "red chief")
    wait_line(red, "Your card lies face down")
    context = new_context()
    table = open_page(context, f"{real.url}/table")
    assert table.is_hidden("#facts")
    table.click("#simple-screen")
    table.wait_for_selector("#facts >> text=Yellow: lay a card.")
    assert table.is_hidden("#race")
    table.click("#fact-next")
    table.wait_for_selector("#facts >> text=Red has laid a card.")
    table.reload()
    table.wait_for_selector("#facts >> text=Yellow: lay a card.")
    tap(yellow, "yellow chief")
    table.wait_for_selector("#facts >> text=First:")
    small = table.evaluate("parseFloat(getComputedStyle(document.querySelector('.fact')).fontSize)")
    assert small >= 25
    asked = open_page(new_context(), f"{real.url}/table?simple")
    asked.wait_for_selector("#facts:not([hidden])")
    other = open_page(new_context(), f"{real.url}/table?simple=off")
    other.wait_for_selector("#race >> text=Pow-Wow")
    assert other.is_hidden("#facts")


def test_a_box_may_have_simple_screens_for_all(new_box, new_context):
    box = new_box("--simulate", "--game", "apache", config="[web]\nsimple = true\n")
    page = open_page(new_context(), f"{box.url}/table")
    page.wait_for_selector("#facts:not([hidden])")
    page.click("#simple-screen")
    page.wait_for_selector("#facts", state="hidden")
