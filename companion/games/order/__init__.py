"""The game `order`: who pressed in which order, round by round. Knows no card and no rule."""

from companion.core.ruling.game import Game
from companion.games.order.game import OrderGame, State

GAME: Game[State] = OrderGame()
"""The entry point."""
