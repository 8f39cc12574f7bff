"""What may or must be decided now: choices, numbers, chance, choices of many fields. Pure data; knows no game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from companion.core.record.lines import TimedLine

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.core.panel import Button, Colour
    from companion.core.record.lines import Line

REVEAL = "reveal"
"""The kind of an offer whose options are `reveal` lines: cards that may be entered by knob, page or scanner."""


@dataclass(frozen=True, slots=True)
class Option:
    """One legal choice: what it says, the line that records it, and how a panel can name it.

    label: the whole choice for people ("3 red, from green").
    line: what choosing it appends to the record.
    group: options of one group differ only in a detail; a panel asks for the group first. Empty: of its own.
    group_label: for people, at most 18 characters ("3 red + a card").
    button: the arcade button that names it within its group; None where none does.
    also: further arcade buttons that name the same choice.
    """

    label: str
    line: Line
    group: str = ""
    group_label: str = ""
    button: Button | None = None
    also: tuple[Button, ...] = ()

    @property
    def key(self) -> str:
        """A name that no other choice of the game has: the line's type and all its fields."""
        return line_key(self.line)


@dataclass(frozen=True, slots=True)
class NumberEntry:
    """A number to be entered: from `low` to `high` inclusive; `line(value)` is what it appends to the record.

    start: what counting begins at; None: at `low`.
    """

    low: int
    high: int
    line: Callable[[int], Line]
    start: int | None = None

    @property
    def begins_at(self) -> int:
        """The number that stands there before anybody has counted."""
        return self.low if self.start is None else self.start


@dataclass(frozen=True, slots=True)
class Chance:
    """Dice or a draw: made by the box from its committed seed, or made by hand and entered.

    name: of this sort of chance ("die", "draw"); its rolls are counted by name.
    items: the pool that `count` of them are dealt from, in the game's order; () for a die of six sides.
    count: how many are dealt (1 to the number of items); 1 for a die.
    is_secret: the result is not in its line; the state holds its place until it is shown.
    """

    name: str
    items: tuple[str, ...] = ()
    count: int = 1
    is_secret: bool = False

    @property
    def outcomes(self) -> tuple[str, ...]:
        """Give what may come out: the pool, or a die's numbers."""
        return self.items or DIE


DIE = ("1", "2", "3", "4", "5", "6")


@dataclass(frozen=True, slots=True)
class Offer:
    """Somebody may or must decide something now.

    kind: "claim", "bid", …: the same word for the same sort of decision throughout a game; `REVEAL` for cards.
    seat: who decides; None: whoever is at the box (the referee).
    prompt: for people, at most 20 characters.
    options: all legal choices; one legality check serves buttons, web, replay and tests.
    number: a number to be entered instead, or None.
    chance: dice or a draw instead, or None.
    is_stepped: True where the choice has many fields and `Game.step` asks for them one by one; `options` is () then.
    required: True where play cannot go on without it.
    is_private: its options are shown to that seat alone, or named by its buttons blind.
    hint: how a button names an option, for people, at most 25 characters ("press the bird's button").
    at_once: the seat's own buttons pick its options by one press, whatever is on the display (the end of a turn). Of
        no seat, with one option: one push of the knob does.
    """

    kind: str
    seat: Colour | None
    prompt: str
    options: tuple[Option, ...] = ()
    number: NumberEntry | None = None
    chance: Chance | None = None
    is_stepped: bool = False
    required: bool = True
    is_private: bool = False
    hint: str = ""
    at_once: bool = False


@dataclass(frozen=True, slots=True)
class Value:
    """One value of a field that `Game.step` asks for: `key` is handed back in `chosen`, `label` is for people."""

    key: str
    label: str
    button: Button | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """The next field of a stepped offer: at most `MOST_VALUES` values, each of which can be completed.

    prompt: for people, at most 20 characters.
    """

    prompt: str
    values: tuple[Value, ...]


MOST_VALUES = 20
_REMARKS = frozenset({"wall"})
_TIMES = frozenset({"wall", "t_ns", "error_ns"})


def line_key(line: Line) -> str:
    """Name what a line records by its type and all its fields ("bid red 4 -"); None as "-". When it was is left out."""
    unnamed = _TIMES if isinstance(line, TimedLine) else _REMARKS
    fields = (getattr(line, field.name) for field in msgspec.structs.fields(line) if field.name not in unnamed)
    values = ("-" if value is None else str(value) for value in fields)
    return " ".join((str(line.__struct_config__.tag), *values))
