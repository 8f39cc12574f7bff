"""Driftwood keeps the contract of a game: the companion's own suite."""

from companion.testing.games import GameContract
from driftwood import GAME


class TestDriftwood(GameContract):
    """Everything that the suite has."""

    game = GAME
