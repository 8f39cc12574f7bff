"""The clock as the contract of a game wants it: everything it shows and asks, in the words of a language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.core.errors import Illegal
from companion.core.panel import POSITIONS, Colour
from companion.core.ruling.game import Deadline, FieldValue, LineField, TakingBack
from companion.core.ruling.parameters import Seats
from companion.core.ruling.plain_game import PlainGame
from companion.games.clock import asked, by_hand, choices, judging, shown, wording
from companion.games.clock.lines import LINES, ClockOutcome, Done, Fall, Pass, Pause, Score, Times
from companion.games.clock.running import next_fall
from companion.games.clock.state import Back, Phase, State, Turns, begun, those_in
from companion.games.clock.symbols import SYMBOLS

if TYPE_CHECKING:
    from companion.core.record.lines import Line, Setup
    from companion.core.ruling.game import Adjustable
    from companion.core.ruling.looks import ButtonFace
    from companion.core.ruling.offers import Offer
    from companion.core.ruling.parameters import Parameter
    from companion.core.ruling.rulings import Ruling
    from companion.core.ruling.view import Ledger, View


class ClockGame(PlainGame[State]):
    """The game object that the entry point gives."""

    name = "clock"
    seats = Seats(2, 5)
    lines: tuple[type[Line], ...] = LINES
    roles: tuple[str, ...] = POSITIONS
    symbols = SYMBOLS
    words = "companion.games.clock"
    demo = "companion.games.clock:demo.script"
    rules = "companion.games.clock:rules.md"

    @property
    def title(self) -> str:
        """Give its name for people."""
        return self.text("Clock")

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Give what the setup asks."""
        return asked.parameters(self.text)

    def start(self, setup: Setup) -> State:
        """Give the state before the first move."""
        return begun(asked.terms_of(setup))

    def apply(self, state: State, line: Line) -> tuple[State, tuple[Ruling, ...]]:
        """Give the state after `line` and what follows from it. Raises Illegal."""
        return judging.apply(state, line)

    def restarted(self, state: State) -> State:
        """Give the state paused at the values last recorded: nothing is timed across a new clock."""
        phase = Phase.PAUSED if state.phase is Phase.RUNNING else state.phase
        return replace(state, phase=phase, now=None, marks=(), back=Back())

    def deadline(self, state: State) -> Deadline | None:
        """Give the instant at which the next flag falls."""
        found = next_fall(state)
        if found is None:
            return None
        seat, fall_ns = found
        return Deadline(fall_ns, Fall(colour=state.terms.colours[seat], t_ns=fall_ns))

    def taking_back(self, state: State, newest: Line) -> TakingBack:
        """Take back while the clocks stand only, with a pause as of the instant of what is taken back."""
        if state.phase is Phase.RUNNING:
            raise Illegal(self.text("the clocks run: pause them first"))
        back = state.back
        then = Pause(t_ns=state.now if back.is_same else back.t_ns) if back.pauses else None
        if isinstance(newest, Pause):
            return TakingBack(2, then)
        return TakingBack(1, then if isinstance(newest, (Done, Pass, Fall)) else None)

    def offers(self, state: State) -> tuple[Offer, ...]:
        """Give what each seat's buttons do, and what whoever is at the box may do."""
        return choices.offers(state, self.text)

    def adjustable(self, state: State) -> tuple[Adjustable, ...]:
        """Give what may be set by hand: nothing while the clocks run."""
        return by_hand.adjustable(state, self.text)

    def buttons(self, state: State | None, seat: Colour | None) -> tuple[ButtonFace, ...]:
        """Give what the four buttons do now."""
        known = None if state is None or seat is None or seat not in state.terms.colours else seat
        index = None if state is None or known is None else state.terms.colours.index(known)
        return choices.buttons(state, index, self.text)

    def ledgers(self, state: State) -> tuple[Ledger, ...]:
        """Give what everybody has used, and the newest turns."""
        return shown.ledgers(state, self.text)

    def is_over(self, state: State) -> bool:
        """Tell whether an `end` stands."""
        return state.is_over

    def can_end(self, state: State) -> bool:
        """Tell whether the clocks stand."""
        return not state.is_over and state.phase is not Phase.RUNNING

    def outcome(self, state: State) -> ClockOutcome:
        """Give everybody's times, points, and who leads."""
        pairs = tuple(zip(state.terms.colours, state.seats, strict=True))
        return ClockOutcome(
            over=state.is_over,
            times={str(c): Times(s.left, s.spent, s.longest, s.over, s.moves) for c, s in pairs},
            fallen=tuple(state.terms.colours[seat] for seat in state.fallen),
            rounds=0 if state.terms.turns is Turns.ONE else state.round - 1,
            scores={str(colour): seat.score for colour, seat in pairs if seat.score is not None},
            leaders=leaders(state),
        )

    def describe(self, line: Line, viewer: Colour | None = None) -> str:  # noqa: ARG002 - nothing is hidden
        """Say what a line is."""
        return wording.describe(line, self.text)

    def fields(self, line: Line) -> tuple[LineField, ...]:
        """Give whose points were meant."""
        if not isinstance(line, Score):
            return ()
        return (LineField("colour", self.text("whose"), tuple(FieldValue(one, one.says) for one in Colour)),)

    def sentences(self, ruling: Ruling) -> tuple[str, ...] | None:
        """Give the account's sentences for what is a clock's own."""
        return wording.sentences(ruling, self.text)

    def view(self, state: State, viewer: Colour | None = None) -> View:  # noqa: ARG002 - nothing is hidden
        """Give every clock, whose turn it is, and points."""
        return shown.view_of(state, self.text)


def leaders(state: State) -> tuple[Colour, ...]:
    """Give who has most points of those who are in; where nobody has any, the only one who is in."""
    colours, left = state.terms.colours, those_in(state)
    if all(clock.score is None for clock in state.seats):
        return (colours[left[0]],) if len(left) == 1 else ()
    scores = [(score, seat) for seat in left if (score := state.seats[seat].score) is not None]
    most = max((score for score, _ in scores), default=None)
    return tuple(colours[seat] for score, seat in scores if score == most)
