"""Every page: nothing for axe-core to find, in both schemes; 320 px; keyboard alone; what a screen reader is told."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import axe_core_python

from companion.adapters.web.pages import PAGES
from tests.browser.desk import begin_match, choose_line, open_desk, open_page, open_panel, press, reveal, wait_state
from tests.browser.sizes import at_each, in_both

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.sync_api import Page

AXE = (Path(axe_core_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"]
IN_COLOUR = ["color-contrast", "link-in-text-block"]
"""The rules of axe-core that a colour scheme has a part in; all others find the same in both."""
FOUND = """(asked) => axe.run(document, { runOnly: asked, resultTypes: ["violations"] }).then(({ violations }) =>
    violations.map(({ id, help, nodes }) =>
        `${id}: ${help}: ${nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)).join(" ")}`))"""
"""What axe-core finds, as sentences: all that it tells would take longer to be handed over than to be found."""
ADDRESSES = [page.address for page in PAGES]


def faults(page: Page, rules: Sequence[str] = ()) -> list[str]:
    """Return a sentence for each fault that axe-core finds. rules: its rules to ask for; (): all of `RULES`."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    # The place of an animation is not where a colour is judged.
    page.evaluate("Promise.all(document.getAnimations().map((animation) => animation.finished))")
    asked = {"type": "rule", "values": rules} if rules else RULES
    found: list[str] = page.evaluate(FOUND, asked)
    return [f"{page.url}: {fault}" for fault in found]


def faults_in_both(page: Page) -> list[str]:
    """Give what axe-core finds in the light scheme, and in the dark one."""
    return [fault for scheme in in_both(page) for fault in faults(page, () if scheme == "light" else IN_COLOUR)]


def play_a_race(desk: Page, panel: Page, box: Any) -> None:
    """A race with a claim, a choice that is open, a punishment."""
    begin_match(desk, "red", "yellow", variants=("wedding",), window_s=5)
    for card in ("buffalo", "teepee", "green maiden", "red hunter"):
        reveal(desk, box, card)
    press(panel, "red hunter")
    press(panel, "yellow chief")
    wait_state(desk, "state.phase === 'choosing'")


def test_axe_core_finds_nothing_on_any_page(box, new_context):
    context = new_context(viewport={"width": 1280, "height": 900})
    stranger = new_context()
    found = faults_in_both(open_page(stranger, f"{box.url}/referee"))  # the PIN
    desk = open_desk(context, box)
    found += faults_in_both(desk)  # the form
    pages = [open_page(context, box.url + address) for address in ADDRESSES if address != "/referee"]
    for page in pages:
        found += faults_in_both(page)  # nobody plays
    play_a_race(desk, open_panel(context, box.url), box)
    for page in pages:
        page.wait_for_load_state()
        found += faults_in_both(page)
    found += faults_in_both(desk)
    desk.click("#act-note")
    found += faults_in_both(desk)  # a dialog
    desk.keyboard.press("Escape")
    desk.click("#offers .option >> nth=0")
    wait_state(desk, "state.offers.length === 0")
    desk.click("#replace-open")
    choose_line(desk, "#replace-line", "revealed: red hunter")
    desk.click("#replace-out")
    desk.wait_for_selector("#preview")
    found += faults_in_both(desk)  # a replacement
    matches = open_page(context, f"{box.url}/matches#1")
    matches.wait_for_selector(".plot")
    found += faults_in_both(matches)
    assert found == []


def test_a_colour_that_is_faint_in_the_dark_alone_is_found(still_box, new_context):
    page = open_page(new_context(), f"{still_box.url}/help")
    page.evaluate(
        """() => {
            const sheet = new CSSStyleSheet();
            sheet.replaceSync("@media (prefers-color-scheme: dark) { p { color: #333; background: #222 } }");
            document.adoptedStyleSheets.push(sheet);
        }"""
    )
    assert faults(page) == []
    (found,) = faults_in_both(page)
    assert "color-contrast" in found


def test_no_page_scrolls_sideways_on_a_small_phone(box, new_context):
    context = new_context(viewport={"width": 320, "height": 700}, has_touch=True, is_mobile=True)
    wide: list[str] = []

    def measure(page: Page, state: str) -> None:
        page.wait_for_load_state()
        for width in at_each(page, [390, 320], 700):
            is_wide = page.evaluate("document.documentElement.scrollWidth") > width
            wide.extend([f"{page.url} {state}, {width}"] * is_wide)

    desk = open_desk(context, box)
    pages = [open_page(context, box.url + address) for address in ADDRESSES if address != "/referee"]
    for page in [*pages, desk]:
        measure(page, "before")
    play_a_race(desk, open_panel(context, box.url), box)
    for page in [*pages, desk]:
        measure(page, "in a race")
    matches = open_page(context, f"{box.url}/matches#1")
    matches.wait_for_selector(".race-list")
    measure(matches, "match")
    assert wide == []


def test_targets_are_large_enough_for_a_finger(box, new_context):
    context = new_context(viewport={"width": 320, "height": 700}, has_touch=True, is_mobile=True)
    desk = open_desk(context, box)
    panel = open_panel(context, box.url)
    begin_match(desk, "red", "yellow")
    small = [
        text
        for page in (desk, panel)
        for text in page.eval_on_selector_all(
            "button, select, input, nav a",
            """all => all.filter((one) => one.checkVisibility()).filter((one) => {
                const box = (one.closest("label.tick") ?? one).getBoundingClientRect();
                return box.width < 24 || box.height < 24;
            }).map((one) => one.outerHTML)""",
        )
    ]
    assert small == []


def test_a_match_is_played_by_keyboard_alone(box, new_context):
    """PIN, seats, begin, cards by two letters, both players, the choice, taking back: no mouse, no touch."""
    context = new_context()
    desk = open_page(context, f"{box.url}/referee")
    desk.wait_for_selector("#pin")
    tab_to(desk, "#pin")
    desk.keyboard.type(box.pin)
    desk.keyboard.press("Enter")
    desk.wait_for_selector("#begin")
    for colour in ("red", "yellow"):
        tab_to(desk, f'[data-key="sit {colour}"]')
        desk.keyboard.press("Enter")
    tab_to(desk, "#begin")
    desk.keyboard.press("Enter")
    desk.wait_for_selector("#type:visible")
    tab_to(desk, "#type")
    for count, letters in enumerate(("bu", "te", "rh"), start=2):
        desk.keyboard.type(letters)
        wait_state(desk, "state.match.lines >= argument", count + 0)
        desk.wait_for_function("() => document.querySelector('#type').value === ''")
    panel = open_panel(context, box.url)
    for key in ("z", "2"):  # red hunter, yellow chief
        panel.keyboard.down(key)
        panel.wait_for_selector(".arcade.is-down:not(.is-sent)")
        panel.keyboard.up(key)
    state = wait_state(desk, "state.phase === 'choosing'")
    assert [row["colour"] for row in state["race"]["rows"]] == ["red", "yellow"]
    desk.bring_to_front()
    tab_to(desk, "#offers .option")
    desk.keyboard.press("Enter")
    wait_state(desk, "state.offers.length === 0 && state.seats[0].score > 0")
    tab_to(desk, "#act-undo")
    desk.keyboard.press("Enter")
    wait_state(desk, "state.phase === 'choosing'")
    tab_to(desk, "#reasons button")
    desk.keyboard.press("Enter")
    wait_state(desk, "state.can.explain.length === 0")


def tab_to(page: Page, selector: str) -> None:
    """Press the tabulator until an element has the focus, and see that the focus shows there."""
    for _ in range(120):
        if page.evaluate("(selector) => document.activeElement?.matches(selector) ?? false", selector):
            outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
            assert outline != "none", f"{selector} has the focus, and nothing shows it"
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"the tabulator never comes to {selector}")


def test_a_screen_reader_is_told_the_order_in_one_polite_region(box, new_context):
    context = new_context()
    desk, panel = open_desk(context, box), open_panel(context, box.url)
    table = open_page(context, f"{box.url}/table")
    table.wait_for_selector("#lamp.is-live")
    table.evaluate(
        """() => {
            window.spoken = [];
            const region = document.querySelector("#spoken");
            new MutationObserver(() => spoken.push(region.textContent)).observe(region, {childList: true});
        }"""
    )
    play_a_race(desk, panel, box)
    table.wait_for_function("() => spoken.join(' ').includes('must choose')")
    said = " ".join(table.evaluate("spoken"))
    assert "Revealed: red hunter." in said
    assert "Pow-Wow 1, final. 1: red hunter is first. 2: yellow chief" in said
    assert "punished: no yellow chief is face up." in said
    assert "Red must choose: 1 buffalo; 1 teepee; or " in said
    for page in (table, desk, panel):
        assert page.locator("[aria-live]").count() == 1
        assert page.get_attribute("#spoken", "aria-live") == "polite"


def test_nothing_moves_where_reduced_motion_is_wished(box, new_context):
    context = new_context(reduced_motion="reduce")
    desk, panel = open_desk(context, box), open_panel(context, box.url)
    table = open_page(context, f"{box.url}/table")
    play_a_race(desk, panel, box)
    table.wait_for_selector(".place")
    assert table.evaluate("document.getAnimations().length") == 0
    moving = (
        "[...document.querySelectorAll('*')].filter((one) => getComputedStyle(one).transitionDuration !== '0s').length"
    )
    assert [page.evaluate(moving) for page in (table, panel, desk)] == [0, 0, 0]


def test_no_page_loads_anything_from_elsewhere(box, new_context):
    context = new_context()
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    for address in ADDRESSES:
        open_page(context, box.url + address).wait_for_load_state("networkidle")
    assert [url for url in asked if not url.startswith((box.url, "data:"))] == []
