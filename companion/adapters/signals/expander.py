"""`Signals` on an expander: lamps and motors by the number of its output. Knows no pattern and no game.

It has no thread of its own: whoever calls it has one ("signals"). The bus is opened here and is the display's too; the
kernel lets one transaction through at a time. What was left on by a program that was killed is switched off by `open`.
"""

from __future__ import annotations

import errno
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from companion.adapters.signals.chips import Mcp23017, Pca9685
from companion.core.errors import Malformed, Unavailable
from companion.core.signals.signs import Outlet
from companion.core.words.texts import text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion.adapters.signals.chips import Bus, ExpanderChip
    from companion.core.panel import Colour
    from companion.core.signals.board import Lit
    from companion.core.signals.signs import Sign
    from companion.core.words.texts import Text

CHIPS: Mapping[str, Callable[[], ExpanderChip]] = {"pca9685": Pca9685, "mcp23017": Mcp23017}
"""By the name that the settings have for them."""
NO_ANSWER = (errno.ENXIO, errno.EREMOTEIO, errno.EIO, errno.ETIMEDOUT)


def open_smbus(bus: int) -> Bus:
    """Open `/dev/i2c-<bus>`."""
    import smbus2  # noqa: PLC0415 - only where there is a real bus

    opened: Bus = smbus2.SMBus(bus)
    return opened


_WHAT: Mapping[frozenset[Outlet], Text] = {
    frozenset(): text("nothing"),
    frozenset({Outlet.LAMP}): text("lamps"),
    frozenset({Outlet.MOTOR}): text("motors"),
    frozenset(Outlet): text("lamps and motors"),
}


class Wired(NamedTuple):
    """Where an output leads. share: how strongly it is to be on, 0 to 1."""

    output: int
    share: float = 1.0


class ExpanderSignals:
    """Lamps and motors on one expander.

    wired: by seat and outlet; who has none is left out. address: 0 for the chip's usual one. Raises Malformed for one
    that the chip cannot have: it would be another device.
    """

    checks = True

    def __init__(
        self,
        chip: ExpanderChip,
        wired: Mapping[Lit, Wired],
        *,
        bus: int = 1,
        address: int = 0,
        open_bus: Callable[[int], Bus] = open_smbus,
    ) -> None:
        self._chip, self._wired = chip, wired
        self._bus_number, self._address = bus, address or chip.usual_address
        if self._address not in chip.addresses:
            can = text("{first} to {last}").format(
                first=f"0x{chip.addresses[0]:02x}", last=f"0x{chip.addresses[-1]:02x}"
            )
            raise Malformed(
                text("signals.i2c_address: no {chip} is at {address}; it can be at {can}").format(
                    chip=chip.name, address=f"0x{self._address:02x}", can=can
                )
            )
        self._open_bus = open_bus
        self._bus: Bus | None = None
        self._on: dict[int, float] = {}  # what the chip has been told
        what = _WHAT[frozenset(lit.outlet for lit in wired)]
        self.name: str = text("{what} on the {chip} at address {address} of I2C bus {bus}").format(
            what=what, chip=chip.name, address=f"0x{self._address:02x}", bus=bus
        )

    def open(self) -> None:
        """Switch everything off and make the used outputs outputs. Raises Unavailable, with how to mend it."""
        self._let_go()
        try:
            self._bus = self._open_bus(self._bus_number)
            self._chip.set_up(self._bus, self._address, self._outputs())
        except (OSError, Unavailable) as error:
            self._let_go()
            raise Unavailable(self._fault(error)) from error
        self._on = {}

    def switch(self, on: frozenset[Lit], given: Mapping[Colour, Sign]) -> None:  # noqa: ARG002 - pods need it
        """Have these on; only what has changed is written."""
        bus = self._opened()
        wanted = {wired.output: wired.share for lit, wired in self._wired.items() if lit in on}
        changed = {
            output: wanted.get(output, 0.0)
            for output in sorted(self._outputs())
            if wanted.get(output) != self._on.get(output)
        }
        if not changed:
            return
        try:
            self._chip.write(bus, self._address, changed, wanted)
        except OSError as error:
            self._let_go()
            raise Unavailable(self._fault(error)) from error
        self._on = wanted

    def check(self) -> None:
        """See that it answers and is still set up."""
        bus = self._opened()
        try:
            self._chip.verify(bus, self._address, self._outputs())
        except (OSError, Unavailable) as error:
            self._let_go()
            raise Unavailable(self._fault(error)) from error

    def close(self) -> None:
        """Switch everything off and give the bus back."""
        if self._bus is not None:
            with suppress(OSError):
                self._chip.all_off(self._bus, self._address)
        self._let_go()

    def lit_by_output(self) -> list[Lit]:
        """Give what is wired, in the order of the outputs."""
        return sorted(self._wired, key=lambda lit: self._wired[lit].output)

    def wiring(self) -> list[str]:
        """Say what is wired to which output, in their order: "output 0: red lamp, 100 %"."""
        wired = ((lit, self._wired[lit]) for lit in self.lit_by_output())
        return [f"output {one.output}: {lit.seat} {lit.outlet}, {one.share:.0%}" for lit, one in wired]

    def _outputs(self) -> set[int]:
        return {wired.output for wired in self._wired.values()}

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
