"""`companion doctor --buttons`: each button is asked for in turn; its time stamp and its bounce are shown.

Works over ssh: it only prints lines, and the box's own buttons answer. Knows Protocols, no adapter; `app` gives the
source.
"""

from __future__ import annotations

import select
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from companion.core.timing.events import MS, SECOND, Edge, Levels, SourceFault

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.core.timing.events import SourceEvent
    from companion.ports import ButtonSource

BURST_NS = 20 * MS
"""Edges closer than this belong to one closing or one opening of the contact."""
QUIET_NS = 150 * MS
"""A button that has been open and quiet for so long has been let go."""
PATIENCE_NS = 30 * SECOND
"""How long is waited for a button."""
LONGEST_BOUNCE_NS = 20 * MS
"""The default bounce time: a contact that bounces for longer needs another one in the configuration."""


def wait_readable(fd: int, timeout_ns: int) -> bool:
    """Wait until a descriptor is readable, False at the timeout."""
    poll = select.poll()
    poll.register(fd, select.POLLIN)
    return bool(poll.poll(max(1, timeout_ns // MS)))


@dataclass
class Ear:
    """Reads a source up to an instant; the clock and the waiting can be a test's own."""

    source: ButtonSource
    clock: Callable[[], int] = time.monotonic_ns
    wait: Callable[[int, int], bool] = wait_readable

    def listen(self, until_ns: int) -> list[SourceEvent]:
        """Give what comes next, or nothing when it is `until_ns`."""
        while (now_ns := self.clock()) < until_ns:
            if self.wait(self.source.fileno(), until_ns - now_ns) and (events := self.source.read()):
                return events
        return []


class Burst(NamedTuple):
    """A contact's closing or opening: its first edge, how many there were, and from the first to the last."""

    t_ns: int
    edges: int
    length_ns: int


def bursts(edges: Sequence[Edge]) -> list[Burst]:
    """Group the edges of one line into bursts; edges in time order."""
    out: list[Burst] = []
    last_ns = 0
    for edge in edges:
        if out and edge.t_ns - last_ns < BURST_NS:
            out[-1] = Burst(out[-1].t_ns, out[-1].edges + 1, edge.t_ns - out[-1].t_ns)
        else:
            out.append(Burst(edge.t_ns, 1, 0))
        last_ns = edge.t_ns
    return out


def try_buttons(ear: Ear, labels: Sequence[str], say: Callable[[str], None]) -> int:
    """Ask for each of `labels` in turn and show what came.

    Returns 0 when every button answered in its turn and bounced no longer than is allowed for, else 1. The source must
    be open and unread.

    Raises:
        Unavailable: the source was closed meanwhile.
    """
    held = {label for event in ear.listen(ear.clock() + SECOND) if isinstance(event, Levels) for label in event.active}
    for label in sorted(held):
        say(f"{label}: is held down already; let it go, or look for a short circuit")
    results = [_try(ear, label, say) for label in labels]
    good = sum(results)
    say(f"{good} of {len(results)} buttons are well" + ("" if good == len(results) else "; the others are named above"))
    return 0 if good == len(results) and not held else 1


def _try(ear: Ear, label: str, say: Callable[[str], None]) -> bool:
    say(f"press {label}, and let it go")
    edges, others = _collect(ear, label, say)
    for other in others:
        say(f"  that was {other}: if {label} was pressed, the wires of the two are swapped")
    if not edges:
        say(f"  no edge of {label} came in {PATIENCE_NS // SECOND} s: look at its wire, its ground and its GPIO number")
        return False
    return _report(edges, say) and not others


def _collect(ear: Ear, label: str, say: Callable[[str], None]) -> tuple[list[Edge], list[str]]:
    """Wait for a press of `label` and for its end; give its edges and the other buttons that were pressed meanwhile."""
    edges: list[Edge] = []
    others: list[str] = []
    patience_ns = ear.clock() + PATIENCE_NS
    until_ns = patience_ns
    while events := ear.listen(until_ns):
        for event in events:
            if isinstance(event, SourceFault):
                say(f"  {event.source}: {event.text}")
            elif isinstance(event, Edge) and event.line == label:
                edges.append(event)
            elif isinstance(event, Edge) and event.active and event.line not in others:
                others.append(event.line)
        edges.sort(key=lambda edge: edge.t_ns)
        is_let_go = bool(edges) and not edges[-1].active
        until_ns = min(ear.clock() + QUIET_NS, patience_ns) if is_let_go else patience_ns
    return edges, others


def _report(edges: list[Edge], say: Callable[[str], None]) -> bool:
    closing, *rest = bursts(edges)
    text = f"  t = {_seconds(closing.t_ns)} s ± {edges[0].error_ns / 1000:g} µs; closing: {_bounce(closing)}"
    if rest:
        held_ms = (rest[-1].t_ns - closing.t_ns) / MS
        text += f"; held {held_ms:.0f} ms; opening: {_bounce(rest[-1])}"
    say(text)
    if len(rest) > 1:
        say(f"  the contact opened and closed {len(rest) - 1} times more: a loose wire, or a double press")
    longest_ns = max(burst.length_ns for burst in (closing, *rest))
    if longest_ns > LONGEST_BOUNCE_NS:
        say(f"  bounces for {longest_ns / MS:.1f} ms: give this seat a longer bounce time, or a better switch")
    if edges[-1].active:
        say("  it has not opened again: it hangs, or was held too long")
    return longest_ns <= LONGEST_BOUNCE_NS and not edges[-1].active


def _seconds(t_ns: int) -> str:
    return f"{t_ns // SECOND}.{t_ns % SECOND:09d}"


def _bounce(burst: Burst) -> str:
    if burst.edges == 1:
        return "1 edge, no bounce"
    return f"{burst.edges} edges in {burst.length_ns / MS:.2f} ms"
