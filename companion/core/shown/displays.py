"""The chips of OLEDs that can be configured: one entry a chip, and nothing else names one.

Settings and their checks, help texts, the display's driver, the model of its chip for tests and the simulated panel,
the size of the page's picture and the fault pictures of the installation read this table. Plain facts of the data
sheets; lies here because neither the settings nor the adapters may know the other. Knows no bus, driver or picture.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import NamedTuple


class Memory(Enum):
    """How a chip keeps its picture, and so how what has changed is sent."""

    WINDOWS = auto()
    """A byte for eight pixels of a column; a window of columns and pages is set before the data (ssd1306, 10.1.3)."""
    PAGES = auto()
    """The same bytes; page and first column are set before the data (sh1106)."""
    GREYS = auto()
    """Four bits a pixel; a window of whole columns and rows is set, its corners sent as data (ssd1322, 8.1.3)."""


class Chip(NamedTuple):
    """One chip, whose name luma.oled knows too.

    size: of the panel in pixels. interfaces: what it speaks. columns: of its memory, None where the panel shows them
    all; first_column: the one that is leftmost on the panel. has_pump: makes its own voltage, once told to.
    """

    size: tuple[int, int]
    memory: Memory
    interfaces: tuple[str, ...] = ("i2c", "spi")
    columns: int | None = None
    first_column: int = 0
    has_pump: bool = False


CHIPS: dict[str, Chip] = {
    "ssd1306": Chip((128, 64), Memory.WINDOWS, has_pump=True),
    "sh1106": Chip((128, 64), Memory.PAGES, columns=132, first_column=2),
    "ssd1309": Chip((128, 64), Memory.WINDOWS),
    "ssd1322": Chip((256, 64), Memory.GREYS, interfaces=("spi",), columns=480, first_column=112),
}
"""By the word that stands in the settings."""

USUAL = "ssd1306"
"""What a box is taken to have while nothing else is said."""


def known() -> str:
    """Say for people which chips there are: "ssd1306 128x64, …, ssd1322 256x64 (SPI only)"."""
    return ", ".join(
        f"{name} {chip.size[0]}x{chip.size[1]}" + ("" if len(chip.interfaces) > 1 else f" ({only(chip)} only)")
        for name, chip in CHIPS.items()
    )


def only(chip: Chip) -> str:
    """Give the first interface that a chip speaks, as people write it: "SPI"."""
    return {"i2c": "I2C", "spi": "SPI"}[chip.interfaces[0]]
