"""Made-up events: players of different strength and luck, drawn by the program round after round, with results.

All that is made up comes from `random.Random(seed)`, so that an event is the same in every run.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations
from random import Random

from companion.tournament.drawing.drawing import draw
from companion.tournament.drawing.wanted import Drawing, Entrant, Wanted

BYE = 12


@dataclass
class Event:
    """An event as far as a drawing knows it. fixed: the table that a player always sits at."""

    seed: int
    players: list[int]
    fixed: dict[int, int] = field(default_factory=dict)
    apart: frozenset[tuple[int, int]] = frozenset()
    boxes: int | None = None
    round: int = 1
    scores: Counter[int] = field(default_factory=Counter)
    byes: Counter[int] = field(default_factory=Counter)
    meetings: Counter[tuple[int, int]] = field(default_factory=Counter)
    seats: dict[int, list[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.random = Random(self.seed)
        self.strengths = {player: self.random.gauss(0, 1) for player in self.players}

    def wanted(self) -> Wanted:
        """Give what the next round is drawn from."""
        entrants = tuple(
            Entrant(
                player,
                self.scores[player],
                self.fixed.get(player),
                self.byes[player],
                tuple(self.seats.get(player, ())),
            )
            for player in self.players
        )
        return Wanted(self.round, f"{self.seed:064x}", entrants, dict(self.meetings), self.apart, self.boxes)

    def play(self, drawing: Drawing) -> None:
        """Make up the results of a round."""
        for table in drawing.tables:
            ranked = sorted(table.players, key=lambda player: self.strengths[player] + self.random.gauss(0, 1))
            for beaten, player in enumerate(ranked):
                self.scores[player] += 24 * beaten // (len(ranked) - 1)
            self.meetings.update(combinations(sorted(table.players), 2))
            for seat, player in enumerate(table.players):
                self.seats.setdefault(player, [0] * 5)[seat] += 1
        self.scores.update(dict.fromkeys(drawing.byes, BYE))
        self.byes.update(drawing.byes)
        self.round += 1

    def play_until(self, number: int) -> Wanted:
        """Draw and play all rounds before this one, and give what it is drawn from."""
        while self.round < number:
            self.play(draw(self.wanted()))
        return self.wanted()


def event_of(seed: int, players: int) -> Event:
    """Make up an event: every third has pairs that must not meet, every fourth somebody who always sits at a table."""
    random = Random(f"event {seed} {players}")
    numbers = sorted(random.sample(range(1, 3 * players), players))
    event = Event(seed, numbers)
    if seed % 3 == 0:
        pairs = (sorted(random.sample(numbers, 2)) for _ in range(players // 5))
        event.apart = frozenset((one, other) for one, other in pairs)
    if seed % 4 == 0:
        event.fixed = dict(zip(random.sample(numbers, 2), (1, 3), strict=True))
    if seed % 7 == 0:
        event.boxes = max(3, (players - 1) // 5)
    return event
