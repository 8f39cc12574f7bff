"""Debian's Chromium, by Playwright, as the tests of the pages drive it."""

from __future__ import annotations

import os
from typing import Any

from playwright.sync_api import Error, sync_playwright

from tests.engines.engine import PATIENCE_S, Engine, EngineError

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")


class Chromium(Engine):
    """A headless Chromium with one page that can be touched."""

    name = "Chromium"

    def __init__(self) -> None:
        self._playwright = sync_playwright().start()
        self._browser = self._playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--headless", "--no-sandbox"], timeout=PATIENCE_S * 1000
        )
        self.version = f"chromium {self._browser.version}"
        self._page = self._browser.new_context(has_touch=True).new_page()

    def size(self, width: int, height: int) -> None:
        self._page.set_viewport_size({"width": width, "height": height})

    def open(self, address: str) -> None:
        self._page.goto(address)

    def reload(self) -> None:
        self._page.reload()

    def ask(self, expression: str) -> Any:
        try:
            return self._page.evaluate(expression)
        except Error as error:
            raise EngineError(str(error)) from None

    def tap_at(self, x: float, y: float) -> None:
        self._page.touchscreen.tap(x, y)

    def close(self) -> None:
        self._browser.close()
        self._playwright.stop()
