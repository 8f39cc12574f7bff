"""A stand-in for the display's I2C bus, as slow as a real one, with a chip at its far end that says what it held when.

The model: 400 kHz, nine clocks a byte, start and stop one clock each. A call returns when the bus would be free. What
sleeping took too long, up to `WAKING_NS`, is made up for by the next transfer if that follows at once: the program's
own time counts, and its waiting for the interpreter's lock too, but not that a sleep is longer than a transfer.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import NamedTuple

from companion.adapters.oled import I2cWire
from companion.adapters.oled.chip import Ssd1306Model
from companion.core.timing.events import MS, SECOND

CLOCK_NS = SECOND // 400_000
WAKING_NS = MS // 5


def transfer_ns(length: int) -> int:
    """How long a transfer of that many bytes takes, its address among them."""
    return (2 + 9 * length) * CLOCK_NS


class Block(NamedTuple):
    """A transfer: when it began and ended, and what the chip's memory held after it."""

    began_ns: int
    ended_ns: int
    held: tuple[bytes, ...]

    def shows(self, other: Block, pages: range) -> bool:
        return all(self.held[page] == other.held[page] for page in pages)


class TimedBus:
    """An SMBus. `blocks`: what was sent since `forget`; filled by the display's thread, read while nothing is sent."""

    def __init__(self) -> None:
        self.chip = Ssd1306Model()
        self.wire = I2cWire(self.chip)
        self.blocks: list[Block] = []
        self._free_ns = self._returned_ns = 0

    def write_i2c_block_data(self, address: int, register: int, data: Iterable[int]) -> None:
        now_ns, sent = time.monotonic_ns(), self.wire.sent
        overslept_ns = min(WAKING_NS, self._returned_ns - self._free_ns) if now_ns - self._returned_ns < MS else 0
        self.wire.write_i2c_block_data(address, register, data)
        began_ns = now_ns - overslept_ns
        self._free_ns = began_ns + transfer_ns(self.wire.sent - sent)
        self.blocks.append(Block(began_ns, self._free_ns, tuple(map(bytes, self.chip.ram))))
        if (left_ns := self._free_ns - time.monotonic_ns()) > 0:
            time.sleep(left_ns / SECOND)
        self._returned_ns = max(time.monotonic_ns(), self._free_ns)

    def close(self) -> None:
        pass

    def forget(self) -> None:
        self.blocks.clear()

    def settled_ns(self, pages: range) -> int:
        """When these pages became what they are now. Raises IndexError where nothing was sent."""
        last = self.blocks[-1]
        different = [index for index, block in enumerate(self.blocks) if not block.shows(last, pages)]
        return self.blocks[different[-1] + 1 if different else 0].ended_ns

    def busy_ns(self, from_ns: int, to_ns: int) -> int:
        """How long the bus was busy between two instants."""
        return sum(max(0, min(block.ended_ns, to_ns) - max(block.began_ns, from_ns)) for block in self.blocks)
