"""Prints of an event, opened as whoever gets them would: their size, their words, a picture of each page."""

from __future__ import annotations

import re
from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple

import pypdfium2

if TYPE_CHECKING:
    from PIL.Image import Image

POINTS_A_MM = 72 / 25.4
SIZES_MM = {"A4": (210, 297), "Letter": (216, 279)}


class Paper(NamedTuple):
    """A print. size_mm: of its pages, which are all alike. words: of all of them."""

    size_mm: tuple[int, int]
    pages: int
    words: str

    @property
    def head(self) -> str:
        """Give the head of the event's log, as the command on it has it."""
        found = re.search(r"companion verify \S+ --head ([0-9a-f]+)", self.words)
        assert found is not None, self.words
        return found[1]


def opened_paper(content: bytes) -> Paper:
    """Open a print. All its pages must be of one size."""
    with closing(pypdfium2.PdfDocument(content)) as document:
        sizes, words = set(), []
        for page in document:
            with closing(page), closing(page.get_textpage()) as text:
                sizes.add(tuple(round(points / POINTS_A_MM) for points in page.get_size()))
                words.append(text.get_text_bounded())
        (size,) = sizes
        return Paper(size, len(document), "\n".join(words))


def pictures(content: bytes, scale: float = 1.5) -> list[Image]:
    """Draw each page. scale: pixels to a point."""
    with closing(pypdfium2.PdfDocument(content)) as document:
        found = []
        for page in document:
            with closing(page):
                found.append(page.render(scale=scale).to_pil().convert("RGB"))
        return found
