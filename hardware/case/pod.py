"""The box of a pod: one colour's four buttons in a row in front of a player, a Pico behind them, jacks in the far wall.

A tray and a top, as in the case of the table, and printed as they lie. The Pico's USB socket is in the left wall.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from hardware.case.solids import block, bore, post, posts, prism
from hardware.case.table import FLOOR, PILLAR, PILOT, TOP, WALL
from hardware.drawings.geometry import POD_CORNER, pod_extent, pod_panel

if TYPE_CHECKING:
    from collections.abc import Iterator

    from build123d import Part

    from hardware.case.solids import Point
    from hardware.drawings.geometry import ButtonSize

PICO = (51.0, 21.0, 1.0)
"""Board of a Pico, Pico W and Pico 2 (Raspberry Pi's mechanical drawings); its holes are for M2, 47 × 11.4 mm apart."""
PICO_HOLES = ((2.0, 4.8), (2.0, 16.2), (49.0, 4.8), (49.0, 16.2))
PICO_ABOVE = 5.0
PICO_SOCKET = 1.3
"""How far its USB socket stands out."""
PILOT_M2 = 1.7
JACK = 6.2
"""For a 3.5 mm socket with an M6 thread."""
JACK_WALL = 2.0
"""Their threads are short: the wall is thinner about them."""


class Box(NamedTuple):
    """Where the box's walls are, outside: x from -half to half, y from near (towards the player) to far."""

    half: float
    near: float
    far: float
    rim: float


def box(size: ButtonSize) -> Box:
    """Give the box's measures."""
    wide, near, far = pod_extent(size)
    return Box(wide / 2, -near, far, FLOOR + size.depth)


def pico_corner(size: ButtonSize) -> tuple[float, float, float]:
    """Give where the Pico's corner beside its USB socket lies, nearest to the player, at its lower side."""
    room = box(size)
    return -room.half + WALL + PICO_SOCKET - 1.0, room.far - 12.0 - PICO[1], FLOOR + PICO_ABOVE


def jacks(size: ButtonSize) -> list[tuple[float, float]]:
    """Give x and z of the jacks' middles in the far wall: from the player's left, as the buttons are."""
    room = box(size)
    return [(room.half - 22 - 17 * (3 - number), room.rim - 14.0) for number in range(4)]


def _screws(size: ButtonSize) -> list[Point]:
    return [(hole.x, -hole.y) for hole in pod_panel(size).holes if hole.use == "screw"]


def _outline(room: Box, inset: float = 0.0) -> list[Point]:
    left, right, low, high = -room.half + inset, room.half - inset, room.near + inset, room.far - inset
    return [(left, low), (right, low), (right, high), (left, high)]


@lru_cache(maxsize=8)
def tray(size: ButtonSize) -> Part:
    """Give floor and walls, with openings for the USB cable and the jacks."""
    room = box(size)
    solid = prism(_outline(room), 0, room.rim, POD_CORNER)
    solid -= prism(_outline(room, WALL), FLOOR, room.rim + 1, POD_CORNER - WALL)
    for x, y in _screws(size):
        side = 1 if x > 0 else -1
        solid += post((x, y), PILLAR, 0, room.rim)
        solid += block((min(x, side * (room.half - 1)), max(x, side * (room.half - 1))), (y - 4, y + 4), (0, room.rim))
    solid -= posts(_screws(size), PILOT, room.rim - 14, room.rim + 1)
    solid += _pico_posts(size)
    return solid - list(_openings(size))


def _pico_posts(size: ButtonSize) -> list[Part]:
    """Four standoffs for M2."""
    x, y, z = pico_corner(size)
    places = [(x + a, y + b) for a, b in PICO_HOLES]
    pegs = zip(posts(places, 4.4, 0, z), posts(places, PILOT_M2, FLOOR - 1, z + 1), strict=True)
    return [whole - hole for whole, hole in pegs]


def _openings(size: ButtonSize) -> Iterator[Part]:
    room, (x, y, z) = box(size), pico_corner(size)
    middle, height = y + PICO[1] / 2, z + PICO[2] + 1.3
    # The plug's grip, at most 12 × 8 mm, reaches through the wall to the socket.
    yield block((-room.half - 1, x + 0.5), (middle - 6.5, middle + 6.5), (height - 4.5, height + 4.5))
    for at, high in jacks(size):
        yield bore((at, room.far, high), JACK, 6 * WALL, "y")
        yield block((at - 6, at + 6), (room.far - WALL - 1, room.far - JACK_WALL), (high - 6, high + 6))
    for at in range(-28, 29, 8):
        yield block((at - 1.25, at + 1.25), (room.near + 14, room.near + 40), (-1, FLOOR + 1))


@lru_cache(maxsize=8)
def top(size: ButtonSize) -> Part:
    """Give the plate with the four buttons; its legends are put on its mesh."""
    room = box(size)
    plate = prism(_outline(room), room.rim, room.rim + TOP, POD_CORNER)
    cuts = [(hole.x, -hole.y, hole.diameter) for hole in pod_panel(size).holes]
    plate -= [post((x, y), wide, room.rim - 1, room.rim + TOP + 1) for x, y, wide in cuts]
    return plate


def bought(size: ButtonSize) -> dict[str, Part]:
    """Give what is bought, by name: Pico with its USB plug, and sockets with their plugs."""
    room, (x, y, z) = box(size), pico_corner(size)
    middle, top_side = y + PICO[1] / 2, z + PICO[2]
    pico = block((x, x + PICO[0]), (y, y + PICO[1]), (z, top_side))
    pico += block((x - PICO_SOCKET, x + 6), (middle - 4, middle + 4), (top_side, top_side + 2.8))
    pico += block((x + 7, x + 44), (y + 0.5, y + PICO[1] - 0.5), (top_side, top_side + 12))  # wires, or a header
    found = {"Pico": pico}
    socket = x - PICO_SOCKET
    found["USB plug"] = block((socket - 28, socket), (middle - 6, middle + 6), (top_side - 2.6, top_side + 5.4))
    for number, (at, high) in enumerate(jacks(size)):
        body = bore((at, room.far - JACK_WALL - 10, high), 11.0, 20.0, "y")
        thread = bore((at, room.far, high), JACK - 0.2, 2 * JACK_WALL, "y")
        found[f"jack {number + 1}"] = body + thread
    return found


def screws(size: ButtonSize) -> int:
    """Give how many screws hold the top."""
    return len(_screws(size))
