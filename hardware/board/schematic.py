"""The header board's schematic picture, drawn from the netlist itself: what is not connected is not drawn.

A3 landscape: a block for each player's plug and the knob, then display, buzzer, supplies. Black on white.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardware.board.circuit import PLUGS, Component, other_ends
from hardware.drawings.svg import Drawing

if TYPE_CHECKING:
    from collections.abc import Iterator

WIDTH, HEIGHT = 420.0, 297.0
ROW = 17.0
WIRE = 0.45
SMALL, NORMAL = 2.7, 3.1


@dataclass
class Sheet:
    """The drawing and the netlist it is made from; remembers what it has drawn."""

    drawing: Drawing
    components: dict[str, Component]

    def on(self, net: str, letter: str) -> Iterator[tuple[str, str, str | None]]:
        """Give the parts of one letter on a net: reference, pin, and the net of their other pin if they have two."""
        for ref, pin in other_ends(self.components, net):
            if ref.rstrip("0123456789") == letter:
                others = [name for number, name in self.components[ref].nets.items() if number != pin]
                yield ref, pin, others[0] if len(others) == 1 else None

    def between(self, letter: str, one: str, two: str) -> str:
        """Give the reference of the part between two nets. Raises LookupError: there is none, or more than one."""
        found = [ref for ref, _, other in self.on(one, letter) if other == two]
        if len(found) != 1:
            raise LookupError(f"{len(found)} parts {letter} between {one} and {two}, not one")
        return found[0]

    def words(self, ref: str) -> str:
        """A part's reference and value."""
        return f"{ref} {self.components[ref].value}"

    def header_pins(self, net: str) -> str:
        """Where a net leaves for the Pi: "pin 7" of the header."""
        pins = sorted(int(pin) for ref, pin in other_ends(self.components, net) if ref == "J1")
        return "pin " + ", ".join(map(str, pins))


def draw_schematic(components: dict[str, Component]) -> str:
    """Draw the sheet."""
    sheet = Sheet(Drawing(WIDTH, HEIGHT, "Header board: schematic"), components)
    sheet.drawing.text(10, 13, "Header board", 6.0, font_weight="bold")
    sheet.drawing.text(58, 13, "schematic, drawn from the netlist. Flags at the right of a block go to J1, the"
                       " 40-pin socket on the Pi. Dots are joints; lines that cross without one do not touch.",
                       NORMAL)  # fmt: skip
    for index, (cable, (ref, terminals)) in enumerate(PLUGS.items()):
        if index < 6:
            _draw_inputs(sheet, 12 + index % 3 * 136, 24 + index // 3 * 96, cable, ref, terminals)
    _draw_display(sheet, 12, 216)
    _draw_buzzer(sheet, 148, 216)
    _draw_supplies(sheet, 284, 216)
    return sheet.drawing.svg()


def _plug(sheet: Sheet, x: float, y: float, name: str, ref: str, pins: dict[str, str], rows: list[float]) -> None:
    """Draw a plug with its pins at the given heights."""
    drawing = sheet.drawing
    drawing.text(x, y - 2.0, f"{ref}  {name}", 3.8, font_weight="bold")
    drawing.rect(x, y, 20, rows[-1] - y + 5, 0.5)
    for (pin, terminal), at in zip(pins.items(), rows, strict=True):
        drawing.text(x + 2, at + 1, pin, NORMAL, font_weight="bold")
        drawing.text(x + 6, at + 1, terminal, SMALL)


def _draw_inputs(sheet: Sheet, x: float, y: float, cable: str, ref: str, terminals: tuple[str, ...]) -> None:
    pins = {str(index + 1): name for index, name in enumerate(terminals)}
    nets = sheet.components[ref].nets
    signals = [pin for pin in pins if nets[pin] not in ("GND", "3V3")]
    top = y + 6
    rows = {pin: top + 11 + index * ROW for index, pin in enumerate(signals)}
    rows["1"] = top + 4.5
    supply = [pin for pin in pins if nets[pin] == "3V3"]
    for pin in supply:
        rows[pin] = top + 11 + len(signals) * ROW
    order = dict(sorted(pins.items(), key=lambda item: rows[item[0]]))
    _plug(sheet, x, top, cable.upper() if ref < "J7" else cable, ref, order, sorted(rows.values()))
    drawing = sheet.drawing
    drawing.line(x + 20, rows["1"], x + 25, rows["1"], WIRE)
    _ground(sheet, x + 25, rows["1"], sideways=True)
    for pin in supply:
        drawing.line(x + 20, rows[pin], x + 27, rows[pin], WIRE)
        drawing.text(x + 28, rows[pin] + 1, "3.3 V", NORMAL, font_weight="bold")
    for pin in signals:
        _draw_line(sheet, x + 20, rows[pin], nets[pin])


def _draw_line(sheet: Sheet, x: float, y: float, wire: str) -> None:
    """Draw one switch line from plug to flag."""
    drawing = sheet.drawing
    gpio = next(other for _, _, other in sheet.on(wire, "R") if other and other.startswith("GPIO"))
    pull_up, series = sheet.between("R", wire, "3V3"), sheet.between("R", wire, gpio)
    calm = sheet.between("C", gpio, "GND")
    array, channel, _ = next(sheet.on(wire, "D"))
    drawing.line(x, y, x + 46, y, WIRE)
    drawing.dot(x + 10, y)
    _diode(sheet, x + 10, y, f"{array}.{channel}")
    drawing.dot(x + 26, y)
    drawing.line(x + 26, y, x + 26, y - 2.5, WIRE)
    drawing.rect(x + 24.8, y - 7.5, 2.4, 5, 0.45)
    drawing.line(x + 26, y - 7.5, x + 26, y - 9, WIRE)
    drawing.line(x + 24, y - 9, x + 28, y - 9, 0.45)
    drawing.text(x + 29, y - 7.6, "3.3 V", 2.3)
    drawing.text(x + 29, y - 4, sheet.words(pull_up), SMALL)
    drawing.rect(x + 46, y - 1.2, 7, 2.4, 0.45)
    drawing.text(x + 49.5, y - 2.2, sheet.words(series), SMALL, text_anchor="middle")
    drawing.line(x + 53, y, x + 78, y, WIRE)
    drawing.dot(x + 62, y)
    _capacitor(sheet, x + 62, y, sheet.words(calm))
    _flag(sheet, x + 78, y, gpio)


def _flag(sheet: Sheet, x: float, y: float, net: str) -> None:
    words = {"i2c_sda": "GPIO2 SDA", "i2c_scl": "GPIO3 SCL"}.get(net, net)
    sheet.drawing.path(f"M{x} {y} l2 -2.4 h29 v4.8 h-29 Z", 0.4)
    sheet.drawing.text(x + 3, y + 1, f"{words}, {sheet.header_pins(net)}", SMALL)


def _ground(sheet: Sheet, x: float, y: float, *, sideways: bool = False) -> None:
    for index, half in enumerate((1.8, 1.1, 0.4)):
        step = index * 0.8
        if sideways:
            sheet.drawing.line(x + step, y - half, x + step, y + half, 0.45)
        else:
            sheet.drawing.line(x - half, y + step, x + half, y + step, 0.45)


def _diode(sheet: Sheet, x: float, y: float, words: str) -> None:
    """A suppressor to ground: conducts above some 6 V and below -0.6 V."""
    drawing = sheet.drawing
    drawing.line(x, y, x, y + 2, WIRE)
    drawing.path(f"M{x - 1.9} {y + 2.7} l0.5 -0.7 h2.8 l0.5 -0.7 M{x} {y + 2} l-1.6 2.8 h3.2 Z", 0.45)
    drawing.line(x, y + 4.8, x, y + 6, WIRE)
    _ground(sheet, x, y + 6)
    drawing.text(x + 3, y + 5, words, SMALL)


def _capacitor(sheet: Sheet, x: float, y: float, words: str) -> None:
    drawing = sheet.drawing
    drawing.line(x, y, x, y + 2.6, WIRE)
    drawing.line(x - 2, y + 2.6, x + 2, y + 2.6, 0.6)
    drawing.line(x - 2, y + 3.6, x + 2, y + 3.6, 0.6)
    drawing.line(x, y + 3.6, x, y + 6, WIRE)
    _ground(sheet, x, y + 6)
    drawing.text(x + 3, y + 5, words, SMALL)


def _draw_display(sheet: Sheet, x: float, y: float) -> None:
    ref, terminals = PLUGS["OLED"]
    nets = sheet.components[ref].nets
    pins = {str(index + 1): name for index, name in enumerate(terminals)}
    rows = {"1": y + 10.5, "2": y + 18, "3": y + 28, "4": y + 42}
    _plug(sheet, x, y + 6, "OLED", ref, pins, list(rows.values()))
    drawing = sheet.drawing
    drawing.line(x + 20, rows["1"], x + 25, rows["1"], WIRE)
    _ground(sheet, x + 25, rows["1"], sideways=True)
    drawing.line(x + 20, rows["2"], x + 62, rows["2"], WIRE)
    drawing.text(x + 63, rows["2"] + 1, "3.3 V", NORMAL, font_weight="bold")
    drawing.dot(x + 44, rows["2"])
    near = next(ref for ref, _, other in sheet.on("3V3", "C") if other == "GND" and _value(sheet, ref) == "100n")
    _capacitor(sheet, x + 44, rows["2"], sheet.words(near))
    for pin in ("3", "4"):
        drawing.line(x + 20, rows[pin], x + 98, rows[pin], WIRE)
        array, channel, _ = next(sheet.on(nets[pin], "D"))
        drawing.dot(x + 30, rows[pin])
        _diode(sheet, x + 30, rows[pin], f"{array}.{channel}")
        _flag(sheet, x + 98, rows[pin], nets[pin])
    drawing.block(x + 48, y + 52, ["No pull-ups here: the Pi has 1.8 kΩ to 3.3 V", "on both wires."], SMALL)


def _value(sheet: Sheet, ref: str) -> str:
    return sheet.components[ref].value


def _draw_buzzer(sheet: Sheet, x: float, y: float) -> None:
    """The transistor with what is around it."""
    ref, terminals = PLUGS["buzzer"]
    pins = {"2": terminals[1], "1": terminals[0]}
    _plug(sheet, x, y + 6, "buzzer", ref, pins, [y + 13, y + 31])
    drawing, plus, minus = sheet.drawing, y + 13, y + 31
    base = sheet.components["Q1"].nets["1"]
    gpio = next(other for _, _, other in sheet.on(base, "R") if other and other.startswith("GPIO"))
    series, down = sheet.between("R", base, gpio), sheet.between("R", base, "GND")
    beside, flyback = sheet.between("R", "5V", "buzzer -"), sheet.between("D", "5V", "buzzer -")
    drawing.line(x + 20, plus, x + 52, plus, WIRE)
    drawing.text(x + 53, plus + 1, "5 V", NORMAL, font_weight="bold")
    drawing.line(x + 20, minus, x + 52, minus, WIRE)
    for at in (27, 42):
        drawing.dot(x + at, plus)
        drawing.dot(x + at, minus)
        drawing.line(x + at, plus, x + at, minus, WIRE)
    drawing.rect(x + 25.8, plus + 6, 2.4, 6, 0.45, fill="#ffffff")
    drawing.text(x + 29, plus + 10, sheet.words(beside), SMALL)
    drawing.path(f"M{x + 42} {plus + 7} l-1.9 3.4 h3.8 Z M{x + 40} {plus + 7} h4", 0.45, fill="#ffffff")
    drawing.text(x + 45, plus + 10, sheet.words(flyback), SMALL)
    collector = x + 52
    drawing.line(collector, minus, collector, minus + 5, WIRE)
    drawing.line(collector, minus + 5, collector + 4, minus + 8, 0.5)
    drawing.line(collector + 4, minus + 6, collector + 4, minus + 14, 0.8)
    drawing.line(collector + 4, minus + 12, collector, minus + 15, 0.5)
    drawing.path(f"M{collector} {minus + 15} l2.6 -0.6 l-1.2 -1.6 Z", 0.3, fill="#000000")
    drawing.line(collector, minus + 15, collector, minus + 17, WIRE)
    _ground(sheet, collector, minus + 17)
    drawing.text(collector - 3, minus + 11, sheet.words("Q1"), SMALL, text_anchor="end")
    drawing.line(collector + 4, minus + 10, collector + 18, minus + 10, WIRE)
    drawing.dot(collector + 12, minus + 10)
    drawing.line(collector + 12, minus + 10, collector + 12, minus + 12, WIRE)
    drawing.rect(collector + 10.8, minus + 12, 2.4, 5, 0.45)
    _ground(sheet, collector + 12, minus + 17)
    drawing.text(collector + 14.5, minus + 15.5, sheet.words(down), SMALL)
    drawing.rect(collector + 18, minus + 8.8, 7, 2.4, 0.45)
    drawing.text(collector + 21.5, minus + 7.8, sheet.words(series), SMALL, text_anchor="middle")
    drawing.line(collector + 25, minus + 10, collector + 34, minus + 10, WIRE)
    _flag(sheet, collector + 34, minus + 10, gpio)


def _draw_supplies(sheet: Sheet, x: float, y: float) -> None:
    ref, terminals = PLUGS["lamps"]
    pins = {"2": terminals[1], "1": terminals[0]}
    _plug(sheet, x, y + 6, "lamps", ref, pins, [y + 13, y + 23])
    drawing = sheet.drawing
    fuse = sheet.between("F", "5V", "lamps 5 V")
    drawing.line(x + 20, y + 13, x + 32, y + 13, WIRE)
    drawing.rect(x + 32, y + 11.6, 10, 2.8, 0.45)
    drawing.line(x + 32, y + 13, x + 42, y + 13, 0.3)
    drawing.text(x + 37, y + 10.4, sheet.words(fuse), SMALL, text_anchor="middle")
    drawing.line(x + 42, y + 13, x + 54, y + 13, WIRE)
    drawing.text(x + 55, y + 14, "5 V", NORMAL, font_weight="bold")
    drawing.line(x + 20, y + 23, x + 25, y + 23, WIRE)
    _ground(sheet, x + 25, y + 23, sideways=True)
    store = next(ref for ref, _, other in sheet.on("3V3", "C") if other == "GND" and _value(sheet, ref) != "100n")
    drawing.text(x, y + 38, "3.3 V", NORMAL, font_weight="bold")
    drawing.line(x + 11, y + 37, x + 26, y + 37, WIRE)
    drawing.dot(x + 20, y + 37)
    _capacitor(sheet, x + 20, y + 37, sheet.words(store))
    drawing.block(x + 50, y + 30, [
        f"J1, 3.3 V: {sheet.header_pins('3V3')}",
        f"J1, 5 V: {sheet.header_pins('5V')}",
        f"J1, ground: {sheet.header_pins('GND')}",
        "J1, open: pin 27, 28 (for add-on boards)",
    ], NORMAL)  # fmt: skip
    drawing.block(x, y + 56, [
        "D1 to D7: SP0504BAHT, four suppressors to ground each; D1.3 is its pin 3, pin 2 is ground.",
        "Channels not drawn are left open.",
    ], SMALL)  # fmt: skip
