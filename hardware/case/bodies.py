"""What is bought and has to find room in the box: each as the room that it takes, a little larger than the thing.

Dimensions: Raspberry Pi's mechanical drawings of the 3B, 4B, 5 and Zero 2 W (boards, holes, connectors);
hardware/board/outline.py (header board, JST's drawings); Bourns PEC11R and Alps EC11 (knob). Of arcade buttons, display
boards, plugs of cables and buzzers there are many: the room kept for them is stated at each, so measure yours.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from hardware.board import outline
from hardware.case import table
from hardware.case.solids import block, post, prism
from hardware.drawings.geometry import KNOB_AT, KNOB_HOLE, SOUND_AT, TABLE_WINDOW, outer_apothem, table_panel

if TYPE_CHECKING:
    from build123d import Part

    from hardware.drawings.geometry import ButtonSize


class Room(NamedTuple):
    """A block on a Pi: x from the card's edge, y from the header's edge, z from its lower side, each from and to."""

    x: tuple[float, float]
    y: tuple[float, float]
    z: tuple[float, float]


def _about(middle: float, wide: float) -> tuple[float, float]:
    return middle - wide / 2, middle + wide / 2


PINS = Room((7.1, 57.9), (1.0, 6.0), (table.PI_THICK, table.PI_THICK + outline.ABOVE_PI))
BELOW = Room((7.5, 57.5), (0.8, 6.2), (-2.5, 0.0))
LARGE = (Room((0, 85), (0, 56), (0, table.PI_THICK)), PINS, BELOW, Room((8, 76), (8, 49), (-2.0, 4.4)))
CARD = Room((-2.6, 14), (22, 34), (-2.0, 0))
SIDE = Room((22, 60), (44, 57.5), (table.PI_THICK, 8.0))
"""HDMI, sound, camera."""


def _large(ethernet: float, usb: tuple[float, float], supply: float) -> dict[str, tuple[Room, ...]]:
    """Give a Pi of 85 × 56 mm: middles of the network's and the USB sockets by y, of the supply's by x."""
    sockets = [
        Room((66, 88), _about(ethernet, 16.2), (0, 15.2)),
        *(Room((69, 88), _about(y, 15.4), (0, 17.4)) for y in usb),
    ]
    plugs = tuple(Room((88, 126), _about(y, 16.5), (0, 18.0)) for y in usb)
    supplied = Room(_about(supply, 9.5), (49, 57.6), (table.PI_THICK, 4.7))
    cable = Room(_about(supply, 13.0), (57.6, 84), (-1.0, 7.0))
    return {"board": (*LARGE, CARD, SIDE, *sockets, supplied), "USB plug": plugs, "supply's plug": (cable,)}


PIS: dict[str, dict[str, tuple[Room, ...]]] = {
    "Pi 3": _large(45.75, (27.0, 9.0), 10.6),
    "Pi 4": _large(10.25, (29.0, 47.0), 11.2),
    "Pi 5": _large(45.8, (26.9, 9.0), 11.2),
    "Pi Zero 2 W": {
        "board": (
            Room((0, 65), (0, 30), (0, table.PI_THICK)), PINS, BELOW, Room((8, 57), (8, 22), (0, 3.2)),
            Room((-2.6, 12), (10.5, 22.5), (table.PI_THICK, 3.0)), Room((6.5, 18.5), (22, 31), (table.PI_THICK, 4.8)),
            Room((37, 58.5), (24, 31.2), (table.PI_THICK, 4.2)),
        ),
        "USB plug": (Room(_about(41.4, 12.0), (31.2, 62), (-1.0, 7.0)),),
        "supply's plug": (Room(_about(54.0, 12.0), (31.2, 57), (-1.0, 7.0)),),
    },
}  # fmt: skip
KINDS = {"Pi 3": "pi", "Pi 4": "pi", "Pi 5": "pi", "Pi Zero 2 W": "zero"}
"""Which base each lies on."""


def pi(size: ButtonSize, name: str) -> dict[str, Part]:
    """Give a Pi in its place, with the plugs in its sockets."""
    board, *plugs = ([_on_pi(size, room) for room in rooms] for rooms in PIS[name].values())
    whole = board[0]
    for piece in board[1:]:
        whole += piece
    found = {name: whole}
    for what, pieces in zip(list(PIS[name])[1:], plugs, strict=True):
        found |= {f"{what} {number + 1}": piece for number, piece in enumerate(pieces)}
    return found


def _on_pi(size: ButtonSize, room: Room) -> Part:
    corners = [table.on_base(size, x, y) for x, y in _square(room)]
    return prism(corners, table.PI_LOW + room.z[0], table.PI_LOW + room.z[1])


def _square(room: Room) -> list[tuple[float, float]]:
    (left, right), (near, far) = room.x, room.y
    return [(left, near), (right, near), (right, far), (left, far)]


def header_board(size: ButtonSize) -> dict[str, Part]:
    """Give the header board with a plug in each socket, on the Pi's header."""
    low = table.BOARD_LOW
    high = low + outline.THICK
    edge = [(0.0, 0.0), (outline.WIDTH, 0.0), (outline.WIDTH, outline.HEIGHT), (0.0, outline.HEIGHT)]
    board = prism([table.board_point(size, *at) for at in edge], low, high)
    for at in outline.HOLES:
        board -= post(table.board_point(size, *at), outline.HOLE, low - 1, high + 1)
    for plug in outline.PLUGS:
        left, up, right, down, height = plug.box
        corners = [table.board_point(size, *at) for at in ((left, up), (right, up), (right, down), (left, down))]
        board += prism(corners, high, high + height)
    return {"header board": board}


@lru_cache(maxsize=8)
def button(size: ButtonSize) -> Part:
    """Give an arcade button about (0, 0): 40 mm below the panel with its plugs, a nut as wide as its flange."""
    panel = table.rim(size) + table.TOP
    low = panel - table.TOP
    body = post((0, 0), size.flange, panel, panel + 3) + post((0, 0), size.hole - 4, panel, panel + 9)
    body += post((0, 0), size.hole - 0.4, low - 24, panel)
    body += post((0, 0), size.flange, low - 9, low)
    return body + block((-8, 8), (-7, 7), (low - 40, low - 24))


def button_places(size: ButtonSize) -> dict[str, tuple[float, float]]:
    """Give where the twenty are."""
    return {hole.use: (hole.x, -hole.y) for hole in table_panel(size).buttons}


def display(size: ButtonSize) -> dict[str, Part]:
    """Give the room for a display's board: 73 × 48 mm, 6.5 mm thick with what is on it. 1.3 inch ones are smaller."""
    low = table.rim(size) + table.TOP
    x, y = TABLE_WINDOW.x, -TABLE_WINDOW.y
    return {"display": block((x - 36.5, x + 36.5), (y - 24, y + 24), (low - 6.5, low))}


def knob(size: ButtonSize) -> dict[str, Part]:
    """Give an EC11 with its wires: 14 × 13 mm, 18 mm deep, its nut and a cap above."""
    low = table.rim(size) + table.TOP
    x, y = KNOB_AT[0], -KNOB_AT[1]
    body = post((x, y), KNOB_HOLE - 0.2, low - 1, low + 9) + post((x, y), 16, low + table.TOP + 3, low + 19)
    return {"knob": body + block((x - 7, x + 7), (y - 6.5, y + 6.5), (low - 14, low))}


def buzzer(size: ButtonSize) -> dict[str, Part]:
    """Give a buzzer, at most 20 mm wide and 10 mm high."""
    low = table.rim(size) + table.TOP
    return {"buzzer": post((SOUND_AT[0], -SOUND_AT[1]), table.BUZZER - 0.5, low - 10, low)}


def middle(size: ButtonSize) -> dict[str, Part]:
    """Give what hangs below the hub."""
    return display(size) | knob(size) | buzzer(size)


@lru_cache(maxsize=8)
def foot(size: ButtonSize) -> Part:
    """Give the rubber foot below the first seat's tray."""
    return post((0, -outer_apothem(size) + 14), 10, -4, 0)


def cables(size: ButtonSize) -> dict[str, Part]:
    """Give plugs of cables on their way through the openings, before they are turned to the seat where those are.

    USB-A with its grip is 16 × 8.5 mm, the supply's 12.5 × 8 mm.
    """
    found = {}
    low, outer = table.FLOOR + 2.2, outer_apothem(size)
    for number, (x, wide, _) in enumerate(table.OPENINGS):
        w, h = (16.0, 8.5) if wide > 15 else (12.5, 8.0)
        found[f"cable {number + 1}"] = block((x - w / 2, x + w / 2), (-outer - 20, -outer + 9), (low, low + h))
    return found
