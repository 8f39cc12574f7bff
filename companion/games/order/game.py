"""Who was first, for any game of slapping and grabbing: no cards, no rules, one round after another (`record.md`).

OPEN --press--> COLLECTING --close--> CLOSED --judge--> OPEN      OPEN --end--> OVER
CLOSED --press that was made in time--> CLOSED
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from companion.core.errors import Illegal
from companion.core.panel import POSITIONS, Colour
from companion.core.record.dead_heats import Ties
from companion.core.record.lines import Close, End, JudgeLine, Line, PressLine, Seat, Setup
from companion.core.ruling.parameters import Seats
from companion.core.ruling.plain_game import PlainGame
from companion.core.ruling.race import Race, RacePhase, is_in_time
from companion.core.ruling.ranking import rank
from companion.core.ruling.rulings import Ignored, Order, Outcome, Resume, Ruling
from companion.core.ruling.view import View
from companion.core.words.texts import text

if TYPE_CHECKING:
    from companion.core.ruling.rulings import IgnoredReason


class State(msgspec.Struct, frozen=True, kw_only=True):
    """Where a match stands. wins: times first, by seat. number: of the round that runs or comes next.

    closed_ns: until when the presses of a closed round were made.
    """

    seats: tuple[Seat, ...]
    first: Colour
    ties: Ties
    wins: tuple[int, ...]
    phase: RacePhase = RacePhase.OPEN
    number: int = 1
    presses: tuple[PressLine, ...] = ()
    closed_ns: int | None = None


class RefusedClaim(Line, frozen=True, tag="claim", forbid_unknown_fields=False):
    """A choice of cards: a record may have one, and here it is illegal (`record.md`, The game `order`)."""


class OrderOutcome(Outcome, frozen=True, tag="outcome"):
    """The `outcome` object."""

    wins: dict[str, int]
    leaders: tuple[Colour, ...]

    def ahead(self) -> tuple[Colour, ...]:
        """Give who was first most often."""
        return self.leaders


CATALOGUE = "companion.games.order"


class OrderGame(PlainGame[State]):
    """The game object that the entry point gives."""

    name = "order"
    title = "Order"
    seats = Seats(2, 5)
    lines: tuple[type[Line], ...] = (RefusedClaim,)
    words = CATALOGUE
    demo = "companion.games.order:demo.script"
    rules = "companion.games.order:rules.md"
    roles: tuple[str, ...] = POSITIONS

    @property
    def race_name(self) -> str:
        """Give what the box calls a race."""
        return self.text("Round")

    def start(self, setup: Setup) -> State:
        """Give the state before the first round, for a setup that has been verified."""
        return State(seats=setup.seats, first=setup.first, ties=setup.ties, wins=(0,) * len(setup.seats))

    def apply(self, state: State, line: Line) -> tuple[State, tuple[Ruling, ...]]:
        """Give the state after `line` and what follows from it. Raises Illegal."""
        match line:
            case PressLine():
                return _press(state, line)
            case Close():
                _demand(state, RacePhase.COLLECTING, self.text("a round is closed once, after its first press"))
                return replace(state, phase=RacePhase.CLOSED, closed_ns=line.t_ns), ()
            case JudgeLine():
                _demand(state, RacePhase.CLOSED, self.text("a round is judged after its `close`"))
                return _judge(state)
            case End():
                _demand(state, RacePhase.OPEN, self.text("a round is going on; the game may end when it is judged"))
                return replace(state, phase=RacePhase.OVER), ()
        says = self.text("the game `order` has no `{line}`")
        raise Illegal(says.format(line=line.__struct_config__.tag))

    def race(self, state: State) -> Race:
        """Tell where the round stands."""
        return Race(state.phase, state.number, state.presses, state.first, closed_ns=state.closed_ns)

    def restarted(self, state: State) -> State:
        """Give the state in which a closed round takes no more presses."""
        return replace(state, closed_ns=None)

    def is_over(self, state: State) -> bool:
        """Tell whether an `end` stands."""
        return state.phase is RacePhase.OVER

    def can_end(self, state: State) -> bool:
        """Tell whether no round is going on."""
        return state.phase is RacePhase.OPEN

    def outcome(self, state: State) -> OrderOutcome:
        """Give how often each seat was first."""
        most = max(state.wins)
        scores = self.view(state).scores
        return OrderOutcome(
            over=self.is_over(state),
            wins={str(colour): wins for colour, wins in scores},
            leaders=tuple(colour for colour, wins in scores if wins == most),
        )

    def view(self, state: State, viewer: Colour | None = None) -> View:  # noqa: ARG002 - nothing is hidden
        """Give the wins."""
        scores = tuple((seat.colour, wins) for seat, wins in zip(state.seats, state.wins, strict=True))
        return View(scores=scores, score_label=self.text("wins"))


def _demand(state: State, phase: RacePhase, refusal: str) -> None:
    if state.phase is RacePhase.OVER:
        raise Illegal(text("the game is over: only `undo` and `press` may follow `end`", CATALOGUE))
    if state.phase is not phase:
        raise Illegal(refusal)


def _press(state: State, line: PressLine) -> tuple[State, tuple[Ruling, ...]]:
    reason = _why_ignored(state, line)
    if reason:
        return state, (Ignored(colour=line.colour, role=line.role, t_ns=line.t_ns, reason=reason),)
    phase = RacePhase.CLOSED if state.phase is RacePhase.CLOSED else RacePhase.COLLECTING
    return replace(state, phase=phase, presses=(*state.presses, line)), ()


def _why_ignored(state: State, line: PressLine) -> IgnoredReason | None:
    if state.phase is RacePhase.OVER:
        return "game over"
    if all(seat.colour is not line.colour for seat in state.seats):
        return "not playing"
    if not is_in_time(state.phase, state.closed_ns, line):
        return "closed"
    return "already played" if any(press.colour is line.colour for press in state.presses) else None


def _judge(state: State) -> tuple[State, tuple[Ruling, ...]]:
    order = rank(state.presses, state.seats, state.first, state.ties, state.number)
    wins = tuple(count + (seat.colour is order[0].colour) for seat, count in zip(state.seats, state.wins, strict=True))
    rulings = (Order(race=state.number, order=order), Resume(race=state.number, reveals=None))
    return replace(state, phase=RacePhase.OPEN, number=state.number + 1, presses=(), closed_ns=None, wins=wins), rulings
