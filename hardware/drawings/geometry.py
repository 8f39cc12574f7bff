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
    depth: float = 51.0
    """Room below the panel: the buttons with their plugs need 40; Pi, header board, its plugs and the display 50."""


SIZES = {24: ButtonSize(24.0, 28.0, 32.0, 15.0), 30: ButtonSize(30.0, 34.0, 38.0, 20.0)}

KNOB_HOLE = 7.2
"""For the M7 bushing of an EC11 or PEC11 encoder (Bourns PEC11: M7 × 0.75)."""
SCREW_HOLE = 3.2
SOUND_HOLE = 2.0
GAP = 3.0
"""Between a flange and the seam to the next seat."""
NEAR_STRIP = 17.0
"""Between the flanges and the edge: room for the name and for one line of braille below it."""
SYMBOL_STRIP = 10.0
"""On the other side of the buttons, where no hand covers it: room for the symbol."""
CAPITAL = 3.5
"""Height of a capital letter on a panel: its strokes are then as wide as two lines of a nozzle of 0.4 mm."""
TEXT_DOWN, BRAILLE_DOWN = 3.6, 11.0
"""From a flange to the middle of the name, and to the middle of the braille."""
SYMBOL = 8.0
LEDGE = 8.0
"""How far a sector's top reaches below the hub, which is screwed to it."""
CORNER = 12.0


class Hole(NamedTuple):
    """A round hole; `use` is a button's label, "knob", "screw", "hub-screw", "display-screw", "jack" or "sound"."""

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
    """A button's legend on the panel: the middles of its symbol, of its card's name and of its braille.

    All are turned by `turn` degrees clockwise, to be read from the seat.
    """

    button: Button
    turn: float
    symbol: tuple[float, float]
    text: tuple[float, float]
    braille: tuple[float, float]


class Word(NamedTuple):
    """A word on the panel about (x, y), turned as a Mark is; `capital` is the height of its capitals in mm."""

    words: str
    x: float
    y: float
    turn: float
    capital: float


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
    words: tuple[Word, ...]
    """The colours' names: a player who does not tell colours apart finds his seat by them."""

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
DISPLAY_SCREWS = ((-41.0, -18.0), (41.0, -18.0), (-41.0, -2.0), (41.0, -2.0))
"""They hold two bars behind the display's board, whatever its own holes are."""
KNOB_AT = (0.0, 32.0)
SOUND_AT = (0.0, -52.0)


def table_panel(size: ButtonSize) -> Panel:
    """A pentagon to stand in the middle of the table: a side for each colour, clockwise from the first seat."""
    holes, marks, words = [], [], []
    distance = row_distance(size)
    flange = size.flange / 2
    for seat, colour in enumerate(Colour):
        angle = 2 * HALF_SECTOR * seat
        degrees = angle * 180 / pi
        for index, button in buttons_of(colour):
            along = (index - 1.5) * size.pitch
            holes.append(Hole(*turned(along, distance, angle), size.hole, button.label))
            symbol, text, dots = (
                turned(along, distance + down, angle)
                for down in (-flange - SYMBOL_STRIP / 2, flange + TEXT_DOWN, flange + BRAILLE_DOWN)
            )
            marks.append(Mark(button, degrees, symbol, text, dots))
        middle = turned(0.0, distance - flange - SYMBOL_STRIP / 2, angle)
        words.append(Word(colour.upper(), *middle, degrees, CAPITAL))
    apothem = outer_apothem(size)
    corners = tuple(turned(-apothem * tan(HALF_SECTOR), apothem, 2 * HALF_SECTOR * seat) for seat in range(SEATS))
    screws = [*_all_around(sector_screw(size), "screw"), *_all_around(hub_screw(size), "hub-screw")]
    screws += [Hole(x, y, SCREW_HOLE, "display-screw") for x, y in DISPLAY_SCREWS]
    return Panel(
        f"table-{size.hole:.0f}",
        f"Table panel, {size.hole:.0f} mm buttons",
        size,
        corners,
        CORNER,
        (*holes, Hole(*KNOB_AT, KNOB_HOLE, "knob"), *_sound(*SOUND_AT), *screws),
        (TABLE_WINDOW,),
        tuple(marks),
        tuple(words),
    )


def _all_around(place: tuple[float, float], use: str) -> list[Hole]:
    """Two for each sector of the case, on both sides of its middle."""
    return [
        Hole(*turned(side * place[0], place[1], 2 * HALF_SECTOR * seat), SCREW_HOLE, use)
        for seat in range(SEATS)
        for side in (-1, 1)
    ]


def hub_screw(size: ButtonSize) -> tuple[float, float]:
    """Where the right-hand screw lies that holds hub and top to a sector's inner corner, its seat being downwards."""
    y = inner_apothem(size) - LEDGE / 2
    return y * tan(HALF_SECTOR) - 6.0 / cos(HALF_SECTOR), y


def sector_screw(size: ButtonSize) -> tuple[float, float]:
    """Where a sector's right-hand screw lies, its seat being downwards."""
    y = outer_apothem(size) - 8.0
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
    holes, marks, words = [], [], []
    for place, colour in enumerate(Colour):
        middle = left + (place + 0.5) * wide
        for index, button in buttons_of(colour):
            row = -1 if index < 2 else 1
            x = middle + (index % 2 - 0.5) * size.pitch
            holes.append(Hole(x, row * size.pitch / 2, size.hole, button.label))
            edge = size.pitch / 2 + size.flange / 2
            near, far = row * (edge + 5.5), row * (edge + 14.5)
            marks.append(Mark(button, 0.0, (x - size.pitch / 2 + 5, near), (x + 5.0, near), (x, far)))
        words.append(Word(colour.upper(), middle, high / 2 - 5.5, 0.0, CAPITAL - 0.5))
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
        tuple(words),
    )


def _strip_screws(size: ButtonSize) -> list[Hole]:
    wide, high = section_width(size), strip_height(size)
    left = -(SEATS + 1) * wide / 2
    edges = [*(left + place * wide + 6.0 for place in range(SEATS + 1)), -left - 6.0]
    return [Hole(x, side * (high / 2 - 6.0), SCREW_HOLE, "screw") for x in edges for side in (-1, 1)]


POD_CORNER = 6.0
POD_SIDE, POD_FAR = 12.0, 32.0
"""Beside the outer flanges: a column of screws; behind the symbols: room for the Pico below."""


def pod_extent(size: ButtonSize) -> tuple[float, float, float]:
    """Give a pod's width, and how far its near and its far edge are from the row of its buttons."""
    wide = 3 * size.pitch + size.flange + 2 * POD_SIDE
    return wide, size.flange / 2 + NEAR_STRIP, size.flange / 2 + SYMBOL_STRIP + POD_FAR


def pod_panel(size: ButtonSize, colour: Colour = Colour.RED) -> Panel:
    """Four buttons in a row in front of one player; the origin is the middle of the row."""
    wide, near, far = pod_extent(size)
    flange, left = size.flange / 2, -wide / 2
    holes, marks = [], []
    for index, button in buttons_of(colour):
        x = (index - 1.5) * size.pitch
        holes.append(Hole(x, 0.0, size.hole, button.label))
        places = ((x, -flange - SYMBOL_STRIP / 2), (x, flange + TEXT_DOWN), (x, flange + BRAILLE_DOWN))
        marks.append(Mark(button, 0.0, *places))
    screws = [Hole(side * (left + 7), y, SCREW_HOLE, "screw") for y in (near - 7, 7 - far) for side in (1, -1)]
    name = Word(colour.upper(), 0.0, -flange - SYMBOL_STRIP / 2, 0.0, CAPITAL)
    corners = ((left, -far), (-left, -far), (-left, near), (left, near))
    title = f"Pod, {size.hole:.0f} mm buttons, {colour}"
    return Panel(f"pod-{size.hole:.0f}", title, size, corners, POD_CORNER, (*holes, *screws), (), tuple(marks), (name,))


def panels() -> list[Panel]:
    """All panels there are drawings of."""
    return [make(size) for make in (table_panel, strip_panel, pod_panel) for size in SIZES.values()]


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
