"""`Signals` on an expander: lamps and motors by the number of its output. Knows no pattern and no game.

It has no thread of its own: whoever calls it has one ("signals").
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.adapters.signals.chips import Mcp23017, Pca9685
from companion.adapters.signals.outputs import Outputs, open_smbus
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
        self._wired = wired
        what = _WHAT[frozenset(lit.outlet for lit in wired)]
        used = {one.output for one in wired.values()}
        self._outputs = Outputs(chip, used, what, bus=bus, address=address, open_bus=open_bus)
        self.name: str = self._outputs.name

    def open(self) -> None:
        """Switch everything off and make the used outputs outputs. Raises Unavailable, with how to mend it."""
        self._outputs.open()

    def switch(self, on: frozenset[Lit], given: Mapping[Colour, Sign]) -> None:  # noqa: ARG002 - pods need it
        """Have these on; only what has changed is written."""
        self._outputs.write({wired.output: wired.share for lit, wired in self._wired.items() if lit in on})

    def step(self, now_ns: int) -> None:
        """Nothing changes by itself here."""

    def check(self) -> None:
        """See that it answers and is still set up."""
        self._outputs.check()

    def close(self) -> None:
        """Switch everything off and give the bus back."""
        self._outputs.close()

    def lit_by_output(self) -> list[Lit]:
        """Give what is wired, in the order of the outputs."""
        return sorted(self._wired, key=lambda lit: self._wired[lit].output)

    def wiring(self) -> list[str]:
        """Say what is wired to which output, in their order: "output 0: red lamp, 100 %"."""
        wired = ((lit, self._wired[lit]) for lit in self.lit_by_output())
        return [f"output {one.output}: {lit.seat} {lit.outlet}, {one.share:.0%}" for lit, one in wired]
