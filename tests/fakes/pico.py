"""A Raspberry Pi Pico as far as the pod's program can tell: the program's very files run on CPython, on a fake board.

Each FakePico has its own clock (offset and drift against the test's), its own copy of the program's modules, pins whose
interrupt handlers are called when a test moves a contact, and a serial port that a test connects as it likes.
"""

from __future__ import annotations

import sys
import threading
from collections import deque
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

PROGRAM = Path(__file__).parents[2] / "firmware" / "pod"
MODULES = ("pod_frames", "pod_ring", "pod_program", "main")
PPB = 10**9
_IMPORTING = threading.Lock()


class Restarted(Exception):
    """The program asked for a reset."""


class FakePin:
    """One pin with a pull-up; `handler` is the program's interrupt."""

    IN, OUT, PULL_UP, PULL_DOWN, IRQ_RISING, IRQ_FALLING = range(6)

    def __init__(self, number: int, mode: int = IN, pull: int | None = None, value: int = 1) -> None:
        self.number, self.mode, self.pull, self.level = number, mode, pull, value
        self.handler: Callable[[FakePin], None] | None = None
        self.is_hard = False

    def value(self, level: int | None = None) -> int:
        if level is not None:
            self.level = level
        return self.level

    def irq(self, handler: Callable[[FakePin], None], trigger: int, hard: bool) -> None:
        self.handler, self.is_hard = handler, hard


class FakePico:
    """A board with the program on it, not started: `boot()` starts it, `step()` turns its loop once.

    clock: the test's, in ns. inbox: bytes for the pod. outbox: bytes from it.
    """

    def __init__(
        self,
        clock: Callable[[], int],
        *,
        lines: int = 4,
        drift_ppb: int = 0,
        offset_ns: int = 0,
        unique_id: bytes = b"\xe6\x61\x41\x04\x03\x2a\x5b\x28",
    ) -> None:
        self.clock, self.drift_ppb, self.offset_ns = clock, drift_ppb, offset_ns
        self.lines, self.unique_id = lines, unique_id
        self.inbox: deque[int] = deque()
        self.outbox = bytearray()
        self.is_writable = True
        self.boots = 0
        self.lock = threading.RLock()  # "interrupts held"
        self.pins = [FakePin(number) for number in range(lines)]
        self.lamps = [FakePin(100 + number, FakePin.OUT, value=0) for number in range(lines)]
        self.pod: Any = None
        self.cause = 1

    def ticks_us(self) -> int:
        """What the pod's counter shows now."""
        return (self.clock() + self.offset_ns) * (PPB + self.drift_ppb) // PPB // 1000 & 0x3FFFFFFF

    def boot(self) -> None:
        """Power on, or reset: everything kept is gone."""
        modules = self._load()
        self.boots += 1
        for pin in self.pins:
            pin.handler = None
        self.inbox.clear()
        self.outbox.clear()
        self.modules = modules
        self.pod = modules["pod_program"].Pod(self.pins, self.lamps, 0, self._port(), self._board())
        for pin, handler in zip(self.pins, self.pod.ring.handlers, strict=True):
            pin.irq(handler, 0, hard=True)

    def step(self) -> None:
        with self.lock:
            self.pod.step()

    def contact(self, line: int, closed: bool) -> None:
        """Close or open a contact: the interrupt runs at once."""
        with self.lock:
            pin = self.pins[line]
            pin.level = 0 if closed else 1
            if pin.handler is not None:
                pin.handler(pin)

    def take(self) -> bytes:
        """Take what the pod has sent."""
        with self.lock:
            sent = bytes(self.outbox)
            self.outbox.clear()
            return sent

    def _port(self) -> SimpleNamespace:
        def write(buf: bytearray, length: int) -> None:
            self.outbox += buf[:length]

        return SimpleNamespace(
            read_byte=lambda: self.inbox.popleft() if self.inbox else -1,
            can_write=lambda: self.is_writable,
            write=write,
        )

    def _board(self) -> SimpleNamespace:
        def to_repl() -> None:
            raise Restarted

        return SimpleNamespace(
            unique_id=self.unique_id,
            boot=bytes((self.boots & 0xFF, 1, 2, 3)),
            cause=self.cause,
            resets=self.boots - 1,
            quiet=self.lock.acquire,
            loud=lambda _: self.lock.release(),
            feed=lambda: None,
            to_repl=to_repl,
        )

    def _load(self) -> dict[str, Any]:
        return load_program(
            time=SimpleNamespace(ticks_us=self.ticks_us, ticks_diff=ticks_diff, ticks_add=ticks_add),
            micropython=SimpleNamespace(native=lambda function: function),
            machine=SimpleNamespace(Pin=FakePin),
        )


def ticks_diff(end: int, start: int) -> int:
    """As MicroPython's: the signed distance of two readings of a 30-bit counter."""
    return (end - start + 2**29) % 2**30 - 2**29


def ticks_add(start: int, delta: int) -> int:
    """As MicroPython's: a reading so much later."""
    return (start + delta) % 2**30


def load_program(**fakes: Any) -> dict[str, Any]:
    """Import the pod's modules anew with some of the modules they import replaced."""
    with _IMPORTING:
        names = [*fakes, *MODULES]
        before = {name: sys.modules.pop(name) for name in names if name in sys.modules}
        sys.modules.update(fakes)
        sys.path.insert(0, str(PROGRAM))
        try:
            return {name: import_module(name) for name in MODULES}
        finally:
            sys.path.remove(str(PROGRAM))
            for name in names:
                sys.modules.pop(name, None)
            sys.modules.update(before)
