"""What a typeface can do with a text: how wide it is, what of it fits, where lines break. Pure; knows no picture."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

MORE = "…"
"""Stands where something was left out."""

Columns = tuple[int, ...]
"""The columns of a glyph from the left, the lowest bit on top, with the empty ones that part it from the next."""


class Typeface:
    """Letters of one height. height: of a line in pixels. gap: empty columns after each glyph.

    columns: gives a character's columns with its gap; it draws something for each. All results are kept, so that a
    text that stands in many pictures is measured once.
    """

    def __init__(self, height: int, gap: int, columns: Callable[[str], Columns]) -> None:
        self.height = height
        self.columns = cache(columns)
        self._gap = gap
        self.width = lru_cache(maxsize=4096)(self._width)
        self.fit = lru_cache(maxsize=1024)(self._fit)

    def _width(self, text: str) -> int:
        """Give the width in pixels, without the gap after the last glyph."""
        return max(0, sum(len(self.columns(character)) for character in text) - self._gap) if text.strip() else 0

    def _fit(self, text: str, room: int) -> str:
        """Shorten a text deliberately, with an ellipsis, until it is at most `room` pixels wide."""
        if self.width(text) <= room:
            return text
        while text and self.width(text.rstrip() + MORE) > room:
            text = text[:-1]
        shortened = text.rstrip() + MORE
        return shortened if self.width(shortened) <= room else ""

    def best(self, candidates: tuple[str, ...], room: int) -> str:
        """Give the first of the candidates that is at most `room` pixels wide; else the last one, shortened."""
        return next((text for text in candidates if self.width(text) <= room), self.fit(candidates[-1], room))

    def wrap(self, text: str, room: int) -> list[str]:
        """Break a text at spaces, not at tied ones, into lines of at most `room` pixels; a word too wide is cut."""
        lines: list[str] = []
        for word in filter(None, text.split(" ")):
            joined = f"{lines[-1]} {word}" if lines else ""
            if joined and self.width(joined) <= room:
                lines[-1] = joined
            else:
                lines.append(self.fit(word, room))
        return lines

    def wrapped(self, text: str, room: int, most: int) -> list[str]:
        """Break a text into at most `most` lines; what is left over is shown to be missing by an ellipsis."""
        lines = self.wrap(text, room)
        if len(lines) <= most:
            return lines
        kept = lines[:most]
        return [*kept[:-1], self.fit(kept[-1] + MORE, room) or MORE] if kept else []
