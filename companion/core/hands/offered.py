"""What a seat that plays by a switch is offered, as values; and who says so. Knows no menu, no clock, and no game.

CARD    its press has stopped its clock: its cards, for itself alone; what was offered last is played
TIMED   one of several things that a button would do at once: with the time of the press that began the scan
ASKED   what the box asks of this seat: offered by itself, until it is picked
CALLED  what it may do and need not: offered once it presses
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple, Protocol

from companion.core.words.texts import joined

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from companion.core.panel import Button, Colour
    from companion.core.shown.own_presses import PressFate
    from companion.core.timing.events import Press


class Kind(Enum):
    """Why something is offered."""

    CARD = "its card of a race"
    TIMED = "what a press of its own began"
    ASKED = "what the box asks it"
    CALLED = "what it may do"

    @property
    def must_end(self) -> bool:
        """Tell whether what was offered last is done where nothing is picked."""
        return self in (Kind.CARD, Kind.TIMED)


class At(NamedTuple):
    """When something was picked. is_own: by its switch; else nothing was, and it was offered last."""

    t_ns: int
    error_ns: int
    is_own: bool


class Item(NamedTuple):
    """One thing that is offered, and what picking it does. label: what it is, whatever its value is now."""

    label: str
    act: Callable[[At], None]
    value: str = ""

    @property
    def says(self) -> str:
        """Give all that it says."""
        return joined([part for part in (self.label, self.value) if part], " ")


@dataclass(frozen=True, slots=True)
class Offered:
    """What is offered. key: the same as long as it is the same question. title: what it is about.

    after: the key of a question of which picking leads here, so that this is offered at once; None: once it presses.
    """

    kind: Kind
    key: object
    title: str
    items: tuple[Item, ...]
    is_private: bool = False
    after: object = None


class Place(Protocol):
    """Where a seat's presses go: a match, or the seating before one."""

    def offered(self, colour: Colour) -> Offered | None:
        """Give what a seat is offered, or could call for; None where a press of it is what a button's is."""

    def before(self, press: Press) -> None:
        """What was due before a press comes first. Raises CompanionError where a game fails."""

    def note(self, button: Button, t_ns: int, fate: PressFate) -> None:
        """Note what became of a press, for whoever made it."""

    def refuse(self, why: str) -> None:
        """Say that something cannot be done."""

    def tell(self, says: str) -> None:
        """Show a short message for a while."""


def labels(items: Iterable[Item]) -> tuple[str, ...]:
    """Give what each is, whatever their values are."""
    return tuple(item.label for item in items)
