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


def first() -> str:
    """Give the game that is played where nothing is said: the first by name. Raises UnknownGame: there is none."""
    for name in names():
        return name
    raise UnknownGame("no game is installed")


def without_cards() -> str:
    """Give the first game that races and has no cards: it only says who was first. Raises UnknownGame."""
    for name in names():
        if find(name).race_name and not find(name).deck:
            return name
    raise UnknownGame("no game without cards is installed")


def with_demonstration(preferred: str) -> str | None:
    """Give the game whose demonstration is played: the preferred one if it has one, else the first that has."""
    return next((name for name in (preferred, *names()) if find(name).demo), None)


@cache
def find(name: str) -> Game[Any]:
    """Give the game of this name. Raises UnknownGame, which lists those that are installed."""
    for entry in entry_points(group=GROUP, name=name):
        game: Game[Any] = entry.load()
        return game
    raise UnknownGame(f"no game called {name!r} is installed; there are: {', '.join(names()) or 'none'}")
