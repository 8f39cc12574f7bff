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
from typing import TYPE_CHECKING

from companion.adapters.gpio.gpiod_chip import find_chip, load_gpiod
from companion.adapters.gpio.gpiod_claims import Claims
from companion.adapters.gpio.gpiod_request import FULL, groups_of
from companion.adapters.gpio.interrupt_threads import wait_words
from companion.adapters.gpio.lines.levels import MERGE_NS, all_lines
from companion.adapters.gpio.lines.panel_lines import PanelLines
from companion.adapters.gpio.set_aside import SickLines, look_again
from companion.core.errors import Unavailable
from companion.core.panel import line_says
from companion.core.timing.certificate import merge_with, with_certificate
from companion.core.timing.events import MS, SourceFault
from companion.core.words.texts import joined, number, text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from collections.abc import Set as AbstractSet

    from companion.core.timing.certificate import Certified
    from companion.core.timing.events import SourceEvent


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
        self._claims: Claims | None = None
        self._poll: select.epoll | None = None
        self._wake = -1
        self._waiting: list[SourceEvent] = []
        self._sick = SickLines(self._lines, self._panel, clock)
        self._longest_ns: int | None = None  # of a chip that has gone

    @property
    def reading(self) -> str:
        """What a record says of how it reads: what the kernel keeps, and how long a merged edge may have waited."""
        says = text("the kernel keeps {edges} edges of each seat; {waits}")
        waits = wait_words(self._merge_ns, is_counted=self.longest_wait_ns is not None)
        return says.format(edges=number(f"{FULL:,}"), waits=waits)

    @property
    def longest_wait_ns(self) -> int | None:
        """The longest wait of an interrupt's thread since `open`, in ns; None where the machine does not tell."""
        return self._longest_ns if self._claims is None else self._claims.longest_wait_ns

    @property
    def is_gone(self) -> bool:
        """Tell whether the chip has vanished since `open`; `close` and `open` try again."""
        return self._poll is not None and self._claims is None

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
        self._wake = os.eventfd(1, os.EFD_NONBLOCK | os.EFD_CLOEXEC)  # 1: the levels are there to be read
        self._poll = select.epoll()
        self._poll.register(self._wake, select.EPOLLIN)
        self._claims, self._longest_ns = Claims(library, chip, self._poll, self._merge_ns, self._clock), None
        try:
            for group in groups_of(self._lines):
                self._claims.claim(group)
            self._panel.claimed(self._claims.levels(self._claims.requests), self.error_ns)
        except OSError as error:
            self.close()
            if isinstance(error, Unavailable):
                raise
            raise Unavailable(f"{found.path} does not answer: {error.strerror or error}") from error

    @property
    def given_until_ns(self) -> int | None:
        """The instant before the earliest edge that waits: for a number before it, or because there are too many."""
        requests = () if self._claims is None else self._claims.requests
        return min((until for request in requests if (until := request.given_until_ns) is not None), default=None)

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
        if self._panel.is_started and (found := self._guarded(partial(self._sick.set_aside, sick))):
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

    def _guarded(self, look: Callable[[Claims], list[SourceEvent]]) -> list[SourceEvent]:
        """Do what needs the chip; when it has gone, say so once and let go of it."""
        if self._claims is None:
            return []
        try:
            return look(self._claims)
        except OSError as error:
            self._release()
            says = text("the GPIO chip does not answer any more ({why}): buttons are dead")
            return [SourceFault(self.name, says.format(why=error.strerror or error), self._clock())]

    def _gather(self, claims: Claims) -> list[SourceEvent]:
        edges = claims.drain(claims.requests, hold=self._panel.is_started)
        take = self._panel.take if self._panel.is_started else self._panel.start
        out = take(edges) + self._settle(claims)
        for request in claims.requests:
            request.renew()
        return out + self._sick.end_trials(claims, edges)

    def _settle(self, claims: Claims) -> list[SourceEvent]:
        """Tell losses, and the levels of the lines that lost edges once all that is left of them has been given."""
        out: list[SourceEvent] = []
        for request in claims.requests:
            is_done = request.losses.is_owing and not request.is_holding
            out += request.losses.tell(self.name, self._clock(), at_once=is_done)
            if is_done:
                out += look_again(claims, self._panel, request)
        if any(request.is_holding for request in claims.requests):
            os.eventfd_write(self._wake, 1)
        return sorted(out, key=lambda event: event.t_ns)

    def _compare(self, claims: Claims) -> list[SourceEvent]:
        """Take what is queued, then hold the lines' levels against what the edges said."""
        out = self._panel.take(claims.drain(claims.requests))
        for request in claims.requests:
            request.watch_threads()
        quiet = [request for request in claims.requests if not request.is_holding]
        levels = claims.levels(quiet)
        out += self._panel.take(claims.drain(quiet))
        quiet = [request for request in quiet if not request.is_holding]
        lines = [label for request in quiet for label in request.labels]
        missed = self._panel.missed(levels, self.delay_ns, lines)
        if missed:
            says = text("missed an edge of {lines}").format(lines=joined(map(line_says, missed)))
            out.append(SourceFault(self.name, says, levels.t_ns, lines=tuple(missed)))
        for request in quiet:
            request.losses.is_owing |= bool(set(missed) & set(request.labels))
        return out + self._settle(claims) + self._sick.begin_trials(claims)

    def _release(self) -> None:
        self._longest_ns = self.longest_wait_ns
        claims, self._claims = self._claims, None
        self._panel.is_started = False
        self._sick = SickLines(self._lines, self._panel, self._clock)
        if claims is not None:
            claims.release()
