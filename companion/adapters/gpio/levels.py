"""Bookkeeping that every source of real lines shares: known levels, alternating edges, edges that were missed.

Knows no library and no clock. Two facts of real lines are settled here, once:

- An interrupt can stand for two changes. The kernel (and RPi.GPIO) read the level *after* the interrupt, so a contact
  that closes and opens again within that time is reported as "open" on a line that was open. The stamp is one of the
  two changes' (Linux 6.1 keeps the later), and it may be a player's press: the pair is given, a nanosecond apart.
- Levels are read at one instant and edges are queued by another path. What lies before and after that instant is sorted
  out by the stamps, so that an edge is neither lost nor counted twice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.core.errors import Malformed
from companion.core.timing.events import Edge, Levels

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from companion.core.timing.events import SourceEvent

KNOB_A = "knob a"
KNOB_B = "knob b"
ROTARY = (KNOB_A, KNOB_B)
"""Labels of the rotary knob's two lines; they never leave a source, only `Turned` does."""


class RawEdge(NamedTuple):
    """An edge as a library reports it.

    extra_ns: what its uncertainty is more than the source's own.
    """

    t_ns: int
    line: str
    active: bool
    extra_ns: int = 0


def all_lines(lines: Mapping[str, int], rotary: tuple[int, int] | None) -> dict[str, int]:
    """Give every label's GPIO number, with the knob's two where there is one.

    Raises:
        Malformed: a number is negative, or two lines have the same.
    """
    numbers = dict(lines)
    if rotary is not None:
        numbers |= dict(zip(ROTARY, rotary, strict=True))
    taken: dict[int, str] = {}
    for label, number in numbers.items():
        if number < 0:
            raise Malformed(f"{label}: GPIO {number} cannot be; numbers start at 0")
        if number in taken:
            raise Malformed(f"GPIO {number} is given to both {taken[number]} and {label}; each line needs its own")
        taken[number] = label
    return numbers


class LineBook:
    """The level of each line as the source's events have told it so far."""

    def __init__(self, labels: Iterable[str], error_ns: int) -> None:
        self._error_ns = error_ns
        self._known = frozenset(labels)
        self._active: set[str] = set()
        self._levels_t_ns = 0
        self._doubted: dict[str, int] = {}

    def start(self, active: AbstractSet[str], t_ns: int, edges: Sequence[RawEdge]) -> list[SourceEvent]:
        """Give the levels from before the first of `edges`, then these.

        active: lines found active at or after `t_ns`. edges: all that has been queued since the lines were claimed.
        """
        first_ns = min((edge.t_ns for edge in edges), default=t_ns)
        return self.again(active, min(t_ns, first_ns - 1), edges)

    def again(self, active: AbstractSet[str], t_ns: int, edges: Sequence[RawEdge]) -> list[SourceEvent]:
        """Give the edges up to `t_ns`, the levels at that instant, and the edges after it.

        active: lines found active at or shortly after `t_ns`. edges: all that was queued by the time they were read.
        """
        later = sorted(edge for edge in edges if edge.t_ns > t_ns)
        then = set(active & self._known)
        for edge in reversed(later):
            (then.discard if edge.active else then.add)(edge.line)
        earlier = self.edges(edge for edge in edges if edge.t_ns <= t_ns)
        return [*earlier, self._restate(then & self._known, t_ns), *self.edges(later)]

    def edges(self, edges: Iterable[RawEdge]) -> list[SourceEvent]:
        """Give the edges in time order, each line's alternating."""
        out: list[Edge] = []
        for t_ns, line, active, extra_ns in sorted(edges):
            if line not in self._known:
                continue
            error_ns = self._error_ns + extra_ns
            edge = Edge(line, active, t_ns, error_ns)
            if active == (line in self._active) and t_ns > self._levels_t_ns:
                out += [Edge(line, not active, t_ns, error_ns), edge._replace(t_ns=t_ns + 1)]
            else:
                out.append(edge)
            (self._active.add if active else self._active.discard)(line)
            self._doubted.pop(line, None)
        out.sort(key=lambda edge: edge.t_ns)
        return list(out)

    def missed(self, active: AbstractSet[str], now_ns: int, delay_ns: int) -> list[str]:
        """Name the lines whose level has differed from what was told for longer than any report may take.

        Call it now and then with the lines found active at `now_ns`, after all reports so far have been given.
        """
        differing = (active & self._known) ^ self._active
        self._doubted = {line: self._doubted.get(line, now_ns) for line in differing}
        return sorted(line for line, since_ns in self._doubted.items() if now_ns - since_ns > delay_ns)

    def _restate(self, active: AbstractSet[str], t_ns: int) -> Levels:
        self._active = set(active)
        self._levels_t_ns = t_ns
        self._doubted.clear()
        return Levels(frozenset(active), self._known, t_ns)
