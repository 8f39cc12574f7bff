"""The organiser's page in Chromium, in which each row's change is stamped as it is made, and as it has been drawn.

A stamp is the page's own clock, which is put beside CLOCK_MONOTONIC before and after: the fastest of many questions
bounds how wrong that is.
"""

from __future__ import annotations

import os
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from companion.core.timing.events import MS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium-headless-shell")
PATIENCE_MS = 120_000
QUESTIONS = 40
WATCH = """() => {
    window.stamps = [];
    let waiting = [];
    const drawn = new MessageChannel();
    drawn.port1.onmessage = () => {
        const now = performance.now();
        for (const stamp of waiting) stamp[4] ??= now;
        waiting = [];
    };
    const seen = (records) => {
        const now = performance.now();
        const rows = new Set();
        for (const { target } of records) {
            const element = target.nodeType === Node.ELEMENT_NODE ? target : target.parentElement;
            const row = element?.closest(".table-row");
            if (row) rows.add(row);
        }
        if (!waiting.length) requestAnimationFrame(() => drawn.port2.postMessage(null));
        for (const row of rows) {
            const text = (name) => row.querySelector(name)?.textContent ?? "";
            const stamp = [Number(row.id.slice(6)), text(".shown"), text(".chip"), now, null];
            stamps.push(stamp);
            waiting.push(stamp);
        }
    };
    new MutationObserver(seen).observe(document.getElementById("tables-list"),
        { subtree: true, childList: true, characterData: true });
}"""


class Stamp(NamedTuple):
    """A row of the page as it became. changed_ns, drawn_ns: by CLOCK_MONOTONIC."""

    table: int
    shown: str
    stage: str
    changed_ns: int
    drawn_ns: int


class OrganisersPage:
    """The page, at its tables."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._clocks: list[tuple[int, int]] = []

    def watch(self, tables: int) -> None:
        """Wait until all rows are there, and stamp what becomes of them from now on."""
        self._page.wait_for_function(f"() => document.querySelectorAll('.table-row').length === {tables}")
        self._page.evaluate(WATCH)
        self._compare_clocks()

    def stamps(self) -> list[Stamp]:
        """Give what was stamped."""
        self._compare_clocks()
        found = self._page.evaluate("stamps")
        return [
            Stamp(table, shown, stage, self._at_ns(changed_ms), self._at_ns(drawn_ms or changed_ms))
            for table, shown, stage, changed_ms, drawn_ms in found
        ]

    @property
    def error_ms(self) -> float:
        """How wrong a stamp may be."""
        return min(self._clocks)[0] / 2 / MS

    def _at_ns(self, now_ms: float) -> int:
        return round(now_ms * MS) + min(self._clocks)[1]

    def _compare_clocks(self) -> None:
        """Ask for the page's time, and keep how long that took, with what is to be added to it."""
        for _ in range(QUESTIONS):
            before_ns = time.monotonic_ns()
            now_ms = self._page.evaluate("performance.now()")
            after_ns = time.monotonic_ns()
            self._clocks.append((after_ns - before_ns, (before_ns + after_ns) // 2 - round(now_ms * MS)))


@contextmanager
def organisers_page(url: str, pin: str) -> Iterator[OrganisersPage]:
    """Open the page; an error in it is an error here."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--headless", "--no-sandbox"])
        page = browser.new_context(viewport={"width": 1280, "height": 1000}).new_page()
        problems: list[str] = []
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.set_default_timeout(PATIENCE_MS)
        page.goto(f"{url}desk#pin={pin}")
        page.wait_for_selector("#lamp.is-live")
        page.click("#to-tables")
        yield OrganisersPage(page)
        browser.close()
        if problems:
            raise RuntimeError("; ".join(problems))
