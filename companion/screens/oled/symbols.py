"""Pixel art for the cards, 8×8: so that nothing on the panel is told by colour, or by a word, alone. Pure data.

A symbol stands in a text as one character of Unicode's private area; `glyphs` draws it like a letter.
"""

from __future__ import annotations

_ART = """
chief     warrior   maiden    hunter    buffalo   totem     tomahawk  necklace  teepee
#..#..#.  .#......  ..###...  ..##....  #.....#.  ..###...  #...#...  #.....#.  .#...#..
##.#.##.  ###.###.  .#####..  ..#.#...  ##...##.  #.#.#.#.  ##.###..  #.....#.  ..#.#...
.#####..  .#.#####  ##...##.  ..#..##.  .#####..  #######.  ######..  #.....#.  ...#....
#######.  .#.##.##  #.#.#.#.  ########  .#.#.#..  ..#.#...  ##.###..  .#...#..  ..###...
.#...#..  .#.#####  ##...##.  ..#..##.  .#####..  ..###...  #...#...  ..###...  .##.##..
.#...#..  .#..###.  #.###.#.  ..#.#...  ..###...  ..#.#...  ....#...  ..###...  ###.###.
..###...  .#......  #.....#.  ..##....  ..###...  ..###...  ....#...  ...#....  ###.###.
"""

NAMES = ("chief", "warrior", "maiden", "hunter", "buffalo", "totem pole", "tomahawk", "necklace", "teepee")

SYMBOLS: dict[str, str] = {name: chr(0xE000 + index) for index, name in enumerate(NAMES)}
"""The character that stands for each card's symbol; "totem poles" and "necklaces" are found by `symbol`."""


def symbol(word: str) -> str:
    """Give the symbol's character for the name of a role or a booty kind, one or many; empty where there is none."""
    return SYMBOLS.get(word) or SYMBOLS.get(word.removesuffix("s"), "")


def rows(name: str) -> tuple[str, ...]:
    """Give a symbol's rows from the top, "#" for a lit pixel."""
    index = NAMES.index(name)
    return tuple(line.split()[index] for line in _ART.strip().splitlines()[1:])
