"""What pods say, in the core's words: edges under the labels that they are assigned to, faults as sentences.

A port is one pod's at a time: whose, and since which boot, is looked at whenever it says who it is. Where two ports say
that they are the same pod, the one that is in use stays in use, and both are told by name: nobody can know which of the
two the buttons were assigned on.

Called in the ports' threads, under the lock of the source that owns it. Knows no port's bytes and no game.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from companion.adapters.pods.outstanding import Counted, Outstanding
from companion.adapters.pods.port_thread import PortThread, Trouble
from companion.core.pods.link import (
    Bound,
    Doubt,
    DoubtCause,
    LineEdge,
    LineLevels,
    Mark,
    Met,
    Overrun,
    Passed,
    Refused,
    Silent,
)
from companion.core.timing.events import MS, Edge, Levels, Origin, SourceFault
from companion.core.words.texts import joined, number, text, texts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from companion.adapters.pods.port_thread import PortEvent
    from companion.core.timing.events import SourceEvent
    from companion.core.words.texts import Text

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
    """An event on its way to `read`. port: whose edge it is; None for what is no edge."""

    event: SourceEvent
    port: PortThread | None = None


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
        self.outstanding: dict[PortThread, Outstanding] = {}
        """By port: what its pod must keep yet."""
        self._last: dict[PortThread, str] = {}  # by port: the id of the pod that was there last
        self._twins: dict[PortThread, PortThread] = {}  # by port that is not used: which one is, of the same pod

    def forget(self) -> None:
        """Begin anew, with no port."""
        for known in (self.assigned, self.told, self.outstanding, self._last, self._twins):
            known.clear()

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
        if isinstance(event, Met):
            return self._meet(port, event)
        if port in self._twins and isinstance(event, (LineEdge, LineLevels, Passed)):
            return []
        pod = self.assigned.get(port)
        match event:
            case LineEdge():
                return self._edge(port, pod, event)
            case Passed(mark):
                self._skip(port, mark)
            case LineLevels() if pod is not None:
                known = {label for label in pod.labels if label is not None}
                active = {
                    label for line, label in enumerate(pod.labels) if label is not None and event.active >> line & 1
                }
                return [Queued(Levels(frozenset(active), frozenset(known), event.t_ns))]
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
        outstanding = self.outstanding.get(port)
        if label is None or outstanding is None:
            self._skip(port, edge.mark)  # of no use here: the pod need not keep it
            return []
        was_full = outstanding.is_full
        outstanding.add(edge)
        origin = Origin(*outstanding.counted, edge.line, edge.number, edge.active)
        told = Edge(label, edge.active, edge.t_ns, edge.error_ns, disbelieved=edge.disbelieved, origin=origin)
        queued = [Queued(told, port)]
        if outstanding.is_full:
            self._let_forget(port, outstanding)
            queued += [] if was_full else [self._full(port)]
        return queued

    def _skip(self, port: PortThread, mark: Mark) -> None:
        if (outstanding := self.outstanding.get(port)) is not None:
            outstanding.skip(mark)
            self._let_forget(port, outstanding)

    @staticmethod
    def _let_forget(port: PortThread, outstanding: Outstanding) -> None:
        if (mark := outstanding.mark()) is not None:
            port.acknowledge(mark)

    def _full(self, port: PortThread) -> Queued:
        """More presses are not stored than the pod is let keep: what a power cut would cost is said once."""
        says = text("pod {pod}: presses are not stored, and it can keep no more; it plays on")
        return Queued(SourceFault(NAME, says.format(pod=self._name(port)), self._clock()))

    def _meet(self, port: PortThread, met: Met) -> list[Queued]:
        identity = met.identity
        unique_id = identity.unique_id.hex()
        if (first := self._twin_of(port, unique_id)) is not None:
            return self._twin(port, first, unique_id)
        pod, before = self._pods.get(unique_id), self._last.get(port)
        self._twins.pop(port, None)
        self._last[port], self.assigned[port] = unique_id, pod
        if met.is_new_boot or port not in self.outstanding:
            self.outstanding[port] = Outstanding(Counted(unique_id, identity.boot))
        if pod is None:
            says = text("pod {pod} at {port} is not assigned: run companion pods assign")
            return self._trouble(port, says.format(pod=unique_id, port=port.path), is_lost=True)
        return [*self._well(port), *self._changed(port, pod, before, met)]

    def _changed(self, port: PortThread, pod: Assigned, before: str | None, met: Met) -> list[Queued]:
        """Say where another pod is there than before, where it began anew, where it has fewer lines than buttons."""
        told: list[tuple[Text, tuple[str, ...]]] = []
        unique_id, lines = met.identity.unique_id.hex(), met.identity.lines
        if before not in (None, unique_id):
            other = self._pods.get(before or "")
            says = text("{port}: pod {pod} is there now, and {before} was: its buttons are dead until it is plugged in")
            name = other.name if other is not None else before
            lost = other.labels if other is not None else ()
            told.append((says.format(port=port.path, pod=pod.name, before=name), _used(lost)))
        elif before is not None and met.is_new_boot:
            says = text("pod {pod} began anew: presses that it had not sent yet are lost")
            told.append((says.format(pod=pod.name), _used(pod.labels)))
        dead = _used(pod.labels[lines:])
        if dead:
            says = text("pod {pod} has {lines} lines, and no line for {buttons}: run companion pods assign")
            told.append((says.format(pod=pod.name, lines=lines, buttons=joined(dead)), ()))
        return [Queued(SourceFault(NAME, says, self._clock(), lines=lost)) for says, lost in told]

    # -- the same pod at two ports -----------------------------------------------------------------------------------

    def _twin_of(self, port: PortThread, unique_id: str) -> PortThread | None:
        """Give another port at which this pod is in use; None where there is none."""
        for other, known in self._last.items():
            if other is not port and known == unique_id and other not in self.told:
                return other
        return None

    def _twin(self, port: PortThread, first: PortThread, unique_id: str) -> list[Queued]:
        self._twins[port] = first
        self._last[port], self.assigned[port] = unique_id, None
        pod = self._pods.get(unique_id)
        says = text("{first} and {second} both say they are pod {pod}: {first} is used, {second} is not; unplug one")
        name = pod.name if pod is not None else unique_id
        return self._trouble(port, says.format(first=first.path, second=port.path, pod=name), is_lost=True)

    def _left(self, port: PortThread) -> None:
        """A port's pod has gone: one that says it is the same is asked anew, and used from then on."""
        self._twins.pop(port, None)
        for twin in [twin for twin, first in self._twins.items() if first is port]:
            twin.ask_again()

    def _trouble(self, port: PortThread, says: str, *, is_lost: bool) -> list[Queued]:
        if is_lost:
            self.told[port] = says
            if port not in self._twins:
                self._left(port)
            self._alarm(f"pod {port.path}", says)
        return [Queued(SourceFault(NAME, says, self._clock()))]

    def _well(self, port: PortThread) -> list[Queued]:
        if self.told.pop(port, None) is None:
            return []
        self._alarm(f"pod {port.path}", None)
        return [Queued(SourceFault(NAME, text("pod {pod} is back").format(pod=self._name(port)), self._clock()))]

    def _overrun(self, port: PortThread, lost: int) -> list[Queued]:
        pod = self.assigned.get(port)
        lines = _used(pod.labels) if pod is not None else ()
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

    def outstanding_of(self, counted: Counted) -> Iterator[tuple[PortThread, Outstanding]]:
        """Give what the pod of these numbers must keep yet, with its port."""
        return (entry for entry in self.outstanding.items() if entry[1].counted == counted)

    def _name(self, port: PortThread) -> str:
        pod = self.assigned.get(port)
        return pod.name if pod is not None else port.path.name


def _used(labels: Iterable[str | None]) -> tuple[str, ...]:
    return tuple(label for label in labels if label is not None)
