"""Where everything lies on a panel, in mm. The drawings, the DXF and the case are all made from these numbers.

Seen from the players' side. The origin is the panel's middle, x to the right, y towards the first seat (downwards).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, pi, sin, tan
from typing import NamedTuple

from companion.core.panel import Button, Colour
from hardware.drawings.faces import buttons_of

SEATS = len(Colour)
HALF_SECTOR = pi / SEATS


@dataclass(frozen=True)
class ButtonSize:
    """A kind of arcade button: its hole, its widest flange, how far apart two are comfortable, how deep it is."""

    hole: float
    flange: float
    pitch: float
    insert: float
    """Diameter of the paper disc under a clear cap; measure yours."""
    depth: float = 45.0
    """Room below the panel, with plugs on."""


SIZES = {24: ButtonSize(24.0, 28.0, 32.0, 15.0), 30: ButtonSize(30.0, 34.0, 38.0, 20.0)}

KNOB_HOLE = 7.2
"""For the M7 bushing of an EC11 or PEC11 encoder (Bourns PEC11: M7 × 0.75)."""
SCREW_HOLE = 3.2
SOUND_HOLE = 2.0
GAP = 3.0
"""Between a flange and the seam to the next seat."""
NEAR_STRIP = 13.0
"""Between the flanges and the edge: room for the name and for one line of braille beside it."""
SYMBOL_STRIP = 10.0
"""On the other side of the buttons, where no hand covers it: room for the symbol."""
TEXT_WIDE = 15.0
BRAILLE_WIDE = 10.1
"""The widest name, and two cells: they share the near strip, below each button."""
CORNER = 12.0


class Hole(NamedTuple):
    """A round hole; `use` is a button's label, "knob", "screw" or "sound"."""

    x: float
    y: float
    diameter: float
    use: str


class Window(NamedTuple):
    """A rectangular opening about (x, y)."""

    x: float
    y: float
    width: float
    height: float
    use: str


class Mark(NamedTuple):
    """A button's legend on the panel: the middles of its symbol, its two lines of text and its braille.

    All are turned by `turn` degrees clockwise, to be read from the seat.
    """

    button: Button
    turn: float
    symbol: tuple[float, float]
    text: tuple[float, float]
    braille: tuple[float, float]


@dataclass(frozen=True)
class Panel:
    """A panel: its outline's corners, rounded by `corner` mm, what is cut into it and what is written on it."""

    name: str
    title: str
    size: ButtonSize
    outline: tuple[tuple[float, float], ...]
    corner: float
    holes: tuple[Hole, ...]
    windows: tuple[Window, ...]
    marks: tuple[Mark, ...]

    @property
    def buttons(self) -> tuple[Hole, ...]:
        """The holes of the arcade buttons."""
        return tuple(hole for hole in self.holes if " " in hole.use)


def turned(x: float, y: float, angle: float) -> tuple[float, float]:
    """Turn a point clockwise as seen (y is downwards) about the middle."""
    return x * cos(angle) - y * sin(angle), x * sin(angle) + y * cos(angle)


def row_distance(size: ButtonSize) -> float:
    """How far a seat's row must be from the middle for its outer buttons to keep clear of the seams."""
    along = 1.5 * size.pitch
    return (size.flange / 2 + GAP + along * cos(HALF_SECTOR)) / sin(HALF_SECTOR)


def outer_apothem(size: ButtonSize) -> float:
    """From the middle to the middle of a side."""
    return row_distance(size) + size.flange / 2 + NEAR_STRIP


def inner_apothem(size: ButtonSize) -> float:
    """From the middle to where the buttons' symbols end: the field of display and knob."""
    return row_distance(size) - size.flange / 2 - SYMBOL_STRIP


TABLE_WINDOW = Window(0, -10, 57, 30, "display 2.42 inch")
STRIP_WINDOW = Window(0, 0, 31, 17, "display 1.3 inch")


def table_panel(size: ButtonSize) -> Panel:
    """A pentagon to stand in the middle of the table: a side for each colour, clockwise from the first seat."""
    holes, marks = [], []
    distance = row_distance(size)
    for seat, colour in enumerate(Colour):
        angle = 2 * HALF_SECTOR * seat
        for index, button in buttons_of(colour):
            along = (index - 1.5) * size.pitch
            holes.append(Hole(*turned(along, distance, angle), size.hole, button.label))
            symbol = turned(along, distance - size.flange / 2 - SYMBOL_STRIP / 2, angle)
            near = distance + size.flange / 2 + NEAR_STRIP / 2 - 0.5
            text = turned(along - BRAILLE_WIDE / 2 - 0.5, near, angle)
            dots = turned(along + TEXT_WIDE / 2 + 0.5, near, angle)
            marks.append(Mark(button, angle * 180 / pi, symbol, text, dots))
    apothem = outer_apothem(size)
    corners = tuple(turned(-apothem * tan(HALF_SECTOR), apothem, 2 * HALF_SECTOR * seat) for seat in range(SEATS))
    screws = _table_screws(size)
    return Panel(
        f"table-{size.hole:.0f}",
        f"Table panel, {size.hole:.0f} mm buttons",
        size,
        corners,
        CORNER,
        (*holes, Hole(0, 32, KNOB_HOLE, "knob"), *_sound(0, -42), *screws),
        (TABLE_WINDOW,),
        tuple(marks),
    )


def _table_screws(size: ButtonSize) -> list[Hole]:
    """Two for each sector of the case: near the corner, clear of the seam's wall and of the outer button."""
    x, y = sector_screw(size)
    return [
        Hole(*turned(side * x, y, 2 * HALF_SECTOR * seat), SCREW_HOLE, "screw")
        for seat in range(SEATS)
        for side in (-1, 1)
    ]


def sector_screw(size: ButtonSize) -> tuple[float, float]:
    """Where a sector's right-hand screw lies, its seat being downwards."""
    y = outer_apothem(size) - 9.0
    return y * tan(HALF_SECTOR) - 12.5 / cos(HALF_SECTOR), y


def _sound(x: float, y: float) -> list[Hole]:
    """Holes above the buzzer."""
    return [Hole(x + across, y, SOUND_HOLE, "sound") for across in (-8, -4, 0, 4, 8)]


STRIP_EDGE = 20.0
"""Above and below the strip's buttons: a line with symbol and name, and one of braille."""


def section_width(size: ButtonSize) -> float:
    """A colour's share of the strip."""
    return size.pitch + size.flange + 10.0


def strip_height(size: ButtonSize) -> float:
    """Height of the strip: two rows, and a strip for symbols and braille above and below."""
    return size.pitch + size.flange + 2 * STRIP_EDGE


def strip_panel(size: ButtonSize) -> Panel:
    """All five colours side by side in blocks of four, the display at the right-hand end."""
    wide, high = section_width(size), strip_height(size)
    left = -(SEATS + 1) * wide / 2
    holes, marks = [], []
    for place, colour in enumerate(Colour):
        middle = left + (place + 0.5) * wide
        for index, button in buttons_of(colour):
            row = -1 if index < 2 else 1
            x = middle + (index % 2 - 0.5) * size.pitch
            holes.append(Hole(x, row * size.pitch / 2, size.hole, button.label))
            edge = size.pitch / 2 + size.flange / 2
            near, far = row * (edge + 6.0), row * (edge + 15.0)
            marks.append(Mark(button, 0.0, (x - 8.6, near), (x + 4.0, near), (x, far)))
    end = left + (SEATS + 0.5) * wide
    window = STRIP_WINDOW._replace(x=end, y=-high / 4 + 6)
    corners = ((left, -high / 2), (-left, -high / 2), (-left, high / 2), (left, high / 2))
    return Panel(
        f"strip-{size.hole:.0f}",
        f"Tournament strip, {size.hole:.0f} mm buttons",
        size,
        corners,
        6.0,
        (*holes, Hole(end, high / 4, KNOB_HOLE, "knob"), *_sound(end, 2.0), *_strip_screws(size)),
        (window,),
        tuple(marks),
    )


def _strip_screws(size: ButtonSize) -> list[Hole]:
    wide, high = section_width(size), strip_height(size)
    left = -(SEATS + 1) * wide / 2
    edges = [*(left + place * wide + 6.0 for place in range(SEATS + 1)), -left - 6.0]
    return [Hole(x, side * (high / 2 - 6.0), SCREW_HOLE, "screw") for x in edges for side in (-1, 1)]


def panels() -> list[Panel]:
    """All panels there are drawings of."""
    return [make(size) for make in (table_panel, strip_panel) for size in SIZES.values()]


Arc = tuple[tuple[float, float], tuple[float, float], tuple[float, float]]
"""Where a corner's arc begins and ends, and its middle."""


def rounded(corners: tuple[tuple[float, float], ...], radius: float) -> list[Arc]:
    """Give for each corner where its arc begins and ends, and the arc's middle."""
    found: list[Arc] = []
    for index, (x, y) in enumerate(corners):
        ends = []
        for other in (corners[index - 1], corners[(index + 1) % len(corners)]):
            dx, dy = other[0] - x, other[1] - y
            length = (dx * dx + dy * dy) ** 0.5
            ends.append((dx / length, dy / length))
        (ax, ay), (bx, by) = ends
        cosine = ax * bx + ay * by
        back = radius / (((1 - cosine) / (1 + cosine)) ** 0.5)
        mx, my = ax + bx, ay + by
        length = (mx * mx + my * my) ** 0.5
        away = radius / ((1 - cosine) / 2) ** 0.5
        found.append(
            (
                (x + ax * back, y + ay * back),
                (x + bx * back, y + by * back),
                (x + mx / length * away, y + my / length * away),
            )
        )
    return found
