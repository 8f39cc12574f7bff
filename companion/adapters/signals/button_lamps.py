"""The lamps in the buttons of the box: one or more expanders on the I2C bus. Knows no scene and no seat.

Twenty lamps are more than one chip's sixteen outputs. They are numbered on: 0 to 15 are those of the first address,
16 to 31 those of the second (`hardware/pinmap.toml`).
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

from companion.adapters.signals.outputs import Outputs, open_smbus
from companion.core.errors import Malformed
from companion.core.words.texts import joined, text

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from companion.adapters.signals.chips import Bus, ExpanderChip

PER_CHIP = 16


class ButtonLamps:
    """Lamps by the label of their button ("red first").

    outputs: the number of each. addresses: of the chips, in the order of the numbers. share: how brightly, 0 to 1.
    Raises Malformed: an address that the chip cannot have, or a number beyond the last chip.
    """

    def __init__(
        self,
        make_chip: Callable[[], ExpanderChip],
        outputs: Mapping[str, int],
        *,
        addresses: Sequence[int],
        share: float = 1.0,
        bus: int = 1,
        open_bus: Callable[[int], Bus] = open_smbus,
    ) -> None:
        self._outputs, self._share, self._addresses = outputs, share, tuple(addresses)
        last = PER_CHIP * len(addresses) - 1
        if beyond := next((label for label, output in outputs.items() if output > last), None):
            raise Malformed(
                text("signals.button_addresses: {label} is at output {output}, and these chips end at {last}").format(
                    label=beyond, output=outputs[beyond], last=last
                )
            )
        self._chips = {
            number: Outputs(
                make_chip(),
                {output % PER_CHIP for output in outputs.values() if output // PER_CHIP == number},
                text("button lamps"),
                bus=bus,
                address=address,
                setting="signals.button_addresses",
                open_bus=open_bus,
            )
            for number, address in enumerate(addresses)
            if any(output // PER_CHIP == number for output in outputs.values())
        }
        self.name: str = joined((chip.name for chip in self._chips.values()), "; ")

    def open(self) -> None:
        """Have all dark. Raises Unavailable, with how to mend it, where a chip is not there; then none is open."""
        with ExitStack() as opened:
            for chip in self._chips.values():
                chip.open()
                opened.callback(chip.close)
            opened.pop_all()

    def light(self, labels: Collection[str]) -> None:
        """Have these on and all others dark. Raises Unavailable where a chip has gone; then `open`."""
        on = [output for label, output in self._outputs.items() if label in labels]
        for number, chip in self._chips.items():
            chip.write({output % PER_CHIP: self._share for output in on if output // PER_CHIP == number})

    def check(self) -> None:
        """See that the chips answer and are still set up. Raises Unavailable; then `open`."""
        for chip in self._chips.values():
            chip.check()

    def close(self) -> None:
        """Have all dark and give the bus back; never raises."""
        for chip in self._chips.values():
            chip.close()

    def labels(self) -> list[str]:
        """Give what is wired, in the order of the outputs."""
        return sorted(self._outputs, key=lambda label: self._outputs[label])

    def wiring(self) -> list[str]:
        """Say what is wired to which output, in their order: "output 3 at 0x40: lamp of red fourth, 100%"."""
        return [self._said(label, *divmod(self._outputs[label], PER_CHIP)) for label in self.labels()]

    def _said(self, label: str, chip: int, output: int) -> str:
        return f"output {output} at 0x{self._addresses[chip]:02x}: lamp of {label}, {self._share:.0%}"
