"""The header board's schematic as a KiCad sheet, made from the netlist: what is not connected there is not drawn.

One sheet of A2: the switch lines of each socket, then display and buzzer, the lamps, the supplies and the Pi's header.
Wires that would cross the sheet are named at both ends instead. Identities come from names, so that the same circuit
gives the same file. y grows downwards; every end of a wire lies on KiCad's grid of 1.27 mm.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING
from uuid import NAMESPACE_URL, uuid5

from hardware.board import symbols
from hardware.board.circuit import other_ends
from hardware.board.lamps import ADDRESSES, DRAINS
from hardware.board.plugs import PLUGS
from hardware.board.symbols import LIBRARY, Symbol, quoted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hardware.board.circuit import Component

    Row = tuple[str, str, str]

PROJECT = "header-board"
G = 1.27
ROW = 16 * G
RAILS = {"3V3": "3V3", "5V": "5V"}
LINES = ("red", "yellow", "green", "blue", "purple", "knob")


class Sheet:
    """The sheet that is being drawn, and the netlist it is made from; remembers which parts it has drawn."""

    def __init__(self, components: Mapping[str, Component]) -> None:
        self.components = components
        self.used: dict[str, Symbol] = {}
        self.items: list[str] = []
        self.drawn: set[str] = set()
        self.count = 0
        self.root = self.identity("root")

    def identity(self, name: str) -> str:
        """Give the identity that belongs to a name."""
        return str(uuid5(NAMESPACE_URL, f"header-board/{name}"))

    def _next(self, what: str) -> str:
        self.count += 1
        return self.identity(f"{what} {self.count}")

    def place(self, symbol: Symbol, ref: str, x: float, y: float, unit: int = 1) -> None:
        """Place a part's symbol. The first unit of a part carries its own identity, by which the board knows it."""
        part = self.components[ref]
        first = ref not in self.drawn
        self.drawn.add(ref)
        who = self.identity(ref if first else f"{ref} unit {unit}")
        self._instance(
            symbol,
            ref,
            part.value,
            x,
            y,
            unit,
            who,
            part.footprint,
            shows_value=symbol.name != "SP0504BAHT" or unit == 5,
        )

    def _instance(self, symbol: Symbol, ref: str, value: str, x: float, y: float, unit: int, who: str,
                  footprint: str = "", *, shows_value: bool = True) -> None:  # fmt: skip
        self.used[symbol.name] = symbol
        signs, bought = symbol.power, "no" if ref.startswith("TP") else "yes"
        lines = [f'(symbol (lib_id "{LIBRARY}:{symbol.name}") (at {x:g} {y:g} 0) (unit {unit})']
        lines.append(f' (exclude_from_sim no) (in_bom {bought}) (on_board yes) (dnp no) (uuid "{who}")')
        lines.append(_text("Reference", ref, x + symbol.reference[0], y - symbol.reference[1], hidden=signs))
        hidden = not shows_value or symbol.name in ("GND", "PWR_FLAG") or symbol.name.startswith("Plug")
        lines.append(_text("Value", value, x + symbol.value[0], y - symbol.value[1], hidden=hidden))
        lines.append(_text("Footprint", footprint, x, y, hidden=True))
        lines += [_text(name, "", x, y, hidden=True) for name in ("Datasheet", "Description")]
        lines += [f' (pin "{pin.number}" (uuid "{self.identity(f"{who} {pin.number}")}"))'
                  for pins, _ in symbol.units for pin in pins]  # fmt: skip
        path = f'(path "/{self.root}" (reference "{ref}") (unit {unit}))'
        self.items.append("\n".join([*lines, f' (instances (project "{PROJECT}" {path}))', ")"]))

    def power(self, name: str, x: float, y: float) -> None:
        """Place the sign of ground, or of a supply that comes from the Pi."""
        symbol = {"GND": symbols.EARTH, "flag": symbols.FLAG}.get(name) or symbols.rail(name)
        self.count += 1
        kind = "#FLG" if name == "flag" else "#PWR"
        who = self.identity(f"power {self.count}")
        self._instance(symbol, f"{kind}{self.count:03}", symbol.name, x, y, 1, who)

    def wire(self, *points: tuple[float, float]) -> None:
        """Draw a wire from point to point; it is joined at each of them."""
        for (x, y), (right, down) in pairwise(points):
            ends = f"(pts (xy {x:g} {y:g}) (xy {right:g} {down:g}))"
            self.items.append(f'(wire {ends} (stroke (width 0) (type default)) (uuid "{self._next("wire")}"))')

    def dot(self, x: float, y: float) -> None:
        """Mark where wires are joined."""
        self.items.append(f'(junction (at {x:g} {y:g}) (diameter 0) (color 0 0 0 0) (uuid "{self._next("dot")}"))')

    def cross(self, x: float, y: float) -> None:
        """Mark a pin that stays open."""
        self.items.append(f'(no_connect (at {x:g} {y:g}) (uuid "{self._next("cross")}"))')

    def flag(self, net: str, x: float, y: float, *, left: bool = False) -> None:
        """Name a wire that goes on elsewhere."""
        angle, side = (180, "right") if left else (0, "left")
        look = f"(effects (font (size 1.27 1.27)) (justify {side}))"
        place = f"(shape passive) (at {x:g} {y:g} {angle})"
        self.items.append(f'(global_label {quoted(net)} {place} {look} (uuid "{self._next("flag")}"))')

    def label(self, net: str, x: float, y: float) -> None:
        """Name a wire where it runs."""
        look = "(effects (font (size 1.27 1.27)) (justify left bottom))"
        self.items.append(f'(label {quoted(net)} (at {x:g} {y:g} 0) {look} (uuid "{self._next("label")}"))')

    def end(self, net: str | None, x: float, y: float, *, left: bool = False) -> None:
        """End a wire: in a cross, in ground or a supply, or in its name."""
        if net is None:
            self.cross(x, y)
        elif net in ("GND", *RAILS):
            self.power(net, x, y)
        else:
            self.flag(net, x, y, left=left)

    def words(self, text: str, x: float, y: float, size: float = 1.8) -> None:
        """Write words on the sheet."""
        look = f"(effects (font (size {size:g} {size:g})) (justify left bottom))"
        self.items.append(f'(text {quoted(text)} (at {x:g} {y:g} 0) {look} (uuid "{self._next("words")}"))')

    def on(self, net: str, letter: str) -> list[str]:
        """Give the parts of a letter on a net."""
        return [ref for ref, _ in other_ends(self.components, net) if ref.rstrip("0123456789") == letter]

    def between(self, letter: str, one: str, two: str) -> str:
        """Give the reference of the part between two nets. Raises LookupError: there is none, or more than one."""
        found = [ref for ref in self.on(one, letter) if set(self.components[ref].nets.values()) == {one, two}]
        if len(found) != 1:
            raise LookupError(f"{len(found)} parts {letter} between {one} and {two}, not one")
        return found[0]

    def text(self) -> str:
        """Give the file. Raises LookupError for a part that was not drawn."""
        if missing := set(self.components) - self.drawn:
            raise LookupError(f"not on the sheet: {', '.join(sorted(missing))}")
        head = f'(kicad_sch (version 20250114) (generator "table-companion") (uuid "{self.root}") (paper "A2")'
        title = f' (title_block (title "Table companion: header board") (rev "{REVISION}") (comment 1 "{LICENCE}"))'
        used = "\n".join(symbol.text() for _, symbol in sorted(self.used.items()))
        tail = ' (sheet_instances (path "/" (page "1"))) (embedded_fonts no)\n)\n'
        return "\n".join([head, title, f"(lib_symbols\n{used}\n)", *self.items, tail])

    def library(self) -> str:
        """Give the symbols as a library, for KiCad to compare the sheet with."""
        used = "\n".join(symbol.text("") for _, symbol in sorted(self.used.items()))
        return f'(kicad_symbol_lib (version 20241209) (generator "table-companion")\n{used}\n)\n'


REVISION = "2"
LICENCE = "CERN-OHL-P-2.0"


def _text(name: str, words: str, x: float, y: float, *, hidden: bool) -> str:
    hide = " (hide yes)" if hidden else ""
    return f' (property "{name}" {quoted(words)} (at {x:g} {y:g} 0) (effects (font (size 1.27 1.27)){hide}))'


def draw_sheet(components: Mapping[str, Component]) -> Sheet:
    """Draw all of it."""
    sheet = Sheet(components)
    sheet.words("Table companion: header board", 20, 22, 5)
    sheet.words("Drawn from the netlist. Flags of one name are one wire. Suppressors stand at the sockets; each"
                " package has four.", 20, 29)  # fmt: skip
    for index, cable in enumerate(LINES):
        _draw_lines(sheet, (18 + index * 74) * G, 38 * G, cable)
    _draw_display(sheet, 18 * G, 132 * G)
    _draw_buzzer(sheet, 18 * G, 190 * G)
    _draw_header(sheet, 128 * G, 134 * G)
    _draw_supplies(sheet, 84 * G, 246 * G)
    for index, ref in enumerate(ADDRESSES):
        _draw_chip(sheet, (186 + 90 * index) * G, 130 * G, ref)
    for index, ref in enumerate(DRAINS):
        _draw_drains(sheet, (170 + 50 * index) * G, 176 * G, ref)
    for index, cable in enumerate(cable for cable in PLUGS if cable.endswith(" lamps")):
        _draw_lamp_plug(sheet, (316 + 66 * (index % 2)) * G, (130 + 58 * (index // 2)) * G, cable)
    return sheet


def _draw_plug(sheet: Sheet, x: float, y: float, cable: str, rows: list[float]) -> None:
    """Draw a socket with its pins, in their order, so far down; wires begin at its right, 6 grid steps from x."""
    ref, terminals = PLUGS[cable]
    pins = [(str(index + 1), name, "PASSIVE") for index, name in enumerate(terminals)]
    symbol = symbols.block(f"Plug {cable}", "J", [], pins, 8 * G, rows)
    sheet.words(f"{cable.upper()}", x - 4 * G, y - 3 * G, 2.2)
    sheet.place(symbol, ref, x, y)


def _draw_guard(sheet: Sheet, net: str, x: float, y: float) -> None:
    """Draw the suppressor of a net at a wire; the common pin of its package beside its first one."""
    ref = _array_on(sheet, net)
    part = sheet.components[ref]
    pin = next(number for number, name in part.nets.items() if name == net)
    sheet.place(symbols.array(), ref, x, y + 3 * G, "1345".index(pin) + 1)
    sheet.dot(x, y)


def _array_on(sheet: Sheet, net: str) -> str:
    return next(ref for ref in sheet.on(net, "D") if sheet.components[ref].value == "SP0504BAHT")


def _draw_rest_of_array(sheet: Sheet, net: str, x: float, y: float) -> None:
    """Draw the common pin of the package that guards a net, and its open channels."""
    ref = _array_on(sheet, net)
    sheet.place(symbols.array(), ref, x, y, 5)
    sheet.power("GND", x, y + 2 * G)
    spare = [pin for pin in "1345" if pin not in sheet.components[ref].nets]
    for index, pin in enumerate(spare):
        at = x + (8 + 7 * index) * G
        sheet.place(symbols.array(), ref, at, y, "1345".index(pin) + 1)
        sheet.cross(at, y - 3 * G)


def _draw_lines(sheet: Sheet, x: float, y: float, cable: str) -> None:
    """Draw the lines of a socket of switches: suppressor, pull-up, series resistor, capacitor, and the GPIO's name."""
    ref, terminals = PLUGS[cable]
    nets = [sheet.components[ref].nets[str(index + 1)] for index in range(len(terminals))]
    signals = [net for net in nets if net not in ("GND", f"{cable} 3.3 V")]
    rows, down = [], 4 * G
    for net in nets:
        rows.append(down)
        down += ROW if net in signals else 8 * G
    _draw_plug(sheet, x, y, cable, rows)
    start = x + 6 * G
    for net, at in zip(nets, (y + row for row in rows), strict=True):
        if net == "GND":
            sheet.wire((start, at), (start + 3 * G, at))
            sheet.power("GND", start + 3 * G, at)
        elif net in signals:
            _draw_line(sheet, start, at, net)
        else:
            _draw_fused(sheet, start, at, net)
    _draw_rest_of_array(sheet, signals[0], start + 6 * G, y + down + 2 * G)


def _draw_line(sheet: Sheet, x: float, y: float, net: str) -> None:
    series = next(ref for ref in sheet.on(net, "R") if sheet.components[ref].value == "1k")
    gpio = next(name for name in sheet.components[series].nets.values() if name != net)
    pull_up, calm = sheet.between("R", net, "3V3"), sheet.between("C", gpio, "GND")
    joints = [x, *(x + step * G for step in (1, 7, 14, 19))]
    sheet.wire(*((at, y) for at in joints))
    _label(sheet, net, x + G, y)
    _draw_guard(sheet, net, joints[2], y)
    sheet.place(symbols.RESISTOR, pull_up, joints[3], y - 3 * G)
    sheet.power("3V3", joints[3], y - 6 * G)
    sheet.dot(joints[3], y)
    sheet.place(symbols.SERIES, series, joints[4] + 3 * G, y)
    sheet.wire((joints[4] + 6 * G, y), (joints[4] + 11 * G, y), (joints[4] + 19 * G, y))
    sheet.place(symbols.CAPACITOR, calm, joints[4] + 11 * G, y + 3 * G)
    sheet.power("GND", joints[4] + 11 * G, y + 6 * G)
    sheet.dot(joints[4] + 11 * G, y)
    sheet.flag(gpio, joints[4] + 19 * G, y)


def _label(sheet: Sheet, net: str, x: float, y: float) -> None:
    """Name a line on its wire, or by a flag above it where a test point has the name too."""
    if sheet.on(net, "TP"):
        sheet.flag(net, x, y - 4 * G)
        sheet.wire((x, y - 4 * G), (x, y))
        sheet.dot(x, y)
    else:
        sheet.label(net, x, y)


def _draw_fused(sheet: Sheet, x: float, y: float, net: str) -> None:
    """Draw a supply that leaves the board: suppressor, fuse, and where it comes from."""
    fuse = sheet.on(net, "F")[0]
    source = next(name for name in sheet.components[fuse].nets.values() if name != net)
    sheet.wire((x, y), (x + G, y), (x + 7 * G, y), (x + 16 * G, y))
    sheet.label(net, x + G, y)
    _draw_guard(sheet, net, x + 7 * G, y)
    # Pin 1 of a fuse is at the Pi's side, and so at the right here.
    sheet.place(symbols.FUSE_FROM_RIGHT, fuse, x + 19 * G, y)
    sheet.wire((x + 22 * G, y), (x + 30 * G, y))
    sheet.power(source, x + 30 * G, y)


def _draw_display(sheet: Sheet, x: float, y: float) -> None:
    ref, _ = PLUGS["OLED"]
    nets = sheet.components[ref].nets
    rows = [4 * G, 12 * G, 24 * G, 36 * G]
    _draw_plug(sheet, x, y, "OLED", rows)
    start = x + 6 * G
    sheet.wire((start, y + rows[0]), (start + 3 * G, y + rows[0]))
    sheet.power("GND", start + 3 * G, y + rows[0])
    at = y + rows[1]
    supply = nets["2"]
    _draw_fused(sheet, start, at, supply)
    store = sheet.between("C", supply, "GND")
    sheet.place(symbols.CAPACITOR, store, start + 16 * G, at + 3 * G)
    sheet.dot(start + 16 * G, at)
    sheet.power("GND", start + 16 * G, at + 6 * G)
    for pin in ("3", "4"):
        at = y + rows[int(pin) - 1]
        sheet.wire((start, at), (start + 6 * G, at), (start + 26 * G, at))
        _draw_guard(sheet, nets[pin], start + 6 * G, at)
        sheet.flag(nets[pin], start + 26 * G, at)
    _draw_rest_of_array(sheet, supply, start + 6 * G, y + 50 * G)


def _draw_buzzer(sheet: Sheet, x: float, y: float) -> None:
    """Draw the transistor with what is around it."""
    nets = sheet.components[PLUGS["buzzer"][0]].nets
    minus, plus = nets["1"], nets["2"]
    _draw_plug(sheet, x, y, "buzzer", [14 * G, 8 * G])
    start, high, low = x + 6 * G, y + 8 * G, y + 14 * G
    across = [start, *(start + step * G for step in (22, 30, 36))]
    sheet.wire(*((at, high) for at in across))
    sheet.wire(*((at, low) for at in (start, start + 6 * G, *across[1:3], start + 46 * G)))
    resistor, diode = sheet.between("R", plus, minus), _diode_between(sheet, plus, minus)
    sheet.place(symbols.RESISTOR, resistor, across[1], high + 3 * G)
    sheet.place(symbols.DIODE, diode, across[2], high + 3 * G)
    for at in across[1:3]:
        sheet.dot(at, high)
        sheet.dot(at, low)
    sheet.label(minus, start, low)
    _draw_guard(sheet, minus, start + 6 * G, low)
    sheet.wire((across[1], high), (across[1], high - 6 * G), (across[1] - 8 * G, high - 6 * G))
    sheet.flag(plus, across[1] - 8 * G, high - 6 * G, left=True)
    fuse = sheet.between("F", "5V", plus)
    sheet.place(symbols.FUSE_FROM_RIGHT, fuse, across[3] + 3 * G, high)
    sheet.wire((across[3] + 6 * G, high), (across[3] + 12 * G, high))
    sheet.power("5V", across[3] + 12 * G, high)
    base = sheet.components["Q1"].nets["1"]
    series = next(ref for ref in sheet.on(base, "R") if sheet.components[ref].value == "1k")
    gpio = next(name for name in sheet.components[series].nets.values() if name != base)
    collector = start + 46 * G
    sheet.wire((collector, low), (collector, low + 4 * G))
    sheet.place(symbols.TRANSISTOR, "Q1", collector - 2 * G, low + 8 * G)
    sheet.power("GND", collector, low + 12 * G)
    left = collector - 6 * G
    sheet.wire((left, low + 8 * G), (left - 4 * G, low + 8 * G), (left - 10 * G, low + 8 * G))
    sheet.dot(left - 4 * G, low + 8 * G)
    sheet.label(base, left - 10 * G, low + 8 * G)
    sheet.place(symbols.RESISTOR, sheet.between("R", base, "GND"), left - 4 * G, low + 11 * G)
    sheet.power("GND", left - 4 * G, low + 14 * G)
    # Pin 1 of the series resistor is the GPIO's side, at the left.
    sheet.place(symbols.SERIES, series, left - 13 * G, low + 8 * G)
    sheet.flag(gpio, left - 16 * G, low + 8 * G, left=True)
    ref = _array_on(sheet, plus)
    pin = next(number for number, name in sheet.components[ref].nets.items() if name == plus)
    sheet.place(symbols.array(), ref, start + 2 * G, y + 38 * G, "1345".index(pin) + 1)
    sheet.wire((start + 2 * G, y + 35 * G), (start + 2 * G, y + 33 * G))
    sheet.flag(plus, start + 2 * G, y + 33 * G)
    _draw_rest_of_array(sheet, plus, start + 12 * G, y + 40 * G)


def _diode_between(sheet: Sheet, one: str, two: str) -> str:
    return next(ref for ref in sheet.on(one, "D") if sheet.components[ref].nets == {"1": one, "2": two})


def _draw_header(sheet: Sheet, x: float, y: float) -> None:
    """Draw the Pi's header with its odd pins at the left."""
    part = sheet.components["J1"]
    left, right = ([(str(pin), *part.pins[str(pin)]) for pin in range(first, 41, 2)] for first in (1, 2))
    sheet.place(symbols.block("Pi header", "J", left, right, 18 * G), "J1", x, y)
    for side, pins in zip((-1, 1), (left, right), strict=True):
        for row, (pin, _, _) in enumerate(pins):
            at, end = y + (row + 1) * 2 * G, x + side * 11 * G
            net = part.nets.get(pin)
            if net in ("GND", *RAILS):
                sheet.flag(net, end, at, left=side < 0)
            else:
                sheet.end(net, end, at, left=side < 0)


def _draw_supplies(sheet: Sheet, x: float, y: float) -> None:
    """Draw the supplies' names, the stores, the lamps' fuse and suppressor, and the test points."""
    for index, name in enumerate(("3V3", "5V", "GND")):
        at = x + index * 12 * G
        sheet.power(name, at, y)
        sheet.wire((at, y), (at, y + 6 * G) if name != "GND" else (at, y - 6 * G))
        sheet.flag(name, at, y + (6 * G if name != "GND" else -6 * G))
    sheet.power("flag", x + 24 * G, y - 6 * G)
    stores = [ref for ref in sheet.on("3V3", "C") if set(sheet.components[ref].nets.values()) == {"3V3", "GND"}]
    for index, ref in enumerate(stores):
        at = x + (46 + 12 * index) * G
        sheet.place(symbols.CAPACITOR, ref, at, y)
        sheet.power("3V3", at, y - 3 * G)
        sheet.power("GND", at, y + 3 * G)
    at, lamps = x + 96 * G, "lamps 5 V"
    sheet.power("5V", at - 6 * G, y)
    sheet.wire((at - 6 * G, y), (at, y))
    sheet.place(symbols.FUSE, sheet.between("F", "5V", lamps), at + 3 * G, y)
    sheet.wire((at + 6 * G, y), (at + 12 * G, y), (at + 18 * G, y))
    guard = sheet.between("D", lamps, "GND")
    sheet.place(symbols.SUPPRESSOR, guard, at + 12 * G, y + 3 * G)
    sheet.power("GND", at + 12 * G, y + 6 * G)
    sheet.dot(at + 12 * G, y)
    sheet.flag(lamps, at + 18 * G, y)
    for index, ref in enumerate(ref for ref in sheet.components if ref.startswith("TP")):
        right = x + (136 + 16 * index) * G
        sheet.place(symbols.POINT, ref, right, y - 2 * G)
        sheet.flag(sheet.components[ref].nets["1"], right, y)


def _draw_chip(sheet: Sheet, x: float, y: float, ref: str) -> None:
    """Draw a PCA9685: its wires and address at the left, its outputs at the right."""
    part = sheet.components[ref]
    outputs = [pin for pin, (name, _) in part.pins.items() if name.startswith("LED")]
    others = [pin for pin in part.pins if pin not in outputs]
    order = {"VDD": 0, "SCL": 1, "SDA": 2, "VSS": 99}
    others.sort(key=lambda pin: (order.get(part.pins[pin][0], 10), part.pins[pin][0]))
    outputs.sort(key=lambda pin: int(part.pins[pin][0].removeprefix("LED")))
    left, right = ([(pin, *part.pins[pin]) for pin in pins] for pins in (others, outputs))
    sheet.words(f"{ref}: address 0x{ADDRESSES[ref]:02x}", x - 8 * G, y - 3 * G, 2.2)
    _draw_block(sheet, x, y, ref, "PCA9685PW", left, right, 16)


def _draw_drains(sheet: Sheet, x: float, y: float, ref: str) -> None:
    part = sheet.components[ref]
    left = [(str(pin), *part.pins[str(pin)]) for pin in range(1, 10)]
    right = [(str(pin), *part.pins[str(pin)]) for pin in range(18, 9, -1)]
    _draw_block(sheet, x, y, ref, "TBD62083AFNG", left, right, 12)


def _draw_block(
    sheet: Sheet, x: float, y: float, ref: str, value: str, left: list[Row], right: list[Row], wide: int
) -> None:  # fmt: skip
    """Draw a chip as a block with its wires' names at the left and its outputs' ends at the right. wide: in G."""
    nets, reach = sheet.components[ref].nets, (wide // 2 + 2) * G
    sheet.place(symbols.block(value, "U", left, right, wide * G), ref, x, y)
    for row, (pin, _, _) in enumerate(left):
        sheet.flag(nets[pin], x - reach, y + (row + 1) * 2 * G, left=True)
    for row, (pin, _, _) in enumerate(right):
        sheet.end(nets.get(pin), x + reach, y + (row + 1) * 2 * G)


def _draw_lamp_plug(sheet: Sheet, x: float, y: float, cable: str) -> None:
    ref, terminals = PLUGS[cable]
    nets = sheet.components[ref].nets
    rows = [(4 + 10 * index) * G for index in range(len(terminals))]
    _draw_plug(sheet, x, y, cable, rows)
    for index, row in enumerate(rows):
        net, at, start = nets[str(index + 1)], y + row, x + 6 * G
        if index:
            sheet.wire((start, at), (start + 6 * G, at), (start + 14 * G, at))
            _draw_guard(sheet, net, start + 6 * G, at)
            sheet.flag(net, start + 14 * G, at)
        else:
            sheet.wire((start, at), (start + 14 * G, at))
            sheet.flag(net, start + 14 * G, at)
    _draw_rest_of_array(sheet, nets["2"], x + 40 * G, y + 46 * G)
