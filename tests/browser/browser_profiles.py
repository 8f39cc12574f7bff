"""The page of profiles: by a person's own card, by the referee; a trial of a hand; what goes along; at every size."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from companion.adapters.people_file import PeopleFile
from companion.adapters.profiles_folder import ProfilesFolder
from companion.app.storing.profiles import StoredProfiles
from companion.core.profiles.exchange import as_code, as_file, from_code, from_file
from companion.core.profiles.profile import Allowance, Filters, Profile
from tests.browser.browser_pages import faults_in_both
from tests.browser.browser_people import expected
from tests.browser.desk import open_desk, open_page, wait_state
from tests.browser.sizes import at_each
from tests.core.profiles.people import FULL

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import BrowserContext, Page

    from tests.browser.box import Box

ANN = Profile(name="Ann", filters=Filters(accept_ms=80), card="A" * 16)
BOB = Profile(name="Bob", allowance=Allowance(ms=300), card="B" * 16)


def profiles_of(folder: Path) -> StoredProfiles:
    found = StoredProfiles(ProfilesFolder(folder), PeopleFile(folder))
    found.look()
    return found


@pytest.fixture
def club(tmp_path: Path, new_box: Callable[..., Box]) -> Box:
    """A box that knows three people with profiles, and has one that a newer version wrote."""
    folder = tmp_path / "box 0"
    for profile in (ANN, BOB, FULL):
        profiles_of(folder).take_in(as_file(profile))
    (folder / "profiles" / "00.json").write_bytes(b'{"version":2,"name":"Dora","hat":1}')
    return new_box("--simulate")


def own(context: BrowserContext, box: Box, card: str = ANN.card) -> Page:
    page = open_page(context, f"{box.url}/profile#card={card}")
    page.wait_for_selector("#wishes")
    return page


def all_of_them(context: BrowserContext, box: Box) -> Page:
    page = open_page(context, f"{box.url}/profile#pin={box.pin}")
    page.wait_for_selector("#profiles")
    return page


def test_whoever_types_what_their_card_says_sees_their_own_and_the_device_keeps_it(club, new_context):
    page = open_page(new_context(), f"{club.url}/profile")
    page.wait_for_selector("#card-form")
    page.fill("#own-card", "p-aaaa aaaa aaaa aaaa")
    page.click("text=Open my profile")
    page.wait_for_selector("h1:has-text('Ann')")
    assert page.input_value("#accept_ms") == "80"
    assert "every seat agrees" in page.inner_text(".agreed")
    page.goto(f"{club.url}/")
    page.goto(f"{club.url}/profile")
    page.wait_for_selector("h1:has-text('Ann')")
    page.click("#forget")
    page.wait_for_selector("#card-form")
    assert "Ann" not in page.inner_text("main")


def test_a_card_that_opens_nothing_is_told_and_forgotten(club, new_context):
    page = open_page(new_context(), f"{club.url}/profile#card={'C' * 16}")
    page.wait_for_selector("#said.problem")
    assert "opens no profile here" in page.inner_text("#said")
    assert page.evaluate("localStorage.getItem('companion card')") is None
    expected(page, 404)


def test_a_person_changes_how_they_play_and_it_is_kept(club, new_context):
    page = own(new_context(), club)
    page.select_option("#input", "scan")
    page.fill("#dwell_s", "2.5")
    page.fill("#order-0", "4")
    page.fill("#order-3", "1")
    page.fill("#accept_ms", "")
    page.fill("#extension_s", "1.5")
    page.select_option("#language", "fr")
    page.uncheck("#signal-motor")
    page.click("#keep")
    page.wait_for_selector("#said:has-text('It is kept')")

    kept = profiles_of(club.state).of("Ann")
    assert (kept.input, kept.scanning.dwell_s, kept.scanning.order) == ("scan", 2.5, (4, 2, 3, 1))
    assert (kept.filters, kept.extension_s, kept.language) == (Filters(), 1.5, "fr")
    assert kept.screens.signals == ("tones", "lamp", "phone")


def test_what_cannot_be_is_told_and_nothing_is_kept(club, new_context):
    page = own(new_context(), club)
    page.select_option("#input", "scan")
    page.fill("#order-0", "4")
    page.click("#keep")
    page.wait_for_selector("#said.problem")
    assert "each of the four buttons once" in page.inner_text("#said")
    assert profiles_of(club.state).of("Ann") == ANN
    expected(page, 400)


def test_a_trial_shows_each_touch_and_proposes_what_this_hand_needs(club, new_context):
    page = own(new_context(), club)
    page.fill("#accept_ms", "")
    page.click("#try-hand")
    for number in range(5):
        page.wait_for_selector(f".hand-now:has-text('{number + 1} of 5')")
        asked = page.get_attribute(".is-asked", "data-place")
        assert asked is not None
        other = page.query_selector(f".hand-pad[data-place='{int(asked) % 4 + 1}']")
        page.evaluate(TOUCHES, [other, 60])
        page.evaluate(TOUCHES, [page.query_selector(".is-asked"), 600])
    page.wait_for_selector("#hand-take")

    assert "A touch should count after 80 ms" in page.inner_text("#hand-says")
    assert "every seat agrees to it first" in page.inner_text("#hand-says")
    lines = page.eval_on_selector_all(".touches li", "all => all.map((one) => one.className)")
    assert lines == ["is-none", "is-press"] * 5
    page.click("#hand-take")
    assert page.input_value("#accept_ms") == "80"


TOUCHES = """async ([pad, length]) => {
  const event = (type, stamp) => {
    const made = new PointerEvent(type, { pointerId: 1, bubbles: true, cancelable: true });
    Object.defineProperty(made, "timeStamp", { value: stamp });
    return made;
  };
  pad.setPointerCapture = () => {};
  globalThis.at = Math.max(performance.now(), globalThis.at ?? 0) + 100;
  pad.dispatchEvent(event("pointerdown", globalThis.at));
  pad.dispatchEvent(event("pointerup", globalThis.at + length));
  globalThis.at += length;
}"""


def test_what_goes_along_is_a_file_a_code_and_a_card(club, new_context):
    page = own(new_context(), club, FULL.card)
    page.click("#along")
    page.wait_for_selector(".code-picture svg")
    with page.expect_download() as download:
        page.click("#file")
    assert from_file(Path(download.value.path()).read_bytes()) == FULL
    texts = page.eval_on_selector_all(".code-text", "all => all.map((one) => one.textContent)")
    assert from_code(texts[0]) == from_code(as_code(FULL))
    assert texts[1] == f"P-{FULL.card}"
    assert texts[2].endswith(f"/profile#card={FULL.card}")


def test_the_referee_sees_all_and_is_told_what_cannot_be_read(club, new_context):
    page = all_of_them(new_context(), club)
    names = page.eval_on_selector_all("#profiles strong", "all => all.map((one) => one.textContent)")
    assert names == ["Ann", "Bob", FULL.name]
    assert "Dora" in page.inner_text(".problem")
    assert "newer version" in page.inner_text(".problem")
    page.click("text=Bob")
    page.wait_for_selector("h1:has-text('Bob')")
    page.click("#new-card")
    page.wait_for_selector("#said:has-text('new card')")
    assert profiles_of(club.state).of("Bob").card != BOB.card


def test_a_profile_comes_from_another_box_and_takes_the_place_only_if_that_is_said(club, new_context):
    page = all_of_them(new_context(), club)
    page.fill("#import-text", as_code(Profile(name="Eve", language="it")))
    page.click("#import")
    page.wait_for_selector("#said:has-text('The profile of Eve is kept')")

    other = as_file(Profile(name="Ann", language="de"))
    page.set_input_files("#import-file", {"name": "ann.json", "mimeType": "application/json", "buffer": other})
    page.wait_for_selector("dialog:has-text('Take its place?')")
    page.click("dialog >> text=Leave it")
    assert profiles_of(club.state).of("Ann") == ANN
    page.set_input_files("#import-file", {"name": "ann.txt", "mimeType": "text/plain", "buffer": other})
    page.click("dialog >> text=Take its place >> nth=-1")
    page.wait_for_selector("#said:has-text('The profile of Ann is kept')")
    assert profiles_of(club.state).of("Ann").language == "de"
    expected(page, 409)


def test_a_profile_is_deleted_by_its_person(club, new_context):
    page = own(new_context(), club)
    page.click("#remove")
    page.click("dialog >> text=Delete >> nth=-1")
    page.wait_for_selector("#said:has-text('is deleted')")
    assert profiles_of(club.state).find("Ann") is None
    assert "Ann" in json.dumps(profiles_of(club.state).names())


def test_the_match_form_offers_to_play_by_a_profile(club, new_context):
    desk = open_desk(new_context(), club)
    desk.click('[data-key="sit red"]')
    desk.click('[data-key="sit blue"]')
    assert not desk.is_visible('[data-colour="red"] .by-profile')
    desk.fill('[data-colour="red"] .name', "bob")
    assert desk.is_checked('[data-key="profile red"]')
    desk.click("#begin")
    wait_state(desk, "state.phase === 'question'")
    question = club.get("/api/state")["question"]
    assert question["lines"][1:] == ["RED: −300 ms allowance"]


def test_a_phone_plays_by_its_persons_profile(club, new_context):
    desk = open_desk(new_context(), club)
    phone = open_page(new_context(viewport={"width": 390, "height": 844}), f"{club.url}/play#seat=red")
    phone.wait_for_selector("#code >> text=/[A-Z2-9]{4}/", state="attached")
    code = re.search(r"[A-Z2-9]{4}", phone.evaluate("document.querySelector('#code').textContent"))
    assert code is not None
    context = desk.context.request
    assert context.post(f"{club.url}/api/phones/{code[0]}", data={"seat": "red"}).ok
    phone.click("#menu-opener")
    phone.fill("#own-card", f"P-{ANN.card}")
    phone.click("text=Play by my profile")
    phone.wait_for_selector("#note:has-text('nobody sits at red')")  # the seating knows no red yet


def test_the_page_is_for_everybody_at_every_size(club, new_context):
    asks = open_page(new_context(), f"{club.url}/profile")
    page = own(new_context(), club, FULL.card)
    page.click("#along")
    page.wait_for_selector(".code-picture svg")
    page.click("#try-hand")
    referee = all_of_them(new_context(), club)
    for seen in (asks, page, referee):
        for width in at_each(seen, [1280, 390]):
            assert faults_in_both(seen) == [], width
            assert seen.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
