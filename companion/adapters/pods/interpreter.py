"""What pods say, in the core's words: edges under the labels that they are assigned to, faults as sentences.

Called in the ports' threads, under the lock of the source that owns it. Knows no port's bytes and no game.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from companion.adapters.pods.port_thread import PortThread, Trouble
from companion.core.pods.link import Bound, Doubt, DoubtCause, LineEdge, LineLevels, Mark, Met, Overrun, Refused, Silent
from companion.core.timing.events import MS, Edge, Levels, SourceFault
from companion.core.words.texts import number, text, texts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion.adapters.pods.port_thread import PortEvent
    from companion.core.timing.events import SourceEvent

NAME = "pods"
"""The source's name, which its faults bear."""
DOUBTS: dict[DoubtCause | None, str] = {
    DoubtCause.CONTRADICTED: text(
        "pod {pod}: its clock jumps, or runs too fast or too slow: its times are less certain, close calls are "
        "dead heats; if that happens again, take another pod"
    ),
    DoubtCause.AHEAD: text(
        "pod {pod}: a change of a button is dated {by} ms after it came, and counts from its arrival; if that happens "
        "again, take another pod"
    ),
    DoubtCause.BACKWARDS: text(
        "pod {pod}: a change of a button is dated {by} ms before the one before it: its times are less certain; if "
        "that happens again, take another pod"
    ),
    DoubtCause.HELD: text(
        "pod {pod}: a change of a button came late, dated {by} ms before an answer that had come before it: it was "
        "sent again, or its time is wrong; if that happens again, take another cable, then another pod"
    ),
    None: text("pod {pod}: nothing is wrong with its times any more"),
}
"""What is said of a pod's times, by what of them cannot be; None: nothing has been for a while."""


@dataclass(frozen=True, slots=True)
class Assigned:
    """What a pod is used for. name: for people. labels: of its lines in their order, None for a line without use."""

    name: str
    labels: tuple[str | None, ...]


class Queued(NamedTuple):
    """An event on its way to `read`; mark: what its port may acknowledge once it has been given."""

    event: SourceEvent
    port: PortThread | None = None
    mark: Mark | None = None


class Interpreter:
    """What is known of the pods that have told who they are.

    pods: by unique id in hexadecimal. alarm: told, under a key, what is wrong, and None when that is well again.
    """

    def __init__(
        self, pods: Mapping[str, Assigned], clock: Callable[[], int], alarm: Callable[[str, str | None], None]
    ) -> None:
        self._pods, self._clock, self._alarm = dict(pods), clock, alarm
        self.assigned: dict[PortThread, Assigned | None] = {}
        """By port: what its pod is used for, None for one that is not assigned."""
        self.told: dict[PortThread, str] = {}
        """By port: why its pod cannot be reached."""

    def forget(self) -> None:
        """Begin anew, with no port."""
        self.assigned.clear()
        self.told.clear()

    def bounds_ns(self) -> dict[str, int]:
        """Give the error that an edge of now would carry, by the pod's name; without those whose clock is not known."""
        now_ns = self._clock()
        found = {}
        for thread, pod in list(self.assigned.items()):
            bound_ns = thread.link.bound_ns(now_ns)
            if pod is not None and bound_ns is not None:
                found[pod.name] = bound_ns
        return found

    def translate(self, port: PortThread, event: PortEvent) -> list[Queued]:
        """Say in the core's words what a port has said."""
        pod = self.assigned.get(port)
        match event:
            case LineEdge():
                return self._edge(port, pod, event)
            case LineLevels() if pod is not None:
                known = {label for label in pod.labels if label is not None}
                active = {
                    label for line, label in enumerate(pod.labels) if label is not None and event.active >> line & 1
                }
                return [Queued(Levels(frozenset(active), frozenset(known), event.t_ns))]
            case Met():
                return self._meet(port, event)
        return self._translate_fault(port, event)

    def _translate_fault(self, port: PortThread, event: PortEvent) -> list[Queued]:
        match event:
            case Trouble():
                return self._trouble(port, event.text, is_lost=event.is_lost)
            case Silent():
                return self._trouble(
                    port, f"pod {self._name(port)} does not answer: its buttons are dead", is_lost=True
                )
            case Refused(identity):
                spoken = f"versions {identity.oldest} to {identity.newest} of the protocol"
                says = text("{port}: the pod speaks only {spoken}: update it (companion pods install)")
                return self._trouble(port, says.format(port=port.path, spoken=spoken), is_lost=True)
            case Overrun(lost):
                return self._overrun(port, lost)
            case Bound() | Doubt():
                return self._bound(port, event) if isinstance(event, Bound) else self._doubt(port, event)
        return []

    def _edge(self, port: PortThread, pod: Assigned | None, edge: LineEdge) -> list[Queued]:
        label = pod.labels[edge.line] if pod is not None and edge.line < len(pod.labels) else None
        if label is None:
            port.acknowledge(edge.mark)  # of no use here: the pod need not keep it
            return []
        told = Edge(label, edge.active, edge.t_ns, edge.error_ns, disbelieved=edge.disbelieved)
        return [Queued(told, port, edge.mark)]

    def _meet(self, port: PortThread, met: Met) -> list[Queued]:
        unique_id = met.identity.unique_id.hex()
        pod = self._pods.get(unique_id)
        self.assigned[port] = pod
        if pod is None:
            says = text("pod {pod} at {port} is not assigned: run companion pods assign")
            return self._trouble(port, says.format(pod=unique_id, port=port.path), is_lost=True)
        return self._well(port)

    def _trouble(self, port: PortThread, says: str, *, is_lost: bool) -> list[Queued]:
        if is_lost:
            self.told[port] = says
            self._alarm(f"pod {port.path}", says)
        return [Queued(SourceFault(NAME, says, self._clock()))]

    def _well(self, port: PortThread) -> list[Queued]:
        if self.told.pop(port, None) is None:
            return []
        self._alarm(f"pod {port.path}", None)
        return [Queued(SourceFault(NAME, text("pod {pod} is back").format(pod=self._name(port)), self._clock()))]

    def _overrun(self, port: PortThread, lost: int) -> list[Queued]:
        pod = self.assigned.get(port)
        lines = tuple(label for label in pod.labels if label is not None) if pod is not None else ()
        says = texts(
            "pod {pod} lost {count} edge: more came than it could keep",
            "pod {pod} lost {count} edges: more came than it could keep",
            lost,
            pod=self._name(port),
        )
        return [Queued(SourceFault(NAME, says, self._clock(), lost, lines))]

    def _bound(self, port: PortThread, bound: Bound) -> list[Queued]:
        """A pod with a wide bound plays on: its presses carry the error, and what is close is a dead heat."""
        if bound.is_wide:
            message = text("pod {pod}: times uncertain by {bound} ms; close calls are dead heats")
        else:
            message = text("pod {pod}: times are certain within {bound} ms again")
        says = message.format(pod=self._name(port), bound=number(f"{bound.error_ns / MS:.1f}"))
        self._alarm(f"bound of {port.path}", says if bound.is_wide else None)
        return [Queued(SourceFault(NAME, says, self._clock()))]

    def _doubt(self, port: PortThread, doubt: Doubt) -> list[Queued]:
        """A pod whose times cannot be plays on: its presses carry the wider error, or count from their arrival."""
        says = DOUBTS[doubt.cause].format(pod=self._name(port), by=number(f"{doubt.by_ns / MS:,.1f}"))
        if doubt.cause is None or doubt.is_in_doubt:
            self._alarm(f"clock of {port.path}", None if doubt.cause is None else says)
        return [Queued(SourceFault(NAME, says, self._clock()))]

    def _name(self, port: PortThread) -> str:
        pod = self.assigned.get(port)
        return pod.name if pod is not None else port.path.name
