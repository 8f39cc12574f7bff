"""Scanning with the camera: a film of real labels before Chromium's fake camera, read, and entered by a real box.

Debian's Chromium has no reader of codes of its own, so what reads here is the box's. Where a browser's own is meant, or
another program that has the camera, a stand-in of ten lines in the page takes its place, and the test's name says so.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from companion.config.deck_file import printed_deck
from tests.browser.box import PATIENT
from tests.browser.browser_pages import faults_in_both
from tests.browser.conftest import CHROMIUM
from tests.browser.desk import begin_match, open_desk, open_page, wait_state
from tests.browser.film import Lying, write_film
from tests.browser.players import PHONE, REAL, Host, seated, wait_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    from tests.browser.desk import WatchedPage

CODES = {card: code for code, card in printed_deck("apache").codes.items()}
SCANNED = ("buffalo", "red hunter", "teepee")
TABLE = Lying(seconds=2.4)
READER = ("/js/scanning/worker.js", "/zxing/")
OWN_READER = """(codes) => {
    window.BarcodeDetector = class {
        static getSupportedFormats = async () => ["qr_code", "data_matrix", "code_128", "ean_13"];
        detect = async () => {
            if (codes === null) throw new DOMException("Barcode detection service unavailable.", "NotSupportedError");
            return codes.map((rawValue) => ({ rawValue }));
        };
    };
}"""


@contextmanager
def filmed(browser: Browser, film: Path | None, *flags: str, answer: str = "accept") -> Iterator[Browser]:
    """Start a Chromium before whose camera a film is shown; None: without any camera.

    answer: what a person says who is asked for the camera, "accept" or "deny": one without windows asks nobody.
    """
    asked = f"--use-fake-ui-for-media-stream={answer}" if answer == "deny" else "--use-fake-ui-for-media-stream"
    shown = [] if film is None else [
        "--use-fake-device-for-media-stream", f"--use-file-for-fake-video-capture={film}"
    ]  # fmt: skip
    started = browser.browser_type.launch(
        executable_path=CHROMIUM, args=["--headless", "--no-sandbox", asked, *shown, *flags]
    )
    yield started
    started.close()


@pytest.fixture(scope="module")
def one_card(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_film(tmp_path_factory.mktemp("film") / "one.y4m", [Lying(CODES["buffalo"], "qr_code", 2.0)])


@pytest.fixture(scope="module")
def shown_one_card(browser: Browser, one_card: Path) -> Iterator[Browser]:
    with filmed(browser, one_card) as chromium:
        yield chromium


@pytest.fixture
def before_one_card(shown_one_card: Browser) -> Iterator[Browser]:
    """Chromium with one card before its camera, started once for all tests that ask no more of it; nothing is open."""
    yield shown_one_card
    for context in shown_one_card.contexts:
        context.close()


def asked_for(page: Page) -> list[str]:
    """Have what a page and its workers ask for listed from now on, by address."""
    asked: list[str] = []
    page.context.on("request", lambda request: asked.append("/" + request.url.split("/", 3)[3]))
    return asked


def of_reader(asked: Sequence[str]) -> set[str]:
    return {address for address in asked if address.startswith(READER)}


def says(page: Page, text: str) -> None:
    """Wait until the dialog says this."""
    page.wait_for_function("(text) => document.querySelector('#scan-says')?.textContent.includes(text)", arg=text)


def has_stopped(page: Page) -> bool:
    return bool(page.evaluate("document.querySelector('#scan-dialog video').srcObject === null"))


def scanning_desk(browser: Browser, box: Any, *seats: str, script: str = "", **settings: Any) -> WatchedPage:
    """Open a desk with a match that may use the camera, and its dialog."""
    context = browser.new_context(permissions=["camera"], **settings)
    if script:
        context.add_init_script(script)
    desk = open_desk(context, box)
    begin_match(desk, *(seats or ("red", "yellow")))
    desk.click("#scan")
    return desk


def test_labels_of_every_kind_before_the_camera_are_entered_and_the_reader_is_fetched_only_then(
    box, browser, tmp_path
):  # fmt: skip
    kinds = ("qr_code", "data_matrix", "code_128")
    shown = [each for card, kind in zip(SCANNED, kinds, strict=True) for each in (Lying(CODES[card], kind, 1.6), TABLE)]
    with filmed(browser, write_film(tmp_path / "film.y4m", shown)) as chromium:
        context = chromium.new_context(permissions=["camera"])
        desk = open_desk(context, box)
        asked = asked_for(desk)
        desk.reload()
        begin_match(desk, "red", "yellow")
        assert of_reader(asked) == set()
        desk.click("#scan")
        state = wait_state(desk, "state.match && state.match.lines >= 7")
        desk.wait_for_selector("#scan-dialog[data-reader=box]")
        assert of_reader(asked) == {
            "/js/scanning/worker.js", "/zxing/reader/index.js", "/zxing/share.js", "/zxing/reader/zxing_reader.wasm",
        }  # fmt: skip
        assert state["match"]["lines"] == 7
        entered = [one["says"][0] for one in box.get("/api/course")["entries"] if one["type"] == "reveal"]
        assert sorted(entered) == [f"revealed: {card}" for card in SCANNED]
        assert faults_in_both(desk) == []
        desk.click("#scan-close")
        assert has_stopped(desk)
        assert [one for one in desk.problems if "409 (Conflict)" not in one] == []  # the film begins again


@pytest.mark.parametrize("part", ["/js/scanning/dialog.js", "/css/scanning.css"])
def test_a_dialog_that_does_not_come_from_the_box_is_told_and_comes_when_it_can(box, before_one_card, part):
    desk = open_desk(before_one_card.new_context(permissions=["camera"]), box)
    begin_match(desk, "red", "yellow")
    desk.route(f"**{part}", lambda route: route.abort())
    desk.click("#scan")
    desk.wait_for_selector("#problem >> text=The camera’s dialog did not come from the box")
    assert desk.locator("dialog").count() == 0
    desk.unroute(f"**{part}")
    desk.dblclick("#scan")
    desk.wait_for_selector("#scan-dialog[open]")
    assert desk.evaluate("getComputedStyle(document.querySelector('.scan-picture')).borderRadius") == "10px"
    assert desk.locator("dialog").count() == 1
    wait_state(desk, "state.match.lines >= 3")


def test_a_card_counts_once_until_it_has_been_away_for_two_seconds(still_box, new_context):
    page = open_page(new_context(), f"{still_box.url}/table")
    fresh = page.evaluate(
        """async () => {
            const { once } = await import("/js/scanning/once.js");
            const seen = once();
            return [[["a"], 0], [["a", "b"], 100], [[], 1500], [["a"], 1900], [["b"], 2200], [["a"], 3899],
                [["a", "a"], 5899]].map(([codes, now]) => seen.fresh(codes, now));
        }"""
    )
    assert fresh == [["a"], ["b"], [], [], ["b"], [], ["a"]]


def test_a_player_scans_the_card_with_their_phone_and_has_the_buttons_back_at_once(new_box, before_one_card):
    box = new_box("--game", "apache", config=REAL)
    host = Host(box)
    context = before_one_card.new_context(**PHONE, permissions=["camera"])
    red = seated(host, context, box.url, "red")
    host.begin("red", "yellow", first="red")
    wait_line(red, "Your turn")
    red.tap("#enter-card")
    red.tap("#scan-turned")
    wait_state(red, "state.match.lines === 3")
    red.wait_for_selector("#scan-dialog:not([open])", state="attached")
    assert has_stopped(red)
    red.wait_for_function("document.querySelector('#note').textContent.includes('evealed: buffalo')")
    assert red.problems == []


def test_a_code_of_no_card_is_said_and_the_camera_looks_on(box, browser, tmp_path):
    film = write_film(tmp_path / "film.y4m", [Lying("HTTPS://EXAMPLE.ORG/", "qr_code", 2.0)])
    with filmed(browser, film) as chromium:
        desk = scanning_desk(chromium, box)
        says(desk, "No card has the code HTTPS://EXAMPLE.ORG/")
        assert desk.get_attribute(".scan-says", "data-mood") == "bad"
        assert not has_stopped(desk)
        assert box.get("/api/state")["match"]["lines"] == 1


def test_a_stand_in_for_a_browsers_own_reader_is_used_in_its_place(box, before_one_card):
    context = before_one_card.new_context(permissions=["camera"])
    context.add_init_script(f"({OWN_READER})({[CODES['teepee']]})")
    desk = open_desk(context, box)
    begin_match(desk, "red", "yellow")
    asked = asked_for(desk)
    desk.click("#scan")
    says(desk, "Revealed: teepee.")
    assert desk.get_attribute("#scan-dialog", "data-reader") == "browser"
    assert of_reader(asked) == set()


def test_a_stand_in_for_a_browsers_own_reader_that_fails_at_the_first_picture_gives_way_to_the_boxes(
    box, before_one_card
):  # fmt: skip
    desk = scanning_desk(before_one_card, box, script=f"({OWN_READER})(null)")
    says(desk, "Revealed: buffalo.")


# -- what keeps a camera away ------------------------------------------------------------------------------------------


def test_a_camera_that_is_not_allowed_says_where_to_allow_it_and_may_be_tried_again(box, browser, one_card):
    with filmed(browser, one_card, answer="deny") as chromium:
        desk = scanning_desk(chromium, box)
        says(desk, "This page may not use the camera. Allow it in the browser")
        desk.wait_for_selector("#scan-start:visible")


def test_a_device_without_a_camera_says_so(box, browser):
    with filmed(browser, None) as chromium:
        says(scanning_desk(chromium, box), "This device has no camera that the browser knows")


def test_a_stand_in_for_a_camera_that_another_program_has_says_what_to_close(box, before_one_card):
    script = """navigator.mediaDevices.getUserMedia = async () => {
        throw new DOMException("Could not start video source", "NotReadableError");
    };"""
    says(scanning_desk(before_one_card, box, script=script), "Something else uses the camera")


def test_a_page_that_is_not_encrypted_says_how_it_becomes_so(new_box, browser, one_card):
    """By a name as in a network: of 127.0.0.1 a browser thinks that nobody can listen."""
    box = new_box("--simulate", config=f'{PATIENT}names = ["box.test"]\n')
    with filmed(browser, one_card, "--host-resolver-rules=MAP box.test 127.0.0.1") as chromium:
        box.url = f"http://box.test:{box.port}"
        desk = scanning_desk(chromium, box)
        assert desk.evaluate("isSecureContext") is False
        says(desk, "this page is not encrypted. Whoever keeps the box changes that by “sudo companion encrypt”")


def test_a_browser_that_compiles_no_webassembly_says_so_and_the_camera_is_let_go(box, before_one_card):
    """It is refused by the browser itself: the reader comes with the policy that pages have."""

    def strictly(route: Any) -> None:
        answer = route.fetch()
        policy = answer.headers["content-security-policy"].replace(" 'wasm-unsafe-eval'", "")
        assert policy != answer.headers["content-security-policy"]
        route.fulfill(response=answer, headers={**answer.headers, "content-security-policy": policy})

    context = before_one_card.new_context(permissions=["camera"])
    context.route("**/js/scanning/worker.js", strictly)
    desk = open_desk(context, box)
    begin_match(desk, "red", "yellow")
    desk.click("#scan")
    says(desk, "does not let the box’s reader run")
    assert has_stopped(desk)


def test_a_box_that_was_installed_without_the_reader_says_so(box, before_one_card):
    context = before_one_card.new_context(permissions=["camera"])
    context.route("**/zxing/**", lambda route: route.fulfill(status=404))
    desk = open_desk(context, box)
    begin_match(desk, "red", "yellow")
    desk.click("#scan")
    says(desk, "installed without the reader")


# -- when it ends ------------------------------------------------------------------------------------------------------


def test_the_camera_is_off_while_its_page_is_not_seen_and_starts_again_by_a_key(box, before_one_card):
    desk = scanning_desk(before_one_card, box)
    says(desk, "Revealed: buffalo.")
    desk.evaluate(
        """() => {
            Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
            document.dispatchEvent(new Event("visibilitychange"));
        }"""
    )
    says(desk, "switched off while this page was away")
    assert has_stopped(desk)
    desk.evaluate("delete document.visibilityState")
    desk.focus("#scan-start")
    desk.keyboard.press("Enter")
    says(desk, "This buffalo has been scanned already")


def test_a_camera_with_nothing_new_for_three_minutes_is_switched_off(box, browser, tmp_path):
    film = write_film(tmp_path / "film.y4m", [Lying(seconds=1.0)])
    with filmed(browser, film) as chromium:
        desk = scanning_desk(chromium, box)
        says(desk, "Hold the label of a card")
        desk.evaluate("() => { const now = performance.now; performance.now = () => now.call(performance) + 9e3; }")
        says(desk, "No code is seen")
        desk.evaluate("() => { const now = performance.now; performance.now = () => now.call(performance) + 18e4; }")
        says(desk, "nothing was scanned for three minutes")
        assert has_stopped(desk)


def test_of_two_cameras_the_other_can_be_chosen_and_is_remembered(box, browser, one_card):
    flag = "--use-fake-device-for-media-stream=device-count=2"
    with filmed(browser, None, flag) as chromium:
        desk = scanning_desk(chromium, box)
        desk.wait_for_selector("#scan-camera")
        first = desk.input_value("#scan-camera")
        other = desk.eval_on_selector("#scan-camera", "all => [...all.options].find((one) => !one.selected).value")
        desk.select_option("#scan-camera", other)
        says(desk, "Hold the label of a card")
        desk.click("#scan-close")
        desk.click("#scan")
        says(desk, "Hold the label of a card")
        assert desk.input_value("#scan-camera") == other != first


def test_the_dialog_fits_with_large_keys_and_nothing_beside_the_screen(box, before_one_card):
    desk = scanning_desk(before_one_card, box, viewport={"width": 320, "height": 480})
    says(desk, "Revealed: buffalo.")
    for width, height in ((320, 480), (360, 640), (640, 360), (1280, 800)):
        desk.set_viewport_size({"width": width, "height": height})
        boxes = desk.eval_on_selector_all(
            "#scan-dialog button:not([hidden]), #scan-dialog .scan-says",
            "all => all.map((one) => one.getBoundingClientRect()).map(({ left, right, top, bottom, width, height }) =>"
            " ({ left, right, top, bottom, width, height }))",
        )
        for one in boxes:
            assert one["left"] >= 0
            assert one["right"] <= width
            assert min(one["width"], one["height"]) >= 44
        assert max(one["bottom"] for one in boxes) <= height
