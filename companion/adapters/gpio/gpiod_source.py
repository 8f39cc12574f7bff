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
from typing import TYPE_CHECKING

from companion.adapters.gpio.gpiod_chip import find_chip, load_gpiod
from companion.adapters.gpio.gpiod_request import LineRequest, groups_of
from companion.adapters.gpio.levels import all_lines
from companion.adapters.gpio.panel_lines import Found, PanelLines
from companion.core.errors import Unavailable
from companion.core.panel import line_says
from companion.core.timing.certificate import with_certificate
from companion.core.timing.events import MS, SourceFault
from companion.core.words.texts import joined, text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import gpiod

    from companion.adapters.gpio.levels import RawEdge
    from companion.core.timing.certificate import Certified
    from companion.core.timing.events import SourceEvent


class _Claimed:
    """The chip and the requests of all lines. Every method may raise OSError when the chip has gone."""

    def __init__(self, chip: gpiod.Chip) -> None:
        self._chip = chip
        self.requests: list[LineRequest] = []

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
    `Turned`. chip: path, name or label; None finds the header's chip. certified: what a certificate adds to `error_ns`.
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
        certified: Certified | None = None,
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self.delay_ns = delay_ns
        self.error_ns, self.certificate = with_certificate(error_ns, self.name, certified)
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
        claimed = _Claimed(chip)
        try:
            for group in groups_of(self._lines):
                claimed.requests.append(LineRequest(library, chip, group, self._clock()))
            levels = Found(self._clock(), claimed.levels(claimed.requests))
        except OSError as error:
            claimed.release()
            if isinstance(error, Unavailable):
                raise
            raise Unavailable(f"{found.path} does not answer: {error.strerror or error}") from error
        self._claimed = claimed
        self._panel.claimed(levels, self.error_ns)
        self._watch([request.fd for request in claimed.requests])

    @property
    def given_until_ns(self) -> int | None:
        """The instant before the earliest edge that waits: for a number before it, or because there are too many."""
        requests = self._claimed.requests if self._claimed is not None else []
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

    def close(self) -> None:
        """Give the lines back; may be called again."""
        self._release()
        if self._poll is not None:
            self._poll.close()
            os.close(self._wake)
        self._poll = None
        self._wake = -1
        self._waiting = []

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
        return out

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
        return out + self._settle(claimed)

    def _look_again(self, request: LineRequest) -> list[SourceEvent]:
        """Tell what a request's lines are at now, and their edges queued since the last reading."""
        request.losses.is_owing = False
        levels = Found(self._clock(), request.levels())
        return self._panel.again(levels, self._drain([request], hold=False), request.labels)

    def _release(self) -> None:
        claimed, self._claimed = self._claimed, None
        self._panel.is_started = False
        if claimed is None:
            return
        if self._poll is not None:
            for request in claimed.requests:
                self._poll.unregister(request.fd)
        claimed.release()
