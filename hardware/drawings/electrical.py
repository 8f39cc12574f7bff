"""The sums behind electrical.md: delays of filters, rise times, currents. Datasheet values in, milliamperes and µs out.

Nothing here decides a press's time; these are engineering estimates, so floats are in order.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log

SUPPLY_V = 3.3
STATED_US = 20.0
"""What the box states for GPIO by default: a press's time is right within ± this much."""


@dataclass(frozen=True)
class InputKind:
    """What reads a line: any voltage from `low_v` to `high_v` may be where it switches on a falling edge."""

    name: str
    low_v: float
    high_v: float


PI_3 = InputKind("Pi Zero 2 W, 3 (BCM2837)", 0.9, 1.6)
PI_4 = InputKind("Pi 4 (BCM2711)", 0.8, 2.0)
HC14 = InputKind("74HC14 at 3 V", 0.5, 1.4)
INPUTS = (PI_3, PI_4, HC14)


@dataclass(frozen=True)
class Filter:
    """A series resistor and a capacitor to ground behind it, with their tolerances (0.05 is ± 5 %)."""

    ohms: float
    farads: float
    ohms_tolerance: float = 0.05
    farads_tolerance: float = 0.10


def press_delay_us(part: Filter, reads: InputKind) -> tuple[float, float]:
    """Give the shortest and the longest time from a contact's closing to the input's switching, in µs.

    The capacitor is full at 3.3 V and empties through the resistor and the closed contact.
    """
    tau = part.ohms * part.farads * 1e6
    small = (1 - part.ohms_tolerance) * (1 - part.farads_tolerance)
    large = (1 + part.ohms_tolerance) * (1 + part.farads_tolerance)
    return tau * small * log(SUPPLY_V / reads.high_v), tau * large * log(SUPPLY_V / reads.low_v)


def unfairness_us(part: Filter, reads: InputKind) -> float:
    """Half of what two such inputs may differ by, in µs: what the filter adds to the stated error."""
    shortest, longest = press_delay_us(part, reads)
    return (longest - shortest) / 2


def release_us(pull_up_ohms: float, part: Filter) -> float:
    """Give the time from a contact's opening until the line is at 70 % again, nominal, in µs."""
    return (pull_up_ohms + part.ohms) * part.farads * 1e6 * log(1 / 0.3)


def rise_ns(ohms: float, farads: float) -> float:
    """Give an I2C line's rise from 30 % to 70 %, in ns (NXP UM10204, 7.1: 0.8473 R C)."""
    return 0.8473 * ohms * farads * 1e9


def crosstalk_v(coupling_pf: float, to_ground_pf: float) -> float:
    """Give how far a neighbour's falling edge pulls an open line down, in V: two capacitors share the step."""
    return SUPPLY_V * coupling_pf / (coupling_pf + to_ground_pf)


def parallel(*ohms: float) -> float:
    """Give the resistance of resistors side by side."""
    return 1 / sum(1 / each for each in ohms)


FILTERS = {
    "1 kΩ, 1 nF (the header board)": Filter(1e3, 1e-9),
    "1 kΩ, 10 nF": Filter(1e3, 10e-9),
    "1 kΩ, 22 nF": Filter(1e3, 22e-9),
    "1 kΩ, 100 nF": Filter(1e3, 100e-9),
    "10 kΩ, 100 nF (often seen)": Filter(10e3, 100e-9),
}
CABLE_PF_PER_M = 100.0
"""Ribbon or twisted wires, each to its neighbours; NXP and Freescale notes reckon 50 to 100."""
I2C_DEVICES_PF = 45.0
"""Pins and traces of Pi and module 15, the header board's ESD array 30 (Littelfuse SP05: 30 typical)."""


def two_digits(value: float) -> str:
    """Write a number with two significant digits, without an exponent."""
    return f"{float(f'{value:.2g}'):,g}"


def filter_table() -> list[str]:
    """Give what filters do to a press's time, as lines of Markdown."""
    lines = [
        "| series R, C behind it | late by, Pi Zero 2 W and 3 | Pi 4 | 74HC14 at 3 V | adds to ± error | `error_us` |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for name, part in FILTERS.items():
        spans = [press_delay_us(part, reads) for reads in INPUTS]
        worst = max(unfairness_us(part, reads) for reads in INPUTS)
        enough = worst <= 1.0
        needed = "20" if enough else f"{STATED_US + worst:.0f}"
        cells = [
            name,
            *(f"{two_digits(low)} to {two_digits(high)} µs" for low, high in spans),
            f"{two_digits(worst)} µs",
            needed,
        ]
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def cable_table() -> list[str]:
    """Give how deep a neighbour's edge cuts into an open line, as lines of Markdown."""
    lines = ["| cable | without capacitor | with 1 nF |", "| --- | --- | --- |"]
    for metres in (0.3, 1.0, 2.0, 5.0):
        coupling = CABLE_PF_PER_M / 2 * metres
        ground = CABLE_PF_PER_M / 2 * metres + 10
        bare, calm = crosstalk_v(coupling, ground), crosstalk_v(coupling, ground + 1000)
        lines.append(f"| {metres:g} m | {bare:.1f} V | {calm:.2f} V |")
    return lines


def i2c_table() -> list[str]:
    """Give the I2C lines' rise for lengths of cable, as lines of Markdown."""
    lines = [
        "| cable | capacitance | rise, 1.8 kΩ of the Pi | with 4.7 kΩ on the module too |",
        "| --- | --- | --- | --- |",
    ]
    for metres in (0.1, 0.3, 0.5, 1.0, 1.5):
        farads = (I2C_DEVICES_PF + CABLE_PF_PER_M * metres) * 1e-12
        alone, both = rise_ns(1800, farads), rise_ns(parallel(1800, 4700), farads)
        lines.append(f"| {metres:g} m | {farads * 1e12:.0f} pF | {alone:.0f} ns | {both:.0f} ns |")
    return lines


BOARDS_MA = {"Pi Zero 2 W": (350, 2000), "Pi 3B": (400, 2500), "Pi 3B+": (500, 2500), "Pi 4B": (600, 3000)}
"""Typical bare-board current and recommended supply (Raspberry Pi documentation, "Power supply")."""
PI_5_MA = (800, 5000)
"""Recommended supply 5 A. Its own current is an assumption: no published figure was at hand."""
LAMP_MA = 20
DISPLAY_MA = 60
BUZZER_MA = 30
PULL_UP_MA = 3.3 / 10


def power_table() -> list[str]:
    """Give the power budget at 5 V, as lines of Markdown."""
    lines = [
        "| board | board alone | display, buzzer, pull-ups | with 20 lamps of 20 mA | supply to buy |",
        "| --- | --- | --- | --- | --- |",
    ]
    small = DISPLAY_MA + BUZZER_MA + round(20 * PULL_UP_MA)
    for name, (alone, supply) in {**BOARDS_MA, "Pi 5": PI_5_MA}.items():
        total = alone + small
        lamps = total + 20 * LAMP_MA
        lines.append(f"| {name} | {alone} mA | {total} mA | {lamps} mA | {supply / 1000:g} A |")
    return lines


@dataclass(frozen=True)
class Fuse:
    """A resettable fuse: what it holds and what trips it, in A at 20 °C; resistance after soldering at most, in ohm."""

    name: str
    hold_a: float
    trip_a: float
    most_ohms: float


SMALL = Fuse("1206L020", 0.2, 0.42, 3.5)
"""Its resistance is that of the 0805L020, the next smaller size: an upper estimate, as its own was not at hand."""
LARGE = Fuse("1206L110TH", 1.1, 2.2, 0.21)
FUSED = {
    "knob, 3.3 V": (SMALL, 2 * PULL_UP_MA / 1000, 3.3),
    "display, 3.3 V": (SMALL, DISPLAY_MA / 1000, 3.3),
    "buzzer, 5 V": (SMALL, BUZZER_MA / 1000, 5.0),
    "lamps, 5 V": (LARGE, 20 * LAMP_MA / 1000, 5.0),
}
"""Each supply that leaves the board: its fuse, the current in use in A, its voltage."""


def fuse_table() -> list[str]:
    """Give what each fuse carries, holds and loses, as lines of Markdown."""
    lines = ["| supply | in use | fuse | holds | trips at | drop at most |", "| --- | --- | --- | --- | --- | --- |"]
    for name, (fuse, amps, volts) in FUSED.items():
        drop = amps * fuse.most_ohms
        lines.append(
            f"| {name} | {amps * 1000:.0f} mA | {fuse.name} | {fuse.hold_a:g} A | {fuse.trip_a:g} A |"
            f" {two_digits(drop * 1000)} mV of {volts:g} V |"
        )
    return lines


TABLES = {"fuses": fuse_table, "filters": filter_table, "cables": cable_table, "i2c": i2c_table, "power": power_table}


def fill_in(page: str) -> str:
    """Put the tables into a page between `<!-- table: NAME -->` and `<!-- end -->`. Raises KeyError: no such table."""
    out, skipping = [], False
    for line in page.splitlines():
        if line == "<!-- end -->":
            skipping = False
        if not skipping:
            out.append(line)
        if line.startswith("<!-- table: "):
            name = line.removeprefix("<!-- table: ").removesuffix(" -->")
            out += ["", *TABLES[name](), ""]
            skipping = True
    return "\n".join(out) + "\n"
