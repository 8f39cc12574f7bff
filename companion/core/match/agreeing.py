"""Before a match with allowances: every seat agrees to them, by one press of any button of its own.

A long acceptance time is agreed to like an allowance: for so long a hand may touch, look and withdraw. The referee may
give a seat's consent from the desk, and is named. Pure; knows no display.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.errors import Illegal
from companion.core.shown.scene import Menu, MenuItem, Question
from companion.core.timing.contacts import CONCESSION_NS
from companion.core.timing.events import MS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.core.panel import Colour
    from companion.core.record.lines import Setup


def concessions(setup: Setup, accepts_ns: Mapping[Colour, int]) -> tuple[str, ...]:
    """Say what everybody must agree to; () where there is nothing. accepts_ns: how long a seat's press must last."""
    said = []
    for seat in setup.seats:
        accept_ns = accepts_ns.get(seat.colour, 0)
        parts = [f"−{_time(seat.allowance_ms)} allowance"] if seat.allowance_ms else []
        parts += [f"accepts after {_time(accept_ns // MS)}"] if accept_ns > CONCESSION_NS else []
        said += [f"{seat.colour.short}: {', '.join(parts)}"] if parts else []
    return tuple(said)


def _time(time_ms: int) -> str:
    return f"{time_ms:,} ms" if time_ms % 1000 else f"{time_ms // 1000} s"


class Agreement:
    """Who has agreed to what a match begins with. setup: its first line. by: who gave the consent of which seats."""

    def __init__(self, setup: Setup, says: tuple[str, ...]) -> None:
        self.setup = setup
        self.by: dict[Colour, str] = {}
        self._says = says
        self._agreed: set[Colour] = set()

    @property
    def agreed(self) -> tuple[Colour, ...]:
        """The seats that have agreed, in seat order."""
        return tuple(seat.colour for seat in self.setup.seats if seat.colour in self._agreed)

    @property
    def missing(self) -> tuple[Colour, ...]:
        """The seats that must agree yet, in seat order."""
        return tuple(seat.colour for seat in self.setup.seats if seat.colour not in self._agreed)

    def agree(self, colour: Colour, by: str = "") -> bool:
        """Take a seat's consent; `by`: who gives it for the seat. False where it has agreed already.

        Raises Illegal where the colour has no seat.
        """
        if all(seat.colour is not colour for seat in self.setup.seats):
            raise Illegal(f"{colour} has no seat in this match")
        if colour in self._agreed:
            return False
        self._agreed.add(colour)
        if by:
            self.by[colour] = by
        return True

    def remarks(self) -> list[tuple[str, str]]:
        """Give what is to be noted in the record: each consent that somebody else gave, and who."""
        names = dict.fromkeys(self.by.values())
        given = {name: ", ".join(colour for colour in self.agreed if self.by.get(colour) == name) for name in names}
        return [(f"{name} gave the consent of {colours} to the allowances", name) for name, colours in given.items()]

    def scene(self) -> Question:
        """Give what there is to show."""
        agreed = " ".join(colour.short for colour in self.agreed)
        waits = " ".join(colour.short for colour in self.missing)
        lines = [waits, *self._says, *([f"agreed: {agreed}"] if agreed else [])]
        return Question(
            "Agree: press a button", tuple(lines), Menu("", (MenuItem("back to the seating"),)), self.missing
        )
