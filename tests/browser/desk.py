"""What the tests do on the pages: log in, begin a match, reveal, press, wait for what the box then shows."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, cast

from companion.core.panel import named_button
from companion.games import registry

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, FloatRect, Locator, Page

    from tests.browser.box import Box

    class WatchedPage(Page):
        """A page that fails its test by any error in its console. problems: those errors."""

        problems: list[str]


PATIENCE_MS = 30_000


def open_page(context: BrowserContext, address: str) -> WatchedPage:
    """Open a page that fails its test by any error in its console."""
    page = cast("WatchedPage", context.new_page())
    page.set_default_timeout(PATIENCE_MS)
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    page.problems = problems
    page.goto(address)
    return page


def open_desk(context: BrowserContext, box: Box) -> WatchedPage:
    """Open the referee's desk by the link that the box prints."""
    page = open_page(context, f"{box.url}/referee#pin={box.pin}")
    page.wait_for_selector("#desk .desk")
    page.wait_for_selector("#lamp.is-live")
    return page


def open_panel(context: BrowserContext, box_url: str, query: str = "") -> WatchedPage:
    """Open the panel and wait until the box knows its clock."""
    page = open_page(context, f"{box_url}/panel{query}")
    page.wait_for_selector("body.is-ready")
    return page


def begin_match(desk: Page, *seats: str, variants: tuple[str, ...] = (), window_s: float = 3) -> None:
    """Begin a match with the form."""
    for colour in seats:
        desk.click(f'[data-key="sit {colour}"]')
    for variant in variants:
        desk.check(f'input[name=variant][value="{variant}"]')
    desk.fill("#window", str(window_s))
    desk.click("#begin")
    desk.wait_for_selector("#entry:visible")


def reveal(desk: Page, box: Box, card: str) -> None:
    """Enter a card by one tap, and wait until it counts."""
    before = box.get("/api/state")["match"]["lines"]
    desk.click(f'.card-key[data-key="{card}"]')
    wait_lines(desk, before + 1)


def line_of(button: str) -> str:
    """Give the label of a button that Apache calls "red hunter"; others as they are."""
    found = named_button(button, registry.find("apache").roles)
    return found.label if found else button


def press(panel: Page, button: str) -> None:
    """Press an arcade button (Apache's name or its label) by its key; again where the clock was lost.

    A machine so busy that a round trip takes longer than the box trusts makes it refuse, aloud.
    """
    button = line_of(button)
    key = panel.get_attribute(f'[data-button="{button}"]', "aria-keyshortcuts") or ""
    for _ in range(5):
        panel.wait_for_selector("body.is-ready")
        panel.keyboard.press(key)
        panel.wait_for_selector(f'[data-button="{button}"]:not(.is-sent)')
        answer = panel.inner_text("#answer")
        if "the clock of this page is not known yet" not in answer:
            break
    assert "not taken" not in answer, answer


def wait_state(page: Page, condition: str, argument: Any = None) -> dict[str, Any]:
    """Wait until the state of the box fulfils a condition in JavaScript (`state`, `argument`), and give it."""
    source = f"""async ([argument, patience]) => {{
        const ends = performance.now() + patience;
        for (let pause = 20; ; pause = Math.min(2 * pause, 160)) {{
            const said = await (await fetch("/api/state")).text();
            const state = JSON.parse(said);
            if ({condition}) return said;
            if (performance.now() > ends) throw new Error("never: " + JSON.stringify(state.lines) + state.phase);
            await new Promise((done) => setTimeout(done, pause));
        }}
    }}"""
    state: dict[str, Any] = json.loads(page.evaluate(source, [argument, PATIENCE_MS]))
    return state


def wait_lines(page: Page, lines: int) -> dict[str, Any]:
    return wait_state(page, "state.match.lines >= argument", lines)


def wait_evidence(page: Page) -> None:
    """Wait until the box has noted the evidence of the newest race: from then on it writes nothing by itself."""
    wait_state(page, "state.course.find(({ type }) => ['evidence', 'judge'].includes(type))?.type === 'evidence'")


def frame_of(place: Locator) -> FloatRect:
    """Give where something that is seen lies."""
    frame = place.bounding_box()
    assert frame is not None
    return frame


def order_shown(page: Page) -> list[tuple[int, str]]:
    """Give the places that a page shows: number and colour."""
    rows = page.eval_on_selector_all(
        ".order > .place",
        "rows => rows.map(row => [Number(row.querySelector('.number').textContent), row.dataset.colour])",
    )
    return [(place, colour) for place, colour in rows]


def choose_line(page: Page, selector: str, says: str) -> None:
    """Choose a line of the record by what it says, the newest of those that say it.

    Not by its number: a phone's press that was long on its way puts remarks before it.
    """
    option = page.locator(f"{selector} option").filter(has_text=re.compile(rf"^\d+: {re.escape(says)}$")).first
    page.select_option(selector, option.get_attribute("value"))
