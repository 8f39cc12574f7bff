"""Fixtures of the browser tests. Playwright is imported where it is used: the quick suite looks at this file too."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.box import Box, boxes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, BrowserContext

LONG = ("languages", "games", "pages", "match", "tournament_event", "loading")
"""The files whose tests take longest: they come first, so that no worker is left with one of them at the end."""
MEMORY = "/dev/shm"
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium-headless-shell")


def pytest_configure() -> None:
    """Have the boxes' files in memory: that a disk was slow would be told above each page, and in English."""
    if os.access(MEMORY, os.W_OK):
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", MEMORY)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    places = {f"browser_{name}": place for place, name in enumerate(LONG)}
    items.sort(key=lambda item: places.get(item.path.stem, len(places)))


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=["--headless", "--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture
def new_context(browser: Browser) -> Iterator[Callable[..., BrowserContext]]:
    """Make a browser of one's own: cookies, storage. No page in it may have logged an error that was not `expected`."""
    contexts: list[BrowserContext] = []

    def make(**settings: Any) -> BrowserContext:
        context = browser.new_context(**settings)
        contexts.append(context)
        return context

    yield make
    problems = [problem for context in contexts for page in context.pages for problem in getattr(page, "problems", [])]
    for context in contexts:
        context.close()
    assert problems == []


@pytest.fixture
def new_box(tmp_path: Path) -> Iterator[Callable[..., Box]]:
    with boxes(tmp_path) as start:
        yield start


@pytest.fixture(scope="module")
def still_box(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Box]:
    """A simulated box at which nobody plays: for all tests of a module that look at pages and change nothing."""
    with boxes(tmp_path_factory.mktemp("still")) as start:
        yield start("--simulate")


@pytest.fixture
def box(new_box: Callable[..., Box]) -> Box:
    """A simulated box with its panel in the browser, which is believed with any ±: the machine may be busy."""
    return new_box("--simulate")
