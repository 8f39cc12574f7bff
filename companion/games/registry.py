"""Finds games by their entry points, so that a game can be installed beside the box. Knows no game by name.

What is broken is refused by name, with the reason, and harms no other game: a package that does not import, that gives
no game, one of another contract or of another name than its entry point's, or a name that somebody else gives too.
"""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.core.errors import UnknownGame
from companion.core.ruling.game import CONTRACT, Game

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from importlib.metadata import EntryPoint

GROUP = "companion.games"
_OWN = "companion.games."
_OPTIONAL = {"rules", "clauses", "samples", "check_file", "dry_run", "taking_back", "held", "ledgers"}
"""Parts that came to the contract later, and that a game need not have."""
_PARTS = tuple(name for name in vars(Game) if not name.startswith("_") and name not in _OPTIONAL)
"""What every game has."""


class _Installed(NamedTuple):
    """What the entry points give. problems: name to reason. foreign: names of games that are not the program's own."""

    games: Mapping[str, Game[Any]]
    problems: Mapping[str, str]
    foreign: frozenset[str]


def names() -> tuple[str, ...]:
    """Give the names of all games that can be played, sorted."""
    return tuple(sorted(_installed().games))


def problems() -> Mapping[str, str]:
    """Give the games that are installed and cannot be played: name to reason."""
    return _installed().problems


def is_foreign(name: str) -> bool:
    """Tell whether a game came from another package than the program's."""
    return name in _installed().foreign


def first() -> str:
    """Give the game that is played where nothing is said: the first of the program's own. Raises UnknownGame."""
    for name in _own_first():
        return name
    raise UnknownGame("no game is installed")


def without_cards() -> str:
    """Give the first game that races and has no cards: it only says who was first. Raises UnknownGame."""
    for name in _own_first():
        if find(name).race_name and not find(name).deck:
            return name
    raise UnknownGame("no game without cards is installed")


def with_demonstration(preferred: str) -> str | None:
    """Give the game whose demonstration is played: the preferred one if it has one, else the first that has."""
    return next((name for name in (preferred, *_own_first()) if find(name).demo), None)


def _own_first() -> list[str]:
    """Give all games, so that one which is installed later does not become what a box plays unasked."""
    return sorted(names(), key=lambda name: (is_foreign(name), name))


def find(name: str) -> Game[Any]:
    """Give the game of this name. Raises UnknownGame, which says what is wrong with it, or lists those there are."""
    installed = _installed()
    if name in installed.games:
        return installed.games[name]
    if name in installed.problems:
        raise UnknownGame(f"the game {name!r} cannot be played: {installed.problems[name]}")
    raise UnknownGame(f"no game called {name!r} is installed; there are: {', '.join(names()) or 'none'}")


def forget() -> None:
    """Look for games anew when they are next asked for."""
    _installed.cache_clear()


@cache
def _installed() -> _Installed:
    by_name: dict[str, list[EntryPoint]] = {}
    for entry in entry_points(group=GROUP):
        by_name.setdefault(entry.name, []).append(entry)
    games: dict[str, Game[Any]] = {}
    problems: dict[str, str] = {}
    for name, entries in sorted(by_name.items()):
        try:
            games[name] = _game_of(_only(entries))
        except UnknownGame as error:
            problems[name] = str(error)
    foreign = frozenset(name for name in games if not any(e.value.startswith(_OWN) for e in by_name[name]))
    return _Installed(MappingProxyType(games), MappingProxyType(problems), foreign)


def _only(entries: Sequence[EntryPoint]) -> EntryPoint:
    """Give the entry point of a name. The program's own game is not put out by one that takes its name."""
    own = [entry for entry in entries if entry.value.startswith(_OWN)]
    if len({entry.value for entry in entries}) > 1 and not own:
        packages = sorted({entry.dist.name if entry.dist else entry.value for entry in entries})
        raise UnknownGame(f"several packages give a game of this name: {', '.join(packages)}; uninstall all but one")
    return (own or list(entries))[0]


def _game_of(entry: EntryPoint) -> Game[Any]:
    """Load a game and look at it. Raises UnknownGame with the reason."""
    try:
        game = entry.load()
    except (Exception, SystemExit) as error:
        raise UnknownGame(f"{entry.value} does not import: {type(error).__name__}: {error}") from error
    if why := _why_no_game(game, entry.name):
        raise UnknownGame(f"{entry.value} {why}")
    found: Game[Any] = game
    return found


def _why_no_game(game: Any, name: str) -> str:
    """Say why an object cannot be the game of this name; empty where it can."""
    if isinstance(game, type):
        return "is a class: the entry point names a game, an instance of one"
    version = getattr(game, "version", None)
    if isinstance(version, int) and version != CONTRACT:
        return f"keeps version {version} of the contract of a game; this program has version {CONTRACT}"
    try:
        missing = [part for part in _PARTS if not hasattr(game, part)]
    except Exception as error:  # noqa: BLE001 - a property of its own that fails
        return f"is no game: {type(error).__name__}: {error}"
    if missing:
        return f"is no game: it has no {', '.join(missing)}"
    return "" if game.name == name else f"calls itself {game.name!r}, and its entry point {name!r}"
