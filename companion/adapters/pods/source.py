"""All button pods as one `ButtonSource`: their edges, on the host's clock, under the labels that they are assigned to.

Threads: one a port (`port_thread`), which puts what it has into one queue, under `_lock`; an eventfd makes `fileno()`
readable. `read` is the event loop's: it takes the queue and says which edges the pods may forget. A pod that comes late
or comes back is taken in without a new `open`; `check` looks for ports that have been plugged in. Knows no game.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from companion.adapters.pods.port_thread import PortThread, Trouble
from companion.adapters.pods.ports import find_pods, open_port
from companion.core.errors import Unavailable
from companion.core.panel import label_of
from companion.core.pods.link import Bound, LineEdge, LineLevels, Mark, Met, Overrun, PodLink, Refused, Silent
from companion.core.timing.events import MS, Edge, Levels, SourceFault

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    import serial

    from companion.adapters.pods.port_thread import PortEvent
    from companion.core.timing.events import SourceEvent

OPEN_PATIENCE_S = 4.0
"""How long `open` waits for the pods that are plugged in to tell who they are and what they have kept."""


@dataclass(frozen=True, slots=True)
class Assigned:
    """What a pod is used for. name: for people. labels: of its lines in their order, None for a line without use."""

    name: str
    labels: tuple[str | None, ...]


class _Queued(NamedTuple):
    """An event on its way to `read`; mark: what its port may acknowledge once it has been given."""

    event: SourceEvent
    port: PortThread | None = None
    mark: Mark | None = None


class PodsSource:
    """A `ButtonSource` of all pods.

    pods: by unique id in hexadecimal. ports: named ones; None finds pods by their USB identity. is_required: `open`
    raises where no pod can be reached; else play begins without, and a pod is taken in when it comes. limit_ns: a pod
    whose bound is wider is flagged. edge_error_ns: the uncertainty of a pod's own stamp. on_alarm: told, from any
    thread, under a key what is wrong, and None when that is well again.
    """

    name = "pods"
    remark: str | None = None
    is_gone = False

    def __init__(
        self,
        pods: Mapping[str, Assigned],
        *,
        ports: Iterable[Path] | None = None,
        is_required: bool = False,
        delay_ns: int = 60 * MS,
        edge_error_ns: int = 100_000,
        limit_ns: int = 2 * MS,
        clock: Callable[[], int] = time.monotonic_ns,
        open_port: Callable[[Path], serial.Serial] = open_port,
        find: Callable[[], list[Path]] = find_pods,
        on_alarm: Callable[[str, str | None], None] | None = None,
    ) -> None:
        self.delay_ns = delay_ns
        """A pod's loop, its USB's polls and this machine's threads; a frame that must be sent again takes longer, and
        the arbiter then says so."""
        self.error_ns = edge_error_ns
        """Of the newest edge: the bound of the pod's clock and the pod's own uncertainty."""
        self.on_alarm = on_alarm
        self._pods = dict(pods)
        self._named = None if ports is None else list(ports)
        self._is_required, self._edge_error_ns, self._limit_ns = is_required, edge_error_ns, limit_ns
        self._clock, self._open_port, self._find = clock, open_port, find
        self._lock = threading.Condition()
        self._queue: list[_Queued] = []
        self._greeted: dict[PortThread, bool] = {}  # by port: whether it has said all, or cannot
        self._assigned: dict[PortThread, Assigned | None] = {}
        self._threads: list[PortThread] = []
        self._told: dict[PortThread, str] = {}
        self._is_greeting = False
        self._ready = -1

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
            has_pod = any(self._assigned.values())
            reasons = list(self._told.values())
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

    def read(self) -> list[SourceEvent]:
        """Give what has happened since the last call, sorted by time; nothing while closed."""
        if self._ready < 0:
            return []
        with self._lock:
            with contextlib.suppress(BlockingIOError):
                os.eventfd_read(self._ready)
            queued, self._queue = self._queue, []
        for port, mark in {entry.port: entry.mark for entry in queued if entry.mark is not None}.items():
            if port is not None:
                port.acknowledge(mark)
        events = sorted((entry.event for entry in queued), key=lambda event: event.t_ns)
        for event in events:
            if isinstance(event, Edge):
                self.error_ns = event.error_ns
        return events

    def check(self) -> None:
        """Look for pods that have been plugged in. To be called about once a second."""
        if self._ready >= 0:
            self._look_for_ports()

    def close(self) -> None:
        """Tell the pods what was taken and let go of the ports; may be called again."""
        for thread in self._threads:
            thread.stop()
        self._threads = []
        with self._lock:
            self._queue = []
            self._greeted.clear()
            self._assigned.clear()
            self._told.clear()
            ready, self._ready = self._ready, -1
        if ready >= 0:
            os.close(ready)

    def show_lamps(self, lit: Iterable[str], blinking: Iterable[str] = ()) -> None:
        """Light the lamps of these buttons, have those of others blink."""
        lit, blinking = frozenset(lit), frozenset(blinking)
        for thread in self._threads:
            pod = self._assigned.get(thread)
            if pod is not None:
                thread.lamps(_bits(pod.labels, lit | blinking), _bits(pod.labels, blinking))

    def bounds_ns(self) -> dict[str, int]:
        """Give the error that an edge of now would carry, by the pod's name; without those whose clock is not known."""
        now_ns = self._clock()
        found = {}
        for thread, pod in list(self._assigned.items()):
            bound_ns = thread.link.bound_ns(now_ns)
            if pod is not None and bound_ns is not None:
                found[pod.name] = bound_ns
        return found

    # -- ports -------------------------------------------------------------------------------------------------------

    def _look_for_ports(self) -> None:
        known = {thread.path for thread in self._threads}
        for path in self._find() if self._named is None else self._named:
            if path not in known:
                link = PodLink(edge_error_ns=self._edge_error_ns, limit_ns=self._limit_ns)
                thread = PortThread(path, self._take, link=link, clock=self._clock, open_port=self._open_port)
                with self._lock:
                    self._greeted[thread] = False
                self._threads.append(thread)
                thread.start()

    # -- in the ports' threads ---------------------------------------------------------------------------------------

    def _take(self, port: PortThread, event: PortEvent) -> None:
        with self._lock:
            for queued in self._translate(port, event):
                self._queue.append(queued)
            if not self._greeted.get(port, True) and (port.link.is_settled or self._cannot_come(event)):
                self._greeted[port] = True
                self._lock.notify_all()
            if self._queue and not self._is_greeting and self._ready >= 0:
                self._signal()

    def _signal(self) -> None:
        os.eventfd_write(self._ready, 1)

    @staticmethod
    def _cannot_come(event: PortEvent) -> bool:
        return isinstance(event, Refused) or (isinstance(event, Trouble) and event.is_lost)

    def _translate(self, port: PortThread, event: PortEvent) -> list[_Queued]:
        """Say in the core's words what a port has said."""
        pod = self._assigned.get(port)
        match event:
            case LineEdge():
                return self._edge(port, pod, event)
            case LineLevels() if pod is not None:
                known = {label for label in pod.labels if label is not None}
                active = {
                    label for line, label in enumerate(pod.labels) if label is not None and event.active >> line & 1
                }
                return [_Queued(Levels(frozenset(active), frozenset(known), event.t_ns))]
            case Met():
                return self._meet(port, event)
        return self._translate_fault(port, event)

    def _translate_fault(self, port: PortThread, event: PortEvent) -> list[_Queued]:
        match event:
            case Trouble():
                return self._trouble(port, event.text, is_lost=event.is_lost)
            case Silent():
                return self._trouble(
                    port, f"pod {self._name(port)} does not answer: its buttons are dead", is_lost=True
                )
            case Refused(identity):
                spoken = f"versions {identity.oldest} to {identity.newest} of the protocol"
                text = f"{port.path}: the pod speaks only {spoken}: update it (companion pods install)"
                return self._trouble(port, text, is_lost=True)
            case Overrun(lost):
                text = f"pod {self._name(port)} lost {lost} edges: more came than it could keep"
                return [_Queued(SourceFault(self.name, text, self._clock(), lost))]
            case Bound(is_wide, error_ns):
                return self._bound(port, is_wide, error_ns)
        return []

    def _edge(self, port: PortThread, pod: Assigned | None, edge: LineEdge) -> list[_Queued]:
        label = pod.labels[edge.line] if pod is not None and edge.line < len(pod.labels) else None
        if label is None:
            port.acknowledge(edge.mark)  # of no use here: the pod need not keep it
            return []
        return [_Queued(Edge(label, edge.active, edge.t_ns, edge.error_ns), port, edge.mark)]

    def _meet(self, port: PortThread, met: Met) -> list[_Queued]:
        unique_id = met.identity.unique_id.hex()
        pod = self._pods.get(unique_id)
        self._assigned[port] = pod
        if pod is None:
            text = f"pod {unique_id} at {port.path} is not assigned: run companion pods assign"
            return self._trouble(port, text, is_lost=True)
        return self._well(port)

    def _trouble(self, port: PortThread, text: str, *, is_lost: bool) -> list[_Queued]:
        if is_lost:
            self._told[port] = text
            if self.on_alarm is not None:
                self.on_alarm(f"pod {port.path}", text)
        return [_Queued(SourceFault(self.name, text, self._clock()))]

    def _well(self, port: PortThread) -> list[_Queued]:
        if self._told.pop(port, None) is None:
            return []
        if self.on_alarm is not None:
            self.on_alarm(f"pod {port.path}", None)
        return [_Queued(SourceFault(self.name, f"pod {self._name(port)} is back", self._clock()))]

    def _bound(self, port: PortThread, is_wide: bool, error_ns: int) -> list[_Queued]:
        """A pod with a wide bound plays on: its presses carry the error, and what is close is a dead heat."""
        bound = f"{error_ns / MS:.1f} ms"
        if is_wide:
            text = f"pod {self._name(port)}: times uncertain by {bound}; close calls are dead heats"
        else:
            text = f"pod {self._name(port)}: times are certain within {bound} again"
        if self.on_alarm is not None:
            self.on_alarm(f"bound of {port.path}", text if is_wide else None)
        return [_Queued(SourceFault(self.name, text, self._clock()))]

    def _name(self, port: PortThread) -> str:
        pod = self._assigned.get(port)
        return pod.name if pod is not None else port.path.name


def _bits(lines: tuple[str | None, ...], chosen: frozenset[str]) -> int:
    return sum(1 << bit for bit, line in enumerate(lines) if line is not None and label_of(line) in chosen)


def _greeting(queued: list[_Queued], now_ns: int) -> list[_Queued]:
    """Put the levels that the pods told first into one, before the earliest edge."""
    first: dict[str, bool] = {}
    rest: list[_Queued] = []
    for entry in queued:
        if isinstance(entry.event, Levels) and not entry.event.known & first.keys():
            first |= {label: label in entry.event.active for label in entry.event.known}
        else:
            rest.append(entry)
    earliest_ns = min((entry.event.t_ns for entry in rest if isinstance(entry.event, Edge)), default=now_ns)
    active = frozenset(label for label, is_active in first.items() if is_active)
    levels = Levels(active, frozenset(first), min(now_ns, earliest_ns - 1))
    faults = [entry._replace(event=entry.event._replace(t_ns=max(entry.event.t_ns, levels.t_ns)))
              for entry in rest if isinstance(entry.event, SourceFault)]  # fmt: skip
    others = [entry for entry in rest if not isinstance(entry.event, SourceFault)]
    return [_Queued(levels), *faults, *others]
