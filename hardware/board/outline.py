"""Where the header board is and what stands on it, in mm: for the board's layout and for the case around it.

Pure numbers. x to the right, y downwards, from the board's upper left corner, as seen from above on a Pi whose header
is at its upper edge. Heights are above the board's upper side, depths below its lower one. Heights of mated plugs: JST
XH 9.8 mm, JST PH 8.0 mm (JST's drawings eXH and ePH); the wires need more to bend.
"""

from __future__ import annotations

from typing import NamedTuple

WIDTH, HEIGHT, THICK = 78.0, 72.0, 1.6
HEADER_X, HEADER_Y = 21.0, 37.0
"""Pin 1: the inner row is the lower one, pin 2 above it."""
PI_LEFT, PI_TOP = HEADER_X + 24.13 - 29 - 3.5, HEADER_Y - 1.27 - 3.5
"""The Pi's own upper left corner: its holes are 3.5 mm from its edges. What is further left or up stands out."""
PI_HOLES = ((HEADER_X + 24.13 - 29, HEADER_Y - 1.27), (HEADER_X + 24.13 + 29, HEADER_Y - 1.27))
"""The Pi's mounting holes beside its header, 58 mm apart, for M2.5."""
SUPPORTS = ((4.0, 4.0), (74.0, 4.0))
"""Holes for M2.5 at the edge that stands out: each wants a standoff from the floor."""
HOLES = (*PI_HOLES, *SUPPORTS)
HOLE = 2.7
HEAD = 5.5
"""What a screw's head or a hexagonal standoff takes around each hole, on both sides."""
ABOVE_PI = 11.0
"""From the Pi's upper side to the board's lower one: a socket of 8.5 mm on a header whose foot is 2.5 mm high."""
PARTS_BELOW = 2.5
"""How far anything but the socket reaches below the board: pins of plugs, and the lamps' chips."""
BEND = 8.0
"""Above a plug, for its wires."""


class Plug(NamedTuple):
    """A socket with its plug put in: what it is for, family, number of pins, pin 1's place, and which way the pins go.

    turn: 0, pins to the right of pin 1; 90, upwards; 180, to the left; 270, downwards.
    """

    ref: str
    cable: str
    family: str
    pins: int
    x: float
    y: float
    turn: int

    @property
    def box(self) -> tuple[float, float, float, float, float]:
        """What is kept free for it: left, top, right and bottom edge, and the height with wires."""
        pitch, end, wide, deep, height = FAMILIES[self.family]
        along = (self.pins - 1) * pitch
        dx, dy = {0: (1, 0), 90: (0, -1), 180: (-1, 0), 270: (0, 1)}[self.turn]
        # The housing's two sides are not equally far from the pins; across is the direction of the nearer one.
        near = (dy, -dx)
        corners = [
            (self.x + dx * (a + s) + near[0] * n, self.y + dy * (a + s) + near[1] * n)
            for a, s in ((0.0, -end), (along, end))
            for n in (wide, -deep)
        ]
        xs, ys = [x for x, _ in corners], [y for _, y in corners]
        return min(xs), min(ys), max(xs), max(ys), height + BEND


FAMILIES = {"XH": (2.5, 2.45, 2.35, 3.4, 9.8), "PH": (2.0, 1.95, 1.7, 2.8, 8.0)}
"""Pitch, from an outer pin to the housing's end, from the pins to its near and far side, and height when mated."""

PLUGS = (
    Plug("J2", "red", "XH", 5, 16.0, 5.0, 0),
    Plug("J3", "yellow", "XH", 5, 32.5, 5.0, 0),
    Plug("J4", "green", "XH", 5, 49.0, 5.0, 0),
    Plug("J5", "blue", "XH", 5, 40.0, 67.0, 180),
    Plug("J6", "purple", "XH", 5, 56.2, 67.0, 180),
    Plug("J7", "knob", "XH", 6, 74.7, 67.0, 180),
    Plug("J8", "OLED", "XH", 4, 22.5, 67.0, 180),
    Plug("J9", "buzzer", "XH", 2, 65.0, 5.0, 0),
    Plug("J10", "red lamps", "PH", 5, 4.0, 18.5, 90),
    Plug("J11", "yellow lamps", "PH", 5, 4.0, 31.5, 90),
    Plug("J12", "green lamps", "PH", 5, 4.0, 50.0, 90),
    Plug("J13", "blue lamps", "PH", 5, 4.0, 63.0, 90),
    Plug("J14", "purple lamps", "PH", 5, 74.0, 10.5, 270),
)
"""All sockets but the Pi's own."""
