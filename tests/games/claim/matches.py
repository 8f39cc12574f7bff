"""Records of whole random matches of every game file, made through what is on offer: the same for the same seed.

Late cards, dead heats, allowances, presses that do not count, choices with and without what need not be said, things
set by hand, remarks, restarts, undone lines.
"""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from companion.core.panel import Colour
from companion.core.record.lines import (
    Anticipation,
    ByHand,
    Close,
    End,
    JudgeLine,
    Line,
    PressLine,
    Remark,
    Restart,
    Reveal,
    Seat,
    Setup,
    SetupFile,
    Undo,
    dump_line,
)
from companion.core.ruling.judge import Judge
from companion.core.ruling.offers import REVEAL
from companion.core.ruling.race import RacePhase
from companion.games.claim import GAME
from companion.games.claim.choices import why_wrong
from companion.games.claim.lines import ClaimLine
from companion.games.claim.state import State
from tests.games.claim.games import FILES

MS, SECOND = 1_000_000, 1_000_000_000
MOST_RACES, MOST_LINES = 24, 400


def random_match(seed: int, name: str | None = None, *, undo_chance: float = 0.02) -> list[bytes]:
    """Give the lines of one whole match, from the setup to the end; `name`: of a file, else one after the other."""
    return Match(Random(f"claim {seed}"), name or list(FILES)[seed % len(FILES)], undo_chance).play()


def setup_of(text: str, random: Random, most: int = 5) -> Setup:
    colours = random.sample(list(Colour), random.randint(2, most))
    policy = random.choice(("timestamp", "clockwise", "lots"))
    return Setup(
        record=2,
        match="0" * 32,
        game="claim",
        edition=1,
        seats=tuple(Seat(colour, allowance_ms=random.choice((0, 0, 0, 150))) for colour in colours),
        first=random.choice(colours),
        dead_heat=policy,
        seed="5eed" if policy == "lots" else None,
        anticipation=random.choice((None, Anticipation("flag", 100), Anticipation("punish", 250))),
        files={"game": SetupFile("game.toml", text)},
    )


def find(name: str) -> object:
    assert name == "claim"
    return GAME


class Match:
    """A match that is played; `lines` so far."""

    def __init__(self, random: Random, name: str, undo_chance: float) -> None:
        self.random, self.undo_chance = random, undo_chance
        self.judge = Judge(find)  # type: ignore[arg-type]
        self.lines: list[bytes] = []
        self.now_ns = 5 * SECOND
        self.closed_ns: int | None = None
        text = FILES[name]
        most = {"harbour": 4}.get(name, 5)
        setup = setup_of(text, random, most)
        while name == "spoons" and len(setup.seats) < 3:
            setup = setup_of(text, random, most)
        self.write(setup)

    @property
    def state(self) -> State:
        state = self.judge.state
        assert isinstance(state, State)
        return state

    def play(self) -> list[bytes]:
        while not self.judge.is_over():
            self.step()
        return self.lines

    def step(self) -> None:
        chance, phase = self.random.random(), self.state.phase
        if chance < self.undo_chance and self.judge.newest():
            self.write(Undo(reason="entered by mistake"))
        elif chance < self.undo_chance + 0.02:
            self.aside()
        elif self.is_enough() or (GAME.is_exhausted(self.state) and self.random.random() < 0.8):
            self.write(End())
        elif phase in {RacePhase.WAITING, RacePhase.OPEN}:
            self.between()
        elif phase is RacePhase.COLLECTING:
            self.close()
        elif phase is RacePhase.CLOSED:
            self.before_the_judging()
        else:
            self.claim()

    def is_enough(self) -> bool:
        state = self.state
        is_long = state.heat.number > MOST_RACES or len(self.lines) > MOST_LINES
        return is_long and GAME.can_end(state)

    def aside(self) -> None:
        """Something beside the game: a remark, a press that does not count, a new clock, a thing set by hand."""
        what = self.random.randrange(4)
        settable = GAME.adjustable(self.state)
        if what == 0 and settable:
            one = self.random.choice(settable)
            value = self.random.choice((one.low, one.value, min(one.high, one.value + 1), max(one.low, one.value - 1)))
            self.write(ByHand(set=one.key, value=value, reason="counted again"))
        elif what == 1:
            self.write(Restart())
        elif what == 2:
            self.press(self.random.choice(list(Colour)), self.random.choice(self.hands()))
        else:
            self.write(Remark(text="a card fell off the table", source="referee"))

    def hands(self) -> list[str]:
        return [hand.name for hand in self.state.terms.game.hands]

    def between(self) -> None:
        if self.state.phase is RacePhase.OPEN and self.random.random() < (0.75 if self.right() else 0.1):
            self.race()
        elif not self.reveal():
            if self.state.phase is RacePhase.OPEN and self.random.random() < 0.9:
                self.race()
            else:
                self.write(End())

    def right(self) -> list[tuple[Colour, str]]:
        """Who would be right now, with which hand."""
        state = self.state
        game = state.terms.game
        return [
            (colour, hand.name)
            for seat, colour in enumerate(state.terms.colours)
            for hand in game.hands
            if why_wrong(state.sight().of(seat, hand.name, 1, 0), hand) is None
        ]

    def reveal(self) -> bool:
        options = [option for offer in GAME.offers(self.state) if offer.kind == REVEAL for option in offer.options]
        if not options:
            return False
        line = self.random.choice(options).line
        assert isinstance(line, Reveal)
        self.write(self.seen(line))
        return True

    def seen(self, line: Reveal) -> Reveal:
        """A card as it is entered, or as a scanner saw it turned: before the race that it comes late to."""
        if self.random.random() < 0.5:
            return replace(line, t_ns=self.later(2 * SECOND))
        presses = self.state.heat.presses
        turned_ns = min(press.t_ns for press in presses) - 50 * MS if presses else self.later(2 * SECOND)
        return replace(line, t_ns=turned_ns, turned=True)

    def close(self) -> None:
        self.closed_ns = self.now_ns + 3 * SECOND if self.random.random() < 0.8 else None
        self.write(Close(t_ns=self.closed_ns))

    def before_the_judging(self) -> None:
        chance = self.random.random()
        if chance < 0.1 and self.reveal():
            return
        if chance < 0.2:
            self.press(self.random.choice(list(Colour)), self.random.choice(self.hands()))
            return
        if self.closed_ns is not None:
            self.now_ns = max(self.now_ns, self.closed_ns)
        self.write(JudgeLine())

    def race(self) -> None:
        right = self.right()
        colours = list(self.state.terms.colours)
        for colour in self.random.sample(colours, self.random.randint(1, len(colours))):
            own = [hand for seat, hand in right if seat is colour]
            if own and self.random.random() < 0.85:
                self.press(colour, self.random.choice(own))
            elif self.random.random() < 0.4 or self.state.phase is RacePhase.OPEN:
                self.press(colour, self.random.choice(self.hands()))

    def press(self, colour: Colour, hand: str) -> None:
        step_ns = self.random.choice((0, 30_000, 7 * MS, 60 * MS, 300 * MS))
        error_ns = self.random.choice((0, 20_000, 20_000, 150_000, 5 * MS, 9 * MS))
        self.write(PressLine(colour=colour, role=hand, t_ns=self.later(step_ns), error_ns=error_ns))

    def claim(self) -> None:
        (offer,) = GAME.offers(self.state)
        line = self.random.choice(offer.options).line
        assert isinstance(line, ClaimLine)
        same = [option.line for option in offer.options if option.line.take == line.take]  # type: ignore[attr-defined]
        if len(same) == 1 and self.random.random() < 0.3:
            line = replace(line, picked=None, rival=None)
        self.write(line)

    def later(self, step_ns: int) -> int:
        self.now_ns += step_ns
        return self.now_ns

    def write(self, line: Line) -> None:
        self.judge.feed(line)
        self.lines.append(dump_line(line))
