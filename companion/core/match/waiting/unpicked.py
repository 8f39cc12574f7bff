"""Presses by a switch that have stopped their seats' clocks and have no card yet: scanning is to pick it. Pure.

Such a press commits its seat to play at its instant. It becomes a line of the record, with that instant and its ±, once
its card is picked. Until then the other presses of its race wait with it, so that the record has them in the order of
time, and nobody can read there what the others played before this seat has fixed its card.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.errors import Illegal
from companion.core.match.waiting.unrecorded import Instant
from companion.core.words.texts import joined, text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.core.panel import Colour
    from companion.core.timing.events import Press


UNPICKED = text("{colours}: a card is being picked by a switch; wait until it is")


class Unpicked:
    """The presses that wait for their seat's own card, one a seat, in the order they came."""

    def __init__(self) -> None:
        self._presses: dict[Colour, Press] = {}

    def __len__(self) -> int:
        return len(self._presses)

    def __iter__(self) -> Iterator[Colour]:
        return iter(self._presses)

    def __contains__(self, colour: object) -> bool:
        return colour in self._presses

    def commit(self, colour: Colour, press: Press) -> None:
        """Have a seat's press wait."""
        self._presses[colour] = press

    def take(self, colour: Colour) -> Press:
        """Give the press of a seat whose card is picked; it waits no more. Raises Illegal where none waits."""
        if colour not in self._presses:
            raise Illegal(text("{colour} has made no press that waits for its card").format(colour=colour))
        return self._presses.pop(colour)

    def of(self, colour: Colour) -> Press:
        """Give the press of a seat. Raises KeyError where none waits."""
        return self._presses[colour]

    def times(self) -> dict[Colour, int]:
        """Say when each was made."""
        return {colour: press.t_ns for colour, press in self._presses.items()}

    def instants(self) -> tuple[Instant, ...]:
        """Say which presses wait."""
        return tuple(Instant(press.t_ns, colour) for colour, press in self._presses.items())

    def verify_none(self) -> None:
        """Raises Illegal while any waits: what is asked for would go by a race that is not complete."""
        if self._presses:
            raise Illegal(UNPICKED.format(colours=joined(list(self._presses))))
