"""What a screen reader is told by a page's live region: whom a place is about, and what somebody may choose."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.browser.desk import begin_match, open_desk, open_page, open_panel, press, reveal, wait_state

if TYPE_CHECKING:
    from playwright.sync_api import Page

KEEP = """() => {
    window.spoken = [];
    const region = document.querySelector("#spoken");
    new MutationObserver(() => spoken.push(region.textContent)).observe(region, {childList: true});
}"""


def listen(page: Page) -> None:
    """Keep all that is said from now on."""
    page.wait_for_selector("#lamp.is-live")
    page.evaluate(KEEP)


def said(page: Page, text: str) -> str:
    """Wait until something was said, and give all that was."""
    page.wait_for_function("(text) => spoken.join(' ').includes(text)", arg=text)
    everything: str = page.evaluate("spoken.join(' ')")
    return everything


def test_whoever_an_allowance_brings_to_the_first_place_is_announced_as_first(box, new_context):
    context = new_context()
    desk, panel = open_desk(context, box), open_panel(context, box.url)
    for colour in ("red", "yellow"):
        desk.click(f'[data-key="sit {colour}"]')
    desk.fill('li[data-colour="yellow"] .allowance', "20000")
    desk.fill("#window", "60")
    desk.click("#begin")
    for colour in ("red", "yellow"):
        desk.fill("#wanted input", "Ann")
        desk.click(f'[data-consent="{colour}"]')
        desk.wait_for_selector(f'[data-consent="{colour}"]', state="detached")
    desk.wait_for_selector("#entry:visible")
    table = open_page(context, f"{box.url}/table")
    for card in ("buffalo", "red hunter"):
        reveal(desk, box, card)
    listen(table)
    press(panel, "red hunter")
    said(table, "Red has pressed.")  # and nobody is to know more yet
    press(panel, "yellow chief")
    state = wait_state(desk, "state.race.rows.length === 2")
    assert [row["colour"] for row in state["race"]["rows"]] == ["yellow", "red"]
    now = said(table, "ed hunter -").lower()  # it was sooner, and is second
    assert now.index("yellow chief is first: ") < now.index("red hunter -")
    assert "red hunter is first" not in now


def test_a_press_that_comes_late_to_an_earlier_place_is_announced_at_that_place(box, new_context):
    """From a phone: red's was shown alone, yellow's was made before it. The states are made up, the page is not."""
    table = open_page(new_context(), f"{box.url}/table")
    listen(table)
    table.evaluate(
        """async () => {
            const { sayNews } = await import("/js/frame/speaker.js");
            const place = (place, colour, says) => ({ key: `1 place ${place} ${colour} first`, says, urgency: "news" });
            const state = (spoken) => ({ spoken });
            sayNews(state([]));
            sayNews(state([place(1, "red", "Red first is first.")]));
            sayNews(state([place(1, "yellow", "Yellow first is first."), place(2, "red", "2: red first +9.0 ms.")]));
        }"""
    )
    now = said(table, "+9.0 ms")
    assert now == "Red first is first. Yellow first is first. 2: red first +9.0 ms."


def test_a_choice_is_announced_with_its_options_and_the_button_of_each(box, new_context):
    context = new_context()
    desk, panel = open_desk(context, box), open_panel(context, box.url)
    table = open_page(context, f"{box.url}/table")
    begin_match(desk, "red", "yellow", variants=("wedding",))
    for card in ("buffalo", "teepee", "green maiden", "red hunter"):
        reveal(desk, box, card)
    listen(table)
    press(panel, "red hunter")
    press(panel, "yellow chief")
    wait_state(desk, "state.phase === 'choosing'")
    assert "Red must choose: 1 buffalo; 1 teepee; or 1 teepee, spouse green maiden." in said(table, "Red must choose")
    said(table, "Red chief: 1 buffalo. Red warrior: 1 teepee. Red maiden: 1 teepee, spouse green maiden.")
