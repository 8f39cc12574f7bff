"""Fixtures: each browser in turn, and boxes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.box import boxes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.browser.box import Box
    from tests.engines.engine import Engine

ENGINES = ("Chromium", "Firefox", "WebKit")


def begin(name: str, folder: Path) -> Engine:
    """Start a browser. What drives it is imported here: not everybody has all."""
    if name == "Firefox":
        from tests.engines.bidi import Firefox

        return Firefox(folder)
    if name == "WebKit":
        from tests.engines.webdriver import WebKit

        return WebKit(folder)
    from tests.engines.chromium import Chromium

    return Chromium()


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    """A browser of the kind that is asked for, with one empty page."""
    it = begin(request.param, tmp_path / "engine")
    print(it.version)
    yield it
    it.close()


@pytest.fixture
def new_box(tmp_path: Path) -> Iterator[Callable[..., Box]]:
    with boxes(tmp_path) as start:
        yield start
