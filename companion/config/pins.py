"""Which GPIO does what: the header's facts, and reading an assignment. Knows no chip and opens nothing.

`hardware/pinmap.toml` is the one place that assigns pins; a `[pins]` table of the configuration takes its place as a
whole, so that a box with fewer buttons just leaves them out.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from companion.config.toml_file import Origins, TomlFile, did_you_mean
from companion.core.errors import Unavailable
from companion.core.panel import BUTTON_BY_LABEL, KNOB_PUSH

if TYPE_CHECKING:
    from collections.abc import Mapping

HEADER_PIN = {
    2: 3, 3: 5, 4: 7, 5: 29, 6: 31, 7: 26, 8: 24, 9: 21, 10: 19, 11: 23, 12: 32, 13: 33, 14: 8, 15: 10, 16: 36, 17: 11,
    18: 12, 19: 35, 20: 38, 21: 40, 22: 15, 23: 16, 24: 18, 25: 22, 26: 37, 27: 13,
}  # fmt: skip
"""GPIO number (as the chip counts, "BCM") to pin of the 40-pin header: the 26 that are free. 0 and 1 are kept for the
identification of add-on boards."""
GROUND_PINS = (6, 9, 14, 20, 25, 30, 34, 39)
HARDWARE_PWM = (12, 13, 18, 19)
"""GPIOs that can sound a tone without the processor's help."""

I2C_KEYS = {"i2c_sda": 2, "i2c_scl": 3}
"""Bus 1 has its pins on the chip; a map may name them and cannot move them."""
KNOB_KEYS = ("knob_a", "knob_b", "knob_push")
BUZZER_KEY = "buzzer"
KEYS = (*BUTTON_BY_LABEL, *KNOB_KEYS, BUZZER_KEY, *I2C_KEYS)
"""What is connected to the header for good."""
CERTIFY_KEY = "certify"
"""The output of `companion certify`: used for minutes, with the box at rest, and so on the buzzer's pin if need be."""


@dataclass(frozen=True)
class PinMap:
    """An assignment: `uses` gives the GPIO number of each key ("red first", "knob_a", …) that is there.

    certify: the GPIO that drives a loop of wire, where a map names one; nothing is connected to it for good.
    """

    uses: Mapping[str, int]
    certify: int | None = None

    @property
    def named(self) -> dict[str, int]:
        """GPIO by key as the table names them, the loop's output too."""
        return dict(self.uses) if self.certify is None else {**self.uses, CERTIFY_KEY: self.certify}

    @property
    def buttons(self) -> dict[str, int]:
        """GPIO by label of the arcade buttons."""
        return {label: self.uses[label] for label in BUTTON_BY_LABEL if label in self.uses}

    @property
    def lines(self) -> dict[str, int]:
        """GPIO by line name of all that is read by edges: the buttons and the knob's push."""
        push = self.uses.get("knob_push")
        return self.buttons if push is None else {**self.buttons, KNOB_PUSH: push}

    @property
    def knob(self) -> tuple[int, int] | None:
        """GPIOs of the knob's A and B, None on a box without a knob."""
        return (self.uses["knob_a"], self.uses["knob_b"]) if "knob_a" in self.uses else None

    @property
    def knob_push(self) -> int | None:
        """GPIO of the knob's push switch, None on a box without one."""
        return self.uses.get("knob_push")

    @property
    def buzzer(self) -> int | None:
        """GPIO of the buzzer, None on a box without one."""
        return self.uses.get(BUZZER_KEY)

    @property
    def loop_output(self) -> int | None:
        """GPIO that drives a loop of wire: the one named for it, else the buzzer's; None on a box with neither."""
        return self.buzzer if self.certify is None else self.certify


def built_in() -> PinMap:
    """Read `hardware/pinmap.toml`, from the checkout or from the installed package."""
    file = _built_in_file()
    return parse_pins(file.table["pins"], Origins(file))


@lru_cache(maxsize=1)
def built_in_channels() -> Mapping[str, int]:
    """Give the outputs of the expander of lamps and motors, by key ("red lamp"), as `hardware/pinmap.toml` has them."""
    return MappingProxyType(dict(_built_in_file().table["expander"]))


@lru_cache(maxsize=1)
def built_in_button_lamps() -> Mapping[str, int]:
    """Give the output of each button's lamp, by the button's label, as `hardware/pinmap.toml` has them."""
    return MappingProxyType(dict(_built_in_file().table["lamps"]))


def _built_in_file() -> TomlFile:
    for candidate in (
        resources.files("companion") / "pinmap.toml",
        Path(__file__).parents[2] / "hardware" / "pinmap.toml",
    ):
        if isinstance(candidate, Path) and candidate.is_file():
            return TomlFile(candidate)
    raise Unavailable("pinmap.toml is missing from this installation; install table-companion again")


def parse_pins(table: Mapping[str, Any], origins: Origins) -> PinMap:
    """Check a `[pins]` table. Raises Malformed: an unknown use, not a free GPIO of the header, one used twice."""
    uses: dict[str, int] = {}
    for name, gpio in table.items():
        key = ("pins", name)
        if name not in (*KEYS, CERTIFY_KEY):
            raise origins.wrong(key, f"there is nothing of this name to connect; {did_you_mean(name, KEYS)}")
        _check_gpio(name, gpio, origins)
        for other, taken in uses.items():
            if taken == gpio and {name, other} != {CERTIFY_KEY, BUZZER_KEY}:
                where = origins.place(("pins", other))
                raise origins.wrong(key, f'GPIO {gpio} is already used by "{other}" ({where}); one use a pin', gpio)
        uses[name] = gpio
    if ("knob_a" in uses) != ("knob_b" in uses):
        given, missing = ("knob_a", "knob_b") if "knob_a" in uses else ("knob_b", "knob_a")
        raise origins.wrong(("pins", given), f"a knob needs {missing} too; give both or neither")
    certify = uses.pop(CERTIFY_KEY, None)
    return PinMap(uses, certify)


def _check_gpio(name: str, gpio: object, origins: Origins) -> None:
    key = ("pins", name)
    if type(gpio) is not int:
        raise origins.wrong(key, "must be a GPIO number from 2 to 27, without quotes", gpio)
    if gpio in (0, 1):
        raise origins.wrong(key, "GPIO 0 and 1 are kept for the identification of add-on boards; use 2 to 27", gpio)
    if gpio not in HEADER_PIN:
        raise origins.wrong(key, "not on the header: GPIO numbers go from 2 to 27 (not the header's pin numbers)", gpio)
    fixed = I2C_KEYS.get(name, gpio)
    if gpio != fixed:
        raise origins.wrong(key, f"the chip has this wire of I2C bus 1 on GPIO {fixed}; it cannot be moved", gpio)
