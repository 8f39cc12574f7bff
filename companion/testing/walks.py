"""Random matches of one game, made through nothing but its contract and the judge, every state of which can be seen."""

from __future__ import annotations

from contextlib import suppress
from copy import copy
from random import Random
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from companion.core.errors import Illegal, UnknownGame
from companion.core.panel import Colour
from companion.core.record.dead_heats import POLICIES
from companion.core.record.lines import (
    RECORD_VERSION,
    Anticipation,
    Close,
    End,
    JudgeLine,
    Open,
    PressLine,
    Seat,
    Setup,
    SetupFile,
    TimedLine,
    dump_line,
)
from companion.core.ruling.chance import commitment
from companion.core.ruling.judge import Judge
from companion.core.ruling.plain_game import completed
from companion.core.ruling.race import RacePhase
from companion.core.timing.events import SECOND
from companion.testing.any_line import texts_of
from companion.testing.possible import by_hand, offered

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from companion.core.record.lines import Line
    from companion.core.ruling.game import AnyGame
    from companion.core.ruling.parameters import Parameter, Setting
    from companion.core.ruling.rulings import Ruling

SETUPS = 200
"""So many are drawn at most until one is taken: answers to what is asked may not go together."""
STEPS = 60
"""So many lines at most in a walk."""
LONGEST_NS = 5 * SECOND
"""So long at most from one timed choice to the next."""
SEED = "5eed"
"""What the box of a walk draws from."""


def only(game: AnyGame) -> Callable[[str], AnyGame]:
    """Give how a game is found where there is no other."""

    whole = completed(game)

    def find(name: str) -> AnyGame:
        if name != game.name:
            raise UnknownGame(f"no game called {name!r} is installed; there are: {game.name}")
        return whole

    return find


def value_of(parameter: Parameter, random: Random) -> Setting:
    """Give a value that a parameter may have."""
    match parameter.kind:
        case "yes-no":
            return random.random() < 0.5
        case "number":
            return random.choice([parameter.low, parameter.high, random.randint(parameter.low, parameter.high)])
        case "choice":
            return random.choice(parameter.choices).key
    return parameter.default


def setup_of(game: AnyGame, random: Random) -> Setup:
    """Give a setup that the game takes: some seats, any parameters that go together, the seed committed to."""
    for _ in range(SETUPS):
        setup = _any_setup(game, random)
        with suppress(Illegal):
            game.start(setup)
            return setup
    raise AssertionError(f"{game.name} refused {SETUPS} setups, each with values that its parameters may have")


def _any_setup(game: AnyGame, random: Random) -> Setup:
    colours = random.sample(list(Colour), random.randint(game.seats.fewest, game.seats.most))
    asked = [p for p in game.parameters if not p.is_variant]
    variants = [p for p in game.parameters if p.is_variant]
    policy = random.choice(list(POLICIES))
    return Setup(
        record=RECORD_VERSION,
        match="0" * 32,
        game=game.name,
        edition=game.edition,
        seats=tuple(Seat(colour, allowance_ms=random.choice((0, 0, 40))) for colour in colours),
        first=random.choice(colours),
        variants=tuple(p.key for p in variants if random.random() < 0.5) if variants else None,
        dead_heat=policy,
        seed=SEED if POLICIES[policy].draws else None,
        anticipation=Anticipation("punish", 100) if game.anticipates else None,
        parameters={p.key: value_of(p, random) for p in asked if p.kind != "file"} or None,
        files={p.key: SetupFile(p.key, str(p.default)) for p in asked if p.kind == "file"} or None,
        seed_sha256=commitment(SEED) if game.rolls else None,
    )


class Walk:
    """A random match. record: its lines as a record has them. rulings: all that was ruled. steps: its lines at most."""

    def __init__(self, game: AnyGame, seed: int, steps: int = STEPS) -> None:
        self.game, self.steps = completed(game), steps
        self.random = Random(f"{game.name} {seed}")
        self.judge = Judge(only(game))
        self.record: list[bytes] = []
        self.rulings: list[Ruling] = []
        self.words: list[str] = [*game.roles, *(card.name for card in game.deck)]
        self.t_ns = 10**9
        self.feed(setup_of(game, self.random))

    @property
    def state(self) -> Any:
        """The state now."""
        return self.judge.state

    @property
    def colours(self) -> list[Colour]:
        """Who plays, in the order of the seats."""
        return [seat.colour for seat in self.judge.setup.seats] if self.judge.setup else []

    def feed(self, line: Line) -> tuple[Ruling, ...]:
        """Write a line."""
        rulings = self.judge.feed(line)
        self.record.append(dump_line(line))
        self.rulings += rulings
        self.words += [text for text in texts_of(line) if text not in self.words]
        return rulings

    def trial(self, line: Line) -> Judge:
        """Judge a line as the next one without writing it. Raises Malformed or Illegal."""
        judge = copy(self.judge)
        judge.feed(line)
        return judge

    def states(self, steps: int | None = None) -> Iterator[Any]:
        """Yield every state of a match until it is exhausted or has so many lines; None: the walk's own steps."""
        for _ in range(self.steps if steps is None else steps):
            yield self.state
            line = self.next_line()
            if line is None:
                return
            self.feed(self.timed(line))

    def offered(self) -> list[Line]:
        """Give lines that the game's offers say are legal now; the game may offer more of the same kind."""
        return [
            line
            for offer in self.game.offers(self.state)
            for line in offered(self.game, self.state, offer, self.judge.history, SEED, self.random)
        ]

    def press(self) -> PressLine:
        """Give a press of any colour."""
        self.t_ns += self.random.randint(0, 10**8)
        colour, role = self.random.choice(tuple(Colour)), self.random.choice(self.game.roles)
        return PressLine(colour=colour, role=role, t_ns=self.t_ns, error_ns=self.random.choice((0, 20_000)))

    def next_line(self) -> Line | None:
        """Choose what happens next; None where nothing can."""
        if self.game.is_exhausted(self.state) or self.game.is_over(self.state):
            return None
        lines = self.offered()
        by_race = self._race_line(has_offers=bool(lines))
        if by_race is not None:
            return by_race
        deadline = self.game.deadline(self.state)
        if deadline is not None and self.random.random() < 0.2:
            return deadline.line
        settable = by_hand(self.game, self.state)
        if settable and self.random.random() < 0.1:
            return self.random.choice(settable)
        return self.random.choice(lines) if lines else None

    def timed(self, line: Line) -> Line:
        """Give a line as the box writes it: a timed choice a moment after the last, or a deadline due before it.

        Now and then nobody has timed it.
        """
        deadline = self.game.deadline(self.state)
        if deadline is not None and line == deadline.line:
            self.t_ns = max(self.t_ns, deadline.t_ns)
            is_timed = isinstance(line, TimedLine) and line.t_ns is None
            return replace(line, t_ns=deadline.t_ns) if is_timed else line
        if not isinstance(line, TimedLine) or line.t_ns is not None or self.random.random() < 0.05:
            return line
        self.t_ns += self.random.randint(0, LONGEST_NS)
        if deadline is not None and deadline.t_ns <= self.t_ns:
            return self.timed(deadline.line)
        return replace(line, t_ns=self.t_ns, error_ns=self.random.choice((0, 20_000)))

    def _race_line(self, *, has_offers: bool) -> Line | None:
        race = self.game.race(self.state)
        if race is None or not self.game.roles:
            return None
        if race.phase is RacePhase.COLLECTING and self.random.random() < 0.4:
            return Close(t_ns=self.random.choice((self.t_ns, self.t_ns + 10**8, None)))
        if race.phase is RacePhase.CLOSED and (not has_offers or self.random.random() < 0.8):
            return JudgeLine()
        is_settling = race.phase is RacePhase.SETTLING
        return self.press() if not is_settling and (not has_offers or self.random.random() < 0.35) else None

    def end(self) -> bool:
        """Write the `end` where it is legal, after the seed where there is one, and tell whether it was."""
        if not self.game.can_end(self.state):
            return False
        if self.game.rolls:
            self.feed(Open(seed=SEED))
        self.feed(End())
        return True
