"""A game for the contract suite that uses every part of the contract; nobody would want to play it.

Each round: everybody bids in secret; who bid most stakes a number against the clock while the others may double; makes
one of 200 moves; rolls a die; draws a card that only its owner sees; then a card is revealed, and all race for it.

BID -> STAKE -> MOVE -> ROLL -> DRAW -> RACE -> BID … -> DONE --end--> OVER
"""

from __future__ import annotations

from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from companion.core.errors import Illegal, Malformed
from companion.core.panel import POSITIONS, Button, Colour
from companion.core.record.lines import (
    ByHand,
    ChanceLine,
    Close,
    End,
    JudgeLine,
    Line,
    Open,
    PressLine,
    Reveal,
    Setup,
    TimedLine,
)
from companion.core.ruling.chance import drawn
from companion.core.ruling.game import Adjustable, Deadline, FieldValue, LineField, TakingBack
from companion.core.ruling.looks import ButtonFace, Card, Stroke, Symbol
from companion.core.ruling.offers import REVEAL, Chance, NumberEntry, Offer, Option, Step, Value
from companion.core.ruling.parameters import Choice, Difference, DryRun, FileFault, Parameter, Sample, Seats, setting
from companion.core.ruling.plain_game import PlainGame
from companion.core.ruling.race import Race, RacePhase, is_in_time
from companion.core.ruling.ranking import rank
from companion.core.ruling.rulings import Ignored, Order, Outcome, Ruling
from companion.core.ruling.view import Area, CardGroup, Cell, Clock, Held, Ledger, LedgerRow, View
from companion.core.timing.events import SECOND

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core.ruling.rulings import IgnoredReason

COLUMNS, ROWS = 20, 10
BIDS = ("0", "1", "2", "3")
POOL = ("sun", "moon", "star", "sun", "comet")
SAMPLES = (
    Sample("narrow.txt", "A narrow board", "tests.contract:boards/narrow.txt"),
    Sample("wide.txt", "A wide board", "tests.contract:boards/wide.txt"),
)
STAKE_NS = 20 * SECOND
BELL = Symbol(("..##..", ".####.", ".####.", ".####.", "######", "..##..", "......"), (Stroke("M4 18h16l-8 -14z"),))


class Phase(Enum):
    BID = "secret bids"
    STAKE = "the stake"
    MOVE = "the move"
    ROLL = "the die"
    DRAW = "the draw"
    RACE = "the race"
    DONE = "all is done"
    OVER = "over"


class Bid(Line, frozen=True, tag="bid"):
    colour: Colour
    bid: str


class Stake(Line, frozen=True, tag="stake"):
    colour: Colour
    stake: int


class Double(TimedLine, frozen=True, tag="double"):
    colour: Colour


class Move(Line, frozen=True, tag="move"):
    colour: Colour
    column: int
    row: int


class Nod(TimedLine, frozen=True, tag="nod"):
    """Somebody else has seen the move, or need not."""

    colour: Colour


class Late(Line, frozen=True, tag="late"):
    """The stake was not named in time."""


class Bids(Ruling, frozen=True, tag="bids"):
    bids: dict[str, str]
    leads: Colour


class EverythingOutcome(Outcome, frozen=True, tag="outcome"):
    scores: dict[str, int]
    leaders: tuple[Colour, ...]

    def ahead(self) -> tuple[Colour, ...]:
        return self.leaders


class State(msgspec.Struct, frozen=True, kw_only=True):
    setup: Setup
    rounds: int
    scores: tuple[int, ...]
    phase: Phase = Phase.BID
    round: int = 1
    bids: tuple[tuple[Colour, str], ...] = ()
    leader: Colour | None = None
    stake: int = 0
    doubles: tuple[Colour, ...] = ()
    nods: tuple[Colour, ...] = ()
    moves: tuple[tuple[int, int, Colour], ...] = ()
    draws: tuple[tuple[Colour, int, tuple[str, ...] | None], ...] = ()  # whose, which draw, what came out
    seed: str | None = None
    cards: tuple[str, ...] = ()
    race: RacePhase = RacePhase.WAITING
    presses: tuple[PressLine, ...] = ()
    closed_ns: int | None = None

    def __hash__(self) -> int:  # a setup holds a dictionary
        return hash(
            (self.phase, self.round, self.scores, self.bids, self.doubles, self.moves, self.cards, self.presses)
        )

    @property
    def colours(self) -> tuple[Colour, ...]:
        return tuple(seat.colour for seat in self.setup.seats)

    @property
    def waiting(self) -> tuple[Colour, ...]:
        """Who has not bid yet."""
        return tuple(colour for colour in self.colours if colour not in dict(self.bids))


class Everything(PlainGame[State]):
    name = "everything"
    title = "Everything"
    seats = Seats(2, 3, ("Army", "Navy", "Guild"))
    parameters: tuple[Parameter, ...] = (
        Parameter("rounds", "Rounds", "number", 2, low=1, high=3),
        Parameter("mood", "Mood", "choice", "calm", (Choice("calm", "calm"), Choice("wild", "wild"))),
        Parameter("doubles", "Doubling", "yes-no", default=True),
        Parameter("open-bids", "Open bids", is_variant=True),
        Parameter("board", "Board", "file", "twenty columns"),
    )
    lines: tuple[type[Line], ...] = (Bid, Stake, Double, Move, Nod, Late)
    race_name = "Dash"
    rolls = True
    roles: tuple[str, ...] = ("left", "right", "grab")
    deck = (Card("bell", "bells", 5, symbol="bell"), Card("red whistle", copies=2, colour=Colour.RED))
    symbols = MappingProxyType({"bell": BELL, "grab": BELL})

    def samples(self, key: str) -> tuple[Sample, ...]:
        return SAMPLES if key == "board" else ()

    def check_file(self, key: str, text: str) -> tuple[FileFault, ...]:
        """A board says of each of its lines how many columns it has."""
        lines = enumerate(text.splitlines(), start=1)
        faults = tuple(
            FileFault(number, f"{line!r} says no columns; right would be: ten columns")
            for number, line in lines
            if not line.endswith("columns")
        )
        return faults if text.strip() or key != "board" else (FileFault(None, "it is empty; say: ten columns"),)

    def dry_run(self, key: str, text: str, record: Sequence[Line]) -> DryRun:
        """A board agrees with as many races of a record as it has lines."""
        races, agrees = sum(isinstance(line, JudgeLine) for line in record), len(text.splitlines())
        if not races:
            return DryRun(0, 0, why_not=f"no race was judged in it, for {key}")
        differing = tuple(
            Difference(n, f"Race {n} was judged.", "The board has no line for it.")
            for n in range(agrees + 1, races + 1)
        )
        return DryRun(races, races - len(differing), differing)

    def start(self, setup: Setup) -> State:
        if not (setup.files or {}).get("board"):
            raise Malformed("field `files`: the board is missing")
        rounds = setting(setup, self.parameters[0])
        return State(setup=setup, rounds=int(rounds), scores=(0,) * len(setup.seats))

    # -- lines

    def apply(self, state: State, line: Line) -> tuple[State, tuple[Ruling, ...]]:  # noqa: C901 - one case a line
        if isinstance(line, PressLine):
            return self._press(state, line)
        if state.phase is Phase.OVER:
            raise Illegal("the game is over")
        match line:
            case Bid():
                return self._bid(state, line)
            case Stake() | Late() | Double():
                return self._stake(state, line)
            case Nod() if line.colour in self._may_nod(state):
                return replace(state, nods=(*state.nods, line.colour)), ()
            case Move():
                self._demand(state, Phase.MOVE, line.colour)
                if not (1 <= line.column <= COLUMNS and 1 <= line.row <= ROWS):
                    raise Illegal("no such place on the board")
                return replace(
                    state, phase=Phase.ROLL, nods=(), moves=(*state.moves, (line.column, line.row, line.colour))
                ), ()
            case ChanceLine():
                return self._chance(state, line)
            case Open():
                return replace(state, seed=line.seed), ()
            case ByHand():
                return replace(state, scores=_with(state, Colour(line.set), line.value)), ()
            case Reveal():
                return self._reveal(state, line)
            case Close() | JudgeLine():
                return self._race_line(state, line)
            case End():
                if not self.can_end(state):
                    raise Illegal("a race is on")
                return replace(state, phase=Phase.OVER), ()
        raise Illegal(f"there is no `{line.__struct_config__.tag}` here")

    def _demand(self, state: State, phase: Phase, colour: Colour) -> None:
        if state.phase is not phase or state.leader is not colour:
            raise Illegal(f"not now: {state.phase.value}")

    def _bid(self, state: State, line: Bid) -> tuple[State, tuple[Ruling, ...]]:
        if state.phase is not Phase.BID or line.colour not in state.waiting:
            raise Illegal("it is not for this seat to bid")
        if line.bid not in BIDS:
            raise Malformed(f"field `bid`: allowed: {', '.join(BIDS)}")
        state = replace(state, bids=(*state.bids, (line.colour, line.bid)))
        if state.waiting:
            return state, ()
        bids = dict(state.bids)
        leader = max(state.colours, key=lambda colour: bids[colour])
        ruling = Bids(bids={str(colour): bids[colour] for colour in state.colours}, leads=leader)
        return replace(state, phase=Phase.STAKE, leader=leader, bids=(), doubles=()), (ruling,)

    def _stake(self, state: State, line: Stake | Late | Double) -> tuple[State, tuple[Ruling, ...]]:
        if isinstance(line, Double):
            if not self._may_double(state, line.colour):
                raise Illegal("this seat cannot double now")
            return replace(state, doubles=(*state.doubles, line.colour)), ()
        if isinstance(line, Late):
            if state.phase is not Phase.STAKE or state.closed_ns is None:
                raise Illegal("no stake is timed")
            return replace(state, phase=Phase.MOVE, stake=0), ()
        self._demand(state, Phase.STAKE, line.colour)
        if not 1 <= line.stake <= 500:
            raise Illegal("stake 1 to 500")
        return replace(state, phase=Phase.MOVE, stake=line.stake), ()

    def _may_double(self, state: State, colour: Colour) -> bool:
        is_free = colour in state.colours and colour not in (state.leader, *state.doubles)
        return state.phase is Phase.STAKE and is_free and bool(setting(state.setup, self.parameters[2]))

    def _chance(self, state: State, line: ChanceLine) -> tuple[State, tuple[Ruling, ...]]:
        if state.leader is None:
            raise Illegal("nothing is rolled now")
        if line.name == "die" and state.phase is Phase.ROLL and line.result:
            score = dict(zip(state.colours, state.scores, strict=True))[state.leader] + int(line.result[0])
            return replace(state, phase=Phase.DRAW, scores=_with(state, state.leader, score)), ()
        if line.name == "card" and state.phase is Phase.DRAW:
            draws = (*state.draws, (state.leader, line.n, line.result))
            return replace(state, phase=Phase.RACE, draws=draws, race=RacePhase.WAITING, presses=()), ()
        raise Illegal("nothing of that name is rolled now")

    def _reveal(self, state: State, line: Reveal) -> tuple[State, tuple[Ruling, ...]]:
        if line.card not in {card.name for card in self.deck}:
            raise Malformed(f"field `card`: there is no {line.card!r}")
        if state.phase is not Phase.RACE or state.race is not RacePhase.WAITING or not self._left(state).get(line.card):
            raise Illegal("that card cannot be revealed now")
        return replace(state, cards=(*state.cards, line.card), race=RacePhase.OPEN), ()

    def _left(self, state: State) -> dict[str, int]:
        return {card.name: card.copies - state.cards.count(card.name) for card in self.deck}

    def _press(self, state: State, line: PressLine) -> tuple[State, tuple[Ruling, ...]]:
        race = self.race(state)
        if race is None:
            raise Illegal("nobody races now")
        before: dict[RacePhase, IgnoredReason] = {RacePhase.OVER: "game over", RacePhase.WAITING: "nothing revealed"}
        reason = before.get(race.phase)
        if reason is None and not is_in_time(race.phase, race.closed_ns, line):
            reason = "closed"
        if line.colour not in state.colours:
            reason = "not playing"
        elif reason is None and line.colour in [press.colour for press in state.presses]:
            reason = "already played"
        if reason:
            return state, (Ignored(colour=line.colour, role=line.role, t_ns=line.t_ns, reason=reason),)
        phase = RacePhase.CLOSED if state.race is RacePhase.CLOSED else RacePhase.COLLECTING
        return replace(state, presses=(*state.presses, line), race=phase), ()

    def _race_line(self, state: State, line: Close | JudgeLine) -> tuple[State, tuple[Ruling, ...]]:
        wanted = RacePhase.COLLECTING if isinstance(line, Close) else RacePhase.CLOSED
        if state.phase is not Phase.RACE or state.race is not wanted:
            raise Illegal("no race is to be closed or judged now")
        if isinstance(line, Close):
            return replace(state, race=RacePhase.CLOSED, closed_ns=line.t_ns), ()
        order = rank(state.presses, state.setup.seats, state.setup.first, state.setup.ties, len(state.cards))
        last = state.round >= state.rounds
        after = replace(
            state, phase=Phase.DONE if last else Phase.BID, round=state.round + (not last), presses=(),
            race=RacePhase.WAITING, leader=None,
        )  # fmt: skip
        return after, (Order(race=len(state.cards), order=order),)

    def restarted(self, state: State) -> State:
        return replace(state, closed_ns=None) if state.race is RacePhase.CLOSED else state

    # -- offers

    def offers(self, state: State) -> tuple[Offer, ...]:
        leader = state.leader
        if state.phase is Phase.BID:
            return self._bidding(state)
        if leader is None:
            return ()
        match state.phase:
            case Phase.STAKE:
                entry = NumberEntry(1, 500, lambda stake: Stake(colour=leader, stake=stake))
                return (Offer("stake", leader, "How much?", number=entry), *self._doubling(state))
            case Phase.MOVE:
                return (Offer("move", leader, "Where to?", is_stepped=True), *self._nods(state))
            case Phase.ROLL:
                return (Offer("die", None, "Roll the die", chance=Chance("die")),)
            case Phase.DRAW:
                return (Offer("draw", leader, "Draw a card", chance=Chance("card", POOL, is_secret=True)),)
            case Phase.RACE if state.race is RacePhase.WAITING:
                return (Offer(REVEAL, leader, "Reveal", self._cards(state), required=False, hint="hold, and press"),)
        return ()

    def _bidding(self, state: State) -> tuple[Offer, ...]:
        is_private = "open-bids" not in (state.setup.variants or ())
        return tuple(
            Offer("bid", colour, "Your bid", tuple(Option(bid, Bid(colour=colour, bid=bid)) for bid in BIDS),
                  is_private=is_private)
            for colour in state.waiting
        )  # fmt: skip

    def _doubling(self, state: State) -> tuple[Offer, ...]:
        return tuple(
            Offer("double", colour, "Double?", (Option("double the stake", Double(colour=colour)),), required=False)
            for colour in state.colours
            if self._may_double(state, colour)
        )

    def _may_nod(self, state: State) -> tuple[Colour, ...]:
        if state.phase is not Phase.MOVE:
            return ()
        return tuple(colour for colour in state.colours if colour not in (state.leader, *state.nods))

    def _nods(self, state: State) -> tuple[Offer, ...]:
        return tuple(
            Offer("nod", colour, "Nod", (Option("nod", Nod(colour=colour)),), required=False, at_once=True)
            for colour in self._may_nod(state)
        )

    def _cards(self, state: State) -> tuple[Option, ...]:
        whistle = Button(Colour.RED, POSITIONS[0])
        return tuple(
            Option(name, Reveal(card=name), button=whistle if name == "red whistle" else None)
            for name, left in self._left(state).items()
            if left
        )

    def step(self, state: State, offer: Offer, chosen: Sequence[str]) -> Step | Line:
        if offer.kind != "move" or offer.seat is None:
            return super().step(state, offer, chosen)
        if len(chosen) == 2:
            return Move(colour=offer.seat, column=int(chosen[0]), row=int(chosen[1]))
        most = ROWS if chosen else COLUMNS
        return Step(
            "Which row?" if chosen else "Which column?", tuple(Value(str(n), str(n)) for n in range(1, most + 1))
        )

    def deadline(self, state: State) -> Deadline | None:
        if state.phase is not Phase.STAKE or state.closed_ns is None:
            return None
        return Deadline(state.closed_ns + STAKE_NS, Late())

    def adjustable(self, state: State) -> tuple[Adjustable, ...]:
        if state.phase is Phase.OVER:
            return ()
        pairs = zip(state.colours, state.scores, strict=True)
        return tuple(Adjustable(str(colour), f"{colour.short}'s score", -10, 200, score) for colour, score in pairs)

    def race(self, state: State) -> Race | None:
        if state.phase is not Phase.RACE:
            return None
        return Race(
            state.race, len(state.cards) + (state.race is RacePhase.WAITING), state.presses, state.setup.first,
            card=state.cards[-1] if state.cards and state.race is not RacePhase.WAITING else None,
            takes_card=state.race is RacePhase.WAITING,
            closed_ns=state.closed_ns if state.race is RacePhase.CLOSED else None,
        )  # fmt: skip

    def buttons(self, state: State | None, seat: Colour | None) -> tuple[ButtonFace, ...]:
        if state is not None and state.phase is Phase.RACE:
            return (ButtonFace(""), ButtonFace(""), ButtonFace("grab", "grab"))
        return super().buttons(state, seat)

    def taking_back(self, state: State, newest: Line) -> TakingBack:
        is_die = isinstance(newest, ChanceLine) and newest.name == "die"
        return TakingBack(2 if is_die else 1)  # the move leads to the die, and goes with it

    def held(self, state: State) -> tuple[Held, ...]:
        return tuple(Held(whose, "card", n, POOL, 0, 1, "your card") for whose, n, _ in state.draws)

    def ledgers(self, state: State) -> tuple[Ledger, ...]:
        pairs = zip(state.colours, state.scores, strict=True)
        rows = tuple(LedgerRow(colour.capitalize(), colour, (str(state.round), str(score))) for colour, score in pairs)
        return (Ledger("points", "Points", ("round", "all"), rows),)

    # -- the end

    def is_over(self, state: State) -> bool:
        return state.phase is Phase.OVER

    def can_end(self, state: State) -> bool:
        is_racing = state.phase is Phase.RACE and state.race is not RacePhase.WAITING
        return state.phase is not Phase.OVER and not is_racing

    def is_exhausted(self, state: State) -> bool:
        return state.phase is Phase.DONE

    def outcome(self, state: State) -> EverythingOutcome:
        scores = dict(zip(state.colours, state.scores, strict=True))
        ahead = tuple(colour for colour in state.colours if scores[colour] == max(scores.values()))
        return EverythingOutcome(
            over=self.is_over(state), scores={str(colour): score for colour, score in scores.items()}, leaders=ahead
        )

    # -- for people

    def describe(self, line: Line, viewer: Colour | None = None) -> str:
        match line:
            case Bid():
                return f"{line.colour} bids {line.bid}" if viewer is line.colour else f"{line.colour} has bid"
            case Stake():
                return f"{line.colour} stakes {line.stake}"
            case Move():
                return f"{line.colour} moves to {line.column}, {line.row}"
            case ChanceLine() if line.name == "card":
                return "a card is drawn"
            case ChanceLine():
                return f"the die shows {' '.join(line.result or ())}"
        return super().describe(line, viewer)

    def fields(self, line: Line) -> tuple[LineField, ...]:
        if isinstance(line, Reveal):
            return (LineField("card", "card", tuple(FieldValue(card.name, card.name) for card in self.deck)),)
        return ()

    def sentences(self, ruling: Ruling) -> tuple[str, ...] | None:
        return (f"{ruling.leads} bid most.",) if isinstance(ruling, Bids) else None

    def view(self, state: State, viewer: Colour | None = None) -> View:
        board = tuple(Cell(f"{column}, {row}", owner) for column, row, owner in state.moves)
        held = tuple(
            Cell(_shown(state, whose, n, result) if viewer is whose or state.seed else "?", whose)
            for whose, n, result in state.draws
        )
        return View(
            scores=tuple(zip(state.colours, state.scores, strict=True)),
            score_label="points",
            table=tuple((name, state.cards.count(name)) for name in dict.fromkeys(state.cards)),
            groups=tuple(CardGroup(name, ((name, 1),), ("grab",)) for name in state.cards[-1:]),
            turn=state.leader,
            hidden=sum(self._left(state).values()),
            phase=state.phase.value,
            round=state.round,
            areas=(Area("board", board, f"stake {state.stake}"), Area("drawn", held)),
            clocks=self._clocks(state),
            hints=("Reveal, and be quick.",),
        )

    def _clocks(self, state: State) -> tuple[Clock, ...]:
        if state.closed_ns is None:
            return ()
        return (Clock("stake", state.leader, STAKE_NS, state.closed_ns, state.phase is Phase.STAKE),)


def _with(state: State, colour: Colour, score: int) -> tuple[int, ...]:
    return tuple(score if seat is colour else have for seat, have in zip(state.colours, state.scores, strict=True))


def _shown(state: State, whose: Colour, n: int, result: tuple[str, ...] | None) -> str:
    if result is not None:
        return " ".join(result)
    return " ".join(drawn(state.seed, Chance("card", POOL), n)) if state.seed else "hidden"


EVERYTHING = Everything()
