"""The typeface of the panel: luma's 5×7 LCD letters set proportionally in cells 8 pixels high, and what they lack.

A glyph is a tuple of columns, the lowest bit on top. Pure data; knows no picture.
"""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache

from luma.core.legacy.font import LCD_FONT

from companion.screens.oled import symbols

HEIGHT = 8
SPACE = 3
"""Width of a space; every other glyph has one empty column after it."""

TIED = "\u00a0"
"""A space at which no line is broken."""
CURSOR, BACK, MORE, CROSS, DOT = "▸", "◂", "…", "✗", "•"
FLAG, HALTED = "⚑", "‖"

_OWN = """
g     p     q     y     j    ±     µ     …     ▸    ◂    ✗       –    →      ×       •
.     .     .     .     .    ..#.. .     .     .    .    .       .    .      .       .
.     .     .     .     ..#  ..#.. .     .     #..  ..#  ##...## .    ..#... .       .
.#### ####. .#### #...# .    ##### #...# .     ##.  .##  .##.##. .    ...#.. #...#   .##.
#...# #...# #...# #...# .##  ..#.. #...# .     ###  ###  ..###.. #### ###### .#.#.   ####
#...# #...# #...# #...# ..#  ..#.. #...# .     ##.  .##  ..###.. .    ...#.. ..#..   ####
#...# #...# #...# .#### ..#  .     #..## .     #..  ..#  .##.##. .    ..#... .#.#.   .##.
.#### ####. .#### ....# #.#  ##### ###.# #.#.# .    .    ##...## .    .      #...#   .
....# #.... ....# .###. .#.  .     #.... .     .    .    .       .    .      .       .
"""
"""Letters whose tails luma's font cuts short, and signs it lacks."""

_OF_CLOCKS = """
⚑       ‖
###.... ##.##
######. ##.##
###.### ##.##
#...### ##.##
#...... ##.##
#...... ##.##
#...... ##.##
.       .
"""
"""A flag that has fallen, and that clocks stand."""

_ALIASES = {"−": "-", "’": "'", "‘": "'", "“": '"', "”": '"', "μ": "µ", "—": "–", TIED: " "}


def _columns(rows: tuple[str, ...]) -> tuple[int, ...]:
    width = max(map(len, rows))
    lit = [[row[x : x + 1] == "#" for row in rows] for x in range(width)]
    return tuple(sum(1 << y for y, on in enumerate(column) if on) for column in lit)


def _table(art: str) -> dict[str, tuple[str, ...]]:
    names, *lines = (line.split() for line in art.strip().splitlines())
    return {name: tuple(line[index] for line in lines) for index, name in enumerate(names)}


_DRAWN = {name: _columns(rows) for art in (_OWN, _OF_CLOCKS) for name, rows in _table(art).items()}


@cache
def glyph(character: str) -> tuple[int, ...]:
    """Give the columns of a character with the gap after it. One that cannot be drawn becomes a plain letter or "?"."""
    character = _ALIASES.get(character, character)
    if character in _DRAWN:
        return (*_DRAWN[character], 0)
    if (bitmap := symbols.bitmap_of(character)) is not None:
        return (*_columns(bitmap), 0)
    if character == " " or not character.isprintable():
        return (0,) * SPACE
    if ord(character) < 0x7F:
        return (*_trimmed(LCD_FONT[ord(character)]), 0)
    plain = unicodedata.normalize("NFKD", character)[0]
    return glyph(plain if "!" <= plain <= "~" else "?")


def _trimmed(columns: list[int]) -> tuple[int, ...]:
    lit = [index for index, column in enumerate(columns) if column]
    return tuple(columns[lit[0] : lit[-1] + 1])


@lru_cache(maxsize=4096)
def width(text: str) -> int:
    """Give the width in pixels, without the gap after the last glyph."""
    return max(0, sum(len(glyph(character)) for character in text) - 1) if text.strip() else 0


@lru_cache(maxsize=1024)
def fit(text: str, room: int) -> str:
    """Shorten a text deliberately, with an ellipsis, until it is at most `room` pixels wide."""
    if width(text) <= room:
        return text
    while text and width(text.rstrip() + MORE) > room:
        text = text[:-1]
    shortened = text.rstrip() + MORE
    return shortened if width(shortened) <= room else ""


def best(candidates: tuple[str, ...], room: int) -> str:
    """Give the first of the candidates that is at most `room` pixels wide; else the last one, shortened."""
    return next((text for text in candidates if width(text) <= room), fit(candidates[-1], room))


def wrap(text: str, room: int) -> list[str]:
    """Break a text at spaces, not at `TIED` ones, into lines of at most `room` pixels; too wide a word is shortened."""
    lines: list[str] = []
    for word in filter(None, text.split(" ")):
        joined = f"{lines[-1]} {word}" if lines else ""
        if joined and width(joined) <= room:
            lines[-1] = joined
        else:
            lines.append(fit(word, room))
    return lines


def wrapped(text: str, room: int, most: int) -> list[str]:
    """Break a text into at most `most` lines; what is left over is shown to be missing by an ellipsis."""
    lines = wrap(text, room)
    if len(lines) <= most:
        return lines
    kept = lines[:most]
    return [*kept[:-1], fit(kept[-1] + MORE, room) or MORE] if kept else []
