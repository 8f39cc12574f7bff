"""The page of people: names that stay, standings, evenings, links, deletion, print-outs; for all, on every size."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.browser_pages import faults, faults_in_both
from tests.browser.desk import begin_match, open_desk, open_page, wait_state
from tests.browser.sizes import at_each
from tests.browser.stored import PEOPLE, store_evenings

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import BrowserContext, Page

    from tests.browser.box import Box

WAYS = ("", "#person=Ann", "#evening=2025-03-01", "#result=1")


@pytest.fixture
def club(tmp_path: Path, new_box: Callable[..., Box]) -> Box:
    """A box that has seen two evenings of five people."""
    (tmp_path / "box 0").mkdir()
    store_evenings(tmp_path / "box 0")
    return new_box("--simulate")


def people(context: BrowserContext, box: Box, way: str = "") -> Page:
    """Open the page as the referee."""
    page = open_page(context, f"{box.url}/people#pin={box.pin}")
    page.wait_for_selector("h1:has-text('People')")
    page.wait_for_selector("#players")
    if way:
        page.evaluate("(way) => { location.hash = way }", way)
        page.wait_for_selector(".sheet section")
    return page


def rows(page: Page, title: str) -> list[list[str]]:
    """Give the texts of a table."""
    found: list[list[str]] = page.eval_on_selector_all(
        f'table[aria-label="{title}"] tbody tr',
        "all => all.map((row) => [...row.children].map((cell) => cell.textContent))",
    )
    return found


def expected(page: Any, status: int) -> None:
    """Forget the console's note of a refusal that was meant to be, and of nothing else."""
    page.problems[:] = [problem for problem in page.problems if f"status of {status}" not in problem]


def test_a_stranger_is_asked_for_the_pin_and_sees_no_name(club, new_context):
    page = open_page(new_context(), f"{club.url}/people")
    page.wait_for_selector("#pin")
    assert not any(name in page.content() for name in PEOPLE.values())
    page.fill("#pin", club.pin)
    page.click("text=Show the people")
    page.wait_for_selector("#players")
    assert page.eval_on_selector_all("#players strong", "all => all.map((one) => one.textContent)") == sorted(
        PEOPLE.values()
    )
    expected(page, 401)


def test_standings_lead_to_a_person_and_an_evening(club, new_context):
    page = people(new_context(), club)
    assert [row[1] for row in rows(page, "Standings, all games")].count("Ann") == 1
    assert {row[2] for row in rows(page, "Standings, all games")} == {"3"}
    page.click("summary >> text=Standings, Order")
    page.click('table[aria-label="Standings, Order"] >> text=Ann')
    page.wait_for_selector("h1:has-text('Ann')")
    assert page.evaluate("document.activeElement.tagName") == "H1"
    figures = {row[0]: row[1:] for row in rows(page, "Figures")}
    assert re.fullmatch(r"\d+ ms ±20 µs", figures["Median reaction"][0])
    assert re.fullmatch(r"\d+ reactions", figures["Median reaction"][1])
    assert {row[0] for row in rows(page, "Head to head")} == set(PEOPLE.values()) - {"Ann"}
    assert page.locator(".plot").count() == 1
    page.click('table[aria-label="Evenings"] >> text=1 Mar 25')
    page.wait_for_selector("h1:has-text('Evening of 1 March 2025')")
    assert [row[0] for row in rows(page, "Matches")] == ["1", "2"]
    page.click("text=← All people")
    page.wait_for_selector("#players")


def test_whoever_has_played_is_not_typed_again(box, new_context):
    desk = open_desk(new_context(), box)
    desk.click('[data-key="sit red"]')
    desk.click('[data-key="sit blue"]')
    desk.fill('li[data-colour="red"] .name', "Ann")
    desk.fill('li[data-colour="blue"] .name', "Bob")
    desk.click("#begin")
    wait_state(desk, "state.match !== null")
    again = open_desk(new_context(), box)
    again.wait_for_selector("#known-names option", state="attached")
    offered = again.eval_on_selector_all("#known-names option", "all => all.map((one) => one.value)")
    assert offered == ["Ann", "Bob"]
    again.wait_for_selector("#known-names", state="attached")
    page = people(new_context(), box)
    assert page.locator("#players li").count() == 2
    page.fill("#new-name", "Cleo")
    page.click("#add")
    page.wait_for_selector("#players >> text=Cleo")


def test_a_link_shows_a_person_to_a_stranger_until_it_is_taken_back(club, new_context):
    page = people(new_context(), club, "#person=Ann")
    page.click("#share")
    page.wait_for_selector("#links")
    address = page.input_value("#links input")
    assert re.fullmatch(rf"{club.url}/people#shared=[\w-]{{22,}}", address)
    stranger = open_page(new_context(), address)
    stranger.wait_for_selector("h1:has-text('Ann')")
    assert stranger.locator(".plot").count() == 1
    assert not any(name in stranger.content() for name in PEOPLE.values() if name != "Ann")
    page.click("#links >> text=Take back")
    page.wait_for_selector("#said:has-text('shows nothing any more')")
    assert page.locator("#links").count() == 0
    stranger.reload()
    stranger.wait_for_selector(".problem:has-text('taken back')")
    expected(stranger, 404)


def test_a_deleted_person_is_gone_from_every_page_and_every_record_still_holds(club, new_context):
    page = people(new_context(), club, "#person=Ann")
    page.click("#remove")
    page.wait_for_selector("dialog")
    page.click("dialog >> text=Leave it")
    assert page.locator("h1").inner_text() == "Ann"
    page.click("#remove")
    page.click("dialog .is-bad")
    page.wait_for_selector("#said:has-text('Ann is deleted: from the list, the links and 3 records')")
    assert "Ann" not in page.inner_text("#players")
    assert "Ann" not in str(rows(page, "Standings, all games"))
    matches = open_page(new_context(), f"{club.url}/matches")
    matches.wait_for_selector(".match-list")
    assert "Ann" not in matches.inner_text("main")
    assert b"Ann" not in club.record(1)
    assert not any(one["type"] == "error" for one in club.replay(1))


def test_another_name_is_on_every_page(club, new_context):
    page = people(new_context(), club, "#person=Ann")
    page.click("#rename")
    page.fill("dialog input", "Annika")
    page.click("dialog .is-main")
    page.wait_for_selector("h1:has-text('Annika')")
    assert "in 3 records too" in page.inner_text("#said")
    assert {seat.get("name") for seat in club.get("/api/matches/1")["seats"]} >= {"Annika"}


def test_names_stay_while_a_match_is_on_the_table_and_the_page_says_what_to_do(club, new_context):
    context = new_context()
    desk = open_desk(context, club)
    begin_match(desk, "red", "yellow")
    page = people(context, club, "#person=Ann")
    page.click("#remove")
    page.click("dialog .is-bad")
    page.wait_for_selector("#said.problem:has-text('end it, go back to the seating')")
    expected(page, 409)


def test_a_result_is_reached_from_its_match_and_prints_without_the_page_around_it(club, new_context):
    page = open_page(new_context(), f"{club.url}/matches#1")
    page.click("text=Result to print")
    page.wait_for_selector("h1:has-text('Result of Apache, match 1')")
    page.wait_for_load_state()
    assert [row[0] for row in rows(page, "Signatures")] == [*PEOPLE.values(), "Referee"]
    page.emulate_media(media="print")
    shown = page.eval_on_selector_all(
        ".bar, .actions, .back, .skip", "all => all.filter((one) => one.checkVisibility()).length"
    )
    assert shown == 0
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.evaluate("getComputedStyle(document.querySelector('h1')).color") == "rgb(0, 0, 0)"
    assert page.pdf().startswith(b"%PDF-")


def test_pdf_and_files_are_a_click_away(club, new_context):
    page = people(new_context(), club)
    for text, name in (("CSV, for spreadsheets", "people.csv"), ("JSON Lines", "people.jsonl")):
        with page.expect_download() as download:
            page.click(f"text={text}")
        assert download.value.suggested_filename == name
    page.evaluate("location.hash = '#evening=2025-03-01'")
    with page.expect_download() as download:
        page.click("#pdf")
    assert download.value.suggested_filename == "Evening of 1 March 2025.pdf"


def test_an_ended_session_asks_for_the_pin_again(club, new_context):
    page = people(new_context(), club)
    page.context.clear_cookies()
    page.fill("#new-name", "Dora")
    page.click("#add")
    page.wait_for_selector("#pin-problem:has-text('The session has ended')")
    expected(page, 401)


def test_axe_core_finds_nothing(club, new_context):
    context = new_context(viewport={"width": 1280, "height": 900})
    assert [fault for way in WAYS for fault in faults_in_both(people(context, club, way))] == []


def test_axe_core_finds_nothing_in_a_question_or_on_a_phone(club, new_context):
    page = people(new_context(viewport={"width": 360, "height": 640}), club, "#person=Ann")
    found = faults(page)
    page.click("#remove")
    page.wait_for_selector("dialog")
    assert found + faults(page) == []


def test_every_time_of_a_plot_is_seen_without_scrolling(club, new_context):
    page = people(new_context(), club, "#evening=2025-03-01")
    page.wait_for_selector(".plot-lane")
    for width in at_each(page, [320, 360, 1280], 640):
        lying = page.evaluate(  # in one go: the page may be drawn again between what is asked for and what is told
            """() => [...document.querySelectorAll(".plot-lane .token")].map((one) => {
                const [dot, frame] = [one, one.closest(".plot-frame")].map((it) => it.getBoundingClientRect());
                return dot.left >= frame.left && dot.right <= frame.right;
            })"""
        )
        assert lying, width
        assert all(lying), width


def test_nothing_scrolls_sideways_on_a_phone_and_fingers_find_every_target(club, new_context):
    phone = new_context(viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True)
    for way in WAYS:
        page = people(phone, club, way)
        for width in at_each(page, [360, 320], 640):
            assert page.evaluate("document.documentElement.scrollWidth") <= width, way
            small = page.eval_on_selector_all(
                "main button, main input, main a",
                """all => all.filter((one) => one.checkVisibility()).filter((one) => {
                    const box = one.getBoundingClientRect();
                    return box.height < 43.5;
                }).map((one) => one.outerHTML)""",
            )
            assert small == [], (way, width)


def test_bars_and_plots_are_seen_in_forced_colours(club, new_context):
    page = people(new_context(forced_colors="active"), club, "#person=Ann")
    for drawn in (".share-bar rect", ".plot-median line", ".plate"):
        page.wait_for_selector(drawn, state="attached")
    fills = page.eval_on_selector_all(".share-bar rect", "all => all.map((one) => getComputedStyle(one).fill)")
    assert len(set(fills)) == 2
    median = page.evaluate("getComputedStyle(document.querySelector('.plot-median line')).stroke")
    assert median != page.evaluate("getComputedStyle(document.querySelector('.plate')).backgroundColor")
