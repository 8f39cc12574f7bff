"""One request of lines to the kernel, by libgpiod 2: its queue, and which of its events may be given already.

A request has a queue and a numbering of its own, so the lines of each seat are one request: a flood of edges fills only
its maker's queue. `groups_of` keeps no line alone where it can: a request of one line has no numbers that show what was
merged (`event_numbers`). Two processors may queue events the wrong way round, so an event after a missing number waits
`HOLD_NS` for it. Knows no button but by its label's first word.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.adapters.gpio.event_numbers import Counted, Heard, Numbers, order
from companion.adapters.gpio.gpiod_chip import cannot_claim
from companion.adapters.gpio.interrupt_threads import PAUSE_NS, InterruptThreads
from companion.adapters.gpio.lines.levels import ROTARY
from companion.adapters.gpio.losses import Losses
from companion.core.timing.events import MS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    import gpiod

CONSUMER = "companion"
BUFFER = 2048
"""Edges asked for in the kernel's queue; Linux gives at most 1,024 (16 for each of 64 lines)."""
FULL = 1024
"""A reading of so many edges may come from a queue that ran over."""
MOST_KEPT = 4 * BUFFER
"""So many events are kept here; what more a chattering line makes stays in the kernel's queue, and is lost there."""
MOST_AT_ONCE = 256
"""The most events that `drain` returns between two calls of `renew`. The others wait for the next reading."""
HOLD_NS = 5 * MS
"""How long an event after a missing number waits for it, well within a source's `delay_ns`."""
PERHAPS_LOST = "edges may have been lost: the kernel's queue was full"


def groups_of(lines: Mapping[str, int]) -> list[dict[str, int]]:
    """Group lines by the first word of their label; groups of one line are put together, or to the last other one."""
    groups: dict[str, dict[str, int]] = {}
    for label, number in lines.items():
        groups.setdefault(label.split()[0], {})[label] = number
    large = [group for group in groups.values() if len(group) > 1]
    rest = {label: number for group in groups.values() if len(group) == 1 for label, number in group.items()}
    if len(rest) == 1 and large:
        large[-1] |= rest
    elif rest:
        large.append(rest)
    return large


class _Read(NamedTuple):
    """What was heard, and when it was read."""

    read_ns: int
    heard: Heard

    @property
    def event(self) -> gpiod.EdgeEvent:
        return self.heard.event


class LineRequest:
    """A request of `lines`. Every method may raise OSError when the chip has gone."""

    def __init__(
        self,
        library: Any,
        chip: gpiod.Chip,
        lines: Mapping[str, int],
        merge_ns: int,
        clock: Callable[[], int],
    ) -> None:
        """Claim `lines` as inputs with pull-ups. Raises Unavailable where they cannot be had.

        merge_ns: how long an interrupt's thread may wait where the machine does not tell. clock: CLOCK_MONOTONIC.
        """
        self._clock, claimed_ns = clock, clock()
        line = library.line
        settings = library.LineSettings(
            direction=line.Direction.INPUT,
            edge_detection=line.Edge.BOTH,
            bias=line.Bias.PULL_UP,
            active_low=True,
            event_clock=line.Clock.MONOTONIC,
        )
        try:
            consumer = f"{CONSUMER} {min(lines.values())}"
            self._request = chip.request_lines({tuple(lines.values()): settings}, consumer, BUFFER)
        except OSError as error:
            raise cannot_claim(chip, lines, error) from error
        self.labels = tuple(lines)
        rising = library.EdgeEvent.Type.RISING_EDGE
        self._numbers = Numbers({n: label for label, n in lines.items()}, rising, claimed_ns)
        self._active = line.Value.ACTIVE
        self.threads = InterruptThreads(consumer, lines.values(), merge_ns, clock=clock)
        self._newest = dict.fromkeys(lines.values(), 0)  # of each line, the number of its newest event
        self._is_full = False
        self._kept: list[_Read] = []
        self._left = MOST_AT_ONCE
        self._unread_since_ns: int | None = None
        self._read_ns = claimed_ns  # when the newest reading began
        self.losses = Losses(PERHAPS_LOST)
        self.fd = self._request.fd
        os.set_blocking(self.fd, False)

    def levels(self) -> set[str]:
        """Read all lines at once; give the labels of the active ones."""
        values = self._request.get_values()
        return {label for label, value in zip(self.labels, values, strict=True) if value is self._active}

    @property
    def is_holding(self) -> bool:
        """Tell whether events are kept that have not been given."""
        return bool(self._kept)

    @property
    def given_until_ns(self) -> int | None:
        """The instant before the earliest event that was not given; None where all were.

        What was left in the kernel's queue is not known; it is hardly older than what was read last.
        """
        earliest = [kept.event.timestamp_ns - kept.heard.wait_ns - 1 for kept in self._kept]
        earliest += [] if self._unread_since_ns is None else [self._unread_since_ns]
        return min(earliest, default=None)

    def watch_threads(self) -> None:
        """Take note of what the kernel counts while nothing is read."""
        self.threads.watch(self._read_ns, self._newest)

    def told_anew(self) -> None:
        """Forget all losses: the levels of all lines were read after everything that was queued."""
        self._numbers.told_anew()

    def renew(self) -> None:
        """Begin a new reading: `drain` may return `MOST_AT_ONCE` events again."""
        self._left = MOST_AT_ONCE

    def drain(self, *, hold: bool = True) -> Counted:
        """Read the kernel's queue, and return the events that are complete, at most `MOST_AT_ONCE`.

        hold: False does not wait for missing numbers, and returns that many even if the reading has used them up.
        """
        read, now_ns = self._read(), self._read_ns
        self._kept.sort(key=lambda kept: order(kept.heard))
        count, expected = 0, self._numbers.next
        for kept in self._kept[: self._left if hold else MOST_AT_ONCE]:
            number = kept.event.global_seqno
            hold_ns = max(HOLD_NS, kept.heard.wait_ns)
            if hold and read < FULL and number > expected and now_ns - kept.read_ns < hold_ns:
                break
            expected = max(expected, number + 1)
            count += 1
        given, self._kept = self._kept[:count], self._kept[count:]
        self._left = max(self._left - count, 0)
        counted = self._numbers.take([kept.heard for kept in given], is_full=self._is_full)
        self._is_full = self._is_full and bool(self._kept)
        if counted.may_have_lost:
            self.losses.hear(counted.lost, [label for label in self.labels if label not in ROTARY])
        return counted

    def release(self) -> None:
        """Give the lines back."""
        self.threads.close()
        self._request.release()

    def _read(self) -> int:
        """Read all that is queued, as far as it can be kept; give how many events came."""
        self._read_ns = self._clock()
        events: list[gpiod.EdgeEvent] = []
        was_left, self._unread_since_ns = self._unread_since_ns is not None, None
        while len(self._kept) + len(events) < MOST_KEPT:
            try:
                events += self._request.read_edge_events(BUFFER)
            except BlockingIOError:
                break
        else:
            newest_ns = max(event.timestamp_ns for event in (*events, *(kept.event for kept in self._kept)))
            self._unread_since_ns = newest_ns - HOLD_NS
        self._is_full |= len(events) >= FULL
        self._kept += self._heard(events, was_left=was_left)
        return len(events)

    def _heard(self, events: Sequence[gpiod.EdgeEvent], *, was_left: bool) -> Iterator[_Read]:
        """Ask how long the threads of what was just read may have waited. was_left: some of it was queued long ago."""
        if not events:
            return
        for event in events:
            self._newest[event.line_offset] = max(self._newest[event.line_offset], event.line_seqno)
        now_ns, oldest_ns = self._clock(), min(event.timestamp_ns for event in events)
        waits_ns, merged = self.threads.look(self._read_ns, self._newest, has_paused=now_ns - oldest_ns > PAUSE_NS)
        for event in events:
            line = event.line_offset
            wait_ns = max(waits_ns[line], self.threads.unmeasured_ns if was_left else 0)
            yield _Read(now_ns, Heard(event, wait_ns, was_left or merged is None or line in merged))
