"""The two expanders as registers: what is written to set them up, to switch an output, and to have all off.

PCA9685: NXP, "16-channel, 12-bit PWM Fm+ I2C-bus LED controller", Rev. 3, 2010. MCP23017: Microchip DS20001952C, 2016.
Pages are of these. Transactions are short, as the bus is the display's too: one output of a PCA9685 is 6 bytes on the
bus (0.14 ms at 400 kHz), all outputs of an MCP23017 are 4 (0.09 ms). Nothing here keeps the bus between two of them.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Protocol

from companion.core.errors import Unavailable
from companion.core.words.texts import text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

FORGOTTEN = text("it has forgotten its settings: its power was away")


class Bus(Protocol):
    """As much of smbus2.SMBus as is needed; every call raises OSError where the chip does not answer."""

    def write_byte_data(self, i2c_addr: int, register: int, value: int) -> None:
        """Write a register."""

    def read_byte_data(self, i2c_addr: int, register: int) -> int:
        """Read a register."""

    def write_i2c_block_data(self, i2c_addr: int, register: int, data: Sequence[int]) -> None:
        """Write registers that follow one another, 32 bytes at most."""

    def read_i2c_block_data(self, i2c_addr: int, register: int, length: int) -> list[int]:
        """Read registers that follow one another, 32 bytes at most."""

    def close(self) -> None:
        """Give the bus back."""


class ExpanderChip(Protocol):
    """What both chips can do. shares: how strongly an output is on, by its number, 0 to 1."""

    name: str
    usual_address: int
    addresses: range
    """All that its address pins can give it."""

    def set_up(self, bus: Bus, address: int, used: Iterable[int]) -> None:
        """Have all outputs off, then make the used ones outputs. Raises OSError, Unavailable for another chip."""

    def write(self, bus: Bus, address: int, changed: Mapping[int, float], on: Mapping[int, float]) -> None:
        """Have the changed outputs so strongly on. on: all that are to be on then."""

    def verify(self, bus: Bus, address: int, used: Iterable[int]) -> None:
        """Raise Unavailable where it is not set up any more, as after its power was away; OSError where it is gone."""

    def all_off(self, bus: Bus, address: int) -> None:
        """Switch all outputs off, in one transaction."""


class Pca9685:
    """Sixteen outputs with 12 bits of pulse width, at about 1 kHz: no eye sees it, and a motor's hum is faint.

    sleep: waits so many seconds; a test's own does not.
    """

    name = "PCA9685"
    usual_address = 0x40
    addresses = range(0x40, 0x78)
    MODE1, MODE2, LED0_ON_L, ALL_LED_ON_L, PRE_SCALE = 0x00, 0x01, 0x06, 0xFA, 0xFE
    """Table 3, p. 10 to 12."""
    SLEEP, AUTO_INCREMENT = 0x10, 0x20
    """Bits of MODE1 (7.3.1). The others stay 0: no restart, no clock from outside, no ALLCALL address, as another
    expander on the bus may have that one."""
    DRIVEN = 0x04
    """MODE2 (7.3.2): outputs driven both ways, not inverted, low while OE is high, changes at STOP."""
    PRESCALE = 5
    """25 MHz / (4096 · (5 + 1)) = 1017 Hz (7.3.5); may be written in sleep alone (p. 12, remark 1)."""
    FULL = 0x10
    """Bit 4 of LEDn_ON_H: always on; of LEDn_OFF_H: always off, which goes before (table 7)."""
    STEPS = 4096
    WAKES_S = 0.0005
    """The oscillator needs so long after sleep (7.3.1, remark)."""

    def __init__(self, sleep: Callable[[float], object] = time.sleep) -> None:
        self._sleep = sleep

    def set_up(self, bus: Bus, address: int, used: Iterable[int]) -> None:  # noqa: ARG002 - all are outputs
        """Have all off before anything else: what another program left on must not last."""
        self.all_off(bus, address)
        bus.write_byte_data(address, self.MODE1, self.SLEEP | self.AUTO_INCREMENT)
        bus.write_byte_data(address, self.PRE_SCALE, self.PRESCALE)
        bus.write_byte_data(address, self.MODE2, self.DRIVEN)
        bus.write_byte_data(address, self.MODE1, self.AUTO_INCREMENT)
        self._sleep(self.WAKES_S)
        if (found := bus.read_byte_data(address, self.PRE_SCALE)) != self.PRESCALE:
            raise Unavailable(
                text("its prescaler reads {found} after {written} was written: no PCA9685").format(
                    found=f"0x{found:02x}", written=f"0x{self.PRESCALE:02x}"
                )
            )

    def write(self, bus: Bus, address: int, changed: Mapping[int, float], on: Mapping[int, float]) -> None:  # noqa: ARG002
        """Write the four registers of each changed output, by auto-increment."""
        for output, share in changed.items():
            bus.write_i2c_block_data(address, self.LED0_ON_L + 4 * output, self.registers(share))

    def registers(self, share: float) -> tuple[int, int, int, int]:
        """Give LEDn_ON_L, LEDn_ON_H, LEDn_OFF_L and LEDn_OFF_H for a share of the time (7.3.3)."""
        steps = round(self.STEPS * share)
        if steps <= 0:
            return 0, 0, 0, self.FULL
        if steps >= self.STEPS:
            return 0, self.FULL, 0, 0
        return 0, 0, steps & 0xFF, steps >> 8

    def verify(self, bus: Bus, address: int, used: Iterable[int]) -> None:  # noqa: ARG002
        """Look at MODE1: after its power was away it sleeps (default 0x11)."""
        if bus.read_byte_data(address, self.MODE1) & 0x7F != self.AUTO_INCREMENT:
            raise Unavailable(FORGOTTEN)

    def all_off(self, bus: Bus, address: int) -> None:
        """Set the always-off bit of all outputs at once (7.3.4; p. 32, fig. 24)."""
        bus.write_byte_data(address, self.ALL_LED_ON_L + 3, self.FULL)


class Mcp23017:
    """Two ports of eight outputs that know on and off: 0 to 7 are GPA0 to GPA7, 8 to 15 are GPB0 to GPB7."""

    name = "MCP23017"
    usual_address = 0x20
    addresses = range(0x20, 0x28)
    IODIRA, IOCON, OLATA = 0x00, 0x0A, 0x14
    """With IOCON.BANK = 0, as after a reset (table 3-5, p. 17 and 18)."""
    IOCON_OF_BANK_1 = 0x05
    """Where IOCON is with BANK = 1; with BANK = 0 GPINTENB is there, which 0 does no harm."""

    def set_up(self, bus: Bus, address: int, used: Iterable[int]) -> None:
        """Have the latches low before the used pins become outputs (3.5.1, p. 18): nothing flashes."""
        bus.write_byte_data(address, self.IOCON_OF_BANK_1, 0)
        bus.write_byte_data(address, self.IOCON, 0)
        self.all_off(bus, address)
        directions = _pair(~_bits(used))
        bus.write_i2c_block_data(address, self.IODIRA, directions)
        if (found := list(bus.read_i2c_block_data(address, self.IODIRA, 2))) != list(directions):
            told = " ".join(f"0x{value:02x}" for value in found)
            raise Unavailable(
                text("its directions read {found} after others were written: no MCP23017").format(found=told)
            )

    def write(self, bus: Bus, address: int, changed: Mapping[int, float], on: Mapping[int, float]) -> None:  # noqa: ARG002
        """Write both latches, by sequential operation (3.2.1)."""
        bus.write_i2c_block_data(address, self.OLATA, _pair(_bits(output for output, share in on.items() if share > 0)))

    def verify(self, bus: Bus, address: int, used: Iterable[int]) -> None:
        """Look at the directions: after a reset all pins are inputs."""
        if tuple(bus.read_i2c_block_data(address, self.IODIRA, 2)) != _pair(~_bits(used)):
            raise Unavailable(FORGOTTEN)

    def all_off(self, bus: Bus, address: int) -> None:
        """Have all latches low."""
        bus.write_i2c_block_data(address, self.OLATA, (0, 0))


def _bits(outputs: Iterable[int]) -> int:
    return sum(1 << output for output in set(outputs))


def _pair(bits: int) -> tuple[int, int]:
    return bits & 0xFF, bits >> 8 & 0xFF
