"""A GPIO chip as libgpiod's C layer shows it: the real Python of `gpiod` runs above it.

It keeps what the kernel keeps and what a reader must live with: a number for each interrupt of a request (of one line:
the line's own instead) and one for each event of a line, a queue of 16 edges for each line (at most 1,024, rounded up
to a power of two) that drops its oldest, interrupts that overwrite one another, biases, active-low, and one holder for
each line.
"""

from __future__ import annotations

import errno
import os
import threading
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import gpiod
from gpiod import _ext

from companion.adapters.gpio import gpiod_chip

if TYPE_CHECKING:
    from collections.abc import Callable


class Clock:
    """The test's own CLOCK_MONOTONIC; every look at it and every edge moves it by `step_ns`."""

    def __init__(self, now_ns: int = 1_000_000_000_000, step_ns: int = 50_000) -> None:
        self.now_ns = now_ns
        self.step_ns = step_ns

    def __call__(self) -> int:
        self.now_ns += self.step_ns
        return self.now_ns


class FakeLineConfig:
    def __init__(self) -> None:
        self.settings: dict[int, dict[str, object]] = {}

    def add_line_settings(self, offsets: list[int], settings: dict[str, object]) -> None:
        self.settings |= dict.fromkeys(offsets, settings)


def fake_line_settings(**settings: object) -> dict[str, object]:
    return settings


class FakeRequest:
    """One request of lines, with the queue of its edges."""

    def __init__(self, chip: FakeChip, config: FakeLineConfig, consumer: str, asked: int | None) -> None:
        self.chip = chip
        self.settings = config.settings
        self.offsets = list(config.settings)
        self.chip_name = chip.name
        self.num_lines = len(self.offsets)
        self.consumer = consumer
        size = min(asked or 16 * self.num_lines, 1024)
        self.capacity = 1 << (size - 1).bit_length()
        self.queue: deque[gpiod.EdgeEvent] = deque()
        self.withheld: list[gpiod.EdgeEvent] = []
        self.numbers = 0
        self.line_numbers = dict.fromkeys(self.offsets, 0)
        self.is_released = False
        self.fd = os.eventfd(0, os.EFD_CLOEXEC)

    def get_values(self, offsets: list[int], values: list[gpiod.line.Value]) -> None:
        self.chip.answer()
        values[:] = [gpiod.line.Value(int(self.is_active(offset))) for offset in offsets]

    def is_active(self, offset: int) -> bool:
        return self.chip.is_high(offset) != bool(self.settings[offset]["active_low"])

    def read_edge_events(self, most: int | None) -> list[gpiod.EdgeEvent]:
        self.chip.answer()
        if not self.queue:
            raise BlockingIOError(errno.EAGAIN, "nothing queued, and the descriptor does not block")
        assert not os.get_blocking(self.fd), "a read on an empty queue would block"
        events = [self.queue.popleft() for _ in range(min(most or 64, len(self.queue)))]
        if not self.queue:
            os.eventfd_read(self.fd)
        return events

    def set_values(self, values: dict[int, gpiod.line.Value]) -> None:
        self.chip.answer()
        for offset, value in values.items():
            self.chip.written.append((offset, value is gpiod.line.Value.ACTIVE))
            self.chip.drive_loop(offset, high=value is gpiod.line.Value.ACTIVE)
        self.chip.news.set()

    def edge(self, offset: int, t_ns: int, *, withhold: bool = False, interrupts: int = 1) -> None:
        self.line_numbers[offset] += 1
        self.numbers = self.numbers + interrupts if self.num_lines > 1 else self.line_numbers[offset]
        kind = _ext.EDGE_EVENT_TYPE_RISING if self.is_active(offset) else _ext.EDGE_EVENT_TYPE_FALLING
        event = gpiod.EdgeEvent(kind, t_ns, offset, self.numbers, self.line_numbers[offset])
        if withhold:
            self.withheld.append(event)
        else:
            self.put(event)

    def put(self, event: gpiod.EdgeEvent) -> None:
        if len(self.queue) == self.capacity:
            self.queue.popleft()
        if not self.queue:
            os.eventfd_write(self.fd, 1)
        self.queue.append(event)

    def deliver_withheld(self) -> None:
        for event in self.withheld:
            self.put(event)
        self.withheld.clear()

    def release(self) -> None:
        if not self.is_released:
            os.close(self.fd)
            self.is_released = True
            self.chip.requests.remove(self)


@dataclass(eq=False)
class FakeChip:
    """A chip's hardware, and the file that stands for it."""

    path: str
    name: str = "gpiochip0"
    label: str = "pinctrl-bcm2711"
    num_lines: int = 58
    names: dict[str, int] = field(default_factory=dict)
    consumers: dict[int, str] = field(default_factory=dict)
    grounded: set[int] = field(default_factory=set)
    requests: list[FakeRequest] = field(default_factory=list)
    written: list[tuple[int, bool]] = field(default_factory=list)
    news: threading.Event = field(default_factory=threading.Event)
    loop: tuple[int, int] | None = None
    clock: Callable[[], int] | None = None
    is_denied: bool = False
    is_gone: bool = False

    def answer(self) -> None:
        if self.is_gone:
            raise OSError(errno.ENODEV, os.strerror(errno.ENODEV))

    def is_high(self, offset: int) -> bool:
        if offset in self.grounded:
            return False
        return any(request.settings[offset]["bias"] == _ext.BIAS_PULL_UP for request in self.of(offset))

    def of(self, offset: int) -> list[FakeRequest]:
        """The request that holds a line, if one does."""
        return [request for request in self.requests if offset in request.settings]

    def drive(self, offset: int, *, grounded: bool, t_ns: int, withhold: bool = False) -> None:
        """Close or open the contact of a line to ground."""
        if grounded != (offset in self.grounded):
            (self.grounded.add if grounded else self.grounded.discard)(offset)
            for request in self.of(offset):
                request.edge(offset, t_ns, withhold=withhold)

    def drive_loop(self, output: int, *, high: bool) -> None:
        """Where a wire leads from this output to a line, the line follows it."""
        if self.loop is not None and self.loop[0] == output and self.clock is not None:
            self.drive(self.loop[1], grounded=not high, t_ns=self.clock())

    def flicker(self, offset: int, *, t_ns: int) -> None:
        """Change a contact and change it back before the interrupt's thread runs: one event for two interrupts."""
        for request in self.of(offset):
            request.edge(offset, t_ns, interrupts=2)

    def wrote(self, offset: int, *, times: int) -> bool:
        """Wait until a line has been written so many times."""
        while sum(number == offset for number, _ in self.written) < times:
            self.news.clear()
            if not self.news.wait(20):
                return False
        return True

    def vanish(self) -> None:
        self.is_gone = True
        for request in self.requests:
            os.eventfd_write(request.fd, 1)


class FakeOpenChip:
    """What opening a chip's file gives."""

    def __init__(self, chip: FakeChip) -> None:
        self.chip = chip
        self.path = chip.path

    def get_info(self) -> gpiod.ChipInfo:
        return gpiod.ChipInfo(self.chip.name, self.chip.label, self.chip.num_lines)

    def line_offset_from_id(self, name: str) -> int:
        if name not in self.chip.names:
            raise OSError(errno.ENOENT, os.strerror(errno.ENOENT))
        return self.chip.names[name]

    def get_line_name(self, offset: int) -> str | None:
        return None

    def get_line_info(self, offset: int, watch: bool) -> gpiod.LineInfo:
        consumer = self.chip.consumers.get(offset, "")
        return gpiod.LineInfo(offset, "", bool(consumer), consumer, 1, False, 1, 1, 1, 1, False, 0)

    def request_lines(self, config: FakeLineConfig, consumer: str, asked: int | None) -> FakeRequest:
        self.chip.answer()
        taken = {offset for request in self.chip.requests for offset in request.offsets} | self.chip.consumers.keys()
        if taken & config.settings.keys():
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
        request = FakeRequest(self.chip, config, consumer, asked)
        self.chip.requests.append(request)
        return request

    def close(self) -> None:
        pass


class FakeKernel:
    """The chips of a machine, in place of libgpiod's C layer and of /dev."""

    def __init__(self, monkeypatch, devices) -> None:
        self.devices = devices
        self.chips: dict[str, FakeChip] = {}
        monkeypatch.setattr(gpiod_chip, "DEVICES", str(devices))
        monkeypatch.setattr(_ext, "Chip", self.open)
        monkeypatch.setattr(_ext, "LineConfig", FakeLineConfig)
        monkeypatch.setattr(_ext, "LineSettings", fake_line_settings)
        monkeypatch.setattr(_ext, "is_gpiochip_device", lambda path: path in self.chips)

    def add(self, name: str = "gpiochip0", **facts) -> FakeChip:
        path = self.devices / name
        path.touch()
        chip = FakeChip(str(path), name, **facts)
        self.chips[chip.path] = chip
        return chip

    def open(self, path: str) -> FakeOpenChip:
        chip = self.chips[path]
        if chip.is_denied:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
        chip.answer()
        return FakeOpenChip(chip)
