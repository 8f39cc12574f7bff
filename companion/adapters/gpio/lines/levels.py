"""Bookkeeping that every source of real lines shares: known levels, alternating edges, edges that were missed.

Knows no library and no clock. Two facts of real lines are settled here, once:

- An interrupt can stand for two changes. The kernel (and RPi.GPIO) read the level *after* the interrupt, so a contact
  that closes and opens again within that time is reported as "open" on a line that was open. The stamp is one of the
  two changes' (Linux 6.1 keeps the later, unless its thread is at work), and it may be a player's press: the pair is
  given. The line went away from its level before the stamp, as early as its thread may have waited; it came back after
  it, at the latest after such a wait or at its next edge. Both are given in the middle of where they may have been.
- Levels are read at one instant and edges are queued by another path. What lies before and after that instant is sorted
  out by the stamps, so that an edge is neither lost nor counted twice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.core.errors import Malformed
from companion.core.timing.events import MS, Edge, Levels

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from companion.core.timing.events import SourceEvent

MERGE_NS = 2 * MS
"""How long an interrupt's thread may wait, where nothing else is known: what stock kernels were seen to under load."""
KNOB_A = "knob a"
KNOB_B = "knob b"
ROTARY = (KNOB_A, KNOB_B)
"""Labels of the rotary knob's two lines; they never leave a source, only `Turned` does."""


class RawEdge(NamedTuple):
    """An edge as a library reports it.

    since_ns: its change may have been as early as this, as interrupts were merged; None where it was at `t_ns`.
    wait_ns: so long its line's thread may have waited: what its level shows to be missing is no farther from `t_ns`.
    lost_since_ns: edges of its line may have been lost since then; None where none can have been.
    """

    t_ns: int
    line: str
    active: bool
    since_ns: int | None = None
    wait_ns: int = 0
    lost_since_ns: int | None = None


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

    t_ns: when the lines were claimed. `_levels_ns`, `_last_ns`: of each line, when its level was told, and the stamp of
    its last event: later changes were later.
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
        ordered = sorted((edge for edge in edges if edge.line in self._known), key=_in_time)
        pairs = zip(ordered, _next_stamps(ordered), strict=True)
        return sorted((edge for raw, next_ns in pairs for edge in self._told(raw, next_ns)), key=lambda edge: edge.t_ns)

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

    def _told(self, raw: RawEdge, next_ns: int | None) -> list[Edge]:
        """Return an edge, or the two that it stands for. next_ns: the stamp of its line's next event; None: unknown."""
        t_ns, line, active = raw.t_ns, raw.line, raw.active
        is_pair = active == (line in self._active) and t_ns > self._levels_ns[line]
        since_ns = t_ns if raw.since_ns is None else raw.since_ns
        if is_pair:
            until_ns = t_ns + raw.wait_ns if next_ns is None else min(t_ns + raw.wait_ns, next_ns)
            told = [
                self._edge(raw, not active, min(since_ns, t_ns - raw.wait_ns), t_ns),
                self._edge(raw, active, t_ns + 1, max(until_ns, t_ns + 1)),
            ]
        else:
            told = [self._edge(raw, active, since_ns, t_ns)]
        (self._active.add if active else self._active.discard)(line)
        self._doubted.pop(line, None)
        return told

    def _edge(self, raw: RawEdge, active: bool, from_ns: int, to_ns: int) -> Edge:
        """Return an edge that was between two instants, and not before the stamp of its line's event before it."""
        told_ns = self._levels_ns[raw.line]
        last_ns = max(self._last_ns[raw.line], told_ns if told_ns <= to_ns else -1)  # -1: it was there before
        from_ns = min(max(from_ns, last_ns), to_ns)
        merged_ns = (to_ns - from_ns + 1) // 2  # rounded up: its earliest instant must not come before the last edge's
        t_ns = from_ns + merged_ns
        lost_ns = None if raw.lost_since_ns is None else min(max(raw.lost_since_ns, last_ns), t_ns)
        self._last_ns[raw.line] = max(from_ns, raw.t_ns)
        return Edge(raw.line, active, t_ns, self._error_ns + merged_ns, merged_ns=merged_ns, lost_since_ns=lost_ns)

    def _restate(self, active: AbstractSet[str], known: frozenset[str], t_ns: int) -> Levels:
        self._active = (self._active - known) | active
        for line in known:
            self._levels_ns[line] = t_ns
            self._doubted.pop(line, None)
        return Levels(frozenset(active), known, t_ns)


def _next_stamps(ordered: Sequence[RawEdge]) -> list[int | None]:
    """Return for each edge the stamp of the next one of its line, or None if there is not one."""
    newest: dict[str, int] = {}
    out: list[int | None] = []
    for raw in reversed(ordered):
        out.append(newest.get(raw.line))
        newest[raw.line] = raw.t_ns
    return out[::-1]


def _in_time(edge: RawEdge) -> tuple[int, str, bool]:
    return edge.t_ns, edge.line, edge.active
