"""A tiny game with no race, for the contract suite: Nim. A turn is a choice (the heap) and a number (how many)."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from companion.core.errors import Illegal
from companion.core.panel import POSITIONS, Colour
from companion.core.record.lines import End, Line, Setup
from companion.core.ruling.offers import NumberEntry, Offer, Option
from companion.core.ruling.parameters import Parameter, Seats
from companion.core.ruling.plain_game import PlainGame
from companion.core.ruling.rulings import Outcome, Ruling
from companion.core.ruling.view import View


class HeapLine(Line, frozen=True, tag="heap"):
    colour: Colour
    heap: str


class TakeLine(Line, frozen=True, tag="take"):
    colour: Colour
    count: int


class Taken(Ruling, frozen=True, tag="taken"):
    colour: Colour
    count: int
    left: int


class NimOutcome(Outcome, frozen=True, tag="outcome"):
    taken: dict[str, int]
    leaders: tuple[Colour, ...]

    def ahead(self) -> tuple[Colour, ...]:
        return self.leaders


class State(msgspec.Struct, frozen=True, kw_only=True):
    colours: tuple[Colour, ...]
    turn: int
    heaps: tuple[tuple[str, int], ...]
    taken: tuple[int, ...]
    chosen: str | None = None
    last: Colour | None = None
    misere: bool = False
    over: bool = False


class Nim(PlainGame[State]):
    name = "nim"
    title = "Nim"
    seats = Seats(2, 5)
    parameters = (Parameter("misere", "Misère", is_variant=True),)
    lines: tuple[type[Line], ...] = (HeapLine, TakeLine)
    roles: tuple[str, ...] = POSITIONS

    def start(self, setup: Setup) -> State:
        colours = tuple(seat.colour for seat in setup.seats)
        return State(
            colours=colours,
            turn=colours.index(setup.first),
            heaps=(("three", 3), ("four", 4), ("five", 5)),
            taken=(0,) * len(colours),
            misere="misere" in (setup.variants or ()),
        )

    def apply(self, state: State, line: Line) -> tuple[State, tuple[Ruling, ...]]:
        if state.over:
            raise Illegal("the game is over")
        match line:
            case End():
                return replace(state, over=True), ()
            case HeapLine() if state.chosen is None and dict(state.heaps).get(line.heap):
                self._check_turn(state, line.colour)
                return replace(state, chosen=line.heap), ()
            case TakeLine() if state.chosen is not None:
                self._check_turn(state, line.colour)
                return self._take(state, state.chosen, line.count)
        raise Illegal("not on offer")

    def _check_turn(self, state: State, colour: Colour) -> None:
        if state.colours[state.turn] is not colour:
            raise Illegal(f"it is {state.colours[state.turn]}'s turn")

    def _take(self, state: State, heap: str, count: int) -> tuple[State, tuple[Ruling, ...]]:
        left = dict(state.heaps)
        if not 1 <= count <= left[heap]:
            raise Illegal(f"take 1 to {left[heap]}")
        left[heap] -= count
        colour = state.colours[state.turn]
        after = replace(
            state,
            heaps=tuple(left.items()),
            chosen=None,
            taken=tuple(have + count * (seat == state.turn) for seat, have in enumerate(state.taken)),
            turn=(state.turn + 1) % len(state.colours),
            last=None if any(left.values()) else colour,
        )
        return after, (Taken(colour=colour, count=count, left=left[heap]),)

    def offers(self, state: State) -> tuple[Offer, ...]:
        colour = state.colours[state.turn]
        left = dict(state.heaps)
        if state.over or not any(left.values()):
            return ()
        if state.chosen is not None:
            entry = NumberEntry(1, left[state.chosen], lambda count: TakeLine(colour=colour, count=count))
            return (Offer("take", colour, "How many?", number=entry),)
        options = tuple(Option(heap, HeapLine(colour=colour, heap=heap)) for heap in left if left[heap])
        return (Offer("heap", colour, "Which heap?", options),)

    def is_over(self, state: State) -> bool:
        return state.over

    def can_end(self, state: State) -> bool:
        return not state.over

    def is_exhausted(self, state: State) -> bool:
        return not state.over and state.last is not None

    def outcome(self, state: State) -> NimOutcome:
        taken = {str(colour): count for colour, count in zip(state.colours, state.taken, strict=True)}
        won = () if state.last is None else tuple(c for c in state.colours if (c is state.last) is not state.misere)
        return NimOutcome(over=state.over, taken=taken, leaders=won)

    def sentences(self, ruling: Ruling) -> tuple[str, ...] | None:
        if isinstance(ruling, Taken):
            return (f"{ruling.colour} takes {ruling.count}, {ruling.left} left.",)
        return None

    def describe(self, line: Line, viewer: Colour | None = None) -> str:
        match line:
            case HeapLine():
                return f"{line.colour} takes from the heap {line.heap}"
            case TakeLine():
                return f"{line.colour} takes {line.count}"
        return super().describe(line, viewer)

    def view(self, state: State, viewer: Colour | None = None) -> View:
        return View(
            scores=tuple(zip(state.colours, state.taken, strict=True)),
            score_label="taken",
            table=state.heaps,
            turn=None if state.over else state.colours[state.turn],
        )


NIM = Nim()
