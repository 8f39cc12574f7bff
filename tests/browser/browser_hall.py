"""The hall screen is read from 5 m in every state of a match; the overlay shows what its address asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.browser_pages import IN_COLOUR, faults
from tests.browser.desk import frame_of, open_desk, open_page, open_panel, press, reveal, wait_state
from tests.browser.proxy import Proxy

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.sizes import Scheme

SEATS = ("red", "yellow", "green", "blue", "purple")
CARDS = ("totem pole", "buffalo", "blue hunter", "teepee", "green maiden", "red hunter")
PLAYS = ("red hunter", "yellow chief", "green maiden", "blue hunter", "purple chief")
NAMES = {"red": "Ada", "purple": "Twelve chars"}
SCREENS: tuple[tuple[int, Scheme], ...] = ((1, "light"), (2, "dark"))
"""So many times 1920 × 1080 is a screen, in this scheme. The second is asked for faults of colours alone."""
SMALLEST_PX, KEY_PX = 24, 60
"""On 1920 × 1080: on a screen of 1.2 m across, seen from 5 m, 24 px are 10 minutes of arc, twice what an eye needs."""
KEY_FACTS = {
    "race": ".order .number, .order .gap strong, .race-card > span:last-child, .standings .score, h1, .order strong",
    "choosing": ".order .number, .order .gap strong, .standings .score, .turn strong, h1",
    "between": ".standings .score, .turn strong, h1",
    "final": ".standings .score, .standings .number, h1, .standings .name:not(.is-long)",
}


def ask(desk: Page, address: str, body: dict[str, Any]) -> None:
    """Post a command as the referee; it must be carried out."""
    status = desk.evaluate(
        """([address, body]) => fetch(address, {
            method: "POST", headers: {"content-type": "application/json"}, body: JSON.stringify(body),
        }).then((answer) => answer.status)""",
        [address, body],
    )
    assert status == 200


def begin(desk: Page, box: Any, seats: tuple[str, ...] = SEATS) -> None:
    seated = [{"colour": colour, **({"name": NAMES[colour]} if colour in NAMES else {})} for colour in seats]
    ask(desk, "/api/match", {"game": "apache", "seats": seated, "variants": ["wedding"], "window_ms": 20_000})
    desk.wait_for_selector("#entry:visible")
    for card in CARDS:
        reveal(desk, box, card)


def choose_all(desk: Page) -> None:
    """Answer whatever is asked, until the race is final."""
    while True:
        state = wait_state(desk, "state.offers.length || state.race.status === 'final'")
        if not state["offers"]:
            return
        before = state["can"]["undo"]["line"]
        offer = state["offers"][0]
        ask(desk, "/api/choose", {"option": offer["options"][0]["key"], "kind": offer["kind"], "seat": offer["seat"]})
        wait_state(desk, "(state.can.undo?.line ?? 0) > argument", before)


def too_small(page: Page, least: float, selector: str = "body *") -> list[str]:
    """Give the texts that can be seen and are written smaller than `least` px, in a strip as it is drawn."""
    found: list[str] = page.evaluate(
        """([selector, least]) => [...document.querySelectorAll(selector)].filter((one) => {
            const said = [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
            const isSeen = one.checkVisibility({ opacityProperty: true });
            if (!said || !isSeen || one.closest(".unseen, .is-hidden, noscript, title")) return false;
            const scale = one.ownerSVGElement ? one.getScreenCTM().a : 1;
            return parseFloat(getComputedStyle(one).fontSize) * scale < least - 0.01;
        }).map((one) => `${one.className.baseVal ?? one.className}: ${one.textContent}`)""",
        [selector, least],
    )
    return found


def outside(page: Page) -> list[str]:
    """Give what does not lie wholly on the screen, or lies over what is below it."""
    found: list[str] = page.evaluate(
        """() => {
            const wrong = [];
            const of = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility());
            for (const one of of(".order > li, .standings > li, .turn, h1, .highlights > div, .strip, .race-card")) {
                const box = one.getBoundingClientRect();
                if (box.left < 0 || box.top < 0 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1)
                    wrong.push(`off the screen: ${one.textContent}`);
                const room = innerHeight / 360; // letters reach a little beyond their line
                if (one.scrollHeight > one.clientHeight + room || one.scrollWidth > one.clientWidth + room)
                    wrong.push(`cut: ${one.textContent}`);
            }
            const [foot] = of("#foot .turn");
            if (foot) for (const one of of(".order > li, .standings > li, .strip")) {
                const [a, b] = [one.getBoundingClientRect(), foot.getBoundingClientRect()];
                const isBeside = a.right <= b.left + 1 || b.right <= a.left + 1;
                if (a.bottom > b.top + 1 && !isBeside) wrong.push(`covered: ${one.textContent}`);
            }
            return wrong;
        }"""
    )
    return found


def test_the_hall_screen_can_be_read_from_afar_in_every_state_of_a_match(box, new_context):
    context = new_context(viewport={"width": 1280, "height": 900})
    desk, panel = open_desk(context, box), open_panel(context, box.url)
    there = new_context(viewport={"width": 1920, "height": 1080}, reduced_motion="reduce")
    ruled, between = open_page(there, f"{box.url}/hall?stays=600"), open_page(there, f"{box.url}/hall?stays=0")
    wrong: list[str] = []

    def look(page: Page, state: str) -> None:
        page.wait_for_selector("#controls.is-hidden", state="attached")
        for scale, scheme in SCREENS:
            page.set_viewport_size({"width": 1920 * scale, "height": 1080 * scale})
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            key_facts = too_small(page, KEY_PX * scale, KEY_FACTS.get(state, "h1"))
            found = [*too_small(page, SMALLEST_PX * scale), *key_facts, *outside(page)]
            found += faults(page, () if scheme == "light" else IN_COLOUR)
            wrong.extend(f"{state}, {scale}, {scheme}: {one}" for one in found)

    ruled.wait_for_selector("text=Nobody sits at the table yet.")
    look(ruled, "nobody")
    begin(desk, box)
    ruled.wait_for_selector(".race-card >> text=red hunter")
    look(ruled, "ready")
    for play in PLAYS[:-1]:
        press(panel, play)
    ruled.wait_for_selector(".order .place >> nth=3")
    assert ruled.locator(".order .chip").count() == 0, "a verdict is shown before the race is judged"
    look(ruled, "race")
    press(panel, PLAYS[-1])
    ruled.wait_for_selector(".turn >> text=Ada (red) chooses")
    look(ruled, "choosing")
    choose_all(desk)
    ruled.wait_for_selector(".turn >> text=reveals the next card")
    between.wait_for_selector(".strip svg")
    look(ruled, "ruled")
    look(between, "between")
    assert between.inner_text('.standings [data-colour="yellow"] .is-bad') == "✕ punished"
    assert between.locator(".standings li >> nth=0").get_attribute("data-colour") == "red"
    ask(desk, "/api/end", {})
    told = box.get("/api/matches/1")["highlights"]  # those of presses need a ±, which a busy machine may not know
    ruled.wait_for_selector(f".highlights div >> nth={len(told) - 1}")
    look(ruled, "final")
    assert ruled.inner_text("h1") == "Ada (red) and Green share the victory."
    shown = ruled.eval_on_selector_all(".highlights dd > span:last-child", "all => all.map((one) => one.textContent)")
    assert shown == [one["says"] for one in told]
    assert "Yellow and Twelve chars (purple): once each" in shown
    assert wrong == []


def test_the_order_goes_back_to_the_race_when_the_next_begins_and_a_replaced_call_is_shown_again(box, new_context):
    context = new_context()
    desk, panel = open_desk(context, box), open_panel(context, box.url)
    hall = open_page(new_context(viewport={"width": 1920, "height": 1080}), f"{box.url}/hall?stays=0")
    begin(desk, box, ("red", "yellow"))
    for play in PLAYS[:2]:
        press(panel, play)
    choose_all(desk)
    hall.wait_for_selector(".strip svg")
    reveal(desk, box, "buffalo")
    hall.wait_for_selector(".race-card >> text=Revealed: buffalo")
    press(panel, "red chief")
    hall.wait_for_selector(".order .place")
    assert hall.locator(".strip").count() == 0


UNTOUCHED = """
  let touched = false;
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => { touched = true; }, true);
  Object.defineProperty(navigator, "userActivation", { value: { get hasBeenActive() { return touched; } } });
"""
"""A page that only a pointer or a key wakes: whatever a test asks of a page counts as a touch in Chromium."""


def test_sound_and_voice_are_off_until_they_are_switched_on_and_are_remembered(box, new_context):
    context = new_context()
    desk, panel = open_desk(context, box), open_panel(context, box.url)
    there = new_context()
    there.add_init_script(
        """window.said = []; window.tones = 0;
        speechSynthesis.speak = (one) => { said.push(one.text); one.onend?.(); };
        const make = AudioContext.prototype.createOscillator;
        AudioContext.prototype.createOscillator = function () { tones += 1; return make.call(this); };"""
    )
    hall = open_page(there, f"{box.url}/hall?stays=600")
    hall.wait_for_selector("#controls.is-hidden", state="attached")
    begin(desk, box, ("red", "yellow"))
    press(panel, "red hunter")
    hall.wait_for_selector(".order .place")
    hall.wait_for_function("() => document.querySelector('#spoken').textContent.includes('Red hunter is first.')")
    assert hall.evaluate("[said.length, tones]") == [0, 0]
    hall.mouse.move(50, 50)
    hall.wait_for_selector("#controls:not(.is-hidden)")
    assert frame_of(hall.locator("#voice"))["height"] >= 44
    hall.click("#voice")
    hall.click("#tones")
    assert hall.inner_text("#voice") == "Voice: on"
    hall.evaluate("document.activeElement.blur()")
    hall.wait_for_selector("#controls.is-hidden", state="attached")
    press(panel, "yellow chief")
    hall.wait_for_function("() => said.join(' ').includes('Pow-Wow 1, ')")
    assert "1: red hunter is first." in hall.evaluate("said.join(' ')")
    hall.wait_for_function("() => tones > 0")
    hall.close()
    there.add_init_script(UNTOUCHED)
    hall = open_page(there, f"{box.url}/hall?stays=600")
    hall.wait_for_selector("#voice[aria-pressed=true]")
    hall.wait_for_selector("text=Click once: this browser is silent until then.")
    hall.mouse.click(50, 50)
    hall.wait_for_selector("#controls.is-hidden", state="attached")
    hall.keyboard.press("Tab")
    hall.wait_for_selector("#controls:not(.is-hidden) #tones:focus")
    assert hall.locator("text=Click once").is_hidden()


def test_a_hall_screen_says_that_it_is_cut_off_and_comes_back(box, new_context):
    proxy = Proxy(box.port)
    try:
        hall = open_page(new_context(), f"{proxy.url}/hall")
        hall.wait_for_selector("text=Nobody sits at the table yet.")
        proxy.cut()
        hall.wait_for_selector("#lost >> text=It is being tried again.")
        proxy.mend()
        hall.wait_for_selector("#lost", state="hidden")
    finally:
        proxy.close()
    hall.problems.clear()


# -- the overlay -------------------------------------------------------------------------------------------------------


def test_an_overlay_is_empty_between_races_and_names_the_winner_at_the_end(box, new_context):
    context = new_context()
    desk, panel = open_desk(context, box), open_panel(context, box.url)
    there = new_context(viewport={"width": 1920, "height": 1080})
    brief, long = open_page(there, f"{box.url}/overlay?stays=0"), open_page(there, f"{box.url}/overlay?stays=600")
    for page in (brief, long):
        page.wait_for_selector("body[data-shows=nothing]")
        assert seen(page) == ""
    begin(desk, box, ("red", "yellow"))
    assert seen(long) == ""
    press(panel, "red hunter")
    for page in (brief, long):
        page.wait_for_selector('#order [data-colour="red"]')
        assert "red hunter" in page.inner_text("#title")
    press(panel, "yellow chief")
    choose_all(desk)
    brief.wait_for_selector("body[data-shows=nothing]")
    assert seen(brief) == ""
    long.wait_for_selector("#title >> text=Pow-Wow 1 · final")
    assert "✕" in long.inner_text('#order [data-colour="yellow"]')
    ask(desk, "/api/end", {})
    for page in (brief, long):
        page.wait_for_selector("body[data-shows=winner]")
        assert seen(page) == "Ada (red) wins."
    ask(desk, "/api/leave", {})
    for page in (brief, long):
        page.wait_for_selector("body[data-shows=nothing]")


def seen(page: Page) -> str:
    """Give all the words that somebody sees."""
    words: str = page.evaluate(
        """() => [...document.querySelectorAll("#problem, #title:not(.unseen), #order, #more, #scores")]
            .filter((one) => one.checkVisibility()).map((one) => one.textContent.trim()).join(" ").trim()"""
    )
    return words


def test_an_overlay_shows_what_its_address_asks_for_where_it_asks_for_it(box, new_context):
    context = new_context()
    desk, panel = open_desk(context, box), open_panel(context, box.url)
    begin(desk, box, ("red", "yellow"))
    there = new_context(viewport={"width": 1920, "height": 1080})
    pages = {
        query: open_page(there, f"{box.url}/overlay?{query}")
        for query in (
            "shows=scores,turn",
            "place=right&size=large",
            "place=bottom&theme=clear",
            "theme=light&shows=order",
        )
    }
    scores = pages["shows=scores,turn"]
    scores.wait_for_selector("#more >> text=Ada (red) reveals the next card")
    assert scores.inner_text("#scores").split() == ["Ada", "0", "Yellow", "0"]
    press(panel, "red hunter")
    for page in list(pages.values())[1:]:
        page.wait_for_selector("#order li")
    assert scores.locator("#order").is_hidden()
    right, bottom = pages["place=right&size=large"], pages["place=bottom&theme=clear"]
    assert frame_of(right.locator("#order"))["x"] > 900
    assert right.evaluate("getComputedStyle(document.documentElement).fontSize") == "24px"
    assert frame_of(bottom.locator("#order"))["y"] > 900
    assert bottom.eval_on_selector("#order li", "(one) => getComputedStyle(one).backgroundColor") == "rgba(0, 0, 0, 0)"
    assert "red hunter" not in pages["theme=light&shows=order"].inner_text("#title")
    for page in pages.values():
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgba(0, 0, 0, 0)"
        assert faults(page) == []


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("place=middle", "“place=middle”: it must be one of these: top, bottom, left, right."),
        (
            "shows=order,cheese",
            "“shows=cheese”: it must be any of these, with commas between: order, card, scores, turn, clocks.",
        ),
        ("stays=long", "“stays=long”: it must be a whole number from 0 to 600."),
        ("stays=601", "“stays=601”: it must be a whole number from 0 to 600."),
        ("colour=red", "“colour” is not known here. Known are place, size, theme, shows, stays."),
    ],
)
def test_what_an_address_asks_wrongly_is_said_in_a_sentence(box, new_context, query, says):
    page = open_page(new_context(), f"{box.url}/overlay?{query}")
    page.wait_for_selector("#problem:visible")
    assert page.inner_text("#problem") == f"The address of this page is not right. {says}"


def test_the_page_for_streams_makes_an_address_that_the_overlay_takes(box, new_context):
    context = new_context(permissions=["clipboard-read", "clipboard-write"])
    page = open_page(context, f"{box.url}/stream")
    assert page.get_attribute("#address", "href") == f"{box.url}/overlay"
    page.select_option("#place", "bottom")
    page.select_option("#theme", "clear")
    page.uncheck("input[value=card]")
    page.check("input[value=scores]")
    page.fill("#stays", "0")
    made = f"{box.url}/overlay?place=bottom&theme=clear&shows=order,scores,clocks&stays=0"
    assert page.inner_text("#address") == made
    page.click("#copy")
    page.wait_for_selector("text=It is copied.")
    assert page.evaluate("navigator.clipboard.readText()") == made
    assert faults(page) == []
    overlay = open_page(context, made)
    overlay.wait_for_selector("body[data-shows=nothing][data-place=bottom]")
    assert overlay.locator("#problem").is_hidden()
