"""The page on which a game's file is written: by keyboard alone, on phone and desktop; kept, tried out, begun with."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.box import with_game
from tests.browser.browser_pages import faults
from tests.browser.desk import open_desk, open_page, wait_state
from tests.browser.sizes import in_both

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import BrowserContext, Page, ViewportSize

    from tests.browser.box import Box

PHONE: ViewportSize = {"width": 360, "height": 740}
DESKTOP: ViewportSize = {"width": 1440, "height": 900}
NEW = "#everything/board/"
BOARDS = "[aria-labelledby='list-everything-board']"


@pytest.fixture
def club(new_box: Callable[..., Box], tmp_path: Any) -> Box:
    """A simulated box with a game that asks for a file."""
    path = with_game(tmp_path / "more games", "everything", "tests.contract.everything:EVERYTHING")
    return new_box("--simulate", path=path)


def files(context: BrowserContext, box: Box, way: str = "") -> Page:
    """Open the page as the referee."""
    page = open_page(context, f"{box.url}/files#pin={box.pin}")
    page.wait_for_selector(".file-lists")
    if way:
        page.evaluate("(way) => { location.hash = way }", way)
        page.wait_for_selector("#text")
        page.wait_for_selector(".found.is-good, .found.is-bad")
    return page


def write(page: Page, text: str) -> None:
    """Type a text in the place of what stands there, by keyboard."""
    page.focus("#text")
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(text)
    page.wait_for_selector(".found.is-good, .found.is-bad")
    page.wait_for_timeout(700)


def keep(page: Page, name: str) -> None:
    page.fill("#file-name", name)
    page.press("#file-name", "Enter")
    page.wait_for_selector(f"#said:has-text('{name} is kept')")


def tab_to(page: Page, selector: str, most: int = 80) -> None:
    """Go on by Tab until an element has the focus."""
    for _ in range(most):
        if page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab never came to {selector}")


def expected(page: Any, status: int) -> None:
    """Forget the console's note of a refusal that was meant to be, and of nothing else."""
    page.problems[:] = [problem for problem in page.problems if f"status of {status}" not in problem]


def test_a_stranger_is_asked_for_the_pin_and_comes_to_the_files(club, new_context):
    page = open_page(new_context(), f"{club.url}/files")
    page.wait_for_selector("#pin")
    page.fill("#pin", club.pin)
    page.click("text=Show the files")
    page.wait_for_selector(".file-lists")
    assert page.eval_on_selector_all(f"{BOARDS} [data-file]", "all => all.map((one) => one.dataset.file)") == [
        "board", "narrow.txt", "wide.txt",
    ]  # fmt: skip


def test_a_file_is_written_mended_and_kept_by_keyboard_alone(club, new_context):
    page = files(new_context(viewport=DESKTOP), club)
    tab_to(page, f"{BOARDS} a.button.is-main")
    page.keyboard.press("Enter")
    page.wait_for_selector("#text")
    tab_to(page, "#text")
    page.keyboard.press("Control+A")
    page.keyboard.insert_text("ten columns\nnine rows\n" + "ten columns\n" * 40 + "no")
    page.wait_for_selector("#found:has-text('2 faults')")
    assert page.eval_on_selector_all(".fault strong", "all => all.map((one) => one.textContent)") == [
        "Line 2", "Line 43",
    ]  # fmt: skip
    tab_to(page, ".fault-list li:nth-child(2) .fault")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "text"
    selected = "(() => { const t = document.activeElement; return t.value.slice(t.selectionStart, t.selectionEnd) })()"
    assert page.evaluate(selected) == "no"
    assert page.evaluate("document.querySelector('#text').scrollTop") > 100
    page.wait_for_function(  # they follow with the next picture
        """() => {
            const [numbers, text] = [".line-numbers", "#text"].map((one) => document.querySelector(one).scrollTop);
            return Math.abs(numbers - text) <= 1;
        }"""
    )
    page.keyboard.insert_text("no columns")
    page.wait_for_selector("#found:has-text('1 fault')")
    tab_to(page, ".fault-list li:nth-child(1) .fault")
    page.keyboard.press("Enter")
    page.keyboard.insert_text("nine columns")
    page.wait_for_selector("#found:has-text('Nothing is wrong with it')")
    tab_to(page, "#file-name")
    page.keyboard.insert_text("mine.txt")
    page.keyboard.press("Enter")
    page.wait_for_selector("#said:has-text('mine.txt is kept')")
    assert (club.state / "files/everything/board/mine.txt").read_text().startswith("ten columns\nnine columns\n")
    assert page.evaluate("location.hash") == "#everything/board/mine.txt"


def test_the_page_holds_at_every_size_and_in_both_schemes(club, new_context, tmp_path):
    page = files(new_context(viewport=PHONE), club)

    def look(state: str) -> None:
        for size in (DESKTOP, PHONE):
            page.set_viewport_size(size)
            assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], state
            for scheme in in_both(page):
                assert faults(page) == [], (state, size, scheme)
                page.screenshot(path=tmp_path / f"{state}-{scheme}-{size['width']}.png", full_page=True)

    look("list")
    page.evaluate("(way) => { location.hash = way }", NEW)
    page.wait_for_selector("#text")
    write(page, "ten columns\nnine rows, which is a long line that goes on and on beyond the edge of a phone\n")
    look("fault")
    write(page, "ten columns\nnine columns\n")
    play_to_a_race(page)
    look("trial")


def play_to_a_race(page: Page) -> None:
    """Try the text that stands there, up to the order of a race."""
    move = '[data-offer^="move"]'
    page.click("#try-begin")
    page.wait_for_selector("#trial-presses")
    page.select_option('[data-key="button red"]', "third")
    page.select_option('[data-key="button yellow"]', "second")
    page.fill('[data-key="ms yellow"]', "300")
    page.click('[data-key="press"]')
    page.fill('[data-offer^="stake"] input[type=number]', "5")
    page.click('[data-offer^="stake"] >> text=OK')
    page.click(f'{move} [data-key="begin"]')
    for prompt, value in (("Which column?", "3"), ("Which row?", "4")):
        page.wait_for_selector(f"{move} >> text={prompt}")
        page.select_option(f"{move} select", value)
        page.click(f"{move} >> text=OK")
    page.click(f'{move} [data-key="do"]')
    for kind in ("die", "draw"):
        page.click(f'[data-offer^="{kind}"] [data-key="roll"]')
    page.click('[data-key="card bell"]')
    page.wait_for_selector('[data-key="card bell"]', state="detached")
    page.select_option('[data-key="button red"]', "third")
    page.select_option('[data-key="button yellow"]', "third")
    page.fill('[data-key="ms red"]', "400")
    page.fill('[data-key="ms yellow"]', "317")
    page.click('[data-key="press"]')
    page.wait_for_selector(".order .place")


def test_a_text_is_tried_before_it_is_kept_and_again_once_it_is_another(club, new_context):
    page = files(new_context(viewport=DESKTOP), club, NEW)
    write(page, "ten columns\n")
    play_to_a_race(page)
    order = page.eval_on_selector_all(".order .place", "all => all.map((one) => one.dataset.colour)")
    assert order == ["yellow", "red"]
    assert "83" in page.inner_text(".order .place:nth-child(2)")
    write(page, "two columns\n")
    page.click("#try-again")
    page.wait_for_selector("#try-again", state="detached")
    assert page.eval_on_selector_all(".order .place", "all => all.map((one) => one.dataset.colour)") == order
    page.click("#try-back")
    page.wait_for_selector(".order .place", state="detached")
    assert club.get("/api/matches") == []
    assert club.get("/api/state")["match"] is None


def test_what_was_typed_and_not_kept_is_there_after_the_page_was_left(club, new_context):
    page = files(new_context(), club, NEW)
    write(page, "nine rows of my own\n")
    page.on("dialog", lambda dialog: dialog.accept())
    page.reload()
    page.wait_for_selector("#left:has-text('not kept')")
    assert page.input_value("#text") == "nine rows of my own\n"
    page.click("text=Take the kept text instead")
    page.wait_for_selector(".found.is-good")
    assert page.input_value("#text") == "twenty columns"


def test_a_kept_file_is_deleted_only_by_somebody_who_says_so(club, new_context):
    page = files(new_context(), club, NEW)
    write(page, "ten columns\n")
    keep(page, "mine.txt")
    page.wait_for_selector("#delete")
    page.click("#delete")
    page.click("dialog >> text=Leave it")
    page.click("#delete")
    page.click("dialog .is-bad")
    page.wait_for_selector("#said:has-text('mine.txt is deleted')")
    assert page.locator(f"{BOARDS} [data-file]").count() == 3
    assert not (club.state / "files/everything/board/mine.txt").exists()


def test_two_windows_do_not_write_over_each_other(club, new_context):
    context = new_context()
    first = files(context, club, NEW)
    write(first, "ten columns\n")
    keep(first, "mine.txt")
    second = files(context, club, "#everything/board/mine.txt")
    write(second, "two columns\n")
    keep(second, "mine.txt")
    write(first, "nine columns\n")
    first.click("#keep")
    first.wait_for_selector("#said.problem:has-text('another text is kept')", timeout=5000)
    assert first.input_value("#text") == "nine columns\n"
    assert (club.state / "files/everything/board/mine.txt").read_text() == "two columns\n"
    expected(first, 409)


def test_what_stands_in_a_file_is_text_and_never_a_part_of_the_page(club, new_context):
    page = files(new_context(), club, NEW)
    hostile = '<img src=x onerror="document.title=1"> </textarea><script>document.title=1</script>'
    write(page, hostile)
    page.wait_for_selector(".fault")
    assert hostile in page.inner_text(".fault")
    assert page.locator("#files img, #files script").count() == 0
    assert page.title().startswith("A new file")


def test_the_form_begins_a_match_with_a_file_that_was_written_here(club, new_context):
    context = new_context(viewport=DESKTOP)
    page = files(context, club, NEW)
    write(page, "ten columns\n")
    keep(page, "mine.txt")
    desk = open_desk(context, club)
    desk.select_option('[data-key="game"]', "everything")
    for colour in ("red", "yellow"):
        desk.click(f'[data-key="sit {colour}"]')
    desk.select_option("#parameter-board", "mine.txt")
    desk.wait_for_selector("#parameter-board option:checked:has-text('mine.txt')", state="attached")
    desk.wait_for_timeout(500)
    desk.click("#begin")
    wait_state(desk, "state.match !== null")
    setup = json.loads(club.record(1).splitlines()[0])
    assert setup["files"] == {"board": {"name": "mine.txt", "text": "ten columns\n"}}


def test_a_file_of_this_device_with_a_fault_is_refused_in_the_form_with_its_line(club, new_context, tmp_path):
    desk = open_desk(new_context(viewport={"width": 320, "height": 640}), club)
    desk.select_option('[data-key="game"]', "everything")
    desk.wait_for_selector(".file-choice select option:nth-child(3)", state="attached")
    assert desk.evaluate("document.documentElement.scrollWidth") <= 320
    bad = tmp_path / "bad.txt"
    bad.write_text("ten columns\nnine rows\n")
    desk.set_input_files("#upload-board", bad)
    desk.wait_for_selector(".file-choice .problem:has-text('bad.txt, line 2')")
    latin = tmp_path / "latin.txt"
    latin.write_bytes(b"zw\xf6lf columns")
    desk.set_input_files("#upload-board", latin)
    desk.wait_for_selector(".file-choice .problem:has-text('latin.txt: it is no text in UTF-8')")


def test_past_matches_are_judged_by_the_text_one_after_the_other(club, new_context):
    context = new_context()
    page = files(context, club, NEW)
    write(page, "ten columns\n")
    page.click("#judge-past")
    page.wait_for_selector("#past-status:has-text('no match yet')")
    desk = open_desk(context, club)
    desk.select_option('[data-key="game"]', "order")
    for colour in ("red", "yellow"):
        desk.click(f'[data-key="sit {colour}"]')
    desk.click("#begin")
    wait_state(desk, "state.match !== null")
    page.click("#judge-past")
    page.wait_for_selector("#past-status:has-text('1 of 1 matches')")
    assert "Not compared: no race was judged in it" in page.inner_text(".past-list")


def test_on_a_simulated_box_a_text_is_practised_with_on_its_own_buttons(club, new_context):
    page = files(new_context(), club, NEW)
    write(page, "ten columns\n")
    page.click("#practise")
    page.wait_for_url("**/try")
    page.wait_for_selector("#try-steps:visible")
    setup = json.loads(club.record(1).splitlines()[0])
    assert setup["files"]["board"]["text"] == "ten columns\n"
