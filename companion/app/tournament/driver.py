"""Runs the pure desk: what boxes say and the organiser does goes in, in turn; store, boxes and pages follow.

Theory of operation. One task does everything that changes the desk. What has come from boxes waits in a bounded queue
and is taken in batches: read, stored, judged; the log's lines are stored; and only then are boxes told and pages
called. An act of the organiser stands between two batches and returns when it is durable. Who looks at the desk waits
while it is ahead of its store (`ledger`), so nobody is ever told or shown what a power cut could take back.

While the store fails, a fault stands, acts are refused, no line is acknowledged, and messages wait or are dropped: each
box has its own lines in its journal, and sends them until the desk has acknowledged them. Nothing rests on what a
broker keeps either: after each connection every box is asked how it stands.

All of it is in one event loop, but for the store's thread.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypeVar

from companion.app.tournament.inbox import Inbox
from companion.app.tournament.ledger import Ledger
from companion.app.tournament.news import News
from companion.app.tournament.sending import Sending, as_of
from companion.app.tournament.store_thread import StoreThread
from companion.core.errors import Illegal, Malformed, Unavailable
from companion.tournament.desk.moving import owed_records, take_over
from companion.tournament.desk.outcome import Outcome
from companion.tournament.wire import Ask

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from typing import Any

    from companion.app.tournament.news import Changed
    from companion.core.record.seals import Check
    from companion.core.ruling.game import Game
    from companion.ports import EventLink, EventStore
    from companion.tournament.desk.desk import Desk
    from companion.tournament.wire import Here, ToBox

    Act = Callable[[Desk, str], Outcome]
    """What is done to the desk, with the time for the log."""

LOG = logging.getLogger("companion")

RETRY_S = 3.0
"""So long after a fault of the store it is tried again."""
TICK_S = 1.0
"""So often is looked for what is due."""
STORE, BROKER = "store", "broker"
"""Of what a fault that stands can be."""

T = TypeVar("T")


def utc_now() -> datetime:
    """Give the time."""
    return datetime.now(UTC)


def wall_of(now: datetime) -> str:
    """Give a time as the log has it."""
    return now.isoformat(timespec="milliseconds")


class DeskDriver:
    """An event at its desk, running. now: with its offset. sleep: waits so many seconds."""

    def __init__(
        self,
        store: EventStore,
        find_game: Callable[[str], Game[Any]],
        check: Check,
        *,
        now: Callable[[], datetime] = utc_now,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._now, self._sleep = now, sleep
        self._ledger = Ledger(StoreThread(store), find_game, check, lambda: wall_of(now()))
        self._news = News()
        self.faults = self._news.faults
        """What is wrong now, in words, by what it is of: the store, the broker."""
        self._arrived: Outcome | None = None
        self._came: list[tuple[str, Here]] = []
        self._acts: deque[tuple[Act, asyncio.Future[Outcome]]] = deque()
        self._wake = asyncio.Event()
        self._inbox = Inbox(self._wake.set)
        self._must_ask = False
        self._sending: Sending | None = None

    # For everybody ---------------------------------------------------------------------------------------------------

    @property
    def desk(self) -> Desk:
        """The desk, which may be ahead of its store: for what nobody is shown. Raises Illegal before `open`."""
        return self._ledger.desk

    def now(self) -> datetime:
        """Give the time, with its offset."""
        return self._now()

    async def look(self, at: Callable[[Desk], T]) -> T:
        """Look at the desk while it is even with its store: for all that is shown. Raises what `at` raises."""
        return at(await self._ledger.even())

    async def record(self, box: str, match: str) -> list[bytes]:
        """Give the stored lines of a record, from the first on. Raises Unavailable."""
        return await self._ledger.record(box, match)

    async def log(self) -> list[bytes]:
        """Give the stored lines of the event's log."""
        return self._ledger.log()

    async def act(self, do: Act) -> Outcome:
        """Have something done to the desk in its turn, with the time for the log; returns when it is durable.

        Raises what `do` raises, and Unavailable where it cannot be stored; nothing has changed then.
        """
        if STORE in self.faults:
            raise Unavailable(self.faults[STORE])
        done: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        self._acts.append((do, done))
        self._wake.set()
        return await done

    def on_change(self, call: Changed) -> Callable[[], None]:
        """Call this after each batch or act that changed anything, with the tables that did, by round and number; none:
        something else. Gives what ends it."""
        return self._news.on_change(call)

    # From the link ---------------------------------------------------------------------------------------------------

    def connected(self) -> None:
        """There is a connection, a new one: every box is asked."""
        self._must_ask = True
        self._news.fault(BROKER, None)
        self._wake.set()

    def lost(self, why: str) -> None:
        """There is no connection."""
        self._news.fault(BROKER, why)

    def message(self, topic: str, payload: bytes) -> None:
        """Something has come from a box. What is too much is dropped: its box sends it again."""
        if not self._inbox.add(topic, payload) and not self._must_ask:
            self._must_ask = True
            self.desk.note(f"more than {len(self._inbox):,} messages wait: boxes send again what was dropped")
        self._wake.set()

    # Its life --------------------------------------------------------------------------------------------------------

    async def open(self, begin: Callable[[], bytes] | None = None) -> None:
        """Take up the event where it was left. begin: gives the first line of an event's log where none is stored.

        Raises Unavailable; Malformed, Illegal: what is stored is no event, or there is none and none is begun.
        """
        await self._ledger.open(begin)
        await self._ledger.refresh()

    async def run(self, link: EventLink) -> None:
        """Run by a connection, until cancelled. Call `open` before."""
        self._sending = Sending(link, self.desk.event.line.event, self._not_told)
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(link.run())
                tasks.create_task(self._work())
                tasks.create_task(self._tick())
        finally:
            self._inbox.close()
            await self._sending.close()
            self._sending = None
            self._refuse(Unavailable("the desk has stopped"))

    async def close(self) -> None:
        """Let go of the store."""
        with suppress(Unavailable):
            await self._ledger.close()

    # The work --------------------------------------------------------------------------------------------------------

    async def _tick(self) -> None:
        while True:
            await self._sleep(TICK_S)
            if STORE not in self.faults:
                self._acts.append((self._due, asyncio.get_running_loop().create_future()))
                self._wake.set()

    def _due(self, desk: Desk, wall: str) -> Outcome:
        return desk.advance(datetime.fromisoformat(wall), wall)

    async def _work(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            try:
                await self._turn()
            except Unavailable as error:
                await self._wait_for_store(error)

    async def _turn(self) -> None:
        """Do all that waits. Raises Unavailable; then what is not done waits on."""
        while self._acts or self._arrived or self._must_ask or self._ledger.stale or self._inbox.is_due():
            self._done(await self._ledger.refresh())
            if self._must_ask:
                self._must_ask = False
                self._done(self.desk.connected())
            while self._acts:
                await self._do(*self._acts.popleft())
            if self._arrived is not None or self._inbox.is_due():
                await self._batch()

    async def _do(self, do: Act, done: asyncio.Future[Outcome]) -> None:
        if done.cancelled():
            return
        try:
            outcome = await self._ledger.step(lambda desk: do(desk, wall_of(self._now())))
        except asyncio.CancelledError:
            _refuse(done, Unavailable("the desk has stopped"))
            raise
        except Exception as error:
            if do == self._due and not isinstance(error, Unavailable):
                LOG.exception("what is due could not be made final")
            _refuse(done, error)
            if isinstance(error, Unavailable):
                raise
            return
        self._done(outcome)
        if not done.cancelled():
            done.set_result(outcome)

    async def _batch(self) -> None:
        """Take what has come from boxes, at most so much as is stored in one go."""
        if self._arrived is None:
            self._arrived, self._came = self._inbox.take(self.desk)
        parts = self._arrived.parts
        outcome = await self._ledger.keep(parts) if parts else Outcome()
        arrived, self._arrived = self._arrived, None
        arrived.add(outcome)
        came, self._came = self._came, []
        arrived.sends += await _owed_by(self._ledger, came)
        self._done(arrived, is_news=True)

    def _done(self, outcome: Outcome, *, is_news: bool = False) -> None:
        """Tell boxes and pages of something that is durable. is_news: pages want to know of it, whatever it is."""
        if outcome.sends and self._sending is not None:
            self._sending.send(as_of(outcome.sends, self.desk.event, self._now()))
        if is_news or outcome.entries or outcome.changed or outcome.notes:
            self._news.changed(frozenset(outcome.changed))

    # Faults ----------------------------------------------------------------------------------------------------------

    async def _wait_for_store(self, error: Unavailable) -> None:
        """Try until the store answers; meanwhile the fault stands."""
        why: str | None = str(error)
        while why is not None:
            self._news.fault(STORE, why)
            self._refuse(Unavailable(why))
            await self._sleep(RETRY_S)
            why = await self._tried()
        self._news.fault(STORE, None)
        self._must_ask = True
        self._wake.set()

    async def _tried(self) -> str | None:
        """See whether the store answers now; None where it does."""
        try:
            await self._ledger.recover()
            self._done(await self._ledger.refresh())
        except Unavailable as error:
            return str(error)
        except (Malformed, Illegal) as error:
            return f"what is stored is not this event any more: {error}"
        return None

    def _refuse(self, error: Unavailable) -> None:
        while self._acts:
            _refuse(self._acts.popleft()[1], error)

    def _not_told(self, box: str, why: str) -> None:
        self.desk.note(f"{box} was not told something: {why}; it is asked how it stands")
        if self._sending is not None:
            self._sending.send([(box, Ask())])


async def _owed_by(ledger: Ledger, came: list[tuple[str, Here]]) -> list[tuple[str, ToBox]]:
    """Give the records that boxes which have just said how they stand should take over, and do not have."""
    sends: list[tuple[str, ToBox]] = []
    for box, here in came:
        for owed in owed_records(ledger.desk, box, here):
            record = await ledger.record(owed.box, owed.match)
            sends += [(box, part) for part in take_over(owed.round, owed.table, owed.match, record)]
    return sends


def _refuse(done: asyncio.Future[Outcome], error: Exception) -> None:
    """Tell whoever waits for an act that it is not done; nobody may wait any more."""
    if not done.done():
        done.set_exception(error)
        done.exception()
