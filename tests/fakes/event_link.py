"""A link to an event's broker without a broker, and a desk behind it that keeps what it gets: for tests of a box.

The way can be cut and mended from the test's own thread. The desk stores each line once by its number, answers as a
desk does, and keeps everything else that it was told.
"""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING

from companion.core.errors import Unavailable
from companion.tournament.wire import (
    Here,
    NotEnrolled,
    RecordPart,
    Shown,
    State,
    ToBox,
    down_topic,
    read_up,
    write_message,
)
from tests.tournament.box.modelled import ModelDesk

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.app.event.thread import Hears
    from companion.ports import EventLink

EVENT, BOX = "open", "box-7"
PATIENCE_S = 60.0


class FakeDesk:
    """A desk, and the broker before it. sent: every line's number that came, with its match, in order."""

    def __init__(self) -> None:
        self.model = ModelDesk()
        self.sent: list[tuple[str, int]] = []
        self.here: list[Here] = []
        self.shown: list[Shown] = []
        self.states: list[State] = []
        self.will: tuple[str, bytes] | None = None
        self.is_up = True
        self.refuses = ""
        self._changed = threading.Condition()
        self._link: FakeLink | None = None

    # -- what the box gets -------------------------------------------------------------------------------------------

    def make_link(self, hears: Hears, will: tuple[str, bytes]) -> EventLink:
        self.will = will
        return FakeLink(self, hears)

    def take(self, topic: str, payload: bytes) -> list[ToBox]:
        """Take what a box sends, in its thread; give what it is told at once."""
        message = read_up(topic, payload).message
        with self._changed:
            if isinstance(message, RecordPart):
                self.sent.append((message.match, message.number))
            elif isinstance(message, Here):
                self.here.append(message)
            elif isinstance(message, Shown):
                self.shown.append(message)
            else:
                self.states.append(message)
            if self.refuses and isinstance(message, Here):
                told: list[ToBox] = [NotEnrolled(why=self.refuses)]
            else:
                if not isinstance(message, State):
                    self.model.take(topic, payload)
                told = list(self.model.told)
                self.model.told.clear()
            self._changed.notify_all()
        return told

    def linked(self, link: FakeLink | None) -> None:
        with self._changed:
            self._link = link
            self._changed.notify_all()

    # -- what a test does --------------------------------------------------------------------------------------------

    def say(self, message: ToBox) -> None:
        """Tell the box something, once it is connected."""
        self.until(lambda: self._link is not None and self._link.is_connected)
        assert self._link is not None
        self._link.deliver(message)

    def cut(self) -> None:
        """The way to the broker is lost."""
        self.is_up = False
        if self._link is not None:
            self._link.look()

    def mend(self) -> None:
        """The broker can be reached again."""
        self.is_up = True
        if self._link is not None:
            self._link.look()

    def record(self, match: str) -> list[bytes]:
        with self._changed:
            return self.model.record(match)

    def matches(self) -> list[str]:
        with self._changed:
            return list(self.model.stored)

    def until(self, condition: Callable[[], bool]) -> None:
        """Wait until something holds of what this desk was told."""
        with self._changed:
            assert self._changed.wait_for(condition, PATIENCE_S)


class FakeLink:
    def __init__(self, desk: FakeDesk, hears: Hears) -> None:
        self._desk, self._hears = desk, hears
        self.is_connected = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self.breaks: str = ""

    async def run(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._desk.linked(self)
        self._look()
        try:
            await asyncio.Event().wait()
        finally:
            self.is_connected, self._loop = False, None
            self._desk.linked(None)

    async def publish(self, topic: str, payload: bytes, *, retain: bool = False) -> None:
        if not self.is_connected:
            raise Unavailable("there is no connection")
        told = self._desk.take(topic, payload)
        await asyncio.sleep(0)
        for message in told:
            self._hear(message)

    def deliver(self, message: ToBox) -> None:
        assert self._loop is not None
        self._loop.call_soon_threadsafe(self._hear, message)

    def look(self) -> None:
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._look)

    def _hear(self, message: ToBox) -> None:
        if self.is_connected:
            self._hears.message(down_topic(EVENT, BOX), write_message(message))

    def _look(self) -> None:
        if self._desk.is_up and not self.is_connected:
            self.is_connected = True
            self._hears.connected()
        elif not self._desk.is_up:
            self.is_connected = False
            self._hears.lost("the port is closed")
        with self._desk._changed:
            self._desk._changed.notify_all()
