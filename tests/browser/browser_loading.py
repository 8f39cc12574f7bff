"""What a page costs at its first load: bytes that really came, places that move, and how it goes on a slow network."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from companion.adapters.web.pages import PAGES
from tests.attack.phones import Phone
from tests.browser.box import boxes
from tests.browser.browser_phones import PRESS_AT, page_clock
from tests.browser.desk import open_page
from tests.browser.proxy import Proxy
from tests.engines.table import REAL, Referee, is_final, play_a_race, presses_of, until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page

    from tests.browser.box import Box

MS = 1_000_000
BUDGET = 150_000
"""Bytes of a page at its first load, as they came by the network, headers too."""
STILL = 0.05
"""How much of what is seen may move by itself (Cumulative Layout Shift; 0.1 still counts as good)."""
LARGE = frozenset({"hall", "host", "table", "referee", "matches", "people", "files", "calibrate", "overlay", "stream"})
"""The pages that are mostly seen on a large screen."""
NETWORKS = {"3G": (150, 1_600, 750), "slow 3G": (400, 400, 400)}
"""Of Chromium's own names: round trip in ms, kbit/s down and up."""

SHIFTS = """() => { window.moved = []; new PerformanceObserver((list) => { for (const one of list.getEntries())
    window.moved.push([one.value, one.sources.map(({ node }) => node?.id || node?.className || node?.nodeName)]);
}).observe({ type: "layout-shift", buffered: true }); }"""


def slow(page: Page, network: str, *, is_late: bool = True) -> None:
    """Have a page's requests take as long as on a slow network. is_late: also with its round trip, else its rate alone.

    Chromium holds up no WebSocket; where that matters, a proxy does it for everything (`tests.browser.proxy`).
    """
    wait_ms, down, up = NETWORKS[network]
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", {
        "offline": False, "latency": wait_ms if is_late else 0, "downloadThroughput": down * 1000 / 8,
        "uploadThroughput": up * 1000 / 8,
    })  # fmt: skip


@pytest.fixture(scope="module")
def raced() -> Iterator[Box]:
    """A box at which a race was played, for all that look at its pages.

    Its files are in memory: that a disk was slow would be told above each page, and move what is on it.
    """
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder, boxes(Path(folder)) as start:
        box = start("--simulate")
        play_a_race(box)
        yield box


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_really_came_at_the_first_load_is_small_and_came_packed(
    page: Any, still_box: Any, new_context: Any
) -> None:
    box, tab = still_box, new_context().new_page()
    session = tab.context.new_cdp_session(tab)
    came: dict[str, int] = {}
    addresses: dict[str, str] = {}
    plain: list[str] = []

    def answered(event: dict[str, Any]) -> None:
        answer = event["response"]
        addresses[event["requestId"]] = answer["url"]
        headers = {name.lower(): value for name, value in answer["headers"].items()}
        length = int(headers.get("content-length", 0))
        if length >= 600 and headers.get("content-encoding") != "gzip" and "image/png" not in headers["content-type"]:
            plain.append(answer["url"])

    session.on("Network.responseReceived", answered)
    session.on("Network.loadingFinished", lambda one: came.update({one["requestId"]: one["encodedDataLength"]}))
    session.send("Network.enable")
    tab.goto(box.url + page.address)
    tab.wait_for_load_state("networkidle")
    sizes = {addresses[number]: size for number, size in came.items() if number in addresses}
    print(page.name, sum(sizes.values()))
    assert len(sizes) >= 3
    assert sum(sizes.values()) <= BUDGET, sizes
    assert plain == []
    assert all(address.startswith((box.url, "data:")) for address in sizes), "something came from elsewhere"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_nothing_moves_while_a_page_is_loaded(page: Any, raced: Box, new_context: Any) -> None:
    """At the size that it is mostly seen in: a load over a slow network takes its time."""
    box = raced
    width, height = (1280, 800) if page.name in LARGE else (360, 640)
    tab = new_context(viewport={"width": width, "height": height}).new_page()
    tab.add_init_script(f"({SHIFTS})()")
    slow(tab, "3G")
    tab.goto(f"{box.url}{page.address}#pin={box.pin}")
    tab.wait_for_load_state("networkidle")
    moved = tab.evaluate("window.moved")
    assert sum(value for value, _ in moved) <= STILL, moved


def test_the_pages_for_large_screens_are_pages() -> None:
    assert {page.name for page in PAGES} > LARGE


# -- a slow network ----------------------------------------------------------------------------------------------------

ADDRESS = "/play"
TAKE_SEAT = '[data-key="ask red"]'
READY = "body.is-ready .pad"
BUTTON = "red fourth"
ARRIVED = "from its arrival"
"""What the player is told of a press that counts from its arrival."""
REFUSED = "Not taken"
FORGET = "() => { for (const id of ['note', 'spoken']) document.getElementById(id).textContent = ''; }"
TOLD = (
    "() => { const [note, spoken] = ['note', 'spoken'].map((id) => document.getElementById(id).textContent);"
    f" return note || (spoken.includes('{REFUSED}') && spoken); }}"
)
"""What became of the press is told, in the note or in the line."""
ROUNDS = 3
STRICT = REAL.partition("[web]")[0]
"""The box as it comes: a press with a large ± counts from its arrival."""


@pytest.mark.parametrize(("network", "config"), [("3G", STRICT), ("slow 3G", REAL)])
def test_a_press_over_a_slow_network_is_within_its_error_or_the_player_is_told(
    network: str, config: str, new_box: Any, new_context: Any
) -> None:
    """The truth: the page's clock is compared with this process's past the network, by the browser's own protocol."""
    box = new_box("--game", "order", "--seats", "red,yellow", "--window", "5", config=config)
    referee, other = Referee(box), Phone(box.port, "yellow")
    referee.grant("yellow")
    other.ready()
    phone = open_page(new_context(has_touch=True, viewport={"width": 360, "height": 640}), "about:blank")
    wait_ms = NETWORKS[network][0]
    proxy = Proxy(box.port, base_ms=wait_ms / 2, jitter_ms=wait_ms / 10)
    slow(phone, network, is_late=False)
    began = time.monotonic()
    phone.goto(proxy.url + ADDRESS)
    phone.click(TAKE_SEAT)
    referee.grant("red")
    phone.wait_for_selector(READY)
    print(f"{network}: ready to press after {time.monotonic() - began:.1f} s")
    add_ns, clock_error_ns = page_clock(phone)
    told: list[tuple[int, str]] = []
    for number in range(1, ROUNDS + 1):
        phone.wait_for_selector(READY)
        phone.evaluate(FORGET)
        phone.evaluate(PRESS_AT, [phone.evaluate("performance.now()") + 100, BUTTON])
        phone.wait_for_function("() => window.pressedAt !== null")
        says = phone.wait_for_function(TOLD).json_value()
        told.append((round(phone.evaluate("window.pressedAt") * MS) + add_ns, says))
        assert other.press("yellow fourth")["taken"]
        until(box, is_final(number))
    other.close()
    proxy.close()
    taken = [(true, says) for true, says in told if REFUSED not in says]
    presses = presses_of(box, "red")
    print(told, presses)
    assert len(presses) == len(taken), "a press was lost or doubled, and the player was told otherwise"
    assert taken, "every press was refused"
    for press, (true, says) in zip(presses, taken, strict=True):
        error_ns = press.get("error_ns", 0)
        late_ns = press["t_ns"] - true
        assert (ARRIVED in says) == (error_ns == 0), "told of it, and of nothing else"
        assert late_ns <= error_ns + clock_error_ns or ARRIVED in says, f"{late_ns / MS} ms late, more than stated"
        assert late_ns >= -error_ns - clock_error_ns, "earlier than it was"
