"""A game for the contract suite in which time is spent: everybody says ready, then each hands over to the next.

DEAL -> READY -> RUNNING <-> HALTED, and OVER at any time. A tile is dealt to each seat unseen, for its own eyes.
"""

from __future__ import annotations

from enum import Enum

import msgspec
from msgspec.structs import replace

from companion.core.errors import Illegal
from companion.core.panel import POSITIONS, Button, Colour
from companion.core.record.lines import ChanceLine, End, Line, Open, Setup, TimedLine
from companion.core.ruling.game import Deadline, TakingBack
from companion.core.ruling.offers import Chance, NumberEntry, Offer, Option
from companion.core.ruling.parameters import Seats
from companion.core.ruling.plain_game import PlainGame
from companion.core.ruling.rulings import Outcome, Ruling
from companion.core.ruling.view import Clock, Held, Ledger, LedgerRow, View
from companion.core.timing.events import SECOND

TURN_NS = 60 * SECOND
TILES = ("oakum", "ashlar", "elvan", "firkin", "yawl", "bayou")
MOST = 40
"""Turns after which it is over."""


class Phase(Enum):
    DEAL = "deal"
    READY = "who is ready"
    RUNNING = "running"
    HALTED = "halted"
    DONE = "done"
    OVER = "over"


class Ready(TimedLine, frozen=True, tag="ready"):
    colour: Colour


class HandOver(TimedLine, frozen=True, tag="hand-over"):
    colour: Colour


class Expired(TimedLine, frozen=True, tag="expired"):
    colour: Colour


class Halt(TimedLine, frozen=True, tag="halt"):
    """Nobody's time runs."""


class Go(TimedLine, frozen=True, tag="go"):
    """It runs again."""


class Tally(Line, frozen=True, tag="tally"):
    colour: Colour
    points: int


class TurnsOutcome(Outcome, frozen=True, tag="outcome"):
    points: dict[str, int]
    leaders: tuple[Colour, ...]

    def ahead(self) -> tuple[Colour, ...]:
        return self.leaders


class State(msgspec.Struct, frozen=True, kw_only=True):
    colours: tuple[Colour, ...]
    points: tuple[int, ...]
    phase: Phase = Phase.DEAL
    has_drawn: bool = False
    result: tuple[str, ...] | None = None
    ready: tuple[Colour, ...] = ()
    turn: int = 0
    spent: tuple[tuple[Colour, int], ...] = ()
    since_ns: int | None = None  # when the running turn began, or went on
    kept_ns: int = 0  # what it had taken when it was halted
    is_fresh: bool = False  # it has just been handed over: that goes back with a halt


class Turns(PlainGame[State]):
    name = "turns"
    title = "Turns"
    seats = Seats(2, 5)
    lines: tuple[type[Line], ...] = (Ready, HandOver, Expired, Halt, Go, Tally)
    roles: tuple[str, ...] = POSITIONS
    rolls = True

    def start(self, setup: Setup) -> State:
        colours = tuple(seat.colour for seat in setup.seats)
        return State(colours=colours, points=(0,) * len(colours), turn=colours.index(setup.first))

    def apply(self, state: State, line: Line) -> tuple[State, tuple[Ruling, ...]]:
        match line:
            case End() if state.phase is not Phase.OVER:
                return replace(state, phase=Phase.OVER), ()
            case Open() if state.phase is not Phase.OVER:
                return state, ()
            case ChanceLine() if state.phase is Phase.DEAL:
                return replace(state, phase=Phase.READY, has_drawn=True, result=line.result), ()
            case Ready() if state.phase is Phase.READY and line.colour in self._waiting(state):
                return self._readied(state, line), ()
            case HandOver() | Expired() if state.phase is Phase.RUNNING and state.colours[state.turn] is line.colour:
                return self._next(state, line), ()
            case Halt() if state.phase is Phase.RUNNING:
                return replace(state, phase=Phase.HALTED, kept_ns=_spent(state, line.t_ns), since_ns=None), ()
            case Go() if state.phase is Phase.HALTED:
                return replace(state, phase=Phase.RUNNING, since_ns=line.t_ns, is_fresh=False), ()
            case Tally() if state.phase in (Phase.RUNNING, Phase.HALTED) and line.colour in state.colours:
                return self._tallied(state, line), ()
        raise Illegal("not on offer")

    def _waiting(self, state: State) -> tuple[Colour, ...]:
        return tuple(colour for colour in state.colours if colour not in state.ready)

    def _readied(self, state: State, line: Ready) -> State:
        after = replace(state, ready=(*state.ready, line.colour))
        return after if self._waiting(after) else replace(after, phase=Phase.RUNNING, since_ns=line.t_ns)

    def _next(self, state: State, line: HandOver | Expired) -> State:
        spent = (*state.spent, (line.colour, _spent(state, line.t_ns)))
        phase = Phase.DONE if len(spent) >= MOST else Phase.RUNNING
        turn = (state.turn + 1) % len(state.colours)
        return replace(state, spent=spent, turn=turn, since_ns=line.t_ns, kept_ns=0, phase=phase, is_fresh=True)

    def _tallied(self, state: State, line: Tally) -> State:
        if not 0 <= line.points <= 50:
            raise Illegal("0 to 50 points")
        pairs = zip(state.colours, state.points, strict=True)
        points = tuple(line.points if colour is line.colour else have for colour, have in pairs)
        if sum(points) <= sum(state.points):
            raise Illegal("a tally only grows")
        return replace(state, points=points, is_fresh=False)

    def restarted(self, state: State) -> State:
        if state.phase is not Phase.RUNNING:
            return state
        return replace(state, phase=Phase.HALTED, since_ns=None, is_fresh=False)

    def offers(self, state: State) -> tuple[Offer, ...]:
        match state.phase:
            case Phase.DEAL:
                return (Offer("deal", None, "Deal the tiles", chance=Chance("tiles", TILES, 6, is_secret=True)),)
            case Phase.READY:
                return tuple(
                    Offer("ready", c, "Ready?", (_all_four("ready", Ready(colour=c), c),), required=False, at_once=True)
                    for c in self._waiting(state)
                )
            case Phase.RUNNING:
                colour = state.colours[state.turn]
                over = Offer(
                    "over", colour, "Hand over", (_all_four("hand over", HandOver(colour=colour), colour),),
                    required=False, at_once=True,
                )  # fmt: skip
                halt = Offer("halt", None, "Halt", (Option("halt", Halt()),), required=False)
                return (over, halt, *self._tallies(state))
            case Phase.HALTED:
                return (Offer("go", None, "Go on", (Option("go on", Go()),)), *self._tallies(state))
        return ()

    def _tallies(self, state: State) -> tuple[Offer, ...]:
        def entry(colour: Colour, have: int) -> NumberEntry:
            return NumberEntry(have + 1, 50, lambda points: Tally(colour=colour, points=points))

        pairs = zip(state.colours, state.points, strict=True)
        return tuple(
            Offer("tally", colour, "Your tally", number=entry(colour, have), required=False)
            for colour, have in pairs
            if have < 50
        )

    def deadline(self, state: State) -> Deadline | None:
        if state.phase is not Phase.RUNNING or state.since_ns is None:
            return None
        return Deadline(state.since_ns - state.kept_ns + TURN_NS, Expired(colour=state.colours[state.turn]))

    def taking_back(self, state: State, newest: Line) -> TakingBack:
        if state.phase is Phase.RUNNING:
            raise Illegal("halt first: while time runs, nothing is taken back")
        if isinstance(newest, Halt) and state.is_fresh:
            return TakingBack(2, Halt(t_ns=newest.t_ns))
        return TakingBack()

    def held(self, state: State) -> tuple[Held, ...]:
        if not state.has_drawn:
            return ()
        return tuple(
            Held(colour, "tiles", 1, TILES, index, 1, "your tile") for index, colour in enumerate(state.colours)
        )

    def ledgers(self, state: State) -> tuple[Ledger, ...]:
        rows = tuple(
            LedgerRow(colour.capitalize(), colour, (str(self._turns(state, colour)), f"{self._took(state, colour)} s"))
            for colour in state.colours
        )
        return (Ledger("time", "Time spent", ("turns", "seconds"), rows, "whole seconds"),)

    def _turns(self, state: State, colour: Colour) -> int:
        return sum(who is colour for who, _ in state.spent)

    def _took(self, state: State, colour: Colour) -> int:
        return sum(ns for who, ns in state.spent if who is colour) // SECOND

    def is_over(self, state: State) -> bool:
        return state.phase is Phase.OVER

    def can_end(self, state: State) -> bool:
        return state.phase is not Phase.OVER

    def is_exhausted(self, state: State) -> bool:
        return state.phase is Phase.DONE

    def outcome(self, state: State) -> TurnsOutcome:
        points = dict(zip(state.colours, state.points, strict=True))
        leaders = tuple(colour for colour in state.colours if points[colour] == max(points.values()))
        return TurnsOutcome(over=self.is_over(state), points={str(c): p for c, p in points.items()}, leaders=leaders)

    def describe(self, line: Line, viewer: Colour | None = None) -> str:
        match line:
            case Ready():
                return f"{line.colour} is ready"
            case HandOver():
                return f"{line.colour} hands over"
            case Expired():
                return f"{line.colour}'s time is up"
            case Halt():
                return "halt"
            case Go():
                return "time runs"
            case Tally():
                return f"{line.colour} tallies {line.points}"
            case ChanceLine():
                return "the tiles are dealt"
        return super().describe(line, viewer)

    def view(self, state: State, viewer: Colour | None = None) -> View:
        at_ns, runs = state.since_ns or 0, state.phase is Phase.RUNNING and state.since_ns is not None
        clocks = tuple(
            Clock("turn", colour, TURN_NS - state.kept_ns, at_ns, runs and colour is state.colours[state.turn])
            for colour in state.colours
        )
        return View(
            scores=tuple(zip(state.colours, state.points, strict=True)),
            score_label="points",
            phase=state.phase.value,
            turn=state.colours[state.turn] if state.phase is Phase.RUNNING else None,
            clocks=clocks,
        )


def _all_four(label: str, line: Line, colour: Colour) -> Option:
    first, *others = (Button(colour, position) for position in POSITIONS)
    return Option(label, line, button=first, also=tuple(others))


def _spent(state: State, t_ns: int | None) -> int:
    if t_ns is None or state.since_ns is None:
        return state.kept_ns
    return state.kept_ns + max(0, t_ns - state.since_ns)


TURNS = Turns()
