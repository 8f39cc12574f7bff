"""The typeface of the panel: luma's 5×7 LCD letters set proportionally in cells 8 pixels high, and what they lack.

A glyph is a tuple of columns, the lowest bit on top. Pure data; knows no picture.
"""

from __future__ import annotations

import unicodedata

from luma.core.legacy.font import LCD_FONT

from companion.screens.oled import symbols
from companion.screens.oled.typefaces import typeface
from companion.screens.oled.typefaces.typeface import Columns, Typeface

HEIGHT = 8
SPACE = 3
"""Width of a space; every other glyph has one empty column after it."""

TIED = "\u00a0"
"""A space at which no line is broken."""
CURSOR, BACK, MORE, CROSS, DOT = "▸", "◂", typeface.MORE, "✗", "•"
FLAG, HALTED = "⚑", "‖"
DONE, NONE = "✓", "–"

_OWN = """
g     p     q     y     j    ±     µ     …     ▸    ◂    ✗       –    →      ×       •
.     .     .     .     .    ..#.. .     .     .    .    .       .    .      .       .
.     .     .     .     ..#  ..#.. .     .     #..  ..#  ##...## .    ..#... .       .
.#### ####. .#### #...# .    ##### #...# .     ##.  .##  .##.##. .    ...#.. #...#   .##.
#...# #...# #...# #...# .##  ..#.. #...# .     ###  ###  ..###.. #### ###### .#.#.   ####
#...# #...# #...# #...# ..#  ..#.. #...# .     ##.  .##  ..###.. .    ...#.. ..#..   ####
#...# #...# #...# .#### ..#  .     #..## .     #..  ..#  .##.##. .    ..#... .#.#.   .##.
.#### ####. .#### ....# #.#  ##### ###.# #.#.# .    .    ##...## .    .      #...#   .
....# #.... ....## .###. .#.  .     #.... .     .    .    .       .    .      .       .
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

_OF_LANGUAGES = """
ß     œ        æ        Œ        Æ        ì   í   î   ï   «      »      „    ✓      °     €
.##.. .        .        .######. .######. #.. ..# .#. #.# .      .      .    .      .#.   ..##.
#..#. .        .        #..#.... #..#.... .#. .#. #.# .   .      .      .    ......# #.#  .#..#
#.#.. .##.##.  .##.##.  #..#.... #..#.... .   .   .   .#. .#..#  #..#.  .    .....#. .#.   ###..
#..#. #..#..#  ...#..#  #..####. #######. .#. .#. .#. .#. #..#.  .#..#  .    #...#.. .    .#...
#...# #..####  .######  #..#.... #..#.... .#. .#. .#. .#. .#..#  #..#.  .    .#.#... .    ###..
#...# #..#...  #..#...  #..#.... #..#.... .#. .#. .#. .#. .      .      #.#  ..#.... .    .#..#
#.##. .##.###  .##.###  .######. #..####. .#. .#. .#. .#. .      .      #.#  .      .     ..##.
.     .        .        .        .        .   .   .   .   .      .      .    .      .     .
"""
"""What the other languages write: letters of their own, marks of quotation. Accents over an i stand apart from it."""

_MARKS = {
    "\u0300": (".#...", "..#..", ""),
    "\u0301": ("...#.", "..#..", ""),
    "\u0302": ("..#..", ".#.#.", ""),
    "\u0303": (".#.#.", "#.#..", ""),
    "\u0308": (".#.#.", ".....", ""),
    "\u030a": ("..#..", "..#..", ""),
    "\u0327": ("", "", "..##."),
}
"""What Unicode puts after a letter: two rows above it, and the one below."""

_ALIASES = {"−": "-", "’": "'", "‘": "'", "“": '"', "”": '"', "μ": "µ", "—": "–", TIED: " "}


def _columns(rows: tuple[str, ...]) -> tuple[int, ...]:
    width = max(map(len, rows))
    lit = [[row[x : x + 1] == "#" for row in rows] for x in range(width)]
    return tuple(sum(1 << y for y, on in enumerate(column) if on) for column in lit)


def _table(art: str) -> dict[str, tuple[str, ...]]:
    names, *lines = (line.split() for line in art.strip().splitlines())
    return {name: tuple(line[index] for line in lines) for index, name in enumerate(names)}


_DRAWN = {name: _columns(rows) for art in (_OWN, _OF_CLOCKS, _OF_LANGUAGES) for name, rows in _table(art).items()}


def glyph(character: str) -> Columns:
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
    parts = unicodedata.normalize("NFD", character)
    if len(parts) == 2 and parts[1] in _MARKS and parts[0].isascii() and parts[0].isalpha():
        return (*_accented(parts[0], parts[1]), 0)
    plain = unicodedata.normalize("NFKD", character)[0]
    return glyph(plain if "!" <= plain <= "~" else "?")


def _accented(letter: str, mark: str) -> Columns:
    """Put a mark over a letter, in the two rows above small ones; a capital is made two rows lower for it."""
    columns = glyph(letter)[:-1]
    width = max(len(columns), *(row.rfind("#") + 1 for row in _MARKS[mark]))
    left = (width - len(columns)) // 2
    rows = [sum((column >> y & 1) << x for x, column in enumerate(columns, left)) for y in range(HEIGHT)]
    above, below = _MARKS[mark][:2], _MARKS[mark][2]
    if any(rows[:2]) and "#" in above[0] + above[1]:
        rows = [0, 0, *_lowered(rows[:7]), rows[7]]
    middle = (width - max(map(len, _MARKS[mark]))) // 2
    for y, art in ((0, above[0]), (1, above[1]), (7, below)):
        rows[y] |= sum(1 << x + max(0, middle) for x, on in enumerate(art) if on == "#")
    return tuple(sum((row >> x & 1) << y for y, row in enumerate(rows)) for x in range(width))


def _lowered(rows: list[int]) -> list[int]:
    """Take two rows out, of those that are like their neighbour where there are such."""
    for _ in range(2):
        twins = [n for n in range(1, len(rows) - 1) if rows[n] == rows[n + 1]]
        del rows[twins[len(twins) // 2] if twins else 2]
    return rows


def _trimmed(columns: list[int]) -> tuple[int, ...]:
    lit = [index for index, column in enumerate(columns) if column]
    return tuple(columns[lit[0] : lit[-1] + 1])


TYPEFACE = Typeface(HEIGHT, 1, glyph)

width, fit, best, wrap, wrapped = TYPEFACE.width, TYPEFACE.fit, TYPEFACE.best, TYPEFACE.wrap, TYPEFACE.wrapped
