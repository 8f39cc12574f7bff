"""Before a match: players take seats with their own buttons, the knob picks game, variants and settings, and starts.

Knows no game by name: what can be picked is what the installed games offer.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from companion.core.errors import CompanionError, Illegal, UnknownGame
from companion.core.match.effects import Effect, Sound, Tone
from companion.core.panel import BUTTON_BY_LABEL, Colour
from companion.core.play.knob import Chord, Click, Gesture, Hold, Play, Rotation
from companion.core.record.dead_heats import POLICIES
from companion.core.record.lines import RECORD_VERSION, UNDRAWN, DeadHeat, Seat, Setup, SetupFile
from companion.core.ruling.parameters import Parameter, Setting, faults_of, variants_of, verify_files, verify_setup
from companion.core.shown.scene import Lobby as LobbyScene
from companion.core.shown.scene import Menu, MenuItem, Question
from companion.core.timing.events import MS, SECOND

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion.core.match.agreeing import Agreement
    from companion.core.record.lines import Anticipation
    from companion.core.ruling.game import Game

    FindFiles = Callable[[str, str], tuple[SetupFile, ...]]
    """Gives the files that there are for a game's parameter: those that come along, and those that the box keeps."""

_T = TypeVar("_T")

WINDOWS_NS = tuple(n * 500 * MS for n in (1, 2, 3, 4, 6, 8, 10, 16, 20, 40, 60, 120, 240))
"""Collecting windows the knob offers: 0.5 to 120 s."""
MENU_ROOM = 18
"""Characters that a line of the menu has room for on the smallest display, beside what parts its two ends."""


@dataclass(frozen=True, slots=True)
class Table:
    """What is to be played: the settings a lobby starts from and gives back.

    first: who reveals first; None: whoever sat down first. names, allowances_ms: of seats that have any. parameters,
    files: what was answered to what the game asks; what was not has its default. anticipation: what becomes of a press
    too soon after its card, in games that know of it; None: nothing. practice: pages explain each ruling; it decides
    nothing.
    """

    game: str
    seats: tuple[Colour, ...] = ()
    first: Colour | None = None
    variants: tuple[str, ...] = ()
    dead_heat: DeadHeat = "timestamp"
    window_ns: int = 3 * SECOND
    names: Mapping[Colour, str] | None = None
    allowances_ms: Mapping[Colour, int] | None = None
    parameters: Mapping[str, Setting] = field(default_factory=dict)
    files: Mapping[str, SetupFile] = field(default_factory=dict)
    anticipation: Anticipation | None = None
    practice: bool = False

    def setup(self, game: Game[Any]) -> Setup:
        """Give the record's first line. Raises Malformed or Illegal where it cannot be played so."""
        if not self.seats:
            raise Illegal("nobody has taken a seat")
        allowances = self.allowances_ms or {}
        setup = Setup(
            record=RECORD_VERSION,
            match=UNDRAWN,
            game=game.name,
            edition=game.edition,
            seats=tuple(Seat(colour, allowances.get(colour, 0)) for colour in self.seats),
            first=self.first if self.first is not None else self.seats[0],
            variants=self.variants if variants_of(game.parameters) else None,
            dead_heat=self.dead_heat,
            seed=UNDRAWN if POLICIES[self.dead_heat].draws else None,
            parameters=self._parameters(game) or None,
            files=self._files(game) or None,
            anticipation=self.anticipation if game.anticipates else None,
        )
        verify_setup(game, setup)
        verify_files(game, setup.files or {})
        return setup

    def _parameters(self, game: Game[Any]) -> dict[str, Setting]:
        """Give every parameter with its value, so that the record needs nothing else; unknown ones for the refusal."""
        asked = {p.key: p.default for p in game.parameters if not p.is_variant and p.kind != "file"}
        return {**asked, **self.parameters}

    def _files(self, game: Game[Any]) -> dict[str, SetupFile]:
        own = {p.key: SetupFile(p.key, str(p.default)) for p in game.parameters if p.kind == "file" and p.default}
        return {**own, **self.files}


def no_files(game: str, key: str) -> tuple[SetupFile, ...]:  # noqa: ARG001 - as whoever keeps some is asked
    """Give (): there are none."""
    return ()


class _Setting(NamedTuple):
    """A line of the lobby's menu, and what a push does."""

    item: MenuItem
    pick: Callable[[], None]


class Lobby:
    """The seating. `started` holds the setup once somebody has started the match.

    can_invite: others can look on, and the menu shows how. asks_invitation: somebody has just asked for that;
    asks_seats: for the codes by which phones ask for the free seats.
    """

    def __init__(
        self,
        table: Table,
        games: tuple[str, ...],
        find_game: Callable[[str], Game[Any]],
        find_files: FindFiles = no_files,
    ) -> None:
        self.table = table
        self.effects: list[Effect] = []
        self.notice = ""
        self.started: Setup | None = None
        self.agreement: Agreement | None = None  # of what everybody must agree to before it begins
        self.can_invite = self.asks_invitation = self.asks_seats = False
        self._games = games
        self._find, self._files = find_game, find_files
        self._cursor = 0

    def feed(self, gesture: Gesture) -> None:
        """Take what was done with the knob or a button."""
        self.notice = ""
        if self.agreement is not None:
            self._agree(self.agreement, gesture)
        elif isinstance(gesture, (Play, Chord)):
            self._sit(BUTTON_BY_LABEL[gesture.press.line].colour)
        elif isinstance(gesture, Rotation):
            self._cursor = (self._cursor + gesture.steps) % len(self._items())
        elif isinstance(gesture, Click):
            self._pick()
        elif isinstance(gesture, Hold):
            self._stand_up()

    def _agree(self, agreement: Agreement, gesture: Gesture) -> None:
        """Take a seat's consent; the knob leads back to the seating."""
        if isinstance(gesture, (Play, Chord)):
            self.consent(agreement, BUTTON_BY_LABEL[gesture.press.line].colour)
        elif isinstance(gesture, (Click, Hold)):
            self.agreement, self.notice = None, "not everybody has agreed"

    def consent(self, agreement: Agreement, colour: Colour, by: str = "") -> None:
        """Take the consent of a seat, `by`: of who gives it for the seat. With the last one the match is started."""
        try:
            is_new = agreement.agree(colour, by)
        except Illegal as error:
            self.refuse(str(error))
            return
        self.effects.append(Sound(Tone.ACCEPTED if is_new else Tone.IGNORED))
        if not agreement.missing:
            self.started = agreement.setup

    def scene(self) -> LobbyScene | Question:
        """Give what there is to show."""
        if self.agreement is not None:
            return self.agreement.scene()
        return LobbyScene(self.table.seats, Menu("New match", self._items(), self._cursor))

    def _sit(self, colour: Colour) -> None:
        if colour in self.table.seats:
            self.refuse(f"{colour.short} sits already")
            return
        self.table = replace(self.table, seats=(*self.table.seats, colour))
        self.effects.append(Sound(Tone.ACCEPTED))

    def _stand_up(self) -> None:
        if not self.table.seats:
            self.refuse("nobody has taken a seat")
            return
        *rest, last = self.table.seats
        first = None if self.table.first is last else self.table.first
        self.table = replace(self.table, seats=tuple(rest), first=first)
        self.notice = f"{last.short} stands up"

    def _items(self) -> tuple[MenuItem, ...]:
        return tuple(setting.item for setting in self._settings())

    def _pick(self) -> None:
        """Start, or change the setting under the cursor to its next value."""
        self._settings()[self._cursor].pick()

    def _settings(self) -> list[_Setting]:
        """Give what the knob can pick, in the order of the menu."""
        game, table = self._find(self.table.game), self.table
        first = table.first or (table.seats[0] if table.seats else None)
        return [
            _Setting(MenuItem("start"), lambda: self._start(game)),
            _Setting(MenuItem("game", game.title), self._next_game),
            _Setting(MenuItem(game.seats.first or "first", first.short if first else "-"), self._next_first),
            *(self._asked(parameter) for parameter in game.parameters if parameter.kind != "file"),
            *(self._asked_file(game, parameter) for parameter in game.parameters if parameter.kind == "file"),
            *(self._of_races() if game.race_name else []),
            *([_Setting(MenuItem("how to join"), self._ask_invitation)] if self.can_invite else []),
            *([_Setting(MenuItem("play by phone"), self._ask_seats)] if self.can_invite and self.free else []),
        ]

    def _of_races(self) -> list[_Setting]:
        """Give what a game without races has no use for."""
        return [
            _Setting(MenuItem("window", f"{self.table.window_ns / SECOND:g} s"), self._next_window),
            _Setting(MenuItem("dead heat", self.table.dead_heat), self._next_policy),
        ]

    def _asked(self, parameter: Parameter) -> _Setting:
        """Give what the game asks as a setting that each push moves to its next value."""
        if parameter.is_variant:
            is_on = parameter.key in self.table.variants
            return _Setting(MenuItem(parameter.label, "on" if is_on else "off"), lambda: self._toggle(parameter.key))
        value = self.table.parameters.get(parameter.key, parameter.default)
        values = _values(parameter)
        says = next((label for known, label in values if known == value), str(value))

        def change() -> None:
            new = _next(tuple(known for known, _ in values), value)
            self.table = replace(self.table, parameters={**self.table.parameters, parameter.key: new})

        return _Setting(MenuItem(parameter.label, says), change)

    def _asked_file(self, game: Game[Any], parameter: Parameter) -> _Setting:
        """Give a file that the game asks for: each push takes the next that there is; one with a fault says so."""
        key, chosen = parameter.key, self.table.files.get(parameter.key)

        def change() -> None:
            files = choices_of(game, parameter, self._files)
            new = _next(files, chosen)
            others = {one: file for one, file in self.table.files.items() if one != key}
            self.table = replace(self.table, files=others if new is None else {**others, key: new})
            if new == chosen:
                self.notice = "there is no other file"
            elif new is not None and faults_of(game, key, new.text):
                self.notice = f"{new.name} has a fault"

        usual = "-" if parameter.default == "" else _usual(parameter, self._files(game.name, key)).name
        name = usual if chosen is None else chosen.name
        return _Setting(MenuItem(parameter.label, _short(name, MENU_ROOM - len(parameter.label))), change)

    def _toggle(self, variant: str) -> None:
        chosen = set(self.table.variants) ^ {variant}
        known = (p.key for p in variants_of(self._find(self.table.game).parameters))
        self.table = replace(self.table, variants=tuple(key for key in known if key in chosen))

    def _next_game(self) -> None:
        name = self._next_playable()
        known = [p.key for p in variants_of(self._find(name).parameters)]
        variants = tuple(v for v in self.table.variants if v in known)
        self.table = replace(self.table, game=name, variants=variants, parameters={}, files={})

    def _next_playable(self) -> str:
        """Give the next game that can be played: those before it cannot be, as the log says."""
        name = self.table.game
        for _ in self._games:
            name = _next(self._games, name)
            with suppress(UnknownGame):
                self._find(name)
                return name
        return self.table.game

    def _next_first(self) -> None:
        seats = self.table.seats
        if seats:
            self.table = replace(self.table, first=_next(seats, self.table.first or seats[0]))

    def _next_window(self) -> None:
        longer = [window for window in WINDOWS_NS if window > self.table.window_ns]
        self.table = replace(self.table, window_ns=longer[0] if longer else WINDOWS_NS[0])

    def _next_policy(self) -> None:
        self.table = replace(self.table, dead_heat=_next(tuple(POLICIES), self.table.dead_heat))

    def _ask_invitation(self) -> None:
        self.asks_invitation = True

    def _ask_seats(self) -> None:
        self.asks_seats = True

    @property
    def free(self) -> tuple[Colour, ...]:
        """Give the seats that nobody has taken here."""
        return tuple(colour for colour in Colour if colour not in self.table.seats)

    def _start(self, game: Game[Any]) -> None:
        try:
            self.started = self.table.setup(game)
        except CompanionError as error:
            self.refuse(str(error))
            return
        self.effects.append(Sound(Tone.ACCEPTED))

    def refuse(self, why: str) -> None:
        """Say that something cannot be done; nothing has changed."""
        self.notice = why
        self.effects.append(Sound(Tone.REFUSED))


def _short(name: str, room: int) -> str:
    """Give a file's name, without what it ends with where there is no room for that."""
    return name if len(name) <= room else name.rpartition(".")[0] or name


def choices_of(game: Game[Any], parameter: Parameter, find_files: FindFiles) -> tuple[SetupFile | None, ...]:
    """Give the files that may be chosen for a parameter, first what stands where nothing is said; None: no file."""
    files = find_files(game.name, parameter.key)
    if parameter.default == "":
        return (None, *files)
    return (None, *(file for file in files if file.text != parameter.default))


def _usual(parameter: Parameter, files: tuple[SetupFile, ...]) -> SetupFile:
    """Give the file that stands where nothing is said, by the name that it comes along with, where it has one."""
    usual = SetupFile(parameter.key, str(parameter.default))
    return next((file for file in files if file.text == usual.text), usual)


def _values(parameter: Parameter) -> list[tuple[Setting, str]]:
    """Give the values of a parameter that the knob goes through, each as people read it."""
    if parameter.kind == "yes-no":
        return [(False, "off"), (True, "on")]
    if parameter.kind == "choice":
        return [(choice.key, choice.label) for choice in parameter.choices]
    return [(number, str(number)) for number in range(parameter.low, parameter.high + 1)]


def _next(values: tuple[_T, ...], value: _T) -> _T:
    return values[(values.index(value) + 1) % len(values)] if value in values else values[0]
