"""What a display may show of a game between races. Pure data; knows no display and no game."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.core.panel import Colour


@dataclass(frozen=True, slots=True)
class CardGroup:
    """Cards that belong together on the table: the name and count of each.

    says: the cards for people ("3 stones"). by: buttons' names, by the game, that could take them now; () for none.
    """

    says: str
    cards: tuple[tuple[str, int], ...]
    by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Cell:
    """A place of an area: what stands there, for people, and whose it is (None: nobody's)."""

    text: str
    owner: Colour | None = None


@dataclass(frozen=True, slots=True)
class Area:
    """A part of the board or table that has a name. note: what is to be known of it, empty for nothing."""

    name: str
    cells: tuple[Cell, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Clock:
    """A clock of a game: what is left of it at an instant, and whether it runs.

    seat: whose it is, None where everybody's. left_ns: what was left at `at_ns`, on the clock of the record; below 0
    where more than all has been spent. held_ns: it stands still so long first, once it runs. pace: how many
    nanoseconds are spent in how many that pass, fewer than 0 where it receives (None: one in one while it runs, none
    else). flag: the place in the order in which times ran out, 1 for the first; None where its has not. low_ns: from
    there on it is told that little is left; 0: never.
    """

    label: str
    seat: Colour | None
    left_ns: int
    at_ns: int
    is_running: bool
    held_ns: int = 0
    pace: tuple[int, int] | None = None
    flag: int | None = None
    low_ns: int = 0

    @property
    def rate(self) -> tuple[int, int]:
        """How many nanoseconds are spent in how many that pass."""
        return self.pace if self.pace is not None else (int(self.is_running), 1)

    def left(self, now_ns: int) -> int:
        """Give what is left at an instant, to be shown."""
        spent, passing = self.rate
        held = self.held_ns if self.is_running else 0
        return self.left_ns - max(0, now_ns - self.at_ns - held) * spent // passing

    def as_of(self, now_ns: int) -> Clock:
        """Give the clock as it stands at an instant, for a picture."""
        passed = max(0, now_ns - self.at_ns) if self.is_running else 0
        held_ns = max(0, self.held_ns - passed)
        return replace(self, left_ns=self.left(now_ns), at_ns=now_ns, held_ns=held_ns)


@dataclass(frozen=True, slots=True)
class View:
    """What a display may show of a state between races; every text fits 20 characters, a hint 25.

    scores: a number per seat, in seat order, and `score_label` what it counts ("cards", "wins").
    table: what lies face up: name and count, most useful first. groups: the same by what can be done with it.
    turn: whose turn it is to reveal or act, None where nobody's.
    hidden: number of cards not yet revealed, None in a game without cards.
    phase, round: where the game stands, empty and None where it has no such thing.
    hints: what a table that plays for the first time needs to know, while there is nothing else to show.
    """

    scores: tuple[tuple[Colour, int], ...]
    score_label: str
    table: tuple[tuple[str, int], ...] = ()
    groups: tuple[CardGroup, ...] = ()
    turn: Colour | None = None
    hidden: int | None = None
    phase: str = ""
    round: int | None = None
    areas: tuple[Area, ...] = ()
    clocks: tuple[Clock, ...] = ()
    hints: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """One row of an account: what it is about, whose it is (None: nobody's), and a value for each column, written."""

    label: str
    owner: Colour | None
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ledger:
    """An account as a table, to be read on a page and printed: what each seat got for what, round by round.

    key: of this table within the game, a word. columns: the headings after the first, which is the rows' own. rows:
    each with as many values as there are columns. note: what is to be known of it, empty for nothing.
    """

    key: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[LedgerRow, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Held:
    """What a seat has drawn unseen from a secret chance: the box, which has the seed, shows it to that seat alone.

    seat: whose it is. chance, n: which roll of the match, as its line names it. items: the pool it was dealt from, in
    the game's order. first, count: which of the dealt ones, from 0. label: what they are to the seat, for people.
    """

    seat: Colour
    chance: str
    n: int
    items: tuple[str, ...]
    first: int
    count: int
    label: str
