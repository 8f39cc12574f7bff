"""What a source of real lines has told of its buttons and its knob, whatever library it reads them by.

Knows no library and no clock: the levels that were found, and the edges that were queued, come in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.adapters.gpio.lines.levels import KNOB_A, ROTARY, LineBook
from companion.adapters.gpio.lines.rotary import Rotary

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from companion.adapters.gpio.lines.levels import RawEdge
    from companion.core.timing.events import SourceEvent


class Found(NamedTuple):
    """The lines that were found active, at or shortly after an instant."""

    t_ns: int
    active: set[str]


class PanelLines:
    """The buttons' book and the knob's decoder. is_started: the first levels have been told.

    labels: of the buttons. has_knob: the two lines of the knob are read, too; they come as `Turned`.
    """

    def __init__(self, labels: Iterable[str], *, has_knob: bool) -> None:
        self._labels = tuple(labels)
        self._rotary = Rotary() if has_knob else None
        self._book = LineBook(self._labels, 0)
        self._found = Found(0, set())
        self.is_started = False

    def claimed(self, found: Found, error_ns: int) -> None:
        """The lines were claimed, and found so. error_ns: what their edges carry."""
        self._book = LineBook(self._labels, error_ns, found.t_ns)
        self._found = found
        self.is_started = False

    def start(self, edges: Sequence[RawEdge]) -> list[SourceEvent]:
        """Tell the levels first found, and the edges queued since the lines were claimed."""
        found = self._found
        self.is_started = True
        return self._book.start(found.active, found.t_ns, edges) + self._knob_from(found, edges)

    def again(self, found: Found, edges: Sequence[RawEdge], lines: Iterable[str] | None = None) -> list[SourceEvent]:
        """Tell levels that were looked for again, and the edges queued since the last reading.

        lines: whose they are, None for all.
        """
        lines = (*self._labels, *ROTARY) if lines is None else tuple(lines)
        out = self._book.again(found.active, found.t_ns, edges, lines)
        return out + (self._knob_from(found, edges) if KNOB_A in lines else [])

    def take(self, edges: Sequence[RawEdge]) -> list[SourceEvent]:
        """Tell edges, and what the knob makes of its own, in the order of time."""
        turned = self._rotary.feed(edges) if self._rotary is not None else []
        return sorted([*self._book.edges(edges), *turned], key=lambda event: event.t_ns)

    def missed(self, found: Found, delay_ns: int, lines: Iterable[str] | None = None) -> list[str]:
        """Name the lines whose edge was missed (`LineBook.missed`)."""
        return self._book.missed(found.active, found.t_ns, delay_ns, lines)

    def _knob_from(self, found: Found, edges: Sequence[RawEdge]) -> list[SourceEvent]:
        if self._rotary is None:
            return []
        self._rotary.start(found.active, found.t_ns)
        return list(self._rotary.feed(edges))
