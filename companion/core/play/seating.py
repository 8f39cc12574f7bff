"""Before a match: players take seats with their own buttons, the knob picks game, variants and settings, and starts.

Knows no game by name: what can be picked is what the installed games offer.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from companion.core.calibration.handicap import measured_again
from companion.core.calibration.host import CalibrationHost
from companion.core.errors import CompanionError, Illegal, UnknownGame
from companion.core.hands.choosing import role_name
from companion.core.hands.knob import Chord, Click, Gesture, Hold, Play, Rotation
from companion.core.match.effects import Announce, AskVoice, Effect, Sound, Tone, VoiceWish, wish_says
from companion.core.panel import BUTTON_BY_LABEL, POSITIONS, Colour, place_says
from companion.core.profiles.sitting import NOBODY, Sitting, Taken, sitters_of
from companion.core.record.dead_heats import POLICIES, policies_of
from companion.core.record.lines import RECORD_VERSION, UNDRAWN, DeadHeat, Seat, Setup, SetupFile
from companion.core.ruling.parameters import Parameter, Setting, faults_of, variants_of, verify_files, verify_setup
from companion.core.shown.scene import Apart, Menu, MenuItem, Question
from companion.core.shown.scene import Lobby as LobbyScene
from companion.core.shown.sound_switch import SoundSwitch
from companion.core.timing.events import MS, SECOND
from companion.core.words.language import Spoken
from companion.core.words.texts import joined, number, text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from companion.core.calibration.menu import CalibrationMenu
    from companion.core.match.agreeing import Agreement
    from companion.core.profiles.holding import Sitter
    from companion.core.profiles.sitting import KnownPeople
    from companion.core.record.lines import Anticipation, Event, TimingMode
    from companion.core.ruling.game import Game
    from companion.core.shown.calibrating import Calibrating

    FindFiles = Callable[[str, str], tuple[SetupFile, ...]]
    """Gives the files that there are for a game's parameter: those that come along, and those that the box keeps."""

_T = TypeVar("_T")

WINDOWS_NS = tuple(n * 500 * MS for n in (1, 2, 3, 4, 6, 8, 10, 16, 20, 40, 60, 120, 240))
"""Collecting windows the knob offers: 0.5 to 120 s."""
TIMINGS = {"race": text("race"), "untimed": text("untimed")}
"""How cards are played, as the menu has it."""
ONLY_ENGLISH = Spoken()
"""Of a box that has no other language."""
MENU_ROOM = 18
"""Characters that a line of the menu has room for on the smallest display, beside what parts its two ends."""


_ON, _OFF = text("on"), text("off")


@dataclass(frozen=True, slots=True)
class Table:
    """What is to be played: the settings a lobby starts from and gives back.

    first: who reveals first; None: whoever sat down first. names, allowances_ms: of seats that have any. parameters,
    files: what was answered to what the game asks; what was not has its default. anticipation: what becomes of a press
    too soon after its card, in games that know of it; None: nothing. practice: pages explain each ruling; it decides
    nothing. by_profile: the seats whose person plays by a profile of their own. timing: whether presses are raced, or
    cards laid face down and shown together; without times, nobody has an allowance. lent_ms: what seats have without
    what was measured for whoever sits there now: that is this person's, and goes with them. event: where in a larger
    event it is played, which then says who sits where and what is played; None: in none.
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
    by_profile: frozenset[Colour] = frozenset()
    timing: TimingMode = "race"
    lent_ms: Mapping[Colour, int] = field(default_factory=dict)
    event: Event | None = None

    @property
    def event_says(self) -> str:
        """Say which table of an event it is and who plays, in the order of the seats; empty where it is of none."""
        if self.event is None:
            return ""
        names = joined(((self.names or {}).get(colour, colour.short) for colour in self.seats), ", ")
        return joined((self.event_place, names), ": ")

    @property
    def event_place(self) -> str:
        """Say which table of an event it is; empty where it is of none."""
        if self.event is None:
            return ""
        return text("Round {round}, table {table}").format(round=self.event.round, table=self.event.table)

    @property
    def taken(self) -> Taken:
        """Who sits where."""
        return Taken(self.seats, self.names or {}, self.by_profile)

    def with_people(self, taken: Taken) -> Table:
        """Give the table with these names, of whom some play by a profile of their own."""
        table = replace(self, names=taken.names, by_profile=taken.by_profile)
        return table.without_measured(colour for colour in self.lent_ms if not self.taken.is_same_at(colour, taken))

    def with_measured(self, colour: Colour, ms: int) -> Table:
        """Give the table with an allowance that was measured for whoever sits there."""
        usual = self.allowances_ms or {}
        lent = {colour: usual.get(colour, 0), **self.lent_ms}
        return replace(self, allowances_ms={**usual, colour: ms}, lent_ms=lent)

    def without_measured(self, seats: Iterable[Colour]) -> Table:
        """Give the table with what these seats have where nobody was measured: somebody else sits there, or nobody."""
        gone = {colour: self.lent_ms[colour] for colour in seats if colour in self.lent_ms}
        lent = {colour: ms for colour, ms in self.lent_ms.items() if colour not in gone}
        return replace(self, allowances_ms={**(self.allowances_ms or {}), **gone}, lent_ms=lent) if gone else self

    def with_allowances(self, sitters: Mapping[Colour, Sitter]) -> Table:
        """Give the table with the allowances of profiles in the place of those that their seats would have."""
        own = {colour: sitter.profile.allowance.ms for colour, sitter in sitters.items()}
        return replace(self, allowances_ms={**(self.allowances_ms or {}), **own}) if own else self

    def setup(self, game: Game[Any]) -> Setup:
        """Give the record's first line. Raises Malformed or Illegal where it cannot be played so."""
        if not self.seats:
            raise Illegal(text("nobody has taken a seat"))
        is_untimed = self.timing == "untimed" and bool(game.race_name)
        allowances = (not is_untimed and self.allowances_ms) or {}
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
            anticipation=self.anticipation if game.anticipates and not is_untimed else None,
            timing="untimed" if is_untimed else "race",
            event=self.event,
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


def take_up(calibrating: CalibrationMenu, gesture: Gesture) -> None:
    """Do in a calibration what was done with the knob or a button."""
    if isinstance(gesture, (Play, Chord)):
        calibrating.press(gesture.press)
    elif isinstance(gesture, Rotation):
        calibrating.turn(gesture.steps)
    elif isinstance(gesture, Click):
        calibrating.click()
    else:
        calibrating.hold()


def no_files(game: str, key: str) -> tuple[SetupFile, ...]:  # noqa: ARG001 - as whoever keeps some is asked
    """Give (): there are none."""
    return ()


class Asked(Enum):
    """What can be asked for at the seating that leads out of it for a while."""

    INVITATION = "how others can look on"
    SEATS = "the codes by which phones ask for the free seats"
    BUTTONS = "which input is which button"


class _Setting(NamedTuple):
    """A line of the lobby's menu, and what a push does. for_switches: it leads nowhere that a switch can't lead out."""

    item: MenuItem
    pick: Callable[[], None]
    for_switches: bool = True


class Lobby:
    """The seating. `started` holds the setup once somebody has started the match.

    can_invite: others can look on, and the menu shows how. can_assign: inputs can be made other buttons. asks: what
    somebody has just asked for that is not the seating's own. measuring: a calibration that goes on stands in the place
    of the seating.
    """

    can_speak = False
    """Whether the box has a voice, and the menu what can be wished of it."""
    why_untimed: Callable[[Table], str] = staticmethod(lambda _table: "")
    """Says why cards should be laid without times at a table where they are raced; empty where they need not be."""

    def __init__(
        self,
        table: Table,
        games: tuple[str, ...],
        find_game: Callable[[str], Game[Any]],
        find_files: FindFiles = no_files,
        languages: Spoken = ONLY_ENGLISH,
        people: KnownPeople = NOBODY,
        measuring: CalibrationHost | None = None,
    ) -> None:
        self.table = table
        self.sitting = Sitting(people)
        self.effects: list[Effect] = []
        self.notice = ""
        self.started: Setup | None = None
        self.agreement: Agreement | None = None  # of what everybody must agree to before it begins
        self.can_invite = self.can_assign = False
        self.asks: Asked | None = None
        self.sounds = SoundSwitch()
        """Whether the buzzer is to be heard."""
        self._games = games
        self.measuring = measuring or CalibrationHost()
        self._find, self._files, self._languages = find_game, find_files, languages
        self._cursor = 0

    def feed(self, gesture: Gesture) -> None:
        """Take what was done with the knob or a button."""
        self.notice = ""
        if self.measuring.is_on:
            take_up(self.measuring.menu, gesture)
            self.see_measuring()
        elif self.agreement is not None:
            self._agree(self.agreement, gesture)
        elif self.sitting.is_open and isinstance(gesture, Rotation):
            self.sitting.turn(gesture.steps)
        elif self.sitting.is_open and isinstance(gesture, Click):
            self._change_who(self.sitting.pick)
        elif self.sitting.is_open and isinstance(gesture, Hold):
            self.sitting.close()
        elif isinstance(gesture, (Play, Chord)):
            self._sit(BUTTON_BY_LABEL[gesture.press.line].colour)
        elif isinstance(gesture, Rotation):
            self._cursor = (self._cursor + gesture.steps) % len(self._items())
        elif isinstance(gesture, Click):
            self._pick()
        else:
            self._stand_up()

    def _agree(self, agreement: Agreement, gesture: Gesture) -> None:
        """Take a seat's consent; the knob leads back to the seating."""
        if isinstance(gesture, (Play, Chord)):
            self.consent(agreement, BUTTON_BY_LABEL[gesture.press.line].colour)
        elif isinstance(gesture, (Click, Hold)):
            self.agreement, self.notice = None, text("not everybody has agreed")

    def consent(self, agreement: Agreement, colour: Colour, by: str = "") -> None:
        """Take the consent of a seat, `by`: of who gives it for the seat. With the last one the match is started."""
        try:
            is_new = agreement.agree(colour, by)
        except Illegal as error:
            self.refuse(str(error), colour)
            return
        self.effects.append(Sound(Tone.ACCEPTED if is_new else Tone.IGNORED, (colour,)))
        if not agreement.missing:
            self.started = agreement.setup

    def see_measuring(self) -> None:
        """Pass on what a calibration wants done; what everybody has agreed to holds from the next match on."""
        effects, self.notice, agreed = self.measuring.take()
        roles = self._find(self.table.game).roles
        self.effects += [_as_called(effect, roles) if isinstance(effect, Announce) else effect for effect in effects]
        if agreed is not None:
            known = self.sitting.people.find(agreed.name) if agreed.name else None
            ms = (measured_again(known.allowance, agreed.allowance) if known is not None else agreed.allowance).ms
            self.table = self.table.with_measured(agreed.colour, ms)
            self.notice = text("{seat}: −{ms} ms from the next match on").format(
                seat=agreed.colour.short, ms=number(f"{ms:,}")
            )

    def scene(self) -> LobbyScene | Question | Apart | Calibrating:
        """Give what there is to show."""
        if self.measuring.is_on:
            return self.measuring.menu.scene()
        if self.agreement is not None:
            return self.agreement.scene()
        title = self.table.event_place or text("New match")
        return self.sitting.scene(LobbyScene(self.table.seats, Menu(title, self._items(), self._cursor)))

    def _sit(self, colour: Colour) -> None:
        is_new, waits = colour not in self.table.seats, self.sitting.waiting is not None
        if is_new and self.table.event is not None:
            self.refuse(self.table.event_says, colour)
            return
        if is_new:
            self.table = replace(self.table, seats=(*self.table.seats, colour))
        self._change_who(lambda taken: self.sitting.sat(taken, colour))
        if is_new or (waits and not self.notice):
            self.effects.append(Sound(Tone.ACCEPTED, (colour,)))
        elif not waits and self.table.event is not None:
            self._says_who(colour)
        elif not waits:
            self.refuse(text("{colour} sits already").format(colour=colour.short), colour)

    def _says_who(self, colour: Colour) -> None:
        """Say who is to sit at a seat of an event's table, as whoever pressed its button wants to know."""
        name = (self.table.names or {}).get(colour, colour.short)
        self.notice = text("{name} sits at {colour}").format(name=name, colour=colour)
        self.effects.append(Sound(Tone.ACCEPTED, (colour,)))

    def name(self, place: int) -> None:
        """Pick what stands at this place in the menu of names."""
        self.sitting.go_to(place)
        self._change_who(self.sitting.pick)

    def _change_who(self, change: Callable[[Taken], Taken]) -> None:
        """Have somebody sit somewhere; what cannot be is said."""
        try:
            self.table = self.table.with_people(change(self.table.taken))
        except CompanionError as error:
            self.refuse(str(error))

    def _stand_up(self) -> None:
        if not self.table.seats:
            self.refuse(text("nobody has taken a seat"))
            return
        if self.table.event is not None:
            self.refuse(text("the event says who plays at this table"))
            return
        *rest, last = self.table.seats
        first = None if self.table.first is last else self.table.first
        self.table = replace(self.table, seats=tuple(rest), first=first).without_measured([last])
        if last in self.table.by_profile:
            self.table = self.table.with_people(self.table.taken.without(last))
        self.notice = text("{colour} stands up").format(colour=last.short)

    @property
    def proposal(self) -> str:
        """Why to play without times; empty where nothing is proposed."""
        can_be = (
            self.table.event is None and self.table.timing == "race" and bool(self._find(self.table.game).race_name)
        )
        return self.why_untimed(self.table) if can_be else ""

    def _items(self) -> tuple[MenuItem, ...]:
        return tuple(setting.item for setting in self.settings())

    def _pick(self) -> None:
        """Start, or change the setting under the cursor to its next value."""
        self.settings()[self._cursor].pick()

    def settings(self) -> list[_Setting]:
        """Give what the knob can pick, in the order of the menu."""
        game, table = self._find(self.table.game), self.table
        who = self.sitting.item(table.taken)
        return [
            _Setting(MenuItem(text("start")), lambda: self._start(game)),
            *(self._of_game(game) if table.event is None else []),
            *([_Setting(who, lambda: self.sitting.open(self.table.taken))] if who is not None else []),
            *(self._of_rules(game) if table.event is None else []),
            *([self._calibrate()] if self.measuring.can_open(table.seats) else []),
            *([self._language()] if len(self._languages.all) > 1 else []),
            *([self._wished(wish) for wish in VoiceWish] if self.can_speak else []),
            *([self._asks(text("how to join"), Asked.INVITATION)] if self.can_invite else []),
            *([self._asks(text("play by phone"), Asked.SEATS)] if self.can_invite and self.free else []),
            *([self._asks(text("buttons"), Asked.BUTTONS, for_switches=False)] if self.can_assign else []),
            *([_Setting(self.sounds.item, self.sounds.turn)] if self.sounds.is_there else []),
            *(
                [_Setting(MenuItem(text("play untimed")), partial(self._change, _with_next_timing))]
                if self.proposal  # last: nothing else moves under the cursor, and one step back from "start"
                else []
            ),
        ]

    def _of_game(self, game: Game[Any]) -> list[_Setting]:
        """Give which game it is, and who is first in it; an event says both."""
        first_says = game.seats.first or text("first", about="player")
        first = self.table.first or (self.table.seats[0] if self.table.seats else None)
        return [
            _Setting(MenuItem(text("game"), game.title), self._next_game),
            _Setting(MenuItem(first_says, first.short if first else "-"), self._next_first),
        ]

    def _of_rules(self, game: Game[Any]) -> list[_Setting]:
        """Give what the game asks, and how races are; an event says both."""
        return [
            *(self._asked(parameter) for parameter in game.parameters if parameter.kind != "file"),
            *(self._asked_file(game, parameter) for parameter in game.parameters if parameter.kind == "file"),
            *(self._of_races() if game.race_name else []),
        ]

    def _language(self) -> _Setting:
        """Give what the box speaks, in its own name; each push takes the next."""
        spoken = self._languages
        return _Setting(MenuItem(text("language"), spoken.box.name), lambda: spoken.speak(spoken.following()))

    def _calibrate(self) -> _Setting:
        """Give what begins to measure allowances: there each press is one of a trial."""

        def pick() -> None:
            self.measuring.open(self.table.seats, self.table.names or {})

        return _Setting(MenuItem(text("calibrate")), pick, for_switches=False)

    def _asks(self, label: str, asked: Asked, *, for_switches: bool = True) -> _Setting:
        def pick() -> None:
            self.asks = asked

        return _Setting(MenuItem(label), pick, for_switches)

    def _of_races(self) -> list[_Setting]:
        """Give what a game without races has no use for; without times there is no window."""
        table = self.table
        window = MenuItem(text("window"), text("{time} s").format(time=number(f"{table.window_ns / SECOND:g}")))
        policy = POLICIES[table.dead_heat]
        changes = [
            (MenuItem(text("timing"), TIMINGS[table.timing]), _with_next_timing),
            *([(window, _with_next_window)] * (table.timing == "race")),
            (MenuItem(text("dead heat"), policy.short or policy.label), _with_next_policy),
            (MenuItem(text("practice"), text("on") if table.practice else text("off")), _with_practice_or_not),
        ]
        return [_Setting(item, partial(self._change, change)) for item, change in changes]

    def _change(self, change: Callable[[Table], Table]) -> None:
        """Change a setting of races; say it where another has to change with it."""
        before, self.table = self.table, change(self.table)
        if before.timing != self.table.timing and before.dead_heat != self.table.dead_heat:
            self.notice = text("dead heats go {how}").format(how=POLICIES[self.table.dead_heat].label)

    def _asked(self, parameter: Parameter) -> _Setting:
        """Give what the game asks as a setting that each push moves to its next value."""
        if parameter.is_variant:
            is_on = parameter.key in self.table.variants
            return _Setting(MenuItem(parameter.label, _ON if is_on else _OFF), lambda: self._toggle(parameter.key))
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
                self.notice = text("there is no other file")
            elif new is not None and faults_of(game, key, new.text):
                self.notice = text("{file} has a fault").format(file=new.name)

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

    def _wished(self, wish: VoiceWish) -> _Setting:
        return _Setting(MenuItem(wish_says(wish)), lambda: self.effects.append(AskVoice(wish)))

    @property
    def free(self) -> tuple[Colour, ...]:
        """Give the seats that nobody has taken here."""
        return tuple(colour for colour in Colour if colour not in self.table.seats)

    def _start(self, game: Game[Any]) -> None:
        try:
            self.started = self.table.with_allowances(sitters_of(self.table.taken, self.sitting.people)).setup(game)
        except CompanionError as error:
            self.refuse(str(error))
            return
        self.effects.append(Sound(Tone.ACCEPTED))

    def refuse(self, why: str, seat: Colour | None = None) -> None:
        """Say that something cannot be done; nothing has changed. seat: whose button was to do it."""
        self.notice = why
        self.effects.append(Sound(Tone.REFUSED, () if seat is None else (seat,)))


def _as_called(asked: Announce, roles: Sequence[str]) -> Announce:
    """Have a button that a trial asks for said as the game calls it: nobody can hear which is the third."""
    places = [place for place, position in enumerate(POSITIONS) if position == asked.says]
    return asked._replace(says=place_says(str(role_name(roles, places[0])))) if places else asked


def _with_next_window(table: Table) -> Table:
    longer = [window for window in WINDOWS_NS if window > table.window_ns]
    return replace(table, window_ns=longer[0] if longer else WINDOWS_NS[0])


def _with_next_policy(table: Table) -> Table:
    return replace(table, dead_heat=_next(policies_of(is_untimed=table.timing == "untimed"), table.dead_heat))


def _with_next_timing(table: Table) -> Table:
    """Give a race for cards laid face down, and the other way; without times, they can't decide a dead heat."""
    timing: TimingMode = "untimed" if table.timing == "race" else "race"
    policies = policies_of(is_untimed=timing == "untimed")
    policy = table.dead_heat if table.dead_heat in policies else policies[0]
    return replace(table, timing=timing, dead_heat=policy)


def _with_practice_or_not(table: Table) -> Table:
    return replace(table, practice=not table.practice)


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
        return [(False, _OFF), (True, _ON)]
    if parameter.kind == "choice":
        return [(choice.key, choice.label) for choice in parameter.choices]
    return [(number, str(number)) for number in range(parameter.low, parameter.high + 1)]


def _next(values: tuple[_T, ...], value: _T) -> _T:
    return values[(values.index(value) + 1) % len(values)] if value in values else values[0]
