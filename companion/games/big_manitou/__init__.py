"""Big Manitou (What's Your Game 2005, Günter Burkhardt), by the rules of `big-manitou.md`. Knows no device."""

from companion.core.ruling.game import Game
from companion.games.big_manitou.game import BigManitou
from companion.games.big_manitou.state import State

GAME: Game[State] = BigManitou()
"""The entry point."""
