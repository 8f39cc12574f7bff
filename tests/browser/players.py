"""What the tests do for players on phones: let them in, tap, read the line; and a host who does all by the API."""

from __future__ import annotations

import http.cookiejar
import json
import urllib.request
from typing import TYPE_CHECKING, Any

from tests.browser.desk import line_of, open_page

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

    from tests.browser.box import Box
    from tests.browser.desk import WatchedPage

REAL = '[source]\nkind = "none"\n[display]\nkind = "none"\n[buzzer]\nkind = "none"\n[web]\nmax_error_ms = 1000\n'
"""A box without hardware, whose buttons are phones; they are believed with any ±: the machine may be busy."""
PHONE: dict[str, Any] = {"has_touch": True, "is_mobile": True, "viewport": {"width": 360, "height": 560}}


class Host:
    """Somebody with the referee's PIN, without a page."""

    def __init__(self, box: Box) -> None:
        self.box = box
        cookies = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        self._opener = urllib.request.build_opener(cookies)
        self.post("/api/session", {"pin": box.pin})

    def post(self, address: str, body: Any, method: str = "POST") -> Any:
        request = urllib.request.Request(
            self.box.url + address, json.dumps(body).encode(), {"Content-Type": "application/json"}, method=method
        )
        with self._opener.open(request, timeout=20) as answer:
            return json.loads(answer.read())

    def let_in(self, phone: Page, colour: str) -> None:
        """Let a phone play for a seat, by the code it shows."""
        self.post(f"/api/phones/{code_of(phone)}", {"seat": colour})
        phone.wait_for_selector(f"body.is-ready .pads.{colour} .pad")

    def begin(self, *seats: str, window_ms: int = 2000, **more: Any) -> None:
        players = [{"colour": colour} for colour in seats]
        self.post("/api/match", {"seats": players, "window_ms": window_ms, "abandon": True, **more})

    def reveal(self, *cards: str) -> None:
        for card in cards:
            self.post("/api/reveal", {"card": card})


def code_of(phone: Page) -> str:
    phone.wait_for_function("document.querySelector('#code').textContent !== ''")
    return str(phone.evaluate("document.querySelector('#code').textContent.match(/[A-Z0-9]{4}/)[0]"))


def open_phone(context: BrowserContext, url: str, colour: str) -> WatchedPage:
    """Open the address of a seat's QR code, and wait until the phone asks for it."""
    phone = open_page(context, f"{url}/play#seat={colour}")
    phone.wait_for_selector(f".headline >> text=asks for {colour}")
    return phone


def seated(host: Host, context: BrowserContext, url: str, colour: str) -> WatchedPage:
    """Open a phone that plays a seat."""
    phone = open_phone(context, url, colour)
    host.let_in(phone, colour)
    return phone


def tap(phone: Page, button: str) -> None:
    """Tap a button (Apache's name or its label) once the box knows this phone's clock."""
    phone.wait_for_selector("body.is-ready")
    phone.tap(f'.pad[data-button="{line_of(button)}"]')


def wait_line(phone: Page, text: str) -> str:
    """Wait until the line says this; give all it says."""
    phone.wait_for_function(
        "(text) => document.querySelector('#line').innerText.replace(/\\s+/g, ' ').includes(text)", arg=text
    )
    return line_says(phone)


def line_says(phone: Page) -> str:
    return " ".join(phone.inner_text("#line").split())


def pads_say(phone: Page) -> list[str]:
    said: list[str] = phone.eval_on_selector_all(".pad .says", "all => all.map(one => one.textContent)")
    return said
