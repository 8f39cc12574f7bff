"""Does at the box what an event wants of it: tables, announcements, answers, matches from elsewhere. In the box's loop.

What cannot be done now (a match is at the table) waits, and is looked at again after each turn; nobody's press waits
for any of it. Only `do` and `tell` are called from another thread.
"""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING, Protocol

from companion.app.event.moving import Moving
from companion.app.event.tables import event_of, table_of, without_event
from companion.app.event.thread import OnTable
from companion.core.errors import CompanionError
from companion.core.play.commands import AnswerProtest, perform
from companion.core.words.texts import text, texts
from companion.tournament.box.effects import Announce, ClockSet, GiveAnswer, IsFinal, Prepare, TakeUp

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.app.event.thread import Waiting
    from companion.app.turn.right_of_way import RightOfWay
    from companion.core.match.effects import Cue, Sound
    from companion.core.match.match import Match
    from companion.core.play.health import EventStatus
    from companion.core.play.pipeline import Box
    from companion.core.play.session import Session
    from companion.core.ruling.game import AnyGame
    from companion.core.shown.scene import Scene
    from companion.ports import Journal
    from companion.tournament.box.effects import Effect
    from companion.tournament.box.kept import Who
    from companion.tournament.wire import Answered, Sit

LOG = logging.getLogger("companion")
EVENT = "event"
"""What the alarm stands for that the desk does not know the box, or has another record."""
TABLE = "event table"
"""What the alarm stands for that a table cannot be played here, or comes next."""
MOST_ANSWERS = 50
MINUTE_MS = 60_000


class Follower(Protocol):
    """Whoever is told of each turn."""

    def follow(self, session: Session, scene: Scene, now_ns: int, match_id: int | None) -> None:
        """Look at the session."""

    def sound(self, sound: Sound) -> None:
        """A tone is played."""

    def cue(self, cue: Cue) -> None:
        """A seat is offered something."""


class Loop(Protocol):
    """As much of the box's loop as is needed. The methods may be called from any thread."""

    box: Box
    journal: Journal
    way: RightOfWay

    def call(self, action: Callable[[Session], None]) -> None:
        """Do something to the session."""

    def alarm(self, key: str, text: str | None) -> None:
        """A part of the box failed, or is well again (None)."""

    def follow(self, follower: Follower) -> None:
        """Have a follower told of each turn."""


class Due:
    """What waits until it can be done. sit: the table that is to be played; refused: of which it was said that it can't
    be."""

    def __init__(self, sit: Sit | None) -> None:
        self.sit = sit
        self.refused: Sit | None = None
        self.take_ups: list[TakeUp] = []
        self.answers: list[Answered] = []


class AtBox:
    """The box as an event sees it, and a follower of its loop. code: what of its key is typed at the desk."""

    def __init__(
        self, who: Who, code: str, loop: Loop, find_game: Callable[[str], AnyGame], sit: Sit | None
    ) -> None:  # fmt: skip
        """sit: the table that was to be played before a start."""
        self.status: EventStatus | None = None
        """How the box stands at the event; a frozen value, which any thread may read."""
        self._who, self._code, self._loop = who, code, loop
        self._due = Due(sit)
        self._moving = Moving(who, loop.journal, find_game)
        self._waiting: Waiting | None = None
        self._told: tuple[object, ...] = ()
        self._is_trying = False
        self._seen: Match | None = None
        self._alarm = ""

    def attach(self, waiting: Waiting) -> None:
        """Hand over what is shown from now on, and do what has waited."""
        self._waiting = waiting
        self._loop.follow(self)

    # -- from the event's thread -------------------------------------------------------------------------------------

    def do(self, effect: Effect) -> None:
        """Have it done in the box's loop."""
        self._loop.call(partial(self._do, effect))

    def tell(self, status: EventStatus) -> None:
        """Take how the box stands; the box is told only of what people should see."""
        self.status = status
        says = _alarm(status, self._code)
        if says != self._alarm:
            self._alarm = says
            self._loop.alarm(EVENT, says or None)

    # -- in the box's loop -------------------------------------------------------------------------------------------

    def follow(self, session: Session, scene: Scene, now_ns: int, match_id: int | None) -> None:  # noqa: ARG002 - as every follower is told
        """Hand over what is at the table where it has changed, and see whether something that waits can be done."""
        self._hand_over(session, scene)
        if session.match is not self._seen:
            self._seen = session.match
            if session.match is not None:
                self._moving.see(session.match)
        if not self._is_trying and self._can_try(session):
            self._is_trying = True
            self._loop.call(self._try)

    def sound(self, sound: Sound) -> None:
        """A tone is the buzzer's."""

    def cue(self, cue: Cue) -> None:
        """What is offered to one seat alone is told to nobody else."""

    def _hand_over(self, session: Session, scene: Scene) -> None:
        match = session.match
        is_ours = match is not None and match.setup.event is not None and match.setup.event.id == self._who.event
        if match is None or not is_ours:
            told: tuple[object, ...] = ()
        elif match.durable_lines < match.lines_written and not match.fault:
            return  # it is handed over once it is stored
        else:
            told = (match.setup.match, match.durable_lines, scene)
        if told == self._told or self._waiting is None:
            return
        self._told = told
        if match is None or not is_ours:
            self._waiting.table(None)
        else:
            self._waiting.table(OnTable.of(match, scene))

    def _can_try(self, session: Session) -> bool:
        match = session.match
        if match is not None:
            answers = any(one.match == match.setup.match for one in self._due.answers)
            return answers or match.can_move
        return session.can_be_prepared and (bool(self._due.take_ups) or self._is_to_prepare(session))

    def _is_to_prepare(self, session: Session) -> bool:
        wanted = self._due.sit
        return wanted is not None and wanted != self._due.refused and session.table.event != event_of(self._who, wanted)

    def _try(self, session: Session) -> None:
        """Do what has waited and can be done now."""
        self._is_trying = False
        if session.match is not None:
            session.match.move()
            self._answer(session)
        elif session.can_be_prepared and self._due.take_ups:
            self._take_up(session, self._due.take_ups.pop(0))
        elif session.can_be_prepared and self._is_to_prepare(session):
            self._prepare(session)

    def _do(self, effect: Effect, session: Session) -> None:
        match effect:
            case Prepare():
                self._want(session, effect)
            case TakeUp():
                self._due.take_ups.append(effect)
            case GiveAnswer():
                self._due.answers = [*self._due.answers, effect.answered][-MOST_ANSWERS:]
            case Announce():
                session.announce(effect.text)
            case IsFinal():
                says = text("Round {round}, table {table}: the result is final")
                session.announce(says.format(round=effect.finally_.round, table=effect.finally_.table))
            case ClockSet():
                session.announce(_clock_says(effect))
        self._try(session)

    def _want(self, session: Session, wanted: Prepare) -> None:
        """Take which table is next; one that is prepared and is not to be played is put away."""
        self._due.sit, self._due.refused = wanted.sit, None
        session.alarm(TABLE, None)
        if wanted.sit is not None and session.match is not None:
            says = text("Round {round}, table {table} comes next: go to the seating once this match is over")
            session.alarm(TABLE, says.format(round=wanted.sit.round, table=wanted.sit.table))
        is_prepared = session.table.event is not None and session.table.event.id == self._who.event
        if wanted.sit is None and is_prepared:
            place = session.table.event_place
            if session.can_be_prepared:
                session.prepare(without_event(session.table))
            if wanted.why:
                session.announce(text("{place} is played elsewhere: {why}").format(place=place, why=wanted.why))

    def _prepare(self, session: Session) -> None:
        wanted = self._due.sit
        if wanted is None:
            return
        try:
            session.prepare(table_of(self._who, wanted, session.table))
        except CompanionError as error:
            self._due.refused = wanted
            says = text("Round {round}, table {table} cannot be played here: {why}")
            session.alarm(TABLE, says.format(round=wanted.round, table=wanted.table, why=error))
        else:
            session.alarm(TABLE, None)

    def _take_up(self, session: Session, wanted: TakeUp) -> None:
        try:
            session.offer(self._moving.begin(wanted))
        except CompanionError as error:
            LOG.error("match %s cannot be taken over: %s", wanted.match, error)
            session.alarm(TABLE, text("the match cannot be taken over: {why}").format(why=error))

    def _answer(self, session: Session) -> None:
        """Write the referee's answers of this match; one that is there already is left out."""
        match = session.match
        if match is None:
            return
        due = [one for one in self._due.answers if one.match == match.setup.match]
        self._due.answers = [one for one in self._due.answers if one.match != match.setup.match]
        for one in due:
            answer = AnswerProtest(protest=one.protest, text=one.text, stands=one.stands, by=one.by)
            try:
                session.announce(perform(session, answer, 0).says)
            except CompanionError as error:
                LOG.info("an answer of the event's referee is not written: %s", error)


def _alarm(status: EventStatus, code: str) -> str:
    """Say what people should see of how the box stands; empty while all is well, or there is only no network."""
    name = status.name or status.event
    if status.not_enrolled:
        return text("Event {name}: type {code} at the desk").format(name=name, code=code)
    conflicts = sum(bool(one.conflict) for one in status.matches)
    if conflicts:
        return texts(
            "Event {name}: the desk has another record of {count} match; call the referee",
            "Event {name}: the desk has other records of {count} matches; call the referee",
            conflicts,
            name=name,
        )
    return ""


def _clock_says(clock: ClockSet) -> str:
    minutes = -(-clock.left_ms // MINUTE_MS)
    if not clock.left_ms:
        return text("Round {round}: time is up").format(round=clock.round)
    if clock.is_running:
        return texts("Round {round}: {count} minute left", "Round {round}: {count} minutes left", minutes,
                     round=clock.round)  # fmt: skip
    return text("Round {round}: the clock stands").format(round=clock.round)
