"""What a test asks of a browser, whichever it is."""

from __future__ import annotations

import json
import time
from abc import ABC, abstractmethod
from typing import Any

PATIENCE_S = 40.0


class EngineError(Exception):
    """The browser did not start, or could not do it; the page's own errors too."""


class Engine(ABC):
    """One browser with one page. name: as people call it; version: what it says of itself."""

    name: str
    version: str = ""

    @abstractmethod
    def size(self, width: int, height: int) -> None:
        """Make the page so large, in CSS pixels, as far as the browser lets itself."""

    @abstractmethod
    def open(self, address: str) -> None:
        """Go to an address, and wait until all of the page has been loaded."""

    @abstractmethod
    def reload(self) -> None:
        """Load the page anew."""

    @abstractmethod
    def ask(self, expression: str) -> Any:
        """Give the value of a JavaScript expression (a promise's: of what it comes to) that JSON can hold."""

    @abstractmethod
    def tap_at(self, x: float, y: float) -> None:
        """Tap with a finger, at CSS pixels of what is seen."""

    @abstractmethod
    def close(self) -> None:
        """End the browser and all that belongs to it."""

    def wait(self, expression: str) -> Any:
        """Wait until an expression is true, and give its value."""
        ends = time.monotonic() + PATIENCE_S
        while not (value := self.ask(expression)):
            if time.monotonic() > ends:
                raise AssertionError(f"{self.name}: never {expression}; the page says: {self.ask(TEXT)}")
            time.sleep(0.02)
        return value

    def wait_for(self, selector: str) -> None:
        """Wait until something on the page is as a selector says, and can be seen."""
        self.wait(f"Boolean(document.querySelector({json.dumps(selector)})?.getClientRects().length)")

    def text(self, selector: str) -> str:
        """Give what stands in the first of a kind, "" where there is none."""
        return str(self.ask(f"document.querySelector({json.dumps(selector)})?.innerText ?? ''"))

    def tap(self, selector: str) -> None:
        """Tap the middle of something; it is scrolled to first, and nothing may lie over it."""
        self.wait_for(selector)
        quoted = json.dumps(selector)
        x, y, is_free = self.ask(
            f"(() => {{ const it = document.querySelector({quoted}); it.scrollIntoView({{ block: 'nearest' }});"
            " const box = it.getBoundingClientRect(), x = box.x + box.width / 2, y = box.y + box.height / 2;"
            " const top = document.elementFromPoint(x, y); return [x, y, it.contains(top)]; })()"
        )
        assert is_free, f"{self.name}: something lies over {selector}"
        self.tap_at(x, y)


TEXT = "document.body.innerText"
