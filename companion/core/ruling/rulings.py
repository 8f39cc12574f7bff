"""What the box concludes from a record: the "lines out" of `record.md`. A game adds its own outcome.

Field order here is the order in the JSON. `msgspec.UNSET` leaves a field out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from companion.core.panel import Colour
from companion.core.words.texts import text

if TYPE_CHECKING:
    from companion.core.words.texts import Text

IgnoredReason = Literal["already played", "closed", "not playing", "nothing revealed", "game over"]
IGNORED: dict[str, Text] = {
    "already played": text("already played"),
    "closed": text("closed"),
    "not playing": text("not playing"),
    "nothing revealed": text("nothing revealed"),
    "game over": text("game over"),
}
"""Why a press does not count, by the word of the record."""
Verdict = Literal["claim", "punish"]


class Ruling(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """One object of the output of `companion replay --json`."""

    def is_alarm(self) -> bool:
        """Tell whether everybody is to hear of it at once: a time that has run out."""
        return False


class Ignored(Ruling, frozen=True, tag="ignored"):
    """A press that does not count, and why."""

    colour: Colour
    role: str
    t_ns: int
    reason: IgnoredReason


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the order. `gap_ns` is behind place 1 by raw times; negative where an allowance moved it back.

    tied_with: whom the times cannot tell it from, in seat order; `dead_heat` tells whether there is anybody.
    anticipated: whether it was made too soon after its card; only where the setup says what becomes of it then.
    """

    place: int
    colour: Colour
    role: str
    t_ns: int
    gap_ns: int
    verdict: str | None = None
    why: str | None = None
    dead_heat: bool = False
    tied_with: tuple[Colour, ...] = ()
    anticipated: bool | msgspec.UnsetType = msgspec.UNSET


class Order(Ruling, frozen=True, tag="order"):
    """The final order of race `race` (1, 2, …)."""

    race: int
    order: tuple[Place, ...]


class Settled(Ruling, frozen=True, tag="settled"):
    """One player's turn in the order is done. A game's own says more, and tells displays what by the methods.

    result: "punished", "nothing", or the game's word for what was achieved ("claimed").
    """

    race: int
    colour: Colour
    role: str
    result: str

    def moved(self) -> tuple[str, ...]:
        """Give the names of the cards that were taken, or given up where it was a punishment."""
        return ()

    def note(self) -> str:
        """Say what else came of it, in a few words; empty for nothing."""
        return ""


class Resume(Ruling, frozen=True, tag="resume"):
    """The last one is settled; `reveals` turns the next card (None in a game without cards)."""

    race: int
    reveals: Colour | None


class Undone(Ruling, frozen=True, tag="undone"):
    """Line number `line` (1 is the setup) was taken back."""

    line: int


class Outcome(Ruling, frozen=True, tag="outcome"):
    """How the game stands; a game's own outcome says more, usually `leaders` (colours, in seat order).

    over: an `end` stands.
    """

    over: bool

    def ahead(self) -> tuple[Colour, ...]:
        """Give who leads, or has won where the game is over, in seat order; () in a game in which nobody can."""
        return ()


class Fault(Ruling, frozen=True, tag="error"):
    """The record ends here: line `line` is malformed or illegal."""

    line: int
    kind: Literal["malformed", "illegal"]
    message: str
