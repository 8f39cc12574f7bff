"""Which input device is which: its model, and the place or number that tells it from another of the same model.

Read from sysfs, which everybody may read: a device that may not be opened is named all the same. One box with several
event files (a keyboard with media keys) is one device: it has one serial number, or hangs at one port.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

INPUT = Path("/dev/input")
SYS = Path("/sys/class/input")
BUSES = {0x03: "usb", 0x05: "bluetooth", 0x06: "virtual", 0x11: "ps2", 0x18: "i2c", 0x19: "host"}
"""`linux/input.h`, BUS_*; others go by their number."""
_EVENT = re.compile(r"event(\d+)")
_INTERFACE = re.compile(r"/input\d+$")
_INTERVAL = re.compile(r"(\d+)([mu])s")
_UNITS_NS = {"m": 1_000_000, "u": 1_000}


class Identity(NamedTuple):
    """What a device says of itself. title: its name for people. phys: the port it hangs at. uniq: its serial number, or
    its Bluetooth address; empty where it has none."""

    bus: str
    vendor: int
    product: int
    title: str
    phys: str = ""
    uniq: str = ""

    @property
    def model(self) -> str:
        """All devices that are built alike and connected alike: "usb 045e:0b0a"."""
        return f"{self.bus} {self.vendor:04x}:{self.product:04x}"

    @property
    def by_port(self) -> str:
        """This device by where it is plugged in; two of a model without serial numbers are told apart by nothing else.

        A Bluetooth device has no port: what it gives as one is the address of this machine.
        """
        return f"{self.model} at {_INTERFACE.sub('', self.phys) or 'nowhere'}"

    @property
    def by_number(self) -> str:
        """This device by its own number, wherever it is plugged in; empty where it has none."""
        return f"{self.model} number {self.uniq}" if self.uniq.strip("0 ") else ""

    @property
    def keys(self) -> tuple[str, ...]:
        """What an assignment may know it by, the most special first: whoever named a port means that port."""
        return tuple(key for key in (self.by_port, self.by_number) if key)


class Node(NamedTuple):
    """An event file and the device behind it. polling_ns: how often the machine asks it; None where nobody knows."""

    path: Path
    identity: Identity
    polling_ns: int | None


def nodes(folder: Path = INPUT, sys: Path = SYS) -> list[Node]:
    """Give the event files that are there, by their numbers; none where the kernel knows no input device."""
    try:
        names = [path.name for path in folder.iterdir()]
    except OSError:
        return []
    numbers = sorted(int(found[1]) for name in names if (found := _EVENT.fullmatch(name)))
    found_nodes = (node_of(folder / f"event{number}", sys) for number in numbers)
    return [node for node in found_nodes if node is not None]


def node_of(path: Path, sys: Path = SYS) -> Node | None:
    """Give the node of an event file (a link to one does as well); None where sysfs says nothing of it by now."""
    device = sys / path.resolve().name / "device"
    try:
        bus, vendor, product = (int(_text(device / "id" / name), 16) for name in ("bustype", "vendor", "product"))
    except (OSError, ValueError):
        return None
    identity = Identity(
        BUSES.get(bus, f"bus{bus:02x}"), vendor, product,
        _text_or_none(device / "name"), _text_or_none(device / "phys"), _text_or_none(device / "uniq"),
    )  # fmt: skip
    return Node(path, identity, polling_of(device))


def polling_of(device: Path) -> int | None:
    """Give how often the host asks a USB device, from the interval of its interface's interrupt endpoint.

    The kernel has worked it out of `bInterval` and the speed of the bus. Of several endpoints, the slowest.
    """
    try:
        place = device.resolve(strict=True)
    except OSError:
        return None
    interface = next((folder for folder in place.parents if (folder / "bInterfaceNumber").exists()), None)
    if interface is None:
        return None
    intervals = [
        int(found[1]) * _UNITS_NS[found[2]]
        for endpoint in sorted(interface.glob("ep_*"))
        if (_text_or_none(endpoint / "type"), _text_or_none(endpoint / "direction")) == ("Interrupt", "in")
        and (found := _INTERVAL.fullmatch(_text_or_none(endpoint / "interval")))
    ]
    return max(intervals, default=None)


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace").strip()


def _text_or_none(path: Path) -> str:
    """Give what a file says, "" where it is not there."""
    try:
        return _text(path)
    except OSError:
        return ""
