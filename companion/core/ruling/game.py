"""The contract of a game, version 2. It carries races (presses in order) and games with no race alike, and any mixture.

Everything a game gives is a pure function of its frozen state. The record, the buttons, the OLED's menus, the pages
and the voice are driven by `offers`, `race` and `view`; a new game needs its own package and an entry point, no more.
`plain_game.PlainGame` has an answer for everything that a small game has no use for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from gettext import NullTranslations

    from companion.core.panel import Colour
    from companion.core.record.lines import Line, PressLine, Setup
    from companion.core.ruling.looks import ButtonFace, Card, Symbol
    from companion.core.ruling.offers import Offer, Step
    from companion.core.ruling.parameters import DryRun, FileFault, Parameter, Sample, Seats
    from companion.core.ruling.race import Race
    from companion.core.ruling.rulings import Outcome, Ruling
    from companion.core.ruling.view import Held, Ledger, View

CONTRACT = 2
"""The version of this contract; a game of another one is refused by name."""

State = TypeVar("State")


@dataclass(frozen=True, slots=True)
class FieldValue:
    """A value that a field of a line may take: as the record has it (a text, a number, yes or no), and for people.

    Where a line leaves the field out, the first value stands.
    """

    value: str | int
    label: str


@dataclass(frozen=True, slots=True)
class LineField:
    """What in a line of a record may be replaced. name: the field's. values: all it may take, the present one too."""

    name: str
    label: str
    values: tuple[FieldValue, ...]


@dataclass(frozen=True, slots=True)
class Adjustable:
    """What the referee may set by hand: `key` as the record names it, its range and value.

    label: for people, at most 16 characters.
    """

    key: str
    label: str
    low: int
    high: int
    value: int


@dataclass(frozen=True, slots=True)
class Deadline:
    """An instant, and the line that is written when every press up to it is settled (a flag that falls)."""

    t_ns: int
    line: Line


@dataclass(frozen=True, slots=True)
class TakingBack:
    """How the newest doing of a running match is taken back.

    lines: how many of the newest standing lines go together, from 1. then: a line that is written after that, or None.
    """

    lines: int = 1
    then: Line | None = None


class Game(Protocol[State]):
    """What a game package gives as its entry point (`companion.games`: an instance)."""

    @property
    def version(self) -> int:
        """Of the contract: `CONTRACT`."""

    @property
    def edition(self) -> int:
        """Number of its rules, from 1; a record names it."""

    @property
    def name(self) -> str:
        """As the record's setup names it."""

    @property
    def title(self) -> str:
        """For people."""

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """What the setup asks, in one order."""

    @property
    def lines(self) -> tuple[type[Line], ...]:
        """Line types beyond the standard ones of the record; usually empty."""

    @property
    def seats(self) -> Seats:
        """How many may play, and what seats are called."""

    @property
    def race_name(self) -> str:
        """What one race is called; empty in a game with no race."""

    @property
    def roles(self) -> tuple[str, ...]:
        """What each of a seat's buttons is called, from the first; as `role` in the record. At most four."""

    @property
    def deck(self) -> tuple[Card, ...]:
        """The cards that a `reveal` may name, for menus, scanner and labels; () in a game without any."""

    @property
    def symbols(self) -> Mapping[str, Symbol]:
        """Drawings by name."""

    @property
    def words(self) -> str:
        """The import name of the package whose `locale/LANGUAGE.po` hold its words; empty: it speaks English alone."""

    @property
    def rolls(self) -> bool:
        """Whether it has dice or draws, so that the box commits to a seed."""

    @property
    def anticipates(self) -> bool:
        """Whether it rules on presses that were made too soon after their card, where a setup says how."""

    @property
    def demo(self) -> str:
        """A script of a short match to look at, as "PACKAGE:FILE"; empty for none."""

    @property
    def rules(self) -> str:
        """Its rules for people in the small Markdown of the help pages, as "PACKAGE:FILE"; empty for none.

        A game need not have this part: the help page then says what its buttons and its setup say.
        """

    @property
    def clauses(self) -> Mapping[str, str]:
        """Which heading of its rules each verdict and each `why` of a place goes by; a game need not have this part.

        A heading is as the English text has it, or that given to `text`: then it is told in the reader's language.
        """

    def samples(self, key: str) -> tuple[Sample, ...]:
        """Give the files that the game brings along for its parameter `key`; a game need not have this part."""

    def check_file(self, key: str, text: str) -> tuple[FileFault, ...]:
        """Give all that is wrong with a file for the parameter `key`; () where it can be played with. Nor this one."""

    def dry_run(self, key: str, text: str, record: Sequence[Line]) -> DryRun:
        """Judge a record, of any game, by a file for the parameter `key` that is in order; nor this one.

        record: its lines that stand, from the setup; lines of games that are not installed are left out.
        """

    def taking_back(self, state: State, newest: Line) -> TakingBack:
        """Tell how `newest`, the newest doing that stands, is taken back in a running match. Nor this one.

        Raises Illegal where it cannot be now, with what is to be done first.
        """

    def held(self, state: State) -> tuple[Held, ...]:
        """Give what seats have drawn unseen and still hold, for the eyes of each alone; nor this one."""

    def ledgers(self, state: State) -> tuple[Ledger, ...]:
        """Give the accounts as they stand, to be read and printed: nothing rests on what is hidden; nor this one."""

    def playing(self, setup: Setup) -> Game[State]:
        """Give the same game as a setup has it, where its cards, buttons or drawings come with a file. Nor this one.

        What plays a match is this one: its `deck`, `roles`, `symbols` and `race_name`. Raises Malformed.
        """

    def speaking(self, translation: NullTranslations) -> Game[State]:
        """Give the same game with its words for people by a translation; its rules and records are the same."""

    def start(self, setup: Setup) -> State:
        """Give the state after the setup line. Raises Malformed (a file that cannot be read) or Illegal."""

    def apply(self, state: State, line: Line) -> tuple[State, tuple[Ruling, ...]]:
        """Give the state after `line` and what follows from it.

        Never sees setup, restart, undo, or a line that decides nothing. Raises Malformed (an unknown card's name) or
        Illegal; `state` is unchanged.
        """

    def restarted(self, state: State) -> State:
        """Give the state with a new clock, whose times are not comparable with those before: nothing is timed across.

        A press then is in time no more for a race that is closed, and no press was too soon after an earlier card.
        """

    def offers(self, state: State) -> tuple[Offer, ...]:
        """Give every decision that may or must be made now, by any seat, the most urgent first."""

    def step(self, state: State, offer: Offer, chosen: Sequence[str]) -> Step | Line:
        """Give the next field of a stepped offer after the values `chosen`; the line where they are complete."""

    def deadline(self, state: State) -> Deadline | None:
        """Give the instant at which the game goes on by itself, None where it does not."""

    def adjustable(self, state: State) -> tuple[Adjustable, ...]:
        """Give what the referee may set by hand now."""

    def race(self, state: State) -> Race | None:
        """Tell where the race stands; None in a game, or a part of one, with no race."""

    def buttons(self, state: State | None, seat: Colour | None) -> tuple[ButtonFace, ...]:
        """Give what the buttons of a seat (None: any) are called and drawn as now; state None: before a match."""

    def is_over(self, state: State) -> bool:
        """Tell whether the game has ended."""

    def can_end(self, state: State) -> bool:
        """Tell whether an `end` line is legal now."""

    def is_exhausted(self, state: State) -> bool:
        """Tell whether nothing can follow but the `end` line, which the box then writes by itself."""

    def outcome(self, state: State) -> Outcome:
        """Give the `outcome` object, of a running game too."""

    def describe(self, line: Line, viewer: Colour | None = None) -> str:
        """Say in a few words what a line of the record is; `viewer` None: to everybody, nothing that is hidden."""

    def fields(self, line: Line) -> tuple[LineField, ...]:
        """Give what in a line may be replaced by another value; () where nothing may."""

    def reason(self, press: PressLine, why: str) -> tuple[str, str]:
        """Say why a press was punished: in a sentence's end, and in at most 12 characters."""

    def sentences(self, ruling: Ruling) -> tuple[str, ...] | None:
        """Give the readable account's sentences for a ruling; None where the general ones do."""

    def view(self, state: State, viewer: Colour | None = None) -> View:
        """Give what a display may show. viewer: a seat, or None for everybody: nothing rests on what is hidden then."""


AnyGame = Game[Any]
