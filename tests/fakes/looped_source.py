"""A source with a loop of wire: what the output does, the line under the wire stamps. Nothing sleeps."""

from collections.abc import Callable

from companion.core.timing.events import Edge, SourceEvent
from companion.core.timing.loop_errors import Change
from tests.fakes.scripted_source import ScriptedSource

WRITE_NS = 8_000
"""How long a write takes."""


class LoopedSource(ScriptedSource):
    """The line `on` answers, by `error_ns(line, n)` after the middle of the n-th change's bracket; None loses the edge.

    extra: called at each change with its time, gives edges that come of themselves. before: called ahead of each one.
    """

    def __init__(self, on=None, error_ns=lambda line, n: 0):
        super().__init__([])
        self.on = [on] if isinstance(on, str) else on or []
        self.off_ns = error_ns
        self.extra: Callable[[int], list[SourceEvent]] = lambda t_ns: []
        self.before = lambda source: None
        self.changes = []

    def change(self, active):
        self.before(self)
        before_ns = self.now_ns
        self.now_ns += WRITE_NS
        n = len(self.changes)
        self.changes.append(Change(active, before_ns, self.now_ns))
        for line in self.on:
            error_ns = self.off_ns(line, n)
            if error_ns is not None:
                self.events.append(Edge(line, active, before_ns + WRITE_NS // 2 + error_ns, 20_000))
        self.events += self.extra(self.now_ns)
        self.events.sort(key=lambda event: event.t_ns)
        return self.changes[-1]
