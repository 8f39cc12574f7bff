"""Resize a page and change its colour scheme. Loading it again for each would take most of a test's time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from playwright.sync_api import Page

Scheme = Literal["light", "dark"]
SCHEMES: tuple[Scheme, ...] = ("light", "dark")


def at_each(page: Page, widths: Iterable[int], height: int = 800) -> Iterator[int]:
    """Resize the page to each width in turn, in pixels, and yield the width."""
    for width in widths:
        page.set_viewport_size({"width": width, "height": height})
        yield width


def in_both(page: Page) -> Iterator[Scheme]:
    """Set each colour scheme in turn, and yield it. The page stays in the last one, the dark."""
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        yield scheme
