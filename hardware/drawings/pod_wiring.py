"""The wiring of a pod: a Pico, four buttons, four jacks with their suppressors, four lamps with their transistors.

Made from the firmware's own pins (firmware/pod/pod.json). Each terminal is named by the Pico's pin and its GPIO: the
Pico is drawn as a box, not as it looks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from hardware.drawings.faces import FACES
from hardware.drawings.svg import Drawing
from hardware.drawings.symbols import draw_symbol
from hardware.drawings.wiring import ground_below

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

WIDTH, HEIGHT = 297.0, 210.0
LEFT, RIGHT = 123.0, 168.0
"""The Pico's box."""
TOP, STEP = 62.0, 33.0
SUPPLY = 38.0
"""Where the Pico's 5 V leave it."""
LAMPS_5V = 262.0
SERIES, GATE, PULL_DOWN = "1 kΩ", "100 Ω", "100 kΩ"
SUPPRESSOR, TRANSISTOR, FUSE = "P6KE6.8CA", "AO3400A", "fuse 0.2 A"


class PodPins(NamedTuple):
    """GPIO of each button and each lamp, in the buttons' order."""

    inputs: tuple[int, ...]
    lamps: tuple[int, ...]


def pod_pins(settings: Mapping[str, Sequence[int]]) -> PodPins:
    """Read the pins out of the firmware's settings. Raises ValueError: there are not four of each on the long row."""
    pins = PodPins(tuple(settings["inputs"]), tuple(settings["lamps"]))
    if any(len(row) != len(FACES) or not all(0 <= gpio <= 15 for gpio in row) for row in pins):
        raise ValueError(f"the drawing has four buttons and four lamps on GP0 to GP15, not {pins}")
    return pins


def pico_pin(gpio: int) -> int:
    """Give the pin (1 to 20) at which a Pico has a GPIO (0 to 15): every fifth pin from 3 on is ground."""
    return gpio + 1 + (gpio + 2) // 4


def draw_pod_wiring(pins: PodPins) -> str:
    """Draw the whole sheet, A4 landscape."""
    drawing = Drawing(WIDTH, HEIGHT, "Wiring of a pod")
    drawing.text(7, 11, "Wiring of a pod", 6.0, font_weight="bold")
    drawing.text(7, 18, "Raspberry Pi Pico, Pico W or Pico 2. A switch closes from its pin to ground; a jack is"
                 " wired beside its button.", 3.2)  # fmt: skip
    drawing.text(7, 22.8, "Jacks and lamps may be left out with their parts. Only lamps have 5 V, which may never touch"
                 " a GPIO.", 3.2)  # fmt: skip
    _draw_pico(drawing)
    for row, role in enumerate(FACES):
        y = TOP + row * STEP
        _draw_input(drawing, y, pins.inputs[row], role)
        _draw_lamp(drawing, y, pins.lamps[row], role)
    _draw_supply(drawing)
    drawing.block(7, 191, [
        f"{SUPPRESSOR}: across the two tabs of each jack, wires as short as they go, either way round: it takes what a"
        " hand or a plug brings, 1 kΩ limits the rest.",
        f"{TRANSISTOR}: seen with its single leg up, G is lower left, S lower right, D up; solder it on an adapter."
        f" {PULL_DOWN} keeps the lamp dark while the Pico starts.",
        "Lamps with a resistor for 5 V inside, 20 mA each. The drawn pins are the firmware's own"
        " (firmware/pod/pod.json).",
    ], 2.9)  # fmt: skip
    return drawing.svg()


def _draw_pico(drawing: Drawing) -> None:
    bottom = TOP + 3 * STEP + 12
    drawing.rect(LEFT, SUPPLY - 8, RIGHT - LEFT, bottom - SUPPLY + 8, 0.5, rx=1.5)
    drawing.text((LEFT + RIGHT) / 2, SUPPLY - 2, "Pico", 4.2, text_anchor="middle", font_weight="bold")
    drawing.text((LEFT + RIGHT) / 2, bottom - 2.5, "GND: 3, 8, 13, 38", 2.9, text_anchor="middle")
    drawing.line((LEFT + RIGHT) / 2, bottom, (LEFT + RIGHT) / 2, bottom + 3, 0.6)
    ground_below(drawing, (LEFT + RIGHT) / 2, bottom + 3)


def _terminal(drawing: Drawing, y: float, gpio: int, *, right: bool) -> None:
    x, anchor = (RIGHT - 2, "end") if right else (LEFT + 2, "start")
    drawing.text(x, y + 1.1, f"pin {pico_pin(gpio)}: GP{gpio}", 2.9, text_anchor=anchor, font_weight="bold")


def _resistor(drawing: Drawing, x: float, y: float, words: str) -> None:
    drawing.rect(x, y - 1.5, 11, 3, 0.5)
    drawing.text(x + 5.5, y - 2.6, words, 2.7, text_anchor="middle")


def _draw_input(drawing: Drawing, y: float, gpio: int, role: str) -> None:
    """Draw, from the Pico to the left: resistor, button, suppressor, jack."""
    _terminal(drawing, y, gpio, right=False)
    drawing.line(LEFT, y, 119, y, 0.6, id=f"input-{gpio}")
    _resistor(drawing, 108, y, SERIES)
    drawing.line(108, y, 30, y, 0.6)
    button, guard = 88.0, 52.0
    drawing.dot(button, y)
    drawing.line(button, y, button, y + 4, 0.6)
    drawing.circle(button, y + 5, 1.0, 0.5)
    drawing.line(button + 0.7, y + 12.2, button + 4.4, y + 5.2, 0.6)
    drawing.circle(button, y + 13, 1.0, 0.5)
    drawing.line(button, y + 14, button, y + 17, 0.6)
    ground_below(drawing, button, y + 17)
    draw_symbol(drawing, role, button + 9, y + 9, 5.4)
    drawing.text(button + 14, y + 10, role, 2.9)
    drawing.dot(guard, y)
    drawing.line(guard, y, guard, y + 4, 0.6)
    drawing.path(f"M{guard - 2.2} {y + 4} h4.4 l-2.2 4.2 Z M{guard - 2.2} {y + 12.4} h4.4 l-2.2 -4.2 Z", 0.5)
    drawing.chain((guard - 3, y + 7.4), (guard - 2.4, y + 8.2), (guard + 2.4, y + 8.2), (guard + 3, y + 9), pen=0.5)
    drawing.line(guard, y + 12.4, guard, y + 17, 0.6)
    ground_below(drawing, guard, y + 17)
    drawing.text(guard + 5, y + 9.2, SUPPRESSOR, 2.7)
    drawing.rect(9, y - 4, 21, 21, 0.5, rx=1.0)
    drawing.text(28.5, y + 1, "tip", 2.7, text_anchor="end")
    drawing.text(28.5, y + 14, "sleeve", 2.7, text_anchor="end")
    drawing.text(10.5, y + 7.5, f"jack {role}", 2.7, font_weight="bold")
    drawing.line(30, y + 13, 37, y + 13, 0.6)
    drawing.line(37, y + 13, 37, y + 17, 0.6)
    ground_below(drawing, 37, y + 17)


def _draw_lamp(drawing: Drawing, y: float, gpio: int, role: str) -> None:
    """Draw, from the Pico to the right: gate resistor, pull-down, transistor, lamp."""
    _terminal(drawing, y, gpio, right=True)
    drawing.line(RIGHT, y, 175, y, 0.6, id=f"lamp-{gpio}")
    _resistor(drawing, 175, y, GATE)
    drawing.line(186, y, 208, y, 0.6)
    drawing.dot(196, y)
    drawing.line(196, y, 196, y + 4, 0.6)
    drawing.rect(194.5, y + 4, 3, 9, 0.5)
    drawing.text(193, y + 9.5, PULL_DOWN, 2.7, text_anchor="end")
    drawing.line(196, y + 13, 196, y + 17, 0.6)
    ground_below(drawing, 196, y + 17)
    drawing.line(208, y - 3.2, 208, y + 3.2, 0.6)
    drawing.line(209.6, y - 4, 209.6, y + 4, 0.9)
    drawing.chain((209.6, y - 3), (215, y - 3), (215, y - 10), (226, y - 10), pen=0.6)
    drawing.chain((209.6, y + 3), (215, y + 3), (215, y + 17), pen=0.6)
    ground_below(drawing, 215, y + 17)
    for words, x, down in (("G", 203.5, -1), ("D", 216, -3.4), ("S", 216, 6)):
        drawing.text(x, y + down, words, 2.5)
    drawing.text(220, y + 1.5, TRANSISTOR, 2.9)
    drawing.circle(231, y - 10, 5, 0.5)
    drawing.line(227.5, y - 13.5, 234.5, y - 6.5, 0.4)
    drawing.line(227.5, y - 6.5, 234.5, y - 13.5, 0.4)
    drawing.line(236, y - 10, LAMPS_5V, y - 10, 0.6)
    drawing.dot(LAMPS_5V, y - 10)
    drawing.text(238, y - 6.2, f"lamp {role}", 2.7)


def _draw_supply(drawing: Drawing) -> None:
    drawing.text(RIGHT - 2, SUPPLY + 5.1, "pin 40: VBUS, 5 V", 2.9, text_anchor="end", font_weight="bold")
    y = SUPPLY + 4
    drawing.line(RIGHT, y, 175, y, 0.6)
    _resistor(drawing, 175, y, FUSE)
    drawing.chain((186, y), (LAMPS_5V, y), (LAMPS_5V, TOP + 3 * STEP - 10), pen=0.6)
    drawing.text(LAMPS_5V + 2, y + 1, "5 V", 2.9)
