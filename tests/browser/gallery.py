"""Draws every page in every state, in every size and scheme, for the documentation:   python -m tests.browser.gallery

`SCENES` is the course of an evening; each scene leads on from the one before, and names the pages that are drawn in it.
A page is loaded once for a scene, and then drawn in each size and scheme. Entries of pages that do not exist are left
out, so that the table can be ahead of `PAGES`. It writes `docs/pictures/` and the page that shows them.
"""

from __future__ import annotations

import io
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.adapters.web.pages import PAGES
from tests.browser.box import Box
from tests.browser.desk import line_of
from tests.browser.proxy import Proxy
from tests.browser.sizes import SCHEMES
from tests.engines.table import REAL, Referee, is_final, until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, Page

    from tests.attack.phones import Phone

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "pictures"
PAGE = ROOT / "docs" / "pictures.md"
SIZES = ((360, 640), (1280, 800), (1920, 1080))
LARGEST_BYTES = 300_000
MOST_BYTES = 15_000_000
QUALITY = 65
SEATS = ("red", "yellow", "blue", "purple")
CARDS = (
    "totem pole", "buffalo", "blue hunter", "teepee", "green maiden", "yellow warrior", "red hunter", "buffalo",
)  # fmt: skip
WINDOW_MS = 120_000
WRITTEN = "claim/game/snap.toml"
"""The file that is written in the pictures."""
APART_S = 0.3
PATIENCE_MS = 30_000


class Shot(NamedTuple):
    """A page as it is drawn in a scene. page: its name in PAGES. who: "guest", "referee", or "player" on a phone.

    says: the caption. more: behind its address. act: what is done on it first.
    """

    page: str
    says: str
    who: str = "guest"
    more: str = ""
    act: Callable[[Page], object] | None = None


class Scene(NamedTuple):
    """A state of the table. lead: leads there from the scene before."""

    name: str
    lead: Callable[[Stage], object]
    shots: tuple[Shot, ...]


class Stage:
    """Two boxes: a simulated one that all look at, and one that phones play on, with the page of one of them."""

    def __init__(self, folder: Path, browser: Browser) -> None:
        from tests.attack.phones import Phone

        self.box = Box(folder / "simulated", "--simulate")
        self.real = Box(folder / "phones", config=REAL)
        self.referee, self.host = Referee(self.box), Referee(self.real)
        self.panel = Phone(self.box.port, "red")
        self.panel.ready()
        self.proxies = {"guest": Proxy(self.box.port), "player": Proxy(self.real.port)}
        self.other: Phone | None = None
        look: dict[str, Any] = {"reduced_motion": "reduce", "viewport": {"width": 1280, "height": 800}}
        self._contexts = {who: browser.new_context(**look) for who in ("guest", "referee")}
        self._contexts["player"] = browser.new_context(**look, has_touch=True)
        for context in self._contexts.values():  # a mark stands for a moment only, and pictures stand still
            context.add_init_script("localStorage.setItem('companion signs', 'off')")
        desk = self._contexts["referee"].new_page()
        desk.goto(f"{self.box.url}/referee#pin={self.box.pin}")
        desk.wait_for_selector("#desk .desk")
        desk.close()
        self.phone = self._contexts["player"].new_page()
        self.phone.set_default_timeout(PATIENCE_MS)
        self.phone.goto(f"{self.proxies['player'].url}/play")
        self.phone.wait_for_selector('[data-key="ask red"]')

    def press(self, *buttons: str) -> None:
        """Press one after the other, far enough apart that no two are a dead heat on a busy machine."""
        for button in buttons:
            time.sleep(APART_S)
            assert self.panel.press(line_of(button))["taken"], button

    def open(self, shot: Shot) -> Page:
        """Open a page, and wait until it shows the box."""
        if shot.who == "player":
            return self.phone
        page = self._contexts[shot.who].new_page()
        page.set_default_timeout(PATIENCE_MS)
        base = self.proxies["guest"].url if shot.who == "guest" else self.box.url
        page.goto(base + address_of(shot.page) + shot.more)
        page.wait_for_load_state("networkidle")
        return page

    def close(self) -> None:
        for context in self._contexts.values():
            context.close()
        for phone in (self.panel, self.other):
            if phone is not None:
                phone.close()
        for proxy in self.proxies.values():
            proxy.close()
        self.box.stop()
        self.real.stop()


def address_of(name: str) -> str:
    return next(page.address for page in PAGES if page.name == name)


# -- the evening -------------------------------------------------------------------------------------------------------


def seat_players(stage: Stage) -> None:
    stage.press("red first", "yellow first", "blue first")
    until(stage.box, lambda state: len(state["lobby"]["seats"]) == 3)


def begin(stage: Stage) -> None:
    seats = [{"colour": colour, **({"name": "Ann"} if colour == "red" else {})} for colour in SEATS]
    match = {"game": "apache", "seats": seats, "variants": ["wedding"], "window_ms": WINDOW_MS}
    stage.referee.post("/api/match", match)


def race(stage: Stage) -> None:
    for card in CARDS:
        stage.referee.post("/api/reveal", {"card": card})
    stage.press("blue hunter", "red hunter")


def choose(stage: Stage) -> None:
    stage.press("purple chief", "yellow maiden")
    until(stage.box, lambda state: state["phase"] == "choosing")


def rule(stage: Stage) -> None:
    while (state := settled(stage))["phase"] == "choosing":
        offer = next(one for one in state["offers"] if one["required"])
        chosen = {"kind": offer["kind"], "seat": offer["seat"], "option": offer["options"][0]["key"]}
        stage.referee.post("/api/choose", chosen)
        until(stage.box, lambda now, lines=state["match"]["lines"]: now["match"]["lines"] > lines)


def settled(stage: Stage) -> dict[str, Any]:
    """Wait until the box waits for somebody."""
    return until(stage.box, lambda state: state["phase"] in ("choosing", "idle", "results"))


def protest(stage: Stage) -> None:
    stage.referee.post("/api/protest", {"colour": "yellow", "text": "the card was covered"})


def end(stage: Stage) -> None:
    stage.referee.post("/api/end", {})
    until(stage.box, lambda state: state["phase"] == "final")


def ask_for_seat(stage: Stage) -> None:
    stage.phone.click('[data-key="ask red"]')
    until(stage.real, lambda state: any(phone["asks"] == "red" for phone in state["phones"]))


def get_seat(stage: Stage) -> None:
    from tests.attack.phones import Phone

    stage.host.grant("red")
    stage.other = Phone(stage.real.port, "yellow")
    stage.host.grant("yellow")
    stage.other.ready()


def begin_on_phones(stage: Stage) -> None:
    seats = [{"colour": "red", "name": "Ann"}, {"colour": "yellow"}]
    stage.host.post("/api/match", {"game": "apache", "seats": seats, "first": "red", "window_ms": WINDOW_MS})


def turn_on_phones(stage: Stage) -> None:
    stage.host.post("/api/reveal", {"card": "buffalo"})
    until(stage.real, lambda state: "revealed: buffalo" in state["lines"])


def press_on_phone(stage: Stage) -> None:
    stage.phone.wait_for_selector("body.is-ready .pad")
    stage.phone.click('[data-button="red fourth"]')
    stage.phone.wait_for_selector('#line[data-mood="taken"]')


def rule_on_phones(stage: Stage) -> None:
    assert stage.other is not None
    stage.other.press("yellow third")
    until(stage.real, is_final(1))
    stage.phone.wait_for_selector('#line:not([data-mood="taken"])')


def lose(stage: Stage) -> None:
    for proxy in stage.proxies.values():
        proxy.cut()
    stage.phone.wait_for_selector("body.is-lost")


def nothing(_stage: Stage) -> None:
    """Stay where we are."""


def write_a_fault(page: Page) -> None:
    page.wait_for_selector(".found.is-good")
    lines = page.input_value("#text").splitlines()
    page.fill("#text", "\n".join([*lines[:6], "hands = three", *lines[6:]]))
    page.wait_for_selector(".fault")


def try_a_text(page: Page) -> None:
    """A race of two in which the second is right: the piles of red and yellow are alike."""
    page.wait_for_selector(".found.is-good")
    page.click("#try-begin")
    for card in ("7 of hearts", "7 of clubs"):
        page.select_option('[data-key="cards"]', card)
        page.click('[data-key="turn"]')
        page.wait_for_selector(f".course-list >> text={card}")
    for colour, ms in (("red", 412), ("yellow", 365)):
        page.select_option(f'[data-key="button {colour}"]', "first")
        page.fill(f'[data-key="ms {colour}"]', str(ms))
    page.click('[data-key="press"]')
    page.wait_for_selector(".order .place")


SCENES: tuple[Scene, ...] = (
    Scene("nobody", nothing, (
        Shot("home", "nobody is seated"), Shot("host", "before a match", "referee"), Shot("table", "nobody is seated"),
        Shot("referee", "the PIN is asked for"), Shot("panel", "all twenty buttons"), Shot("hall", "nothing is played"),
        Shot("matches", "no match has been played"), Shot("people", "nobody has played", "referee"),
        Shot("files", "what games ask for", "referee"), Shot("help", "what it is"), Shot("demo", "the first scene"),
        Shot("stream", "an overlay's address is made"), Shot("play", "which colour?", "player"),
        Shot("profile", "the ways in"),
        Shot("calibrate", "nobody is seated"),
    )),
    Scene("seated", seat_players, (
        Shot("home", "three are seated"), Shot("table", "three are seated"),
        Shot("referee", "the form of a match", "referee"), Shot("hall", "three are seated"),
        Shot("profile", "how a person plays", "referee", more="#person=Ann"),
        Shot("files", "a text with a fault", "referee", more=f"#{WRITTEN}", act=write_a_fault),
        Shot("calibrate", "whose allowance is to be measured", "referee"),
    )),
    Scene("begun", begin, (
        Shot("table", "a match has begun"), Shot("referee", "a match has begun", "referee"),
        Shot("panel", "one seat's buttons", more="?seat=red"), Shot("hall", "a match has begun"),
        Shot("files", "a text is tried out", "referee", more=f"#{WRITTEN}", act=try_a_text),
    )),
    Scene("race", race, (
        Shot("table", "two of four have pressed"), Shot("referee", "two of four have pressed", "referee"),
        Shot("panel", "in a race", more="?seat=red"), Shot("overlay", "two of four have pressed"),
        Shot("hall", "two of four have pressed"), Shot("home", "a race is on"), Shot("try", "a race is on", "referee"),
    )),
    Scene("choosing", choose, (
        Shot("table", "somebody chooses"), Shot("referee", "somebody chooses", "referee"),
        Shot("panel", "this seat chooses", more="?seat=blue"), Shot("hall", "somebody chooses"),
        Shot("overlay", "the race is judged"),
    )),
    Scene("ruled", rule, (
        Shot("table", "the race is ruled"), Shot("referee", "the race is ruled", "referee"),
        Shot("hall", "between two races"),
    )),
    Scene("protest", protest, (
        Shot("table", "a protest waits"), Shot("referee", "a protest waits", "referee"),
    )),
    Scene("over", end, (
        Shot("table", "the match is over"), Shot("referee", "the match is over", "referee"),
        Shot("hall", "the match is over"), Shot("overlay", "the match is over"), Shot("home", "a match is over"),
        Shot("matches", "one match"), Shot("people", "after a match", "referee"),
    )),
    Scene("asks", ask_for_seat, (Shot("play", "a seat is asked for", "player"),)),
    Scene("seat", get_seat, (Shot("play", "a seat, and no match", "player"),)),
    Scene("turn", begin_on_phones, (Shot("play", "a match has begun", "player"),)),
    Scene("open", turn_on_phones, (Shot("play", "a card lies there", "player"),)),
    Scene("taken", press_on_phone, (Shot("play", "the press is taken", "player"),)),
    Scene("outcome", rule_on_phones, (Shot("play", "what came of it", "player"),)),
    Scene("lost", lose, (Shot("play", "the connection is lost", "player"),)),
)  # fmt: skip


# -- drawing -----------------------------------------------------------------------------------------------------------


def drawn(names: set[str] | None = None) -> Iterator[tuple[Scene, Shot]]:
    """Give what is drawn: the entries of pages that exist, or of those alone."""
    there = {page.name for page in PAGES} if names is None else names
    return ((scene, shot) for scene in SCENES for shot in scene.shots if shot.page in there)


def file_name(scene: Scene, shot: Shot, width: int, scheme: str) -> str:
    return f"{shot.page}-{scene.name}-{width}-{scheme}.webp"


def draw(page: Page, scene: Scene, shot: Shot, folder: Path) -> None:
    """Draw a page in each size and scheme."""
    if shot.act is not None:
        shot.act(page)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            page.evaluate(
                "async () => { document.activeElement?.blur(); scrollTo(0, 0);"
                " for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame); }"
            )
            (folder / file_name(scene, shot, width, scheme)).write_bytes(packed(page.screenshot()))


def packed(png: bytes) -> bytes:
    """Make a picture small."""
    from PIL import Image

    out = io.BytesIO()
    with Image.open(io.BytesIO(png)) as picture:
        picture.convert("RGB").save(out, "WEBP", quality=QUALITY, method=5)
    content = out.getvalue()
    assert len(content) <= LARGEST_BYTES, f"{len(content)} bytes are too many"
    return content


def text() -> str:
    """Give the documentation's page."""
    lines = [
        "# Every page in every state",
        "",
        "Drawn by `make pictures` in Chromium: at 360×640, 1280×800 and 1920×1080 pixels, light and dark. What is",
        "larger than its window goes on below it.",
    ]
    for page in PAGES:
        shots = [(scene, shot) for scene, shot in drawn() if shot.page == page.name]
        lines += ["", f"## {page.title}", "", f"At `{page.address}`."]
        for scene, shot in shots:
            lines += ["", f"### {page.title}: {shot.says}", ""]
            for scheme in SCHEMES:
                lines += [
                    f"![{shot.says}, {width}×{height}, {scheme}]"
                    f"(pictures/{file_name(scene, shot, width, scheme)}){{ loading=lazy }}"
                    for width, height in SIZES
                ]
    return "\n".join(lines) + "\n"


def main() -> int:
    """Draw all, and clear away what is drawn no longer."""
    from playwright.sync_api import sync_playwright

    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.webp"):
        old.unlink()
    with tempfile.TemporaryDirectory() as state, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=["--headless", "--no-sandbox"]
        )
        stage = Stage(Path(state), chromium)
        try:
            draw_all(stage, folder)
        finally:
            stage.close()
            chromium.close()
    if folder == FOLDER:
        PAGE.write_text(text(), encoding="utf-8")
    sizes = [picture.stat().st_size for picture in folder.glob("*.webp")]
    print(f"{len(sizes)} pictures, {sum(sizes) / 1e6:.1f} MB, the largest {max(sizes) // 1000} kB")
    return 0


def draw_all(stage: Stage, folder: Path) -> None:
    there = {id(shot) for _, shot in drawn()}
    for scene in SCENES:
        scene.lead(stage)
        for alarm in stage.box.get("/api/state")["alarms"]:
            print(f"{scene.name}: a fault is in the pictures, the machine is busy: {alarm}")
        for shot in scene.shots:
            if id(shot) not in there:
                continue
            page = stage.open(shot)
            draw(page, scene, shot, folder)
            if shot.who != "player":
                page.close()
        print(scene.name, flush=True)


if __name__ == "__main__":
    sys.exit(main())
