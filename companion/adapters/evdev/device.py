"""One event file, open: its clock set to CLOCK_MONOTONIC, its levels known, its events read. By python-evdev.

A device with a use is grabbed (EVIOCGRAB), so that it types nowhere else. That waits until none of its keys is down:
whoever else listens would never hear that it was let go, and repeat it for ever.

What is not wanted of a device is masked out in the kernel (EVIOCSMASK): a mouse that is moved wakes nobody.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import struct
import time
from typing import TYPE_CHECKING, Any

from companion.adapters.evdev.codes import EV_ABS, EV_KEY, MOST_AXES, Key
from companion.adapters.evdev.decoder import Decoder, KeyEdge, Span
from companion.core.words.texts import text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.adapters.evdev.identity import Node

EVIOCSCLOCKID = 0x400445A0
EVIOCSMASK = 0x40104593
EV_REL, EV_MSC = 0x02, 0x04
MASKED = {EV_REL: 0x10, EV_MSC: 0x08, EV_ABS: 0x40}
"""Event types that may be masked, and how many codes each has."""
TAKEN = text("another program has taken {device}: {error}")
MOST_READS = 32
"""A kernel's queue holds less; a device that floods may not hold up the others."""


class Device:
    """An open device. Raises OSError where it cannot be opened, ImportError where python-evdev is missing.

    has_more: it was not read to the end.
    """

    def __init__(self, node: Node, press_percent: int) -> None:
        from evdev import InputDevice  # noqa: PLC0415  # takes 3 MB, which boxes without such devices save

        self.node = node
        self._device = InputDevice(str(node.path))
        self.is_grabbed = self.has_more = False
        self._heard: frozenset[int] | None = None  # axes that the kernel tells of; None: it was not asked yet
        try:
            fcntl.ioctl(self._device.fd, EVIOCSCLOCKID, struct.pack("i", time.CLOCK_MONOTONIC))
            axes: Any = self._device.capabilities(absinfo=True).get(EV_ABS, [])  # pairs, whatever its types say
            spans = {code: Span(info.min, info.max, info.value) for code, info in axes}
            self.decoder = Decoder(spans, press_percent)
            self._axes = [code for code in spans if code < MOST_AXES]
            self.restate()
        except BaseException:
            self._device.close()
            raise

    def fileno(self) -> int:
        """Give the descriptor that becomes readable."""
        return int(self._device.fd)

    @property
    def is_there(self) -> bool:
        """Tell whether its file is still its own: numbers are given to the next device that comes."""
        try:
            return os.path.samestat(os.fstat(self._device.fd), self.node.path.stat())
        except OSError:
            return False

    def hear(self, axes: Iterable[int] | None) -> None:
        """Have the kernel keep back movements, but those of `axes`; None: of all sticks, triggers and hats."""
        wanted = frozenset(self._axes if axes is None else axes)
        if wanted == self._heard:
            return
        self._heard = wanted
        for kind, count in MASKED.items():
            bits = bytearray(count // 8)
            for code in wanted if kind == EV_ABS else ():
                bits[code // 8] |= 1 << code % 8
            self._mask(kind, bytes(bits))

    def _mask(self, kind: int, bits: bytes) -> None:
        codes = ctypes.create_string_buffer(bits, len(bits))
        try:
            fcntl.ioctl(self._device.fd, EVIOCSMASK, struct.pack("=IIQ", kind, len(bits), ctypes.addressof(codes)))
        except OSError:  # before Linux 4.4: only costs the machine a little more
            return

    def grab(self, wanted: bool) -> str | None:
        """Have it to oneself, or give it back; where it cannot be had yet, that is tried at the next call.

        Gives a sentence where another program has it, None else.
        """
        if wanted == self.is_grabbed or (wanted and any(key.sign == 0 for key in self.decoder.active)):
            return None
        try:
            (self._device.grab if wanted else self._device.ungrab)()
        except OSError as error:
            return TAKEN.format(device=self.node.identity.title, error=error.strerror) if wanted else None
        self.is_grabbed = wanted
        return None

    def read(self) -> list[KeyEdge]:
        """Give what its keys have done. Raises OSError once it has gone."""
        out: list[KeyEdge] = []
        for _ in range(MOST_READS):
            try:
                raw = [(e.sec, e.usec, e.type, e.code, e.value) for e in self._device.read()]
            except BlockingIOError:
                self.has_more = False
                return out
            out += self.decoder.feed(raw)
        self.has_more = True
        return out

    def restate(self) -> frozenset[Key]:
        """Ask which keys are down and where the axes are; what waits to be read of keys is thrown away by the kernel.

        Raises OSError once it has gone.
        """
        keys = self._device.active_keys() if EV_KEY in self._device.capabilities() else []
        axes = {code: self._device.absinfo(code).value for code in self._axes}
        return frozenset(self.decoder.restate(keys, axes))

    def close(self) -> None:
        """Give it back; may be called again."""
        self._device.close()
