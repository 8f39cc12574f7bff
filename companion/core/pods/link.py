"""The host's end of the talk with one pod: bytes in, events on the host's clock out. No thread, no port, no clock.

Bytes become messages here and messages bytes; `talk` decides. When the port is opened again, what was half received is
forgotten.

Edges wait until the pod's clock is known well enough (`WARM_TRIPS`). `acknowledge` is called when nothing can lose an
edge any more: until then the pod keeps it. Every instant is CLOCK_MONOTONIC in ns: `now_ns` is read *before* what
`send` gives is written, `received_ns` *after* the bytes were read. The bound of the mapping rests on both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.errors import Malformed
from companion.core.pods.frames import FrameDecoder, encode_frame
from companion.core.pods.link_events import (
    Bound,
    Doubt,
    DoubtCause,
    LineEdge,
    LineLevels,
    LinkEvent,
    Mark,
    Met,
    Overrun,
    Passed,
    Refused,
    Silent,
)
from companion.core.pods.link_states import LinkCause, LinkState
from companion.core.pods.messages import Identity, Lamps, Report, ToRepl, UnknownMessage, decode_message, encode_message
from companion.core.pods.pod_clock import WARM_TRIPS, Limits, PodClock
from companion.core.pods.talk import SILENCE_NS, Talk
from companion.core.timing.events import MS

if TYPE_CHECKING:
    from companion.core.pods.talk import FindPassed
    from companion.core.timing.clock_mapping import ClockMapping
    from companion.core.timing.host_clocks import ClockReading

__all__ = [
    "SILENCE_NS",
    "WARM_TRIPS",
    "Bound",
    "Doubt",
    "DoubtCause",
    "LineEdge",
    "LineLevels",
    "LinkEvent",
    "LinkState",
    "Mark",
    "Met",
    "Overrun",
    "Passed",
    "PodLink",
    "Refused",
    "Silent",
]


class PodLink:
    """One pod. edge_error_ns: the uncertainty of the pod's own stamp. limit_ns: the widest bound that is still good.

    passed: asked, when a pod is met, for what an earlier run of the host has taken for good, by line.
    """

    def __init__(
        self,
        *,
        edge_error_ns: int = 100_000,
        limit_ns: int = 2 * MS,
        max_drift_ppb: int = 120_000,
        passed: FindPassed = lambda _identity: {},
    ) -> None:
        self.malformed = 0
        self._decoder = FrameDecoder()
        self._talk = Talk(PodClock(Limits(edge_error_ns, limit_ns, max_drift_ppb)), passed)

    @property
    def state(self) -> LinkState:
        """Where the talk is."""
        return self._talk.state

    @property
    def identity(self) -> Identity | None:
        """Who the pod said it is, None before it did."""
        return self._talk.identity

    @property
    def report(self) -> Report | None:
        """How the pod last said it is, None before it did."""
        return self._talk.report

    @property
    def dropped_frames(self) -> int:
        """Frames that were none, or held no message."""
        return self._decoder.errors.total + self.malformed

    @property
    def edges(self) -> int:
        """How many edges of the pod have been given."""
        return self._talk.kept.placed

    @property
    def mapping(self) -> ClockMapping:
        """What is known of the pod's clock."""
        return self._talk.clock.mapping

    @property
    def is_wide(self) -> bool:
        """Tell whether the bound was wider than the limit when it was last looked at."""
        return self._talk.clock.is_wide

    @property
    def is_doubted(self) -> bool:
        """Tell whether the pod was caught lately at times that cannot be."""
        return self._talk.clock.doubts.is_in_doubt

    @property
    def is_settled(self) -> bool:
        """Tell whether all that the pod had kept before the call has been given out."""
        return self._talk.is_settled

    @property
    def is_holding(self) -> bool:
        """Tell whether edges that have come wait for the pod's clock to be known."""
        return self._talk.kept.is_holding

    def bound_ns(self, now_ns: int) -> int | None:
        """Give the error that an edge of now would carry; None while the pod's clock is not known."""
        return self._talk.clock.bound_ns(now_ns)

    def note(self, reading: ClockReading) -> None:
        """Take a reading of the host's clocks: one before each `send`, one before each `receive`, at their instants.

        Without any, CLOCK_MONOTONIC is taken to be corrected by nobody. Raises Malformed for one that runs backwards.
        """
        self._talk.note(reading)

    def reconnect(self, now_ns: int) -> None:
        """The port has been opened again: call the pod."""
        self._decoder = FrameDecoder()
        self._talk.follow(LinkCause.OPENED, None, now_ns)

    def acknowledge(self, mark: Mark) -> None:
        """Every edge before `mark` is safe; one of an earlier boot says nothing any more."""
        self._talk.kept.acknowledge(mark)

    def lamps(self, lit: int, blinking: int) -> None:
        """Say which lamps are lit and which blink, bits by line."""
        self._talk.light(Lamps(lit, blinking))

    def to_repl(self) -> None:
        """Have the pod restart without its program."""
        self._talk.queue.append(ToRepl())

    def send(self, now_ns: int) -> bytes:
        """Give what is to be written now, empty where nothing is."""
        return b"".join(encode_frame(encode_message(message)) for message in self._talk.say(now_ns))

    def next_deadline(self) -> int | None:
        """Give the instant at which `send` or `advance` has something to do without new bytes; None where never."""
        return self._talk.next_deadline()

    def advance(self, now_ns: int) -> list[LinkEvent]:
        """Let time pass."""
        return self._talk.advance(now_ns)

    def receive(self, data: bytes, received_ns: int) -> list[LinkEvent]:
        """Take bytes from the port, in any portions; give what they say."""
        events: list[LinkEvent] = []
        for payload in self._decoder.feed(data):
            try:
                message = decode_message(payload)
            except UnknownMessage:
                continue  # a later version's; it is not needed
            except Malformed:
                self.malformed += 1
                continue
            events += self._talk.hear(message, received_ns)
        return [*events, *self._talk.give(received_ns)]
