"""A picture of mode "1" as text: half blocks, quadrants or braille dots. Pure.

Half blocks keep pixels square and need a column for each; quadrants need half the columns and look twice as tall;
braille needs half the columns and a quarter of the rows, so that 128×64 fits into 80×24.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL import Image

_HALVES = " ▀▄█"
_QUADRANTS = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"
_BRAILLE_BITS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))


class Grain(Enum):
    """How many pixels one character shows, across and down."""

    HALF = (1, 2)
    QUADRANT = (2, 2)
    BRAILLE = (2, 4)

    def size(self, pixels: tuple[int, int]) -> tuple[int, int]:
        """Give the columns and rows that a picture of that many pixels takes."""
        across, down = self.value
        return -(-pixels[0] // across), -(-pixels[1] // down)


def drawn(picture: Image.Image, grain: Grain) -> list[str]:
    """Give the picture's lines of text, all of the same length."""
    width, height = picture.size
    lit = picture.convert("L").tobytes()
    across, down = grain.value
    columns, rows = grain.size(picture.size)

    def cell(column: int, row: int) -> str:
        bits = [
            [x < width and y < height and bool(lit[y * width + x]) for x in range(column, column + across)]
            for y in range(row, row + down)
        ]
        return _character(bits, grain)

    return ["".join(cell(column * across, row * down) for column in range(columns)) for row in range(rows)]


def _character(bits: list[list[bool]], grain: Grain) -> str:
    if grain is Grain.BRAILLE:
        return chr(
            0x2800
            + sum(
                mark
                for line, marks in zip(bits, _BRAILLE_BITS, strict=True)
                for on, mark in zip(line, marks, strict=True)
                if on
            )
        )
    flat = [on for line in bits for on in line]
    value = sum(1 << index for index, on in enumerate(flat) if on)
    return (_HALVES if grain is Grain.HALF else _QUADRANTS)[value]
