"""How an OLED is wired: plain values that open luma's serial interface when asked. Knows no chip and no picture."""

from __future__ import annotations

import errno
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from luma.core.interface import serial

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


class Wiring(Protocol):
    """What `OledDisplay` needs: an interface of luma's, a place to name, a way to mend."""

    def connect(self) -> tuple[Any, Callable[[], None]]:
        """Open the bus: luma's serial interface, and how to close what was opened. Raises OSError or luma's errors."""

    def probe(self, interface: Any) -> None:
        """Raise OSError if nobody answers; do nothing where the bus cannot tell."""

    def place(self) -> str:
        """Say where it is wired, for a message."""

    def remedy(self, error: BaseException) -> str:
        """Say what would mend `error`."""


def open_smbus(bus: int) -> Any:
    """Open `/dev/i2c-<bus>`."""
    import smbus2  # noqa: PLC0415 - only where there is a real bus

    return smbus2.SMBus(bus)


@dataclass(frozen=True, slots=True)
class I2cWiring:
    """I2C: the number of the bus (`/dev/i2c-1` is a Pi's header) and the chip's address.

    The bus is opened here and handed to luma, which then writes blocks of 32 bytes; its own way of opening sends long
    messages that some adapters, and the kernel's i2c-stub, refuse (errno 95).
    """

    bus: int = 1
    address: int = 0x3C
    open_bus: Callable[[int], Any] = open_smbus

    def connect(self) -> tuple[Any, Callable[[], None]]:
        """Open the bus."""
        bus = self.open_bus(self.bus)
        return serial.i2c(bus=bus, address=self.address), bus.close

    def probe(self, interface: Any) -> None:
        """Send the command that does nothing (0xE3 on all these chips): an absent chip does not acknowledge it."""
        interface.command(0xE3)

    def place(self) -> str:
        """Say where it is wired."""
        return f"address 0x{self.address:02x} on I2C bus {self.bus}"

    def remedy(self, error: BaseException) -> str:
        """Say what would mend `error`."""
        number = getattr(error, "errno", None)
        if number in {errno.ENOENT, errno.ENODEV}:
            return f"/dev/i2c-{self.bus} is not there: switch I2C on (sudo raspi-config nonint do_i2c 0)"
        if number in {errno.EACCES, errno.EPERM}:
            return "this user may not use I2C: sudo usermod -aG i2c $USER, then log in again"
        return (
            f"check SDA (GPIO 2), SCL (GPIO 3), 3.3 V and ground, and the address with: i2cdetect -y {self.bus} "
            "(usual are 0x3c and 0x3d)"
        )


class _Pins:
    """The few calls of RPi.GPIO that luma makes, done by gpiozero, which works on every Pi."""

    LOW, HIGH, OUT = 0, 1, 0

    def __init__(self) -> None:
        self._pins: dict[int, Any] = {}

    def setup(self, pin: int, _direction: int, initial: int = 0) -> None:
        from gpiozero import DigitalOutputDevice  # noqa: PLC0415 - slow to import, and needed for SPI only

        if pin not in self._pins:
            self._pins[pin] = DigitalOutputDevice(pin, initial_value=bool(initial))

    def output(self, pin: int, level: int) -> None:
        self._pins[pin].value = bool(level)

    def cleanup(self, _pins: Iterable[int] | int = ()) -> None:
        for device in self._pins.values():
            device.close()
        self._pins.clear()


def open_spi() -> tuple[Any, Any]:
    """Give a `spidev.SpiDev` and the pins beside it."""
    import spidev  # noqa: PLC0415 - only where there is a real bus

    return spidev.SpiDev(), _Pins()


@dataclass(frozen=True, slots=True)
class SpiWiring:
    """SPI: `/dev/spidev<port>.<device>`, GPIO numbers of data/command and reset (None: not wired), speed of the bus."""

    port: int = 0
    device: int = 0
    dc: int = 24
    reset: int | None = 25
    speed_hz: int = 8_000_000
    open_bus: Callable[[], tuple[Any, Any]] = open_spi

    def connect(self) -> tuple[Any, Callable[[], None]]:
        """Open the bus and the pins, and reset the chip."""
        try:
            bus, pins = self.open_bus()
        except ImportError as error:
            raise OSError(errno.ENOPKG, f"the Python package {error.name} is not installed") from error
        interface = serial.spi(
            spi=bus, gpio=pins, port=self.port, device=self.device, bus_speed_hz=self.speed_hz,
            gpio_DC=self.dc, gpio_RST=self.reset, reset_hold_time=0.001, reset_release_time=0.001,
        )  # fmt: skip

        def close() -> None:
            bus.close()
            pins.cleanup()

        return interface, close

    def probe(self, interface: Any) -> None:
        """SPI has no acknowledgement: an absent chip cannot be noticed."""

    def place(self) -> str:
        """Say where it is wired."""
        return f"SPI {self.port}.{self.device}"

    def remedy(self, error: BaseException) -> str:
        """Say what would mend `error`."""
        number = getattr(error, "errno", None)
        if number == errno.ENOPKG:
            return "pip install 'table-companion[spi]'"
        if number in {errno.ENOENT, errno.ENODEV} or "not found" in str(error):
            return (
                f"/dev/spidev{self.port}.{self.device} is not there: switch SPI on "
                "(sudo raspi-config nonint do_spi 0) and start again"
            )
        if number in {errno.EACCES, errno.EPERM}:
            return "this user may not use SPI: sudo usermod -aG spi,gpio $USER, then log in again"
        return f"check the wires and the pins (data/command GPIO {self.dc}, reset GPIO {self.reset})"
