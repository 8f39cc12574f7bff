"""Input devices without a kernel that has any: event files are FIFOs with real `struct input_event`s in them.

python-evdev reads them as it reads a device. What a FIFO cannot answer are the ioctls: those are answered here, one
layer below python-evdev's Python. sysfs is a folder with the same files. `tests/hil` has the same on a real kernel.
"""

from __future__ import annotations

import errno
import fcntl
import os
import struct
import time
from dataclasses import dataclass, field
from pathlib import Path

import evdev.device
import evdev.eventio
import pytest

from companion.adapters.evdev import device as adapter
from companion.adapters.evdev.decoder import EV_SYN, SYN_DROPPED, SYN_REPORT

EVENT = struct.Struct("llHHi")
EV_KEY, EV_ABS = 1, 3
USB, BLUETOOTH = 0x03, 0x05


@dataclass
class FakeDevice:
    """One event file. axes: by code, (low, high, value)."""

    path: Path
    keys: list[int]
    axes: dict[int, tuple[int, int, int]]
    down: set[int] = field(default_factory=set)
    is_grabbed: bool = False
    grabbed_by_others: bool = False
    clock: int | None = None
    masks: dict[int, bytes] = field(default_factory=dict)
    stamp_ns: int = 0

    def send(self, *events: tuple[int, int, int], t_ns: int | None = None) -> None:
        """Write events (type, code, value) and a report, with one stamp."""
        stamp = time.monotonic_ns() if t_ns is None else t_ns
        data = b"".join(
            EVENT.pack(stamp // 10**9, stamp % 10**9 // 1000, *event) for event in (*events, (EV_SYN, 0, 0))
        )
        fd = os.open(self.path, os.O_RDWR | os.O_NONBLOCK)
        try:
            os.write(fd, data)
        finally:
            os.close(fd)

    def raw(self, data: bytes) -> None:
        fd = os.open(self.path, os.O_RDWR | os.O_NONBLOCK)
        try:
            os.write(fd, data)
        finally:
            os.close(fd)

    def key(self, code: int, down: bool, t_ns: int | None = None) -> None:
        """Press or let go of a key, as the kernel tells it: nothing where it is so already."""
        if down != (code in self.down):
            (self.down.add if down else self.down.discard)(code)
            self.send((4, 4, 0x90001), (EV_KEY, code, int(down)), t_ns=t_ns)

    def axis(self, code: int, value: int, t_ns: int | None = None) -> None:
        low, high, _ = self.axes[code]
        self.axes[code] = (low, high, value)
        self.send((EV_ABS, code, value), t_ns=t_ns)

    def drop(self) -> None:
        """The kernel's queue has overflowed."""
        self.send((EV_SYN, SYN_DROPPED, 0))
        self.send((EV_SYN, SYN_REPORT, 0))


class FakeInputs:
    """A folder of event files, and the sysfs that belongs to it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        self.folder, self.sys = tmp_path / "dev" / "input", tmp_path / "sys" / "class" / "input"
        self.folder.mkdir(parents=True)
        self.sys.mkdir(parents=True)
        self.devices: dict[str, FakeDevice] = {}
        self.forbidden: set[str] = set()
        monkeypatch.setattr(evdev.device, "_input", _Answers(self))
        monkeypatch.setattr(fcntl, "ioctl", self._ioctl)
        monkeypatch.setattr(os, "open", self._open)

    def plug(
        self,
        number: int,
        title: str = "Generic USB Switch",
        *,
        keys: list[int] | None = None,
        axes: dict[int, tuple[int, int, int]] | None = None,
        model: tuple[int, int, int] = (USB, 0x1234, 0x0001),
        phys: str = "",
        uniq: str = "",
        interval: str | None = "8ms",
    ) -> FakeDevice:
        """Plug one in."""
        name = f"event{number}"
        interface = self.sys.parents[1] / f"devices/usb1/1-{number}/1-{number}:1.0"
        place = interface / f"0003:{number:04d}/input/input{number}"
        (place / "id").mkdir(parents=True, exist_ok=True)
        if interval is not None:
            (interface / "ep_81").mkdir(exist_ok=True)
            (interface / "bInterfaceNumber").write_text("00\n")
            for key, value in {"type": "Interrupt", "direction": "in", "interval": interval}.items():
                (interface / "ep_81" / key).write_text(f"{value}\n")
        for key, part in zip(("bustype", "vendor", "product"), model, strict=True):
            (place / "id" / key).write_text(f"{part:04x}\n")
        said = {"name": title, "phys": phys or f"usb-0000:01:00.0-1.{number}/input0", "uniq": uniq}
        for key, value in said.items():
            (place / key).write_text(f"{value}\n")
        (self.sys / name).mkdir(exist_ok=True)
        link = self.sys / name / "device"
        link.unlink(missing_ok=True)
        link.symlink_to(place)
        device = FakeDevice(self.folder / name, keys if keys is not None else [304, 305], axes or {})
        self.devices[name] = device
        os.mkfifo(device.path)
        return device

    def pull(self, device: FakeDevice) -> None:
        """Pull it: its file goes."""
        device.path.unlink()
        self.devices.pop(device.path.name)

    def of(self, fd: int) -> FakeDevice:
        path = Path(str(Path(f"/proc/self/fd/{fd}").readlink()).removesuffix(" (deleted)"))
        found = self.devices.get(path.name)
        if found is None:
            raise OSError(errno.ENODEV, os.strerror(errno.ENODEV))
        return found

    def _open(self, path: str, flags: int, *mode: int, **named: int) -> int:
        if not isinstance(path, int) and Path(os.fsdecode(path)).name in self.forbidden:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return _OPEN(path, flags, *mode, **named)

    def _ioctl(self, fd: int, request: int, data: bytes = b"", *more: bool) -> object:
        if request not in (adapter.EVIOCSCLOCKID, adapter.EVIOCSMASK):
            return _IOCTL(fd, request, data, *more)  # somebody else's: a serial port's
        device = self.of(fd)
        if request == adapter.EVIOCSCLOCKID:
            (device.clock,) = struct.unpack("i", data)
        elif request == adapter.EVIOCSMASK:
            kind, size, _ = struct.unpack("=IIQ", data)
            device.masks[kind] = bytes(size)
        return 0


_OPEN, _IOCTL = os.open, fcntl.ioctl


class _Answers:
    """What python-evdev's C module asks of a device."""

    def __init__(self, inputs: FakeInputs) -> None:
        self._inputs = inputs

    def ioctl_devinfo(self, fd: int) -> tuple[object, ...]:
        device = self._inputs.of(fd)
        return 3, 0, 0, 0, device.path.name, "", ""

    def ioctl_EVIOCGVERSION(self, fd: int) -> int:  # noqa: N802
        return 0x10001

    def ioctl_EVIOCGEFFECTS(self, fd: int) -> int:  # noqa: N802
        return 0

    def ioctl_capabilities(self, fd: int) -> dict[int, list[object]]:
        device = self._inputs.of(fd)
        axes: list[object] = [(code, (value, low, high, 0, 0, 0)) for code, (low, high, value) in device.axes.items()]
        return {0: [0, 1, 3], EV_KEY: list(device.keys), **({EV_ABS: axes} if axes else {})}

    def ioctl_EVIOCG_bits(self, fd: int, kind: int) -> list[int]:  # noqa: N802
        """The kernel throws away what is queued of that kind: reading is what does the same to a FIFO."""
        device = self._inputs.of(fd)
        try:
            while os.read(fd, 65_536):
                pass
        except BlockingIOError:
            pass
        return sorted(device.down)

    def ioctl_EVIOCGABS(self, fd: int, code: int) -> tuple[int, ...]:  # noqa: N802
        low, high, value = self._inputs.of(fd).axes[code]
        return value, low, high, 0, 0, 0

    def ioctl_EVIOCGRAB(self, fd: int, flag: int) -> None:  # noqa: N802
        device = self._inputs.of(fd)
        if flag and device.grabbed_by_others:
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
        device.is_grabbed = bool(flag)
