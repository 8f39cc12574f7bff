"""An allowance is measured on the page: by the referee, with buttons of the panel; everybody sees figures and plot.

Trials of another evening are kept beside the box, so that one more makes the round whole: all of them take 90 s.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest

from companion.core.calibration.kept import VERSION, Kept, KeptSeries, dump
from companion.core.calibration.trials import Way
from companion.core.panel import Colour
from tests.browser.browser_pages import faults_in_both
from tests.browser.desk import open_page, open_panel, press, wait_state
from tests.browser.sizes import at_each

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

    from tests.browser.box import Box

SLOW = {Colour.RED: 1250, Colour.YELLOW: 480, Colour.BLUE: 440}


def trials(count: int) -> bytes:
    """So many trials of each seat, as they would have been made; some that did not count."""
    drawn = random.Random(4)
    seats = tuple(
        KeptSeries(
            colour,
            Way.CHOICE,
            times_ms=tuple(round(middle + drawn.gauss(0, 20) + drawn.expovariate(1 / 40)) for _ in range(count)),
            anticipated=int(colour is Colour.YELLOW),
            wrong=2 * (colour is Colour.RED),
        )
        for colour, middle in SLOW.items()
    )
    return dump(Kept(VERSION, Colour.RED, seats))


@pytest.fixture
def measured_box(new_box: Any, tmp_path: Path) -> Box:
    """A box at which 29 trials of each are kept."""
    state = tmp_path / "box 0"
    state.mkdir()
    (state / "calibration.json").write_bytes(trials(29))
    box: Box = new_box("--simulate")
    return box


def all_sit(panel: Page) -> None:
    for colour in SLOW:
        press(panel, f"{colour} first")
    wait_state(panel, "state.lobby?.seats.length === 3")


def last_trial(page: Page, panel: Page) -> dict[str, Any]:
    """Play the trial that is missing, and give the state with the proposal."""
    state = wait_state(page, "state.calibration?.asks")
    page.wait_for_selector(".trial.is-asked")
    assert page.inner_text(".asked") == state["calibration"]["asks"]
    page.wait_for_timeout(300)  # a machine is quicker than the 100 ms before which nobody can have seen it
    for colour in SLOW:
        press(panel, f"{colour} {state['calibration']['asks']}")
    return wait_state(page, "state.calibration?.proposal")


def test_kept_trials_are_gone_on_with_and_every_seat_agrees_by_a_button(measured_box, new_context, tmp_path):
    panel = open_panel(new_context(), measured_box.url)
    all_sit(panel)
    page = open_page(new_context(), f"{measured_box.url}/calibrate#pin={measured_box.pin}")
    looker_on = open_page(new_context(), f"{measured_box.url}/calibrate")
    page.click('[data-key="player red"]')
    page.wait_for_selector("text=Go on after 29 trials")
    assert looker_on.locator("[data-key=begin]").count() == 0
    page.click("[data-key=begin]")
    calibration = last_trial(page, panel)["calibration"]
    proposal = calibration["proposal"]
    assert proposal["trials"] == 30
    assert 700 <= proposal["ms"] <= 840
    assert proposal["low_ms"] < proposal["difference_ms"] < proposal["high_ms"]
    looker_on.wait_for_selector("#figures .plot")
    assert looker_on.locator("#figures .plot-lane").count() == 3
    assert looker_on.locator("#figures .plot-lane").first.locator(".token").count() == 31  # each trial, and the name's
    assert "2 on another card" in looker_on.inner_text("#figures")
    assert f"−{proposal['ms']} ms" in looker_on.inner_text(".proposed")
    assert faults_in_both(looker_on) == []
    looker_on.screenshot(path=tmp_path / "proposal.png", full_page=True)
    press(panel, "blue first")
    press(panel, "yellow second")
    assert wait_state(page, "state.calibration?.missing.length === 1")["calibration"]["missing"] == ["red"]
    press(panel, "red third")
    state = wait_state(page, "state.calibration === null")
    assert state["lobby"]["allowances_ms"]["red"] == proposal["ms"]
    assert any(f"red has {proposal['ms']} ms until somebody else sits there" in alarm for alarm in state["alarms"])
    assert not (measured_box.state / "calibration.json").exists()


def test_the_fourth_button_does_not_agree_and_nothing_is_changed(measured_box, new_context):
    panel = open_panel(new_context(), measured_box.url)
    all_sit(panel)
    page = open_page(new_context(), f"{measured_box.url}/calibrate#pin={measured_box.pin}")
    page.click('[data-key="player red"]')
    page.click("[data-key=begin]")
    last_trial(page, panel)
    press(panel, "yellow fourth")
    state = wait_state(page, "state.calibration === null")
    assert state["notice"] == "YEL does not agree"
    assert not state["lobby"]["allowances_ms"].get("red")


def test_a_pause_is_a_button_and_what_was_tried_waits_on_the_disk(measured_box, new_context):
    panel = open_panel(new_context(), measured_box.url)
    all_sit(panel)
    page = open_page(new_context(), f"{measured_box.url}/calibrate#pin={measured_box.pin}")
    page.click('[data-key="player red"]')
    page.select_option("#way-yellow", "switch")
    page.click("[data-key=begin]")
    page.click("[data-key=pause]")
    page.wait_for_selector('[data-key="go on"]')
    page.click('[data-key="without yellow"]')
    state = wait_state(page, "state.calibration?.seats.length === 2")
    assert [seat["colour"] for seat in state["calibration"]["seats"]] == ["red", "blue"]
    page.click("[data-key=leave]")
    wait_state(page, "state.calibration === null")
    assert (measured_box.state / "calibration.json").exists()


def test_every_stage_of_it_fits_and_axe_finds_nothing(measured_box, new_context, tmp_path):
    panel = open_panel(new_context(), measured_box.url)
    page = open_page(new_context(), f"{measured_box.url}/calibrate#pin={measured_box.pin}")
    found: list[str] = []

    def look(name: str) -> None:
        for width in at_each(page, [1280, 320], 900):
            assert page.evaluate("document.documentElement.scrollWidth") <= width, name
            page.screenshot(path=tmp_path / f"{name} {width}.png", full_page=True)
            found.extend(f"{name} {width}: {fault}" for fault in faults_in_both(page))

    page.wait_for_selector("text=take their seats first")
    look("nobody")
    all_sit(panel)
    page.wait_for_selector('[data-key="player red"]')
    look("whose")
    page.click('[data-key="player red"]')
    page.wait_for_selector("[data-key=begin]")
    look("told")
    page.click("[data-key=begin]")
    page.wait_for_selector(".trial.is-asked")
    look("asked")
    state = wait_state(page, "state.calibration?.asks")
    page.wait_for_timeout(300)
    for colour in SLOW:
        press(panel, f"{colour} {state['calibration']['asks']}")
    page.wait_for_selector(".proposed")
    look("proposed")
    assert found == []
