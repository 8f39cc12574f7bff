"""Buttons by libgpiod 2: the kernel stamps each edge in its interrupt, and this module only carries them.

The lines of each seat are a request of their own (`gpiod_request`), with a queue and a numbering of its own; what the
numbers tell is in `event_numbers`. Nothing is debounced here or in the kernel. No thread: `fileno()` is an epoll
descriptor over the requests and over an eventfd that says "there is something without an edge" (levels after `open`, a
fault found by `check`, edges that wait). Knows no game and no settings.
"""

from __future__ import annotations

import contextlib
import os
import select
import time
from functools import partial
from typing import TYPE_CHECKING, Any

from companion.adapters.gpio.gpiod_chip import find_chip, load_gpiod
from companion.adapters.gpio.gpiod_request import FULL, LineRequest, groups_of
from companion.adapters.gpio.interrupt_threads import wait_words
from companion.adapters.gpio.lines.levels import MERGE_NS, all_lines
from companion.adapters.gpio.lines.panel_lines import Found, PanelLines
from companion.adapters.gpio.set_aside import SetAside
from companion.core.errors import Unavailable
from companion.core.panel import line_says
from companion.core.timing.certificate import merge_with, with_certificate
from companion.core.timing.events import MS, SourceFault, Unheard
from companion.core.words.texts import joined, number, text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    import gpiod

    from companion.adapters.gpio.lines.levels import RawEdge
    from companion.core.timing.certificate import Certified
    from companion.core.timing.events import SourceEvent


class _Claimed:
    """The chip and the requests of all lines. Every method may raise OSError when the chip has gone."""

    def __init__(self, library: Any, chip: gpiod.Chip) -> None:
        self._library, self._chip = library, chip
        self.requests: list[LineRequest] = []

    def claim(self, group: Mapping[str, int], now_ns: int, merge_ns: int) -> LineRequest:
        """Claim lines as a request of their own. Raises Unavailable where they cannot be had."""
        request = LineRequest(self._library, self._chip, group, now_ns, merge_ns)
        self.requests.append(request)
        return request

    def levels(self, requests: Sequence[LineRequest]) -> set[str]:
        """Read the lines of some requests; give the labels of the active ones."""
        return {label for request in requests for label in request.levels()}

    def release(self) -> None:
        for request in self.requests:
            request.release()
        self._chip.close()


class GpiodSource:
    """A `ButtonSource` on a GPIO character device.

    lines: label to GPIO number, each a contact to ground. rotary: the knob's two lines (A, B); their detents come as
    `Turned`. chip: path, name or label; None finds the header's chip. merge_ns: how long an interrupt's thread may wait
    where the machine does not tell. certified: what a certificate adds to `error_ns`.
    clock: CLOCK_MONOTONIC in nanoseconds.
    """

    name = "gpiod"
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
        merge_ns: int = MERGE_NS,
        certified: Certified | None = None,
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self.delay_ns = delay_ns
        self.error_ns, self.certificate = with_certificate(error_ns, self.name, certified)
        self._lines = all_lines(lines, rotary)
        self._panel = PanelLines(lines, has_knob=rotary is not None)
        self._merge_ns = merge_with(merge_ns, self.name, certified)
        self._wanted = chip
        self._clock = clock
        self._claimed: _Claimed | None = None
        self._poll: select.epoll | None = None
        self._wake = -1
        self._waiting: list[SourceEvent] = []
        self._aside: dict[str, SetAside] = {}
        self._longest_before_ns: int | None = None  # of requests that have been given back

    @property
    def reading(self) -> str:
        """What a record says of how it reads: what the kernel keeps, and how long a merged edge may have waited."""
        says = text("the kernel keeps {edges} edges of each seat; {waits}")
        waits = wait_words(self._merge_ns, is_counted=self.longest_wait_ns is not None)
        return says.format(edges=number(f"{FULL:,}"), waits=waits)

    @property
    def longest_wait_ns(self) -> int | None:
        """The longest wait of an interrupt's thread since `open`, in ns; None where the machine does not tell."""
        known = [request.threads for request in self._requests() if request.threads.are_known]
        before = [] if self._longest_before_ns is None else [self._longest_before_ns]
        return max((*before, *(threads.longest_ns for threads in known)), default=None)

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
        claimed = _Claimed(library, chip)
        try:
            for group in groups_of(self._lines):
                claimed.claim(group, self._clock(), self._merge_ns)
            levels = Found(self._clock(), claimed.levels(claimed.requests))
        except OSError as error:
            claimed.release()
            if isinstance(error, Unavailable):
                raise
            raise Unavailable(f"{found.path} does not answer: {error.strerror or error}") from error
        self._claimed, self._longest_before_ns = claimed, None
        self._panel.claimed(levels, self.error_ns)
        self._watch([request.fd for request in claimed.requests])

    @property
    def given_until_ns(self) -> int | None:
        """The instant before the earliest edge that waits: for a number before it, or because there are too many."""
        return min(
            (until for request in self._requests() if (until := request.given_until_ns) is not None), default=None
        )

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

    def set_aside(self, sick: AbstractSet[str]) -> None:
        """Have these lines, which flood, be read by themselves and now and then alone; all others as ever.

        To be called whenever that may have changed. What follows is given by `read`.
        """
        buttons = sick & self._lines.keys()
        if (
            self._panel.is_started
            and (buttons or self._aside)
            and (found := self._guarded(partial(self._rest, buttons)))
        ):
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

    def _requests(self) -> Sequence[LineRequest]:
        return self._claimed.requests if self._claimed is not None else ()

    def _watch(self, descriptors: Sequence[int]) -> None:
        self._wake = os.eventfd(1, os.EFD_NONBLOCK | os.EFD_CLOEXEC)  # 1: the levels are there to be read
        self._poll = select.epoll()
        self._poll.register(self._wake, select.EPOLLIN)
        for descriptor in descriptors:
            self._poll.register(descriptor, select.EPOLLIN)

    def _guarded(self, look: Callable[[_Claimed], list[SourceEvent]]) -> list[SourceEvent]:
        """Do what needs the chip; when it has gone, say so once and let go of it."""
        if self._claimed is None:
            return []
        try:
            return look(self._claimed)
        except OSError as error:
            self._release()
            says = text("the GPIO chip does not answer any more ({why}): buttons are dead")
            return [SourceFault(self.name, says.format(why=error.strerror or error), self._clock())]

    def _gather(self, claimed: _Claimed) -> list[SourceEvent]:
        edges = self._drain(claimed.requests, hold=self._panel.is_started)
        take = self._panel.take if self._panel.is_started else self._panel.start
        out = take(edges) + self._settle(claimed)
        for request in claimed.requests:
            request.renew()
        return out + (self._end_trials(claimed, edges) if self._aside else [])

    def _drain(self, requests: Sequence[LineRequest], *, hold: bool = True) -> list[RawEdge]:
        now_ns = self._clock()
        return [edge for request in requests for edge in request.drain(now_ns, hold=hold).edges]

    def _settle(self, claimed: _Claimed) -> list[SourceEvent]:
        """Tell losses, and the levels of the lines that lost edges once all that is left of them has been given."""
        out: list[SourceEvent] = []
        for request in claimed.requests:
            is_done = request.losses.is_owing and not request.is_holding
            out += request.losses.tell(self.name, self._clock(), at_once=is_done)
            if is_done:
                out += self._look_again(request)
        if any(request.is_holding for request in claimed.requests):
            os.eventfd_write(self._wake, 1)
        return sorted(out, key=lambda event: event.t_ns)

    def _compare(self, claimed: _Claimed) -> list[SourceEvent]:
        """Take what is queued, then hold the lines' levels against what the edges said."""
        out = self._panel.take(self._drain(claimed.requests))
        for request in claimed.requests:
            request.watch_threads(self._clock())
        quiet = [request for request in claimed.requests if not request.is_holding]
        levels = Found(self._clock(), claimed.levels(quiet))
        out += self._panel.take(self._drain(quiet))
        quiet = [request for request in quiet if not request.is_holding]
        lines = [label for request in quiet for label in request.labels]
        missed = self._panel.missed(levels, self.delay_ns, lines)
        if missed:
            says = text("missed an edge of {lines}").format(lines=joined(map(line_says, missed)))
            out.append(SourceFault(self.name, says, levels.t_ns, lines=tuple(missed)))
        for request in quiet:
            request.losses.is_owing |= bool(set(missed) & set(request.labels))
        return out + self._settle(claimed) + (self._try_aside(claimed) if self._aside else [])

    def _rest(self, sick: AbstractSet[str], claimed: _Claimed) -> list[SourceEvent]:
        """Give back the lines that have fallen sick, and read those as ever that are well again."""
        now_ns = self._clock()
        fallen, well = sick - self._aside.keys(), self._aside.keys() - sick
        if not fallen and not well:
            return []
        self._aside |= {line: SetAside(now_ns) for line in fallen}
        for line in well:
            del self._aside[line]
        colours = {line.split()[0] for line in (*fallen, *well)}
        changed = {label for group in groups_of(self._lines) for label in group if label.split()[0] in colours}
        out: list[SourceEvent] = [Unheard(frozenset(fallen), now_ns)] if fallen else []
        return out + self._claim_anew(claimed, changed)

    def _claim_anew(self, claimed: _Claimed, changed: set[str]) -> list[SourceEvent]:
        """Claim the requests of these lines anew, without those that are set aside, and tell what they are at now."""
        out: list[SourceEvent] = []
        for request in [one for one in claimed.requests if set(one.labels) & changed]:
            out += self._panel.take(request.drain(self._clock(), hold=False).edges)
            changed |= set(request.labels)
            self._give_back(claimed, request)
        lines = {label: self._lines[label] for label in self._lines if label in changed and label not in self._aside}
        return out + [event for group in groups_of(lines) for event in self._claim(claimed, group)]

    def _claim(self, claimed: _Claimed, group: Mapping[str, int]) -> list[SourceEvent]:
        request = claimed.claim(group, self._clock(), self._merge_ns)
        if self._poll is not None:
            self._poll.register(request.fd, select.EPOLLIN)
        return self._look_again(request)

    def _give_back(self, claimed: _Claimed, request: LineRequest) -> None:
        self._longest_before_ns = self.longest_wait_ns
        claimed.requests.remove(request)
        if self._poll is not None:
            self._poll.unregister(request.fd)
        request.release()

    def _try_aside(self, claimed: _Claimed) -> list[SourceEvent]:
        """Try those again that are due, each alone."""
        out: list[SourceEvent] = []
        for line, aside in self._aside.items():
            if aside.is_due(self._clock()):
                aside.begin()
                out += self._claim(claimed, {line: self._lines[line]})
        return out

    def _end_trials(self, claimed: _Claimed, edges: Sequence[RawEdge]) -> list[SourceEvent]:
        """Give those back again that flood still."""
        out: list[SourceEvent] = []
        for line, aside in self._aside.items():
            if aside.is_tried and aside.count([edge.t_ns for edge in edges if edge.line == line]):
                for request in [one for one in claimed.requests if one.labels == (line,)]:
                    self._give_back(claimed, request)
                aside.end(self._clock())
                out.append(Unheard(frozenset({line}), self._clock()))
        return out

    def _look_again(self, request: LineRequest) -> list[SourceEvent]:
        """Tell what a request's lines are at now, and their edges queued since the last reading."""
        request.losses.is_owing = False
        levels = Found(self._clock(), request.levels())
        edges = self._drain([request], hold=False)
        request.told_anew()
        return self._panel.again(levels, edges, request.labels)

    def _release(self) -> None:
        self._longest_before_ns = self.longest_wait_ns
        claimed, self._claimed = self._claimed, None
        self._panel.is_started = False
        self._aside.clear()
        if claimed is None:
            return
        if self._poll is not None:
            for request in claimed.requests:
                self._poll.unregister(request.fd)
        claimed.release()
