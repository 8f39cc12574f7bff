"""Draws an event for the documentation: python -m tests.browser.event_gallery [FOLDER]

Holds the event of `browser_tournament_event` once, and draws each page of a desk at moments that are worth it, on a
phone and on a desktop, and each print on both papers. Writes docs/event-pictures.md, which shows all of them.
"""

from __future__ import annotations

import io
import os
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tests.browser.tournament.named import LOST, ME, ROUNDS, UNUSED, name_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from PIL.Image import Image
    from playwright.sync_api import Page

    from tests.browser.tournament.cup import Cup

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs/event_pictures"
PAGE = ROOT / "docs/event-pictures.md"
SIZES = {"phone": (390, 844), "desktop": (1280, 800)}
PAPERS = ("A4", "Letter")
LARGEST_BYTES, MOST_BYTES = 300_000, 6_000_000
QUALITY = 60
SPECTATOR, ORGANISER, REFEREE = "Everybody", "The organiser", "The referee"


class Shot(NamedTuple):
    """A picture of a page. name: of its file. moment: of `course.hold`. says: what is seen. act: what is done first."""

    name: str
    moment: str
    who: str
    address: str
    says: str
    act: Callable[[Page, Cup], object] = lambda _page, _cup: None


class Print(NamedTuple):
    """A picture of a print's first page."""

    name: str
    moment: str
    title: str
    says: str


def by_table(page: Page, _cup: Cup) -> None:
    page.click("#by-table")


def how(page: Page, _cup: Cup) -> None:
    page.click(f'button[aria-label="How the numbers of {name_of(ME)} came about"]')
    page.click("dialog summary >> nth=0")


def swapping(page: Page, _cup: Cup) -> None:
    page.click("summary >> text=Change the drawing by hand")
    page.locator("#swap").scroll_into_view_if_needed()


def moving(page: Page, cup: Cup) -> None:
    page.click(f'[data-key="move {cup.table_of(LOST)}"]')


def by_hand(page: Page, cup: Cup) -> None:
    page.click(f'[data-key="hand {cup.table_of(UNUSED)}"]')


def read(page: Page, _cup: Cup) -> None:
    page.wait_for_selector(".account .presses")


def to_row(table_of: str) -> Callable[[Page, Cup], object]:
    """Scroll to the table of a box."""

    def act(page: Page, cup: Cup) -> None:
        page.locator(f".table-row:visible#table-{cup.table_of(table_of)}").scroll_into_view_if_needed()

    return act


SHOTS = (
    Shot("event-entering", "entered", SPECTATOR, "/",
         "Before check-in: what is played, and the hash of a seed that nobody knows."),
    Shot("event-check-in", "check-in", SPECTATOR, "/", "Check-in is open."),
    Shot("pairings", "swapped", SPECTATOR, "/pairings", "Where do I sit? By name; one's own table is on top."),
    Shot("pairings-by-table", "swapped", SPECTATOR, "/pairings", "The same by table.", by_table),
    Shot("event-own-table", "announced", SPECTATOR, "/",
         "On the phone of whoever has said who they are: the own table, the clock, what was announced."),
    Shot("tables-playing", "playing", SPECTATOR, "/tables", "Live tables: what each box shows, race by race."),
    Shot("hall", "playing", SPECTATOR, "/hall", "The screen for the hall turns its pages by itself."),
    Shot("tables-disputed", "protest 2", SPECTATOR, "/tables", "A table waits for the referee; the others are final."),
    Shot("tables-lost", "box lost", SPECTATOR, "/tables", "A table whose box has failed.", to_row(LOST)),
    Shot("standings", "round over", SPECTATOR, "/standings", "The standings after a round."),
    Shot("standings-explained", "ended", SPECTATOR, "/standings", "Each number says how it came about.", how),
    Shot("standings-final", "ended", SPECTATOR, "/standings", "The final standings."),
    Shot("player", "ended", SPECTATOR, f"/player/{ME}", "A player's own way through the event."),
    Shot("hall-ended", "ended", SPECTATOR, "/hall", "The screen for the hall at the end."),
    Shot("event-ended", "ended", SPECTATOR, "/", "The event is over; the seed and the head of the log are there."),
    Shot("desk-pin", "asked", ORGANISER, "/desk", "The desk asks for the organiser's PIN."),
    Shot("desk-players", "entered", ORGANISER, "/desk#players", "23 players, entered from a CSV file."),
    Shot("desk-boxes-waiting", "waiting", ORGANISER, "/desk#boxes",
         "Boxes that have come, and wait for the code on their displays to be typed."),
    Shot("desk-check-in", "check-in", ORGANISER, "/desk#players", "Check-in: one tap for each who is there."),
    Shot("desk-rounds", "drawn", ORGANISER, "/desk#rounds", "Round 1 is drawn."),
    Shot("desk-swap", "drawn", ORGANISER, "/desk#rounds",
         "Two players change places: with a reason, and the difference that it makes.", swapping),
    Shot("desk-rounds-changed", "swapped", ORGANISER, "/desk#rounds", "A drawing that was changed by hand says so."),
    Shot("desk-tables", "playing", ORGANISER, "/desk#tables", "All tables, with what can be done at each."),
    Shot("desk-protest", "protest 2", ORGANISER, "/desk#tables", "What comes next: a protest waits."),
    Shot("desk-boxes-lost", "box lost", ORGANISER, "/desk#boxes", "A box that has failed in the middle of a match."),
    Shot("desk-move", "box lost", ORGANISER, "/desk#tables", "Its match goes on on another box.", moving),
    Shot("desk-by-hand", "by hand", ORGANISER, "/desk#tables", "A result that is entered by hand.", by_hand),
    Shot("desk-prints", "last drawn", ORGANISER, "/desk#prints", "What can be printed."),
    Shot("desk-end", "ended", ORGANISER, "/desk#end", "The end: notes, and the file by which all can be checked."),
    Shot("referee-pin", "asked", REFEREE, "/referee", "The referee's page asks for a PIN."),
    Shot("referee", "playing", REFEREE, "/referee", "No protest waits."),
    Shot("referee-protest", "protest 2", REFEREE, "/referee",
         "A protest, what the record says of it, and the answer.", read),
    Shot("referee-answered", "protest 4", REFEREE, "/referee", "The second protest; the first is answered.", read),
)  # fmt: skip
PRINTS = (
    Print("pairings-by-table", "last drawn", "Pairings by table", "For the wall. The foot has the log's head."),
    Print("pairings-by-name", "last drawn", "Pairings by name", "For whoever asks where to sit."),
    Print("table-sheets", "last drawn", "Table sheets", "To be filled in and signed where a box fails."),
    Print("standings", "ended", "Standings", f"The standings after {ROUNDS} rounds."),
)


def file_name(name: str, size: str) -> str:
    return f"{name}-{size.lower()}.webp"


def wanted() -> list[str]:
    """Give the names of all pictures."""
    return [file_name(shot.name, size) for shot in SHOTS for size in SIZES] + [
        file_name(f"print-{one.name}", paper) for one in PRINTS for paper in PAPERS
    ]


# -- drawing -----------------------------------------------------------------------------------------------------------


def draw(cup: Cup, shot: Shot, folder: Path, *, whole: bool) -> None:
    """Draw a page at each size, in the browser of whom it is for. whole: what is below the window too."""
    somebody = {SPECTATOR: cup.phone, ORGANISER: cup.organiser, REFEREE: cup.referee}[shot.who]
    for size, (width, height) in SIZES.items():
        page = somebody.context.new_page()
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(reduced_motion="reduce")
        page.goto(f"{cup.desk.url}{shot.address}")
        settled(page)
        if shot.moment != "announced" and page.is_visible("#announced"):
            page.click("#announced button")
        shot.act(page, cup)
        page.evaluate("async () => { for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame); }")
        keep(png(page.screenshot(full_page=whole)), folder / file_name(shot.name, size))
        page.close()


def settled(page: Page) -> None:
    """Wait until a page shows what it has."""
    page.wait_for_selector("#lamp.is-live, .page-tournament-hall .items, .page-tournament-hall .big")
    page.wait_for_function("() => document.querySelector('main').innerText.length > 30")
    page.wait_for_load_state("networkidle")


def png(content: bytes) -> Image:
    from PIL import Image

    with Image.open(io.BytesIO(content)) as picture:
        return picture.convert("RGB")


def keep(picture: Image, path: Path) -> None:
    """Write a picture, which must be small."""
    out = io.BytesIO()
    picture.save(out, "WEBP", quality=QUALITY, method=5)
    assert len(out.getvalue()) <= LARGEST_BYTES, f"{path.name}: {len(out.getvalue())} bytes are too many"
    path.write_bytes(out.getvalue())


def draw_print(cup: Cup, one: Print, folder: Path) -> None:
    from tests.browser.tournament.papers import pictures

    for paper in PAPERS:
        keep(pictures(cup.organiser.printed(one.title, paper))[0], folder / file_name(f"print-{one.name}", paper))


# -- the page ----------------------------------------------------------------------------------------------------------


def text() -> str:
    """Give the documentation's page."""
    lines = [
        "# An event in pictures",
        "",
        "Drawn by `make pictures` from an event that is held in Chromium: 23 players, five rounds, six boxes; somebody",
        "comes late and somebody leaves, there are two protests, a box fails, and a result is entered by hand. Every",
        "page of [a tournament's desk](tournament.md) on a phone (390×844) and on a desktop (1280×800); what is larger",
        "than its window goes on below it.",
    ]
    for who in (SPECTATOR, ORGANISER, REFEREE):
        lines += ["", f"## {who}"]
        for shot in SHOTS:
            if shot.who == who:
                lines += ["", shot.says, "", *shown(shot.name, SIZES)]
    lines += ["", "## Prints", "", "The first page of each, on A4 and Letter."]
    for one in PRINTS:
        lines += ["", f"{one.title}. {one.says}", "", *shown(f"print-{one.name}", PAPERS)]
    return "\n".join(lines) + "\n"


def shown(name: str, sizes: Iterable[str]) -> Iterator[str]:
    for size in sizes:
        yield f"![{name.replace('-', ' ')}, {size}](event_pictures/{file_name(name, size)}){{ loading=lazy }}"


def main() -> int:
    """Hold the event and draw all of it. WHOLE=1: pages with what is below their windows, to look at them."""
    from playwright.sync_api import sync_playwright

    from tests.browser.tournament.course import hold
    from tests.browser.tournament.cup import opened

    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.webp"):
        old.unlink()
    with ExitStack() as stack:
        state = stack.enter_context(tempfile.TemporaryDirectory())
        playwright = stack.enter_context(sync_playwright())
        chromium = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=["--headless", "--no-sandbox"]
        )
        stack.callback(chromium.close)
        cup = stack.enter_context(opened(Path(state), chromium.new_context))
        for moment in hold(cup):
            for shot in SHOTS:
                if shot.moment == moment:
                    draw(cup, shot, folder, whole=bool(os.environ.get("WHOLE")))
            for one in PRINTS:
                if one.moment == moment:
                    draw_print(cup, one, folder)
            print(moment, flush=True)
    if folder == FOLDER:
        PAGE.write_text(text(), encoding="utf-8")
    sizes = [picture.stat().st_size for picture in folder.glob("*.webp")]
    print(f"{len(sizes)} pictures, {sum(sizes) / 1e6:.1f} MB, the largest {max(sizes) // 1000} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
