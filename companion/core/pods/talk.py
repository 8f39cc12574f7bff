"""The talk with one pod: messages in, events on the host's clock and messages out. No bytes, no port, no clock.

Theory of operation. `link_states.TABLE` says what may come when, what is done, and which state follows; `Talk` tells
from a message or from the time what has come, and follows it. `kept_edges` takes each edge once and in its order,
whatever the line loses; `pod_clock` puts its stamp on the host's clock. When the port is opened again, neither the
numbers nor the clock mapping are forgotten; a pod that began anew says so by its boot, or by numbers that cannot be.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core.pods.kept_edges import KeptEdges
from companion.core.pods.link_events import LinkEvent, Met, Overrun, Refused, Silent
from companion.core.pods.link_states import TABLE, LinkAct, LinkCause, LinkState
from companion.core.pods.messages import (
    Baseline,
    Edges,
    Hello,
    HostMessage,
    Identity,
    Lamps,
    PodMessage,
    Pong,
    Report,
    ToRepl,
)
from companion.core.pods.pod_clock import PodClock, RoundTrips
from companion.core.timing.events import SECOND

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion.core.timing.events import Origin
    from companion.core.timing.host_clocks import ClockReading

    FindPassed = Callable[[Identity], Mapping[int, Origin]]

HELLO_NS = SECOND // 2
SILENCE_NS = 3 * SECOND // 2
"""A pod that has said nothing for so long is called anew."""


class Talk:
    """Where the talk with one pod is, and what is known of it. queue: what is said as soon as it is met.

    passed: asked, when a pod is met, for what an earlier run of the host has taken for good, by line.
    """

    def __init__(self, clock: PodClock, passed: FindPassed = lambda _identity: {}) -> None:
        self.state = LinkState.CALLING
        self.identity: Identity | None = None
        self.report: Report | None = None
        self.clock = clock
        self.kept = KeptEdges()
        self.queue: list[HostMessage] = []
        self._find_passed = passed
        self._lamps = Lamps(0, 0)
        self._trips = RoundTrips(0)
        self._hello_at_ns = self._heard_ns = 0

    @property
    def is_settled(self) -> bool:
        """Tell whether all that the pod had kept before the call has been given out."""
        return self.state.is_talking and self.clock.is_warm and self.kept.is_complete

    def light(self, lamps: Lamps) -> None:
        """Say which lamps are lit and which blink, where it is not so already."""
        if lamps != self._lamps:
            self._lamps = lamps
            self.queue.append(lamps)

    def say(self, now_ns: int) -> list[HostMessage]:
        """Give what is to be said now."""
        messages: list[HostMessage] = []
        if now_ns >= self._hello_at_ns and LinkCause.HELLO_DUE in TABLE[self.state]:
            self.follow(LinkCause.HELLO_DUE, None, now_ns)
            messages.append(Hello())
        if self.state.is_talking:
            messages += self.queue
            self.queue.clear()
            if ToRepl() not in messages:  # what came behind it would be typed at the pod's prompt
                messages += [*self.kept.answers(), *self._trips.ask(now_ns)]
        return messages

    def hear(self, message: PodMessage, received_ns: int) -> list[LinkEvent]:
        """Take a message; give what it says, but for what waits for the pod's clock (see `give`)."""
        self._heard_ns = received_ns
        cause = self._cause(message)
        return [] if cause is None else self.follow(cause, message, received_ns)

    def advance(self, now_ns: int) -> list[LinkEvent]:
        """Let time pass."""
        if now_ns >= self._heard_ns + SILENCE_NS and LinkCause.SILENCE in TABLE[self.state]:
            return self.follow(LinkCause.SILENCE, None, now_ns)
        return self.give(now_ns)

    def next_deadline(self) -> int | None:
        """Give the instant at which `say` or `advance` has something to do without a message; None where never."""
        instants = [self._hello_at_ns] if LinkCause.HELLO_DUE in TABLE[self.state] else []
        if LinkCause.SILENCE in TABLE[self.state]:
            instants += [self._heard_ns + SILENCE_NS, self._trips.next_deadline()]
            instants += [self.clock.warm_by_ns] if self.kept.is_holding else []
        return min(instants, default=None)

    def give(self, now_ns: int) -> list[LinkEvent]:
        """Give what waits, once the pod's clock is known and levels that lie before the first edge are here."""
        if not self.state.is_talking or not self.clock.mapping.is_known or not self.kept.has_begun:
            return []
        if now_ns < self.clock.warm_by_ns and not (self.clock.is_warm and self.kept.is_complete):
            return []
        return [*self.kept.give(lambda ticks: self.clock.place(ticks, now_ns)), *self.clock.watch(now_ns)]

    def note(self, reading: ClockReading) -> None:
        """Take a reading of the host's clocks; after the host has slept, edges wait for a warm clock again."""
        if self.clock.note(reading):
            self.clock.meet(reading.t_ns)
            self._trips = self._trips.anew(reading.t_ns)

    def follow(self, cause: LinkCause, what: Any, now_ns: int) -> list[LinkEvent]:
        """Do what the table says, and go where it says; what has no step there is passed over."""
        step = TABLE[self.state].get(cause)
        if step is None:
            return []
        self.state = step.after
        return ACTS[step.act](self, what, now_ns)

    # -- what has come -----------------------------------------------------------------------------------------------

    def _cause(self, message: PodMessage) -> LinkCause | None:
        """Tell what a message is; None for one about another boot than the pod's."""
        match message:
            case Identity():
                return self._who(message)
            case Pong():
                return LinkCause.PONG
            case Report():
                return LinkCause.REPORT
            case Edges() if message.boot == self.kept.boot:
                return LinkCause.EDGES
            case Baseline() if message.boot == self.kept.boot:
                return self.kept.cause(message)
        return None

    def _who(self, identity: Identity) -> LinkCause:
        is_known = identity.boot == self.kept.boot and (
            self.identity is None or identity.unique_id == self.identity.unique_id
        )
        if not identity.version and not (is_known and self.state.is_talking):
            return LinkCause.STRANGE
        return LinkCause.SAME_BOOT if is_known else LinkCause.NEW_BOOT

    # -- what is done ------------------------------------------------------------------------------------------------

    def _call(self, _: None, now_ns: int) -> list[LinkEvent]:
        self._hello_at_ns = self._heard_ns = now_ns
        self.kept.let_go()
        return []

    def _miss(self, _: None, now_ns: int) -> list[LinkEvent]:
        return [*self._call(None, now_ns), Silent(now_ns)]

    def _hello(self, _: None, now_ns: int) -> list[LinkEvent]:
        self._hello_at_ns = now_ns + HELLO_NS
        return []

    def _refuse(self, identity: Identity, _: int) -> list[LinkEvent]:
        self.identity = identity
        return [Refused(identity)]

    def _meet(self, identity: Identity, now_ns: int) -> list[LinkEvent]:
        before, self.identity = self.identity, identity
        is_new_boot = identity.boot != self.kept.boot or (before is not None and before.unique_id != identity.unique_id)
        if is_new_boot:
            self._forget(identity.boot, self._find_passed(identity))
        self.kept.let_go()
        self.clock.meet(now_ns)
        self._trips = self._trips.anew(now_ns)
        self.queue = [self._lamps]
        return [Met(identity, is_new_boot)]

    def _forget(self, boot: int | None, passed: Mapping[int, Origin] | None = None) -> None:
        """Forget all that held for the pod's last boot."""
        self.clock = self.clock.anew()
        self.kept = self.kept.anew(boot, passed)

    def _map(self, pong: Pong, received_ns: int) -> list[LinkEvent]:
        if (sent_ns := self._trips.answered(pong.number)) is not None:
            self.clock.map(sent_ns, pong.ticks, received_ns)
        return []

    def _note(self, report: Report, now_ns: int) -> list[LinkEvent]:
        self.report = report
        if report.waiting:
            self.kept.acknowledge_again()
        return self._look_for_loss(report.overruns, now_ns)

    def _rebase(self, baseline: Baseline, now_ns: int) -> list[LinkEvent]:
        self.kept.rebase(baseline, now_ns)
        return []

    def _renumber(self, baseline: Baseline, now_ns: int) -> list[LinkEvent]:
        self._forget(baseline.boot)
        return self._rebase(baseline, now_ns)

    def _number(self, edges: Edges, now_ns: int) -> list[LinkEvent]:
        refused = self.kept.number(edges)
        return [*([Overrun(refused)] if refused else []), *self._look_for_loss(edges.overruns, now_ns)]

    def _look_for_loss(self, overruns: int, now_ns: int) -> list[LinkEvent]:
        lost = self.kept.newly_lost(overruns)
        return self.follow(LinkCause.LOSS, lost, now_ns) if lost > 0 else []

    def _lose(self, lost: int, _: int) -> list[LinkEvent]:
        self.kept.has_lost = True
        return [Overrun(lost)]


ACTS: dict[LinkAct, Callable[[Talk, Any, int], list[LinkEvent]]] = {
    LinkAct.CALL: Talk._call,
    LinkAct.MISS: Talk._miss,
    LinkAct.HELLO: Talk._hello,
    LinkAct.REFUSE: Talk._refuse,
    LinkAct.MEET: Talk._meet,
    LinkAct.MAP: Talk._map,
    LinkAct.NOTE: Talk._note,
    LinkAct.REBASE: Talk._rebase,
    LinkAct.RENUMBER: Talk._renumber,
    LinkAct.NUMBER: Talk._number,
    LinkAct.LOSE: Talk._lose,
}
"""How each act is done: with what came (its message, or how many edges were lost) and the instant, in ns."""
