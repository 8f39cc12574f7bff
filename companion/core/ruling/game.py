"""The contract of a game. It carries races (presses in order) and games with no race (choices turn by turn) alike.

Everything a game gives is a pure function of its frozen state. The record, the buttons, the OLED's menus and later the
web page are driven by `decisions`, `race` and `view`; a new game needs its own package and an entry point, no more.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.core.panel import Button, Colour
    from companion.core.record.lines import Line, PressLine, Setup
    from companion.core.ruling.rulings import Ruling

State = TypeVar("State")


@dataclass(frozen=True, slots=True)
class Variant:
    """An option of the setup: `key` as the record names it, `label` for people (at most 16 characters)."""

    key: str
    label: str


@dataclass(frozen=True, slots=True)
class Option:
    """One legal choice: what it says, the line that records it, and how a panel can name it.

    group: options of one group differ only in a detail (the prisoner); a panel asks for the group first.
    group_label: for people, at most 18 characters ("3 red + a card").
    label: the whole choice for people ("3 red, from green").
    line: what choosing it appends to the record.
    button: the arcade button that names it within its group; None where none does.
    also: further arcade buttons that name the same choice.
    """

    group: str
    group_label: str
    label: str
    line: Line
    button: Button | None = None
    also: tuple[Button, ...] = ()


@dataclass(frozen=True, slots=True)
class NumberEntry:
    """A number to be entered: from `low` to `high` inclusive; `line(value)` is what it appends to the record."""

    low: int
    high: int
    line: Callable[[int], Line]


@dataclass(frozen=True, slots=True)
class Decision:
    """Somebody decides something now.

    kind: "reveal", "claim", …: the same word for the same sort of decision throughout a game.
    seat: who decides; None: whoever is at the box (the referee).
    prompt: for people, at most 20 characters.
    options: all legal choices; one legality check serves buttons, web, replay and tests.
    number: a number to be entered instead, or None.
    required: True where play cannot go on without it.
    """

    kind: str
    seat: Colour | None
    prompt: str
    options: tuple[Option, ...] = ()
    number: NumberEntry | None = None
    required: bool = True


class RacePhase(Enum):
    """What a press means now, in a game that races."""

    WAITING = "waiting"  # does not count until a card has been entered
    OPEN = "open"  # begins a race
    COLLECTING = "collecting"  # joins the race, once a seat
    CLOSED = "closed"  # too late; the race waits for its judging
    SETTLING = "settling"  # too late; claims are being settled
    OVER = "over"  # the game has ended


@dataclass(frozen=True, slots=True)
class Race:
    """Where a race stands.

    number: of the race that runs or comes next (1, 2, …).
    presses: those that count in it, in the order of the record.
    revealer: the seat that dead heats are counted from, clockwise.
    card: the newest card entered, None where there is none or the game has no cards.
    card_t_ns: its time, None where it was not timed.
    card_joined: True where the card was entered after the race's first press.
    takes_card: True where one more card may be entered into this race now.
    """

    phase: RacePhase
    number: int
    presses: tuple[PressLine, ...]
    revealer: Colour
    card: str | None = None
    card_t_ns: int | None = None
    card_joined: bool = False
    takes_card: bool = False


@dataclass(frozen=True, slots=True)
class View:
    """What a display may show of a state between races; every text fits 20 characters.

    scores: a number per seat, in seat order, and `score_label` what it counts ("cards", "wins").
    table: what lies face up, grouped: label and count, most useful first.
    turn: whose turn it is to reveal or act, None where nobody's.
    hidden: number of cards not yet revealed, None in a game without cards.
    """

    scores: tuple[tuple[Colour, int], ...]
    score_label: str
    table: tuple[tuple[str, int], ...] = ()
    turn: Colour | None = None
    hidden: int | None = None


@dataclass(frozen=True, slots=True)
class Claimable:
    """Face-up cards that are taken together: label and count of each, and which hand cards could take them now.

    says: the cards for people ("3 stones"). by: buttons' labels; () where nobody could.
    """

    says: str
    cards: tuple[tuple[str, int], ...]
    by: tuple[str, ...] = ()


class Game(Protocol[State]):
    """What a game package gives as its entry point (`companion.games`: an instance)."""

    name: str
    """As the record's setup names it."""
    title: str
    """For people."""
    min_seats: int
    max_seats: int
    variants: tuple[Variant, ...]
    extra_lines: tuple[type[Line], ...]
    """Line types beyond the standard ones of the record; usually empty."""

    race_name: str
    """What one race is called; empty in a game with no race."""
    roles: tuple[str, ...]
    """What each of a seat's buttons is called, from the first; as `role` in the record. At most four."""

    def start(self, setup: Setup) -> State:
        """Give the state after the setup line. Raises Malformed or Illegal."""

    def apply(self, state: State, line: Line) -> tuple[State, tuple[Ruling, ...]]:
        """Give the state after `line` and what follows from it.

        Never sees setup, remark or undo. Raises Malformed (an unknown card's name) or Illegal; `state` is unchanged.
        """

    def decisions(self, state: State) -> tuple[Decision, ...]:
        """Give what may or must be decided now, the most urgent first."""

    def race(self, state: State) -> Race | None:
        """Tell where the race stands; None in a game with no race."""

    def is_over(self, state: State) -> bool:
        """Tell whether the game has ended."""

    def can_end(self, state: State) -> bool:
        """Tell whether an `end` line is legal now."""

    def is_exhausted(self, state: State) -> bool:
        """Tell whether nothing can follow but the `end` line, which the box then writes by itself."""

    def outcome(self, state: State) -> Ruling:
        """Give the `outcome` object, of a running game too."""

    def sentences(self, ruling: Ruling) -> tuple[str, ...] | None:
        """Give the readable account's sentences for a ruling; None where the general ones do."""

    def view(self, state: State) -> View:
        """Give what a display may show between races."""

    def claims(self, state: State) -> tuple[Claimable, ...]:
        """Give what lies face up, grouped by what can be claimed; () in a game where nothing can."""
