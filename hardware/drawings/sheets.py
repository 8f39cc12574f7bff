"""A drawing as PDF for a printer's paper: larger ones in tiles that overlap, with crop marks and a bar to measure.

fpdf2 draws the SVG's shapes; the same drawing gives the same bytes.
"""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from math import ceil
from typing import NamedTuple

from fpdf import FPDF
from fpdf.svg import SVGObject

from hardware.drawings.outlines import FONT

LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)
MARGIN, FOOT = 8.0, 16.0
"""What printers leave white at the edges, and what the bar takes below."""
OVERLAP = 10.0
"""A strip that two tiles have in common: to see whether they lie right, and to glue."""
BAR = 100.0


class Paper(NamedTuple):
    """A printer's paper in mm, upright."""

    name: str
    width: float
    height: float


PAPERS = (Paper("a4", 210.0, 297.0), Paper("letter", 215.9, 279.4))


@dataclass(frozen=True)
class Grid:
    """How many tiles a drawing takes, on paper that lies as it wastes least."""

    across: int
    down: int
    width: float
    height: float

    @property
    def room(self) -> tuple[float, float]:
        """What a tile shows of the drawing, in mm."""
        return self.width - 2 * MARGIN, self.height - 2 * MARGIN - FOOT


def grid(width: float, height: float, paper: Paper) -> Grid:
    """Give the tiles for a drawing of that size in mm; one where it fits."""
    found = []
    for wide, high in ((paper.width, paper.height), (paper.height, paper.width)):
        room = wide - 2 * MARGIN, high - 2 * MARGIN - FOOT
        across, down = (1 if need <= have else ceil((need - OVERLAP) / (have - OVERLAP))
                        for need, have in zip((width, height), room, strict=True))  # fmt: skip
        found.append(Grid(across, down, wide, high))
    return min(found, key=lambda each: each.across * each.down)


def sheets(svg: str, title: str, paper: Paper) -> bytes:
    """Give an SVG drawing that states its size in mm as PDF at true scale."""
    width, height = _size(svg)
    whole = width <= paper.width and height <= paper.height  # it was drawn for this paper, with its own margins
    tiles = Grid(1, 1, paper.width, paper.height) if whole else grid(width, height, paper)
    document = FPDF(unit="mm", format=(tiles.width, tiles.height))
    document.set_creation_date(LONG_AGO)
    document.set_title(title)
    document.set_auto_page_break(False)
    for style, file in (("", "DejaVuSans.ttf"), ("B", FONT.name)):
        document.add_font("DejaVu Sans", style, FONT.with_name(file))
    logging.getLogger("fpdf.svg").setLevel(logging.ERROR)  # it warns of each <title>
    shapes = SVGObject(_from_corner(svg))
    for row in range(tiles.down):
        for column in range(tiles.across):
            document.add_page()
            if whole:
                shapes.draw_to_page(document, (paper.width - width) / 2, 0)
                continue
            _tile(document, shapes, tiles, (column, row))
            _foot(document, tiles, title, (column, row))
    return bytes(document.output())


def _size(svg: str) -> tuple[float, float]:
    """Raises ValueError: it does not state its size in mm."""
    found = re.search(r'<svg[^>]* width="([\d.]+)mm" height="([\d.]+)mm"', svg)
    if found is None:
        raise ValueError("a drawing at scale states its width and height in mm")
    return float(found[1]), float(found[2])


def _from_corner(svg: str) -> str:
    """Give the drawing with its corner at (0, 0): fpdf2 takes no other."""
    found = re.search(r'viewBox="([-\d.]+) ([-\d.]+) ([\d.]+) ([\d.]+)"', svg)
    if found is None:
        raise ValueError("a drawing at scale has a viewBox")
    left, top, width, height = (float(word) for word in found.groups())
    head, body = svg[: svg.index(">") + 1], svg[svg.index(">") + 1 : svg.rindex("</svg>")]
    head = head.replace(found[0], f'viewBox="0 0 {width:g} {height:g}"')
    return f'{head}<g transform="translate({-left:g} {-top:g})">{body}</g></svg>'


def _tile(document: FPDF, shapes: SVGObject, tiles: Grid, place: tuple[int, int]) -> None:
    wide, high = tiles.room
    step = wide - OVERLAP, high - OVERLAP
    with document.rect_clip(MARGIN, MARGIN, wide, high):
        shapes.draw_to_page(document, MARGIN - place[0] * step[0], MARGIN - place[1] * step[1])
    if tiles.across * tiles.down == 1:
        return
    document.set_line_width(0.2)
    marks = [MARGIN, MARGIN + wide], [MARGIN, MARGIN + high]
    inner = [MARGIN + OVERLAP, MARGIN + step[0]], [MARGIN + OVERLAP, MARGIN + step[1]]
    for x in marks[0] + inner[0]:
        document.line(x, MARGIN - 5, x, MARGIN - 1)
        document.line(x, MARGIN + high + 1, x, MARGIN + high + 5)
    for y in marks[1] + inner[1]:
        document.line(MARGIN - 5, y, MARGIN - 1, y)
        document.line(MARGIN + wide + 1, y, MARGIN + wide + 5, y)


def _foot(document: FPDF, tiles: Grid, title: str, place: tuple[int, int]) -> None:
    """Draw the bar, and which tile this is: row by a letter, column by a number."""
    y = tiles.height - MARGIN - 3
    document.set_line_width(0.3)
    document.line(MARGIN, y, MARGIN + BAR, y)
    for mark in range(11):
        x = MARGIN + mark * BAR / 10
        document.line(x, y - (3 if mark % 5 == 0 else 1.5), x, y)
    document.set_font("DejaVu Sans", size=7)
    tile = "" if tiles.across * tiles.down == 1 else f", sheet {'ABCDEF'[place[1]]}{place[0] + 1}"
    if tile:
        tile += f" of {'ABCDEF'[tiles.down - 1]}{tiles.across}; neighbours overlap by {OVERLAP:.0f} mm"
    document.text(MARGIN + BAR + 3, y - 3, "100 mm when printed at 100 %, not fitted to the page")
    document.text(MARGIN + BAR + 3, y + 0.5, f"{title}{tile}"[:90])
