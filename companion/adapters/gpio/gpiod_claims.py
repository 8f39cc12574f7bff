"""What of a GPIO chip has been claimed: the requests of its lines, each with its descriptor watched."""

from __future__ import annotations

import select
from typing import TYPE_CHECKING, Any

from companion.adapters.gpio.gpiod_request import LineRequest
from companion.adapters.gpio.lines.panel_lines import Found

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import gpiod

    from companion.adapters.gpio.lines.levels import RawEdge


class Claims:
    """The chip and the requests of all lines, whose descriptors are watched by `poll`.

    merge_ns, clock: as the source has them. Every method may raise OSError when the chip has gone.
    """

    def __init__(
        self, library: Any, chip: gpiod.Chip, poll: select.epoll, merge_ns: int, clock: Callable[[], int]
    ) -> None:
        self._library, self._chip, self._poll = library, chip, poll
        self._merge_ns, self._clock = merge_ns, clock
        self._longest_before_ns: int | None = None  # of requests that have been given back
        self.requests: list[LineRequest] = []

    @property
    def longest_wait_ns(self) -> int | None:
        """The longest wait of an interrupt's thread, in ns; None where the machine does not tell."""
        known = [request.threads.longest_ns for request in self.requests if request.threads.are_known]
        known += [] if self._longest_before_ns is None else [self._longest_before_ns]
        return max(known, default=None)

    def claim(self, group: Mapping[str, int]) -> LineRequest:
        """Claim lines as a request of their own. Raises Unavailable where they cannot be had."""
        request = LineRequest(self._library, self._chip, group, self._merge_ns, self._clock)
        self.requests.append(request)
        self._poll.register(request.fd, select.EPOLLIN)
        return request

    def give_back(self, request: LineRequest) -> None:
        """Release one request."""
        self._longest_before_ns = self.longest_wait_ns
        self.requests.remove(request)
        self._poll.unregister(request.fd)
        request.release()

    def levels(self, requests: Sequence[LineRequest]) -> Found:
        """Read the lines of some requests."""
        return Found(self._clock(), {label for request in requests for label in request.levels()})

    def drain(self, requests: Sequence[LineRequest], *, hold: bool = True) -> list[RawEdge]:
        """Read the queues of some requests. hold: as `LineRequest.drain` takes it."""
        return [edge for request in requests for edge in request.drain(hold=hold).edges]

    def release(self) -> None:
        """Release all requests, and close the chip."""
        while self.requests:
            self.give_back(self.requests[-1])
        self._chip.close()
