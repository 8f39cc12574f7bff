"""Random complete matches of the clock, made through what the game offers: every mode, any number of seats, undos."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.core.errors import Illegal
from companion.core.panel import Colour
from companion.core.record.lines import ByHand, End, Line, Restart, Seat, Setup, TimedLine, Undo, dump_line
from companion.core.ruling.judge import Judge
from companion.games.clock import GAME
from companion.games.clock.lines import Done, Late, Pass, Pause, Start

if TYPE_CHECKING:
    from companion.core.ruling.offers import Offer

MS = 1_000_000
SECOND = 1_000 * MS
LENGTH = 40
"""About so many lines a match has before it ends."""


def setup_of(random: Random) -> Setup:
    colours = random.sample(list(Colour), random.randint(2, 5))
    asked = {one.key: one for one in GAME.parameters}
    chosen = {key: random.choice(one.choices).key for key, one in asked.items() if one.choices}
    if random.random() < 0.7:
        chosen["main"] = random.choice(("10", "20", "30", "60"))
    if random.random() < 0.5:
        chosen["after"] = "20"
    stops = {"stops": False} if random.random() < 0.4 else {}
    kept = {key: value for key, value in chosen.items() if random.random() < 0.9}
    return Setup(
        record=2, match=f"{random.getrandbits(128):032x}", game="clock", edition=1,
        seats=tuple(Seat(colour) for colour in colours), first=random.choice(colours), parameters={**kept, **stops},
    )  # fmt: skip


class Player:
    """Plays one match; `lines` is its record."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        setup = setup_of(self.random)
        self.judge = Judge(lambda _name: GAME)
        self.lines: list[bytes] = []
        self.now = self.random.randrange(10**12)
        self.write(setup)
        self.pace = int(str((setup.parameters or {}).get("main", "600"))) * SECOND

    def write(self, line: Line) -> None:
        self.judge.feed(line)
        self.lines.append(dump_line(line))

    def play(self) -> None:
        for _ in range(self.random.randint(LENGTH // 2, LENGTH * 2)):
            self.step()
        if not GAME.can_end(self.judge.state):
            self.timed(Pause())
        self.write(End())

    def step(self) -> None:
        chance = self.random.random()
        deadline = GAME.deadline(self.judge.state)
        if chance < 0.03:
            self.write(Restart())
            self.now = self.random.randrange(10**12)
        elif chance < 0.1:
            self.undo()
        elif chance < 0.16 and deadline is not None:
            self.now = deadline.t_ns + (self.random.randrange(SECOND) if self.random.random() < 0.5 else 0)
            if self.random.random() < 0.7:
                self.write(deadline.line)
        elif chance < 0.22 and GAME.adjustable(self.judge.state):
            self.by_hand()
        else:
            self.choose()

    def undo(self) -> None:
        newest = self.judge.history.newest_doing()
        if newest is None:
            return
        try:
            how = GAME.taking_back(self.judge.state, newest.line)
        except Illegal:
            return
        restarts = self.judge.history.newest() is not newest
        for _ in range(how.lines):
            doing = self.judge.history.newest_doing()
            while doing is not None and self.judge.history.taken_back_by(doing.number) is None:
                self.write(Undo(by="knob"))
        if restarts:
            self.write(Restart())
        if how.then is not None:
            self.write(how.then)

    def by_hand(self) -> None:
        one = self.random.choice(GAME.adjustable(self.judge.state))
        value = self.random.choice((one.low, one.high, 0, 1, 30, one.value, self.random.randint(one.low, one.high)))
        self.write(ByHand(set=one.key, value=max(one.low, min(one.high, value)), reason="random"))

    def choose(self) -> None:
        offers = GAME.offers(self.judge.state)
        lines = [line for offer in offers for line in self.options(offer)]
        wanted: tuple[type[Line], ...] = (Done, Start, Late) if self.random.random() < 0.75 else (Pass, Done)
        found = [line for line in lines if isinstance(line, wanted)]
        self.timed(self.random.choice(found or lines))

    def options(self, offer: Offer) -> list[Line]:
        if offer.number is not None:
            return [offer.number.line(self.random.randint(-9, 99))]
        return [option.line for option in offer.options]

    def timed(self, line: Line) -> None:
        if not isinstance(line, TimedLine) or self.random.random() < 0.03:
            self.write(line)
            return
        short = self.random.choice((0, 1, 3, 500 * MS, SECOND, self.pace // 8, self.pace // 3, self.pace))
        self.now += self.random.randint(0, short)
        error_ns = self.random.choice((0, 20_000, 5 * MS, SECOND))
        self.write(replace(line, t_ns=self.now, error_ns=error_ns))


def random_match(seed: int) -> list[bytes]:
    """Give the lines of a complete match."""
    player = Player(seed)
    player.play()
    return player.lines
