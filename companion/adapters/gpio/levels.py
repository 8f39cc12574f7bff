"""Bookkeeping that every source of real lines shares: known levels, alternating edges, edges that were missed.

Knows no library and no clock. Two facts of real lines are settled here, once:

- An interrupt can stand for two changes. The kernel (and RPi.GPIO) read the level *after* the interrupt, so a contact
  that closes and opens again within that time is reported as "open" on a line that was open. The stamp is one of the
  two changes' (Linux 6.1 keeps the later), and it may be a player's press: the pair is given, a nanosecond apart. The
  missing one may have been any time since the line's edge before it, and the uncertainty of both says so.
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

    since_ns: an edge is missing that may be its own, since then; None where none is.
    """

    t_ns: int
    line: str
    active: bool
    since_ns: int | None = None


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
    """The level of each line as the source's events have told it so far.

    t_ns: when the lines were claimed; `_last_ns`: of each line, its last edge, or when its level was told anew.
    """

    def __init__(self, labels: Iterable[str], error_ns: int, t_ns: int = 0) -> None:
        self._error_ns = error_ns
        self._known = frozenset(labels)
        self._active: set[str] = set()
        self._levels_ns = dict.fromkeys(self._known, t_ns)
        self._last_ns = dict.fromkeys(self._known, t_ns)
        self._doubted: dict[str, int] = {}

    def start(self, active: AbstractSet[str], t_ns: int, edges: Sequence[RawEdge]) -> list[SourceEvent]:
        """Give the levels from before the first of `edges`, then these.

        active: lines found active at or after `t_ns`. edges: all that has been queued since the lines were claimed.
        """
        first_ns = min((edge.t_ns for edge in edges), default=t_ns)
        return self.again(active, min(t_ns, first_ns - 1), edges)

    def again(
        self, active: AbstractSet[str], t_ns: int, edges: Sequence[RawEdge], lines: Iterable[str] | None = None
    ) -> list[SourceEvent]:
        """Give the edges up to `t_ns`, the levels at that instant, and the edges after it.

        active: lines found active at or shortly after `t_ns`. edges: all that was queued by the time they were read.
        lines: whose levels are told, None for all; `edges` are theirs.
        """
        known = self._known if lines is None else self._known & frozenset(lines)
        later = sorted((edge for edge in edges if edge.t_ns > t_ns), key=_in_time)
        then = set(active & known)
        for edge in reversed(later):
            (then.discard if edge.active else then.add)(edge.line)
        earlier = self.edges(edge for edge in edges if edge.t_ns <= t_ns)
        return [*earlier, self._restate(then & known, known, t_ns), *self.edges(later)]

    def edges(self, edges: Iterable[RawEdge]) -> list[SourceEvent]:
        """Give the edges in time order, each line's alternating."""
        out: list[Edge] = []
        for raw in sorted(edges, key=_in_time):
            if raw.line in self._known:
                out += self._told(raw)
        out.sort(key=lambda edge: edge.t_ns)
        return list(out)

    def missed(
        self, active: AbstractSet[str], now_ns: int, delay_ns: int, lines: Iterable[str] | None = None
    ) -> list[str]:
        """Name the lines whose level has differed from what was told for longer than any report may take.

        Call it now and then with the lines found active at `now_ns`, after all reports so far have been given.
        lines: which were looked at, None for all.
        """
        known = self._known if lines is None else self._known & frozenset(lines)
        doubted = {line: self._doubted.pop(line, now_ns) for line in (active ^ self._active) & known}
        self._doubted = {line: t_ns for line, t_ns in self._doubted.items() if line not in known} | doubted
        return sorted(line for line, since_ns in doubted.items() if now_ns - since_ns > delay_ns)

    def _told(self, raw: RawEdge) -> list[Edge]:
        t_ns, line, active, since_ns = raw
        is_pair = active == (line in self._active) and t_ns > self._levels_ns[line]
        if is_pair or since_ns is not None:
            since_ns = max(self._last_ns[line], self._last_ns[line] if since_ns is None else since_ns)
        edge = Edge(line, active, t_ns, self._error_ns + (max(t_ns - since_ns, 0) if since_ns is not None else 0))
        (self._active.add if active else self._active.discard)(line)
        self._last_ns[line] = max(self._last_ns[line], t_ns)
        self._doubted.pop(line, None)
        return [edge._replace(active=not active), edge._replace(t_ns=t_ns + 1)] if is_pair else [edge]

    def _restate(self, active: AbstractSet[str], known: frozenset[str], t_ns: int) -> Levels:
        self._active = (self._active - known) | active
        for line in known:
            self._levels_ns[line] = t_ns
            self._last_ns[line] = max(self._last_ns[line], t_ns)
            self._doubted.pop(line, None)
        return Levels(frozenset(active), known, t_ns)


def _in_time(edge: RawEdge) -> tuple[int, str, bool]:
    return edge.t_ns, edge.line, edge.active
