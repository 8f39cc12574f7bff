"""Lines that flood are read by themselves, now and then, so that they do not make the threads of the others wait.

A line whose interrupts never rest makes the threads of the others wait. So its request is given back, and the seat's
other lines are claimed again without it. The sick one alone is claimed again after a pause, for as long as it makes few
edges; each trial that fails doubles the pause.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.adapters.gpio.gpiod_request import groups_of
from companion.core.timing.events import SECOND, Unheard

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from companion.adapters.gpio.gpiod_claims import Claims
    from companion.adapters.gpio.gpiod_request import LineRequest
    from companion.adapters.gpio.lines.levels import RawEdge
    from companion.adapters.gpio.lines.panel_lines import PanelLines
    from companion.core.timing.events import SourceEvent

FIRST_PAUSE_NS, LONGEST_PAUSE_NS = 2 * SECOND, 32 * SECOND
MOST_EDGES = 100
"""A trial in which there were more within `TRIAL_NS` has failed: two presses of a bouncing switch make fewer."""
TRIAL_NS = SECOND


class Trials:
    """When one line, which was given back at `now_ns`, is tried again. is_tried: it is read again by itself."""

    def __init__(self, now_ns: int) -> None:
        self._pause_ns = FIRST_PAUSE_NS
        self._next_ns = now_ns + self._pause_ns
        self._edges_ns: list[int] = []
        self.is_tried = False

    def is_due(self, now_ns: int) -> bool:
        """Tell whether its next trial should begin."""
        return not self.is_tried and now_ns >= self._next_ns

    def begin(self) -> None:
        """Begin a trial."""
        self.is_tried = True
        self._edges_ns = []

    def count(self, edges_ns: list[int]) -> bool:
        """Count edges of a trial; tell whether there are too many."""
        newest_ns = max(edges_ns, default=0)
        self._edges_ns = [t_ns for t_ns in (*self._edges_ns, *edges_ns) if newest_ns - t_ns < TRIAL_NS]
        return len(self._edges_ns) > MOST_EDGES

    def end(self, now_ns: int) -> None:
        """End a trial that has failed."""
        self.is_tried = False
        self._pause_ns = min(2 * self._pause_ns, LONGEST_PAUSE_NS)
        self._next_ns = now_ns + self._pause_ns


class SickLines:
    """The lines that the source has set aside. lines: all lines, label to GPIO number; panel: what it has told of them.

    The source passes on what a method returns. Every method may raise OSError if the chip has gone.
    """

    def __init__(self, lines: Mapping[str, int], panel: PanelLines, clock: Callable[[], int]) -> None:
        self._lines, self._panel, self._clock = lines, panel, clock
        self._aside: dict[str, Trials] = {}

    def set_aside(self, sick: AbstractSet[str], claims: Claims) -> list[SourceEvent]:
        """Release the lines that became sick, and claim recovered ones together with their seat's others again."""
        now_ns = self._clock()
        sick &= self._lines.keys()
        fallen, well = sick - self._aside.keys(), self._aside.keys() - sick
        if not fallen and not well:
            return []
        self._aside |= {line: Trials(now_ns) for line in fallen}
        for line in well:
            del self._aside[line]
        colours = {line.split()[0] for line in (*fallen, *well)}
        changed = {label for group in groups_of(self._lines) for label in group if label.split()[0] in colours}
        out: list[SourceEvent] = [Unheard(frozenset(fallen), now_ns)] if fallen else []
        return out + self._claim_anew(claims, changed)

    def begin_trials(self, claims: Claims) -> list[SourceEvent]:
        """Claim those that are due, each alone."""
        out: list[SourceEvent] = []
        for line, trials in self._aside.items():
            if trials.is_due(self._clock()):
                trials.begin()
                out += self._claim(claims, {line: self._lines[line]})
        return out

    def end_trials(self, claims: Claims, edges: Sequence[RawEdge]) -> list[SourceEvent]:
        """Release the lines that flood again. edges: those of the newest reading."""
        out: list[SourceEvent] = []
        for line, trials in self._aside.items():
            if trials.is_tried and trials.count([edge.t_ns for edge in edges if edge.line == line]):
                for request in [one for one in claims.requests if one.labels == (line,)]:
                    claims.give_back(request)
                trials.end(self._clock())
                out.append(Unheard(frozenset({line}), self._clock()))
        return out

    def _claim_anew(self, claims: Claims, changed: set[str]) -> list[SourceEvent]:
        """Claim the requests of these lines without those that are set aside, and tell what they are at now."""
        out: list[SourceEvent] = []
        for request in [one for one in claims.requests if set(one.labels) & changed]:
            out += self._panel.take(claims.drain([request], hold=False))
            changed |= set(request.labels)
            claims.give_back(request)
        lines = {label: self._lines[label] for label in self._lines if label in changed and label not in self._aside}
        return out + [event for group in groups_of(lines) for event in self._claim(claims, group)]

    def _claim(self, claims: Claims, group: Mapping[str, int]) -> list[SourceEvent]:
        return look_again(claims, self._panel, claims.claim(group))


def look_again(claims: Claims, panel: PanelLines, request: LineRequest) -> list[SourceEvent]:
    """Tell what a request's lines are at now, and their edges queued since the last reading."""
    request.losses.is_owing = False
    levels = claims.levels([request])
    edges = claims.drain([request], hold=False)
    request.told_anew()
    return panel.again(levels, edges, request.labels)
