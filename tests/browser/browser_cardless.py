"""A game without cards: no page speaks of any, before, in and after a match."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.browser.desk import open_desk, open_page, open_panel, press, wait_state

if TYPE_CHECKING:
    from playwright.sync_api import Page

CARD = re.compile(r"\b(card|deck|face up|turned|reveal)", re.IGNORECASE)
SAID = """() => {
    const seen = [...document.querySelectorAll("body *")].filter((one) => one.checkVisibility());
    const named = seen.flatMap((one) => [one.getAttribute("aria-label"), one.getAttribute("title"), one.alt]);
    return [document.body.innerText, ...named.filter(Boolean)].join("\\n").split("\\n");
}"""


def cards_spoken_of(page: Page) -> list[str]:
    """Give what a page shows, or tells a screen reader, of cards."""
    return [f"{page.url}: {text}" for text in page.evaluate(SAID) if CARD.search(text)]


def test_no_page_speaks_of_cards_where_the_game_has_none(box, new_context):
    context = new_context()
    desk, table, panel = open_desk(context, box), open_page(context, f"{box.url}/table"), open_panel(context, box.url)
    overlay = open_page(context, f"{box.url}/overlay")
    desk.select_option('[data-key="game"]', "order")
    desk.wait_for_function("() => !document.querySelector('.match-form').innerText.includes('Wedding')")
    pages = (desk, table, panel, overlay)
    for colour in ("red", "yellow", "green"):
        desk.click(f'[data-key="sit {colour}"]')
    found = cards_spoken_of(desk)
    desk.fill("#window", "100")
    desk.click("#begin")
    table.wait_for_selector("#race-title >> text=Order")
    found += [said for page in pages for said in cards_spoken_of(page)]
    press(panel, "red first")
    press(panel, "yellow third")
    wait_state(desk, "state.race.rows.length === 2")
    table.wait_for_selector(".place >> nth=1")
    found += [said for page in pages for said in cards_spoken_of(page)]
    desk.click("#act-close")
    wait_state(desk, "state.race.status === 'final'")
    table.wait_for_selector(".status.is-final")
    found += [said for page in pages for said in cards_spoken_of(page)]
    desk.click("#replace-open")
    desk.select_option("#replace-line", index=1)
    found += cards_spoken_of(desk)
    desk.click("#act-end")
    desk.click("dialog .is-bad")
    wait_state(desk, "state.phase === 'final'")
    table.wait_for_selector(".verdict")
    past = open_page(context, f"{box.url}/matches#1")
    past.wait_for_selector(".race-list")
    found += [said for page in (*pages, past) for said in cards_spoken_of(page)]
    assert found == []
