"""The frozen state of a match of Les Apaches de Paris. Knows no rule beyond what follows from its own fields."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from msgspec.structs import replace

from companion.core.panel import Colour
from companion.games.les_apaches.rules.board import Board
from companion.games.les_apaches.rules.districts import HIDEOUTS, LEADERS, NOVICES, REINFORCEMENTS, ROUNDS, START

if TYPE_CHECKING:
    from companion.core.record.lines import Setup

Figures = tuple[int, int, int]
"""Leaders, novices, reinforcements."""
NONE: Figures = (0, 0, 0)
Streets = tuple[tuple[Figures, ...], ...]
"""Of each district, of each gang: its figures there."""


class Phase(Enum):
    """What is decided now (`les-apaches.md`, 3)."""

    DRAFT = "draft"
    TURN = "turn"
    BAIL = "bail"
    UNLAID = "unlaid"
    SHUFFLE = "shuffle"
    UNMASK = "unmask"
    SEALED = "sealed"
    DONE = "done"
    OVER = "over"


class Column(Enum):
    """What money came from or went to, as the accounts have it; the value is the place in a row."""

    MONEY = 0
    BURGLARY = 1
    THEFT = 2
    ROBBED = 3
    FENCE = 4
    BAIL = 5
    BURGHERS = 6
    POLICEMAN = 7
    FIGURES = 8
    HAND = 9


Row = tuple[int, ...]
NO_ROW: Row = (0,) * len(Column)


class Terms(msgspec.Struct, frozen=True):
    """What the setup fixed. colours: clockwise. first: the first seat. opened: the districts, ascending, 8 and 9 too.

    by_box: burghers are drawn by the box. stacks: how many hideouts of districts 1 to 9 can be taken in a round.
    """

    colours: tuple[Colour, ...]
    first: int
    opened: tuple[int, ...]
    board: Board
    by_box: bool
    stacks: tuple[int, ...]

    @property
    def quarters(self) -> tuple[int, ...]:
        """The open districts that have hideouts."""
        return self.opened[:-2]


class Gang(msgspec.Struct, frozen=True):
    """What a gang has that lies in no district.

    leaders, novices, reinforcements: its reserve. won: reinforcements for the next round. hospital, jail: leaders whose
    term ends with this round, and those whose term ends with the next. spent: novices out of the game. burghers: which
    ones of the draw, from 0. burglaries: of this round.
    """

    money: int = START
    leaders: int = LEADERS
    novices: int = NOVICES
    reinforcements: int = 0
    won: int = 0
    hospital: tuple[int, int] = (0, 0)
    jail: tuple[int, int] = (0, 0)
    killed: int = 0
    spent: int = 0
    burghers: tuple[int, ...] = ()
    burglaries: int = 0

    @property
    def reserve(self) -> Figures:
        """The figures that can be placed."""
        return self.leaders, self.novices, self.reinforcements


class Course(msgspec.Struct, frozen=True):
    """Where a round stands.

    lap: 0 in the draft, then 1 to 6. order, at: the seats in turn, and whose turn it is. acted: it has placed or moved.
    hands: of each seat, of each district: hideouts not laid yet; in the draft those it has. laid: of each district what
    has been laid there.
    """

    number: int
    first: int
    order: tuple[int, ...]
    hands: tuple[tuple[int, ...], ...]
    lap: int = 0
    at: int = 0
    acted: bool = False
    laid: tuple[tuple[str, ...], ...] = ((),) * len(HIDEOUTS)


class Deal(msgspec.Struct, frozen=True):
    """How far the order of the burghers is known. seed: the box's, once it was shown. order: () while it is hidden."""

    is_shuffled: bool = False
    n: int = 0
    by_hand: bool = False
    order: tuple[str, ...] = ()
    seed: str = ""


class Settled(NamedTuple):
    """What became of a district, for the accounts. seat: who got it, None for nobody."""

    round: int
    district: int
    loot: str | None
    seat: int | None
    francs: int
    reinforcements: int
    lost: int
    burghers: int


class State(msgspec.Struct, frozen=True, kw_only=True):
    """Where a match stands.

    asking: the district that is being settled, or the seat that is asked for the policeman. book: of each gang, of each
    round, a row of the accounts. log: what became of every district. known: pairs of districts that the table said
    touch. complete: the final accounts have been made. policeman: the seat that is known to have him.
    """

    terms: Terms
    phase: Phase = Phase.DRAFT
    course: Course
    streets: Streets
    gangs: tuple[Gang, ...]
    asking: int = 0
    book: tuple[tuple[Row, ...], ...]
    log: tuple[Settled, ...] = ()
    known: frozenset[tuple[int, int]] = frozenset()
    deal: Deal = Deal()
    complete: bool = False
    policeman: int | None = None

    @property
    def seat(self) -> int:
        """Whose turn it is, in the phases that have turns."""
        return self.course.order[self.course.at]

    @property
    def stock(self) -> int:
        """How many reinforcements nobody has."""
        out = sum(gang.reinforcements + gang.won for gang in self.gangs)
        return REINFORCEMENTS - out - sum(figures[2] for row in self.streets for figures in row)


def at_start(terms: Terms) -> State:
    """Give the state before the first hideout is taken."""
    seats = len(terms.colours)
    return State(
        terms=terms,
        course=fresh_round(terms, 1, terms.first),
        streets=((NONE,) * seats,) * len(HIDEOUTS),
        gangs=(Gang(),) * seats,
        book=((NO_ROW,) * ROUNDS,) * seats,
    )


def fresh_round(terms: Terms, number: int, first: int) -> Course:
    """Give a round in which nothing has been taken yet."""
    seats = len(terms.colours)
    order = tuple((first + n) % seats for n in range(seats))
    return Course(number=number, first=first, order=order, hands=((0,) * len(HIDEOUTS),) * seats)


def seat_of(terms: Terms, setup_colour: Colour) -> int | None:
    """Give the seat of a colour, None where it has none."""
    return terms.colours.index(setup_colour) if setup_colour in terms.colours else None


def with_gang(state: State, seat: int, gang: Gang) -> State:
    """Give the state with another gang at a seat."""
    return replace(state, gangs=(*state.gangs[:seat], gang, *state.gangs[seat + 1 :]))


def with_figures(streets: Streets, district: int, seat: int, figures: Figures) -> Streets:
    """Give the streets with other figures of a gang in a district."""
    row = streets[district - 1]
    row = (*row[:seat], figures, *row[seat + 1 :])
    return (*streets[: district - 1], row, *streets[district:])


def paid(state: State, seat: int, column: Column, francs: int) -> State:
    """Give the state in which a gang has got so many francs (or paid, below 0), and the accounts say for what."""
    gang = state.gangs[seat]
    rounds, number = state.book[seat], state.course.number - 1
    row = rounds[number]
    row = (*row[: column.value], row[column.value] + francs, *row[column.value + 1 :])
    rounds = (*rounds[:number], row, *rounds[number + 1 :])
    state = with_gang(state, seat, replace(gang, money=gang.money + francs))
    return replace(state, book=(*state.book[:seat], rounds, *state.book[seat + 1 :]))


def strength(state: State, district: int) -> dict[str, int]:
    """Count the figures in a district, by the colours of the gangs that have any there."""
    row = state.streets[district - 1]
    return {str(colour): sum(own) for colour, own in zip(state.terms.colours, row, strict=True) if any(own)}


def fit(state: State, seat: int) -> int:
    """Count a gang's figures fit for action (9.4)."""
    gang = state.gangs[seat]
    return gang.leaders + gang.novices + gang.won + sum(row[seat][0] for row in state.streets)


def by_colour(state: State, values: list[int]) -> dict[str, int]:
    """Give a value of each seat as a ruling has it."""
    return {str(colour): value for colour, value in zip(state.terms.colours, values, strict=True)}


def terms_of(setup: Setup, opened: tuple[int, ...], board: Board, *, by_box: bool) -> Terms:
    """Take over a setup that has been verified."""
    colours = tuple(seat.colour for seat in setup.seats)
    stacks = tuple(has - 1 if has and number in opened else 0 for number, has in enumerate(HIDEOUTS, start=1))
    return Terms(colours, colours.index(setup.first), opened, board, by_box, stacks)
