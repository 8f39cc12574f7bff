"""The symbols of the header board's schematic, as KiCad's library text: what a part looks like and where its pins end.

Drawn at one angle each, so that nothing has to be turned. Lengths in mm; here y goes upwards, as in KiCad's libraries.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

LIBRARY = "board"
PITCH = 2.54
KINDS = {
    "PASSIVE": "passive", "INPUT": "input", "OUTPUT": "output", "BIDIR": "bidirectional", "OPENCOLL": "open_collector",
    "PWRIN": "power_in", "PWROUT": "power_out", "NOCONNECT": "passive",
}  # fmt: skip
"""Kinds of pins, SKiDL's to KiCad's. A pin that is kept free carries a cross on the sheet instead."""


class Pin(NamedTuple):
    """A pin: where a wire joins it, and the direction from there to the body (0 right, 90 up, 180 left, 270 down)."""

    number: str
    name: str
    kind: str
    x: float
    y: float
    angle: int
    length: float = 2.54


@dataclass
class Symbol:
    """A symbol. units: pins and drawing of each; words: where reference and value stand."""

    name: str
    letter: str
    units: list[tuple[list[Pin], list[str]]] = field(default_factory=list)
    reference: tuple[float, float] = (0.0, 0.0)
    value: tuple[float, float] = (0.0, 0.0)
    names: bool = False
    power: bool = False

    def text(self, library: str = LIBRARY) -> str:
        """Give it as a library has it; a schematic puts the library's name before its own."""
        full = f"{library}:{self.name}" if library else self.name
        hidden = "" if self.names else " (pin_numbers (hide yes)) (pin_names (offset 0) (hide yes))"
        lines = [f'(symbol "{full}"{" (power)" if self.power else ""}{hidden}']
        lines.append(" (exclude_from_sim no) (in_bom yes) (on_board yes)")
        lines += [_property("Reference", self.letter, *self.reference), _property("Value", self.name, *self.value)]
        lines += [_property(name, "", 0, 0, hidden=True) for name in ("Footprint", "Datasheet", "Description")]
        for index, (pins, shapes) in enumerate(self.units, 1):
            lines += [f' (symbol "{self.name}_{index}_1"', *shapes, *map(_pin, pins), " )"]
        return "\n".join([*lines, " (embedded_fonts no)", ")"])


def quoted(words: str) -> str:
    """Write a text as KiCad reads it."""
    return '"' + words.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _property(name: str, words: str, x: float, y: float, *, hidden: bool = False) -> str:
    hide = " (hide yes)" if hidden else ""
    return f' (property "{name}" {quoted(words)} (at {x:g} {y:g} 0) (effects (font (size 1.27 1.27)){hide}))'


def _pin(pin: Pin) -> str:
    font = "(effects (font (size 1.27 1.27)))"
    return (
        f"  (pin {KINDS[pin.kind]} line (at {pin.x:g} {pin.y:g} {pin.angle}) (length {pin.length:g})"
        f" (name {quoted(pin.name)} {font}) (number {quoted(pin.number)} {font}))"
    )


def line(*points: tuple[float, float], pen: float = 0.2, fill: str = "none") -> str:
    """Give straight lines from point to point."""
    xys = " ".join(f"(xy {x:g} {y:g})" for x, y in points)
    return f"  (polyline (pts {xys}) (stroke (width {pen:g}) (type default)) (fill (type {fill})))"


def box(x: float, y: float, right: float, bottom: float) -> str:
    """Give a rectangle."""
    stroke = "(stroke (width 0.254) (type default)) (fill (type background))"
    return f"  (rectangle (start {x:g} {y:g}) (end {right:g} {bottom:g}) {stroke})"


def _two(one: tuple[float, float, int], other: tuple[float, float, int], length: float = 1.27) -> list[Pin]:
    return [Pin("1", "1", "PASSIVE", *one, length), Pin("2", "2", "PASSIVE", *other, length)]


DOWN = ((0.0, 3.81, 270), (0.0, -3.81, 90))
ACROSS = ((-3.81, 0.0, 0), (3.81, 0.0, 180))
RESISTOR = Symbol("R", "R", [(_two(*DOWN), [box(-1.016, 2.54, 1.016, -2.54)])], (3.6, 0.9), (3.6, -1.2))
SERIES = Symbol("R_across", "R", [(_two(*ACROSS), [box(-2.54, 1.016, 2.54, -1.016)])], (0, 4.4), (0, 2.2))
FUSE = Symbol("Fuse", "F", [(_two(*ACROSS), [box(-2.54, 1.016, 2.54, -1.016), line((-2.54, 0), (2.54, 0))])], (0, 4.4),
              (0, 2.2))  # fmt: skip
CAPACITOR = Symbol("C", "C", [(_two(*DOWN, 2.794), [line((-2, 1.016), (2, 1.016), pen=0.5),
                                                    line((-2, -1.016), (2, -1.016), pen=0.5)])],
                   (5.0, 0.9), (5.0, -1.2))  # fmt: skip
_BEND = [line((-2, 0.5), (-1.5, 1.0), (1.5, 1.0), (2, 1.5)), line((0, 1.0), (-1.5, -1.2), (1.5, -1.2), (0, 1.0))]
_EARTH = [line((0, -1.2), (0, -2.54)), line((-1.5, -2.54), (1.5, -2.54)), line((-0.8, -3.1), (0.8, -3.1))]
SUPPRESSOR = Symbol("TVS", "D", [([Pin("1", "K", "PASSIVE", 0, 3.81, 270, 2.794),
                                   Pin("2", "A", "PASSIVE", 0, -3.81, 90, 2.54)], _BEND)],
                    (4.4, 0.9), (7.0, -1.2))  # fmt: skip
DIODE = Symbol("Diode", "D", [([Pin("1", "K", "PASSIVE", 0, 3.81, 270, 2.794),
                                Pin("2", "A", "PASSIVE", 0, -3.81, 90, 2.54)],
                               [line((-1.5, 1.0), (1.5, 1.0)), _BEND[1]])], (4.2, 0.9), (7.0, -1.2))  # fmt: skip
POINT = Symbol("Point", "TP", [([Pin("1", "1", "PASSIVE", 0, -2.54, 90, 1.778)],
                                [line((-0.8, 0), (0, 0.8), (0.8, 0), (0, -0.8), (-0.8, 0))])], (0, 2.4),
               (0, 4.5))  # fmt: skip
TRANSISTOR = Symbol("NPN", "Q", [([Pin("1", "B", "INPUT", -5.08, 0, 0, 4.2), Pin("2", "E", "PASSIVE", 2.54, -5.08, 90),
                                   Pin("3", "C", "OPENCOLL", 2.54, 5.08, 270)],
                                  [line((-0.9, 2), (-0.9, -2), pen=0.5), line((-0.9, 0.7), (2.54, 2.54)),
                                   line((-0.9, -0.7), (2.54, -2.54)),
                                   line((2.54, -2.54), (1.0, -2.3), (1.7, -1.4), (2.54, -2.54), fill="outline")])],
                    (6.5, 0.9), (8.5, -1.2))  # fmt: skip
EARTH = Symbol("GND", "#PWR", [([Pin("1", "GND", "PWRIN", 0, 0, 270, 0)],
                                [line((0, 0), (0, -1.27)), line((-1.5, -1.27), (1.5, -1.27)),
                                 line((-0.9, -1.8), (0.9, -1.8)), line((-0.3, -2.3), (0.3, -2.3))])],
               (0, -4), (0, -4), power=True)  # fmt: skip
FLAG = Symbol("PWR_FLAG", "#FLG", [([Pin("1", "flag", "PWROUT", 0, 0, 90, 0)],
                                    [line((0, 0), (0, 1.27), (-1, 1.9), (0, 2.6), (1, 1.9), (0, 1.27))])],
              (0, 4), (0, 4), power=True)  # fmt: skip


def rail(name: str) -> Symbol:
    """Give the sign of a supply: an arrow upwards with its name."""
    arrow = [line((0, 0), (0, 1.4)), line((-0.8, 1.0), (0, 2.4), (0.8, 1.0))]
    return Symbol(name, "#PWR", [([Pin("1", name, "PWRIN", 0, 0, 90, 0)], arrow)], (0, 4), (0, 3.6), power=True)


def array() -> Symbol:
    """Give the four suppressors of a package, each for itself; the fifth unit is their common pin."""
    units = [([Pin(pin, f"K{index}", "PASSIVE", 0, 3.81, 270, 2.794)], [*_BEND, *_EARTH])
             for index, pin in enumerate("1345", 1)]  # fmt: skip
    common = ([Pin("2", "ground", "PASSIVE", 0, -2.54, 90)], [box(-2.54, 2.54, 2.54, 0)])
    return Symbol("SP0504BAHT", "D", [*units, common], (4.6, 0.9), (0, -6.8), names=False)


def block(name: str, letter: str, left: list[tuple[str, str, str]], right: list[tuple[str, str, str]],
          wide: float, rows: list[float] | None = None) -> Symbol:  # fmt: skip
    """Give a box with pins (number, name, kind) on both sides from the top; rows: how far down each one is."""
    count = max(len(left), len(right))
    down = rows or [PITCH * (index + 1) for index in range(count)]
    pins = [Pin(*pin, -wide / 2 - PITCH, -at, 0) for pin, at in zip(left, down, strict=False)]
    pins += [Pin(*pin, wide / 2 + PITCH, -at, 180) for pin, at in zip(right, down, strict=False)]
    shape = box(-wide / 2, 0, wide / 2, -max(down) - PITCH)
    value = max(wide / 2 - 4, 0.65 * len(name) - wide / 2 + 5.5)  # its middle: clear of the reference before it
    return Symbol(name, letter, [(pins, [shape])], (-wide / 2 + 2.5, 1.6), (round(value, 2), 1.6), names=True)


FUSE_FROM_RIGHT = Symbol("Fuse_from_right", "F", [(_two(ACROSS[1], ACROSS[0]), FUSE.units[0][1])], (0, 4.4), (0, 2.2))
"""The same with its first pin at the right."""
