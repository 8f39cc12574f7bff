"""The game `clock`: whose turn it is and what is left of everybody's time, for any game. Knows no card and no rule."""

from companion.core.ruling.game import Game
from companion.games.clock.game import ClockGame
from companion.games.clock.state import State

GAME: Game[State] = ClockGame()
"""The entry point."""
