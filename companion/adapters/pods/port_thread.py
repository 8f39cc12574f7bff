"""One thread for one port: reads, lets the pure `PodLink` decide, writes, and opens the port again when it has gone.

The thread exists because a port's bytes must be stamped when they come, however busy the event loop is: the bound of
the pod's clock is as wide as a round trip takes. It ends with `stop`. Shared with other threads, under the `_lock` of
`Orders`: the newest mark to be acknowledged, the lamps, the orders and the stop; a pipe wakes the thread for them.
`on_event` is called in this thread and must not block. Knows no button and no game.
"""

from __future__ import annotations

import os
import select
import threading
import time
from collections import deque
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.adapters.pods.ports import open_port
from companion.core.errors import Unavailable
from companion.core.pods.link import LinkEvent, LinkState, Met, Overrun, PodLink
from companion.core.timing.events import MS, SECOND
from companion.core.words.texts import text, texts
from companion.threads.watched import Watched

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    import serial

    from companion.core.pods.link import Mark
    from companion.core.timing.host_clocks import ClockReading

REOPEN_NS = SECOND // 2
STRANGE = text(
    "{port} says what no pod says: the pod's program may be missing (companion pods install), or another device is "
    "there"
)
SILENT = text(
    "{port} does not answer: the pod's program may be missing (companion pods install), or another device is there"
)
STRANGE_NS = 3 * SECOND
"""A port that has been open for so long and has not told who is there holds no pod."""
MOST_TRIES = 2
"""What was said and cannot be handed on is tried so often, in as many lives of the thread."""
NOISY_FRAMES = 10
"""So many dropped frames are said to be a noisy line; the next time at ten times as many."""


class Trouble(NamedTuple):
    """Something about the port that a person must know. is_lost: the pod cannot be reached."""

    text: str
    is_lost: bool


class Opened(NamedTuple):
    """The port is open; whoever is there is being called."""


PortEvent = LinkEvent | Trouble | Opened


class Wanted(NamedTuple):
    """What other threads want of a port's thread. mark: every edge before it is safe. lamps: lit, blinking. hello: call
    the pod anew."""

    mark: Mark | None = None
    lamps: tuple[int, int] | None = None
    hello: bool = False
    to_repl: bool = False
    stop: bool = False


class Orders:
    """The way from other threads into a port's thread, with a pipe that wakes it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._wanted = Wanted()
        self._wake_read, self._wake_write = os.pipe()
        os.set_blocking(self._wake_read, False)
        os.set_blocking(self._wake_write, False)

    def give(self, **wanted: Any) -> None:
        """Want something, in the place of what was wanted of that kind before (`Wanted`)."""
        with self._lock:
            self._wanted = self._wanted._replace(**wanted)
        if self._wake_write < 0:
            return
        try:
            os.write(self._wake_write, b".")
        except BlockingIOError:
            return  # full of wakes: it will

    def take(self) -> Wanted:
        """Give what is wanted, and forget all but the stop."""
        with self._lock:
            wanted, self._wanted = self._wanted, Wanted(stop=self._wanted.stop)
        return wanted

    def fileno(self) -> int:
        """Give the descriptor that becomes readable when something is wanted."""
        return self._wake_read

    def heard(self) -> None:
        """Let the descriptor sleep again."""
        os.read(self._wake_read, 4096)

    def close(self) -> None:
        """Close the pipe; may be called again."""
        if self._wake_read >= 0:
            os.close(self._wake_read)
            os.close(self._wake_write)
            self._wake_read = self._wake_write = -1


class Said:
    """What the pod has said and is not handed on yet: it outlives a fall of the thread."""

    def __init__(self) -> None:
        self._waiting: deque[PortEvent] = deque()
        self._tries = 0

    def add(self, events: Iterable[PortEvent]) -> None:
        """Have them handed on, in their order."""
        self._waiting += events

    def hand_on(self, take: Callable[[PortEvent], None]) -> None:
        """Hand on all; what cannot be, twice, is told as an edge that was lost. Raises what `take` raises."""
        while self._waiting:
            self._tries += 1
            take(self._waiting[0] if self._tries <= MOST_TRIES else Overrun(1))
            self._waiting.popleft()
            self._tries = 0


class LinkClock:
    """The host's clock for one link. now: CLOCK_MONOTONIC, ns. read: that beside the clock that nobody corrects."""

    def __init__(self, link: PodLink, now: Callable[[], int], read: Callable[[], ClockReading] | None) -> None:
        self.now = now
        self._link, self._read = link, read

    def noted(self) -> int:
        """Give the instant, and have the link see how the host's clocks run."""
        if self._read is None:
            return self.now()
        reading = self._read()
        self._link.note(reading)
        return reading.t_ns


class PortThread:
    """Talks with the pod at `path` until `stop`.

    clock: CLOCK_MONOTONIC, ns. read_clocks: that beside the clock that nobody corrects; None takes it to be the same.
    """

    def __init__(
        self,
        path: Path,
        on_event: Callable[[PortThread, PortEvent], None],
        *,
        link: PodLink | None = None,
        clock: Callable[[], int] = time.monotonic_ns,
        read_clocks: Callable[[], ClockReading] | None = None,
        open_port: Callable[[Path], serial.Serial] = open_port,
    ) -> None:
        self.path = path
        self.link = link or PodLink()
        """Of the thread; others may read its plain numbers, which may be a moment old."""
        self._on_event, self._open_port = on_event, open_port
        self._clock = LinkClock(self.link, clock, read_clocks)
        self._orders = Orders()
        self._thread = Watched(self._run, name=f"pod {path.name}")
        self._port: serial.Serial | None = None
        self._trouble = ""
        self._said = Said()
        self._opened_at_ns = 0
        self._noisy_at = NOISY_FRAMES

    def start(self) -> None:
        """Begin; the port is opened in the thread, what fails there comes as Trouble."""
        self._thread.start()

    def stop(self) -> None:
        """Tell the pod what was taken, close the port and wait for the thread's end; may be called again."""
        self._orders.give(stop=True)
        self._thread.join()
        self._orders.close()

    def acknowledge(self, mark: Mark) -> None:
        """Every edge before `mark` is safe."""
        self._orders.give(mark=mark)

    def ask_again(self) -> None:
        """Have the pod say once more who it is."""
        self._orders.give(hello=True)

    def lamps(self, lit: int, blinking: int) -> None:
        """Say which lamps are lit and which blink, bits by line."""
        self._orders.give(lamps=(lit, blinking))

    def to_repl(self) -> None:
        """Have the pod restart without its program, and stop: what was said after it would be typed at its prompt."""
        self._orders.give(to_repl=True, stop=True)
        self._thread.join()

    # -- the thread --------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        self._close()  # begun again: how far the talk had come is not known, and the pod has kept what was not taken
        self._said.hand_on(self._heard)
        while True:
            stopping = self._obey()
            if self._port is None and not stopping:
                self._try_to_open()
            if self._port is not None:
                self._turn()
            if stopping:
                self._close()
                return
            self._wait()

    def _obey(self) -> bool:
        """Take over what other threads have asked for; tell whether to stop."""
        wanted = self._orders.take()
        if wanted.mark is not None:
            self.link.acknowledge(wanted.mark)
        if wanted.lamps is not None:
            self.link.lamps(*wanted.lamps)
        if wanted.hello and self._port is not None:
            self.link.reconnect(self._clock.noted())
        if wanted.to_repl:
            self.link.to_repl()
        return wanted.stop

    def _try_to_open(self) -> None:
        try:
            self._port = self._open_port(self.path)
        except Unavailable as error:
            self._tell(str(error), is_lost=True)
            return
        self._opened_at_ns = self._clock.now()
        self.link.reconnect(self._opened_at_ns)
        self._on_event(self, Opened())

    def _turn(self) -> None:
        """Read, think, write; a port that fails is closed and opened again later."""
        try:
            data = self._port.read(4096) if self._port is not None else b""
            now_ns = self._clock.noted()
            self._said.add(self.link.receive(data, now_ns))
            self._said.add(self.link.advance(now_ns))
            self._said.hand_on(self._heard)
            self._judge_the_line(now_ns)
            if (out := self.link.send(self._clock.noted())) and self._port is not None:
                self._port.write(out)
        except (OSError, TypeError) as error:  # pyserial raises TypeError where the port was closed under it
            self._close()
            self._tell(text("{port} has gone: {why}").format(port=self.path, why=_reason(error)), is_lost=True)

    def _heard(self, event: PortEvent) -> None:
        if isinstance(event, Met):
            self._trouble = ""
        self._on_event(self, event)

    def _judge_the_line(self, now_ns: int) -> None:
        if self.link.state is LinkState.CALLING and now_ns - self._opened_at_ns > STRANGE_NS:
            says = STRANGE if self.link.dropped_frames else SILENT
            self._tell(says.format(port=self.path), is_lost=True)
        if self.link.state.is_talking and self.link.dropped_frames >= self._noisy_at:
            self._noisy_at *= 10
            says = texts(
                "{port}: {count} frame was garbled; all was sent again. Try another cable",
                "{port}: {count} frames were garbled; all was sent again. Try another cable",
                self.link.dropped_frames,
                port=self.path,
            )
            self._on_event(self, Trouble(says, is_lost=False))

    def _tell(self, says: str, *, is_lost: bool) -> None:
        """Say a trouble once, until another takes its place or the pod answers."""
        if says != self._trouble:
            self._trouble = says
            self._on_event(self, Trouble(says, is_lost))

    def _wait(self) -> None:
        """Sleep until bytes come, somebody wakes the thread, or the link has something to do."""
        now_ns = self._clock.now()
        deadline_ns = now_ns + REOPEN_NS
        descriptors = [self._orders.fileno()]
        if self._port is not None:
            descriptors.append(self._port.fileno())
            deadline_ns = min(self.link.next_deadline() or deadline_ns, deadline_ns)
        try:
            ready, _, _ = select.select(descriptors, [], [], max(deadline_ns - now_ns, MS // 5) / SECOND)
        except (OSError, ValueError):
            self._close()
            return
        if self._orders.fileno() in ready:
            self._orders.heard()

    def _close(self) -> None:
        port, self._port = self._port, None
        if port is not None:
            try:
                port.close()
            except OSError:
                return


def _reason(error: Exception) -> str:
    return str(getattr(error, "strerror", None) or error)
