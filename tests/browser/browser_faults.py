"""Faults that people see on the pages: one sentence says what to do, and that mends it.

Those of a player's own phone are in the player's tests, cut connections in `browser_connection`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.browser.box import Box
from tests.browser.desk import begin_match, open_desk, open_page, open_panel, reveal, wait_state
from tests.browser.proxy import Proxy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


@pytest.fixture
def restarted(tmp_path: Path) -> Iterator[Callable[..., Box]]:
    """Start a box again where it was: the same records, PIN and port."""
    boxes: list[Box] = []

    def start(port: int = 0) -> Box:
        boxes.append(Box(tmp_path / "a box", "--simulate", port=port))
        return boxes[-1]

    yield start
    for box in boxes:
        box.stop()


def test_a_desk_whose_box_was_restarted_asks_for_the_pin_and_goes_on(restarted, new_context):
    box = restarted()
    desk, table = open_desk(new_context(), box), open_page(new_context(), f"{box.url}/table")
    begin_match(desk, "red", "yellow")
    reveal(desk, box, "buffalo")
    box.stop()
    for page in (desk, table):
        page.wait_for_selector("#faults >> text=connection lost")
        told = page.inner_text("#faults")
        assert "What is shown may be old: stay on this page" in told
        assert "look whether the box runs" in told
    box = restarted(port=box.port)
    desk.wait_for_selector("#pin-problem >> text=The session has ended")
    assert "enter the PIN that the box’s display shows now" in desk.inner_text("#pin-problem")
    table.wait_for_selector("#lamp.is-live")
    table.wait_for_selector("text=A match was cut off")
    table.get_by_role("link", name="To the referee’s desk").wait_for()
    assert "connection lost" not in table.inner_text("body")
    desk.fill("#pin", box.pin)
    desk.keyboard.press("Enter")
    desk.click("#act-resume")
    wait_state(desk, "state.match !== null && state.can.reveal")
    for page in (desk, table):
        page.problems.clear()  # the browser notes each failed attempt


def test_a_desk_is_told_that_its_pin_was_changed_and_opens_by_the_new_one(box, new_context):
    one, other = open_desk(new_context(), box), open_desk(new_context(), box)
    status = other.evaluate(
        "fetch('/api/pin', {method: 'PUT', headers: {'content-type': 'application/json'},"
        " body: JSON.stringify({pin: '246813'})}).then((answer) => answer.status)"
    )
    assert status == 200
    one.wait_for_selector("#pin-problem:visible")
    assert one.inner_text("#pin-problem") == (
        "The session has ended, by its age or because the PIN was changed: "
        "enter the PIN that the box’s display shows now."
    )
    one.fill("#pin", "246813")
    one.keyboard.press("Enter")
    one.wait_for_selector("#desk .desk")


def test_past_matches_that_cannot_be_read_now_are_tried_again_by_one_tap(restarted, new_context):
    box = restarted()
    desk, matches = open_desk(new_context(), box), open_page(new_context(), f"{box.url}/matches")
    begin_match(desk, "red", "yellow")
    matches.reload()
    matches.wait_for_selector("a.match")
    box.stop()
    matches.click("a.match")
    matches.wait_for_selector(".problem")
    assert matches.inner_text(".problem") == (
        "The box cannot be reached: look whether it runs and this device is in its network, then try again."
    )
    restarted(port=box.port)
    matches.get_by_role("button", name="Try again").click()
    matches.wait_for_selector("h1 >> text=Apache, match 1")
    for page in (desk, matches):
        page.problems.clear()


def test_a_command_that_cannot_be_sent_is_not_said_to_be_undone(box, new_context):
    """The answer may have been lost, and not the command: nobody is told that nothing has happened."""
    proxy = Proxy(box.port)
    desk = open_page(new_context(), f"{proxy.url}/referee#pin={box.pin}")
    desk.wait_for_selector("#desk .desk")
    begin_match(desk, "red", "yellow")
    proxy.cut()
    desk.click('.card-key[data-key="buffalo"]')
    desk.wait_for_selector("#problem:visible")
    assert desk.inner_text("#problem") == (
        "The box cannot be reached: wait until this page is live again, and look whether it was done."
    )
    desk.problems.clear()
    proxy.close()


def test_a_panel_tells_what_to_do_while_it_cannot_press(box, new_context):
    proxy = Proxy(box.port)
    panel = open_panel(new_context(), proxy.url)
    proxy.cut()
    panel.wait_for_selector("#clock >> text=Connection lost")
    assert panel.inner_text("#clock") == "Connection lost: stay on this page, and say aloud what you press meanwhile."
    proxy.mend()
    panel.wait_for_selector("#clock >> text=Ready.")
    panel.problems.clear()
    proxy.close()


def test_a_panel_that_is_open_elsewhere_says_so_and_what_to_do(box, new_context):
    context = new_context()
    one = open_panel(context, box.url)
    secret = one.evaluate("sessionStorage.getItem('companion panel')")
    context.add_init_script(f"sessionStorage.length || sessionStorage.setItem('companion panel', {secret!r})")
    open_panel(context, box.url)
    one.wait_for_selector("#take-back")
    assert re.match("This panel is open in another place now. Take it back here", one.inner_text("#answer"))
    assert one.inner_text("#clock") == "This page is no panel now: what to do is said beside this."
    one.click("#take-back")
    one.wait_for_selector("body.is-ready")
