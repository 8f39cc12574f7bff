"""The box from switching on to switching off: offer to resume, seating, match, and again. Gives scenes and effects.

Where it is, and what leads from there, is the table of `session_stages`. It takes the arbiter's events in the order of
time and says what follows. Knows no device, no clock and no game by name.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeGuard

from companion.core.assigning.dialogue import Assigning
from companion.core.calibration.host import CalibrationHost
from companion.core.calibration.measured import remarks_of
from companion.core.calibration.trials import Way
from companion.core.errors import CompanionError, Illegal
from companion.core.hands.knob import Chord, Click, Gesture, Hold, Knob, Play, Rotation
from companion.core.hands.over import with_cued
from companion.core.hands.switches import Switches
from companion.core.match import announcing, laying, veil
from companion.core.match.agreeing import Agreement
from companion.core.match.effects import (
    AskVoice,
    Began,
    Effect,
    GaveUp,
    Log,
    Offered,
    Played,
    Recorded,
    Sound,
    Tone,
    TookIn,
    VoiceWish,
    Wrote,
)
from companion.core.match.match_maker import MatchMaker, Seeds, Unfinished
from companion.core.match.resuming import RESUME, ResumeQuestion
from companion.core.match.session_stages import SessionCause, SessionStage, follow, told_by
from companion.core.match.waiting.unrecorded import Unrecorded, instant_of
from companion.core.panel import BUTTON_BY_LABEL
from companion.core.people.judged import race_gaps
from companion.core.people.names import is_same
from companion.core.play.at_the_table import AtTheMatch, AtTheSeating
from companion.core.play.match_menus import MatchMenus
from companion.core.play.match_scenes import plays_of, with_pending
from companion.core.play.scanning import READER, pick_by_card
from companion.core.play.seating import ONLY_ENGLISH, Asked, Lobby, Table, no_files
from companion.core.play.snapshot import NOTHING_PENDING, Snapshot, in_hand_of, own_presses_of, running_of
from companion.core.profiles.holding import switches_of
from companion.core.profiles.sitting import NOBODY, profiles_in, seated, sitters_of
from companion.core.record.practice import PRACTICE, is_practice
from companion.core.ruling.looks import look_of
from companion.core.shown.alarms import Alarms
from companion.core.shown.calibrating import Calibrating
from companion.core.shown.noticed import Noticed
from companion.core.shown.scene import Apart, Body, Invitation, Menu, MenuItem, Question, Scene
from companion.core.shown.times import USUAL, Times
from companion.core.switches.unheard import proposal
from companion.core.timing.arbiter import NOTHING, LateDelivery
from companion.core.timing.events import MS, Dropped, LineFault, Press, Rejected, Release, SourceFault, Turned
from companion.core.timing.line_health import LinesHealth
from companion.core.words.texts import text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from companion.core.calibration.menu import Supplies
    from companion.core.match.match import Match, PlaySettings
    from companion.core.match.match_maker import MakeConditions
    from companion.core.panel import Colour
    from companion.core.play.health import EventStatus
    from companion.core.play.scanning import ReadBy
    from companion.core.play.seating import FindFiles
    from companion.core.profiles.holding import Sitter
    from companion.core.profiles.profile import Profile
    from companion.core.profiles.sitting import KnownPeople
    from companion.core.record.lines import Seal, Setup
    from companion.core.ruling.game import Game
    from companion.core.shown.scene import Trust
    from companion.core.shown.sound_switch import SoundSwitch
    from companion.core.switches.unheard import Outlets
    from companion.core.switches.ways import SwitchScanning
    from companion.core.timing.arbiter import ArbiterEvent, Pending
    from companion.core.words.language import Spoken

__all__ = ["Seeds", "Session", "Unfinished"]

MOST_REMARKS = 50
"""So many of what was noticed between two matches are kept for the record of the next."""
SET_ASIDE = "set aside"
"""What the alarm stands for that a damaged file was set aside."""
STILL_SAVED = text("the end is still being saved: try again in a moment")


class SessionState:
    """What a session holds, says of itself, and is told of its devices, whatever its stage. Asking changes nothing."""

    def __init__(
        self, find_game: Callable[[str], Game[Any]], lobby: Lobby, unfinished: Unfinished | None, times: Times = USUAL
    ) -> None:  # fmt: skip
        self._find = find_game
        self.stage = SessionStage.LOBBY if unfinished is None else SessionStage.OFFER
        self._question = None if unfinished is None else ResumeQuestion(unfinished)
        self._invitation: Invitation | None = None  # that is shown, or waits for the seating
        self._way_in: Invitation | None = None  # that can be asked for again
        self._lobby = lobby
        self._assigning: Assigning | None = None  # of inputs to buttons, within the seating
        self._menus: MatchMenus | None = None
        self._knob = Knob()
        self._times = times
        self._alarms = Alarms(times.alarm_ns)
        self._plays = NOTHING_PENDING
        self._effects: list[Effect] = []
        self._remarks: list[tuple[str, str]] = []  # faults noticed while no match runs
        self._forgotten = 0  # of them, the oldest
        self._usual_switches: Mapping[Colour, SwitchScanning] = {}
        self._noticed = Noticed()
        self._unrecorded = Unrecorded()
        self.switches = Switches({})
        """The scans of the seats that play by a switch."""
        self.inputs = LinesHealth()
        """How each input is; told by whoever sees the edges."""
        self.outlets: Outlets | None = None
        """By what the box can tell; None where nobody has said so, and then nothing is proposed."""
        self.at_event: Callable[[], EventStatus | None] = lambda: None
        """Says how the box stands at an event of many boxes; None: it is at none."""
        self.box_remark = ""
        """What everybody should know of the box before they play; stands on the start screen."""

    @property
    def match(self) -> Match | None:
        """The running match, None while there is none."""
        return self._menus.match if self._menus else None

    @property
    def sounds(self) -> SoundSwitch:
        """Whether the buzzer is to be heard; the same as long as the box runs."""
        return self._lobby.sounds

    @property
    def is_offering(self) -> bool:
        """Tell whether the box asks if an unfinished match is to be resumed."""
        return self.stage is SessionStage.OFFER

    @property
    def table(self) -> Table:
        """What the seating says; during a match, what it said before."""
        return self._lobby.table

    @property
    def asks_consent_of(self) -> tuple[Colour, ...]:
        """The seats that must agree yet before the match begins; () where nobody is asked."""
        agreement = self._lobby.agreement if self.stage is SessionStage.LOBBY else None
        return agreement.missing if agreement is not None else ()

    @property
    def measuring(self) -> CalibrationHost:
        """What measures allowances. Raises Illegal while a match is on the table or offered."""
        if self._menus is not None or self._question is not None:
            raise Illegal(text("a match is on the table: end it, go back to the seating, and measure then"))
        return self._lobby.measuring

    @property
    def wanted_input(self) -> str | None:
        """The button whose input is to be pressed now, None while none is awaited."""
        is_here = self.stage is SessionStage.LOBBY and self._assigning is not None
        return self._assigning.wanted if is_here and self._assigning is not None else None

    @property
    def forgotten_input(self) -> str | None:
        """The button that is to lose what was assigned to it, None for none; `input_assigned` says that it has."""
        return self._assigning.forgotten if self._assigning is not None else None

    def let_assign(self) -> None:
        """Offer at the seating that inputs are made other buttons: somebody listens for `wanted_input`."""
        self._lobby.can_assign = True

    def ask_input(self, label: str | None, *, forget: bool = False) -> None:
        """Ask for the input that shall be a button; None: no more. forget: it loses what was assigned to it instead.

        Raises Illegal but at the seating.
        """
        if self.stage not in {SessionStage.LOBBY, SessionStage.INVITATION} or not self._lobby.can_assign:
            raise Illegal(text("buttons are assigned before a match, on a box that has any"))
        if label is not None:
            self._invitation = None
            self._follow(SessionCause.TOUCHED)
        self._assigning = None if label is None else Assigning(label)
        if self._assigning is not None and forget:
            self._assigning.forgotten = label

    def input_assigned(self, says: str) -> None:
        """What was awaited was pressed; says: what it is now."""
        self._effects += [Sound(Tone.ACCEPTED), Log(says)]
        if self._assigning is not None:
            self._assigning.assigned(says)
            if self._assigning.is_left:
                self._assigning, self._lobby.notice = None, says

    def find_game(self, name: str) -> Game[Any]:
        """Give an installed game. Raises UnknownGame."""
        return self._find(name)

    def next_deadline(self, behind_ns: int) -> int | None:
        """Give the instant at which `advance` next has something to do, None where it never has.

        behind_ns: how far the arbiter's settled instant stays behind now.
        """
        match = self.match
        settled = [self._knob.next_deadline(), self._noticed.next_deadline()]
        settled += [match.next_deadline()] if match else []
        measured = None if match else self._lobby.measuring.next_deadline(behind_ns)
        shown = [measured, self._alarms.next_deadline(), _next_shown(self._menus) if self._menus else None]
        shown.append(self.switches.next_deadline(behind_ns))
        instants = [i + behind_ns for i in settled if i is not None] + [i for i in shown if i is not None]
        return min(instants, default=None)

    def scene(self) -> Scene:
        """Give all there is to show."""
        match = self.match
        recorded = not (match is not None and match.fault)
        alarms = self._alarms.texts()
        if self._question is not None:
            return Scene(self._question.scene(self._find), alarms)
        if self._menus is not None:
            running = self._menus.match
            look = look_of(running.game, running.judge.state)
            if veil.veil_of(running) is not None:
                alarms = tuple(veil.without_buttons(text) for text in alarms)
            body = with_cued(with_pending(running, _body(self._menus), self._plays), self.switches.cued())
            return Scene(body, alarms, self._menus.notice, recorded, running.game.roles, look)
        game = self._find(self._lobby.table.game)
        is_covered = self.stage is SessionStage.INVITATION and not self._lobby.measuring.is_on
        invitation = self._invitation if is_covered else None
        shown = self._assigning.scene() if self._assigning else with_cued(self._lobby.scene(), self.switches.cued())
        seating = invitation or shown
        if not isinstance(seating, (Question, Apart, Calibrating)):
            seating = replace(seating, remark=self.box_remark)
        notice = self._lobby.notice or self._lobby.proposal
        return Scene(seating, alarms, notice, roles=game.roles, look=look_of(game, None))

    def snapshot(self, now_ns: int, scene: Scene | None = None) -> Snapshot:
        """Give all there is to know at `now_ns`, as values that another thread may keep; `scene`: if it is known."""
        match = self.match
        running = None if match is None else running_of(match, self._plays)
        secrets = self._menus.opened.secrets() if self._menus is not None else ()
        own = own_presses_of(self._menus.match, self._menus.made) if self._menus is not None else ()
        held = in_hand_of(match) if match is not None else ()
        shown = scene or self.scene()
        return Snapshot(
            shown, now_ns, self._lobby.table, self.is_offering, running, secrets, own, held, self.can_be_dismissed,
            self._lobby.proposal if match is None else "",
        )  # fmt: skip

    def show_pending(self, pending: Pending) -> None:
        """Show what may count once it is certain, until the next call; it decides nothing."""
        self._plays = NOTHING_PENDING
        if self._menus is not None and pending != NOTHING and not self._knob.is_held:
            self._plays = plays_of(self._menus.match, pending, _body(self._menus))

    def pick_item(self, colour: Colour, item: int, label: str, t_ns: int, error_ns: int | None = None) -> str:
        """Pick what a seat's own page lists as `item`, and give what was done. Raises Illegal where it is not there."""
        if self._menus is None:
            raise Illegal(text("no match is running"))
        return self._menus.pick_item(colour, item, label, t_ns, error_ns)

    # -- what is told, whatever the stage ----------------------------------------------------------------------------

    def take(self) -> list[Effect]:
        """Give what is to be done in the world, and forget it."""
        effects, self._effects = self._effects, []
        return effects

    def stored(self, lines: int) -> None:
        """The first `lines` lines of the running match are durable."""
        if (match := self.match) is not None:
            match.durable_lines = max(match.durable_lines, lines)
            match.fault = ""
            self._see_match()
        self._alarms.clear("journal")

    def not_stored(self, why: str) -> None:
        """The journal cannot store: play goes on, and what is shown says so."""
        if (match := self.match) is not None:
            match.fault = why
            self._see_match()
        self._alarms.raise_("journal", text("not recorded: {why}").format(why=why))

    def set_aside(self, text: str) -> None:
        """A damaged file was set aside: say so until a match has begun after that, and in that match's record."""
        self.note(text, "journal")
        self._alarms.raise_(SET_ASIDE, text)

    def alarm(self, key: str, text: str | None, until_ns: int | None = None) -> None:
        """A part of the box failed (`text` says how) or is well again (None). until_ns: when it passes by itself."""
        if text is None:
            self._alarms.clear(key)
            return
        if text not in self._alarms.texts():
            self._effects.append(Log(f"fault: {text}"))
        self._alarms.raise_(key, text, until_ns)

    def alarm_passed(self, key: str, text: str) -> None:
        """A part of the box failed just now, and goes on: `text` says how, for as long as such an alarm stands."""
        self._effects.append(Log(f"fault: {text}"))
        self._alarms.raise_passed(key, text)

    def took(self, press: Press) -> bool:
        """A press was accepted; it is fed once it has its place in the order of time. Until it is recorded, keep it.

        Tells whether it is to be kept: what is pressed while no match runs is not.
        """
        is_kept = self.stage is SessionStage.MATCH and self._unrecorded.take(press)
        if is_kept:
            self._effects.append(TookIn(press))
        return is_kept

    def note(self, text: str, source: str) -> None:
        """Note something in the log and, of a running match (or the next, the newest of it), in the record."""
        self._effects.append(Log(text))
        match = self.match
        if match is None:
            self._remarks.append((text, source))
            if len(self._remarks) > MOST_REMARKS:
                self._forgotten += 1
                del self._remarks[0]
        else:
            match.remark(text, source)

    def notice(self, event: SourceFault | LineFault | LateDelivery | Dropped | Press, text: str, source: str) -> None:
        """Note what an event says; where the same comes again and again, how often."""
        if self._noticed.is_noted(event, text, source):
            self.note(text, source)
        else:
            self._effects.append(Log(text))

    def refuse(self, why: str) -> None:
        """Something from outside could not be done: say and sound it; nothing else changes."""
        self._effects += [Sound(Tone.REFUSED), Log(f"refused: {why}")]
        if self._menus is not None:
            self._menus.notify(text("refused: {why}").format(why=why))

    def announced(self, token: int, t_ns: int, fault: str = "") -> None:
        """An announcement has been said to its end, at `t_ns` on the sources' clock; an older one's end means nothing.

        fault: why it was not said, or not to its end, in words for people; play goes on all the same.
        """
        if self._menus is None:
            if self._lobby.measuring.is_on:
                self._lobby.measuring.menu.said(token, t_ns, fault)
            return
        try:
            announcing.end(self._menus.match, token, t_ns, fault)
        except CompanionError as error:
            self.refuse(str(error))
            return
        if fault:
            self._menus.notify(text("not spoken: {fault}").format(fault=fault))

    def dismiss(self) -> None:
        """Take off the display what stays there until it is dismissed."""
        self._alarms.dismiss()
        if self._menus is not None:
            self._menus.lasting.dismiss()

    def _dismissed_by(self, gesture: Gesture) -> bool:
        """Take what stays until it is dismissed off the display; tell whether that is all the gesture does.

        A push of the knob does no more where it would pick nothing that is shown. A button only takes messages away,
        beside what it means anyway.
        """
        menus = self._menus
        if isinstance(gesture, (Play, Chord)):
            self._alarms.dismiss()
            if menus is not None:
                menus.lasting.dismiss_message()
        if not isinstance(gesture, Click) or menus is None or _has_menu(menus) or not self.can_be_dismissed:
            return False
        self.dismiss()
        return True

    @property
    def can_be_dismissed(self) -> bool:
        """Tell whether something is shown that stays until it is dismissed."""
        menus = self._menus
        return self._alarms.can_be_dismissed or (menus is not None and menus.lasting.can_be_dismissed(_body(menus)))

    def pick_by_card(self, card: str, t_ns: int, by: ReadBy = READER) -> str:
        """Pick what a card that was scanned at `t_ns` names of what is asked; empty where it can only be revealed.

        Says what was done. Raises Illegal.
        """
        says = pick_by_card(self._menus, card, t_ns, by) if self._menus is not None else ""
        self._see_match()
        return says

    def announce(self, says: str) -> None:
        """Show a short message to everybody, for a while, or until a button or the knob is touched; "": none."""
        if says:
            self._effects.append(Log(says))
        if self._menus is not None:
            self._menus.notify(says)
        else:
            self._lobby.notice = says

    def call_player(self, name: str, to: str) -> None:
        """Have whoever is called `name` called `to` in the seating; "" for by no name.

        Raises Illegal while a match is on the table or offered: its record is in use.
        """
        if self._menus is not None or self._question is not None:
            raise Illegal(text("a match is on the table: end it, go back to the seating, and change names then"))
        names = {colour: to if is_same(called, name) else called for colour, called in (self.table.names or {}).items()}
        self._lobby.table = replace(self.table, names={colour: called for colour, called in names.items() if called})

    # -- who sits where ----------------------------------------------------------------------------------------------

    @property
    def sitters(self) -> Mapping[Colour, Sitter]:
        """Who plays by a profile of their own, and what it gives: in a match as it began, in the seating as it is."""
        return (
            self.match.settings.sitters
            if self.match is not None
            else sitters_of(self.table.taken, self._lobby.sitting.people)
        )

    def sit(self, colour: Colour, name: str | None) -> str:
        """Have somebody sit at a taken seat, by their profile where they have one, and say so; None: nobody.

        Raises Illegal where no seats are taken now, nobody sits there, or the person sits elsewhere; Malformed.
        """
        self._verify_seating()
        people = self._lobby.sitting.people
        self._lobby.table = self.table.with_people(seated(self.table.taken, colour, name, people))
        called = self.table.taken.names.get(colour)
        if called is None:
            return text("nobody is named at {colour}").format(colour=colour)
        if colour in self.table.by_profile:
            return text("{name} sits at {colour} by a profile of their own").format(name=called, colour=colour)
        return text("{name} sits at {colour}").format(name=called, colour=colour)

    def hold_card(self, profile: Profile) -> str:
        """A person has held their own card to the scanner; say what follows. Raises Illegal."""
        self._verify_seating()
        taken, says = self._lobby.sitting.held(self.table.taken, profile)
        self._lobby.table, self._lobby.notice = self.table.with_people(taken), says
        self._effects.append(Sound(Tone.ACCEPTED))
        return says

    def sit_down(self) -> None:
        """Take in who plays by a profile of their own: those who scan are offered what they may do as they want it."""
        self.switches.how = switches_of(self._usual_switches, self.sitters)

    def _verify_seating(self) -> None:
        if self._menus is not None or self._question is not None:
            raise Illegal(text("who sits where is chosen before a match: end it, and go back to the seating first"))
        if self._lobby.agreement is not None:
            raise Illegal(text("everybody is asked to agree now: go back to the seating first"))

    def _follow(self, cause: SessionCause) -> None:
        self.stage = follow(self.stage, cause)

    def _see_match(self) -> None:
        """See how far the match has come."""
        if (match := self.match) is not None:
            before = self.stage
            self._follow(told_by(match.status, is_over=match.is_over))
            if self.stage is SessionStage.ENDED and before is not self.stage:
                self._effects += _played(match)


class Session(SessionState):
    """Everything the box does, as one pure state machine. Call `feed`, `advance`, then `take` and `scene`."""

    def __init__(
        self,
        find_game: Callable[[str], Game[Any]],
        games: tuple[str, ...],
        table: Table,
        play: PlaySettings,
        unfinished: Unfinished | None = None,
        seeds: Seeds | None = None,
        draw: Callable[[int], str] | None = None,
        conditions: MakeConditions | None = None,
        *,
        find_files: FindFiles = no_files,
        times: Times = USUAL,
        languages: Spoken = ONLY_ENGLISH,
        people: KnownPeople = NOBODY,
        supplies: Supplies | None = None,
    ) -> None:
        measuring = CalibrationHost(supplies, lambda: dict.fromkeys(self.switches.how, Way.SWITCH))
        lobby = Lobby(table, games, find_game, find_files, languages, people, measuring)
        super().__init__(find_game, lobby, unfinished, times)
        self._games, self._find_files, self._languages, self._people = games, find_files, languages, people
        self._usual_switches = dict(play.switches)
        self._lobby.can_speak, self._again = play.speaks, play.again
        self._is_spoken = play.is_spoken
        self._lobby.why_untimed = self._why_untimed
        self.sit_down()
        self._matches = MatchMaker(find_game, play, seeds, draw, conditions)
        self.readings: Callable[[], Iterable[tuple[str, str]]] = tuple
        """What each record says of how the sources read, beside its conditions, and the source's name."""

    def seal(self, seal: Seal) -> None:
        """Write a seal into the record of the running match; nothing where there is none."""
        if self._menus is not None:
            self._menus.match.write(seal)
            self._collect()

    # -- from one stage to another -----------------------------------------------------------------------------------

    def invite(self, url: str, pin: str, trust: Trust | None = None) -> None:
        """Show where others can look on, before the seating, until a button or the knob is touched, or a match begins.

        Whoever is at the box may ask for it again while seats are taken. trust: the knob leads through how encrypted
        pages are trusted first.
        """
        self._invitation = self._way_in = Invitation(url, pin, trust=trust)
        self._lobby.can_invite = True
        self._follow(SessionCause.INVITED)

    def change_pin(self, pin: str) -> None:
        """Show another PIN from now on, wherever the one before would be shown."""
        if self._way_in is not None:
            self._way_in = replace(self._way_in, pin=pin)
        if self._invitation is not None:
            self._invitation = replace(self._invitation, pin=pin)

    def begin(self, table: Table, *, abandon: bool = False) -> None:
        """Begin a match as `table` says, from outside the box's own menus; everybody agrees first where they must.

        abandon: give up the match that runs. Raises Malformed, Illegal or UnknownGame; nothing has changed then.
        """
        if self.stage is SessionStage.MATCH and not abandon:
            raise Illegal(text("a match is running: end it first, or give it up"))
        sitters = sitters_of(table.taken, self._people)
        setup = table.with_allowances(sitters).setup(self._find(table.game))
        if said := self._matches.concessions(setup, sitters):
            self._seat(table, SessionCause.PREPARED)
            self._lobby.agreement = Agreement(setup, said)
            return
        match = self._matches.begin(setup, table.window_ns, table.names, sitters=sitters)
        self._lobby = self._seating(table)
        self._begin(match)

    @property
    def can_be_prepared(self) -> bool:
        """Tell whether another table can take the place of the seating: nothing else is at it."""
        is_seating = self.stage in {SessionStage.LOBBY, SessionStage.INVITATION}
        return is_seating and not self._lobby.measuring.is_on and self._assigning is None

    def prepare(self, table: Table) -> None:
        """Have this be what is played next; who is at the box begins it as ever.

        Raises Malformed, Illegal or UnknownGame where it cannot be; nothing has changed then.
        """
        if not self.can_be_prepared:
            raise Illegal(text("something else is at the table: it is prepared once that is over"))
        if table.event is not None:
            table.setup(self._find(table.game))
        self._seat(table, SessionCause.PREPARED)
        self.announce(table.event_says)

    def offer(self, unfinished: Unfinished) -> None:
        """Offer a match that was begun on another box, as one that was cut off here. Raises Illegal as `prepare`."""
        if not self.can_be_prepared:
            raise Illegal(text("something else is at the table: it is prepared once that is over"))
        self._follow(SessionCause.OFFERED)
        self._invitation = self._lobby.agreement = None
        self._question = ResumeQuestion(unfinished)
        self._effects.append(Offered(unfinished.match_id))

    def start(self, setup: Setup) -> None:
        """Begin a match, at once unless everybody must agree first.

        Raises Malformed or Illegal for a setup the game refuses; nothing has changed then.
        """
        agreement, sitters = self._lobby.agreement, sitters_of(self.table.taken, self._people)
        if agreement is None and (said := self._matches.concessions(setup, sitters)):
            self._follow(SessionCause.PREPARED)
            self._give_up()
            self._invitation = None
            self._lobby.agreement = Agreement(setup, said)
            return
        agreed = agreement.agreed if agreement is not None else ()
        match = self._matches.begin(setup, self.table.window_ns, self.table.names, agreed, sitters)
        self._remarks += agreement.remarks() if agreement is not None else []
        self._lobby.agreement = None
        self._begin(match)

    def consent(self, colour: Colour, by: str) -> None:
        """Give a seat's consent to the allowances for it. Raises Illegal where nobody is asked, or it has no seat."""
        agreement = self._lobby.agreement
        if agreement is None or colour not in self.asks_consent_of:
            raise Illegal(text("{colour} is not asked to agree").format(colour=colour))
        self._lobby.consent(agreement, colour, by)
        self._collect()

    def resume(self) -> None:
        """Take up the match that is offered. Raises LookupError where none is, Malformed or Illegal for its record."""
        if self._question is None:
            raise LookupError("there is no unfinished match")
        unfinished = self._question.unfinished
        match = self._matches.resume(unfinished, self.table.window_ns, profiles_in(unfinished.lines, self._people))
        self._follow(SessionCause.RESUMED)
        self._question, self._menus = None, MatchMenus(match, self.sounds, self._times)
        for press in (*unfinished.kept, *unfinished.kept_before):
            self._unrecorded.take(press)
            self._unrecorded.fed(press)
        self._collect()

    def decline(self) -> None:
        """Leave the match that is offered as it is and go to the seating."""
        if self.is_offering:
            self._seat(self.table, SessionCause.DECLINED)

    def leave(self) -> None:
        """The end was seen: back to the seating. Raises Illegal where no match has ended, or it is being saved."""
        if self.stage is SessionStage.SAVING:
            raise Illegal(STILL_SAVED)
        if self.stage is not SessionStage.ENDED:
            raise Illegal(text("no match has ended"))
        self._seat(replace(self.table, event=None), SessionCause.LEFT)

    def seat_nobody(self, game: str) -> None:
        """Begin the seating anew, for `game`. Raises Illegal while a match runs, or its end is being saved."""
        if self.stage is SessionStage.MATCH:
            raise Illegal(text("a match is running: end it first"))
        if self.stage is SessionStage.SAVING:
            raise Illegal(STILL_SAVED)
        table = Table(
            game=game,
            dead_heat=self.table.dead_heat,
            window_ns=self.table.window_ns,
            anticipation=self.table.anticipation,
            timing=self.table.timing,
        )
        self._seat(table, SessionCause.CLEARED)

    def _begin(self, match: Match) -> None:
        """Let a new match be played; one that runs, or is offered instead of it, is given up."""
        self._follow(SessionCause.BEGAN)
        self._invitation = None
        self._lobby.measuring.close()
        self._give_up()
        self._alarms.clear(SET_ASIDE)
        self._effects.append(Began(match.setup.game))
        self._menus = MatchMenus(match, self.sounds, self._times)
        if match.settings.is_spoken and match.setup.timing == "race" and match.game.race_name:
            match.remark(announcing.SPOKEN, "box")
        if self.table.practice:  # asked for this match, and not for the next
            match.remark(PRACTICE, "box")
            self._lobby.table = replace(self.table, practice=False)
        if self._forgotten:
            match.remark(f"{self._forgotten:,} remarks from before the match, the oldest, are left out", "box")
        rests_on = [(said, "box") for said in self._measured(match)]
        for said, source in (*self.readings(), *rests_on, *self._remarks):
            match.remark(said, source)
        self._remarks.clear()
        self._forgotten = 0
        self._collect()

    def _measured(self, match: Match) -> list[str]:
        """Say what those allowances of a match rest on that were measured: just now, or in people's profiles."""
        names, measuring = self.table.names or {}, self._lobby.measuring
        now = {
            seat.colour: measuring.evidence_of(seat.colour, names.get(seat.colour, ""), seat.allowance_ms)
            for seat in match.setup.seats
        }
        profiles = {colour: sitter.profile for colour, sitter in match.settings.sitters.items()}
        return remarks_of(match.setup.seats, now, profiles)

    def _seat(self, table: Table, cause: SessionCause) -> None:
        """Go to the seating; what was offered or has ended is not offered again."""
        self._follow(cause)
        self._give_up()
        self._lobby = self._seating(table)
        if cause is SessionCause.PREPARED:
            self._invitation = None
        if self._invitation is not None:
            self._follow(SessionCause.INVITED)

    def _why_untimed(self, table: Table) -> str:
        if self.outlets is None:
            return ""
        return proposal(table.seats, self.switches.how, self.outlets, is_spoken=self._is_spoken)

    def _seating(self, table: Table) -> Lobby:
        measuring = self._lobby.measuring
        measuring.close()
        lobby = Lobby(table, self._games, self._find, self._find_files, self._languages, self._people, measuring)
        lobby.can_invite, lobby.can_speak = self._way_in is not None, self._lobby.can_speak
        lobby.can_assign = self._lobby.can_assign
        lobby.why_untimed = self._why_untimed
        lobby.sounds = self.sounds
        return lobby

    def _give_up(self) -> None:
        """Put away the match that is played or offered, so that it is not offered again."""
        if self._menus is not None:
            self._effects += self._menus.match.effects
        if self._menus is not None or self._question is not None:
            self._effects.append(GaveUp())
        left = (*self._question.unfinished.kept, *self._question.unfinished.kept_before) if self._question else ()
        self._effects += [Recorded(press) for press in (*left, *self._unrecorded.give_up())]
        self._question = self._menus = self._assigning = None
        self.switches.forget()
        self._plays = NOTHING_PENDING

    def changed_elsewhere(self, says: str) -> None:
        """The match was changed from outside the box's own menus: put them away, and say what was done."""
        if self._menus is not None:
            self._menus.put_away(says)
            self._see_match()

    # -- what comes --------------------------------------------------------------------------------------------------

    def feed(self, event: ArbiterEvent) -> None:
        """Take what the arbiter gives, in its order."""
        if isinstance(event, Rejected):
            self._effects.append(Log(f"{event.line}: a contact of {_ms(event)} ms is no press: {event.why}"))
            return
        if isinstance(event, (SourceFault, LineFault, LateDelivery, Dropped)):
            self.notice(event, *self._alarms.hear(event))
        if isinstance(event, Press):
            if event.remark:
                self.notice(event, f"{event.line}: {event.remark}", event.line)
            self._unrecorded.fed(event)
        if isinstance(event, Release) and self.switches.how:
            self.switches.release(event, self._place())
        if isinstance(event, (Press, Release, Turned)):
            for gesture in self._knob.feed(event):
                self._take_up(gesture)
        self._collect()

    def advance(self, now_ns: int, settled_ns: int) -> None:
        """Let time pass: `now_ns` for what is shown; every press up to `settled_ns` has been fed."""
        self._alarms.pass_(now_ns)
        for remarked in self._noticed.advance(settled_ns):
            self.note(*remarked)
        for gesture in self._knob.advance(settled_ns):
            self._take_up(gesture)
        held_ns = self._knob.earliest_held()
        certain_ns = settled_ns if held_ns is None else min(settled_ns, held_ns - 1)
        if self._menus is not None:
            self._go_on(self._menus, now_ns, certain_ns)
        elif self._lobby.measuring.is_on:
            self._lobby.measuring.menu.advance(now_ns, certain_ns)
            self._lobby.see_measuring()
        self._scan(now_ns, certain_ns)
        self._collect()

    def _scan(self, now_ns: int, certain_ns: int) -> None:
        """Let time pass for the seats that play by a switch."""
        if self._question is not None or not self.switches.how:
            return
        try:
            self.switches.advance(now_ns, certain_ns, self._place())
        except CompanionError as error:  # the game failed: `_go_on` says so, for as long as it does
            self._effects.append(Log(f"switch scanning: {error}"))

    def _place(self) -> AtTheMatch | AtTheSeating:
        if self._menus is not None:
            return AtTheMatch(self._menus, self.leave)
        is_covered = self._assigning is not None or self.stage is SessionStage.INVITATION
        return AtTheSeating(self._lobby, is_covered=is_covered)

    def _is_by_switch(self, gesture: Gesture) -> bool:
        """Tell whether a gesture was taken as a press of a switch."""
        if self._menus is None and self._lobby.measuring.is_on:
            return False  # a trial wants to know when it was pressed, and no more
        return self._is_of_switch(gesture) and self.switches.press(gesture.press, self._place())

    def _is_of_switch(self, gesture: Gesture) -> TypeGuard[Play]:
        return isinstance(gesture, Play) and BUTTON_BY_LABEL[gesture.press.line].colour in self.switches.how

    def _leafs_invitation(self, gesture: Gesture) -> bool:
        """Tell whether a gesture goes on to the next page of an invitation, and does no more than put it away."""
        if isinstance(gesture, (Rotation, Click)):
            return True
        if not self._is_of_switch(gesture) or self._lobby.measuring.is_on:
            return False
        return BUTTON_BY_LABEL[gesture.press.line].colour in self.table.seats  # who has none sits down at once

    def _take_up(self, gesture: Gesture) -> None:
        """Do what a gesture means; what cannot be done is said."""
        if self._is_for_voice(gesture):
            self._effects.append(AskVoice(VoiceWish.AGAIN))
            return
        try:
            if not self._dismissed_by(gesture):
                self._gesture(gesture)
        except CompanionError as error:
            self.refuse(str(error))

    def _go_on(self, menus: MatchMenus, now_ns: int, certain_ns: int) -> None:
        """Let time pass in the match. Where its game fails there is an alarm for as long as it does."""
        try:
            menus.advance(now_ns, certain_ns, held=self._knob.is_held, pushed_ns=self._knob.pushed_ns)
        except CompanionError as error:
            self.alarm("match", str(error))
        else:
            if not menus.match.has_failed:
                self._alarms.clear("match")

    def _is_for_voice(self, gesture: Gesture) -> bool:
        """Tell whether it is a press of the button that has the newest said again, of a seat that nobody plays."""
        if not self._again or not isinstance(gesture, Play) or gesture.press.line != self._again:
            return False
        seats = self.table.seats if self.match is None else [seat.colour for seat in self.match.setup.seats]
        return BUTTON_BY_LABEL[self._again].colour not in seats

    def _gesture(self, gesture: Gesture) -> None:
        stage, invitation, self._invitation = self.stage, self._invitation, None
        leafs = stage is SessionStage.INVITATION and self._leafs_invitation(gesture)
        if leafs and invitation is not None:
            self._invitation = invitation.turned()
            if self._invitation is not None:
                return
        self._follow(SessionCause.TOUCHED)
        puts_away = stage is SessionStage.INVITATION and (leafs or isinstance(gesture, Hold))
        if puts_away and not self._lobby.measuring.is_on:
            return  # the knob, and a switch, only put the invitation away; a button takes its seat at once
        if self._question is not None:
            self._answer(self._question, gesture)
        elif self._assigning is not None and self._menus is None:
            self._assigning = _assign_by(self._assigning, gesture)
        elif self._is_by_switch(gesture):
            self._ask()
        elif self._menus is None:
            self._lobby.feed(gesture)
            self._ask()
        elif not stage.is_over or not isinstance(gesture, Click) or _has_menu(self._menus):
            self._menus.feed(gesture)
            self._see_match()
        elif stage is SessionStage.ENDED:  # while it is being saved, a push does not leave it
            self.leave()

    def _ask(self) -> None:
        """Show what whoever is at the box has asked for: the invitation again, or which input is which button."""
        asked, self._lobby.asks = self._lobby.asks, None
        if asked is Asked.BUTTONS:
            self._assigning = Assigning()
        elif asked is not None and self._way_in is not None:
            self._invitation = self._way_in
            if asked is Asked.SEATS:
                self._invitation = replace(self._way_in, seats=self._lobby.free)
            self._follow(SessionCause.INVITED)

    def _answer(self, question: ResumeQuestion, gesture: Gesture) -> None:
        """A seated player's press takes the match up and counts; the knob picks yes or no."""
        if isinstance(gesture, Rotation):
            question.turn(gesture.steps)
        elif isinstance(gesture, Click):
            (self.resume if question.answer == RESUME else self.decline)()
        elif isinstance(gesture, (Play, Chord)):
            self.resume()
            self._gesture(gesture)
        else:
            self._effects.append(Sound(Tone.REFUSED))

    def _forget_recorded(self, match: Match, effects: list[Effect]) -> None:
        """Keep no press any more from which nothing can be lost. effects: what has just been done in the match."""
        lines = [effect.line for effect in effects if isinstance(effect, Wrote)]
        waits = [*laying.waiting(match), *filter(None, map(instant_of, self._knob.held()))]
        self._unrecorded.dealt_with(waits, laying.written(match, lines), match.lines_written)
        self._effects += [Recorded(press) for press in self._unrecorded.durable(match.durable_lines)]

    def _collect(self) -> None:
        """Pass on the effects of lobby and match, and start what the lobby has set up."""
        self._effects += self._lobby.effects
        self._lobby.effects = []
        self._effects += self.switches.effects
        self.switches.effects = []
        if self._menus is not None:
            effects, self._menus.match.effects = self._menus.match.effects, []
            self._effects += effects
            self._see_match()
            self._forget_recorded(self._menus.match, effects)
        elif self._lobby.started is not None:
            setup, self._lobby.started = self._lobby.started, None
            try:
                self.start(setup)
            except CompanionError as error:  # a game refuses what its setup asked for (a file it cannot read), or fails
                self._lobby.agreement = None
                self._lobby.refuse(str(error))
                self._collect()


def _played(match: Match) -> list[Effect]:
    """Give what a match that is over says of its named players' quickness; nothing where it was played to learn."""
    history, is_timed = match.history, match.setup.timing != "untimed"
    if is_practice(told.line for told in history):
        return []
    found = race_gaps(history, is_timed=is_timed)
    gaps_ms = {history.names[seat]: gaps for seat, gaps in found.items() if seat in history.names}
    return [Played(match.setup.match, gaps_ms)] if gaps_ms else []


def _ms(contact: Rejected) -> str:
    return f"{(contact.until_ns - contact.t_ns) / MS:.1f}"


def _body(menus: MatchMenus) -> Body:
    """Give what a match shows; where its game fails, that, and how to go on."""
    try:
        return menus.body()
    except CompanionError:
        menu = Menu("", (MenuItem("-"),))
        return Question(text("The game failed"), (text("Hold the knob to take the last line back."),), menu)


def _has_menu(menus: MatchMenus) -> bool:
    """Tell whether a push of the knob picks something that is shown."""
    return getattr(_body(menus), "menu", None) is not None


def _next_shown(menus: MatchMenus) -> int | None:
    try:
        return menus.next_deadline()
    except CompanionError:
        return None


def _assign_by(assigning: Assigning, gesture: Gesture) -> Assigning | None:
    """Do what a gesture means where inputs are assigned; None once that is left."""
    if isinstance(gesture, Rotation):
        assigning.turn(gesture.steps)
    elif isinstance(gesture, Click):
        assigning.push()
    elif isinstance(gesture, Hold):
        assigning.leave()
    else:
        assigning.touched(gesture.press.line)
    return None if assigning.is_left else assigning
