"""Which button a line is, where that is not what it is called: any input can be any button of any seat. Pure.

A line that was given to another button goes by that button's name, marked with its own: "blue first (red first)". So
its contacts stay its own, beside the button that has the name anyway. What is assigned by pressing it is caught here:
the next press of any line is told and does nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.core.panel import KNOB_PUSH, label_of, marked
from companion.core.timing.events import MS, Edge, Levels, SourceFault, Unheard

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion.core.timing.events import SourceEvent

QUIET_NS = 300 * MS
"""A line that was caught does nothing until it has been quiet for so long: it may bounce, and must be let go."""


class Wire(NamedTuple):
    """A line of a source, as that calls it."""

    source: str
    line: str


class Rewiring:
    """The table by which lines go on their way.

    on_catch: told of the next press of a line, which then has no other effect; the knob is never caught, so that who
    assigns can leave. It is forgotten with that press.
    """

    def __init__(self, labels: Mapping[Wire, str] | None = None) -> None:
        self.on_catch: Callable[[Wire], None] | None = None
        self._labels = dict(labels or {})
        self._names: dict[Wire, str] = {}
        self._muted: Wire | None = None
        self._until_ns = 0

    @property
    def labels(self) -> dict[Wire, str]:
        """Which button each line is that was given to another."""
        return dict(self._labels)

    @property
    def lines(self) -> tuple[str, ...]:
        """The names that lines go by which are called otherwise."""
        return tuple(sorted(self.name_of(wire) for wire in self._labels))

    def give(self, labels: Mapping[Wire, str]) -> None:
        """Have lines be other buttons from now on; all that are not named are what they are called."""
        self._labels = dict(labels)
        self._names.clear()

    def own_names(self, source: str, lines: frozenset[str]) -> frozenset[str]:
        """Return what a source calls these lines."""
        given = {self.name_of(wire): wire.line for wire in self._labels if wire.source == source}
        return frozenset(given.get(line, line) for line in lines)

    def name_of(self, wire: Wire) -> str:
        """Give the name that a line goes by."""
        name = self._names.get(wire)
        if name is None:
            label = self._labels.get(wire)
            plain = label is None or label == label_of(wire.line)
            name = self._names[wire] = wire.line if plain else marked(str(label), wire.line)
        return name

    def pass_(self, source: str, event: SourceEvent) -> SourceEvent | None:
        """Give an event of a source as it goes on, None where it goes nowhere."""
        if isinstance(event, Edge):
            wire = Wire(source, event.line)
            return None if self._takes(wire, event) else event._replace(line=self.name_of(wire))
        if not self._labels:
            return event
        if isinstance(event, Levels):
            return event._replace(active=self._named(source, event.active), known=self._named(source, event.known))
        if isinstance(event, Unheard):
            return event._replace(lines=self._named(source, event.lines))
        if isinstance(event, SourceFault):
            return event._replace(lines=tuple(self.name_of(Wire(source, line)) for line in event.lines))
        return event

    def _named(self, source: str, lines: frozenset[str]) -> frozenset[str]:
        return frozenset(self.name_of(Wire(source, line)) for line in lines)

    def _takes(self, wire: Wire, edge: Edge) -> bool:
        if wire == self._muted and edge.t_ns < self._until_ns:
            self._until_ns = edge.t_ns + QUIET_NS
            return True
        if self.on_catch is None or not edge.active or label_of(wire.line) == KNOB_PUSH:
            return False
        on_catch, self.on_catch = self.on_catch, None
        self._muted, self._until_ns = wire, edge.t_ns + QUIET_NS
        on_catch(wire)
        return True
