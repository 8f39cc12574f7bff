"""Picos that are plugged in with nothing but their boot loader: no serial port is theirs. Opens and writes nothing.

A chip that was switched on with BOOTSEL held, or that has no program at all, shows a small drive by USB instead (RP2040
datasheet, 2.8 Bootrom; RP2350 datasheet, chapter 5 Bootrom).
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

DEVICES = Path("/sys/bus/usb/devices")
VENDOR = "2e8a"
"""Raspberry Pi's; below, the numbers that their boot loaders have."""


class Bootloader(NamedTuple):
    """A chip in its boot loader. drive: the label of its file system."""

    chip: str
    drive: str

    @property
    def says(self) -> str:
        """Say what it is and what makes a pod of it."""
        place = f"/dev/disk/by-label/{self.drive}"
        return (
            f"a {self.chip} is plugged in with its boot loader alone (the drive {self.drive}). Is MicroPython on it "
            "already: unplug it and plug it in again without holding BOOTSEL. Else copy the .uf2 of its board from "
            f"micropython.org onto that drive (sudo mount {place} /mnt; sudo cp FILE.uf2 /mnt; sudo umount /mnt); it "
            "restarts by itself, then: companion pods install"
        )


BOOTLOADERS = {"0003": Bootloader("RP2040", "RPI-RP2"), "000f": Bootloader("RP2350", "RP2350")}


def find_bootloaders(folder: Path = DEVICES) -> list[Bootloader]:
    """Give the chips whose boot loader is plugged in, in the order of their ports."""
    if not folder.is_dir():
        return []
    devices = sorted(folder.iterdir())
    products = [_read(device / "idProduct") for device in devices if _read(device / "idVendor") == VENDOR]
    return [BOOTLOADERS[product] for product in products if product in BOOTLOADERS]


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii", errors="replace").strip().lower()
    except OSError:  # interfaces and hubs' ports have none; a device may go meanwhile
        return ""
