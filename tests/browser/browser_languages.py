"""Every page in other languages: told as what it is, nothing English left, nothing cut off; and the choice of one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from companion.adapters.web.pages import PAGES
from companion.core.profiles.exchange import as_file
from tests.browser.box import boxes
from tests.browser.browser_profiles import profiles_of
from tests.browser.desk import begin_match, open_desk, open_page, open_panel, press, reveal, wait_state
from tests.browser.pseudo_box import CODE, with_pseudo
from tests.browser.sizes import at_each
from tests.core.profiles.people import FULL
from tests.words.pseudo import ours

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import BrowserContext, Page

    from tests.browser.box import Box

LANGUAGES = ("it", "fr", "de", CODE)
WIDTHS = (1280, 360)  # what is pressed is pressed on the last of them
ADDRESSES = [page.address for page in PAGES if page.address != "/referee"]
SAID = """() => {
    const found = [];
    const names = "[translate=no], code, kbd, .line-numbers, [data-file] > a, [data-file] > .sentence, #from, #address,"
        + " .link a, .seat-address, footer.languages, #layout, title, .type-remark";
    const isShown = (element) => element.checkVisibility() && !element.closest(names);
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const { parentElement: parent, textContent } = walker.currentNode;
        if (parent && !/^(SCRIPT|STYLE|NOSCRIPT)$/.test(parent.tagName) && isShown(parent)) found.push(textContent);
    }
    for (const element of document.querySelectorAll("[aria-label], [title], [alt], [placeholder]")) {
        if (!isShown(element)) continue;
        for (const name of ["aria-label", "title", "alt", "placeholder"]) {
            const text = element.getAttribute(name);
            if (text) found.push(text);
        }
    }
    return found;
}"""
"""All that is read and heard on a page, but for addresses, commands, keys, names and the record's remarks."""
CUT = """() => [...document.querySelectorAll("body *")].filter((one) => {
    if (!one.checkVisibility() || !one.textContent.trim()) return false;
    if (one.closest("svg, .unseen, select, textarea, .tool-about")) return false;
    const { overflowX, textOverflow } = getComputedStyle(one);
    if (!["hidden", "clip"].includes(overflowX) && textOverflow !== "ellipsis") return false;
    return one.clientWidth > 1 && one.scrollWidth > one.clientWidth + 1;
}).map((one) => `${one.tagName} ${one.id || one.className}: ${one.textContent.slice(0, 60)}`)"""
"""What does not fit its place and is not to be seen whole (a tool's title has what would be taken back)."""
HINTS_CUT = """() => [...document.querySelectorAll("input[placeholder]")].filter((one) => {
    if (!one.checkVisibility()) return false;
    const { font, paddingInlineStart, paddingInlineEnd } = getComputedStyle(one);
    const pen = document.createElement("canvas").getContext("2d");
    pen.font = font;
    const room = one.clientWidth - parseFloat(paddingInlineStart) - parseFloat(paddingInlineEnd);
    const arrows = one.type === "number" ? 18 : 0;  // Chromium keeps their place free
    return pen.measureText(one.placeholder).width > room - arrows;
}).map((one) => `${one.id}: ${one.placeholder}`)"""
"""Fields that show only the beginning of what stands in them while they are empty; scrollWidth does not count it."""
SPILT = """() => [...document.querySelectorAll(
    "button, a.button, .chip, h1, h2, h3, label, legend, summary, p, li, dt, dd")]
    .filter((one) => one.checkVisibility() && !one.closest("svg, .unseen, .skip, .is-hidden, .term"))
    .filter((one) => {
        const style = getComputedStyle(one);
        const isScrolled = one.closest(".course-list, .race-list, .strip, .ledger-scroll, pre, [tabindex='0']");
        const { left, right, width } = one.getBoundingClientRect();
        const isOut = !isScrolled && width > 0 && (left < -1 || right > innerWidth + 1);
        if (one.matches(".tool, .button") && one.scrollHeight > one.clientHeight + 2) return true;
        return isOut || (/^(BUTTON|A)$/.test(one.tagName) && style.overflowX === "visible" && style.display !== "inline"
            && one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0);
    }).map((one) => `${one.tagName} ${one.id || one.className}: ${one.textContent.slice(0, 60)}`)"""
"""What stands over the edge of its button or of the window."""
NAMES = "qr pin ok pdf csv json lines ap usb obs companion tab kib de rfid javascript http https lan apache"
SAME = frozenset(NAMES.split())
"""Names, the same in all languages."""
DEVICES = "|".join(sorted({re.escape(one.device) for one in FULL.mapping}))
NO_WORDS = re.compile(
    rf"{DEVICES}|"
    r"Les Apaches de Paris|\b[A-Z0-9]{4}\b|, [a-z]{2}(?=:|$)|“[a-z]{2}”"
    r"|(?<=⟧|s),? (?:or|and) (?=⟦)|\b[A-Z][a-z]{2} \d+, \d{4}, [\d:]+\W[AP]M"
)
"""Devices' and a game's names, a phone's code, what a card is typed by, and what a browser says: lists and dates."""


WIDE = """() => [...document.querySelectorAll("body *")]
    .filter((one) => one.checkVisibility() && one.getBoundingClientRect().right > innerWidth + 1).slice(0, 5)
    .map((one) => `${one.tagName} ${one.id || one.className.baseVal || one.className}`)"""


def english(text: str) -> list[str]:
    """Give the words of a text that nobody put into the language."""
    return ours(NO_WORDS.sub("", text), known=SAME)


@pytest.fixture(scope="module")
def spoken_box(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Box]:
    """A simulated box that speaks the language that nobody speaks, too."""
    folder = tmp_path_factory.mktemp("spoken")
    with boxes(folder) as start:
        yield start("--simulate", path=with_pseudo(folder / "start"))


def wait_drawn(page: Page) -> None:
    """Wait till the page is as it stays while nothing happens."""
    page.wait_for_load_state("networkidle") if page.url.endswith(("/help", "/stream")) else page.wait_for_load_state()
    page.wait_for_timeout(0)
    page.evaluate("document.fonts.ready")
    page.wait_for_function(
        "() => document.body.matches('.is-drawn, .page-help, .page-matches, .page-people, .page-files, .page-overlay,"
        " .page-play, .page-profile, .page-calibrate, .page-panel, .page-hall, .page-try, .page-referee')"
    )


def faults(page: Page, code: str) -> list[str]:
    """Return a sentence for each fault of a page in a language, at each width."""
    wait_drawn(page)
    found = []
    if page.evaluate("document.documentElement.lang") != code:
        found.append(f"{page.url} {code}: says that it is in another language")
    for width in at_each(page, WIDTHS):
        where = f"{page.url} {code} {width}"
        if page.evaluate("document.documentElement.scrollWidth") > width:
            found.append(f"{where}: is wider than the screen: {page.evaluate(WIDE)}")
        found += [f"{where}: cut: {what}" for what in page.evaluate(CUT) + page.evaluate(HINTS_CUT)]
        found += [f"{where}: over the edge: {what}" for what in page.evaluate(SPILT)]
        if code == CODE and not re.search(r"/(?:help|demo)\b", page.url):  # files, and captions of the games' own
            said: list[str] = page.evaluate(SAID)
            found += [f"{where}: English: {text.strip()!r}" for text in said if english(text)]
    return found


def open_all(context: BrowserContext, box: Box, desk: Page) -> list[Page]:
    return [desk, *(open_page(context, box.url + address) for address in ADDRESSES)]


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_page_is_said_in_a_language_and_fits(new_box, tmp_path, new_context, code):
    profiles_of(tmp_path / "box 0").take_in(as_file(FULL))
    box = new_box("--simulate", path=with_pseudo(tmp_path / "start"))
    context = new_context(viewport={"width": WIDTHS[-1], "height": 800})
    context.add_cookies([{"name": "language", "value": code, "url": box.url}])
    profile = open_page(context, f"{box.url}/profile#card={FULL.card}")
    profile.wait_for_selector("#wishes")
    for name in profile.eval_on_selector_all("#wishes input[type=number]", "all => all.map((one) => one.id)"):
        profile.fill(f"#{name}", "")
    found = faults(profile, code)
    stranger = new_context()
    found += faults(open_page(stranger, f"{box.url}/referee?language={code}"), code)  # the PIN
    desk = open_desk(context, box)
    pages = open_all(context, box, desk)
    if code == CODE:  # a third longer than English, so it tells for all of them what does not fit
        found += [fault for page in pages for fault in faults(page, code)]  # nobody plays
    begin_match(desk, "red", "yellow", variants=("wedding",), window_s=5)
    for card in ("buffalo", "teepee", "green maiden", "red hunter"):
        reveal(desk, box, card)
    panel = open_panel(context, box.url)
    press(panel, "red hunter")
    press(panel, "yellow chief")
    wait_state(desk, "state.phase === 'choosing'")
    found += [fault for page in (*pages, panel) for fault in faults(page, code)]  # somebody chooses
    desk.click("#act-note")
    found += faults(desk, code)  # a dialog
    desk.keyboard.press("Escape")
    desk.click("#offers .option >> nth=0")
    wait_state(desk, "state.offers.length === 0")
    desk.click("#replace-open")
    found += faults(desk, code)
    matches = open_page(context, f"{box.url}/matches#1")
    matches.wait_for_selector(".race-list")
    found += faults(matches, code)
    assert "\n".join(dict.fromkeys(found)) == ""


def test_a_language_is_chosen_on_a_page_and_remembered(spoken_box, new_context):
    context = new_context(viewport={"width": 1280, "height": 800}, locale="fr-FR")
    page = open_page(context, spoken_box.url)
    assert page.evaluate("document.documentElement.lang") == "fr"  # what the browser prefers
    page.click("footer.languages a[hreflang=de]")
    page.wait_for_selector("html[lang=de]")
    page.get_by_role("button", name="Ausprobieren").wait_for()
    for address in ("/table", "/help", "/"):
        page.goto(spoken_box.url + address)
        assert page.evaluate("document.documentElement.lang") == "de", address
    assert page.eval_on_selector("footer.languages [aria-current=page]", "one => one.hreflang") == "de"


def test_nothing_is_english_first_for_a_language_that_is_remembered(spoken_box, new_context):
    """What the page has drawn by itself, from its first picture on, is noted by an observer that is there before."""
    context = new_context(viewport={"width": 1280, "height": 800})
    context.add_cookies([{"name": "language", "value": CODE, "url": spoken_box.url}])
    context.add_init_script(
        """globalThis.drawn = [];
        new MutationObserver((records) => {
            for (const { addedNodes, target } of records) for (const node of [...addedNodes, target]) {
                const element = node instanceof Element ? node : node.parentElement;
                if (element && !element.closest("head, script, noscript, [translate=no], code, footer.languages"))
                    for (const one of [...node.childNodes ?? []].filter((child) => child.nodeType === 3))
                        globalThis.drawn.push(one.textContent);
            }
        }).observe(document, { subtree: true, childList: true, characterData: true });"""
    )
    seen: dict[str, Any] = {}
    for address in ("/", "/table", "/matches", "/play"):
        page = open_page(context, spoken_box.url + address)
        wait_drawn(page)
        said: list[str] = page.evaluate("globalThis.drawn")
        assert len(said) > 5, address
        seen[address] = [text for text in said if english(text)]
    assert seen == {address: [] for address in seen}
