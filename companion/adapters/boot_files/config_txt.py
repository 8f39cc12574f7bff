"""The text of `config.txt`: what of it holds, and what must be changed so that a box has its pins. Does no I/O.

A line is `key=value`, `#` begins a comment, and `[pi4]` begins lines for that model alone until `[all]`; lines under
`[none]` hold nowhere. A later line wins. `dtparam=` takes several parameters with commas between; one without a value
is switched on. (Raspberry Pi documentation, *config.txt*; overlays' README of raspberrypi/firmware.)

Nothing of a builder's is lost: a line that is taken out becomes a comment, what is new stands at the end, and every
other line stays byte for byte, whatever ends it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FAST_HZ = 400_000
"""I2C's fast mode: a picture of the display takes 25 ms instead of 100."""

LINES = re.compile(r"[^\n]*\n|[^\n]+\Z")
FILTER = re.compile(r"\[([^\]]*)\]")
EVERYWHERE, NOWHERE = "all", "none"
ON = ("on", "yes", "true", "1", "okay", "")
I2C = ("i2c_arm", "i2c", "i2c1")
"""Names of the bus on GPIO 2 and 3: its own, its alias, and the chip's number of it on all models but the first."""
SPEEDS = tuple(f"{name}_baudrate" for name in I2C)
UART = ("uart0", "uart0_console", "uart1")
"""Parameters that put a serial port on GPIO 14 and 15; the first two are how a Pi 5 says `enable_uart`."""
OVERLAYS = (
    "uart0", "uart0-pi5", "uart1", "uart1-pi5", "disable-bt", "pi3-disable-bt", "miniuart-bt", "pi3-miniuart-bt",
)  # fmt: skip
"""Overlays that do the same, unless they are given other pins. A builder has asked for such a one: it is told of."""
OTHER_TAKERS = {"spi": (7, 8, 9, 10, 11), "i2s": (18, 19, 20, 21)}
"""Parameters that give pins to another function, with these GPIOs."""


@dataclass(frozen=True)
class Wanted:
    """What a box needs of the header. i2c: its display, or its lamps, are on bus 1. buttons: GPIOs that it reads."""

    i2c: bool = True
    buttons: frozenset[int] = frozenset()

    @property
    def no_serial(self) -> bool:
        """Tell whether GPIO 14 or 15 is taken, so that no serial port may be there."""
        return bool(self.buttons & {14, 15})


class Setting(NamedTuple):
    """A line that holds. number: of the line, from 1. section: "all", "pi4", …; key and value as they are written."""

    number: int
    section: str
    key: str
    value: str

    @property
    def text(self) -> str:
        """The line without what surrounds it."""
        return f"{self.key}={self.value}"

    @property
    def parameters(self) -> dict[str, str]:
        """What a line of `dtparam` switches, by name; empty for any other line."""
        if self.key not in ("dtparam", "device_tree_param"):
            return {}
        return {name.strip(): value.strip() for name, _, value in (one.partition("=") for one in self.value.split(","))}

    def only_for(self) -> str:
        """Say to which Pis it applies: nothing where to all."""
        return "" if self.section == EVERYWHERE else f" (under [{self.section}])"


class Edited(NamedTuple):
    """A text as it must be. changes: what of it is another than it was, a sentence each. remarks: what is left to the
    builder."""

    text: str
    changes: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


def settings(text: str) -> Iterator[Setting]:
    """Give the lines that hold for some Pi."""
    section = EVERYWHERE
    for number, line in enumerate(LINES.findall(text), start=1):
        bare = line.strip()
        if found := FILTER.match(bare):
            section = found[1].strip().lower()
        elif bare and not bare.startswith("#") and section != NOWHERE:
            key, _, value = bare.partition("=")
            yield Setting(number, section, key.strip(), value.strip())


def edited(text: str, wanted: Wanted) -> Edited:
    """Give the text with all that the box needs; the same text where nothing is missing."""
    lines, changes, added = LINES.findall(text), list[str](), list[str]()
    held = list(settings(text))
    if wanted.no_serial:
        changes += _take_out(lines, held, _is_uart, "GPIO 14 and 15 are buttons")
        if not any(one.text == "enable_uart=0" and one.section == EVERYWHERE for one in held):
            added.append("enable_uart=0")
    if wanted.i2c:
        changes += _take_out(lines, held, _is_i2c_off, "the display needs the bus")
        added += _missing_i2c(held)
    if added:
        _append(lines, added, _section_at_end(text))
        changes += [f'"{line}" belongs at the end' for line in added]
    return Edited("".join(lines), tuple(changes), tuple(_remarks(held, wanted)))


def _is_uart(setting: Setting, name: str, value: str) -> bool:
    if name == "enable_uart" and setting.key == name:
        return value != "0"
    return setting.key != name and name in UART and value.lower() in ON


def _is_i2c_off(setting: Setting, name: str, value: str) -> bool:
    return setting.key != name and name in I2C and value.lower() not in ON


def _take_out(
    lines: list[str], held: list[Setting], is_wrong: Callable[[Setting, str, str], bool], why: str
) -> Iterator[str]:
    """Make comments of lines, or of that part of them, that must not hold; say each."""
    for setting in held:
        parts = setting.parameters or {setting.key: setting.value}
        wrong = [name for name, value in parts.items() if is_wrong(setting, name, value)]
        if not wrong:
            continue
        line = lines[setting.number - 1]
        kept = [one for one in setting.value.split(",") if one.partition("=")[0].strip() not in wrong]
        rest = f"{setting.key}={','.join(kept)}" if setting.parameters and kept else ""
        lines[setting.number - 1] = _commented(line, rest, _usual_ending(lines))
        yield f'line {setting.number}, "{setting.text}"{setting.only_for()}, has to be a comment: {why}'


def _commented(line: str, rest: str, usual: str) -> str:
    """Give a line as a comment, and behind it what of it goes on to hold."""
    if not rest:
        return f"#{line}"
    end = _ending(line)
    return f"#{line if end else line + usual}{rest}{end}"


def _missing_i2c(held: list[Setting]) -> list[str]:
    everywhere = [one for one in held if one.section == EVERYWHERE]
    is_on = any(one.parameters.get(name, "off").lower() in ON for one in everywhere for name in I2C)
    is_set = any(one.section == EVERYWHERE or hz != str(FAST_HZ) for one, hz in _speeds(held))
    parts = [*([] if is_on else ["i2c_arm=on"]), *([] if is_set else [f"i2c_arm_baudrate={FAST_HZ}"])]
    return [f"dtparam={','.join(parts)}"] if parts else []


def _speeds(held: list[Setting]) -> Iterator[tuple[Setting, str]]:
    for one in held:
        yield from ((one, one.parameters[name]) for name in SPEEDS if name in one.parameters)


def _remarks(held: list[Setting], wanted: Wanted) -> Iterator[str]:
    for one, hz in _speeds(held):
        if wanted.i2c and hz != str(FAST_HZ):
            yield (
                f'line {one.number}, "{one.text}"{one.only_for()}, is left as it was set: '
                f"the display's bus is meant for {FAST_HZ}"
            )
    for one in held:
        for name, pins in OTHER_TAKERS.items():
            taken = sorted(wanted.buttons & set(pins))
            if taken and one.parameters.get(name, "off").lower() in ON:
                told = ", ".join(map(str, taken))
                yield f'line {one.number}, "{one.text}"{one.only_for()}, takes GPIO {told} from buttons: take it out'
        overlay, _, rest = one.value.partition(",")
        if wanted.no_serial and one.key == "dtoverlay" and overlay in OVERLAYS and "_pin" not in rest:
            yield (
                f'line {one.number}, "{one.text}"{one.only_for()}, puts a serial port on GPIO 14 and 15, '
                "which are buttons: take it out"
            )


def _section_at_end(text: str) -> str:
    found = [match[1].strip().lower() for line in LINES.findall(text) if (match := FILTER.match(line.strip()))]
    return found[-1] if found else EVERYWHERE


def _append(lines: list[str], added: list[str], section: str) -> None:
    end = _usual_ending(lines)
    if lines and not _ending(lines[-1]):
        lines[-1] += end
    head = ["# The table companion's: the display's bus, and pins that are buttons."]
    lines += [f"{line}{end}" for line in ([""] if lines else []) + head]
    if section != EVERYWHERE:
        lines.append(f"[{EVERYWHERE}]{end}")
    lines += [f"{line}{end}" for line in added]


def _ending(line: str) -> str:
    return line[len(line.rstrip("\r\n")) :]


def _usual_ending(lines: list[str]) -> str:
    return next((end for line in lines if (end := _ending(line))), "\n")
