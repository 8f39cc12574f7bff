"""A game that the program has never seen, in the pages: its own words and drawings, every sort of decision, secrets."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.adapters.web.salon import SECRET_BIDS
from tests.browser.box import with_game
from tests.browser.desk import open_desk, open_page, open_panel, press, wait_state
from tests.contract.turns import TILES

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.browser.box import Box


@pytest.fixture
def salon(new_box: Callable[..., Box], tmp_path) -> Box:
    path = with_game(tmp_path / "more games", "salon", "tests.adapters.web.salon:SALON")
    return new_box("--simulate", path=path)


def begin_salon(desk: Page, tmp_path: Any) -> None:
    """Begin a match with the form, and answer everything the game asks in it."""
    desk.select_option('[data-key="game"]', "salon")
    for colour in ("red", "yellow"):
        desk.click(f'[data-key="sit {colour}"]')
    desk.uncheck("#parameter-reserve")
    desk.select_option("#parameter-house", "harsh")
    desk.fill("#parameter-rounds", "5")
    catalogue = tmp_path / "list.txt"
    catalogue.write_text("one lamp\n")
    desk.set_input_files("#upload-catalogue", catalogue)
    desk.wait_for_selector("#parameter-catalogue option:checked:has-text('list.txt')", state="attached")
    desk.click("#begin")
    wait_state(desk, "state.offers.length === 2")


def both_bid(panel: Page) -> None:
    for button in ("red first", "yellow second"):
        wait_state(panel, f"state.offers.some((offer) => offer.private && offer.seat === '{button.split()[0]}')")
        panel.wait_for_timeout(300)
        press(panel, button)
    wait_state(panel, "state.offers.length === 4")


def test_the_form_asks_what_the_game_asks_and_the_record_has_the_answers(salon, new_context, tmp_path):
    desk = open_desk(new_context(), salon)
    begin_salon(desk, tmp_path)
    setup = json.loads(salon.record(1).splitlines()[0])
    assert setup["game"] == "salon"
    assert setup["parameters"] == {"reserve": False, "house": "harsh", "rounds": 5}
    assert setup["files"] == {"catalogue": {"name": "list.txt", "text": "one lamp\n"}}


def test_a_private_choice_is_on_its_own_phone_s_buttons_and_on_no_other_page(salon, new_context, tmp_path):
    context = new_context()
    desk, table = open_desk(context, salon), open_page(context, f"{salon.url}/table")
    red = open_panel(new_context(viewport={"width": 360, "height": 640}, has_touch=True), salon.url, "?seat=red")
    everybody = open_panel(context, salon.url)
    begin_salon(desk, tmp_path)
    red.wait_for_selector(".secret")
    labels = red.eval_on_selector_all(
        ".arcade", "all => all.map((one) => [one.dataset.button, one.querySelector('.secret')?.textContent ?? ''])"
    )
    assert dict(labels) == dict(
        zip([f"red {place}" for place in ("first", "second", "third", "fourth")], (*SECRET_BIDS[0], ""), strict=True)
    )
    assert "Red: cobalt moth" not in desk.content()
    desk.wait_for_selector("text=chooses secretly")
    table.wait_for_selector("text=chooses secretly")
    for page in (desk, table, everybody):
        assert [word for words in SECRET_BIDS for word in words if word in page.content()] == []
    assert [word for word in SECRET_BIDS[1] if word in red.content()] == []
    both_bid(everybody)
    red.wait_for_selector(".secret", state="detached")
    for page in (desk, table, everybody):
        assert [word for words in SECRET_BIDS for word in words if word in page.content()] == []


def test_the_desk_decides_by_number_roll_draw_and_field_by_field_and_sets_by_hand(salon, new_context, tmp_path):
    context = new_context()
    desk, table = open_desk(context, salon), open_page(context, f"{salon.url}/table")
    begin_salon(desk, tmp_path)
    both_bid(open_panel(context, salon.url))
    pay, move = desk.locator('[data-offer="pay red"]'), desk.locator('[data-offer="move yellow"]')
    die, draw = desk.locator('[data-offer="die -"]'), desk.locator('[data-offer="draw -"]')
    assert "optional" in die.inner_text()
    assert "optional" not in pay.inner_text()
    pay.locator("input").fill("7")
    pay.get_by_text("OK").click()
    wait_state(desk, "state.seats[0].score === 7")
    die.get_by_text("4", exact=True).click()
    wait_state(desk, "state.areas[1].cells.length === 1")
    draw.get_by_text("elm").click()
    draw.get_by_text("One back").click()
    draw.get_by_text("date").click()
    draw.get_by_text("ash").click()
    wait_state(desk, "state.areas[1].cells.map((cell) => cell.text).join() === '4,date,ash'")
    move.get_by_text("Choose").click()
    move.get_by_text("file b").click()
    move.locator("select").select_option("12")
    move.get_by_text("OK").click()
    move.get_by_text("Do it").click()
    state = wait_state(desk, "state.round === 2")
    assert state["areas"][0]["cells"][1] == {"text": "b12", "owner": "yellow"}
    table.wait_for_selector(".areas >> text=b12")
    assert "round 2" in table.inner_text(".standing")
    assert "4:05" in table.inner_text(".standing")
    desk.click('[data-key="set purse"]')
    desk.fill("dialog [name=value]", "40")
    desk.fill("dialog [name=reason]", "counted anew")
    desk.fill("dialog [name=by]", "Ann")
    desk.click("dialog button[type=submit]")
    wait_state(desk, "state.adjustable[0]?.value === 40")
    die.get_by_text("Let the box do it").click()
    wait_state(desk, "state.areas[1].cells.length === 4")


def test_a_game_s_own_drawings_are_on_its_buttons(salon, new_context, tmp_path):
    context = new_context()
    desk, panel = open_desk(context, salon), open_panel(context, salon.url)
    begin_salon(desk, tmp_path)
    panel.wait_for_selector('[data-button="red first"] path[stroke-width="1.5"]')
    drawn = panel.eval_on_selector_all(
        '[data-button="red first"] .symbol path', "all => all.map((one) => one.getAttribute('d'))"
    )
    assert drawn == ["M4 4H20V20H4Z", "M2 12H22"]
    assert panel.locator('[data-button="red second"] .symbol circle').count() == 2
    assert "north" in panel.inner_text('[data-button="red first"]')
    assert "buffalo" not in desk.content()


def test_accounts_stand_as_tables_and_a_narrow_page_does_not_scroll_sideways(salon, new_context, tmp_path):
    context = new_context(viewport={"width": 360, "height": 780})
    desk, table = open_desk(new_context(), salon), open_page(context, f"{salon.url}/table")
    begin_salon(desk, tmp_path)
    table.wait_for_selector("#ledgers table caption")
    assert table.inner_text("#ledgers caption") == "What was paid <b>"
    assert table.eval_on_selector_all("#ledgers thead th", "all => all.map((one) => one.textContent)") == [
        "coins",
        "worth & more",
    ]
    assert table.locator("#ledgers tbody th[scope=row]").count() == 3
    assert table.evaluate("document.documentElement.scrollWidth") <= 360


def test_what_a_seat_drew_unseen_is_on_its_phone_while_it_is_looked_at(new_box, new_context, tmp_path):
    box = new_box("--simulate", path=with_game(tmp_path / "more games", "turns", "tests.contract.turns:TURNS"))
    desk = open_desk(new_context(), box)
    phone = open_page(new_context(viewport={"width": 360, "height": 640}, has_touch=True), f"{box.url}/play#seat=red")
    desk.select_option('[data-key="game"]', "turns")
    for colour in ("red", "yellow"):
        desk.click(f'[data-key="sit {colour}"]')
    desk.click("#begin")
    wait_state(desk, "state.offers.length === 1")
    desk.get_by_role("button", name="Let the box do it").click()  # the display may say the same words
    phone.wait_for_selector("#look-in-hand:visible")
    assert not any(tile in phone.content() for tile in TILES)
    phone.click("#look-in-hand")
    (held,) = phone.locator(".in-hand-items li").all_inner_texts()
    assert held in TILES
    assert not any(tile in desk.content() for tile in TILES)
    phone.click("#in-hand-close")
    phone.wait_for_selector(".in-hand-items", state="detached")
    assert not any(tile in phone.content() for tile in TILES)
