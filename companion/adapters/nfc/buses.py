"""A serial port and an I2C bus as the driver of the PN532 uses them, of CircuitPython's `busio.UART` and `busio.I2C`.

Both can be ended from outside within some milliseconds: the driver itself waits a second for a chip that is not there.
"""

from __future__ import annotations

import select
import termios
import time
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    import serial

FRAME_S = 0.25
"""The longest that a frame may take once its first byte has come: 262 bytes at 9,600 baud."""
HEAD = b"\x00\x00\xff"
NAP_S = 0.01


class Ended(Exception):
    """The reading is to end."""


class SerialBus:
    """A PN532 at a serial port (High Speed UART, HSU). port: reads return at once. is_ended: asked at each wait."""

    def __init__(self, port: serial.Serial, is_ended: Callable[[], bool]) -> None:
        self._port, self._is_ended = port, is_ended

    @property
    def in_waiting(self) -> int:
        """How many bytes have come. Raises Ended, OSError."""
        if self._is_ended():
            raise Ended
        return int(self._port.in_waiting)

    def read(self, count: int) -> bytes:
        """Give the next frame, or `count` bytes of it: what the driver asks for is the most that may come."""
        data = b""
        until = time.monotonic() + FRAME_S
        while (lacks := min(count, frame_length(data)) - len(data)) > 0:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self._port.fileno()], [], [], left)[0]:
                break
            data += bytes(self._port.read(lacks))
        return data

    def write(self, data: bytes) -> None:
        """Send bytes. Raises OSError."""
        self._port.write(data)

    def reset_input_buffer(self) -> None:
        """Forget what came and was not asked for. Raises OSError."""
        try:
            self._port.reset_input_buffer()
        except termios.error as error:  # pyserial passes it on, and it is no OSError
            raise OSError(*error.args) from error

    def close(self) -> None:
        """Give the port back."""
        self._port.close()


def frame_length(begun: bytes) -> int:
    """Give how long the frame is that begins so, as far as can be known by now (UM0701-02, 6.2.1).

    An acknowledgement, its opposite and a frame without its length yet are 6 bytes long.
    """
    if len(begun) < 6 or not begun.startswith(HEAD) or begun[3:5] in {b"\x00\xff", b"\xff\x00"}:
        return 6
    return begun[3] + 7


class I2cMessages(Protocol):
    """As much of smbus2.SMBus as is needed. Raises OSError where the chip does not answer."""

    def read(self, address: int, count: int) -> bytes:
        """Read so many bytes in one transaction."""

    def write(self, address: int, data: bytes) -> None:
        """Write bytes in one transaction."""

    def close(self) -> None:
        """Give the bus back."""


class SmbusMessages:
    """Plain I2C messages on a bus of Linux, by smbus2."""

    def __init__(self, number: int) -> None:
        import smbus2  # noqa: PLC0415 - only where there is a real bus

        self._messages, self._bus = smbus2.i2c_msg, smbus2.SMBus(number)

    def read(self, address: int, count: int) -> bytes:
        """Read so many bytes in one transaction."""
        message = self._messages.read(address, count)
        self._bus.i2c_rdwr(message)
        return bytes(message)

    def write(self, address: int, data: bytes) -> None:
        """Write bytes in one transaction."""
        self._bus.i2c_rdwr(self._messages.write(address, data))

    def close(self) -> None:
        """Give the bus back."""
        self._bus.close()


class I2cBus:
    """A PN532 on an I2C bus. is_ended: asked at each transaction."""

    def __init__(self, messages: I2cMessages, is_ended: Callable[[], bool]) -> None:
        self._messages, self._is_ended = messages, is_ended

    def try_lock(self) -> bool:
        """The kernel arbitrates: each transaction has the bus for itself."""
        return True

    def unlock(self) -> None:
        """See `try_lock`."""

    def readfrom_into(self, address: int, buffer: bytearray, *, start: int = 0, end: int | None = None) -> None:
        """Fill a part of a buffer. Raises Ended, OSError."""
        if self._is_ended():
            raise Ended
        end = len(buffer) if end is None else end
        try:
            buffer[start:end] = self._messages.read(address, end - start)
        except OSError:
            time.sleep(NAP_S)  # the driver asks again at once for a second
            raise

    def writeto(self, address: int, buffer: bytes, *, start: int = 0, end: int | None = None) -> None:
        """Write a part of a buffer; of none, ask whether the chip is there. Raises OSError."""
        part = bytes(buffer[start:end])
        if part:
            self._messages.write(address, part)
        else:  # the Pi's controller sends no empty message
            self._messages.read(address, 1)

    def close(self) -> None:
        """Give the bus back."""
        self._messages.close()
