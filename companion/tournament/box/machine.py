"""A box at an event, as a state machine: what the desk says and what the journal stores go in, effects come out. Pure.

Theory of operation. The box referees by itself, and nothing here holds that up. Of each match whose setup names the
event, every stored line is pushed (`pushing`). After each connection the box says how it stands (`Here`), and says it
again now and then until the desk says something: only then are lines sent, as nobody may be there to take them. What
the desk says is done once, whatever comes twice: a table to play is the same table, an announcement has a number, a
record that is taken over becomes a match that the box then has. What has to be known after a restart is `Kept`.

Call what has happened, then `take` what is to be done; `next_deadline` and `advance` let time pass.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.core.errors import Malformed
from companion.core.play.health import EventStatus, PushedMatch
from companion.core.timing.events import SECOND
from companion.tournament.box.effects import (
    Announce,
    ClockSet,
    GiveAnswer,
    IsFinal,
    Keep,
    Prepare,
    Publish,
    TakeUp,
    Tell,
)
from companion.tournament.box.pushing import Pushing
from companion.tournament.box.taking_over import Arriving
from companion.tournament.wire import (
    Answered,
    Ask,
    Clock,
    Finally,
    Have,
    Here,
    NotEnrolled,
    Say,
    Shown,
    Sit,
    State,
    TakeOver,
    Welcome,
    Withdraw,
    line_topic,
    state_topic,
    up_topic,
    write_message,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.tournament.box.effects import Effect
    from companion.tournament.box.kept import Kept, Who
    from companion.tournament.wire import ToBox

HERE_AGAIN_NS = 30 * SECOND
"""How often a box that hears nothing says that it is there."""
MOST_FINAL = 200
"""Matches of which it is kept that their result is final; the oldest are forgotten."""


class BoxInEvent:
    """One box at one event. kept: from before a start."""

    def __init__(self, who: Who, kept: Kept) -> None:
        self.who, self.kept = who, kept
        self.is_connected = False
        self.not_enrolled = ""
        """Why the desk does not know this box; empty where it does, or has not said."""
        self.pushing = Pushing(kept.acknowledged)
        self._effects: list[Effect] = []
        self._arriving: dict[str, Arriving] = {}
        self._taken_over: set[str] = set()
        self._at_table: str | None = None
        self._here_ns: int | None = None
        self._clock: tuple[int, bool, bool] | None = None
        self._shown: Shown | None = None

    def take(self) -> list[Effect]:
        """Give what is to be done, in order, and forget it."""
        effects, self._effects = self._effects, []
        return effects

    # -- the connection ----------------------------------------------------------------------------------------------

    def connected(self, now_ns: int) -> None:
        """There is a connection to the broker, a new one; the desk may be anywhere."""
        self.is_connected = True
        self.pushing.lost()
        self._say_state()
        self._say_here(now_ns)

    def lost(self) -> None:
        """The connection has gone."""
        self.is_connected = False
        self._here_ns = None
        self.pushing.lost()

    # -- the box -----------------------------------------------------------------------------------------------------

    def grew(self, match: str, lines: Sequence[bytes], now_ns: int) -> None:
        """The next lines of a match of this event are stored."""
        self.pushing.grow(match, lines)
        self._push(now_ns)

    def plays(self, match: str | None) -> None:
        """This match of the event is at the table, None: none of it."""
        if match != self._at_table:
            self._at_table = match
            self._say_state()

    def shows(self, shown: Shown) -> None:
        """Have the live tables see this, where somebody listens, or once somebody does."""
        self._shown = shown
        if self.pushing.has_listener and self.is_connected:
            self._say(shown)

    def ended(self) -> None:
        """The table that was to be played has been: it is not to be played again."""
        if self.kept.sit is not None:
            self._keep(replace(self.kept, sit=None))
            self._effects.append(Prepare(None))

    # -- time --------------------------------------------------------------------------------------------------------

    def advance(self, now_ns: int) -> None:
        """Let time pass."""
        if not self.is_connected:
            return
        self.pushing.advance(now_ns)
        self._push(now_ns)
        if self._here_ns is not None and not self.pushing.has_listener and now_ns >= self._here_ns + HERE_AGAIN_NS:
            self._say_here(now_ns)

    def next_deadline(self) -> int | None:
        """Give when `advance` next has something to do; None: not by itself."""
        if not self.is_connected:
            return None
        if not self.pushing.has_listener and self._here_ns is not None:
            return self._here_ns + HERE_AGAIN_NS
        return self.pushing.next_deadline()

    # -- the desk ----------------------------------------------------------------------------------------------------

    def hear(self, message: ToBox, now_ns: int) -> None:
        """Take what the desk says; what means nothing here changes nothing."""
        if isinstance(message, NotEnrolled):
            self.not_enrolled = message.why or "this box is not enrolled"
            self.pushing.lost()
            return
        if isinstance(message, Ask):
            self._say_state()
            self._say_here(now_ns)
            return
        self.not_enrolled = ""
        is_new = not self.pushing.has_listener
        self.pushing.listens(now_ns)
        if is_new and self._shown is not None and self._shown.match == self._at_table:
            self._say(self._shown)
        self._do(message, now_ns)
        self._push(now_ns)

    def _do(self, message: ToBox, now_ns: int) -> None:
        match message:
            case Welcome():
                self._keep(replace(self.kept, name=message.name))
            case Have():
                self._have(message, now_ns)
            case Sit():
                self._sit(message)
            case TakeOver():
                self._take_over(message)
            case Withdraw():
                self._withdraw(message)
            case Say():
                self._announce(message)
            case Clock():
                self._set_clock(message)
            case Answered():
                self._effects.append(GiveAnswer(message))
            case Finally():
                self._final(message)

    def _have(self, have: Have, now_ns: int) -> None:
        outbox = self.pushing.outboxes.get(have.match)
        before = None if outbox is None else (outbox.acknowledged, outbox.conflict)
        outbox = self.pushing.have(have, now_ns)
        if outbox is None or before == (outbox.acknowledged, outbox.conflict):
            return
        if outbox.conflict:
            self._effects.append(Tell(f"match {have.match} is not sent on: {outbox.conflict}"))
        self._keep(replace(self.kept, acknowledged=self.pushing.acknowledged))

    def _sit(self, sit: Sit) -> None:
        """Play this table next; one that was played here to its end, or is known already, is not asked for again.

        One of an earlier round was under way for long: rounds only go up.
        """
        if self.kept.round is not None and sit.round < self.kept.round:
            return
        is_known = (self.kept.round, self.kept.table) == (sit.round, sit.table)
        if is_known and (self.kept.sit is None or self.kept.sit == sit):
            return
        self._keep(replace(self.kept, sit=sit, round=sit.round, table=sit.table))
        self._effects.append(Prepare(sit))
        self._say_state()

    def _withdraw(self, withdraw: Withdraw) -> None:
        if (self.kept.round, self.kept.table) != (withdraw.round, withdraw.table):
            return
        self._keep(replace(self.kept, sit=None, round=None, table=None))
        self._effects.append(Prepare(None, withdraw.reason))
        self._say_state()

    def _take_over(self, part: TakeOver) -> None:
        if part.match in self.pushing.outboxes or part.match in self._taken_over:
            return
        arriving = self._arriving.get(part.match)
        if arriving is None or arriving.total != part.total:
            arriving = self._arriving[part.match] = Arriving(part.match, part.total)
        try:
            whole = arriving.take(part)
        except Malformed as error:
            self._effects.append(Tell(f"a match cannot be taken over: {error}"))
            return
        if whole is None:
            return
        del self._arriving[part.match]
        self._taken_over.add(part.match)
        self._keep(replace(self.kept, sit=None, round=part.round, table=part.table))
        self._effects += [Prepare(None), TakeUp(part.match, whole)]
        self._say_state()

    def _set_clock(self, clock: Clock) -> None:
        """Say that the clock was set; one that goes on as it did is said again only to who comes back."""
        stands = (clock.round, clock.is_running, clock.left_ms == 0)
        if stands != self._clock:
            self._clock = stands
            self._effects.append(ClockSet(clock.round, clock.left_ms, clock.is_running))

    def _announce(self, say: Say) -> None:
        if say.number > self.kept.said:
            self._keep(replace(self.kept, said=say.number))
            self._effects.append(Announce(say.text))

    def _final(self, told: Finally) -> None:
        if told.match not in self.kept.final:
            self._keep(replace(self.kept, final=(*self.kept.final, told.match)[-MOST_FINAL:]))
            self._effects.append(IsFinal(told))

    # -- what is said ------------------------------------------------------------------------------------------------

    def _push(self, now_ns: int) -> None:
        if not self.is_connected or self.not_enrolled:
            return
        event, box = self.who.event, self.who.box
        for part in self.pushing.next(now_ns):
            self._effects.append(Publish(line_topic(event, box, part.match, part.number), part.raw))

    def _say_here(self, now_ns: int) -> None:
        self._here_ns = now_ns
        who, kept = self.who, self.kept
        self._say(Here(
            key=who.key, software=who.software, round=kept.round, table=kept.table, matches=self.pushing.held()
        ))  # fmt: skip

    def _say(self, message: Here | Shown) -> None:
        self._effects.append(Publish(up_topic(self.who.event, self.who.box), write_message(message)))

    def _say_state(self) -> None:
        if self.is_connected:
            state = State(is_there=True, match=self._at_table, round=self.kept.round, table=self.kept.table)
            topic = state_topic(self.who.event, self.who.box)
            self._effects.append(Publish(topic, write_message(state), retain=True))

    def _keep(self, kept: Kept) -> None:
        if kept != self.kept:
            self.kept = kept
            self._effects.append(Keep())

    # -- how it stands -----------------------------------------------------------------------------------------------

    def status(self, why: str = "") -> EventStatus:
        """Say how it stands. why: there is no connection."""
        matches = tuple(
            PushedMatch(match=one.match, lines=len(one.lines), pushed=one.acknowledged, conflict=one.conflict)
            for one in self.pushing.outboxes.values()
        )
        return EventStatus(
            event=self.who.event,
            name=self.kept.name,
            box=self.who.box,
            is_connected=self.is_connected,
            why="" if self.is_connected else why,
            has_desk=self.pushing.has_listener,
            not_enrolled=self.not_enrolled,
            round=self.kept.round,
            table=self.kept.table,
            matches=matches,
        )
