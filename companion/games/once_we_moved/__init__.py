"""Once We Moved Like the Wind (Compass Games 2019), by `docs/games/once-we-moved.md`. Knows no device and no clock."""

from companion.core.ruling.game import Game
from companion.games.once_we_moved.game import OnceWeMoved
from companion.games.once_we_moved.judging.state import State

GAME: Game[State] = OnceWeMoved()
"""The entry point."""
