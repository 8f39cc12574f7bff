"""Whether whoever started the box has a browser to be opened, and that nothing goes wrong where it cannot be."""

from __future__ import annotations

import io
import threading
import webbrowser
from typing import TYPE_CHECKING

import pytest

from companion.adapters.service import browser

if TYPE_CHECKING:
    from collections.abc import Callable

URL = "http://127.0.0.1:8017/#pin=123456"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Found(webbrowser.BaseBrowser):
    """A browser that notes what it is to show; fails: as one that is not to be started."""

    def __init__(self, fails: Exception | None = None) -> None:
        super().__init__("found")
        self.opened: list[str] = []
        self._fails, self.asked = fails, threading.Event()

    def open(self, url: str, new: int = 0, autoraise: bool = True) -> bool:
        self.asked.set()
        if self._fails is not None:
            raise self._fails
        self.opened.append(url)
        return True


@pytest.mark.parametrize(("out", "environ", "platform", "can"), [
    (Terminal(), {"DISPLAY": ":0"}, "linux", True),
    (Terminal(), {"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
    (Terminal(), {}, "darwin", True),
    (Terminal(), {}, "linux", False),
    (Terminal(), {"DISPLAY": ""}, "linux", False),
    (io.StringIO(), {"DISPLAY": ":0"}, "linux", False),
    (io.StringIO(), {}, "darwin", False),
])  # fmt: skip
def test_a_browser_is_opened_for_a_person_at_a_terminal_beside_a_display(
    out: io.StringIO, environ: dict[str, str], platform: str, can: bool
) -> None:
    assert browser.can_open(out, environ, platform) is can


@pytest.fixture
def opening(monkeypatch: pytest.MonkeyPatch) -> Callable[[webbrowser.BaseBrowser], None]:
    def open_by(found: webbrowser.BaseBrowser) -> None:
        monkeypatch.setattr(webbrowser, "get", lambda: found)
        browser._open(URL)

    return open_by


def test_the_page_is_opened(opening: Callable[[Found], None]) -> None:
    found = Found()
    opening(found)
    assert found.opened == [URL]


def test_it_is_opened_beside_the_box(monkeypatch: pytest.MonkeyPatch) -> None:
    found = Found()
    monkeypatch.setattr(webbrowser, "get", lambda: found)
    browser.open_page(URL)
    assert found.asked.wait(30)


@pytest.mark.parametrize("fault", [webbrowser.Error("none"), OSError("no such file")])
def test_a_browser_that_cannot_be_started_is_no_fault_of_the_box(
    opening: Callable[[Found], None], fault: Exception
) -> None:
    opening(Found(fault))


def test_no_browser_takes_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    found = webbrowser.GenericBrowser("w3m")
    monkeypatch.setattr(webbrowser, "get", lambda: found)
    monkeypatch.setattr(webbrowser.GenericBrowser, "open", lambda *_: pytest.fail("it would draw over the box"))
    browser._open(URL)
