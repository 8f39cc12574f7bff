"""The installed games as a box plays them: in English, and those of others with a guard around them.

A guarded game's slips are in the log with their traceback, and an alarm of the box where one listens (`on_fault`).
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, overload

from companion.config.languages import ENGLISH, translation
from companion.core.ruling.plain_game import PlainGame
from companion.games import registry
from companion.games.guarded import guarded

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.core.ruling.game import AnyGame

LOG = logging.getLogger("companion")


class InstalledGames:
    """Gives games by name, in English: what they say is put into a language where it is shown.

    language: what a game speaks whose texts remember nothing: plain strings, by its own `speaking`.
    on_fault: is told, from any thread, that a game of somebody else's failed.
    """

    def __init__(self, language: str = ENGLISH) -> None:
        self._language = language
        self._found: dict[str, AnyGame] = {}
        self._told: set[str] = set()
        self.on_fault: Callable[[str], None] | None = None

    def names(self) -> tuple[str, ...]:
        """Give the names of all games that can be played, sorted. Imports them all."""
        for name in registry.listed():
            self._report(name)
        return registry.names()

    def find(self, name: str) -> AnyGame:
        """Give a game. Raises UnknownGame."""
        if name not in self._found:
            self._report(name)
            self._found[name] = self._made(name)
        return self._found[name]

    def _made(self, name: str) -> AnyGame:
        found = registry.find(name)
        game = guarded(found, self._failed) if registry.is_foreign(name) else found
        if self._language == ENGLISH or isinstance(found, PlainGame):
            return game
        return game.speaking(translation(game.words, self._language))

    def _report(self, name: str) -> None:
        """Say in the log why an installed game cannot be played, if it cannot; once."""
        if name not in self._told and (why := registry.problem(name)):
            self._told.add(name)
            LOG.error("the game %s cannot be played: %s", name, why)

    def _failed(self, text: str, error: Exception) -> None:
        LOG.error("%s", text, exc_info=error)
        if self.on_fault is not None:
            self.on_fault(text)


@cache
def games_in(language: str) -> InstalledGames:
    """Give the installed games in a language, the same ones to everybody who asks."""
    return InstalledGames(language)


class PlayableNames(Sequence[str]):
    """The names of all games that can be played, the usual one first if so wished; looked for when they are needed."""

    def __init__(self, games: InstalledGames, *, usual_first: bool = False) -> None:
        self._games, self._usual_first = games, usual_first

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[str, ...]: ...

    def __getitem__(self, index: int | slice) -> str | tuple[str, ...]:
        return self._names()[index]

    def __len__(self) -> int:
        return len(self._names())

    def _names(self) -> tuple[str, ...]:
        names = self._games.names()
        first = registry.first() if self._usual_first else None
        return tuple(sorted(names, key=lambda name: name != first))
