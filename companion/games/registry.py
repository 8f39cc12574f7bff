"""Finds games by their entry points, so that a game can be installed beside the box. Knows no game by name."""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any

from companion.core.errors import UnknownGame

if TYPE_CHECKING:
    from companion.core.ruling.game import Game

GROUP = "companion.games"


def names() -> tuple[str, ...]:
    """Give the names of all installed games, sorted."""
    return tuple(sorted({entry.name for entry in entry_points(group=GROUP)}))


@cache
def find(name: str) -> Game[Any]:
    """Give the game of this name. Raises UnknownGame, which lists those that are installed."""
    for entry in entry_points(group=GROUP, name=name):
        game: Game[Any] = entry.load()
        return game
    raise UnknownGame(f"no game called {name!r} is installed; there are: {', '.join(names()) or 'none'}")
