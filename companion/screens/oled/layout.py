"""A canvas as lines of text, one below the other: everything is fitted before it is written. Knows no scene."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.screens.oled import glyphs

if TYPE_CHECKING:
    from companion.screens.oled.canvas import Canvas
    from companion.screens.oled.symbols import Signs

TALL = (1, 2)
BIG = (2, 2)
_BETWEEN = 4
"""Pixels that stay free between a left and a right text."""


class Page:
    """`left_lines` counts the lines of 8 pixels that are still free above `bottom`; `signs` are the game's."""

    def __init__(self, canvas: Canvas, bottom: int, signs: Signs) -> None:
        self.signs = signs
        self.canvas = canvas
        self.width = canvas.width
        self.y = 0
        self.bottom = bottom

    @property
    def left_lines(self) -> int:
        """How many lines are free."""
        return (self.bottom - self.y) // glyphs.HEIGHT

    def line(
        self,
        left: str | tuple[str, ...],
        right: str | tuple[str, ...] = "",
        *,
        inverse: bool = False,
        scale: tuple[int, int] = (1, 1),
        indent: int = 0,
    ) -> None:
        """Write one line, if one is free; a tuple holds candidates, the most wanted first. `right` has precedence."""
        height = glyphs.HEIGHT * scale[1]
        if self.y + height > self.bottom:
            return
        if inverse:
            self.canvas.bar(0, self.y, self.width, self.y + height)
            indent = max(indent, 1)
        room = (self.width - indent - (1 if inverse else 0)) // scale[0]
        rights = (right,) if isinstance(right, str) else right
        lefts = (left,) if isinstance(left, str) else left
        right_text = glyphs.best(rights, room)
        if right_text.strip():
            end = self.width - (1 if inverse else 0)
            self.canvas.right_text(end, self.y, right_text, scale=scale, inverse=inverse)
            room -= glyphs.width(right_text) + _BETWEEN
        self.canvas.text(indent, self.y, glyphs.best(lefts, max(0, room)), scale=scale, inverse=inverse)
        self.y += height

    def paragraph(self, text: str, most: int | None = None) -> None:
        """Write a text over as many lines as it takes, at most `most`; as tall letters where all of it fits so."""
        lines = min(self.left_lines, self.left_lines if most is None else most)
        broken = glyphs.wrapped(text, self.width, lines)
        scale = TALL if len(broken) * 2 <= lines else (1, 1)
        for line in broken:
            self.line(line, scale=scale)

    def cells(self, texts: list[str], lines: int, marked: int | None = None, *, tall: bool = False) -> None:
        """Write short texts side by side in at most `lines` lines; how many are missing is said at the end.

        The text of index `marked` is inverted, and is among those shown.
        """
        start = 0
        shown = self._fitting(texts, lines)
        if marked is not None and marked >= shown:
            start = min(marked, len(texts) - 1)
            texts = [f"+{start}", *texts[start:]]
            marked, shown = 1, self._fitting(texts, lines)
        rest = [f"+{len(texts) - shown}"] if shown < len(texts) else []
        scale = TALL if tall else (1, 1)
        height, x = glyphs.HEIGHT * scale[1], 0
        for index, cell in enumerate([*texts[:shown], *rest]):
            text = glyphs.fit(cell, self.width - 2)
            if x and x + glyphs.width(text) + 1 > self.width:
                x, self.y = 0, self.y + height
            if index == marked:
                self.canvas.bar(x, self.y, x + glyphs.width(text) + 2, self.y + height)
            x = self.canvas.text(x + 1, self.y, text, inverse=index == marked, scale=scale) + 5
        self.y += height if texts and lines else 0

    def _fitting(self, texts: list[str], lines: int) -> int:
        """How many of the texts fit, leaving room for a "+12" where some do not."""
        for shown in range(len(texts), -1, -1):
            rest = [f"+{len(texts) - shown}"] if shown < len(texts) else []
            if self.lines_of([*texts[:shown], *rest]) <= lines:
                return shown
        return 0

    def lines_of(self, texts: list[str]) -> int:
        """How many lines `cells` needs for all of the texts."""
        x, lines = 0, 1 if texts else 0
        for text in texts:
            width = min(glyphs.width(text), self.width - 2)
            if x and x + width + 1 > self.width:
                x, lines = 0, lines + 1
            x += 1 + width + 5
        return lines
