"""The two expanders as their datasheets describe them, on a bus that answers as the kernel's does.

Kept are the registers with their values after power-on, what writing one does to others (ALL_LED of a PCA9685, BANK of
an MCP23017), auto-increment, what may be written in sleep alone, and all that was written, in order. PCA9685: NXP,
Rev. 3; MCP23017: Microchip DS20001952C.
"""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

Written = tuple[int, tuple[int, ...]]
"""A register, and the bytes that were written from there on, in one transaction."""


class FakePca9685:
    """Registers of a PCA9685: MODE1 0x11, MODE2 0x04, every output always off (tables 5 to 7)."""

    def __init__(self) -> None:
        self.registers = [0] * 256
        self.power_on()

    def power_on(self) -> None:
        self.registers = [0] * 256
        self.registers[0x00], self.registers[0x01], self.registers[0xFE] = 0x11, 0x04, 0x1E
        for output in range(16):
            self.registers[0x09 + 4 * output] = 0x10

    def write(self, register: int, data: Sequence[int]) -> None:
        for value in data:
            self._put(register, value)
            if not self.registers[0x00] & 0x20:  # without AI the next byte goes to the same register
                continue
            register = {0x45: 0x00, 0xFE: 0x00}.get(register, register + 1)

    def _put(self, register: int, value: int) -> None:
        if register == 0xFE and not self.registers[0x00] & 0x10:
            return  # blocked while awake (table 3, remark 1)
        if 0xFA <= register <= 0xFD:
            for output in range(16):
                self.registers[0x06 + 4 * output + register - 0xFA] = value
            return  # reads zero
        self.registers[register] = max(value, 3) if register == 0xFE else value

    def read(self, register: int, length: int) -> list[int]:
        step = 1 if self.registers[0x00] & 0x20 else 0
        return [self.registers[(register + step * number) % 256] for number in range(length)]

    def share(self, output: int) -> float:
        """How much of the time an output is high; none at all while the chip sleeps."""
        on_l, on_h, off_l, off_h = self.registers[0x06 + 4 * output : 0x0A + 4 * output]
        if off_h & 0x10 or self.registers[0x00] & 0x10:
            return 0.0
        if on_h & 0x10:
            return 1.0
        return ((off_l | off_h << 8) - (on_l | on_h << 8)) % 4096 / 4096


class FakeMcp23017:
    """Registers of an MCP23017: all pins inputs, IOCON 0 (table 3-5). With BANK = 1 the addresses are others."""

    def __init__(self) -> None:
        self.registers = [0] * 22
        self.power_on()

    def power_on(self) -> None:
        self.registers = [0xFF, 0xFF, *[0] * 20]

    @property
    def is_bank_1(self) -> bool:
        return bool(self.registers[0x0A] & 0x80)

    def _place(self, register: int) -> int:
        if not self.is_bank_1:
            return register
        return (register & 0x0F) * 2 + (register >> 4)

    def write(self, register: int, data: Sequence[int]) -> None:
        for value in data:
            place = self._place(register)
            if place in (0x0A, 0x0B):
                self.registers[0x0A] = self.registers[0x0B] = value
            elif place < len(self.registers):
                self.registers[place] = value
            register += not self.registers[0x0A] & 0x20

    def read(self, register: int, length: int) -> list[int]:
        return [self.registers[self._place(register + number)] for number in range(length)]

    def share(self, output: int) -> float:
        """1 where a pin is an output and its latch high."""
        port, bit = divmod(output, 8)
        is_output = not self.registers[port] >> bit & 1
        return float(is_output and self.registers[0x14 + port] >> bit & 1)


class FakeBus:
    """An I2C bus with chips by their addresses; whoever is not there does not answer (ENXIO, EREMOTEIO on a Pi)."""

    def __init__(self, chips: dict[int, FakePca9685 | FakeMcp23017]) -> None:
        self.chips = chips
        self.written: list[Written] = []
        self.opened = self.closed = 0
        self.fault = errno.EREMOTEIO

    def open(self, _number: int) -> FakeBus:
        self.opened += 1
        return self

    def close(self) -> None:
        self.closed += 1

    def _chip(self, address: int) -> FakePca9685 | FakeMcp23017:
        if address not in self.chips:
            raise OSError(self.fault, "Remote I/O error")
        return self.chips[address]

    def write_byte_data(self, i2c_addr: int, register: int, value: int) -> None:
        self.write_i2c_block_data(i2c_addr, register, [value])

    def write_i2c_block_data(self, i2c_addr: int, register: int, data: Sequence[int]) -> None:
        assert len(data) <= 32, "SMBus carries 32 bytes"
        self._chip(i2c_addr).write(register, data)
        self.written.append((register, tuple(data)))

    def read_byte_data(self, i2c_addr: int, register: int) -> int:
        return self._chip(i2c_addr).read(register, 1)[0]

    def read_i2c_block_data(self, i2c_addr: int, register: int, length: int) -> list[int]:
        return self._chip(i2c_addr).read(register, length)
