"""A page at several sizes and in both schemes, without loading it anew for each: a load costs the most of a test."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from playwright.sync_api import Page

Scheme = Literal["light", "dark"]
SCHEMES: tuple[Scheme, ...] = ("light", "dark")


def at_each(page: Page, widths: Iterable[int], height: int = 800) -> Iterator[int]:
    """Give each width, in pixels, once the page has it."""
    for width in widths:
        page.set_viewport_size({"width": width, "height": height})
        yield width


def in_both(page: Page) -> Iterator[Scheme]:
    """Give each colour scheme, once the page is in it."""
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        yield scheme
