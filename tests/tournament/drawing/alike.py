"""Draws some rounds, small and large, and gives one hash for all of them."""

from __future__ import annotations

from hashlib import sha256

from companion.tournament.drawing.drawing import draw
from tests.tournament.drawing.histories import Event


def no_luck(mu: float = 0.0, sigma: float = 1.0) -> float:
    return 0


def told() -> str:
    """Give the hash of rounds of a field that is searched as a whole, and of one that is searched by parts."""
    drawings = []
    for players in (14, 66):
        numbers = list(range(1, players + 1))
        apart = frozenset({(1, 2), (3, 9), (4, 5), (2, 7)})
        event = Event(players, numbers, fixed={6: 2, 8: 5}, apart=apart, boxes=(players - 2) // 4)
        # No strength and luck here: floats are no part of a drawing, and should be none of this.
        event.strengths = {player: player * 7 % 13 for player in numbers}
        event.random.gauss = no_luck  # type: ignore[method-assign]
        for _ in range(3 if players == 14 else 2):
            drawings.append(draw(event.wanted()))
            event.play(drawings[-1])
    return sha256(repr(drawings).encode()).hexdigest()
