"""The box from switching on to switching off: offer to resume, seating, match, and again. Gives scenes and effects.

    OFFER   an unfinished match lies in the journal       yes -> MATCH (resumed)   no -> LOBBY
    LOBBY   seats, variants, settings                     start -> MATCH
    MATCH   play; its end is shown until the knob is pushed -> LOBBY

It takes the arbiter's events in the order of time and says what follows. Knows no device, no clock and no game by name.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol

from msgspec.structs import replace as struct_replace

from companion.core.errors import CompanionError, Illegal
from companion.core.match.effects import Began, Effect, GaveUp, Log, Sound, Tone
from companion.core.match.match import Match, PlaySettings
from companion.core.play.knob import Chord, Click, Gesture, Hold, Knob, Play, Rotation
from companion.core.play.match_menus import MatchMenus
from companion.core.play.seating import Lobby, Table
from companion.core.play.snapshot import Snapshot, running_of
from companion.core.record.lines import Setup
from companion.core.ruling.chance import commitment
from companion.core.ruling.looks import look_of
from companion.core.shown.scene import Body, Invitation, Menu, MenuItem, Question, Scene, Status
from companion.core.timing.arbiter import LateDelivery
from companion.core.timing.events import MS, SECOND, Glitch, LineFault, Press, Release, SourceFault, Turned

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.core.record.lines import Line
    from companion.core.ruling.game import Game
    from companion.core.timing.arbiter import ArbiterEvent

ALARM_NS = 60 * SECOND
"""How long the alarm of a passing fault (lost edges) stands; the record keeps it for ever."""


@dataclass(frozen=True, slots=True)
class Unfinished:
    """The match that was running when the box stopped. same_clock: no reboot since."""

    match_id: int
    lines: tuple[Line, ...]
    same_clock: bool

    @property
    def setup(self) -> Setup:
        """The first line."""
        first, *_ = self.lines
        if not isinstance(first, Setup):
            raise Illegal("a record begins with its `setup`")
        return first


class Seeds(Protocol):
    """Where the seeds come from that the box draws from."""

    def new(self) -> str:
        """Give a fresh seed, in hex, that is safely kept; empty where none can be."""

    def find(self, sha256: str) -> str:
        """Give the kept seed of this SHA-256; empty where it is not there."""


@dataclass(slots=True)
class _Alarms:
    """Faults that hold, by what they are about; a time where they pass by themselves."""

    standing: dict[str, tuple[str, int | None]] = field(default_factory=dict)

    def raise_(self, key: str, text: str, until_ns: int | None = None) -> None:
        self.standing.pop(key, None)
        self.standing[key] = (text, until_ns)

    def clear(self, key: str) -> bool:
        return self.standing.pop(key, None) is not None

    def pass_(self, now_ns: int) -> None:
        for key in [k for k, (_, until) in self.standing.items() if until is not None and until <= now_ns]:
            del self.standing[key]

    def texts(self) -> tuple[str, ...]:
        return tuple(text for text, _ in reversed(self.standing.values()))

    def next_deadline(self) -> int | None:
        return min((until for _, until in self.standing.values() if until is not None), default=None)


class Session:
    """Everything the box does, as one pure state machine. Call `feed`, `advance`, then `take` and `scene`."""

    def __init__(
        self,
        find_game: Callable[[str], Game[Any]],
        games: tuple[str, ...],
        table: Table,
        play: PlaySettings,
        unfinished: Unfinished | None = None,
        seeds: Seeds | None = None,
    ) -> None:
        self._seeds = seeds
        self._find = find_game
        self._games = games
        self._play = play
        self._knob = Knob()
        self._alarms = _Alarms()
        self._effects: list[Effect] = []
        self._remarks: list[tuple[str, str]] = []  # faults noticed while no match runs
        self._now_ns = 0
        self._offer = unfinished
        self._offer_cursor = 0
        self._lobby = self._new_lobby(table)
        self._menus: MatchMenus | None = None
        self._invitation: Invitation | None = None

    # -- for the app -------------------------------------------------------------------------------------------------

    @property
    def match(self) -> Match | None:
        """The running match, None while there is none."""
        return self._menus.match if self._menus else None

    @property
    def is_offering(self) -> bool:
        """Tell whether the box asks if an unfinished match is to be resumed."""
        return self._offer is not None

    @property
    def table(self) -> Table:
        """What the seating says; during a match, what it said before."""
        return self._lobby.table

    def find_game(self, name: str) -> Game[Any]:
        """Give an installed game. Raises UnknownGame."""
        return self._find(name)

    def begin(self, table: Table, *, abandon: bool = False) -> None:
        """Begin a match as `table` says, from outside the box's own menus.

        abandon: give up the match that runs. Raises Malformed, Illegal or UnknownGame; nothing has changed then.
        """
        match = self.match
        if match is not None and not match.is_over and not abandon:
            raise Illegal("a match is running: end it first, or give it up")
        setup = table.setup(self._find(table.game))
        before, self._lobby = self._lobby, self._new_lobby(table)
        try:
            self.start(setup)
        except CompanionError:
            self._lobby = before
            raise

    def seat_nobody(self, game: str) -> None:
        """Begin the seating anew, for `game`. Raises Illegal while a match runs."""
        if self.match is not None and not self.match.is_over:
            raise Illegal("a match is running: end it first")
        if self.match is not None:
            self.leave()
        self._give_up()
        table = Table(game=game, dead_heat=self._lobby.table.dead_heat, window_ns=self._lobby.table.window_ns)
        self._lobby = self._new_lobby(table)

    def leave(self) -> None:
        """The end was seen: back to the seating. Raises Illegal where no match has ended, or it is being saved."""
        match = self.match
        if match is None or not match.is_over:
            raise Illegal("no match has ended")
        if match.status is Status.SAVING:
            raise Illegal("the end is still being saved: try again in a moment")
        self._leave()

    def changed_elsewhere(self, says: str) -> None:
        """The match was changed from outside the box's own menus: put them away, and say what was done."""
        if self._menus is not None:
            self._menus.put_away(says)

    def start(self, setup: Setup) -> None:
        """Begin a match at once. Raises Malformed or Illegal for a setup the game refuses; nothing has changed then."""
        settings = replace(self._play, window_ns=self._lobby.table.window_ns)
        match = Match(self._find, settings)
        setup, match.seed = self._committed(setup)
        match.begin(setup)
        self._give_up()
        if self._menus is not None:
            self._effects += [*self._menus.match.effects, GaveUp()]
        self._effects.append(Began(setup.game))
        self._menus = MatchMenus(match)
        for text, source in self._remarks:
            match.remark(text, source)
        self._remarks.clear()
        self._collect()

    def resume(self) -> None:
        """Take up the match that is offered. Raises LookupError where none is."""
        if self._offer is None:
            raise LookupError("there is no unfinished match")
        offer, self._offer = self._offer, None
        match = Match(self._find, replace(self._play, window_ns=self._lobby.table.window_ns))
        match.resume(offer.lines, same_clock=offer.same_clock)
        if self._seeds is not None and match.setup.seed_sha256 and not match.has_shown_seed():
            match.seed = self._seeds.find(match.setup.seed_sha256)
        self._menus = MatchMenus(match)
        self._collect()

    def decline(self) -> None:
        """Leave the match that is offered as it is and go to the seating."""
        self._give_up()

    def feed(self, event: ArbiterEvent) -> None:
        """Take what the arbiter gives, in its order."""
        if isinstance(event, (SourceFault, LineFault, LateDelivery, Glitch)):
            self._fault(event)
            return
        if isinstance(event, (Press, Release, Turned)):
            for gesture in self._knob.feed(event):
                self._take_up(gesture)
        self._collect()

    def advance(self, now_ns: int, settled_ns: int) -> None:
        """Let time pass: `now_ns` for what is shown; every press up to `settled_ns` has been fed."""
        self._now_ns = now_ns
        self._alarms.pass_(now_ns)
        for gesture in self._knob.advance(settled_ns):
            self._take_up(gesture)
        held_ns = self._knob.earliest_held()
        certain_ns = settled_ns if held_ns is None else min(settled_ns, held_ns - 1)
        if self._menus is not None:
            self._go_on(self._menus, now_ns, certain_ns)
        self._collect()

    def next_deadline(self, behind_ns: int) -> int | None:
        """Give the instant at which `advance` next has something to do, None where it never has.

        behind_ns: how far the arbiter's settled instant stays behind now.
        """
        match = self.match
        settled = [self._knob.next_deadline(), match.next_deadline() if match else None]
        shown = [self._alarms.next_deadline(), _next_shown(self._menus) if self._menus else None]
        instants = [i + behind_ns for i in settled if i is not None] + [i for i in shown if i is not None]
        return min(instants, default=None)

    def stored(self, lines: int) -> None:
        """The first `lines` lines of the running match are durable."""
        if (match := self.match) is not None:
            match.durable_lines = max(match.durable_lines, lines)
            match.fault = ""
        self._alarms.clear("journal")

    def not_stored(self, why: str) -> None:
        """The journal cannot store: play goes on, and what is shown says so."""
        if (match := self.match) is not None:
            match.fault = why
        self._alarms.raise_("journal", f"not recorded: {why}")

    def alarm(self, key: str, text: str | None) -> None:
        """A part of the box failed (`text` says how) or is well again (None)."""
        if text is None:
            self._alarms.clear(key)
            return
        if text not in self._alarms.texts():
            self._effects.append(Log(f"fault: {text}"))
        self._alarms.raise_(key, text)

    def take(self) -> list[Effect]:
        """Give what is to be done in the world, and forget it."""
        effects, self._effects = self._effects, []
        return effects

    def scene(self) -> Scene:
        """Give all there is to show."""
        match = self.match
        recorded = not (match is not None and match.fault)
        alarms = self._alarms.texts()
        if self._offer is not None:
            return Scene(self._offer_scene(self._offer), alarms)
        if self._menus is not None:
            running = self._menus.match
            look = look_of(running.game, running.judge.state)
            return Scene(_body(self._menus), alarms, self._menus.notice, recorded, running.game.roles, look)
        game = self._find(self._lobby.table.game)
        body = self._invitation or self._lobby.scene()
        return Scene(body, alarms, self._lobby.notice, roles=game.roles, look=look_of(game, None))

    def invite(self, url: str, pin: str) -> None:
        """Show where others can look on, before the seating, until a button or the knob is touched."""
        self._invitation = Invitation(url, pin)

    # -- inside ------------------------------------------------------------------------------------------------------

    def _new_lobby(self, table: Table) -> Lobby:
        return Lobby(table, self._games, self._find)

    def _committed(self, setup: Setup) -> tuple[Setup, str]:
        """Give the setup with the box's commitment to a seed, and the seed, where the game rolls or draws."""
        if self._seeds is None or setup.seed_sha256 or not self._find(setup.game).rolls:
            return setup, ""
        seed = self._seeds.new()
        return (struct_replace(setup, seed_sha256=commitment(seed)), seed) if seed else (setup, "")

    def _give_up(self) -> None:
        if self._offer is not None:
            self._offer = None
            self._effects.append(GaveUp())

    def _collect(self) -> None:
        """Pass on the effects of lobby and match, and start what the lobby has set up."""
        self._effects += self._lobby.effects
        self._lobby.effects = []
        if self._menus is not None:
            self._effects += self._menus.match.effects
            self._menus.match.effects = []
        elif self._lobby.started is not None:
            setup, self._lobby.started = self._lobby.started, None
            try:
                self.start(setup)
            except CompanionError as error:  # a game refuses what its setup asked for (a file it cannot read), or fails
                self._lobby.refuse(str(error))
                self._collect()

    def _take_up(self, gesture: Gesture) -> None:
        """Do what a gesture means; what cannot be done is said."""
        try:
            self._gesture(gesture)
        except CompanionError as error:
            self.refuse(str(error))

    def _go_on(self, menus: MatchMenus, now_ns: int, certain_ns: int) -> None:
        """Let time pass in the match. Where its game fails there is an alarm for as long as it does."""
        try:
            menus.advance(now_ns, certain_ns, held=self._knob.is_held)
        except CompanionError as error:
            self.alarm("match", str(error))
        else:
            if not menus.match.has_failed:
                self._alarms.clear("match")

    def _gesture(self, gesture: Gesture) -> None:
        was_inviting, self._invitation = self._invitation is not None, None
        if (
            was_inviting
            and self._offer is None
            and self._menus is None
            and isinstance(gesture, (Rotation, Click, Hold))
        ):
            return  # the knob only puts the invitation away; a button takes its seat at once
        if self._offer is not None:
            self._answer_offer(gesture)
        elif self._menus is None:
            self._lobby.feed(gesture)
        elif self._menus.match.is_over and isinstance(gesture, Click):
            self._leave()
        else:
            self._menus.feed(gesture)

    def _leave(self) -> None:
        """The end was seen: back to the seating, with the same players."""
        if self._menus is not None and self._menus.match.status is not Status.SAVING:
            self._effects.append(GaveUp())
            self._menus = None
            self._lobby = self._new_lobby(self._lobby.table)

    def _answer_offer(self, gesture: Gesture) -> None:
        """A seated player's press takes the match up and counts; the knob picks yes or no."""
        if isinstance(gesture, Rotation):
            self._offer_cursor = (self._offer_cursor + gesture.steps) % 2
        elif isinstance(gesture, Click):
            if self._offer_cursor == 0:
                self.resume()
            else:
                self.decline()
        elif isinstance(gesture, (Play, Chord)):
            self.resume()
            if self._menus is not None:
                self._menus.feed(gesture)
        elif isinstance(gesture, Hold):
            self._effects.append(Sound(Tone.REFUSED))

    def _offer_scene(self, offer: Unfinished) -> Question:
        setup = offer.setup
        game = self._find(setup.game).title
        seats = " ".join(seat.colour.short for seat in setup.seats)
        menu = Menu("", (MenuItem("resume"), MenuItem("new match")), self._offer_cursor)
        return Question("Resume the match?", (f"{game}, match {offer.match_id}", seats), menu)

    def _fault(self, event: SourceFault | LineFault | LateDelivery | Glitch) -> None:
        """Report a fault by name: on the display, in the log, and in the record where it is worth it."""
        if isinstance(event, Glitch):
            self._effects.append(Log(f"glitch on {event.line} (number {event.glitches}): not a press"))
            return
        if isinstance(event, LineFault):
            text = f"{event.line}: {event.text or 'well again'}"
            if event.text is None:
                self._alarms.clear(event.line)
            else:
                self._alarms.raise_(event.line, text)
            self.note(text, event.line)
        elif isinstance(event, LateDelivery):
            late_ms = event.late_ns / MS
            self.note(f"{event.line}: an edge came {late_ms:.1f} ms later than its source states", event.line)
        else:
            self._alarms.raise_(event.source, event.text, event.t_ns + ALARM_NS)
            self.note(event.text, event.source)
        self._collect()

    def snapshot(self, now_ns: int, scene: Scene | None = None) -> Snapshot:
        """Give all there is to know at `now_ns`, as values that another thread may keep; `scene`: if it is known."""
        match = self.match
        running = None if match is None else running_of(match)
        secrets = self._menus.secrets() if self._menus is not None else ()
        return Snapshot(scene or self.scene(), now_ns, self._lobby.table, self._offer is not None, running, secrets)

    def refuse(self, why: str) -> None:
        """Something from outside could not be done: say and sound it; nothing else changes."""
        self._effects += [Sound(Tone.REFUSED), Log(f"refused: {why}")]
        if self._menus is not None:
            self._menus.notify(f"refused: {why}")

    def note(self, text: str, source: str) -> None:
        """Note something in the log and, of a running match (or the next), in the record."""
        self._effects.append(Log(text))
        match = self.match
        if match is None:
            self._remarks.append((text, source))
        elif not match.is_over:
            match.remark(text, source)


def _body(menus: MatchMenus) -> Body:
    """Give what a match shows; where its game fails, that, and how to go on."""
    try:
        return menus.body()
    except CompanionError:
        return Question("The game failed", ("Hold the knob to take", "the last line back."), Menu("", (MenuItem("-"),)))


def _next_shown(menus: MatchMenus) -> int | None:
    try:
        return menus.next_deadline()
    except CompanionError:
        return None
