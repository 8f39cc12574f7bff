"""What goes where on a terminal of any size: picture, legend, log. Pure: sizes and texts in, lines of fragments out."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.adapters.terminal.keys import GRID_WIDTH, HELP_WIDTH, Fragment, grid, help_lines
from companion.adapters.terminal.pixels import Grain, drawn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PIL import Image

_OLED = "bg:#000000 #e8f4ff"
_TITLE = "table companion, simulated panel"
_GAP = 2


class Shown(NamedTuple):
    """Everything there is to show. `words`: the scene in lines of text; `log`: what happened, newest last."""

    picture: Image.Image
    words: Sequence[str]
    log: Sequence[str]
    down: frozenset[str]
    knob_is_down: bool
    tone: str


def arranged(shown: Shown, columns: int, rows: int) -> list[list[Fragment]]:
    """Give at most `rows` lines of at most `columns` characters."""
    lines: list[list[Fragment]] = [_title(shown, columns)]
    for grain in Grain:
        width, height = grain.size(shown.picture.size)
        if width + _GAP + GRID_WIDTH <= columns and 1 + height <= rows:
            lines += _beside(shown, grain, columns)
            break
        if width <= columns and 1 + height + len(_legend(shown, columns)) <= rows:
            lines += [[(_OLED, line)] for line in drawn(shown.picture, grain)] + _legend(shown, columns)
            break
    else:
        legend = _legend(shown, columns)
        room = max(0, rows - 1 - len(legend))
        note = f"(for the picture make the terminal at least {_smallest(shown)})"
        lines += [[("", text)] for text in [*shown.words[: max(0, room - 1)], note][:room]] + legend
    lines += [[("", text)] for text in shown.log[-max(0, rows - len(lines)) :] if rows > len(lines)]
    return [_cut(line, columns) for line in lines[:rows]]


def _smallest(shown: Shown) -> str:
    width, height = Grain.BRAILLE.size(shown.picture.size)
    width = max(width, GRID_WIDTH + HELP_WIDTH)
    return f"{width}×{height + 1 + len(_legend(shown, width))}"


def _title(shown: Shown, columns: int) -> list[Fragment]:
    tone = f"♪ {shown.tone} " if shown.tone else ""
    return [("bold reverse", f" {_TITLE}".ljust(max(0, columns - len(tone))) + tone)]


def _legend(shown: Shown, columns: int) -> list[list[Fragment]]:
    """The grid of keys and the help: side by side where there is room."""
    keys, others = grid(shown.down), help_lines(shown.knob_is_down)
    if columns < GRID_WIDTH + HELP_WIDTH:
        return [*keys, *others]
    return [[*left, *right] for left, right in zip(keys, others, strict=True)]


def _beside(shown: Shown, grain: Grain, columns: int) -> list[list[Fragment]]:
    """The picture, and to its right the legend and the log's newest lines."""
    width, height = grain.size(shown.picture.size)
    right: list[list[Fragment]] = [*grid(shown.down), [], *help_lines(shown.knob_is_down), []]
    room = columns - width - _GAP
    wrapped = [text[start : start + room] for text in shown.log for start in range(0, max(1, len(text)), room)]
    right += [[("", text)] for text in wrapped[-max(0, height - len(right)) :] if height > len(right)]
    right += [[] for _ in range(height - len(right))]
    pictured = drawn(shown.picture, grain)
    return [
        [(_OLED, line), ("", " " * _GAP), *beside]
        for line, beside in zip([*pictured, *[" " * width] * (len(right) - height)], right, strict=True)
    ]


def _cut(line: list[Fragment], columns: int) -> list[Fragment]:
    """Drop what would be wider than the terminal."""
    kept: list[Fragment] = []
    for style, text in line:
        kept.append((style, text[: max(0, columns)]))
        columns -= len(text)
    return [fragment for fragment in kept if fragment[1]]
