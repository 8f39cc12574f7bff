"""How each input is: closed now or open, how it bounced last, what of it was no press, what is wrong with it. Pure.

Made beside the arbiter, of the edges as they arrive and of what became of them: it decides nothing. A button that
wears out bounces for longer and longer, and a loose wire makes contacts that are no press, long before either is a
fault. Knows no source and no clock.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.core.timing.events import MS, Edge, Levels, LineFault, Press, Rejected

if TYPE_CHECKING:
    from companion.core.timing.arbiter import ArbiterEvent
    from companion.core.timing.events import SourceEvent

QUIET_NS = 20 * MS
"""Edges that follow each other sooner are one bounce: the longest that good switches bounce is a quarter of it."""
LONG_BOUNCE_NS = 5 * MS
"""A good switch bounces for less; one that bounces for longer wears out, or its wire is loose."""


class LineHealth(NamedTuple):
    """One input. line: its source's name for it ("red fourth", "red fourth (browser)").

    is_down: whether it is closed, None where nobody has read it yet. presses: how many were accepted. pressed_ns: when
    the newest of them was, None for none. bounce_ns, bounces: from the first to the last edge of its newest closing,
    and how many edges more than one it had; None and 0 before the first. glitches: how many contacts were no press;
    glitch: why the newest was none, empty for none. fault: what is wrong with it, None while it is well.
    """

    line: str
    is_down: bool | None = None
    presses: int = 0
    pressed_ns: int | None = None
    bounce_ns: int | None = None
    bounces: int = 0
    glitches: int = 0
    glitch: str = ""
    fault: str | None = None

    @property
    def is_doubtful(self) -> bool:
        """Tell whether somebody should look at it: a fault, contacts that are no press, or a long bounce."""
        return self.fault is not None or self.glitches > 0 or (self.bounce_ns or 0) > LONG_BOUNCE_NS


class LinesHealth:
    """All inputs, in the order in which they were first heard of."""

    def __init__(self) -> None:
        self._lines: dict[str, LineHealth] = {}
        self._closings: dict[str, tuple[int, int]] = {}  # of each line that closes: its first edge, and the newest

    def values(self) -> tuple[LineHealth, ...]:
        """Give how each of them is: values that another thread may keep."""
        return tuple(self._lines.values())

    def see(self, event: SourceEvent) -> None:
        """Take what a source gave, as it gave it; of one line in the order of time."""
        if isinstance(event, Edge):
            self._edge(event)
        elif isinstance(event, Levels):
            for line in sorted(event.known):
                self._put(self._of(line)._replace(is_down=line in event.active))

    def hear(self, event: ArbiterEvent) -> None:
        """Take what became of it. Nothing is told here of what is no input's."""
        if isinstance(event, Press):
            health = self._of(event.line)
            self._put(health._replace(presses=health.presses + 1, pressed_ns=event.t_ns))
        elif isinstance(event, Rejected):
            health = self._of(event.line)
            self._put(health._replace(glitches=health.glitches + 1, glitch=event.why))
        elif isinstance(event, LineFault):
            self._put(self._of(event.line)._replace(fault=event.text))

    def _edge(self, edge: Edge) -> None:
        health = self._of(edge.line)._replace(is_down=edge.active)
        first_ns, newest_ns = self._closings.get(edge.line, (0, -QUIET_NS))
        if edge.t_ns - newest_ns < QUIET_NS:
            self._closings[edge.line] = first_ns, edge.t_ns
            health = health._replace(bounce_ns=edge.t_ns - first_ns, bounces=health.bounces + 1)
        elif edge.active:
            self._closings[edge.line] = edge.t_ns, edge.t_ns
            health = health._replace(bounce_ns=0, bounces=0)
        self._put(health)

    def _of(self, line: str) -> LineHealth:
        return self._lines.get(line) or LineHealth(line)

    def _put(self, health: LineHealth) -> None:
        self._lines[health.line] = health
