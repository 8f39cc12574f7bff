"""Where each part of the header board lies, where its name is printed, and the words on the board. Pure; in mm.

The switches' parts stand in columns behind their plug: pull-up, series resistor, capacitor. The lamps' chips are below
the part of the board that stands out over the Pi's edge; all else is above.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from hardware.board import outline
else:
    sys.path.insert(0, str(Path(__file__).parent))
    import outline  # beside this file: KiCad's Python knows nothing of the project

HEIGHT = outline.HEIGHT
TOP, BOTTOM = 1, -1
COLUMN = 3.4
PLUGS = {plug.ref: plug for plug in outline.PLUGS}
SWITCHES = ("J2", "J3", "J4", "J5", "J6", "J7")
ROWS = {"10k": 11.6, "1k": 16.0, "C": 20.6}
"""How far from the plug's pins each row of parts is."""
Parts = dict[str, dict[str, Any]]


class Place(NamedTuple):
    """A part's middle (for plugs: pin 1), its turn in degrees against the clock, and its side."""

    x: float
    y: float
    turn: float = 0.0
    below: bool = False


class Word(NamedTuple):
    """Words to print."""

    text: str
    x: float
    y: float
    size: float = 0.9
    align: str = "middle"
    angle: float = 0.0
    below: bool = False


FIXED = {
    "J1": Place(outline.HEADER_X, outline.HEADER_Y, 270, below=True),
    "D7": Place(18.0, 59.5, 270), "F2": Place(18.0, 56.0), "C24": Place(24.0, 58.0, 90), "C27": Place(24.0, 42.5),
    "F1": Place(62.4, 60.1),
    "D8": Place(66.5, 12.8, 90), "D9": Place(66.5, 17.0), "R49": Place(66.5, 20.6), "Q1": Place(66.0, 23.9),
    "R47": Place(66.5, 28.3), "R48": Place(66.5, 31.4), "F3": Place(11.6, 31.9),
    "F4": Place(9.8, 36.7), "D15": Place(4.2, 36.7),
    "D10": Place(10.2, 14.5), "D11": Place(10.2, 26.2), "D12": Place(11.0, 46.0), "D13": Place(11.0, 59.0),
    "D14": Place(74.3, 24.2),
    "U1": Place(26.0, 20.0, 0, below=True), "U5": Place(36.0, 17.7, 0, below=True),
    "U4": Place(16.0, 19.0, 180, below=True), "C25": Place(26.0, 27.2, 0, below=True),
    "U2": Place(20.5, 52.0, 0, below=True), "U3": Place(10.8, 51.0, 180, below=True),
    "C26": Place(20.5, 59.6, 0, below=True),
    "TP1": Place(15.5, 46.0), "TP2": Place(19.5, 46.0), "TP3": Place(23.5, 46.0), "TP4": Place(17.0, 51.0),
    "TP5": Place(22.0, 51.0), "TP6": Place(11.0, 20.2),
}  # fmt: skip
POINTS = {"TP1": "3.3V", "TP2": "5V", "TP3": "GND", "TP4": "SDA", "TP5": "SCL", "TP6": "RED 1"}


def all_places(parts: Parts) -> dict[str, Place]:
    """Give each part's place; who has none is missing. parts: footprint, value, `wires` (net by pin) by reference."""
    found = {ref: place for ref, place in FIXED.items() if ref in parts}
    for ref, plug in PLUGS.items():
        found[ref] = Place(plug.x, plug.y, plug.turn)
    for ref in SWITCHES:
        found |= _group(parts, ref)
    return found


def _middle(ref: str) -> tuple[float, int]:
    plug = PLUGS[ref]
    up = TOP if plug.turn == 0 else BOTTOM
    return plug.x + up * (plug.pins - 1) * 1.25, up


def _on(parts: Parts, net: str, letter: str, value: str | None = None) -> str:
    """Give the first part of a letter on a net."""
    return next(ref for ref, part in parts.items() if ref[0] == letter and net in part["wires"].values()
                and value in (None, part["value"]))  # fmt: skip


def _group(parts: Parts, plug: str) -> dict[str, Place]:
    """A plug's suppressors, and for each wire a column of pull-up, series resistor and capacitor."""
    x, up = _middle(plug)
    nets = parts[plug]["wires"]
    edge = PLUGS[plug].y
    wires = [nets[pin] for pin in sorted(nets) if nets[pin] != "GND" and not nets[pin].endswith("3.3 V")]
    found = {_on(parts, wires[0], "D"): Place(x, edge + up * 6.5, 90 if up == TOP else 270)}
    turn = 270 if up == TOP else 90
    for index, wire in enumerate(wires):
        at = x + up * (index - 1.5) * COLUMN
        series = _on(parts, wire, "R", "1k")
        gpio = next(net for net in parts[series]["wires"].values() if net != wire)
        column = (_on(parts, wire, "R", "10k"), series, _on(parts, gpio, "C"))
        for ref, down in zip(column, ROWS.values(), strict=True):
            found[ref] = Place(at, edge + up * down, turn)
    return found


NAMES = {
    "J1": (24.1, 3.6, 0),
    "D8": (-3.2, 0, 0),
    "D9": (-4.2, 0, 0),
    "J9": (1.25, -3.3, 0),
    "Q1": (3.0, 0, 0),
    "C25": (0, 1.7, 0),
}
"""Where a name is not where others of its kind have it: right, down, and turned."""


BESIDE = {
    "0805": ((0, -1.7, 0), (1.7, 0, 90)), "1206": ((0, -1.7, 0), (1.7, 0, 90)), "SOT-23-5": ((0, 2.4, 0), (3.2, 0, 0)),
    "TestPoint": ((0, -1.6, 0), (0, -1.6, 0)), "SOP": ((0, 0, 0), (0, 0, 0)),
}  # fmt: skip
"""The same for all of a kind, lying and upright."""


def name_at(ref: str, footprint: str, spot: Place) -> tuple[float, float, float]:
    """Give how far from a part's place its name is, and how much it is turned."""
    upright = spot.turn in (90, 270)
    if ref in NAMES:
        return NAMES[ref]
    if ref in PLUGS:
        plug = PLUGS[ref]
        along = (plug.pins - 1) * (1.25 if plug.family == "XH" else 1.0)
        if plug.turn in (0, 180):
            way = 1 if plug.turn == 0 else -1
            return way * along + along - 1.0, way * 4.9, 0
        way = 1 if plug.turn == 270 else -1
        return -3.8 * way, way * 10.4, 90
    for kind, (lying, standing) in BESIDE.items():
        if kind in footprint:
            return standing if upright else lying
    return 0, -2.2, 0


def all_words() -> list[Word]:
    """Give all other words: what each plug is for, the rows' values, pin 1, and whose board it is."""
    words = [Word("1", outline.HEADER_X - 2.6, outline.HEADER_Y, 1.2)]
    for ref, plug in PLUGS.items():
        words += _plug_words(ref, plug)
    for ref in SWITCHES:
        x, up = _middle(ref)
        for value, down in ROWS.items():
            said = value if value != "C" else "1n"
            said = "C" if ref == "J7" and value == "C" else said
            words.append(Word(said, x - 1.5 * COLUMN - 3.4, PLUGS[ref].y + up * down, 0.9, "left"))
    words += [Word(text, FIXED[ref].x, FIXED[ref].y + 1.7, 0.8) for ref, text in POINTS.items()]
    return words + TITLE


def _plug_words(ref: str, plug: Any) -> list[Word]:
    name = plug.cable.upper()
    if plug.turn in (0, 180):
        up = TOP if plug.turn == 0 else BOTTOM
        left = min(plug.x, plug.x + up * (plug.pins - 1) * 2.5) - 2.3
        found = [Word(name, left, plug.y + up * 4.9, 1.0, "left")]
        return [*found, Word("+", plug.x + 5.6, plug.y - 1.6, 1.0)] if ref == "J9" else found
    way = -1 if plug.turn == 90 else 1
    side = 1 if plug.turn == 90 else -1
    return [Word(name, plug.x + side * 3.8, plug.y + way * 4.0, 0.9, "middle", 90),
            Word("+", plug.x - side * 2.8, plug.y, 1.0)]  # fmt: skip


TITLE = [
    Word("TABLE COMPANION", 39.0, 40.6, 1.0),
    Word("Table companion header board, revision 2", 48.0, 58.0, 1.1, "middle", 0, below=True),
    Word("CERN-OHL-P-2.0", 48.0, 60.4, 1.0, "middle", 0, below=True),
    Word("https://example.invalid/table-companion", 48.0, 62.6, 1.0, "middle", 0, below=True),
]
