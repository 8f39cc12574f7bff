"""One expander on the I2C bus: which of its outputs are on, and how strongly. Knows no lamp, no motor and no seat.

The bus is opened here and is the display's too; the kernel lets one transaction through at a time. What was left on by
a program that was killed is switched off by `open`.
"""

from __future__ import annotations

import errno
from contextlib import suppress
from typing import TYPE_CHECKING

from companion.core.errors import Malformed, Unavailable
from companion.core.words.texts import text

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from companion.adapters.signals.chips import Bus, ExpanderChip
    from companion.core.words.texts import Text

NO_ANSWER = (errno.ENXIO, errno.EREMOTEIO, errno.EIO, errno.ETIMEDOUT)


def open_smbus(bus: int) -> Bus:
    """Open `/dev/i2c-<bus>`."""
    import smbus2  # noqa: PLC0415 - only where there is a real bus

    opened: Bus = smbus2.SMBus(bus)
    return opened


class Outputs:
    """The outputs of one chip.

    used: their numbers. what: what hangs on them, for people. address: 0 for the chip's usual one; setting: who chose
    it. Raises Malformed for one that the chip cannot have: it would be another device.
    """

    def __init__(
        self,
        chip: ExpanderChip,
        used: Collection[int],
        what: Text,
        *,
        bus: int = 1,
        address: int = 0,
        setting: str = "signals.i2c_address",
        open_bus: Callable[[int], Bus] = open_smbus,
    ) -> None:
        self._chip, self._used = chip, frozenset(used)
        self._bus_number, self._address = bus, address or chip.usual_address
        if self._address not in chip.addresses:
            can = text("{first} to {last}").format(
                first=f"0x{chip.addresses[0]:02x}", last=f"0x{chip.addresses[-1]:02x}"
            )
            raise Malformed(
                text("{setting}: no {chip} is at {address}; it can be at {can}").format(
                    setting=setting, chip=chip.name, address=f"0x{self._address:02x}", can=can
                )
            )
        self._open_bus = open_bus
        self._bus: Bus | None = None
        self._on: dict[int, float] = {}  # what the chip has been told
        self.name: str = text("{what} on the {chip} at address {address} of I2C bus {bus}").format(
            what=what, chip=chip.name, address=f"0x{self._address:02x}", bus=bus
        )

    def open(self) -> None:
        """Switch everything off and make the used outputs outputs. Raises Unavailable, with how to mend it."""
        self._let_go()
        try:
            self._bus = self._open_bus(self._bus_number)
            self._chip.set_up(self._bus, self._address, self._used)
        except (OSError, Unavailable) as error:
            self._let_go()
            raise Unavailable(self._fault(error)) from error
        self._on = {}

    def write(self, wanted: Mapping[int, float]) -> None:
        """Have these on so strongly, 0 to 1, and all others off; only what has changed goes over the bus.

        Raises Unavailable where the chip has gone; then `open`.
        """
        bus = self._opened()
        changed = {
            output: wanted.get(output, 0.0)
            for output in sorted(self._used)
            if wanted.get(output) != self._on.get(output)
        }
        if not changed:
            return
        try:
            self._chip.write(bus, self._address, changed, wanted)
        except OSError as error:
            self._let_go()
            raise Unavailable(self._fault(error)) from error
        self._on = dict(wanted)

    def check(self) -> None:
        """See that it answers and is still set up. Raises Unavailable; then `open`."""
        bus = self._opened()
        try:
            self._chip.verify(bus, self._address, self._used)
        except (OSError, Unavailable) as error:
            self._let_go()
            raise Unavailable(self._fault(error)) from error

    def close(self) -> None:
        """Switch everything off and give the bus back; never raises."""
        if self._bus is not None:
            with suppress(OSError):
                self._chip.all_off(self._bus, self._address)
        self._let_go()

    def _opened(self) -> Bus:
        if self._bus is None:
            raise Unavailable(f"{self.name}: not open")
        return self._bus

    def _let_go(self) -> None:
        bus, self._bus = self._bus, None
        if bus is not None:
            with suppress(OSError):
                bus.close()

    def _fault(self, error: BaseException) -> Text:
        number = getattr(error, "errno", None)
        if number in {errno.ENOENT, errno.ENODEV}:
            why = text("/dev/i2c-{bus} is not there: switch I2C on (sudo raspi-config nonint do_i2c 0)")
        elif number in {errno.EACCES, errno.EPERM}:
            why = text("this user may not use I2C: sudo usermod -aG i2c $USER, then log in again")
        elif number in NO_ANSWER:
            why = text("it does not answer: check its wires, power and address (i2cdetect -y {bus})")
        else:
            return text("no {name}: {why}").format(name=self.name, why=str(error))
        return text("no {name}: {why}").format(name=self.name, why=why.format(bus=self._bus_number))
