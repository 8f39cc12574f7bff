"""Before a match: players take seats with their own buttons, the knob picks game, variants and settings, and starts.

Knows no game by name: what can be picked is what the installed games offer.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from companion.core.errors import CompanionError, Illegal
from companion.core.panel import BUTTON_BY_LABEL, Colour
from companion.core.play.effects import Effect, Sound, Tone
from companion.core.play.knob import Chord, Click, Gesture, Hold, Play, Turn
from companion.core.record.dead_heats import POLICIES
from companion.core.record.lines import RECORD_VERSION, DeadHeat, Seat, Setup
from companion.core.ruling.judge import verify_setup
from companion.core.shown.scene import Lobby as LobbyScene
from companion.core.shown.scene import Menu, MenuItem
from companion.core.timing.events import MS, SECOND

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion.core.ruling.game import Game

_T = TypeVar("_T")

WINDOWS_NS = tuple(n * 500 * MS for n in (1, 2, 3, 4, 6, 8, 10, 16, 20, 40, 60, 120, 240))
"""Collecting windows the knob offers: 0.5 to 120 s."""


@dataclass(frozen=True, slots=True)
class Table:
    """What is to be played: the settings a lobby starts from and gives back.

    first: who reveals first; None: whoever sat down first. names, allowances_ms: of seats that have any.
    """

    game: str
    seats: tuple[Colour, ...] = ()
    first: Colour | None = None
    variants: tuple[str, ...] = ()
    dead_heat: DeadHeat = "timestamp"
    window_ns: int = 3 * SECOND
    names: Mapping[Colour, str] | None = None
    allowances_ms: Mapping[Colour, int] | None = None

    def setup(self, game: Game[Any]) -> Setup:
        """Give the record's first line. Raises Malformed or Illegal where it cannot be played so."""
        if not self.seats:
            raise Illegal("nobody has taken a seat")
        names, allowances = self.names or {}, self.allowances_ms or {}
        setup = Setup(
            record=RECORD_VERSION,
            game=game.name,
            seats=tuple(Seat(colour, names.get(colour), allowances.get(colour, 0)) for colour in self.seats),
            first=self.first if self.first is not None else self.seats[0],
            variants=self.variants if game.variants else None,
            dead_heat=self.dead_heat,
        )
        verify_setup(game, setup)
        return setup


class Lobby:
    """The seating. `started` holds the setup once somebody has started the match."""

    def __init__(self, table: Table, games: tuple[str, ...], find_game: Callable[[str], Game[Any]]) -> None:
        self.table = table
        self.effects: list[Effect] = []
        self.notice = ""
        self.started: Setup | None = None
        self._games = games
        self._find = find_game
        self._cursor = 0

    def feed(self, gesture: Gesture) -> None:
        """Take what was done with the knob or a button."""
        self.notice = ""
        if isinstance(gesture, (Play, Chord)):
            self._sit(BUTTON_BY_LABEL[gesture.press.line].colour)
        elif isinstance(gesture, Turn):
            self._cursor = (self._cursor + gesture.steps) % len(self._items())
        elif isinstance(gesture, Click):
            self._pick()
        elif isinstance(gesture, Hold):
            self._stand_up()

    def scene(self) -> LobbyScene:
        """Give what there is to show."""
        return LobbyScene(self.table.seats, Menu("New match", self._items(), self._cursor))

    def _sit(self, colour: Colour) -> None:
        if colour in self.table.seats:
            self._refuse(f"{colour.short} sits already")
            return
        self.table = replace(self.table, seats=(*self.table.seats, colour))
        self.effects.append(Sound(Tone.ACCEPTED))

    def _stand_up(self) -> None:
        if not self.table.seats:
            self._refuse("nobody has taken a seat")
            return
        *rest, last = self.table.seats
        first = None if self.table.first is last else self.table.first
        self.table = replace(self.table, seats=tuple(rest), first=first)
        self.notice = f"{last.short} stands up"

    def _items(self) -> tuple[MenuItem, ...]:
        game, table = self._find(self.table.game), self.table
        first = table.first or (table.seats[0] if table.seats else None)
        variants = [MenuItem(v.label, "on" if v.key in table.variants else "off") for v in game.variants]
        return (
            MenuItem("start"),
            MenuItem("game", game.title),
            MenuItem("first", first.short if first else "-"),
            *variants,
            MenuItem("window", f"{table.window_ns / SECOND:g} s"),
            MenuItem("dead heat", table.dead_heat),
        )

    def _pick(self) -> None:
        """Start, or change the setting under the cursor to its next value."""
        game, table = self._find(self.table.game), self.table
        variants = [variant.key for variant in game.variants]
        index = self._cursor
        if index == 0:
            self._start(game)
        elif index == 1:
            name = _next(self._games, table.game)
            known = [variant.key for variant in self._find(name).variants]
            self.table = replace(table, game=name, variants=tuple(v for v in table.variants if v in known))
        elif index == 2:
            if table.seats:
                self.table = replace(table, first=_next(table.seats, table.first or table.seats[0]))
        elif index < 3 + len(variants):
            chosen = set(table.variants) ^ {variants[index - 3]}
            self.table = replace(table, variants=tuple(key for key in variants if key in chosen))
        elif index == 3 + len(variants):
            longer = [window for window in WINDOWS_NS if window > table.window_ns]
            self.table = replace(table, window_ns=longer[0] if longer else WINDOWS_NS[0])
        else:
            self.table = replace(table, dead_heat=_next(tuple(POLICIES), table.dead_heat))

    def _start(self, game: Game[Any]) -> None:
        try:
            self.started = self.table.setup(game)
        except CompanionError as error:
            self._refuse(str(error))
            return
        self.effects.append(Sound(Tone.ACCEPTED))

    def _refuse(self, why: str) -> None:
        self.notice = why
        self.effects.append(Sound(Tone.REFUSED))


def _next(values: tuple[_T, ...], value: _T) -> _T:
    return values[(values.index(value) + 1) % len(values)] if value in values else values[0]
