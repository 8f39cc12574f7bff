"""A box at the event, as a process: real journal, key, seals and side of the event; its players follow the plan.

    python -m tests.chaos.box FOLDER NAME

It may be killed at any instant. Begun again it goes on with the match that its journal has, or begins the table that
it was told to play, as `companion run` would with `resume = "always"` and players who stay at the table. Its panel is
on a clock of its own, which waits a little at each turn, so that a kill falls within races.

Threads: the event's, the journal's, that of the key, and the first, in which everything at the table happens.
"""

from __future__ import annotations

import base64
import logging
import queue
import secrets
import signal
import sys
import threading
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from companion.adapters.keys.box_key import BoxKey
from companion.adapters.sqlite_journal import NothingStored, SqliteJournal, export_first_lines
from companion.app.assembly import unfinished
from companion.app.event.joined import Joined
from companion.app.event.keeping import KeptFile, setup_of
from companion.app.event.linking import link_of
from companion.app.event.records import EventRecords
from companion.app.event.tables import table_of
from companion.app.event.thread import EventThread, OnTable
from companion.app.storing.sealing import Sealing
from companion.app.tournament.simulated.table import SimulatedTable
from companion.app.turn.effect_runner import EffectRunner
from companion.core.match.match import PlaySettings
from companion.core.panel import Colour
from companion.core.play.commands import AnswerProtest, EndMatch, LeaveMatch, MakeProtest, SignResult
from companion.core.play.seating import Table
from companion.core.play.session import Session
from companion.core.timing.events import SECOND
from companion.files.durable import put
from companion.games import registry
from companion.tournament.box.effects import GiveAnswer, Prepare
from companion.tournament.box.kept import Who
from companion.tournament.box.machine import BoxInEvent
from tests.chaos.given import EVENT, GAME, Given, box_folder, read_given
from tests.chaos.plan import Place, is_protested, order_of
from tests.chaos.spoiling import spoiled_link, spoiled_played

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.core.play.health import EventStatus
    from companion.core.ruling.history import History
    from companion.tournament.box.effects import Effect
    from companion.tournament.wire import Answered, Sit

LOG = logging.getLogger("companion")
FIRST_MS, APART_MS = 300.0, 40.0
PROTEST_AFTER = 2
"""Races after which a seat protests, at a table where one does."""
SETTLES_NS = 5 * SECOND
"""A match that was taken up is given so long to judge what it was in the middle of."""
SITTING = "sitting.json"
"""In the box's folder: who sits at it. That is what the players know; the box itself knows names alone."""
PATIENCE_S = 600.0


class Ended(Exception):
    """The box is switched off."""


class ChaosBox:
    """See the module."""

    def __init__(self, given: Given, folder: Path, name: str) -> None:
        self._given, self._folder, self._name = given, folder, name
        folder.mkdir(parents=True, exist_ok=True)
        key = BoxKey(folder)
        key.prepare()
        self._who = Who(EVENT, name, base64.b64encode(key.public_key()).decode("ascii"), "chaos")
        self._wants: queue.SimpleQueue[Effect | None] = queue.SimpleQueue()
        self._calls: queue.SimpleQueue[Callable[[Session], None]] = queue.SimpleQueue()
        self._stored = threading.Condition()
        self._count: dict[int, int] = {}
        self._is_ending = False
        self._journal = SqliteJournal(folder)
        self._journal.open(self._durable, lambda text: LOG.error("the journal: %s", text))
        self._kept = KeptFile(folder, EVENT)
        self._event = self._event_thread()
        self._sealing = Sealing(key.signer, self._calls.put)
        self._found = unfinished(self._journal, None, registry.find, open_signer=key.signer)
        number = None if self._found is None else self._found.match_id
        self._runner = EffectRunner(self._journal, None, (), number, None, _wall, self._sealing)
        self._session = Session(
            registry.find, registry.names(), Table(game=GAME), PlaySettings(), self._found, draw=secrets.token_hex
        )
        self._table = SimulatedTable(self._session, self._turn)

    def _event_thread(self) -> EventThread:
        joined = Joined(
            self._given.brokers[self._name],
            EVENT,
            self._name,
            password=self._given.logins[self._name],
            ca_file=self._given.authority,
        )
        machine = BoxInEvent(self._who, self._kept.kept)
        records = EventRecords(EVENT, self._folder, self._journal)
        make_link = spoiled_link(link_of(joined), self._given.spoils)
        return EventThread(machine, self._kept, records, self, make_link, clock=time.monotonic_ns)

    def run(self) -> None:
        """Live until `stop`."""
        self._event.start()
        try:
            if self._found is not None:
                self._go_on()
            elif self._kept.kept.sit is not None:
                self._sit(self._kept.kept.sit)
            while (wanted := self._wants.get()) is not None:
                self._do(wanted)
        except Ended:
            pass
        finally:
            self._event.stop()
            self._sealing.close()
            self._journal.close()

    def stop(self, *_: object) -> None:
        """Switch it off."""
        self._is_ending = True
        self._wants.put(None)

    # -- from the event's thread -------------------------------------------------------------------------------------

    def do(self, effect: Effect) -> None:
        """Have it done at the table."""
        self._wants.put(effect)

    def tell(self, status: EventStatus) -> None:
        """How the box stands is asked of its files."""

    # -- at the table ------------------------------------------------------------------------------------------------

    def _do(self, wanted: Effect) -> None:
        match wanted:
            case Prepare(sit=sit) if sit is not None:
                self._sit(sit)
            case GiveAnswer(answered=answered):
                self._answer(answered)

    def _go_on(self) -> None:
        """Go on with the match that was cut off, with those who sit at it."""
        sitting = (self._folder / SITTING).read_bytes()
        place = msgspec.json.decode(sitting, type=Place)
        assert self._found is not None
        event = self._found.setup.event
        assert event is not None
        assert (event.round, event.table) == (place.round, place.table), (event, place)
        self._table.call(lambda session: session.resume())
        self._table.run(SETTLES_NS)
        self._play(place)

    def _sit(self, sit: Sit) -> None:
        """Play a table from its beginning, unless it has been begun here before."""
        if (sit.round, sit.table) in self._begun():
            return
        self._leave()
        place = Place(sit.round, sit.table, tuple(seat.player for seat in sit.seats))
        put(self._folder / SITTING, msgspec.json.encode(place))
        self._table.call(lambda session: session.prepare(table_of(self._who, sit, session.table)))
        self._table.call(lambda session: session.start(session.table.setup(registry.find(session.table.game))))
        self._play(place)

    def _begun(self) -> set[tuple[int, int]]:
        """Give round and table of each match that the journal has, or will."""
        try:
            setups = [setup_of(first) for first in export_first_lines(self._folder).values()]
        except NothingStored:
            setups = []
        match: Any = self._session.match
        events = [setup.event for setup in setups] + ([] if match is None else [match.setup.event])
        return {(event.round, event.table) for event in events if event is not None}

    def _play(self, place: Place) -> None:
        seats = dict(zip(place.players, Colour, strict=False))
        for race in range(self._table.races + 1, self._given.races + 1):
            order = order_of(spoiled_played(self._given.played, self._given.spoils), place, race)
            self._table.race({seats[player]: FIRST_MS + APART_MS * rank for rank, player in enumerate(order)})
            self._protest(place, race)
            self._show()
        self._protest(place, self._given.races)
        self._table.do(EndMatch())
        self._sign()

    def _protest(self, place: Place, race: int) -> None:
        """Have a seat protest where one does, once, however often the box was killed meanwhile."""
        if race < PROTEST_AFTER or not is_protested(self._given.played, place) or self._history().disputes():
            return
        self._table.do(MakeProtest(colour=Colour.RED, text="I was first"))

    def _answer(self, answered: Answered) -> None:
        """Write the referee's answer, where its match is still here; all sign once none is missing."""
        match = self._session.match
        if match is None or match.setup.match != answered.match:
            return
        if any(told.number == answered.protest for told in self._history().unanswered()):
            self._table.do(
                AnswerProtest(protest=answered.protest, text=answered.text, stands=answered.stands, by=answered.by)
            )
            self._sign()

    def _sign(self) -> None:
        """Have all sign, once the match is over and nobody waits for an answer."""
        match = self._session.match
        assert match is not None
        if match.is_over and not self._history().unanswered():
            for seat in match.setup.seats:
                self._table.do(SignResult(colour=seat.colour))
        self._show()

    def _history(self) -> History:
        match = self._session.match
        assert match is not None
        return match.history

    def _leave(self) -> None:
        """Leave a match that is over, once it is stored."""
        match, number = self._session.match, self._runner.match_id
        if match is None or number is None:
            return
        with self._stored:
            written = match.lines_written
            assert self._stored.wait_for(lambda: self._count.get(number, 0) >= written, PATIENCE_S)
        self._table.run(SECOND)
        self._table.do(LeaveMatch())

    def _show(self) -> None:
        match = self._session.match
        if match is not None:
            self._event.waiting.table(OnTable.of(match, self._session.scene()))

    def _durable(self, match_id: int, count: int) -> None:
        """Lines are stored; from the journal's thread."""
        self._event.waiting.durable(match_id, count)
        with self._stored:
            self._count[match_id] = count
            self._stored.notify_all()

    def _turn(self) -> None:
        """Do what the session wants done, seals too, and wait a little while a match runs."""
        session, runner = self._session, self._runner
        runner.run(session)
        while self._sealing.is_opening:
            self._calls.get(timeout=PATIENCE_S)(session)
            runner.run(session)
        if runner.match_id is not None:
            session.stored(self._count.get(runner.match_id, 0))
        if session.match is not None:
            time.sleep(self._given.pace_ms / 1000)
        if self._is_ending:
            raise Ended


def _wall() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def main() -> int:
    folder, name = Path(sys.argv[1]), sys.argv[2]
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    box = ChaosBox(read_given(folder), box_folder(folder, name), name)
    signal.signal(signal.SIGTERM, box.stop)
    box.run()
    return 0


if __name__ == "__main__":
    sys.exit(main())
