"""Driftwood keeps the contract of a game: the companion's own suite."""

from driftwood import GAME

from companion.testing.games import GameContract


class TestDriftwood(GameContract):
    """Everything that the suite has."""

    game = GAME
