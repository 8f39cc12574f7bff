"""Buttons by libgpiod 2: the kernel stamps each edge in its interrupt, and this module only carries them.

All lines are in one request, so that one queue and one numbering hold every edge. Nothing is debounced here or in the
kernel. No thread: `fileno()` is an epoll descriptor over the request and over an eventfd that says "there is something
without an edge" (levels after `open`, a fault found by `check`). Knows no game and no settings.

Numbers. Each event has a number on its line and one over all lines, and they tell different things (Linux 6.1,
`gpiolib-cdev.c`). The *line's* number is given when the event is queued: a gap in it is an event that was dropped
because the queue was full. The *common* number is given in the interrupt, together with the stamp; when a contact
bounces faster than the interrupt's thread runs, the later interrupt overwrites both, and one event stands for several
edges. Such a gap is no loss, but the stamp is not the first edge's: it is late by as much as that thread, and the edges
around it say so in their uncertainty. Two processors may queue events the wrong way round: they are sorted by stamp,
and a number that is missing is given `HOLD_NS` to come before the gap is believed.
"""

from __future__ import annotations

import contextlib
import os
import select
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.adapters.gpio.gpiod_chip import cannot_claim, find_chip, load_gpiod
from companion.adapters.gpio.levels import RawEdge, all_lines
from companion.adapters.gpio.panel_lines import Found, PanelLines
from companion.core.errors import Unavailable
from companion.core.timing.events import MS, SourceFault

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import gpiod

    from companion.core.timing.events import SourceEvent

CONSUMER = "companion"
BUFFER = 2048
"""Edges asked for in the kernel's queue; Linux gives at most 1,024 (16 for each of 64 lines)."""
FULL = 1024
"""A reading of so many edges may come from a queue that ran over."""
MOST_AT_ONCE = 4 * BUFFER
"""`read` returns after so many edges, whatever more a chattering line queues; the rest keeps `fileno` readable."""
MERGED_NS = 100_000
"""How late the interrupt's thread may be on a Pi: it runs before every ordinary program."""

HOLD_NS = 5_000_000
"""How long edges with a gap in their numbers are held back, well within `delay_ns`; `fileno` stays readable."""


class Counted(NamedTuple):
    """What the numbers of one reading tell.

    edges: the edges in the order of time. lost: how many are known to be lost. may_have_lost: more may be.
    """

    edges: list[RawEdge]
    lost: int = 0
    may_have_lost: bool = False


class Numbers:
    """The next number of each line and of all together, and until when stamps are in doubt."""

    def __init__(self, labels: Mapping[int, str], rising: object, merged_ns: int = MERGED_NS) -> None:
        self._labels = labels
        self._rising = rising
        self._merged_ns = merged_ns
        self._next_of_line = dict.fromkeys(labels, 1)
        self._next = 1
        self._doubtful_until_ns = -1

    def has_gap(self, events: Sequence[gpiod.EdgeEvent]) -> bool:
        """Tell whether a number before the newest of `events` has not come."""
        numbers = {event.global_seqno for event in events if event.global_seqno >= self._next}
        return bool(numbers) and max(numbers) - self._next >= len(numbers)

    def take(self, events: Sequence[gpiod.EdgeEvent]) -> Counted:
        """Take one reading's events, in the order in which they were queued."""
        lost = 0
        for event in events:
            lost += event.line_seqno - self._next_of_line[event.line_offset]
            self._next_of_line[event.line_offset] = event.line_seqno + 1
        has_gap = False
        edges: list[RawEdge] = []
        for event in sorted(events, key=lambda event: (event.timestamp_ns, event.global_seqno)):
            if event.global_seqno != self._next:
                has_gap = True
                self._doubtful_until_ns = event.timestamp_ns + self._merged_ns
            self._next = max(self._next, event.global_seqno + 1)
            extra_ns = self._merged_ns if event.timestamp_ns <= self._doubtful_until_ns else 0
            active = event.event_type is self._rising
            edges.append(RawEdge(event.timestamp_ns, self._labels[event.line_offset], active, extra_ns))
        return Counted(edges, lost, has_gap and len(events) >= FULL)


class _Claimed:
    """The chip and the one request of all lines. Every method may raise OSError when the chip has gone."""

    def __init__(self, library: Any, chip: gpiod.Chip, lines: Mapping[str, int]) -> None:
        """Claim `lines` as inputs with pull-ups. Raises Unavailable where they cannot be had."""
        line = library.line
        settings = library.LineSettings(
            direction=line.Direction.INPUT,
            edge_detection=line.Edge.BOTH,
            bias=line.Bias.PULL_UP,
            active_low=True,
            event_clock=line.Clock.MONOTONIC,
        )
        try:
            self._request = chip.request_lines({tuple(lines.values()): settings}, CONSUMER, BUFFER)
        except OSError as error:
            raise cannot_claim(chip, lines, error) from error
        self._chip = chip
        self._labels = {number: label for label, number in lines.items()}
        self._numbers = Numbers(self._labels, library.EdgeEvent.Type.RISING_EDGE)
        self._active = line.Value.ACTIVE
        self._held: list[gpiod.EdgeEvent] = []
        self._held_since_ns: int | None = None
        self.fd = self._request.fd
        os.set_blocking(self.fd, False)

    def levels(self) -> set[str]:
        """Read all lines at once; give the labels of the active ones."""
        values = self._request.get_values()
        return {label for label, value in zip(self._labels.values(), values, strict=True) if value is self._active}

    @property
    def is_holding(self) -> bool:
        """Tell whether edges are held back because a number before them may still come."""
        return bool(self._held)

    def drain(self, now_ns: int | None) -> Counted:
        """Take all queued edges. now_ns: None holds none of them back."""
        events, self._held = self._held, []
        while len(events) < MOST_AT_ONCE and (batch := self._batch()):
            events += batch
        if now_ns is None or len(events) >= FULL or not self._numbers.has_gap(events):
            self._held_since_ns = None
            return self._numbers.take(events)
        if self._held_since_ns is None:
            self._held_since_ns = now_ns
        if now_ns - self._held_since_ns < HOLD_NS:
            self._held = events
            return Counted([])
        self._held_since_ns = None
        return self._numbers.take(events)

    def release(self) -> None:
        self._request.release()
        self._chip.close()

    def _batch(self) -> list[gpiod.EdgeEvent]:
        try:
            return self._request.read_edge_events(BUFFER)
        except BlockingIOError:
            return []


class GpiodSource:
    """A `ButtonSource` on a GPIO character device.

    lines: label to GPIO number, each a contact to ground. rotary: the knob's two lines (A, B); their detents come as
    `Turned`. chip: path, name or label; None finds the header's chip. clock: CLOCK_MONOTONIC in nanoseconds.
    """

    name = "gpiod"
    given_until_ns: int | None = None
    remark: str | None = None
    """What a referee should know of this source's times; None where there is nothing."""

    def __init__(
        self,
        lines: Mapping[str, int],
        *,
        rotary: tuple[int, int] | None = None,
        chip: str | None = None,
        delay_ns: int = 30 * MS,
        error_ns: int = 20_000,
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self.delay_ns = delay_ns
        self.error_ns = error_ns
        self._lines = all_lines(lines, rotary)
        self._panel = PanelLines(lines, has_knob=rotary is not None)
        self._wanted = chip
        self._clock = clock
        self._claimed: _Claimed | None = None
        self._poll: select.epoll | None = None
        self._wake = -1
        self._waiting: list[SourceEvent] = []

    @property
    def is_gone(self) -> bool:
        """Tell whether the chip has vanished since `open`; `close` and `open` try again."""
        return self._poll is not None and self._claimed is None

    def open(self) -> None:
        """Claim all lines as inputs with pull-ups.

        Raises:
            Unavailable: no library, no chip, no permission, or a line that another program holds; or already open.
        """
        if self._poll is not None:
            raise Unavailable("the buttons' lines are already open: close them first")
        library = load_gpiod()
        found = find_chip(self._wanted, max(self._lines.values(), default=0) + 1)
        try:
            chip = library.Chip(found.path)
        except OSError as error:
            raise Unavailable(f"{found.path} cannot be opened: {error.strerror or error}") from error
        try:
            claimed = _Claimed(library, chip, self._lines)
            levels = Found(self._clock(), claimed.levels())
        except OSError as error:
            chip.close()
            if isinstance(error, Unavailable):
                raise
            raise Unavailable(f"{found.path} does not answer: {error.strerror or error}") from error
        self._claimed = claimed
        self._panel.claimed(levels, self.error_ns)
        self._watch(claimed.fd)

    def fileno(self) -> int:
        """Give the descriptor to watch. Raises Unavailable while closed."""
        if self._poll is None:
            raise Unavailable("the buttons' lines are not open: open them first")
        return self._poll.fileno()

    def read(self) -> list[SourceEvent]:
        """Give what has happened since the last call, without waiting; nothing while closed."""
        if self._poll is None:
            return []
        with contextlib.suppress(BlockingIOError):
            os.eventfd_read(self._wake)
        out, self._waiting = self._waiting, []
        return out + self._guarded(self._gather)

    def check(self) -> None:
        """Look for edges that were missed; what is found is given by `read`. To be called about once a second."""
        if self._panel.is_started and (found := self._guarded(self._compare)):
            self._waiting += found
            os.eventfd_write(self._wake, 1)

    def close(self) -> None:
        """Give the lines back; may be called again."""
        self._release()
        if self._poll is not None:
            self._poll.close()
            os.close(self._wake)
        self._poll = None
        self._wake = -1
        self._waiting = []

    def _watch(self, fd: int) -> None:
        self._wake = os.eventfd(1, os.EFD_NONBLOCK | os.EFD_CLOEXEC)  # 1: the levels are there to be read
        self._poll = select.epoll()
        self._poll.register(self._wake, select.EPOLLIN)
        self._poll.register(fd, select.EPOLLIN)

    def _guarded(self, look: Callable[[_Claimed], list[SourceEvent]]) -> list[SourceEvent]:
        """Do what needs the chip; when it has gone, say so once and let go of it."""
        if self._claimed is None:
            return []
        try:
            return look(self._claimed)
        except OSError as error:
            self._release()
            text = f"the GPIO chip does not answer any more ({error.strerror or error}): buttons are dead"
            return [SourceFault(self.name, text, self._clock())]

    def _gather(self, claimed: _Claimed) -> list[SourceEvent]:
        if self._panel.is_started:
            out = self._take(claimed, claimed.drain(self._clock()))
            if claimed.is_holding:
                os.eventfd_write(self._wake, 1)
            return out
        counted = claimed.drain(None)
        return self._panel.start(counted.edges) + self._overrun(counted)

    def _compare(self, claimed: _Claimed) -> list[SourceEvent]:
        """Take what is queued, then hold the lines' levels against what the edges said."""
        found = self._take(claimed, claimed.drain(None))
        levels = Found(self._clock(), claimed.levels())
        found += self._take(claimed, claimed.drain(None))
        if missed := self._panel.missed(levels, self.delay_ns):
            text = f"missed an edge of {', '.join(missed)}"
            found += [SourceFault(self.name, text, levels.t_ns), *self._look_again(claimed)]
        return found

    def _take(self, claimed: _Claimed, counted: Counted) -> list[SourceEvent]:
        out = self._panel.take(counted.edges)
        overrun = self._overrun(counted)
        return [*out, *overrun, *self._look_again(claimed)] if overrun else out

    def _look_again(self, claimed: _Claimed) -> list[SourceEvent]:
        """Tell what the lines are at now, and the edges queued since the last reading."""
        levels = Found(self._clock(), claimed.levels())
        counted = claimed.drain(None)
        return self._panel.again(levels, counted.edges) + self._overrun(counted)

    def _overrun(self, counted: Counted) -> list[SourceEvent]:
        if counted.lost:
            text = f"{counted.lost} edges were lost: more came than the kernel could keep"
        elif counted.may_have_lost:
            text = "edges may have been lost: the kernel's queue was full"
        else:
            return []
        return [SourceFault(self.name, text, self._clock(), counted.lost)]

    def _release(self) -> None:
        claimed, self._claimed = self._claimed, None
        self._panel.is_started = False
        if claimed is None:
            return
        if self._poll is not None:
            self._poll.unregister(claimed.fd)
        claimed.release()
