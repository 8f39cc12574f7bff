"""A button source with no hardware: whoever has a keyboard, a script or a test says when a line changes.

Knows no key, no terminal and no script language. Edges may be announced ahead of time (a release, a whole script); they
are given out when the injected clock has reached them, with exactly the time they were announced with.

One thread of its own ("simulated panel"): it sleeps until the next announced edge and then makes `fileno()` readable.
It shares the queue, the levels and the pipe with the callers, all under one lock.
"""

from __future__ import annotations

import heapq
import os
import threading
from typing import TYPE_CHECKING

from companion.core.errors import Malformed
from companion.core.timing.events import MS, SECOND, Edge, Levels, Turned
from companion.threads.watched import Watched

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from companion.core.timing.events import SourceEvent

DEFAULT_ERROR_NS = 20_000
"""As little as a real button on a GPIO line: a script's times are exact, and a demonstration should look like a box."""
HOLD_NS = 80 * MS
"""How long a press lasts where nobody says."""


_Entry = tuple[int, int, Edge | Turned]
"""An announced event with its time and its running number: the heap's order."""


class SimulatedSource:
    """The `ButtonSource` of the simulated panel."""

    name = "simulated panel"
    remark: str | None = None
    certificate: str | None = None
    is_gone = False
    given_until_ns: int | None = None
    """`read` gives all that is due."""
    delay_ns = 20 * MS
    """The thread wakes within its scheduler's granularity; this is generous on a busy machine."""

    def __init__(self, clock: Callable[[], int], lines: Iterable[str], error_ns: int = DEFAULT_ERROR_NS) -> None:
        self.error_ns = error_ns
        self._clock = clock
        self._lines = frozenset(lines)
        self._lock = threading.Condition()
        self._queue: list[_Entry] = []
        self._announced = 0
        self._active: set[str] = set()
        self._greeting: Levels | None = None
        self._pipe: tuple[int, int] | None = None
        self._thread: Watched | None = None

    def open(self) -> None:
        """Start; edges announced for before now only set the levels that the first `Levels` tells."""
        with self._lock:
            if self._pipe is not None:
                return
            now_ns = self._clock()
            for event in self._take(now_ns):
                self._follow(event)
            self._greeting = Levels(frozenset(self._active), self._lines, now_ns)
            self._pipe = os.pipe()
            for end in self._pipe:
                os.set_blocking(end, False)
        self._thread = Watched(self._watch, name=self.name)
        self._thread.start()

    def fileno(self) -> int:
        """Give the descriptor that is readable when `read` has something; Malformed before `open`."""
        if self._pipe is None:
            raise Malformed(f"{self.name} is not open: call open() first")
        return self._pipe[0]

    def read(self) -> list[SourceEvent]:
        """Give what is due by the clock, in the order of time."""
        with self._lock:
            if self._pipe is None:
                return []
            self._drain(self._pipe[0])
            events: list[SourceEvent] = []
            if self._greeting is not None:
                events.append(self._greeting)
                self._greeting = None
            for event in self._take(self._clock()):
                self._follow(event)
                events.append(event)
            self._lock.notify_all()
        return events

    def check(self) -> None:
        """Nothing can be missed: every edge was announced here."""

    def close(self) -> None:
        """Stop the thread; announced edges stay announced."""
        with self._lock:
            pipe, self._pipe = self._pipe, None
            self._lock.notify_all()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        for end in pipe or ():
            os.close(end)

    def edge(self, label: str, active: bool, t_ns: int, error_ns: int | None = None) -> None:
        """Announce that line `label` changes at `t_ns`, past or future. Raises Malformed for an unknown line."""
        with self._lock:
            self._announce(self._edge(label, active, t_ns, error_ns))

    def press(self, label: str, t_ns: int, hold_ns: int = HOLD_NS, error_ns: int | None = None) -> None:
        """Announce a press and its release; while the line is still down (a key's autorepeat) hold it longer."""
        with self._lock:
            release = self._pending_release(label, t_ns)
            if release is not None:
                self._queue.remove(release)
                heapq.heapify(self._queue)
                later_ns = max(release[0], t_ns + hold_ns)
                self._announce(self._edge(label, False, later_ns, error_ns))
                return
            self._announce(self._edge(label, True, t_ns, error_ns))
            self._announce(self._edge(label, False, t_ns + hold_ns, error_ns))

    def turn(self, steps: int, t_ns: int) -> None:
        """Announce that the knob turns by `steps` detents, clockwise positive."""
        with self._lock:
            self._announce(Turned(steps, t_ns))

    def feed(self, events: Iterable[Edge | Turned], t0_ns: int) -> None:
        """Announce all of a script: its times count from `t0_ns`, its errors stand."""
        with self._lock:
            shifted = [event._replace(t_ns=t0_ns + event.t_ns) for event in events]
            for event in shifted:
                if isinstance(event, Edge):
                    self._edge(event.line, event.active, event.t_ns, event.error_ns)  # refuse all or nothing
            for event in shifted:
                self._announce(event)

    def _edge(self, label: str, active: bool, t_ns: int, error_ns: int | None) -> Edge:
        if label not in self._lines:
            raise Malformed(f"{self.name} has no line {label!r}; there are: {', '.join(sorted(self._lines))}")
        return Edge(label, active, t_ns, self.error_ns if error_ns is None else error_ns)

    def _pending_release(self, label: str, t_ns: int) -> _Entry | None:
        """The release that is still to come of a press that began at or before `t_ns`."""
        releases = [entry for entry in self._queue if _is(entry, label, False) and entry[0] >= t_ns]
        begun = any(_is(entry, label, True) and entry[0] <= t_ns for entry in self._queue)
        return min(releases) if releases and (begun or label in self._active) else None

    def _announce(self, event: Edge | Turned) -> None:
        self._announced += 1  # equal times: in the order they were announced
        heapq.heappush(self._queue, (event.t_ns, self._announced, event))
        self._lock.notify_all()

    def _take(self, now_ns: int) -> list[Edge | Turned]:
        due = []
        while self._queue and self._queue[0][0] <= now_ns:
            due.append(heapq.heappop(self._queue)[2])
        return due

    def _follow(self, event: Edge | Turned) -> None:
        if isinstance(event, Edge):
            (self._active.add if event.active else self._active.discard)(event.line)

    @staticmethod
    def _drain(descriptor: int) -> None:
        try:
            os.read(descriptor, 4096)
        except BlockingIOError:
            return

    def _watch(self) -> None:
        """The thread: make the pipe readable once for each time that something has become due."""
        with self._lock:
            while self._pipe is not None:
                wait_ns = self._until_due_ns()
                if wait_ns == 0:
                    self._poke(self._pipe[1])
                    self._lock.wait()  # until read() has taken it, or more was announced
                else:
                    self._lock.wait(None if wait_ns is None else wait_ns / SECOND)

    def _until_due_ns(self) -> int | None:
        if self._greeting is not None:
            return 0
        return max(0, self._queue[0][0] - self._clock()) if self._queue else None

    @staticmethod
    def _poke(descriptor: int) -> None:
        try:
            os.write(descriptor, b".")
        except BlockingIOError:
            return  # full of pokes: readable already


def _is(entry: _Entry, label: str, active: bool) -> bool:
    event = entry[2]
    return isinstance(event, Edge) and event.line == label and event.active == active
