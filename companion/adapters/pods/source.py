"""All button pods as one `ButtonSource`: their edges, on the host's clock, under the labels that they are assigned to.

Threads: one a port (`port_thread`), which puts what it has into one queue, under `_lock`; an eventfd makes `fileno()`
readable. `read` is the event loop's and takes the queue. A pod that comes late or comes back is taken in without a new
`open`; `check` looks for ports that have been plugged in. Knows no game.

A pod keeps each edge until it is told to forget it. Whoever only looks on has it forget what was read. A box has it
keep what could be lost yet (`wait_until_safe`, `acknowledge`), so that a press outlives the end of its program.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from typing import TYPE_CHECKING

from companion.adapters.pods.interpreter import NAME, Assigned, Interpreter, Queued
from companion.adapters.pods.outstanding import Counted
from companion.adapters.pods.port_thread import PortThread, Trouble
from companion.adapters.pods.ports import find_pods, open_port
from companion.core.errors import Unavailable
from companion.core.panel import label_of
from companion.core.pods.link import PodLink, Refused
from companion.core.timing.events import MS, Edge, Levels, SourceFault

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    import serial

    from companion.adapters.pods.outstanding import Outstanding
    from companion.adapters.pods.port_thread import PortEvent
    from companion.core.pods.messages import Identity
    from companion.core.timing.certificate import Certified
    from companion.core.timing.events import Origin, SourceEvent
    from companion.core.timing.host_clocks import ClockReading

OPEN_PATIENCE_S = 4.0
"""How long `open` waits for the pods that are plugged in to tell who they are and what they have kept."""


class PodsSource:
    """A `ButtonSource` of all pods.

    pods: by unique id in hexadecimal. ports: named ones; None finds pods by their USB identity. is_required: `open`
    raises where no pod can be reached; else play begins without, and a pod is taken in when it comes. limit_ns: a pod
    whose bound is wider is flagged. edge_error_ns: the uncertainty of a pod's own stamp. certified: what a certificate
    adds to it. clock, read_clocks: as of `PortThread`. on_alarm: told, from any thread, under a key what is wrong, and
    None when that is well again.
    """

    name = NAME
    remark = None
    is_gone = False

    def __init__(
        self,
        pods: Mapping[str, Assigned],
        *,
        ports: Iterable[Path] | None = None,
        is_required: bool = False,
        delay_ns: int = 60 * MS,
        edge_error_ns: int = 100_000,
        certified: Certified | None = None,
        limit_ns: int = 2 * MS,
        clock: Callable[[], int] = time.monotonic_ns,
        read_clocks: Callable[[], ClockReading] | None = None,
        open_port: Callable[[Path], serial.Serial] = open_port,
        find: Callable[[], list[Path]] = find_pods,
        on_alarm: Callable[[str, str | None], None] | None = None,
    ) -> None:
        self.delay_ns = delay_ns
        """A pod's loop, its USB's polls and this machine's threads; a frame that must be sent again takes longer, and
        the arbiter then says so."""
        self.certificate = certified.sha256 if certified is not None else None
        edge_error_ns += certified.added_ns if certified is not None else 0
        self.error_ns = edge_error_ns
        """Of the newest edge: the bound of the pod's clock and the pod's own uncertainty."""
        self.on_alarm = on_alarm
        self._is_required, self._clock = is_required, clock
        self._interpreter = Interpreter(pods, clock, self._alarm)
        named = None if ports is None else list(ports)
        self._find = find if named is None else lambda: named

        def talk(path: Path) -> PortThread:
            link = PodLink(edge_error_ns=edge_error_ns, limit_ns=limit_ns, passed=self._passed_by)
            return PortThread(path, self._take, link=link, clock=clock, read_clocks=read_clocks, open_port=open_port)

        self._talk = talk
        self._lock = threading.Condition()
        self._queue: list[Queued] = []
        self._greeted: dict[PortThread, bool] = {}  # by port: whether it has said all, or cannot
        self._is_greeting = False
        self._ready = -1
        self._free_ns: dict[PortThread, int] = {}  # by port: when nothing waited for its pod's clock
        self._passed: tuple[Origin, ...] | None = None  # None: what is read is safe

    def wait_until_safe(self, passed: Iterable[Origin]) -> None:
        """Have pods keep their edges until `acknowledge` says that they are safe. To be called before `open`.

        passed: up to where an earlier run has taken edges for good, by line: they come again, and are not given.
        """
        self._passed = tuple(passed)

    def acknowledge(self, device: str, start: int, number: int) -> None:
        """Every edge before this number of that boot of the pod is safe."""
        with self._lock:
            for port, outstanding in self._interpreter.outstanding_of(Counted(device, start)):
                outstanding.safe(number)
                _let_forget(port, outstanding)

    def _passed_by(self, identity: Identity) -> dict[int, Origin]:
        """Give the newest edge of each line of a pod that an earlier run has taken for good."""
        counted = (identity.unique_id.hex(), identity.boot)
        return {origin.line: origin for origin in self._passed or () if (origin.device, origin.start) == counted}

    def open(self) -> None:
        """Open the ports and wait until the pods have told their levels.

        Raises:
            Unavailable: open already; or, where pods are required, none can be reached (the reason of each port).
        """
        if self._ready >= 0:
            raise Unavailable("the pods' ports are already open: close them first")
        self._ready = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._is_greeting = True
        self._look_for_ports()
        with self._lock:
            self._lock.wait_for(lambda: all(self._greeted.values()), OPEN_PATIENCE_S)
            has_pod = any(self._interpreter.assigned.values())
            reasons = list(self._interpreter.told.values())
        if self._is_required and not has_pod:
            self.close()
            nothing = "no pod is plugged in (looked under /dev/serial/by-id)"
            raise Unavailable("; ".join(reasons) or nothing)
        with self._lock:
            self._is_greeting = False
            self._queue = _greeting(self._queue, self._clock())
            self._signal()

    def fileno(self) -> int:
        """Give the descriptor to watch. Raises Unavailable while closed."""
        if self._ready < 0:
            raise Unavailable("the pods' ports are not open: open them first")
        return self._ready

    @property
    def given_until_ns(self) -> int | None:
        """What waits for a pod's clock came after the last reading at which nothing did, and was no older than edges
        may be; None where nothing waits."""
        waiting = [self._free_ns.get(thread) for thread in self._greeted if thread.link.is_holding]
        return min((free_ns - self.delay_ns for free_ns in waiting if free_ns is not None), default=None)

    def read(self) -> list[SourceEvent]:
        """Give what has happened since the last call, sorted by time; nothing while closed."""
        if self._ready < 0:
            return []
        now_ns = self._clock()
        self._free_ns |= {thread: now_ns for thread in self._greeted if not thread.link.is_holding}
        with self._lock:
            with contextlib.suppress(BlockingIOError):
                os.eventfd_read(self._ready)
            queued, self._queue = self._queue, []
            if self._passed is None:
                self._forget_read({entry.port for entry in queued if entry.port is not None})
        events = sorted((entry.event for entry in queued), key=lambda event: event.t_ns)
        for event in events:
            if isinstance(event, Edge):
                self.error_ns = event.error_ns
        return events

    def _forget_read(self, ports: Iterable[PortThread]) -> None:
        for port in ports:
            if (outstanding := self._interpreter.outstanding.get(port)) is not None:
                outstanding.all_safe()
                _let_forget(port, outstanding)

    def check(self) -> None:
        """Look for pods that have been plugged in. To be called about once a second."""
        if self._ready >= 0:
            self._look_for_ports()

    def close(self) -> None:
        """Tell the pods what was taken and let go of the ports; may be called again."""
        for thread in self._greeted:
            thread.stop()
        with self._lock:
            self._queue = []
            self._greeted.clear()
            self._free_ns.clear()
            self._interpreter.forget()
            ready, self._ready = self._ready, -1
        if ready >= 0:
            os.close(ready)

    def show_lamps(self, lit: Iterable[str], blinking: Iterable[str] = ()) -> None:
        """Light the lamps of these buttons, have those of others blink; from any thread."""
        lit, blinking = frozenset(lit), frozenset(blinking)
        with self._lock:
            threads = list(self._greeted)
        for thread in threads:
            pod = self._interpreter.assigned.get(thread)
            if pod is not None:
                thread.lamps(_bits(pod.labels, lit | blinking), _bits(pod.labels, blinking))

    def bounds_ns(self) -> dict[str, int]:
        """Give the error that an edge of now would carry, by the pod's name; without those whose clock is not known."""
        return self._interpreter.bounds_ns()

    # -- ports -------------------------------------------------------------------------------------------------------

    def _look_for_ports(self) -> None:
        known = {thread.path for thread in self._greeted}
        for path in self._find():
            if path not in known:
                thread = self._talk(path)
                with self._lock:
                    self._greeted[thread] = False
                thread.start()

    # -- in the ports' threads ---------------------------------------------------------------------------------------

    def _take(self, port: PortThread, event: PortEvent) -> None:
        with self._lock:
            for queued in self._interpreter.translate(port, event):
                self._queue.append(queued)
            if not self._greeted.get(port, True) and (port.link.is_settled or self._cannot_come(event)):
                self._greeted[port] = True
                self._lock.notify_all()
            if self._queue and not self._is_greeting and self._ready >= 0:
                self._signal()

    def _alarm(self, key: str, text: str | None) -> None:
        if self.on_alarm is not None:
            self.on_alarm(key, text)

    def _signal(self) -> None:
        os.eventfd_write(self._ready, 1)

    @staticmethod
    def _cannot_come(event: PortEvent) -> bool:
        return isinstance(event, Refused) or (isinstance(event, Trouble) and event.is_lost)


def _let_forget(port: PortThread, outstanding: Outstanding) -> None:
    if (mark := outstanding.mark()) is not None:
        port.acknowledge(mark)


def _bits(lines: tuple[str | None, ...], chosen: frozenset[str]) -> int:
    return sum(1 << bit for bit, line in enumerate(lines) if line is not None and label_of(line) in chosen)


def _greeting(queued: list[Queued], now_ns: int) -> list[Queued]:
    """Put the levels that the pods told first into one, before the earliest edge: those that are on their way, too."""
    first: dict[str, bool] = {}
    rest: list[Queued] = []
    for entry in queued:
        if isinstance(entry.event, Levels) and not entry.event.known & first.keys():
            first |= {label: label in entry.event.active for label in entry.event.known}
        else:
            rest.append(entry)
    edges_ns = [entry.event.t_ns - 1 for entry in rest if isinstance(entry.event, Edge)]
    told_ns = [entry.event.t_ns for entry in queued if isinstance(entry.event, Levels)]
    active = frozenset(label for label, is_active in first.items() if is_active)
    levels = Levels(active, frozenset(first), min([now_ns, *edges_ns, *told_ns]))
    faults = [entry._replace(event=entry.event._replace(t_ns=max(entry.event.t_ns, levels.t_ns)))
              for entry in rest if isinstance(entry.event, SourceFault)]  # fmt: skip
    others = [entry for entry in rest if not isinstance(entry.event, SourceFault)]
    return [Queued(levels), *faults, *others]
