"""Makes records of whole random matches of Apache, the same for the same seed: for tests and the benchmark.

Everything a record may hold comes up: late cards, dead heats, allowances, presses that do not count, choices with and
without their detail, remarks, undone lines. Players mostly play well: a pile that is always empty would prove little.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from companion.core.panel import Colour
from companion.core.record.lines import (
    Anticipation,
    Close,
    End,
    JudgeLine,
    Line,
    PressLine,
    Remark,
    Reveal,
    Seat,
    Setup,
    Undo,
    dump_line,
)
from companion.core.ruling.judge import Judge
from companion.core.ruling.race import RacePhase
from companion.games.apache.cards import BY_NAME, HAND_CARDS, HandCard
from companion.games.apache.choices import choices
from companion.games.registry import find

if TYPE_CHECKING:
    from companion.core.ruling.game import Game
    from companion.core.ruling.race import Race

VARIANTS = ("warpath", "wedding", "shared-booty")
MS = 1_000_000
SECOND = 1_000_000_000


def random_match(seed: int, *, undo_chance: float = 0.02, wall: bool = False) -> list[bytes]:
    """Give the lines of one whole match, from the setup to the end of the game, without ends of line."""
    return _Match(Random(seed), undo_chance, wall).play()


def random_setup(random: Random) -> Setup:
    colours = random.sample(list(Colour), random.randint(2, 5))
    seats = tuple(Seat(colour, allowance_ms=random.choice((0, 0, 0, 150))) for colour in colours)
    policy = random.choice(("timestamp", "clockwise", "lots"))
    variants = tuple(variant for variant in VARIANTS if random.random() < 0.5)
    return Setup(
        record=2,
        match="0" * 32,
        game="apache",
        edition=1,
        seats=seats,
        first=random.choice(colours),
        variants=variants or None,
        dead_heat=policy,
        seed="5eed" if policy == "lots" else None,
        anticipation=random.choice((None, Anticipation("flag", 100), Anticipation("punish", 250))),
    )


class _Match:
    def __init__(self, random: Random, undo_chance: float, wall: bool) -> None:
        self.random = random
        self.undo_chance = undo_chance
        self.wall = "2025-03-01T19:30:00.250+01:00" if wall else None
        self.judge = Judge(find)
        self.lines: list[bytes] = []
        self.now_ns = 5 * SECOND
        self.closed_ns: int | None = None

    @property
    def game(self) -> Game[Any]:
        assert self.judge.game is not None
        return self.judge.game

    @property
    def course(self) -> Race:
        race = self.game.race(self.judge.state)
        assert race is not None
        return race

    def play(self) -> list[bytes]:
        self.write(random_setup(self.random))
        if self.random.random() < 0.3:
            self.press(self.random.choice(HAND_CARDS))
        while not self.game.is_over(self.judge.state):
            self.step()
        return self.lines

    def step(self) -> None:
        chance = self.random.random()
        phase = self.course.phase
        if chance < self.undo_chance and self.judge.newest():
            self.write(Undo(reason="entered by mistake"))
        elif chance < self.undo_chance + 0.01:
            self.write(Remark(text="lid moved: press again", source="referee"))
        elif chance < self.undo_chance + 0.02 and phase is not RacePhase.OPEN:
            self.press(self.random.choice(HAND_CARDS))
        elif phase is RacePhase.WAITING:
            self.reveal_or_end()
        elif phase is RacePhase.OPEN:
            self.race() if self.random.random() < self.interest() else self.reveal_or_end()
        elif phase is RacePhase.COLLECTING:
            self.close()
        elif phase is RacePhase.CLOSED:
            self.before_the_judging()
        else:
            self.claim()

    def interest(self) -> float:
        return 0.6 if self.good_plays() else 0.04

    def good_plays(self) -> list[HandCard]:
        state = self.judge.state
        return [
            button
            for button in HAND_CARDS
            if button.colour in state.match.colours and choices(state.match, state.table, *button)
        ]

    def reveal_or_end(self) -> None:
        decisions = self.game.offers(self.judge.state)
        if not decisions:
            self.write(End())
            return
        counts = self.judge.state.hidden
        cards = [option.line.card for option in decisions[0].options if isinstance(option.line, Reveal)]
        assert len(cards) == len(decisions[0].options), decisions[0]
        weights = [counts[BY_NAME[card]] for card in cards]
        (card,) = self.random.choices(cards, weights)
        self.write(self.seen(card))

    def seen(self, card: str) -> Reveal:
        """A card as it is entered, or as a scanner saw it turned: before the race that it comes late to."""
        if self.random.random() < 0.5:
            return Reveal(card=card, t_ns=self.later(2 * SECOND))
        presses = self.course.presses
        turned_ns = min(press.t_ns for press in presses) - 50 * MS if presses else self.later(2 * SECOND)
        return Reveal(card=card, t_ns=turned_ns, turned=True)

    def close(self) -> None:
        """A race ends by its window, after which a press may still come that was made in time, or by hand."""
        self.closed_ns = self.now_ns + 3 * SECOND if self.random.random() < 0.8 else None
        self.write(Close(t_ns=self.closed_ns))

    def before_the_judging(self) -> None:
        chance = self.random.random()
        if chance < 0.1 and self.game.offers(self.judge.state):
            self.reveal_or_end()
        elif chance < 0.2:
            self.press(self.random.choice(HAND_CARDS))
        else:
            if self.closed_ns is not None:
                self.now_ns = max(self.now_ns, self.closed_ns)
            self.write(JudgeLine())

    def race(self) -> None:
        good = self.good_plays()
        colours = list(self.judge.state.match.colours)
        for colour in self.random.sample(colours, self.random.randint(1, len(colours))):
            own = [button for button in good if button.colour is colour]
            if own and self.random.random() < 0.93:
                self.press(self.random.choice(own))
            elif self.random.random() < 0.25:
                self.press(self.random.choice([button for button in HAND_CARDS if button.colour is colour]))
        if self.random.random() < 0.1:
            self.press(self.random.choice(HAND_CARDS))

    def press(self, button: HandCard) -> None:
        step_ns = self.random.choice((0, 30_000, 7 * MS, 60 * MS, 300 * MS))
        error_ns = self.random.choice((0, 20_000, 20_000, 150_000, 5 * MS, 9 * MS))
        self.write(
            PressLine(
                colour=button.colour,
                role=button.role,
                t_ns=self.later(step_ns),
                error_ns=error_ns,
            )
        )

    def claim(self) -> None:
        (decision,) = self.game.offers(self.judge.state)
        self.write(self.random.choice(decision.options).line)

    def later(self, step_ns: int) -> int:
        self.now_ns += step_ns
        return self.now_ns

    def write(self, line: Line) -> None:
        if self.wall is not None:
            line = replace(line, wall=self.wall)
        self.judge.feed(line)
        self.lines.append(dump_line(line))
