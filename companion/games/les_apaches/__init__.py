"""Les Apaches de Paris (Les Tontons Joueurs), by the rules of `les-apaches.md`. Knows no device and no display."""

from companion.core.ruling.game import Game
from companion.games.les_apaches.game import LesApaches
from companion.games.les_apaches.rules.state import State

GAME: Game[State] = LesApaches()
"""The entry point."""
