"""How a label is divided: where its symbol lies, the code in clear and the words beneath or beside it. Pure; in mm.

An area (QR, Data Matrix) stands above its text, on a flat label to the left of it. Bars take the label's whole width.
"""

from __future__ import annotations

from typing import NamedTuple

from companion.screens.labels.symbols import LEAST_MODULE_MM, QUIET, Symbol

WORDS_SHARE, CODE_SHARE = 0.17, 0.13
"""Of a label's height: the line of words, and that of the code in clear, where they stand beneath the symbol."""
FLAT_WORDS_SHARE, FLAT_CODE_SHARE = 0.34, 0.24
"""... and where they stand beside it."""
EDGE = 0.5
"""Between text and what is next to it."""


class Area(NamedTuple):
    """A rectangle on a label, by its left and top edge."""

    left: float
    top: float
    width: float
    height: float


class Layout(NamedTuple):
    """A label's parts. symbol: without its quiet zone. module: the width of one. is_beside: text stands at the left of
    its areas, not in their middle."""

    symbol: Area
    module: float
    code: Area
    words: Area
    is_beside: bool


def is_readable(symbol: Symbol, label: tuple[float, float]) -> bool:
    """Tell whether common readers manage a symbol on a label of this width and height."""
    return layout(symbol, label).module >= LEAST_MODULE_MM[symbol.kind]


def layout(symbol: Symbol, label: tuple[float, float]) -> Layout:
    """Divide a label of this width and height."""
    width, height = label
    if not symbol.is_bars and width > 2 * height:
        return _beside(symbol, width, height)
    words, code = height * WORDS_SHARE, height * CODE_SHARE
    room = height - words - code
    side = width if symbol.is_bars else min(room, width)
    module, quiet = side / symbol.across, QUIET[symbol.kind]
    top = EDGE if symbol.is_bars else quiet * module
    tall = room - EDGE if symbol.is_bars else len(symbol.modules) * module
    left = (width - side) / 2 + quiet * module
    across = width - 2 * EDGE
    return Layout(
        Area(left, top, len(symbol.modules[0]) * module, tall), module,
        Area(EDGE, room, across, code), Area(EDGE, room + code, across, words), is_beside=False,
    )  # fmt: skip


def _beside(symbol: Symbol, width: float, height: float) -> Layout:
    module = height / symbol.across
    quiet, side = QUIET[symbol.kind] * module, len(symbol.modules) * module
    left, across = height + EDGE, width - height - 3 * EDGE
    words, code = height * FLAT_WORDS_SHARE, height * FLAT_CODE_SHARE
    top = (height - words - code) / 2
    return Layout(
        Area(quiet, quiet, side, side), module,
        Area(left, top + words, across, code), Area(left, top, across, words), is_beside=True,
    )  # fmt: skip
