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
from companion.core.words.texts import joined, number, text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.core.panel import Colour
    from companion.core.record.lines import Setup


def concessions(setup: Setup, accepts_ns: Mapping[Colour, int]) -> tuple[str, ...]:
    """Say what everybody must agree to; () where there is nothing. accepts_ns: how long a seat's press must last."""
    said: list[str] = []
    if setup.timing == "untimed":
        return ()  # nobody gains by a time
    for seat in setup.seats:
        accept_ns = accepts_ns.get(seat.colour, 0)
        parts = [text("−{time} allowance").format(time=_time(seat.allowance_ms))] if seat.allowance_ms else []
        if accept_ns > CONCESSION_NS:
            parts.append(text("accepts after {time}").format(time=_time(accept_ns // MS)))
        said += [joined((seat.colour.short, joined(parts)), ": ")] if parts else []
    return tuple(said)


def _time(time_ms: int) -> str:
    if time_ms % 1000:
        return text("{time} ms").format(time=number(f"{time_ms:,}"))
    return text("{time} s").format(time=time_ms // 1000)


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
            raise Illegal(text("{colour} has no seat in this match").format(colour=colour))
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
        agreed = joined((colour.short for colour in self.agreed), " ")
        waits = joined((colour.short for colour in self.missing), " ")
        lines = [waits, *self._says, *([text("agreed: {seats}").format(seats=agreed)] if agreed else [])]
        back = MenuItem(text("back to the seating"))
        return Question(text("Agree: press a button"), tuple(lines), Menu("", (back,)), self.missing)
