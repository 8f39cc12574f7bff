"""Words in braille, uncontracted (grade 1), as dots at the size that fingers are used to. Knows no button.

Braille is never scaled: a cell has one size. Dimensions: Marburg Medium, as in EN 15823 and ISO 17351 (dots 1.3 to
1.6 mm wide, 2.5 mm apart; cells 6.0 mm and lines 10.0 mm apart; at least 0.2 mm high, better 0.5 mm on a sign).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

DOT_DIAMETER = 1.6
DOT_PITCH = 2.5
CELL_PITCH = 6.0
LINE_PITCH = 10.0
DOT_HEIGHT = 0.5

_FIRST_TEN = {"a": "1", "b": "12", "c": "14", "d": "145", "e": "15", "f": "124", "g": "1245", "h": "125", "i": "24",
              "j": "245"}  # fmt: skip
_BEYOND = {"u": "136", "v": "1236", "w": "2456", "x": "1346", "y": "13456", "z": "1356"}
DOTS = {
    **_FIRST_TEN,
    **{chr(ord(letter) + 10): dots + "3" for letter, dots in _FIRST_TEN.items()},
    **_BEYOND,
}
"""The dots of each letter. k to t are a to j with dot 3; w came into the alphabet later and is the odd one out."""


def cells(word: str) -> str:
    """Give a word's cells as Unicode braille patterns (U+2800 and up). Raises ValueError: not a to z."""
    if strange := sorted(set(word) - set(DOTS)):
        raise ValueError(f"only letters a to z have a cell here, not {', '.join(map(repr, strange))} in {word!r}")
    return "".join(chr(0x2800 + sum(1 << int(dot) - 1 for dot in DOTS[letter])) for letter in word)


def places(word: str) -> Iterator[tuple[float, float]]:
    """Give where a word's dots lie, in mm from the place of the first cell's dot 1; y downwards."""
    for index, cell in enumerate(cells(word)):
        pattern = ord(cell) - 0x2800
        for dot in range(6):
            if pattern >> dot & 1:
                yield index * CELL_PITCH + dot // 3 * DOT_PITCH, dot % 3 * DOT_PITCH


def width(word: str) -> float:
    """Give how much room a word takes, in mm, from the first dot's edge to the last possible one's."""
    return (len(word) - 1) * CELL_PITCH + DOT_PITCH + DOT_DIAMETER


HEIGHT = 2 * DOT_PITCH + DOT_DIAMETER


def centred(word: str, x: float, y: float) -> list[tuple[float, float]]:
    """Give where a word's dots lie when it is centred on (x, y)."""
    left = x - ((len(word) - 1) * CELL_PITCH + DOT_PITCH) / 2
    return [(left + across, y - DOT_PITCH + down) for across, down in places(word)]
