"""Help where it is needed: its pages, the words that explain themselves, the demonstration."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from companion.adapters.web.pages import PAGES
from tests.browser.browser_pages import faults, faults_in_both
from tests.browser.desk import (
    begin_match,
    frame_of,
    open_desk,
    open_page,
    open_panel,
    order_shown,
    press,
    reveal,
    wait_state,
)

if TYPE_CHECKING:
    from tests.browser.desk import WatchedPage

HELP = ("/help", "/help/rules/apache", "/help/rules/order", "/help/settings")
FINGER_PX = 44


# -- the help pages ----------------------------------------------------------------------------------------------------


def test_every_page_with_a_bar_leads_to_the_help(still_box, new_context):
    page = new_context(java_script_enabled=False).new_page()
    for one in (page_ for page_ in PAGES if not page_.is_bare):
        page.goto(still_box.url + one.address)
        assert page.get_attribute("nav[aria-label=Pages] a[href='/help']", "href") == "/help", one.name


def test_axe_core_finds_nothing_on_a_help_page(still_box, new_context):
    context = new_context()
    assert [fault for address in HELP for fault in faults_in_both(open_page(context, still_box.url + address))] == []


def test_no_help_page_scrolls_sideways_on_a_small_phone(still_box, new_context):
    context = new_context(viewport={"width": 320, "height": 560}, has_touch=True, is_mobile=True)
    widths = {}
    for address in (*HELP, "/demo"):
        page = open_page(context, still_box.url + address)
        widths[address] = page.evaluate("document.documentElement.scrollWidth")
    assert {address: width for address, width in widths.items() if width > 320} == {}


def test_a_word_is_found_by_its_anchor_and_marked(still_box, new_context):
    page = open_page(new_context(viewport={"width": 360, "height": 640}), f"{still_box.url}/help#dead-heat")
    marked = page.locator(":target")
    assert marked.locator("dt").inner_text() == "dead heat"
    assert frame_of(marked)["y"] < 640
    assert marked.evaluate("one => getComputedStyle(one).outlineStyle") == "solid"


def test_the_help_is_readable_without_scripts(still_box, new_context):
    context = new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{still_box.url}/help/rules/apache")
    assert page.inner_text("h1") == "Apache"
    page.click("nav[aria-label=Help] >> text=Settings")
    assert page.url.endswith("/help/settings")


# -- words -------------------------------------------------------------------------------------------------------------


def dead_heat(box, context) -> WatchedPage:
    """A race that ended in a dead heat is on the table."""
    desk = open_desk(context, box)
    begin_match(desk, "red", "yellow")
    reveal(desk, box, "buffalo")
    panel = open_panel(context, box.url)
    press(panel, "red chief")
    press(panel, "yellow chief")
    wait_state(desk, "state.race?.status === 'final'")
    table = open_page(context, f"{box.url}{table_address()}")
    table.wait_for_selector("#race .status")
    return table


def table_address() -> str:
    return next(page.address for page in PAGES if page.name == "table")


def test_a_word_of_the_trade_says_what_it_means_by_a_tap_and_by_a_key(box, new_context):
    table = dead_heat(box, new_context(viewport={"width": 360, "height": 640}))
    assert table.locator("#term").count() == 0
    word = table.locator("#race .status .term")
    word.click()
    explained = table.locator("#term")
    explained.wait_for(state="visible")
    assert explained.locator("h2").inner_text() == "final"
    said = box.get("/api/words")["final"]["says"]
    assert explained.locator("p").first.inner_text() == said
    frame = frame_of(explained)
    assert frame["x"] >= 0
    assert frame["x"] + frame["width"] <= 360
    assert frame["y"] + frame["height"] <= 640
    assert faults(table) == []
    table.keyboard.press("Escape")
    explained.wait_for(state="hidden")
    assert word.evaluate("one => one === document.activeElement")
    table.keyboard.press("Enter")
    explained.wait_for(state="visible")
    table.mouse.click(5, 300)
    explained.wait_for(state="hidden")


def test_an_explanation_stays_while_the_page_goes_on(box, new_context):
    context = new_context()
    table = dead_heat(box, context)
    table.click("#race .status .term")
    table.wait_for_selector("#term", state="visible")
    desk = open_desk(context, box)
    reveal(desk, box, "teepee")
    table.bring_to_front()
    table.wait_for_function("() => document.querySelector('#claims').textContent.includes('teepee')")
    assert table.is_visible("#term")


def test_a_word_takes_a_finger_without_moving_what_stands_there(box, new_context):
    table = dead_heat(box, new_context(viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True))
    word = table.locator("#race .status .term")
    word.evaluate("one => one.scrollIntoView({ block: 'center' })")  # faults of a busy machine may stand above it
    frame = frame_of(word)
    middle = (frame["x"] + frame["width"] / 2, frame["y"] + frame["height"] / 2)
    reach = FINGER_PX / 2 - 1
    for x, y in ((0, -reach), (0, reach), (-reach, 0), (reach, 0)):
        found = table.evaluate("([x, y]) => document.elementFromPoint(x, y)?.closest('.term')?.dataset.term",
                               [middle[0] + x, middle[1] + y])  # fmt: skip
        assert found == "final", (x, y)
    height = table.evaluate(
        """() => {
            const status = document.querySelector('#race .status');
            const with_button = status.getBoundingClientRect().height;
            status.textContent = status.textContent;
            return [with_button, status.getBoundingClientRect().height];
        }"""
    )
    assert height[0] == height[1]


def test_a_word_that_cannot_be_asked_for_says_so_and_is_asked_again(new_box, new_context):
    box = new_box("--simulate")
    context = new_context()
    table = dead_heat(box, context)
    table.route("**/api/words", lambda route: route.abort())
    table.click("#race .status .term")
    table.wait_for_function("() => document.querySelector('#term')?.textContent.includes('cannot be reached')")
    table.problems.clear()  # the browser logs a request that failed
    table.unroute("**/api/words")
    table.keyboard.press("Escape")
    table.click("#race .status .term")
    table.wait_for_function("() => document.querySelector('#term')?.textContent.includes('power cut')")


def test_each_word_that_a_page_marks_is_one_that_the_box_explains(box, new_context):
    context = new_context()
    table = dead_heat(box, context)
    desk, matches = open_desk(context, box), open_page(context, f"{box.url}/matches#1")
    matches.wait_for_selector("h1:has-text('match 1')")
    panel = open_panel(context, box.url)
    known = set(box.get("/api/words"))
    for page in (table, desk, matches, panel):
        marked = page.eval_on_selector_all("[data-term]", "all => all.map((one) => one.dataset.term)")
        assert marked, page.url
        assert set(marked) <= known


# -- the demonstration -------------------------------------------------------------------------------------------------


def test_the_demonstration_goes_at_the_viewers_pace_and_ends_with_now_you(still_box, new_context):
    page = open_page(new_context(viewport={"width": 1280, "height": 800}), f"{still_box.url}/demo")
    page.wait_for_selector("#next:not([disabled])")
    first = page.inner_text("#caption")
    assert page.is_disabled("#back")
    page.click("#next")
    page.keyboard.press("ArrowRight")
    assert page.inner_text("#count").startswith("3 of ")
    page.keyboard.press("ArrowLeft")
    page.click("#back")
    assert page.inner_text("#caption") == first
    while page.is_enabled("#next"):
        assert not page.is_visible("#now-you")
        page.click("#next")
    assert page.is_visible("#now-you")
    assert [place for place, _ in order_shown(page)] == [1, 2]
    assert page.inner_text("#race .status").lower() == "final"
    page.reload()
    page.wait_for_selector("#now-you:visible")  # the address has kept the step
    assert page.get_attribute("#now-you a.is-main", "href") == "/host"


def test_the_demonstration_is_left_by_anybody_and_nothing_of_it_is_kept(still_box, new_context):
    context = new_context()
    page = open_page(context, f"{still_box.url}/demo")
    page.wait_for_selector("#next:not([disabled])")
    page.keyboard.press("End")
    page.wait_for_selector(".order .place")
    page.click("#leave")
    page.wait_for_url(re.compile(r":\d+/$"))
    assert still_box.get("/api/matches") == []
    assert still_box.get("/api/state")["phase"] == "lobby"


def test_a_demonstration_looks_at_no_match_that_runs(box, new_context):
    context = new_context()
    desk = open_desk(context, box)
    begin_match(desk, "red", "yellow")
    before = box.get("/api/state")["match"]
    page = open_page(context, f"{box.url}/demo?game=order#4")
    page.wait_for_selector(".order .place")
    assert page.inner_text("#race-title") == "Round 1"
    reveal(desk, box, "buffalo")
    assert page.inner_text("#race-title") == "Round 1"
    assert box.get("/api/state")["match"]["lines"] == before["lines"] + 1
    assert [match["game"] for match in box.get("/api/matches")] == ["apache"]


def test_axe_core_finds_nothing_in_any_step_of_the_demonstration(still_box, new_context):
    page = open_page(new_context(), f"{still_box.url}/demo")
    page.wait_for_selector("#next:not([disabled])")
    found = faults_in_both(page)
    while page.is_enabled("#next"):
        page.click("#next")
        found += faults_in_both(page)
    assert found == []


def test_the_steps_keep_their_place_on_a_phone(still_box, new_context):
    """Whoever taps "next" again and again taps the same place."""
    page = open_page(new_context(viewport={"width": 360, "height": 560}), f"{still_box.url}/demo")
    page.wait_for_selector("#next:not([disabled])")
    places = set()
    while page.is_enabled("#next"):
        for height in (640, 560):
            page.set_viewport_size({"width": 360, "height": height})
            places.add((height, *frame_of(page.locator("#next")).values()))
        page.click("#next")
    assert len(places) == 2


def test_the_table_leads_to_the_demonstration(still_box, new_context):
    table = open_page(new_context(), f"{still_box.url}{table_address()}")
    table.click("#demo")
    table.wait_for_selector("#next:not([disabled])")


# -- a practice match --------------------------------------------------------------------------------------------------


def test_a_practice_match_explains_each_ruling_on_the_table_and_to_each_player(box, new_context):
    context = new_context()
    desk = open_desk(context, box)
    desk.check("#practice")
    begin_match(desk, "red", "yellow")
    table = open_page(context, f"{box.url}{table_address()}")
    panel, mine = open_panel(context, box.url), open_panel(context, box.url, "?seat=yellow")
    reveal(desk, box, "buffalo")
    reveal(desk, box, "red hunter")
    assert table.locator(".explained").count() == 0
    press(panel, "red hunter")
    press(panel, "yellow chief")
    table.wait_for_selector(".explained li >> nth=1")
    red, yellow = table.locator(".explained li").all_inner_texts()
    assert "Nobody pressed earlier" in red
    assert "The play is good" in red
    assert "no yellow chief is face up" in yellow
    assert table.get_attribute(".explained li:nth-child(2) a", "href") == "/help/rules/apache#punishment"
    assert faults_in_both(table) == []
    mine.wait_for_selector("#reasons .explained li")
    (own,) = mine.locator("#reasons .explained li").all_inner_texts()
    assert "no yellow chief is face up" in own
    assert panel.locator("#reasons .explained li").count() == 2
    rules = open_page(context, f"{box.url}/help/rules/apache#punishment")
    assert rules.inner_text(":target") == "Punishment"


def test_another_match_explains_nothing(box, new_context):
    table = dead_heat(box, new_context())
    assert table.locator(".explained").count() == 0


def test_a_players_phone_opens_why_it_was_ruled_so_and_scrolls_no_more_for_it(box, new_context):
    context = new_context()
    desk = open_desk(context, box)
    desk.check("#practice")
    begin_match(desk, "red", "yellow")
    reveal(desk, box, "buffalo")
    phone = open_page(new_context(viewport={"width": 360, "height": 560}), f"{box.url}/play#seat=yellow")
    phone.wait_for_selector("body.is-ready .pad >> nth=3")
    assert phone.locator("#why").count() == 0
    panel = open_panel(context, box.url)
    press(panel, "red hunter")
    press(panel, "yellow chief")
    phone.wait_for_selector("#why")
    assert phone.evaluate("document.documentElement.scrollHeight") <= 560
    phone.click("#why")
    phone.wait_for_selector("#term:popover-open")
    said = phone.inner_text("#term")
    assert "no yellow chief is face up" in said
    assert "red hunter" not in said
    assert phone.get_attribute("#term a", "href") == "/help/rules/apache#punishment"
    frame = frame_of(phone.locator("#term"))
    assert frame["y"] >= 0
    assert frame["y"] + frame["height"] <= 560
    assert faults(phone) == []


def test_trying_the_box_out_explains_each_ruling(box, new_context):
    page = open_page(new_context(), box.url)
    page.click("#try:visible")
    page.wait_for_selector("#try-cards .button")
    page.click('#try-cards [data-key="buffalo"]')
    button = '[data-button="red first"]:not([disabled])'
    page.wait_for_selector(button)
    page.click(button)
    page.wait_for_selector("#try-ruling .explained li")
    assert "Nobody else pressed." in page.inner_text("#try-ruling .explained")
