"""The wiring diagram: the 40-pin header as one sees it, and what hangs on each pin. Made from the pin map alone.

Readable without colour: every wire ends at its own words and symbol, none cross.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.panel import Colour
from hardware.drawings.connections import CABLES, ID_PINS, PINS, POWER, Connection, ground_pins
from hardware.drawings.faces import FACES, face_of
from hardware.drawings.svg import GREY, Drawing
from hardware.drawings.symbols import draw_symbol

if TYPE_CHECKING:
    from collections.abc import Iterator

WIDTH, HEIGHT = 297.0, 210.0
TOP = 30.0
STEP = 8.1
MIDDLE = 148.5
PAD = 2.9
WIRE = 27.0
"""From the header's middle to where a tag begins."""
TAG = 33.0
BRACE = MIDDLE - WIRE - TAG
DETAIL_LEFT, DETAIL_RIGHT = 7.0, 238.0


def row(pin: int) -> float:
    """Give the height of a pin's row."""
    return TOP + (pin - 1) // 2 * STEP


def side(pin: int) -> int:
    """Odd pins are on the left, even ones on the right."""
    return 1 if pin % 2 == 0 else -1


def draw_wiring(wires: list[Connection]) -> str:
    """Draw the whole sheet, A4 landscape."""
    drawing = Drawing(WIDTH, HEIGHT, "Wiring of the box")
    drawing.text(7, 11, "Wiring", 6.0, font_weight="bold")
    drawing.text(31, 11, f"all {len(wires)} connections of the 40-pin header, seen from above, pin 1 at the corner"
                 " of the Pi", 3.2)  # fmt: skip
    drawing.text(7, 17, "Every switch closes from its pin to ground. The pins stand 3.3 V and no more: nothing here may"
                 " ever touch 5 V.", 3.2)  # fmt: skip
    _draw_header(drawing)
    grounds = {pin: cable for cable, pin in ground_pins(wires).items()}
    by_pin = {wire.pin: wire for wire in wires}
    for pin in PINS:
        _draw_pad(drawing, pin)
        if pin in by_pin:
            _draw_wire(drawing, by_pin[pin])
        else:
            _draw_other(drawing, pin, grounds)
    _draw_braces(drawing, wires, grounds)
    _draw_button_cable(drawing, DETAIL_LEFT, 30)
    _draw_lamps(drawing, DETAIL_LEFT, 136)
    goes_to = {wire.key: f"pin {wire.pin}" for wire in wires} | {
        f"{cable} ground": f"pin {pin}" for pin, cable in grounds.items()
    }
    _draw_display(drawing, DETAIL_RIGHT, 30, goes_to)
    _draw_knob(drawing, DETAIL_RIGHT, 85, goes_to)
    _draw_buzzer(drawing, DETAIL_RIGHT, 152, goes_to)
    return drawing.svg()


def _draw_header(drawing: Drawing) -> None:
    drawing.rect(MIDDLE - 7.6, TOP - 5.0, 15.2, 19 * STEP + 10, 0.5, rx=1.0)


def _draw_pad(drawing: Drawing, pin: int) -> None:
    x, y = MIDDLE + side(pin) * 3.7, row(pin)
    if pin == 1:
        drawing.rect(x - PAD, y - PAD, 2 * PAD, 2 * PAD, 0.4)
    else:
        drawing.circle(x, y, PAD, 0.4)
    drawing.text(x, y + 1.1, str(pin), 3.1, text_anchor="middle", font_weight="bold")


def _draw_wire(drawing: Drawing, wire: Connection) -> None:
    at, y = side(wire.pin), row(wire.pin)
    start, end = MIDDLE + at * 6.6, MIDDLE + at * WIRE
    drawing.line(start, y, end, y, 0.6, id=f"wire-{wire.pin}", data_key=wire.key, data_gpio=str(wire.gpio))
    drawing.text((start + end) / 2, y - 0.9, f"GPIO {wire.gpio}", 2.9, text_anchor="middle")
    left = min(end, end + at * TAG)
    drawing.rect(left, y - 3.3, TAG, 6.6, 0.4, rx=1.0)
    if wire.button:
        draw_symbol(drawing, face_of(wire.button), left + 4.2, y, 5.4)
        drawing.text(left + 8.4, y - 0.3, wire.cable.upper(), 2.9, font_weight="bold")
        drawing.text(left + 8.4, y + 2.7, wire.terminal, 2.9)
    else:
        drawing.text(left + 2, y + 1.1, f"{wire.cable}: {wire.terminal}", 3.1)


def _draw_other(drawing: Drawing, pin: int, grounds: dict[int, str]) -> None:
    at, y = side(pin), row(pin)
    start, end = MIDDLE + at * 6.6, MIDDLE + at * WIRE
    anchor = "start" if at > 0 else "end"
    if pin in grounds:
        drawing.line(start, y, end, y, 0.6, id=f"ground-{pin}", data_cable=grounds[pin])
        _ground(drawing, end, y)
        drawing.text(end + at * 4, y + 1.1, f"ground of {_cable(grounds[pin])}", 2.9, text_anchor=anchor)
    elif pin in POWER:
        drawing.line(start, y, end - at * 9, y, 0.6)
        use = {1: "OLED", 17: "knob module only", 2: "lamps"}.get(pin, "free")
        drawing.text(end - at * 8, y + 1.1, f"{POWER[pin]}: {use}", 2.9, text_anchor=anchor, font_weight="bold")
    elif pin in ID_PINS:
        drawing.text(start + at * 2, y + 1.0, "leave free", 2.7, text_anchor=anchor, fill=GREY)


def _cable(name: str) -> str:
    return name.upper() if name in CABLES and name not in ("OLED", "buzzer", "knob") else name


def _ground(drawing: Drawing, x: float, y: float) -> None:
    for index, half in enumerate((2.4, 1.5, 0.6)):
        across = x + index * 0.9 * (1 if x > MIDDLE else -1)
        drawing.line(across, y - half, across, y + half, 0.5)


def ground_below(drawing: Drawing, x: float, y: float) -> None:
    """Draw the sign of ground at the lower end of a wire."""
    for index, half in enumerate((2.4, 1.5, 0.6)):
        drawing.line(x - half, y + index * 0.9, x + half, y + index * 0.9, 0.5)


def _runs(wires: list[Connection], grounds: dict[int, str], at: int) -> Iterator[tuple[str, int, int]]:
    """Give the stretches of one side that belong to one cable: its name, first and last pin."""
    belongs = {wire.pin: wire.cable for wire in wires} | grounds
    pins = [pin for pin in PINS if side(pin) == at]
    begin = last = None
    for pin in [*pins, 0]:
        cable = belongs.get(pin)
        if begin and cable != belongs.get(begin):
            yield belongs[begin], begin, last or begin
            begin = None
        if cable and begin is None:
            begin = pin
        last = pin


def _draw_braces(drawing: Drawing, wires: list[Connection], grounds: dict[int, str]) -> None:
    """Draw beside the tags which of them go into one cable."""
    for at in (-1, 1):
        x = MIDDLE + at * (WIRE + TAG + 2)
        for cable, first, last in _runs(wires, grounds, at):
            top, bottom = row(first) - 3.2, row(last) + 3.2
            drawing.chain((x, top), (x + at * 1.6, top), (x + at * 1.6, bottom), (x, bottom), pen=0.4)
            middle = (top + bottom) / 2
            drawing.push(f"translate({x + at * 5.2:.2f} {middle:.2f}) rotate(-90)")
            words = _cable(cable) if first != last or cable not in set(Colour) else Colour(cable).short
            drawing.text(0, 0.6, words, 2.9 if first != last else 2.4, text_anchor="middle", font_weight="bold")
            drawing.pop()


def _title(drawing: Drawing, x: float, y: float, words: str) -> None:
    drawing.text(x, y, words, 3.6, font_weight="bold")
    drawing.line(x, y + 1.4, x + 52, y + 1.4, 0.3)


def _draw_button_cable(drawing: Drawing, x: float, y: float) -> None:
    """Draw one player's five wires with the four switches."""
    _title(drawing, x, y, "A player's cable: five wires")
    for index, role in enumerate(FACES):
        at = y + 14 + index * 17
        drawing.text(x, at - 1.2, role, 2.9)
        drawing.line(x, at, x + 18, at, 0.6)
        drawing.circle(x + 19, at, 1.0, 0.5)
        drawing.line(x + 19.8, at - 0.7, x + 29, at - 4.2, 0.6)
        drawing.circle(x + 29, at, 1.0, 0.5)
        drawing.text(x + 18.4, at + 4.4, "NO", 2.5, text_anchor="middle")
        drawing.text(x + 29.6, at + 4.4, "COM", 2.5, text_anchor="middle")
        draw_symbol(drawing, role, x + 24, at - 8.0, 5.4)
        drawing.line(x + 30, at, x + 40, at, 0.6)
        drawing.dot(x + 40, at)
    drawing.line(x + 40, y + 14, x + 40, y + 77, 0.6)
    ground_below(drawing, x + 40, y + 77)
    drawing.text(x, y + 79, "fifth wire: ground", 2.9)
    drawing.line(x + 27.5, y + 77, x + 40, y + 77, 0.6)
    drawing.block(x, y + 86, [
        "NC of a microswitch stays free. A button",
        "with two tabs has no NC: either way round.",
        "One ground wire goes from button to button.",
    ], 2.7)  # fmt: skip


def _draw_lamps(drawing: Drawing, x: float, y: float) -> None:
    _title(drawing, x, y, "Lamps in buttons (if any)")
    drawing.text(x, y + 8.9, "pin 2: 5 V", 2.9)
    drawing.line(x + 16, y + 8, x + 21, y + 8, 0.6)
    drawing.rect(x + 21, y + 6.5, 9, 3, 0.5)
    drawing.text(x + 25.5, y + 5.3, "fuse 1 A", 2.5, text_anchor="middle")
    drawing.line(x + 30, y + 8, x + 46, y + 8, 0.6)
    for at in (36, 46):
        drawing.line(x + at, y + 8, x + at, y + 12, 0.6)
        drawing.path(f"M{x + at - 2.4} {y + 12} h4.8 l-2.4 4 Z M{x + at - 2.4} {y + 16} h4.8", 0.5)
        drawing.line(x + at, y + 16, x + at, y + 20, 0.6)
        drawing.dot(x + at, y + 8)
    drawing.text(x + 41, y + 14.5, "…", 4, text_anchor="middle")
    drawing.line(x + 36, y + 20, x + 46, y + 20, 0.6)
    drawing.line(x + 41, y + 20, x + 41, y + 22, 0.6)
    ground_below(drawing, x + 41, y + 22)
    drawing.block(x, y + 29, [
        "For lamps with a resistor for 5 V inside.",
        "Their two tabs are apart from the switch's;",
        "5 V must not reach NO or COM. More than",
        "1 A: a supply of its own, grounds joined.",
    ], 2.7)  # fmt: skip


def _terminals(drawing: Drawing, x: float, y: float, rows: list[tuple[str, str]]) -> None:
    """Draw a device's terminals with the pin each goes to."""
    for index, (name, goes_to) in enumerate(rows):
        at = y + index * 7
        drawing.line(x, at, x + 17, at, 0.6)
        drawing.text(x, at - 0.9, goes_to, 2.7)
        drawing.circle(x + 18, at, 1.0, 0.5)
        drawing.text(x + 21, at + 1.1, name, 3.1)
    drawing.rect(x + 15, y - 4.5, 26, len(rows) * 7 + 2, 0.5, rx=1.0)


def _draw_display(drawing: Drawing, x: float, y: float, goes_to: dict[str, str]) -> None:
    _title(drawing, x, y, "OLED on I2C")
    rows = [
        ("GND", goes_to["OLED ground"]),
        ("VCC", "pin 1"),
        ("SCL", goes_to["i2c_scl"]),
        ("SDA", goes_to["i2c_sda"]),
    ]
    _terminals(drawing, x, y + 10, rows)
    drawing.block(x, y + 41, ["Makers differ in the order: go by the", "print on the module, not by position."], 2.7)


def _draw_knob(drawing: Drawing, x: float, y: float, goes_to: dict[str, str]) -> None:
    _title(drawing, x, y, "Rotary knob with push")
    rows = [
        ("A (CLK)", goes_to["knob_a"]),
        ("C, GND", goes_to["knob ground"]),
        ("B (DT)", goes_to["knob_b"]),
        ("switch", goes_to["knob_push"]),
        ("switch", goes_to["knob ground"]),
    ]
    _terminals(drawing, x, y + 10, rows)
    drawing.block(x, y + 48, [
        "A module with a + pin: pin 17 (3.3 V).",
        "Turns the wrong way: swap A and B.",
    ], 2.7)  # fmt: skip


def _draw_buzzer(drawing: Drawing, x: float, y: float, goes_to: dict[str, str]) -> None:
    _title(drawing, x, y, "Buzzer: passive piezo")
    drawing.text(x, y + 10.1, goes_to["buzzer"], 2.7)
    drawing.line(x, y + 11, x + 10, y + 11, 0.6)
    drawing.rect(x + 10, y + 9.4, 10, 3.2, 0.5)
    drawing.text(x + 15, y + 8.2, "330 Ω", 2.7, text_anchor="middle")
    drawing.line(x + 20, y + 11, x + 30, y + 11, 0.6)
    drawing.circle(x + 35, y + 14.5, 6, 0.5)
    drawing.text(x + 35, y + 15.6, "piezo", 2.7, text_anchor="middle")
    drawing.line(x, y + 18, x + 30, y + 18, 0.6)
    drawing.text(x, y + 17.1, goes_to["buzzer ground"], 2.7)
    drawing.block(x, y + 27, [
        "A magnetic buzzer needs a transistor:",
        "see the header board.",
    ], 2.7)  # fmt: skip
