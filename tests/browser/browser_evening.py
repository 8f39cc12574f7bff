"""An evening of five on phones alone: from the line the box prints, by a code for each seat, to the result on paper."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pypdfium2
import zxingcpp
from PIL import Image

from tests.browser.desk import open_page, wait_state
from tests.browser.players import PHONE, line_says, pads_say, tap, wait_line

if TYPE_CHECKING:
    from playwright.sync_api import Page

NAMES = {"red": "Ann", "yellow": "Bob", "green": "Cleo", "blue": "Zoë", "purple": "Maximilian K"}
BELIEVING = "[web]\nmax_error_ms = 1000\n"


def code_on(host: Page, colour: str) -> str:
    """Read a seat's code off the host's screen, as a phone's camera would."""
    picture = host.locator(f'.seat-code[data-colour="{colour}"] img')
    picture.scroll_into_view_if_needed()
    host.wait_for_function(
        "(colour) => document.querySelector(`.seat-code[data-colour=${colour}] img`).naturalWidth > 0", arg=colour
    )
    (found,) = zxingcpp.read_barcodes(Image.open(io.BytesIO(picture.screenshot())))
    return str(found.text)


def enter_card(phone: Page, card: str) -> None:
    """Say on the phone of whoever turned it which card it was."""
    phone.tap("#enter-card")
    phone.tap(f'#turned [data-key="turned {card}"]')
    phone.wait_for_selector("#turned", state="hidden")


def test_five_play_by_phones_alone_from_the_first_line_to_the_print_out(new_box, new_context):
    box = new_box("--phones", config=BELIEVING)
    host = open_page(new_context(**PHONE), f"{box.url}/#pin={box.pin}")
    host.tap("a.tile >> text=Host")
    host.wait_for_selector(".seat-code >> nth=4")
    phones = {}
    for colour in NAMES:
        address = code_on(host, colour)
        assert address.endswith(f"/play#seat={colour}")
        phones[colour] = open_page(new_context(**PHONE), address)
        wait_line(phones[colour], f"asks for {colour}")

    host.tap("#grant-all:has-text('these 5 phones')")
    for colour, phone in phones.items():
        phone.wait_for_selector(f"body.is-ready .pads.{colour} .pad >> nth=3")
    for colour, name in NAMES.items():
        host.fill(f'li[data-colour="{colour}"] .name', name)
    host.fill("#window", "20")
    host.tap("#begin")
    red = phones["red"]
    wait_line(red, "Your turn")
    wait_line(phones["blue"], "Ann turns the next card.")
    assert phones["blue"].locator("#enter-card").is_hidden()
    assert red.inner_text("#seat").startswith("Ann")

    enter_card(red, "red hunter")
    wait_line(phones["yellow"], "Your turn")
    enter_card(phones["yellow"], "buffalo")
    wait_line(phones["green"], "Your turn")
    for colour in ("yellow", "red", "green", "blue", "purple"):
        tap(phones[colour], f"{colour} hunter")
    wait_line(red, "You take red hunter, 1 buffalo")
    assert "2nd, +" in line_says(red)
    assert "±" in line_says(red)
    for colour in ("yellow", "green", "blue", "purple"):
        said = wait_line(phones[colour], "Punished")
        assert f"no {colour} hunter is face up" in said
        assert "You take" not in said
    assert red.inner_text("#pile") == "2 cards"

    host.tap("#host-end")
    host.tap("dialog >> text=End it")
    wait_line(red, "You win")
    for phone in phones.values():
        phone.tap("#sign")
        phone.wait_for_selector("text=you signed the result")
    wait_state(host, "state.signed.length === 5")
    match = box.get("/api/matches")[0]["id"]
    assert [ruling for ruling in box.replay(match) if ruling["type"] == "error"] == []

    host.goto(f"{box.url}/matches#{match}")
    host.tap("text=Result to print")
    host.wait_for_selector(".sheet table")
    paper = pypdfium2.PdfDocument(host.pdf(format="A4"))
    text = " ".join(page.get_textpage().get_text_range() for page in paper)
    assert all(name in text for name in NAMES.values()), text
    assert "companion" not in text.split("\n")[0], "the bar is not for paper"
    with host.expect_download() as download:
        host.tap("#pdf")
    printed = pypdfium2.PdfDocument(download.value.path())
    text = " ".join(page.get_textpage().get_text_range() for page in printed)
    assert all(name in text for name in NAMES.values()), text
    assert pads_say(red)
