"""What a referee puts right and what players dispute, through the pages: at the desk, on a phone, on the table."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.browser.box import PATIENT
from tests.browser.desk import (
    begin_match,
    choose_line,
    open_desk,
    open_page,
    open_panel,
    press,
    reveal,
    wait_evidence,
    wait_state,
)

SIZES = {"phone": {"width": 390, "height": 844}, "desktop": {"width": 1280, "height": 900}}


@pytest.fixture
def box(new_box):
    return new_box("--simulate")


def look(page, name: str) -> None:
    """Tell that a page needs no scrolling sideways; keep its pictures where somebody wants to look at them.

    It is left as wide as it was.
    """
    was = page.viewport_size
    for size, place in SIZES.items():
        page.set_viewport_size(place)
        if folder := os.environ.get("PICTURES"):
            page.screenshot(path=Path(folder) / f"{name} {size}.png", full_page=True)
        width = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
        assert width[0] <= width[1], (name, size)
    page.set_viewport_size(was)


def judged(new_context, box, *cards: str):
    """A desk and the panel of yellow, on a phone's displays, with a race that red was alone in."""
    context = new_context(viewport=SIZES["phone"], reduced_motion="reduce")
    desk, keys = open_desk(context, box), open_panel(new_context(), box.url)
    begin_match(desk, "red", "yellow", window_s=2)
    for card in cards:
        reveal(desk, box, card)
    press(keys, "red hunter")
    wait_state(desk, "state.race?.status === 'final'")
    return desk, keys, open_panel(context, box.url, "?seat=yellow")


def accept(desk, reason: str) -> None:
    desk.fill(".accept [name=reason]", reason)
    desk.fill(".accept [name=by]", "Ann")
    desk.click("#replace-accept")
    desk.wait_for_selector("#replace-open")


def test_a_card_and_a_press_are_put_in_before_a_line(box, new_context):
    desk, _, _ = judged(new_context, box, "buffalo")
    wait_evidence(desk)
    before = box.record(1)
    desk.click("#replace-open")
    choose_line(desk, "#replace-line", "judged")
    desk.select_option(".replace-put [name=card]", "red hunter")
    desk.click("#replace-put-card")
    assert "red (hunter) claims the usual booty: red hunter, 1 buffalo (2 cards)" in desk.inner_text("#preview")
    look(desk, "insert")
    assert box.record(1) == before, "a preview has changed the record"
    accept(desk, "it lay there too")
    wait_state(desk, "state.seats[0].score === 2")
    desk.click("#replace-open")
    choose_line(desk, "#replace-line", "judged")
    choose_line(desk, ".replace-put [name=press]", "red plays hunter")
    desk.select_option(".replace-put [name=colour]", "yellow")
    desk.click("#replace-put-press")
    assert "yellow plays hunter" in desk.inner_text("#preview")


def test_a_late_press_was_for_the_new_card(new_box, new_context):
    box = new_box("--simulate", config="[timing]\nlate_ms = 5000\n" + PATIENT)
    desk, keys, _ = judged(new_context, box, "buffalo", "red hunter")
    press(keys, "yellow hunter")
    wait_state(desk, "state.race.late.length > 0")
    for card in ("buffalo", "yellow hunter"):
        reveal(desk, box, card)
    desk.get_by_role("button", name="For the new card: yellow plays hunter").click()
    desk.wait_for_selector("dialog[open]")
    look(desk, "for the new card")
    desk.fill("dialog [name=by]", "Ann")
    desk.click("dialog button[type=submit]")
    wait_state(desk, "state.seats[1].score === 2")


def test_a_phone_protests_the_desk_answers_and_both_sign(box, new_context):
    desk, _, phone = judged(new_context, box, "buffalo", "red hunter")
    table = open_page(new_context(), f"{box.url}/table")
    phone.click("#protest")
    phone.fill("dialog [name=text]", "the card was covered")
    look(phone, "protest asked")
    phone.click("dialog button[type=submit]")
    phone.wait_for_function("() => document.querySelector('#answer').textContent.startsWith('Yellow protests')")
    table.wait_for_selector(".race-head .is-disputed")
    desk.wait_for_selector(".protest-list li")
    for page, name in ((table, "table"), (desk, "desk"), (phone, "panel")):
        look(page, f"disputed {name}")
    desk.click("#act-end")
    desk.click("dialog button[type=submit]")
    wait_state(desk, "state.phase === 'final'")
    assert phone.query_selector("#sign") is None, "a protest waits for its answer"
    desk.click(".protest-list button >> nth=0")
    desk.fill("dialog [name=text]", "seen on the strip")
    desk.fill("dialog [name=by]", "Ann")
    desk.click("dialog button[type=submit]")
    phone.click("#sign")
    desk.click("#sign-red")
    wait_state(desk, "state.signed.length === 2")
    table.wait_for_function("() => document.querySelectorAll('.seat .chip.is-good').length >= 2")
    look(desk, "signed desk")
    past = open_page(new_context(), f"{box.url}/matches#1")
    past.wait_for_selector(".protest-list")
    look(past, "past")
    assert "seen on the strip" in past.inner_text(".protest-list")
