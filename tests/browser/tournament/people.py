"""The three who look at an event in Chromium, and what each of them does there: organiser, referee, a player's phone.

Nothing here waits for a time to pass: each step waits for what the page must show then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from playwright.sync_api import expect

from tests.browser.desk import open_page

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import BrowserContext, Locator

PATIENCE_MS = 120_000
"""Longer than any step takes, on however busy a machine."""
SURE = "dialog:has(#ask-title) button[type=submit]"
STANDINGS = """() => [...document.querySelectorAll("tbody tr")].map((row) =>
    [row.cells[0], row.cells[1].querySelector("a"), row.cells[2]].map((one) => one.textContent.trim()))"""


class Somebody:
    """A browser of one's own, with one page."""

    def __init__(self, context: BrowserContext, url: str, address: str) -> None:
        self.context, self.url = context, url
        self.page = open_page(context, f"{url}{address}")
        self.page.set_default_timeout(PATIENCE_MS)
        self.page.wait_for_selector("#lamp.is-live")

    def sees(self, selector: str, text: str | None = None) -> Locator:
        """Wait until the first of what is meant is seen, with a text in it."""
        found = self.page.locator(selector) if text is None else self.page.locator(selector, has_text=text)
        found.first.wait_for(timeout=PATIENCE_MS)
        return found.first

    def counts(self, selector: str, count: int) -> None:
        """Wait until there are so many that are seen."""
        expect(self.page.locator(selector).locator("visible=true")).to_have_count(count, timeout=PATIENCE_MS)

    def go(self, address: str) -> None:
        """Open another page by its address."""
        self.page.goto(f"{self.url}{address}")
        self.page.wait_for_selector("#lamp.is-live")

    def asks(self, address: str) -> Any:
        """Give what the desk says to whoever asks for it, as the page's own scripts do."""
        return self.page.evaluate("(address) => fetch(address).then((answer) => answer.json())", address)

    def heard(self, text: str) -> None:
        """See an announcement on top of the page, and close it."""
        self.sees("#announced", text)
        self.page.click("#announced button")
        self.page.wait_for_selector("#announced", state="hidden")

    def saved(self, link: str, path: Path) -> Path:
        """Follow a link that saves a file, and keep it."""
        with self.page.expect_download(timeout=PATIENCE_MS) as waiting:
            self.page.click(link)
        waiting.value.save_as(path)
        return path


def log_in(somebody: Somebody, pin: str) -> None:
    """Type a PIN."""
    somebody.page.fill("#pin", pin)
    somebody.page.click(".pin button[type=submit]")
    somebody.page.wait_for_selector(".columns >> visible=true")


class Organiser(Somebody):
    """Whoever runs the event, at a desk."""

    def turn(self, part: str) -> None:
        """Turn to a part of the desk."""
        self.page.click(f"#to-{part}")
        self.page.wait_for_selector(f"#{part}", state="visible")

    def sure(self) -> None:
        """Say yes to what is asked for twice."""
        self.page.click(SURE)

    def next(self, does: str, *, is_asked: bool = False) -> None:
        """Press what comes next, which must be this."""
        self.sees("[data-key=next]", does).click()
        if is_asked:
            self.sure()

    def is_told(self, says: str) -> None:
        """Wait until "what comes next" says this."""
        self.sees(".next .big", says)

    def import_players(self, file: Path) -> None:
        self.turn("players")
        self.page.click("summary >> text=Players from and to a file")
        self.page.set_input_files("#csv-file", file)
        self.page.click("text=Enter all of the file")

    def keep_apart(self, one: str, other: str) -> None:
        self.page.click("summary >> text=Pairs that must not meet")
        self.page.fill("#keep-apart-one", one)
        self.page.fill("#keep-apart-other", other)
        self.page.click("#keep-apart button[type=submit]")
        self.sees(".apart li", f"{one} and {other}")

    def enrol(self, box: str, code: str) -> None:
        """Type the code that a box shows, once it waits."""
        self.turn("boxes")
        self.sees(".waiting li", box)
        self.page.fill("#enrol-box-code", code)
        self.page.click("#enrol-box button[type=submit]")
        self.sees("#boxes-list li.is-there strong", box)

    def check_in(self, player: int) -> None:
        self.page.click(f'[data-key="in {player}"]')
        self.sees(f'[data-key="drop {player}"]')

    def drop(self, player: int) -> None:
        self.turn("players")
        self.page.click(f'[data-key="drop {player}"]')
        self.sure()
        self.sees(f'[data-key="in {player}"]')

    def start_clock(self, minutes: int) -> None:
        self.turn("rounds")
        self.page.fill("#clock-minutes", str(minutes))
        self.page.click("#rounds [data-key=start]")
        self.page.wait_for_selector("#rounds [data-key=pause]")

    def announce(self, text: str) -> None:
        self.turn("rounds")
        self.page.fill("#announce-text", text)
        self.page.fill("#announce-by", "Olga")
        self.page.click("#announce button[type=submit]")
        self.page.wait_for_selector("#announce .done:visible")

    def swap(self, one: str, other: str, reason: str) -> str:
        """Have two change places; give what the page says of the difference before it is done."""
        self.turn("rounds")
        self.page.click("summary >> text=Change the drawing by hand")
        for name, value in (("one", one), ("other", other), ("reason", reason), ("by", "Olga")):
            self.page.fill(f"#swap-{name}", value)
        difference = self.sees("#swap-difference", "Earlier meetings").inner_text()
        self.page.click("#swap button[type=submit]")
        self.sure()
        self.sees("#rounds .rounds", f"Changed by hand by Olga: {reason}")
        return difference

    def move(self, table: int, box: str) -> None:
        """Have a table go on on another box."""
        self.turn("tables")
        self.page.click(f'[data-key="move {table}"]')
        self.page.fill("#move-table-box", box)
        self.page.click("#move-table button[type=submit]")
        self.page.wait_for_selector("#move-table", state="detached")

    def let_go(self, box: str) -> None:
        """Take a box out of the event."""
        self.turn("boxes")
        self.page.click(f'[data-key="out {box}"]')
        self.sure()
        self.sees("#boxes", f"No longer in: {box}")

    def enter_result(self, table: int, ranks: dict[int, int], reason: str) -> None:
        """Enter a table's result by hand. ranks: by player."""
        self.turn("tables")
        self.page.click(f'[data-key="hand {table}"]')
        for player, rank in ranks.items():
            self.page.fill(f"[name=rank-{player}]", str(rank))
        self.page.fill("#result-by-hand-reason", reason)
        self.page.fill("#result-by-hand-by", "Olga")
        self.page.click("#result-by-hand button[type=submit]")
        self.sure()
        self.sees(f"#tables-list #table-{table}", f"entered by hand: {reason}")

    def printed(self, title: str, paper: str) -> bytes:
        """Open a print by its link, and give it."""
        self.turn("prints")
        link = self.sees(f'#prints a[aria-label="{title}, {paper}"]')
        answer = self.context.request.get(f"{self.url}{link.get_attribute('href')}")
        assert (answer.status, answer.headers["content-type"]) == (200, "application/pdf"), answer.text()
        return bytes(answer.body())


class Referee(Somebody):
    """Whoever decides, at a tablet."""

    def answer(self, table: int, *, stands: bool, reason: str) -> str:
        """Read what the record says of a table's protest, and answer it; gives what was read."""
        dispute = self.sees("#disputes .dispute", f"table {table}")
        dispute.locator(".account .big").wait_for()
        read = dispute.locator(".account").inner_text()
        dispute.locator("select").select_option("yes" if stands else "no")
        dispute.locator("textarea").fill(reason)
        dispute.locator("[name=by]").fill("Rita")
        dispute.locator("button[type=submit]").click()
        self.page.click(SURE)
        self.sees("text=No protest waits.")
        return read


class Phone(Somebody):
    """A player's phone: no PIN."""

    def standings(self) -> list[tuple[int, str, int]]:
        """Give place, name and points of each player, as the page has them."""
        self.go("/standings")
        self.sees("tbody tr")
        rows = self.page.evaluate(STANDINGS)
        return [(int(place), str(name), int(points)) for place, name, points in rows]

    def is_me(self, typed: str, name: str) -> None:
        """Search one's name among the pairings, and say that one is that player."""
        self.page.fill("#search", typed)
        self.page.click(f'button[aria-label="I am {name}"]')
        self.sees("#own", name)

    def own_table(self, number: int) -> int:
        """Give the table that the page says in a round, once it says it."""
        self.sees(".own-table", f"Round {number}, table")
        return int(self.page.inner_text(".own-table strong"))
