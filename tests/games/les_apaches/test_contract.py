"""The contract's suite on Les Apaches de Paris."""

from companion.games.registry import find
from companion.testing.games import GameContract


class TestLesApaches(GameContract):
    game = find("les-apaches")
