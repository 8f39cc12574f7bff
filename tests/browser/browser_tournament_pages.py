"""The desk's pages in Chromium: nothing for axe-core to find on any size; a spectator, the organiser, the referee."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from companion.tournament.log import lines
from tests.adapters.web.tournament.running import (
    ORGANISER,
    REFEREE,
    RunningDesk,
    checked_in,
    drawn,
    entered,
    played,
    running,
    shows,
)
from tests.browser.browser_pages import faults, faults_in_both
from tests.browser.desk import open_page
from tests.browser.sizes import SCHEMES, at_each
from tests.tournament.desk.hall import Hall

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import BrowserContext, Page

    NewContext = Callable[..., BrowserContext]

SPECTATORS = ("/", "/pairings", "/tables", "/standings", "/player/1", "/hall")
PARTS = ("players", "boxes", "rounds", "tables", "prints", "end")
WIDTHS = (320, 768, 1920)


def opened(context: BrowserContext, desk: RunningDesk, address: str, pin: str = "") -> Page:
    """Open a page of the desk and wait until it is live."""
    page = open_page(context, f"{desk.url}{address}{f'#pin={pin}' if pin else ''}")
    page.wait_for_function(
        "() => document.querySelector('#lamp.is-live') || document.querySelector('.page-tournament-hall')"
    )
    if pin:
        page.wait_for_selector(".columns")
    return page


def expected(page: Any, *says: str) -> None:
    """Forget the console's notes of what was meant to be, and of nothing else."""
    page.problems[:] = [problem for problem in page.problems if not any(one in problem for one in says)]


def is_wide(page: Page, width: int) -> bool:
    """Tell whether a page scrolls sideways."""
    return bool(page.evaluate("document.documentElement.scrollWidth") > width)


# -- every page, every size --------------------------------------------------------------------------------------------


def test_axe_core_finds_nothing_and_no_page_scrolls_sideways(new_context: NewContext) -> None:
    with running(played()) as desk:
        context = new_context()
        found: list[str] = []

        def look(page: Page, examine: Callable[[Page], list[str]], name: str) -> None:
            for width in at_each(page, WIDTHS):
                found.extend(f"{width}: {fault}" for fault in examine(page))
                found.extend([f"{name} is too wide at {width}"] * is_wide(page, width))

        for address in SPECTATORS:
            page = opened(context, desk, address)
            page.wait_for_selector(FIRST[address])
            look(page, faults_in_both, address)
        asked = open_page(context, f"{desk.url}/desk")
        asked.wait_for_selector("#pin")
        look(asked, faults, "the PIN")
        page = opened(context, desk, "/desk", ORGANISER)
        for part in PARTS:
            page.click(f"#to-{part}")
            page.wait_for_selector(f"#{part}:visible .plate")
            look(page, faults, part)
        page.click("#to-tables")
        page.click("[data-key='hand 3']")
        look(page, faults, "a result by hand")
        page = opened(context, desk, "/referee", REFEREE)
        page.wait_for_selector(".presses")
        look(page, faults_in_both, "/referee")
        assert found == []


FIRST = {
    "/": "dl.facts", "/pairings": ".names li", "/tables": ".table-row", "/standings": "tbody tr",
    "/player/1": ".way li",
    "/hall": ".items li",
}  # fmt: skip
"""What is there once a page has been drawn."""


@pytest.mark.parametrize("make", [entered, checked_in])
def test_pages_have_something_to_say_before_anything_is_played(
    new_context: NewContext, make: Callable[[], Hall]
) -> None:
    with running(make()) as desk:
        context = new_context(viewport={"width": 390, "height": 800})
        for address in SPECTATORS:
            page = opened(context, desk, address)
            page.wait_for_function("() => document.querySelector('main').innerText.length > 20")
            page.emulate_media(color_scheme=SCHEMES[0])
            assert faults(page) == []


def test_targets_are_large_enough_for_a_finger(new_context: NewContext) -> None:
    with running(played()) as desk:
        context = new_context(viewport={"width": 320, "height": 700}, has_touch=True, is_mobile=True)
        pages = [opened(context, desk, "/desk", ORGANISER), opened(context, desk, "/referee", REFEREE)]
        pages.append(opened(context, desk, "/pairings"))
        small = [
            text
            for page in pages
            for text in page.eval_on_selector_all(
                "button, select, input, nav a",
                """all => all.filter((one) => one.checkVisibility()).filter((one) => {
                    const box = (one.closest("label.tick") ?? one).getBoundingClientRect();
                    return box.width < 24 || box.height < 24;
                }).map((one) => one.outerHTML)""",
            )
        ]
        assert small == []


# -- a spectator -------------------------------------------------------------------------------------------------------


def test_a_player_finds_the_table_by_name_and_it_is_remembered_on_the_phone(new_context: NewContext) -> None:
    with running(drawn()) as desk:
        context = new_context(viewport={"width": 390, "height": 800})
        page = opened(context, desk, "/pairings")
        page.fill("#search", "luthi le")
        page.click("text=This is me")
        page.wait_for_selector("#own:visible >> text=3")
        again = opened(context, desk, "/")
        again.wait_for_selector(".own >> text=Lea Lüthi")
        assert again.inner_text(".own-table strong") == "3"
        again.click("text=This is not me")
        again.wait_for_selector(".own", state="hidden")


def test_a_new_drawing_is_seen_without_a_reload(new_context: NewContext) -> None:
    with running(checked_in()) as desk, desk.client("organiser") as client:
        page = opened(new_context(), desk, "/pairings")
        page.wait_for_selector("text=No round is drawn yet.")
        assert client.post("/api/acts/draw", json={"round": 1}).status_code == 200
        page.wait_for_selector(".names li >> nth=11")


def test_each_number_of_the_standings_says_how_it_came_about(new_context: NewContext) -> None:
    with running(played()) as desk:
        page = opened(new_context(), desk, "/standings")
        page.click("tbody tr >> nth=0 >> text=How?")
        page.wait_for_selector("dialog[open]")
        page.click("dialog summary >> nth=0")
        assert "24 × (3 + 0) / 3 = 24" in page.inner_text("dialog details[open]")
        page.click("dialog .actions button")
        assert page.evaluate("document.activeElement.textContent") == "How?"


def test_the_hall_turns_its_pages_by_itself_and_stops_when_asked(new_context: NewContext) -> None:
    with running(drawn(80, 20)) as desk:
        page = open_page(new_context(viewport={"width": 800, "height": 450}), f"{desk.url}/hall?seconds=3")
        page.wait_for_selector(".items li")
        first = page.inner_text("#stage")
        page.wait_for_function("(first) => document.querySelector('#stage').innerText !== first", arg=first)
        page.focus("#pause")
        page.keyboard.press("Enter")
        assert page.get_attribute("#pause", "aria-pressed") == "true"
        seen = page.inner_text(".pages")
        page.click("#on")
        page.wait_for_function("(seen) => document.querySelector('.pages').innerText !== seen", arg=seen)


# -- live tables -------------------------------------------------------------------------------------------------------

WATCH = """() => {
  globalThis.changed = new Set();
  new MutationObserver((all) => {
    for (const { target } of all) {
      const row = (target instanceof Element ? target : target.parentElement)?.closest(".table-row");
      if (row) globalThis.changed.add(row.id);
    }
  }).observe(document.querySelector(".table-rows"), { childList: true, subtree: true, characterData: true });
}"""


@pytest.mark.parametrize(("address", "pin"), [("/tables", ""), ("/desk", ORGANISER)])
def test_of_a_thousand_tables_the_row_that_changes_is_changed_alone(
    new_context: NewContext, address: str, pin: str
) -> None:
    hall = drawn(4000, 1000)
    hall.pushes(0, hall.record(700)[:2], name=hall.event.table(1, 700).box or "")
    with running(hall) as desk:
        page = opened(new_context(), desk, address, pin)
        if pin:
            page.click("#to-tables")
        page.wait_for_selector("#table-1000", state="attached")
        page.evaluate(WATCH)
        desk.do(lambda hall: shows(hall, 700, "Anything new"), (1, 700))
        page.wait_for_function("() => document.querySelector('#table-700 .shown').textContent === 'Anything new'")
        assert page.evaluate("[...globalThis.changed]") == ["table-700"]


def test_what_is_typed_stays_while_the_desk_is_gone_and_the_page_comes_back_by_itself(new_context: NewContext) -> None:
    hall = entered(4)
    with running(hall) as desk:
        page = opened(new_context(), desk, "/desk", ORGANISER)
        port = desk.server.port
        page.fill("#enter-player-name", "Max Muster")
    page.wait_for_selector("#lamp.is-lost")
    assert page.is_visible("#faults")
    page.fill("#enter-player-club", "Thun")
    page.click("#enter-player button")
    page.wait_for_selector("#enter-player .problem:visible")
    assert page.input_value("#enter-player-name") == "Max Muster"
    hall.act(lines.PlayerLine, player=5, name="Zoe")
    with running(hall, port=port):
        page.wait_for_selector("#lamp.is-live")
        page.fill("#pin", ORGANISER)  # the session was the old desk's: the PIN is asked for beside what is typed
        page.click(".pin button")
        page.wait_for_selector("#pin", state="detached")
        page.wait_for_selector("#entries >> text=Zoe")
        assert page.input_value("#enter-player-club") == "Thun"
        assert page.input_value("#enter-player-name") == "Max Muster"
        page.click("#enter-player button")
        page.wait_for_selector("#entries >> text=Max Muster")
    expected(page, "WebSocket connection", "ERR_CONNECTION", "status of 401")


# -- the organiser -----------------------------------------------------------------------------------------------------


def test_a_refusal_is_said_at_its_form_and_nothing_typed_is_lost(new_context: NewContext) -> None:
    with running(entered(2)) as desk:
        page = opened(new_context(), desk, "/desk", ORGANISER)
        page.fill("#enter-player-name", "Ann Amsler")
        page.fill("#enter-player-club", "Bern")
        page.click("#enter-player button")
        problem = page.wait_for_selector("#enter-player .problem:visible")
        assert problem is not None
        assert "Player 1 is called Ann Amsler too" in problem.inner_text()
        assert page.input_value("#enter-player-name") == "Ann Amsler"
        page.fill("#enter-player-name", "Ann Amsler-Meier")
        page.click("#enter-player button")
        page.wait_for_selector("#entries >> text=Ann Amsler-Meier")
        assert page.input_value("#enter-player-name") == ""
        expected(page, "status of 409")


def test_the_organiser_is_led_from_the_entries_to_the_clock(new_context: NewContext) -> None:
    hall = entered(8)
    hall.enrol(1, 2)
    with running(hall) as desk:
        page = opened(new_context(), desk, "/desk", ORGANISER)
        page.click("[data-key=next]")
        page.click("dialog button[type=submit]")
        for name in ("Ann", "Ben", "Chloe", "Dario", "Eva", "Flurin", "Gina", "Hugo"):
            page.fill("#search-player", name)
            page.wait_for_function("() => document.querySelectorAll('#entries li').length === 1")
            page.click("#entries .is-main")
            page.wait_for_selector("#entries .is-there")
        page.wait_for_selector("text=8 of 8 so far")
        page.click("[data-key=next]")
        page.click("dialog button[type=submit]")
        page.click("[data-key=next] >> text=Draw round 1")
        page.click("[data-key=next] >> text=Start the clock, 40 minutes")
        page.wait_for_function("() => /^(39|40):/.test(document.querySelector('.next .clock-face').textContent)")
        page.click("#to-rounds")
        page.click("#rounds [data-key=pause]")
        page.wait_for_selector("#rounds [data-key=resume]")


def test_players_change_places_after_the_difference_was_shown(new_context: NewContext) -> None:
    hall = drawn(8, 2)
    with running(hall) as desk:
        page = opened(new_context(), desk, "/desk", ORGANISER)
        page.click("#to-rounds")
        page.click("summary >> text=Change the drawing by hand")
        page.wait_for_selector("#list-of-players option", state="attached")
        page.fill("#swap-one", "1 Ann Amsler")
        page.fill("#swap-other", "eva egger")
        page.fill("#swap-reason", "a wheelchair")
        page.fill("#swap-by", "Zita")
        page.wait_for_selector("#swap-difference >> text=±0")
        page.click("#swap button[type=submit]")
        page.click("dialog button[type=submit]")
        page.wait_for_selector("text=Changed by hand by Zita: a wheelchair")
    assert hall.event.table(1, 1).players[0] == 5


def test_nothing_moves_as_somebody_goes_from_the_last_field_to_the_button(new_context: NewContext) -> None:
    with running(drawn(8, 2)) as desk:
        page = opened(new_context(), desk, "/desk", ORGANISER)
        page.click("#to-rounds")
        page.click("summary >> text=Change the drawing by hand")
        page.wait_for_selector("#list-of-players option", state="attached")
        page.fill("#swap-one", "1 Ann Amsler")
        page.fill("#swap-other", "eva egger")
        page.fill("#swap-reason", "a wheelchair")
        page.wait_for_selector("#swap-difference >> text=±0")
        page.evaluate(WATCH_DIFFERENCE)
        page.fill("#swap-by", "Zita")
        page.click("#swap button[type=submit]")
        page.wait_for_selector("dialog >> text=Have them change places?")
        assert page.evaluate("globalThis.moved") == 0


WATCH_DIFFERENCE = """() => {
  globalThis.moved = 0;
  new MutationObserver((all) => { globalThis.moved += all.length; })
    .observe(document.querySelector("#swap-difference"), { childList: true, characterData: true, subtree: true });
}"""


def test_a_result_by_hand_is_asked_for_twice_and_marked(new_context: NewContext) -> None:
    hall = played()
    with running(hall) as desk:
        page = opened(new_context(), desk, "/desk", ORGANISER)
        page.click("#to-tables")
        page.click("[data-key='hand 3']")
        for player, rank in zip(range(9, 13), (1, 2, 2, 3), strict=True):
            page.fill(f"[name=rank-{player}]", str(rank))
        page.fill("#result-by-hand-reason", "the box fell")
        page.fill("#result-by-hand-by", "Zita")
        page.click("#result-by-hand button[type=submit]")
        page.click("dialog >> nth=1 >> button[type=submit]")
        page.wait_for_selector("#result-by-hand .problem >> text=cannot be number 3")
        page.fill("[name=rank-12]", "4")
        page.click("#result-by-hand button[type=submit]")
        page.click("dialog >> nth=1 >> button[type=submit]")
        page.wait_for_selector("#table-3 >> text=entered by hand: the box fell")
        expected(page, "status of 409")
    assert hall.event.table(1, 3).is_final


# -- the referee -------------------------------------------------------------------------------------------------------


def test_the_referee_reads_the_record_and_answers_and_a_form_in_use_is_not_disturbed(new_context: NewContext) -> None:
    hall = played()
    with running(hall) as desk:
        page = opened(new_context(), desk, "/referee", REFEREE)
        page.wait_for_selector(".presses >> text=Red fourth is first (Eva Egger)")
        page.fill(".dispute textarea", "Red was first.")
        desk.do(lambda hall: hall.pushes(3, hall.record(3, box=3, more=[PROTEST_3]), 4))
        page.wait_for_selector(".dispute >> nth=1")
        assert page.input_value(".dispute >> nth=0 >> textarea") == "Red was first."
        page.fill(".dispute >> nth=0 >> [name=by]", "Ref")
        page.fill(".dispute >> nth=0 >> [name=minutes]", "10")
        page.click(".dispute >> nth=0 >> button[type=submit]")
        page.click("dialog button[type=submit]")
        page.wait_for_function("() => document.querySelectorAll('.dispute').length === 1")
    answer = hall.event.table(1, 2).protests[0].answer
    assert answer is not None
    assert (answer.text, answer.by, answer.stands) == ("Red was first.", "Ref", True)


def test_the_wrong_pin_is_said_and_the_right_one_opens(new_context: NewContext) -> None:
    with running(entered(2)) as desk:
        page = open_page(new_context(), f"{desk.url}/referee")
        page.fill("#pin", "0000")
        page.click(".pin button")
        page.wait_for_selector("#pin-problem:visible >> text=The PIN is wrong")
        page.fill("#pin", REFEREE)
        page.click(".pin button")
        page.wait_for_selector("#announce")
        expected(page, "status of 403")


PROTEST_3 = b'{"type": "protest", "colour": "red", "race": 1, "text": "not so"}'
