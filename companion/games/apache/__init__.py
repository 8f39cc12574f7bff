"""Apache (ABACUSSPIELE 2007, Stefan Dorra), by the rules of `apache.md`. Knows no device, no clock and no display."""

from companion.core.ruling.game import Game
from companion.games.apache.game import Apache
from companion.games.apache.state import State

GAME: Game[State] = Apache()
"""The entry point."""
