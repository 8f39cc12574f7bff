"""Which edges their devices need not keep any more: those that no end of the program can make a press lost by. Pure.

Theory of operation. A device that keeps its edges sends them again to a program that begins anew, from the oldest that
it has not been told to forget; before them it tells the levels of its lines. An edge is *safe* when a program that
began after it would come to the same: nothing that is under way on its line depends on it (`open_since`), and the press
that it was part of, if any, is kept (in the intake, or in a record), or is not to be kept at all. A device forgets in
the order of its numbers, so the oldest that is not safe holds back all later ones of its device.

A press that is kept is not taken again, although its edges come again: by `Origin` they are known to have been taken.
"""

from __future__ import annotations

from collections import deque
from itertools import islice, takewhile
from typing import TYPE_CHECKING, NamedTuple

from companion.core.timing.events import MS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.core.timing.events import Edge, Origin, Press

LONGEST_BOUNCE_NS = 50 * MS
"""The longest that can be set: a line that opens for no longer may be in the middle of a contact."""
MOST_EDGES = 1024
"""Of one device: it has no room for more either, and lets go of the oldest by itself."""


class Counted(NamedTuple):
    """Whose numbers these are: those of one start of one device."""

    device: str
    start: int


class _Given(NamedTuple):
    """An edge on its way. line: what the arbiter calls its line."""

    source: str
    line: str
    t_ns: int
    origin: Origin


class Safekeeping:
    """The edges of all devices that keep them, from their being given until they are safe."""

    def __init__(self) -> None:
        self._given: dict[Counted, deque[_Given]] = {}
        self._unkept: list[Press] = []
        self._told: dict[Counted, int] = {}

    def feed(self, source: str, edge: Edge) -> None:
        """An edge goes on its way."""
        if edge.origin is None:
            return
        counted = Counted(edge.origin.device, edge.origin.start)
        if counted not in self._given:
            self._forget(counted.device)
            self._given[counted] = deque(maxlen=MOST_EDGES)
        self._given[counted].append(_Given(source, edge.line, edge.t_ns, edge.origin))

    def took(self, press: Press) -> None:
        """A press was accepted that is to be kept; until `kept` its edges are not safe."""
        if press.origin is not None:
            self._unkept.append(press)

    def kept(self, origin: Origin | None) -> None:
        """The press that was accepted with this edge is kept; None, or one that was kept before, changes nothing."""
        if origin is not None:
            self._unkept = [press for press in self._unkept if press.origin != origin]

    def safe(self, decided_before: Callable[[str, str], int]) -> dict[Counted, int]:
        """Give, of the devices for which that has changed, the number before which all edges are safe.

        decided_before: by source and line, the instant before which no edge decides anything any more.
        """
        found = {}
        for counted, given in self._given.items():
            safe = sum(1 for _ in takewhile(lambda edge: self._is_safe(edge, decided_before), given))
            number = None
            for _ in range(_untorn(given, safe)):
                number = given.popleft().origin.number + 1
            number = given[0].origin.number if given else number
            if number is not None and number != self._told.get(counted):
                self._told[counted] = found[counted] = number
        return found

    def _is_safe(self, edge: _Given, decided_before: Callable[[str, str], int]) -> bool:
        return edge.t_ns < decided_before(edge.source, edge.line) and not any(
            _rests_on(press, edge) for press in self._unkept
        )

    def _forget(self, device: str) -> None:
        """A device has begun anew: what it kept before is gone, and its numbers mean nothing any more."""
        for counted in [counted for counted in self._given if counted.device == device]:
            del self._given[counted]
            self._told.pop(counted, None)


def _untorn(given: Sequence[_Given], count: int) -> int:
    """Give how many of the first `count` edges can be forgotten so that no line's bouncing is cut in two.

    Found open, a line that closes again within its bouncing would seem to be pressed anew.
    """
    while count:
        after: dict[int, int] = {}
        for edge in islice(given, count, None):
            after.setdefault(edge.origin.line, edge.t_ns)
        last = {edge.origin.line: (at, edge) for at, edge in enumerate(islice(given, count))}
        torn = [
            at
            for line, (at, edge) in last.items()
            if not edge.origin.active and line in after and after[line] - edge.t_ns <= LONGEST_BOUNCE_NS
        ]
        if not torn:
            break
        count = min(torn)
    return count


def _rests_on(press: Press, edge: _Given) -> bool:
    """Tell whether an edge may belong to a press: what is given yet, of any line, was before it was accepted."""
    through, own = press.origin, edge.origin
    return (
        through is not None
        and (through.device, through.start) == (own.device, own.start)
        and own.number <= through.number
    )
