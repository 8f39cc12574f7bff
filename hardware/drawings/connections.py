"""What hangs on each pin of the 40-pin header, from the pin map alone. Table and diagrams are made from this."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.config.pins import GROUND_PINS, HEADER_PIN
from companion.core.panel import BUTTON_BY_LABEL, Button
from hardware.drawings.faces import face_of

if TYPE_CHECKING:
    from companion.config.pins import PinMap

PINS = range(1, 41)
POWER = {1: "3.3 V", 17: "3.3 V", 2: "5 V", 4: "5 V"}
ID_PINS = (27, 28)
"""GPIO 0 and 1: kept for the memory chip of add-on boards."""

CABLES = ("OLED", "red", "buzzer", "yellow", "green", "blue", "purple", "knob")
"""Each has a connector, and a ground pin of its own."""

NAMES = {
    "i2c_sda": ("OLED", "SDA"),
    "i2c_scl": ("OLED", "SCL"),
    "knob_a": ("knob", "A"),
    "knob_b": ("knob", "B"),
    "knob_push": ("knob", "push"),
    "buzzer": ("buzzer", "+"),
}
"""Cable and terminal of all that is no button."""


@dataclass(frozen=True)
class Connection:
    """One wire from the header: `key` is its name in the pin map, `terminal` what it ends on."""

    key: str
    gpio: int
    pin: int
    cable: str
    terminal: str

    @property
    def button(self) -> Button | None:
        """The arcade button, None for knob, buzzer and display."""
        return BUTTON_BY_LABEL.get(self.key)

    @property
    def words(self) -> str:
        """What to write beside it: "RED chief", "OLED SDA"."""
        return f"{self.cable.upper() if self.button else self.cable} {self.terminal}"


def connections(pins: PinMap) -> list[Connection]:
    """Give all wires of a pin map, in the order of the header's pins."""
    found = []
    for key, gpio in pins.uses.items():
        button = BUTTON_BY_LABEL.get(key)
        cable, terminal = (str(button.colour), face_of(button)) if button else NAMES[key]
        found.append(Connection(key, gpio, HEADER_PIN[gpio], cable, terminal))
    return sorted(found, key=lambda wire: wire.pin)


def ground_pins(wires: list[Connection]) -> dict[str, int]:
    """Give each cable the nearest ground pin that is still free, in the order in which the cables leave the header."""
    places: dict[str, list[int]] = {}
    for wire in wires:
        places.setdefault(wire.cable, []).append(wire.pin)
    order = sorted(places, key=lambda cable: sum(places[cable]) / len(places[cable]))
    free = list(GROUND_PINS)
    given = {}
    for index, cable in enumerate(order):
        left_over = len(order) - index - 1
        choice = free[: len(free) - left_over]
        centre = sum(places[cable]) / len(places[cable])
        best = min(choice, key=lambda pin: abs(pin - centre))
        given[cable] = best
        free = free[free.index(best) + 1 :]
    return given


def table(wires: list[Connection]) -> str:
    """Give the connection table as CSV: one row a wire, then the grounds and the supplies."""
    grounds = ground_pins(wires)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["header pin", "GPIO", "cable", "terminal", "name in pinmap.toml", "other end"])
    for wire in wires:
        writer.writerow([wire.pin, wire.gpio, wire.cable, wire.terminal, wire.key, _other_end(wire)])
    for cable, pin in sorted(grounds.items(), key=lambda item: item[1]):
        writer.writerow([pin, "", cable, "ground", "", "common wire of the cable"])
    writer.writerow([1, "", "OLED", "3.3 V", "", "VCC of the display"])
    writer.writerow([17, "", "knob", "3.3 V", "", "only for a knob module with a + pin; never 5 V"])
    writer.writerow([2, "", "LEDs", "5 V", "", "lamps of the buttons, through a 1 A fuse; leave out without lamps"])
    return out.getvalue()


def _other_end(wire: Connection) -> str:
    if wire.button:
        return "switch contact NO; COM to the cable's ground"
    return {
        "i2c_sda": "SDA of the display",
        "i2c_scl": "SCL of the display",
        "knob_a": "outer pin of the encoder; its middle pin to ground",
        "knob_b": "other outer pin of the encoder",
        "knob_push": "switch pin of the knob; its other pin to ground",
        "buzzer": "piezo through 330 ohm; its other wire to ground",
    }[wire.key]
