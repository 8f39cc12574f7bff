"""Facts of this machine that a report and an examination need: system, memory, supply, the speed of its I2C bus.

Nothing here names a person, a network or this very machine: no host name, no serial number, no address. What cannot be
read is None. Tests give their own root.
"""

from __future__ import annotations

import platform
import re
import struct
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from companion.adapters.machine.board import this_board

if TYPE_CHECKING:
    from collections.abc import Iterator

WORD = re.compile(r"[A-Za-z0-9 .,+~/_()-]{1,80}")
"""What a fact may consist of; anything else is no fact that this program knows how to pass on."""
THROTTLED = {
    0: "under-voltage now", 1: "frequency capped now", 2: "throttled now", 3: "temperature limit now",
    16: "under-voltage since the start", 17: "frequency capped since the start", 18: "throttled since the start",
    19: "temperature limit since the start",
}  # fmt: skip
"""Bits of the firmware's `get_throttled` (Raspberry Pi documentation, vcgencmd)."""


class Facts(msgspec.Struct, frozen=True):
    """What a machine is like.

    model: the Pi's, empty where nothing tells it. system: id and version of the distribution ("debian 13"). power: what
    the firmware or the kernel has noticed of the supply, empty where all was well, None where neither can tell.
    i2c_hz: of the header's bus.
    """

    model: str
    architecture: str
    kernel: str
    system: str | None
    memory_mb: int | None
    clock: str | None
    power: tuple[str, ...] | None
    i2c_hz: int | None


def facts(root: Path = Path("/")) -> Facts:
    """Look at this machine."""
    board = this_board(root / "proc")
    return Facts(
        model=plain(board.model) or "",
        architecture=plain(platform.machine()) or "",
        kernel=plain(board.kernel) or "",
        system=system(root / "etc/os-release"),
        memory_mb=memory_mb(root / "proc/meminfo"),
        clock=plain(text(root / "sys/devices/system/clocksource/clocksource0/current_clocksource")),
        power=power(root / "sys"),
        i2c_hz=i2c_hz(root / "sys"),
    )


def i2c_hz(sys: Path = Path("/sys"), bus: int = 1) -> int | None:
    """Give the speed of an I2C bus as the device tree sets it, None where it says nothing (then it is 100 kHz).

    It is one cell, a big-endian number (Devicetree Specification, 2.2.4; bindings/i2c, clock-frequency).
    """
    try:
        return int(struct.unpack(">I", (sys / f"class/i2c-adapter/i2c-{bus}/of_node/clock-frequency").read_bytes())[0])
    except (OSError, struct.error):
        return None


def power(sys: Path) -> tuple[str, ...] | None:
    """Say what was noticed of the supply: by the firmware, or by the kernel's `rpi_volt`."""
    for path in sorted(sys.glob("devices/platform/soc*/soc*:firmware/get_throttled")):
        told = text(path)
        if told is not None and re.fullmatch(r"(0x)?[0-9a-fA-F]{1,8}", told):
            return tuple(words for bit, words in THROTTLED.items() if int(told, 16) >> bit & 1)
    for folder in sorted(sys.glob("class/hwmon/hwmon*")):
        if text(folder / "name") == "rpi_volt":
            alarm = text(folder / "in0_lcrit_alarm")
            return None if alarm is None else (THROTTLED[0],) if alarm == "1" else ()
    return None


def system(path: Path) -> str | None:
    """Give the distribution and its version, by the words that are meant for programs (os-release(5))."""
    told = dict(_assignments(text(path) or ""))
    return plain(" ".join(word for word in (told.get("ID"), told.get("VERSION_ID")) if word))


def memory_mb(path: Path) -> int | None:
    """Give the memory that there is for programs."""
    found = re.search(r"^MemTotal: +([0-9]+) kB$", text(path) or "", re.MULTILINE)
    return int(found[1]) // 1024 if found else None


def plain(told: str | None) -> str | None:
    """Give a fact, None where there is none or it is not made of plain letters."""
    return told if told and WORD.fullmatch(told) else None


def text(path: Path) -> str | None:
    """Give what stands in a file of the kernel's, None where it cannot be read."""
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip("\0 \n")
    except OSError:
        return None


def _assignments(told: str) -> Iterator[tuple[str, str]]:
    for line in told.splitlines():
        name, sign, value = line.partition("=")
        if sign:
            yield name, value.strip("\"'")
