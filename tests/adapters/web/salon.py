"""A game with no race that asks in every way there is, for the pages: secret bids, a number, a die, a draw, a move of
many fields, settings by hand; with areas, clocks, a phase and drawings of its own."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from companion.core.errors import Illegal
from companion.core.panel import Colour
from companion.core.record.lines import ByHand, ChanceLine, End, Line, Setup
from companion.core.ruling.game import Adjustable, FieldValue, LineField
from companion.core.ruling.looks import ButtonFace, Card, Stroke, Symbol
from companion.core.ruling.offers import Chance, NumberEntry, Offer, Option, Step, Value
from companion.core.ruling.parameters import Choice, Parameter, Seats
from companion.core.ruling.plain_game import PlainGame
from companion.core.ruling.rulings import Outcome, Ruling
from companion.core.ruling.view import Area, Cell, Clock, Ledger, LedgerRow, View
from companion.core.timing.events import SECOND

if TYPE_CHECKING:
    from collections.abc import Sequence

SECRET_BIDS = (("cobalt moth", "saffron heron", "umber stoat"), ("teal newt", "ochre finch", "mauve carp"))
"""What each seat may bid in secret: words that stand nowhere else."""
FILES, RANKS = "abcd", "12345678901234"
POOL = ("ash", "beech", "cedar", "date", "elm")


class Bid(Line, frozen=True, tag="bid"):
    colour: Colour
    thing: str


class Pay(Line, frozen=True, tag="pay"):
    colour: Colour
    amount: int


class Move(Line, frozen=True, tag="move"):
    colour: Colour
    file: str
    rank: str


class SalonOutcome(Outcome, frozen=True, tag="outcome"):
    paid: dict[str, int]
    leaders: tuple[Colour, ...]

    def ahead(self) -> tuple[Colour, ...]:
        return self.leaders


class State(msgspec.Struct, frozen=True, kw_only=True):
    colours: tuple[Colour, ...]
    bids: tuple[tuple[Colour, str], ...] = ()
    paid: tuple[int, ...] = ()
    moved: tuple[str, ...] = ()
    rolled: tuple[str, ...] = ()
    purse: int = 12
    over: bool = False


class Salon(PlainGame[State]):
    name = "salon"
    title = "Salon"
    rolls = True
    seats = Seats(2, 2, ("Host", "Guest"))
    lines: tuple[type[Line], ...] = (Bid, Pay, Move)
    roles: tuple[str, ...] = ("north", "east", "south", "west")
    deck = (
        Card("lamp", "lamps", 4, symbol="lamp", is_counted=True),
        *(Card(f"{colour} glove", f"{colour} gloves", 1, colour, "lamp") for colour in Colour),
    )
    symbols = MappingProxyType({"lamp": Symbol((".##.",) * 7, (Stroke("M4 4H20V20H4Z"), Stroke("M2 12H22", 1.5, 45)))})
    parameters = (
        Parameter("late", "Late guests", is_variant=True),
        Parameter("reserve", "Reserve", default=True),
        Parameter("house", "House rules", "choice", "mild", (Choice("mild", "Mild"), Choice("harsh", "Harsh"))),
        Parameter("rounds", "Rounds", "number", 3, low=1, high=9),
        Parameter("catalogue", "Catalogue", "file", ""),
    )

    def ledgers(self, state: State) -> tuple[Ledger, ...]:
        rows = tuple(
            LedgerRow(self.seats.titles[index], colour, (str(paid), f"{paid * 2} <i>"))
            for index, (colour, paid) in enumerate(zip(state.colours, state.paid, strict=True))
        )
        all_paid = LedgerRow("all", None, (str(sum(state.paid)), ""))
        return (Ledger("paid", "What was paid <b>", ("coins", "worth & more"), (*rows, all_paid), "in coins"),)

    def start(self, setup: Setup) -> State:
        colours = tuple(seat.colour for seat in setup.seats)
        return State(colours=colours, paid=(0,) * len(colours))

    def buttons(self, state: State | None, seat: Colour | None) -> tuple[ButtonFace, ...]:
        return (ButtonFace("north", "lamp"), *(ButtonFace(role) for role in self.roles[1:]))

    def apply(self, state: State, line: Line) -> tuple[State, tuple[Ruling, ...]]:
        match line:
            case End():
                return replace(state, over=True), ()
            case Bid() if not self._all_bid(state) and line.colour not in dict(state.bids):
                return replace(state, bids=(*state.bids, (line.colour, line.thing))), ()
            case Pay() if self._all_bid(state):
                paid = tuple(
                    have + line.amount * (colour is line.colour)
                    for colour, have in zip(state.colours, state.paid, strict=True)
                )
                return replace(state, paid=paid), ()
            case Move():
                return replace(state, moved=(*state.moved, f"{line.file}{line.rank}")), ()
            case ChanceLine():
                return replace(state, rolled=(*state.rolled, *(line.result or ()))), ()
            case ByHand(set="purse"):
                return replace(state, purse=line.value), ()
        raise Illegal("not on offer")

    def _all_bid(self, state: State) -> bool:
        return len(state.bids) == len(state.colours)

    def offers(self, state: State) -> tuple[Offer, ...]:
        if state.over:
            return ()
        if not self._all_bid(state):
            return tuple(
                Offer("bid", colour, "your secret bid", self._bids(index, colour), is_private=True)
                for index, colour in enumerate(state.colours)
                if colour not in dict(state.bids)
            )
        first, second = state.colours[:2]
        return (
            Offer("pay", first, "how much to pay", number=NumberEntry(0, 30, lambda v: Pay(colour=first, amount=v))),
            Offer("move", second, "a move", is_stepped=True, required=False),
            Offer("die", None, "the die", chance=Chance("die"), required=False),
            Offer("draw", None, "two trees", chance=Chance("draw", POOL, 2), required=False),
        )

    def _bids(self, index: int, colour: Colour) -> tuple[Option, ...]:
        return tuple(Option(thing, Bid(colour=colour, thing=thing)) for thing in SECRET_BIDS[index])

    def step(self, state: State, offer: Offer, chosen: Sequence[str]) -> Step | Line:
        if len(chosen) == 0:
            return Step("which file", tuple(Value(one, f"file {one}") for one in FILES))
        if len(chosen) == 1:
            return Step("which rank", tuple(Value(str(one), f"rank {one}") for one in range(1, 15)))
        return Move(colour=state.colours[1], file=chosen[0], rank=chosen[1])

    def adjustable(self, state: State) -> tuple[Adjustable, ...]:
        return (Adjustable("purse", "the purse", 0, 99, state.purse),)

    def is_over(self, state: State) -> bool:
        return state.over

    def can_end(self, state: State) -> bool:
        return self._all_bid(state)

    def outcome(self, state: State) -> SalonOutcome:
        paid = {str(colour): amount for colour, amount in zip(state.colours, state.paid, strict=True)}
        return SalonOutcome(over=state.over, paid=paid, leaders=state.colours[:1])

    def describe(self, line: Line, viewer: Colour | None = None) -> str:
        if isinstance(line, Bid):
            return f"{line.colour} bids {line.thing}" if viewer is line.colour else f"{line.colour} has bid"
        if isinstance(line, Move):
            return f"{line.colour} moves to {line.file}{line.rank}"
        if isinstance(line, Pay):
            return f"{line.colour} pays {line.amount}"
        return super().describe(line, viewer)

    def fields(self, line: Line) -> tuple[LineField, ...]:
        if isinstance(line, Pay):
            return (LineField("amount", "how much", tuple(FieldValue(str(v), f"{v} coins") for v in range(31))),)
        return ()

    def view(self, state: State, viewer: Colour | None = None) -> View:
        squares = tuple(Cell(moved, state.colours[1]) for moved in state.moved)
        return View(
            scores=tuple(zip(state.colours, state.paid, strict=True)),
            score_label="coins",
            turn=state.colours[0],
            phase="paying" if self._all_bid(state) else "bidding",
            round=len(state.moved) + 1,
            areas=(
                Area("Floor", (Cell("empty"), *squares), "moves so far"),
                Area("Bowl", tuple(Cell(one) for one in state.rolled)),
            ),
            clocks=tuple(
                Clock("to think", colour, (60 + 185 * index) * SECOND, 0, is_running=False)
                for index, colour in enumerate(state.colours)
            ),
        )


SALON = Salon()
