"""A simulated box at an event: a real journal, a real key, the real side of an event, and players who follow a plan.

Threads: the event's own (`app.event.thread`), the journal's, and one in which everything at the table happens. What the
desk wants waits in a queue for that one.
"""

from __future__ import annotations

import base64
import logging
import queue
import secrets
import threading
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from companion.adapters.keys.box_key import BoxKey
from companion.adapters.sqlite_journal import SqliteJournal
from companion.app.event.keeping import KeptFile
from companion.app.event.moving import Moving
from companion.app.event.records import EventRecords
from companion.app.event.tables import table_of
from companion.app.event.thread import EventThread, OnTable
from companion.app.storing.sealing import Sealing
from companion.app.tournament.simulated.people import reaction_ms
from companion.app.tournament.simulated.table import SimulatedTable
from companion.app.turn.effect_runner import EffectRunner
from companion.core.errors import CompanionError
from companion.core.match.match import PlaySettings
from companion.core.panel import Colour
from companion.core.play.commands import AnswerProtest, EndMatch, LeaveMatch, MakeProtest, SignResult
from companion.core.play.seating import Table
from companion.core.play.session import Session
from companion.games import registry
from companion.threads.watched import Watched
from companion.tournament.box.effects import ClockSet, GiveAnswer, Prepare, TakeUp
from companion.tournament.box.kept import Who
from companion.tournament.box.machine import BoxInEvent
from companion.tournament.fingerprint import fingerprint

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from companion.app.event.thread import MakeLink
    from companion.app.tournament.simulated.people import Plan
    from companion.core.play.health import EventStatus
    from companion.tournament.box.effects import Effect
    from companion.tournament.wire import Sit

LOG = logging.getLogger("companion")
PROTEST_AFTER = 2
"""Races after which the last seat protests."""
FAILS_AFTER = 3
"""Races after which the box fails that is to."""
PATIENCE_S = 60.0
"""So long a disk may take."""


class SimulatedBox:
    """A box, named as at the event. Call `start`, and `stop`. pace_s: between races, for whoever looks on."""

    def __init__(
        self, name: str, folder: Path, event: str, make_link: MakeLink, players: Players, *, pace_s: float = 0.0
    ) -> None:  # fmt: skip
        folder.mkdir(parents=True, exist_ok=True)
        self.name, self._players, self._pace_s = name, players, pace_s
        key = BoxKey(folder)
        key.prepare()
        self.key = key.public_key()
        who = Who(event, name, base64.b64encode(self.key).decode("ascii"), "simulated")
        kept = KeptFile(folder, event)
        self._journal = SqliteJournal(folder)
        records = EventRecords(event, folder, self._journal)
        machine = BoxInEvent(who, kept.kept)
        self._event = EventThread(machine, kept, records, self, make_link, clock=time.monotonic_ns)
        self._desk = AtTable(who, self._journal, key)
        self._sit: Sit | None = None
        self._running: int | None = None
        self._wants: queue.SimpleQueue[Effect | None] = queue.SimpleQueue()
        self._thread = Watched(self._live, name=f"simulated {name}")
        self._is_ending = False

    @property
    def code(self) -> str:
        """What its display shows, to be typed at the desk."""
        return fingerprint(self.key)

    def start(self) -> None:
        """Begin."""
        self._journal.open(self._durable, lambda text: LOG.error("%s: %s", self.name, text))
        self._thread.start()
        self._event.start()

    def lines_stored(self) -> int:
        """Give how many lines its journal has, of all matches."""
        return self._desk.lines_stored()

    def stop(self) -> None:
        """End, whatever is at the table."""
        self._is_ending = True
        self._event.stop()
        self._wants.put(None)
        self._thread.join(PATIENCE_S)
        self._desk.close()
        self._journal.close()

    # -- for the event's thread --------------------------------------------------------------------------------------

    def do(self, effect: Effect) -> None:
        """Have it done at the table."""
        self._wants.put(effect)

    def tell(self, status: EventStatus) -> None:
        """How the box stands is asked of the desk."""

    # -- at the table ------------------------------------------------------------------------------------------------

    def _durable(self, match_id: int, count: int) -> None:
        self._event.waiting.durable(match_id, count)
        self._desk.durable(match_id, count)

    def _live(self) -> None:
        while (wanted := self._wants.get()) is not None and not self._is_ending:
            try:
                self._do(wanted)
            except CompanionError as error:
                LOG.error("%s: %s", self.name, error)

    def _do(self, wanted: Effect) -> None:
        match wanted:
            case Prepare(sit=sit):
                self._sit = sit
                if sit is not None:
                    self._desk.sit(sit)
                    self._begin()
            case ClockSet(round=number, is_running=is_running):
                self._running = number if is_running else None
                self._begin()
            case TakeUp():
                number, table = self._desk.take_up(wanted)
                self._play(number, table)
            case GiveAnswer(answered=answered):
                said = AnswerProtest(
                    protest=answered.protest, text=answered.text, stands=answered.stands, by=answered.by
                )
                self._desk.table.do(said)
                self._sign()

    def _begin(self) -> None:
        """Begin the match of those who sit there, once, where they have nothing to wait for."""
        sit, players = self._sit, self._players
        if sit is None or (players.wait_for_clock and sit.round != self._running):
            return
        if players.play_here(self.name, (sit.round, sit.table)):
            self._sit = None
            self._desk.begin()
            self._play(sit.round, sit.table)

    def _play(self, number: int, table: int) -> None:
        """Play the races that are left, as the plan has it."""
        plan, desk = self._players.plan, self._desk
        is_disputed = self._players.protest_here(self.name, (number, table))
        fails = self._players.lose_box(self.name, (number, table))
        for race in range(desk.table.races + 1, plan.races + 1):
            if self._is_ending:
                return
            with self._players.one_plays:
                desk.table.race(self._players.reactions(desk.seats, number, race))
            self._show()
            self._players.raced(self.name, number, race)
            time.sleep(self._pace_s)
            if is_disputed and race == PROTEST_AFTER:
                desk.table.do(MakeProtest(colour=tuple(desk.seats)[-1], text="I was first"))
            if fails and race == FAILS_AFTER:
                self._desk.settle()
                self._players.lost(self.name)
                return
        desk.table.do(EndMatch())
        if not is_disputed:
            self._sign()

    def _sign(self) -> None:
        for colour in self._desk.seats:
            self._desk.table.do(SignResult(colour=colour))
        self._show()

    def _show(self) -> None:
        """Have the live tables see it, once it is stored."""
        self._desk.settle()
        self._desk.table.run(1)
        session = self._desk.table.session
        match = session.match
        if match is not None:
            self._event.waiting.table(OnTable.of(match, session.scene()))


class Players:
    """Who plays at the boxes, by their strengths, and what happens to them. failed: boxes that have failed as they were
    to. wait_for_clock: whether they begin only when the round's clock runs. place: round and table.

    one_plays: held while a race is worked out: dozens of threads that compute together only wait for each other.
    """

    def __init__(self, plan: Plan, strength: Mapping[int, float], *, wait_for_clock: bool = False) -> None:
        self.plan, self._strength, self.wait_for_clock = plan, strength, wait_for_clock
        self.failed: list[str] = []
        self.one_plays = threading.Lock()

    def play_here(self, box: str, place: tuple[int, int]) -> bool:  # noqa: ARG002 - others go by the box
        """Tell whether they play; where a box has failed they know that their match goes on from its record."""
        return not (self.failed and place == self.plan.failure)

    def protest_here(self, box: str, place: tuple[int, int]) -> bool:  # noqa: ARG002 - as above
        """Tell whether one of them protests."""
        return place == self.plan.protest

    def lose_box(self, box: str, place: tuple[int, int]) -> bool:  # noqa: ARG002 - as above
        """Tell whether this box is the one that fails: the first at its table, where there is another."""
        return place == self.plan.failure and self.plan.boxes > 1 and not self.failed

    def lost(self, box: str) -> None:
        """A box has failed."""
        self.failed.append(box)

    def raced(self, box: str, number: int, race: int) -> None:
        """Wait as long as they wish to after a race of a round."""

    def reactions(self, seats: Mapping[Colour, int], number: int, race: int) -> dict[Colour, float]:
        """Give when each seat presses in a race. seats: the players' numbers."""
        return {
            colour: reaction_ms(self.plan, self._strength[player], player, number, race)
            for colour, player in seats.items()
        }


class AtTable:
    """What is at the box's own table: session, journal and seals. seats: who sits there, by number."""

    def __init__(self, who: Who, journal: SqliteJournal, key: BoxKey) -> None:
        self._who, self._journal = who, journal
        self._calls: queue.SimpleQueue[Callable[[Session], None]] = queue.SimpleQueue()
        self._sealing = Sealing(key.signer, self._calls.put)
        self._runner = EffectRunner(journal, None, (), None, None, _wall, self._sealing)
        self._moving = Moving(who, journal, registry.find)
        self._stored = threading.Condition()
        self._count: dict[int, int] = {}
        self.seats: dict[Colour, int] = {}
        first = registry.first()
        session = Session(registry.find, registry.names(), Table(game=first), PlaySettings(), draw=secrets.token_hex)
        self._session = session
        self.table = SimulatedTable(session, self._turn)

    def sit(self, sit: Sit) -> None:
        """Sit down at a table, once the match before is left. Raises CompanionError."""
        self._leave()
        self.seats = {colour: seat.player for colour, seat in zip(Colour, sit.seats, strict=False)}
        self.table.call(lambda session: session.prepare(table_of(self._who, sit, session.table)))

    def begin(self) -> None:
        """Begin the match of those who sit there. Raises CompanionError."""
        self.table.call(lambda session: session.start(session.table.setup(registry.find(session.table.game))))

    def take_up(self, wanted: TakeUp) -> tuple[int, int]:
        """Go on with a match of another box; give round and table. Raises CompanionError."""
        self.table.call(lambda session: session.offer(self._moving.begin(wanted)))
        self.table.call(lambda session: session.resume())
        match = self._session.match
        if match is None or match.setup.event is None:
            raise CompanionError("nothing has been taken up")
        return match.setup.event.round, match.setup.event.table

    def durable(self, match_id: int, count: int) -> None:
        """Lines are stored; from the journal's thread."""
        with self._stored:
            self._count[match_id] = count
            self._stored.notify_all()

    def lines_stored(self) -> int:
        """Give how many lines are stored, of all matches; from any thread."""
        with self._stored:
            return sum(self._count.values())

    def settle(self) -> None:
        """Wait until all that has been written of the match is stored. Raises CompanionError: it is not."""
        match, number = self._session.match, self._runner.match_id
        if match is None or number is None:
            return
        with self._stored:
            written = match.lines_written
            if not self._stored.wait_for(lambda: self._count.get(number, 0) >= written, PATIENCE_S):
                raise CompanionError("a match is not stored")

    def close(self) -> None:
        """End what signs."""
        self._sealing.close()

    def _leave(self) -> None:
        """Leave a match that is over, once it is stored."""
        if self._session.match is None or self._runner.match_id is None:
            return
        self.settle()
        self.table.run(1)
        self.table.do(LeaveMatch())

    def _turn(self) -> None:
        """Do what the session wants done, seals too; what signs is opened before anything goes on."""
        session, runner = self._session, self._runner
        runner.run(session)
        while self._sealing.is_opening:
            self._calls.get(timeout=PATIENCE_S)(session)
            runner.run(session)
        if session.match is not None:
            session.match.move()
            runner.run(session)
        if runner.match_id is not None:
            session.stored(self._count.get(runner.match_id, 0))


def _wall() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
