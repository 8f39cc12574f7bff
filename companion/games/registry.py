"""Finds games by their entry points, so that a game can be installed beside the box. Knows no game by name.

A game is imported when it is first asked for, and not before: what nobody plays costs neither time nor memory.

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
from companion.core.ruling.plain_game import LATER_PARTS, completed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from importlib.metadata import EntryPoint

GROUP = "companion.games"
_OWN = "companion.games."
_PARTS = tuple(name for name in vars(Game) if not name.startswith("_") and name not in LATER_PARTS)
"""What every game has; `completed` gives the rest."""


class _Listed(NamedTuple):
    """What is installed under one name: the entry point that gives the game, or why none does."""

    entry: EntryPoint | None
    problem: str
    is_foreign: bool


def listed() -> tuple[str, ...]:
    """Give the names of all games that are installed, sorted; whether one can be played is not known before `find`."""
    return tuple(_listed())


def names() -> tuple[str, ...]:
    """Give the names of all games that can be played, sorted. Imports them all."""
    return tuple(name for name in listed() if not problem(name))


def problems() -> Mapping[str, str]:
    """Give the games that are installed and cannot be played: name to reason. Imports them all."""
    return MappingProxyType({name: why for name in listed() if (why := problem(name))})


def problem(name: str) -> str:
    """Say why an installed game cannot be played; empty where it can be, and for one that is not installed."""
    return _loaded(name).problem if name in _listed() else ""


def is_foreign(name: str) -> bool:
    """Tell whether a game came from another package than the program's."""
    return name in _listed() and _listed()[name].is_foreign


def first() -> str:
    """Give the game that is played where nothing is said: the first of the program's own. Raises UnknownGame."""
    for name in _own_first():
        return name
    raise UnknownGame("no game is installed")


def without_cards() -> str:
    """Give the first game that races, has no cards and asks for no file: it only says who was first.

    Raises UnknownGame.
    """
    for name in _own_first():
        game = find(name)
        if game.race_name and not (game.deck or _asks_file(game)):
            return name
    raise UnknownGame("no game without cards is installed")


def _asks_file(game: Game[Any]) -> bool:
    """Tell whether a game is played by what a file says."""
    return any(parameter.kind == "file" for parameter in game.parameters)


def with_demonstration(preferred: str) -> str | None:
    """Give the game whose demonstration is played: the preferred one if it has one, else the first that has."""
    if find(preferred).demo:
        return preferred
    return next((name for name in _own_first() if find(name).demo), None)


def _own_first() -> Iterator[str]:
    """Give all games that can be played, so that one which is installed later is none that a box plays unasked."""
    return (name for name in sorted(listed(), key=lambda name: (is_foreign(name), name)) if not problem(name))


def find(name: str) -> Game[Any]:
    """Give the game of this name. Raises UnknownGame, which says what is wrong with it, or lists those there are."""
    if name not in _listed():
        raise UnknownGame(f"no game called {name!r} is installed; there are: {', '.join(names()) or 'none'}")
    loaded = _loaded(name)
    if loaded.game is None:
        raise UnknownGame(f"the game {name!r} cannot be played: {loaded.problem}")
    return loaded.game


def forget() -> None:
    """Look for games anew when they are next asked for."""
    _listed.cache_clear()
    _loaded.cache_clear()


@cache
def _listed() -> Mapping[str, _Listed]:
    """Give what is installed, by name, in the order of names; imports nothing."""
    by_name: dict[str, list[EntryPoint]] = {}
    for entry in entry_points(group=GROUP):
        by_name.setdefault(entry.name, []).append(entry)
    return MappingProxyType({name: _one_of(entries) for name, entries in sorted(by_name.items())})


def _one_of(entries: Sequence[EntryPoint]) -> _Listed:
    is_foreign = not any(entry.value.startswith(_OWN) for entry in entries)
    try:
        return _Listed(_only(entries), "", is_foreign)
    except UnknownGame as error:
        return _Listed(None, str(error), is_foreign)


class _Loaded(NamedTuple):
    """A game that was imported, or why it cannot be played."""

    game: Game[Any] | None
    problem: str


@cache
def _loaded(name: str) -> _Loaded:
    """Import an installed game, once."""
    entry, problem, _ = _listed()[name]
    if entry is None:
        return _Loaded(None, problem)
    try:
        return _Loaded(_game_of(entry), "")
    except UnknownGame as error:
        return _Loaded(None, str(error))


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
    return completed(game)


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
