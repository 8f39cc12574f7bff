"""The case for the middle of the table, for one size of button.

Five trays (floor and walls) are bolted together through their seams; five tops carry the buttons and are screwed onto
the trays. The base, with the Pi, lies on the trays' inner edges and holds them together below; the hub, with display,
knob and buzzer, does so above. No part needs supports on the printer: each is printed as it lies in the box, but the
hub with its upper side down. With a panel cut from wood there are neither tops nor hub.
"""

from __future__ import annotations

from functools import lru_cache
from math import cos, pi, sin, tan
from typing import TYPE_CHECKING

from hardware.board import outline
from hardware.case.solids import block, bore, post, posts, prism, spun
from hardware.drawings.geometry import (
    CORNER,
    DISPLAY_SCREWS,
    HALF_SECTOR,
    LEDGE,
    SCREW_HOLE,
    SEATS,
    SOUND_AT,
    TABLE_WINDOW,
    hub_screw,
    inner_apothem,
    outer_apothem,
    sector_screw,
    table_panel,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from build123d import Part

    from hardware.case.solids import Point
    from hardware.drawings.geometry import ButtonSize

FLOOR = WALL = TOP = BASE = 3.0
SEAM = 0.1
"""Between a sector and the middle of its seam."""
SLACK = 0.25
"""Between parts that go into each other."""
PILOT = 2.6
"""M3 cuts its own thread in it, from the pillars' upper ends on PILOT_DEEP deep."""
PILOT_DEEP = 14.0
PILOT_SMALL = 2.1
"""The same for M2.5."""
PILLAR = 8.0
LAP = 10.0
"""How far the trays' floors reach below the base."""
PI_ABOVE_BASE = 5.0
PI_THICK = 1.4
STANDOFF = 6.0
"""Diameter of what carries the Pi: its holes have 6.2 mm of free room about them."""
OUT_SEAT = 2
"""The seat below whose buttons the cables leave: the third, opposite the first, whose player reads the display."""
PI_TURN = 36.0
"""The Pi's USB sockets look at that seat's side."""
PI_PLACES = {24: (13.5, -49.5), 30: (13.0, -50.0)}
"""Where the corner of the Pi beside its header's first pin and its card lies."""
OPENINGS = ((-32.0, 18.0, 11.0), (0.0, 14.0, 11.0), (32.0, 18.0, 11.0))
"""For cables with their plugs: place along the side, width and height. The middle one is for the supply."""
SPONGE = 7.0
"""Height of the posts behind which a display's board lies: glass, board and what is soldered on it, and foam."""
BAR = 4.0
BOLTS = 2
"""Through each seam."""
BARS_APART = DISPLAY_SCREWS[2][1] - DISPLAY_SCREWS[0][1]


def rim(size: ButtonSize) -> float:
    """Give the height of the trays, on which the tops lie."""
    return FLOOR + size.depth


def wedge(inner: float, outer: float) -> list[Point]:
    """Give a fifth of the pentagon between two distances from the middle, its rim towards -y."""
    near, far = inner * tan(HALF_SECTOR), outer * tan(HALF_SECTOR)
    return [(-near, -inner), (-far, -outer), (far, -outer), (near, -inner)]


def pentagon(apothem: float) -> list[Point]:
    """Give the corners of a pentagon whose first side looks to -y."""
    reach = apothem / cos(HALF_SECTOR)
    turns = [-pi / 2 + HALF_SECTOR * (2 * seat - 1) for seat in range(SEATS)]
    return [(reach * cos(turn), reach * sin(turn)) for turn in turns]


def fifth(size: ButtonSize, inner: float, bottom: float, top: float, inset: float = 0.0) -> Part:
    """Give a sector of the rounded pentagon, `inset` from its outside and its seams."""
    outside = outer_apothem(size) - inset
    shape = prism(pentagon(outside), bottom, top, CORNER - inset)
    back = (inset + SEAM) / sin(HALF_SECTOR)
    return shape & prism([(x, y - back) for x, y in wedge(inner, outside + 20)], bottom, top)


def pillars(size: ButtonSize) -> list[Point]:
    """Give where a tray's four pillars stand, its seat being towards -y: two outside, two inside."""
    return [(side * x, -y) for x, y in (sector_screw(size), hub_screw(size)) for side in (-1, 1)]


@lru_cache(maxsize=8)
def tray(size: ButtonSize, *, out: bool = False) -> Part:
    """Give floor and walls of one seat's side; `out` has the openings for the cables."""
    inner, outer, height = inner_apothem(size) - LAP, outer_apothem(size), rim(size)
    hollow = prism(pentagon(outer - WALL), FLOOR, height + 1, CORNER - WALL)
    back = WALL / sin(HALF_SECTOR)
    hollow &= prism([(x, y - back) for x, y in wedge(inner - LAP - back, outer + 20)], FLOOR, height + 1)
    walls = fifth(size, inner_apothem(size) - LEDGE, FLOOR, height) - hollow
    solid = fifth(size, inner, 0, FLOOR) + walls
    # The base lies on the floor's inner edge, so the seams' walls begin behind it.
    solid -= prism(pentagon(inner_apothem(size) + SLACK), FLOOR, FLOOR + BASE + SLACK)
    solid += _pillars(size)
    solid -= posts(pillars(size), PILOT, height - PILOT_DEEP, height + 1)
    solid -= posts(base_screws(size)[:2], SCREW_HOLE, -1, FLOOR + 1)
    solid -= list(_seam_bolts(size))
    solid -= list(_air(size, out=out))
    if out:
        for x, wide, high in OPENINGS:
            solid -= block((x - wide / 2, x + wide / 2), (-outer - 1, -outer + WALL + 1), (FLOOR + 2, FLOOR + 2 + high))
            for side in (-1, 1):  # a cable tie goes down through one slot and up through the other
                solid -= block((x + side * 5 - 1.5, x + side * 5 + 1.5), (-outer + 8, -outer + 13), (-1, FLOOR + 1))
    return solid


def _pillars(size: ButtonSize) -> list[Part]:
    """Columns for the screws, joined to the nearest wall by a rib."""
    height, inner, outer = rim(size), hub_screw(size), sector_screw(size)
    found = []
    for side in (-1, 1):
        x, y = side * outer[0], -outer[1]
        found += [post((x, y), PILLAR, 0, height), block((x - 4, x + 4), (-outer_apothem(size) + 1, y), (0, height))]
        x, y = side * inner[0], -inner[1]
        bottom = FLOOR + BASE + SLACK
        across = (side * cos(HALF_SECTOR), sin(HALF_SECTOR))  # towards the seam
        along = (-across[1] * side, across[0] * side)
        reach, half = 6.0 - SEAM, PILLAR / 2
        corners = [
            (x + across[0] * a + along[0] * b, y + across[1] * a + along[1] * b)
            for a, b in ((0, -half), (reach, -half), (reach, half), (0, half))
        ]
        found += [post((x, y), PILLAR, bottom, height), prism(corners, bottom, height)]
    return found


def base_screws(size: ButtonSize) -> list[Point]:
    """Give the ten places where trays and base are screwed together from below; the first two are the first seat's."""
    found = []
    for seat in range(SEATS):
        turn = -2 * HALF_SECTOR * seat
        for x in (-24.0, 24.0):
            y = -(inner_apothem(size) - LAP / 2)
            found.append((x * cos(turn) - y * sin(turn), x * sin(turn) + y * cos(turn)))
    return found


def _seam_bolts(size: ButtonSize) -> Iterator[Part]:
    """Two bolts through each seam, behind the inner pillar and before the outer one."""
    for along, height in ((inner_apothem(size) + 9, 14.0), (outer_apothem(size) - 21, 14.0)):
        reach = along / cos(HALF_SECTOR)
        for side in (-1, 1):
            hole = bore((0, -reach, height), SCREW_HOLE, 6 * WALL, "x")
            yield spun(hole, side * HALF_SECTOR * 180 / pi)


def _air(size: ButtonSize, *, out: bool) -> Iterator[Part]:
    """Slots in the floor, and below the rim in the outer wall where warm air leaves."""
    inner, outer = inner_apothem(size), outer_apothem(size)
    for x in range(-40, 41, 8):
        yield block((x - 1.25, x + 1.25), (-outer + 20, -inner - 8), (-1, FLOOR + 1))
        if not out or abs(x) > 48:
            yield block((x - 1.25, x + 1.25), (-outer - 1, -outer + WALL + 1), (rim(size) - 24, rim(size) - 6))


@lru_cache(maxsize=8)
def top(size: ButtonSize) -> Part:
    """Give the plate with one seat's four buttons; its legends are put on its mesh."""
    low = rim(size)
    plate = fifth(size, inner_apothem(size) - LEDGE, low, low + TOP)
    cuts = [post((hole.x, -hole.y), hole.diameter, low - 1, low + TOP + 1) for hole in table_panel(size).buttons[:4]]
    return plate - cuts - posts(pillars(size), SCREW_HOLE, low - 1, low + TOP + 1)


@lru_cache(maxsize=8)
def hub(size: ButtonSize) -> Part:
    """Give the middle's plate: window, posts for the display's bars, knob, and a ring for the buzzer."""
    low = rim(size) + TOP
    plate = prism(pentagon(inner_apothem(size) - SLACK), low, low + TOP, 3.0)
    x, y = TABLE_WINDOW.x, -TABLE_WINDOW.y
    wide, high = TABLE_WINDOW.width / 2, TABLE_WINDOW.height / 2
    plate -= block((x - wide, x + wide), (y - high, y + high), (low - 1, low + TOP + 1))
    for hole in table_panel(size).holes:
        if hole.use in ("knob", "sound", "hub-screw"):
            plate -= post((hole.x, -hole.y), hole.diameter, low - 1, low + TOP + 1)
    places = [(a, -b) for a, b in DISPLAY_SCREWS]
    plate += posts(places, PILLAR, low - SPONGE, low)
    plate -= posts(places, PILOT, low - SPONGE - 1, low + TOP - 1)
    middle = (SOUND_AT[0], -SOUND_AT[1])
    return plate + (post(middle, BUZZER + 4, low - 2.5, low) - post(middle, BUZZER, low - 3, low + 1))


BUZZER = 20.5
"""Inside of the ring: for a disc of 20 mm, or a buzzer of 12 to 14 mm with glue."""


@lru_cache(maxsize=8)
def bar(size: ButtonSize) -> Part:
    """Give one of the two bars that hold the display's board from behind, as it lies in the box."""
    low = rim(size) + TOP - SPONGE - BAR
    y = -DISPLAY_SCREWS[2][1]
    places = [(x, y) for x in (DISPLAY_SCREWS[0][0], DISPLAY_SCREWS[1][0])]
    plate = block((places[0][0] - 4, places[1][0] + 4), (y - 4, y + 4), (low, low + BAR))
    return plate - posts(places, SCREW_HOLE, low - 1, low + BAR + 1)


def on_base(size: ButtonSize, x: float, y: float) -> Point:
    """Give where a point of the Pi lies: x along its header from the card, y from its header's edge."""
    turn, (left, low) = PI_TURN * pi / 180, PI_PLACES[round(size.hole)]
    return left + y * cos(turn) - x * sin(turn), low + y * sin(turn) + x * cos(turn)


def board_point(size: ButtonSize, x: float, y: float) -> Point:
    """Give where a point of the header board lies, by its own coordinates."""
    return on_base(size, x - outline.PI_LEFT, y - outline.PI_TOP)


PI_HOLES = {"pi": ((3.5, 3.5), (61.5, 3.5), (3.5, 52.5), (61.5, 52.5)),
            "zero": ((3.5, 3.5), (61.5, 3.5), (3.5, 26.5), (61.5, 26.5))}  # fmt: skip
"""Mounting holes by Raspberry Pi's mechanical drawings (3B, 3B+, 4B, 5; Zero 2 W), M2.5."""
CARDS = {"pi": ((-15.0, 12.0), (21.0, 35.0)), "zero": ((-15.0, 12.0), (9.0, 21.0))}
"""Openings below the end of the microSD card, and before it, wide enough to draw it with two fingers."""
BASE_TOP = FLOOR + BASE
PI_LOW = BASE_TOP + PI_ABOVE_BASE
BOARD_LOW = PI_LOW + PI_THICK + outline.ABOVE_PI


@lru_cache(maxsize=8)
def base(size: ButtonSize, kind: str) -> Part:
    """Give the plate in the middle for a "pi" (3, 4, 5) or a "zero": standoffs, supports of the header board, air."""
    solid = prism(pentagon(inner_apothem(size) - SLACK), FLOOR, BASE_TOP, 4.0)
    solid -= list(_base_cuts(size, kind))
    solid += posts(base_screws(size), PILLAR, FLOOR, BASE_TOP + 3)
    solid -= posts(base_screws(size), PILOT, FLOOR - 1, BASE_TOP + 2)
    carry = [on_base(size, *hole) for hole in PI_HOLES[kind]]
    solid += posts(carry, STANDOFF, FLOOR, PI_LOW)
    solid -= posts(carry, PILOT_SMALL, FLOOR + 0.6, PI_LOW + 1)
    hold = [board_point(size, *hole) for hole in outline.SUPPORTS]
    solid += posts(hold, 7.0, FLOOR, BOARD_LOW) + posts(hold, 11.0, FLOOR, BASE_TOP + 4)
    return solid - posts(hold, PILOT_SMALL, BOARD_LOW - 10, BOARD_LOW + 1)


def _base_cuts(size: ButtonSize, kind: str) -> Iterator[Part]:
    """The way to the card, and slots for cool air below the Pi."""
    (left, right), (near, far) = CARDS[kind]
    corners = [on_base(size, *at) for at in ((left, near), (right, near), (right, far), (left, far))]
    yield prism(corners, FLOOR - 1, BASE_TOP + 1)
    low, high = (36.0, 48.0) if kind == "pi" else (8.0, 22.0)
    for x in range(22, 56, 6):
        slot = [on_base(size, *at) for at in ((x, low), (x + 2.5, low), (x + 2.5, high), (x, high))]
        yield prism(slot, FLOOR - 1, BASE_TOP + 1)
