"""The whole pure part of the box in one piece: source events, requests and time in, scenes and effects out.

`app` drives it with real sources and a real clock, the tests with their own. Knows neither.

A request (a referee's command from elsewhere) has a time like a press, and takes its turn among the presses: it is
carried out when every press before it has been given out, so that closing a race shuts out no press that was earlier
and is still on its way.
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

from companion.core.assigning.rewiring import Rewiring
from companion.core.evidence.capture import Capture
from companion.core.panel import label_of
from companion.core.timing.events import Edge, Press, Release
from companion.core.timing.histograms import LinesTimes
from companion.core.timing.safekeeping import Safekeeping

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from companion.core.panel import Colour
    from companion.core.play.session import Session
    from companion.core.profiles.holding import Sitter
    from companion.core.timing.arbiter import Arbiter, ArbiterEvent
    from companion.core.timing.events import SourceEvent
    from companion.core.timing.safekeeping import Counted


class Box:
    """An arbiter, the session it feeds, and the raw events that are kept as evidence."""

    def __init__(self, arbiter: Arbiter, session: Session) -> None:
        self.arbiter = arbiter
        self.session = session
        self.evidence = Capture()
        self.times = LinesTimes()
        """How each line bounces, and how late its edges are read."""
        self.safekeeping = Safekeeping()
        """Which edges their devices need not keep any more."""
        self._sitters: dict[Colour, Sitter] = {}
        self.rewiring = Rewiring()
        """Which lines are other buttons than their sources call them."""
        self._requests: list[tuple[int, int, Callable[[Session], None]]] = []
        self._count = 0

    def ask(self, t_ns: int, request: Callable[[Session], None]) -> None:
        """Have `request` done to the session, as of `t_ns`, by `advance`. It must not raise."""
        self._count += 1
        heapq.heappush(self._requests, (t_ns, self._count, request))

    def advance(
        self,
        now_ns: int,
        events: Iterable[tuple[str, SourceEvent]] = (),
        given: Mapping[str, int | None] | None = None,
    ) -> None:
        """Let time pass to `now_ns`.

        events: all that the sources had to give, each with its source's name, read after `now_ns` was taken. given: by
        the name of each that holds something back, up to when it has given everything.
        """
        self.session.advance(now_ns, self._settled())
        for source, given_event in events:
            if (event := self.rewiring.pass_(source, given_event)) is None:
                continue
            self.evidence.feed(source, event)
            self.session.inputs.see(event)
            self.times.see(event, now_ns)
            self.arbiter.feed(source, event)
            if isinstance(event, Edge):
                self.safekeeping.feed(source, event)
        settled = self.arbiter.advance(now_ns, given)
        for press in self.arbiter.taken():
            if self.session.took(press._replace(line=label_of(press.line))):
                self.safekeeping.took(press)
        for ordered in settled:
            self.session.inputs.hear(ordered)
            self._do_requests(now_ns, min(ordered.t_ns - 1, self.arbiter.settled_ns))
            self.session.feed(_plain(ordered))
        self._do_requests(now_ns, self.arbiter.settled_ns)
        self.session.advance(now_ns, self.arbiter.settled_ns)
        self._retime()
        self.session.show_pending(self.arbiter.pending())
        self.evidence.follow(self.session.match, now_ns, self.arbiter.settled_ns)

    def _retime(self) -> None:
        """Judge contacts by the filters of those who sit at the seats; within a match they stay as they are."""
        sitters = self.session.sitters
        if sitters != self._sitters:
            self._sitters = dict(sitters)
            self.arbiter.retime({str(colour.value): sitter.filters for colour, sitter in sitters.items()})
            self.session.sit_down()

    def sick(self, source: str) -> frozenset[str]:
        """Return the lines of a source that are electrically sick, as the source calls them."""
        return self.rewiring.own_names(source, self.arbiter.sick(source))

    @property
    def is_busy(self) -> bool:
        """Tell whether a press is on its way to its order, or a line of the match to the disk."""
        match = self.session.match
        is_stored = match is None or match.durable_lines >= match.lines_written
        return not is_stored or any(self.arbiter.pending())

    def kept(self, presses: Iterable[Press]) -> None:
        """These presses outlive the program now, or need not."""
        for press in presses:
            self.safekeeping.kept(press.origin)

    def safe(self) -> dict[Counted, int]:
        """Give up to which number devices need not keep their edges any more, of those for which that has changed."""
        return self.safekeeping.safe(self.arbiter.decided_before)

    def next_deadline(self) -> int | None:
        """Give the instant at which `advance` has something to do without a new event, None where it never has."""
        delay_ns = self.arbiter.delay_ns
        instants = [self.arbiter.next_deadline(), self.session.next_deadline(delay_ns)]
        instants += [self._requests[0][0] + delay_ns] if self._requests else []
        wanted_ns = self.evidence.next_deadline()
        instants += [wanted_ns + delay_ns] if wanted_ns is not None else []
        return min((instant for instant in instants if instant is not None), default=None)

    def _settled(self) -> int:
        """Up to when everything has been done; a request that waits comes before what follows from time alone."""
        settled_ns = self.arbiter.settled_ns
        return min(settled_ns, self._requests[0][0] - 1) if self._requests else settled_ns

    def _do_requests(self, now_ns: int, until_ns: int) -> None:
        while self._requests and self._requests[0][0] <= until_ns:
            t_ns, _, request = heapq.heappop(self._requests)
            self.session.advance(now_ns, t_ns - 1)
            request(self.session)


def _plain(event: ArbiterEvent) -> ArbiterEvent:
    """Give a press of a line that stands in for a button as one of that button."""
    return event._replace(line=label_of(event.line)) if isinstance(event, (Press, Release)) else event
