"""The thread of an event ("event"): pushes what the journal has stored, and takes what the desk says.

It has an event loop of its own, in which the link to the broker lives. What crosses over to it (how many lines are
stored, what is shown, which match is at the table) is put under a lock and waits until it looks; only the newest of
each counts, so that nobody who hands something over ever waits for it. What it wants of the box crosses the other way
by `AtBox`, which does it in the box's own loop. Before each piece of work it gives way to refereeing.

It may die at any point and begin again: the state machine, what is kept and what waits lie outside of it.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from companion.core.errors import CompanionError, Malformed, Unavailable
from companion.core.timing.events import MS, SECOND
from companion.screens.everybody.public import public_scene
from companion.screens.text.scene_lines import lines as scene_lines
from companion.threads.watched import Watched
from companion.tournament.box.effects import Keep, Publish, Tell
from companion.tournament.box.showing import race_of, scores_of
from companion.tournament.wire import Shown, State, read_down, state_topic, write_message

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.app.event.keeping import KeptFile
    from companion.app.event.records import EventRecords, More
    from companion.core.match.match import Match
    from companion.core.panel import Colour
    from companion.core.play.health import EventStatus
    from companion.core.shown.scene import Scene
    from companion.ports import EventLink
    from companion.tournament.box.effects import Effect
    from companion.tournament.box.machine import BoxInEvent

LOG = logging.getLogger("companion")
SHOWN_APART_NS = 50 * MS
"""What is shown goes to the desk at most so often; only the newest counts."""
LOOK_S = 10.0
"""It looks at least so often, whatever nobody says."""
LEAVE_S = 1.0
"""So long a stop waits for the broker to hear that the box goes."""
END_S = 8.0
NOT_YET = "not tried yet"


class Hears(NamedTuple):
    """What a link tells, in the event loop of its thread; none of it blocks. lost: says why there is no connection."""

    connected: Callable[[], None]
    message: Callable[[str, bytes], None]
    lost: Callable[[str], None]


class MakeLink(Protocol):
    """Makes a link to the event's broker that subscribes to what the box is told. will: topic and payload, retained."""

    def __call__(self, hears: Hears, will: tuple[str, bytes]) -> EventLink:
        """Give it, not running. Raises Unavailable, Malformed: what it needs is not there."""


class Box(Protocol):
    """What an event wants of the box; every method returns at once."""

    def do(self, effect: Effect) -> None:
        """Have it done in the box's own loop."""

    def tell(self, status: EventStatus) -> None:
        """Take how the box stands at the event."""


class OnTable(NamedTuple):
    """What is shown of the event's match that is at the table. lines: stored. seats: in the order of the setup."""

    match: str
    lines: int
    scene: Scene
    is_over: bool
    seats: tuple[Colour, ...]

    @classmethod
    def of(cls, match: Match, scene: Scene) -> OnTable:
        """Give it of a match, and what is shown of that."""
        seats = tuple(seat.colour for seat in match.setup.seats)
        return cls(match.setup.match, match.durable_lines, scene, match.is_over, seats)


class Waiting:
    """What crosses over to the thread, from any other: the newest of each, until it is fetched."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._durable: dict[int, int] = {}
        self._table: OnTable | None = None
        self._is_news = False
        self.wake: Callable[[], None] = _nobody
        """Has the thread look; returns at once, from any thread."""

    def durable(self, match_id: int, count: int) -> None:
        """The first lines of a match are stored, by the journal's number of it."""
        with self._lock:
            self._durable[match_id] = max(count, self._durable.get(match_id, 0))
        self.wake()

    def table(self, shown: OnTable | None) -> None:
        """This match of the event is at the table, None: none."""
        with self._lock:
            self._table, self._is_news = shown, True
        self.wake()

    def fetch_durable(self) -> dict[int, int]:
        """Give what has been stored since the last call."""
        with self._lock:
            found, self._durable = self._durable, {}
        return found

    def fetch_table(self) -> tuple[bool, OnTable | None]:
        """Tell whether something new is at the table, and give it."""
        with self._lock:
            is_news, self._is_news = self._is_news, False
            return is_news, self._table


class EventThread:
    """Runs a box's state machine of an event. clock: CLOCK_MONOTONIC in ns. give_way: waits while a press is due."""

    def __init__(
        self,
        machine: BoxInEvent,
        kept: KeptFile,
        records: EventRecords,
        box: Box,
        make_link: MakeLink,
        *,
        clock: Callable[[], int],
        give_way: Callable[[], None] = lambda: None,
    ) -> None:
        self.waiting = Waiting()
        self._machine, self._kept, self._records, self._box = machine, kept, records, box
        self._make_link, self._clock, self._give_way = make_link, clock, give_way
        self._why = NOT_YET
        self._shown_ns: int | None = None
        self._is_ending = False
        self._thread = Watched(lambda: asyncio.run(self._live()), name="event")

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """Say that the box goes, where somebody hears it, and end."""
        self._is_ending = True
        self.waiting.wake()
        self._thread.join(END_S)

    # -- in the thread -----------------------------------------------------------------------------------------------

    async def _live(self) -> None:
        woken, loop = asyncio.Event(), asyncio.get_running_loop()

        def wake() -> None:
            with suppress(RuntimeError):  # the loop has ended: who begins anew looks first
                loop.call_soon_threadsafe(woken.set)

        self._machine.lost()
        link: EventLink | None = None
        running: asyncio.Task[None] | None = None
        publishing: set[asyncio.Task[None]] = set()
        self.waiting.wake = wake
        try:
            while not self._is_ending:
                woken.clear()
                if running is None and (link := self._link(woken)) is not None:
                    running = asyncio.create_task(link.run())
                self._give_way()
                self._look()
                self._do(link, publishing)
                await _wait(woken, running, self._until_s())
            await self._leave(link)
        finally:
            self.waiting.wake = _nobody
            await _cancel([*([] if running is None else [running]), *publishing])
            self._kept.write(self._clock(), is_last=True)

    def _link(self, woken: asyncio.Event) -> EventLink | None:
        """Make the link; None where what it needs is not there, which is said."""
        machine, event, box = self._machine, self._machine.who.event, self._machine.who.box

        def connected() -> None:
            machine.connected(self._clock())
            woken.set()

        def message(topic: str, payload: bytes) -> None:
            try:
                machine.hear(read_down(topic, payload), self._clock())
            except Malformed as error:
                LOG.warning("%s", error)
            woken.set()

        def lost(why: str) -> None:
            self._lost(why)
            woken.set()

        gone = (state_topic(event, box), write_message(State(is_there=False)))
        try:
            return self._make_link(Hears(connected, message, lost), gone)
        except CompanionError as error:
            self._lost(str(error))  # and nobody is woken: it is tried again when something comes, or in a while
            return None

    def _lost(self, why: str) -> None:
        if why != self._why:
            LOG.info("the event's broker: %s", why)
        self._why = why
        self._machine.lost()

    def _look(self) -> None:
        """Take what waits, and let time pass."""
        now_ns = self._clock()
        for more in self._records.stored():
            self._grow(more, now_ns)
        for more in self._records.grown(self.waiting.fetch_durable()):
            self._grow(more, now_ns)
        self._show(now_ns)
        self._machine.advance(now_ns)

    def _grow(self, more: More, now_ns: int) -> None:
        self._machine.grew(more.match, more.lines, now_ns)
        sit = self._machine.kept.sit
        is_of_sit = sit is not None and (sit.round, sit.table, sit.sheet) == more.place
        if is_of_sit and more.has_end:
            self._machine.ended()

    def _show(self, now_ns: int) -> None:
        """Have the live tables see what is at the table, where enough time has passed since the last."""
        if self._shown_ns is not None and now_ns < self._shown_ns + SHOWN_APART_NS:
            return
        is_news, table = self.waiting.fetch_table()
        if not is_news:
            return
        self._machine.plays(None if table is None else table.match)
        if table is None:
            return
        self._shown_ns = now_ns
        self._machine.shows(shown_of(table))

    def _do(self, link: EventLink | None, publishing: set[asyncio.Task[None]]) -> None:
        """Do what the machine wants, in its order."""
        for effect in self._machine.take():
            if isinstance(effect, Publish):
                if link is not None:
                    task = asyncio.create_task(_publish(link, effect))
                    publishing.add(task)
                    task.add_done_callback(publishing.discard)
            elif isinstance(effect, Keep):
                self._kept.kept = self._machine.kept
            elif isinstance(effect, Tell):
                LOG.warning("%s", effect.text)
            else:
                self._box.do(effect)
        self._kept.write(self._clock())
        self._box.tell(self._machine.status(self._why))

    def _until_s(self) -> float:
        """Give how long there is nothing to do by itself."""
        now_ns, due = self._clock(), [self._machine.next_deadline(), self._kept.due_ns()]
        if self._shown_ns is not None and self._shown_ns + SHOWN_APART_NS > now_ns:
            due.append(self._shown_ns + SHOWN_APART_NS)
        return min([LOOK_S, *(max(0, one - now_ns) / SECOND for one in due if one is not None)])

    async def _leave(self, link: EventLink | None) -> None:
        """Say that the box goes; nobody need hear it, as the broker's will says the same."""
        if link is None or not self._machine.is_connected:
            return
        who = self._machine.who
        gone = write_message(State(is_there=False))
        with suppress(Unavailable, TimeoutError):
            await asyncio.wait_for(link.publish(state_topic(who.event, who.box), gone, retain=True), LEAVE_S)


def shown_of(table: OnTable) -> Shown:
    """Give what the desk is told of what is at the table: nothing that only a seat may see."""
    scene = public_scene(table.scene)
    return Shown(
        match=table.match, lines=table.lines, rows=tuple(map(str, scene_lines(scene))), is_over=table.is_over,
        race=race_of(scene, table.seats), scores=scores_of(scene, table.seats),
    )  # fmt: skip


async def _publish(link: EventLink, wanted: Publish) -> None:
    """Send; what did not arrive is sent again once there is a connection, or the desk is silent for too long."""
    try:
        await link.publish(wanted.topic, wanted.payload, retain=wanted.retain)
    except Unavailable as error:
        LOG.debug("%s", error)
    except Malformed as error:
        LOG.warning("%s", error)


async def _wait(woken: asyncio.Event, running: asyncio.Task[None] | None, seconds: float) -> None:
    """Wait until there is something to do. Raises what has ended the link."""
    waking = asyncio.create_task(woken.wait())
    waited: set[asyncio.Task[Any]] = {waking} if running is None else {waking, running}
    try:
        await asyncio.wait(waited, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    finally:
        waking.cancel()
    if running is not None and running.done():
        running.result()
        raise Unavailable("the link to the event's broker has ended by itself")


async def _cancel(tasks: list[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _nobody() -> None:
    """Take the place of whoever wakes the thread while there is none."""
