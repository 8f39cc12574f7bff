"""The clock is driven through what every game promises."""

from companion.games.clock import GAME
from companion.testing.games import GameContract


class TestClock(GameContract):
    game = GAME
