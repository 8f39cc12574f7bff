"""The trial of a box's lines: an output drives a wire that a person moves from line to line.

Which line the wire is on is found by asking: four pulses go out, and the line that answers to all of them is the one.
So the order is free, a wire in the wrong place is named and not taken for another line, and one that comes off in the
middle is noticed. Pulses and pauses are drawn at random, so that nothing that ticks keeps step with them. Knows
Protocols, no adapter; `app` gives the source and the output. Works over ssh: it only prints lines.
"""

from __future__ import annotations

import select
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from companion.core.errors import Unavailable
from companion.core.timing.certificate import PULSES
from companion.core.timing.events import MS, SECOND, Edge, SourceFault
from companion.core.timing.loop_errors import EARLY_NS, figures, pair
from companion.screens.text.certificate import line_words

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from random import Random

    from companion.cli.button_trial import Ear
    from companion.core.timing.loop_errors import Change, LineFigures, Paired

SHORTEST_NS, LONGEST_NS = 15 * MS, 40 * MS
"""Between these every pulse and every pause is drawn; longer than `EARLY_NS`, and than a switch bounces."""
PROBES = 4
"""Pulses that ask which line the wire is on."""
PAUSE_NS = 300 * MS
"""Between one such question and the next."""
PATIENCE_NS = 90 * SECOND
"""How long is waited for a line to answer."""
SILENT = 10
"""So many pulses without an edge, and the wire has come off."""
MARGIN_NS = 20 * MS
"""An edge is waited for so much longer than its source may delay it."""


class Loop(Protocol):
    """The output that drives the wire."""

    def change(self, active: bool) -> Change:
        """Close or open the contact that the wire stands for. Raises Unavailable where the pin is gone."""


def wait_precisely(fd: int, timeout_ns: int) -> bool:
    """Wait until a descriptor is readable, False at the timeout, which is not rounded to milliseconds."""
    return bool(select.select([fd], [], [], timeout_ns / SECOND)[0])


@dataclass
class Trial:
    """The trial of `lines` (the number of each one's input by label; `where` says what is numbered).

    done: figures of lines that were tried before; grows. save: called after each line with all figures so far, its name
    and what came of its changes; what it raises ends the trial. pulses: of each line.
    """

    ear: Ear
    loop: Loop
    lines: Mapping[str, int]
    chance: Random
    say: Callable[[str], None]
    save: Callable[[list[LineFigures], str, Paired], None]
    done: list[LineFigures] = field(default_factory=list)
    pulses: int = PULSES
    where: str = "GPIO"
    _edges: list[Edge] = field(default_factory=list)

    def run(self) -> list[str]:
        """Try every line that is not done; give those that never answered. Raises Unavailable without the chip."""
        silent: list[str] = []
        while waiting := [line for line in self.lines if line not in self._tried() and line not in silent]:
            self._ask(waiting[0])
            found = self._find(waiting[0], [*waiting, *silent])
            if found is None:
                self.say(f"  {waiting[0]} has not answered in {PATIENCE_NS // SECOND} s: look at the wire's two ends,")
                self.say(f"  at the button's own wire, and whether it goes to {self.where} {self.lines[waiting[0]]}")
                silent.append(waiting[0])
            elif self._try(found) and found in silent:
                silent.remove(found)
        return silent

    def _tried(self) -> set[str]:
        return {line.line for line in self.done}

    def _ask(self, line: str) -> None:
        self.say(
            f"put the wire on {line} ({self.where} {self.lines[line]}); {len(self.done)} of {len(self.lines)} are done"
        )

    def _find(self, asked: str, wanted: list[str]) -> str | None:
        """Wait for a line among `wanted` that answers alone; None when it takes too long."""
        said: set[str] = set()
        give_up_ns = self.ear.clock() + PATIENCE_NS
        while self.ear.clock() < give_up_ns:
            answering = self._answering()
            if len(answering) == 1 and answering[0] in wanted:
                return answering[0]
            remark = self._remark(answering, asked)
            if remark and remark not in said:
                self.say(remark)
                said.add(remark)
            self._listen(PAUSE_NS)
        return None

    def _remark(self, answering: list[str], asked: str) -> str:
        if len(answering) > 1:
            return f"  {' and '.join(answering)} answer together: their wires touch; the wire goes on {asked} alone"
        if answering:
            what = "is done" if answering[0] in self._tried() else "is none of the lines to be tried"
            return f"  that is {answering[0]}, which {what}: move the wire to {asked}"
        return ""

    def _answering(self) -> list[str]:
        """Send a few pulses; give the lines that answered to all of them."""
        changes, edges = self._pulses(PROBES)
        lines = dict.fromkeys(edge.line for edge in edges)
        return [line for line in lines if not pair(changes, [edge for edge in edges if edge.line == line]).lost]

    def _try(self, line: str) -> bool:
        """Measure a line; False where the wire came off, and nothing is kept of it."""
        self.say(f"  {line} answers: {self.pulses} pulses")
        changes, edges = self._pulses(self.pulses, line)
        own = [edge for edge in edges if edge.line == line]
        paired = pair(changes, own)
        found = figures(line, self.lines[line], paired, len(edges) - len(own))
        if found is None or len(changes) < 2 * self.pulses:
            self.say(f"  {line} stopped answering: the wire has come off; its pulses do not count")
            return False
        self.done.append(found)
        self.save(self.done, line, paired)
        self.say(f"  {line_words(found)}")
        return True

    def _pulses(self, count: int, line: str | None = None) -> tuple[list[Change], list[Edge]]:
        """Send pulses and give the changes and all edges; ends early where `line` has stopped answering."""
        self._edges = []
        changes: list[Change] = []
        for _ in range(count):
            for active in (True, False):
                changes.append(self.loop.change(active))
                self._listen(self.chance.randrange(SHORTEST_NS, LONGEST_NS))
            if line is not None and self._is_silent(line, changes):
                break
        self._listen(self.ear.source.delay_ns + MARGIN_NS)
        return changes, self._edges

    def _is_silent(self, line: str, changes: list[Change]) -> bool:
        if len(changes) < 2 * SILENT:
            return False
        since_ns = changes[-2 * SILENT].before_ns - EARLY_NS
        return not any(edge.line == line and edge.t_ns >= since_ns for edge in self._edges)

    def _listen(self, length_ns: int) -> None:
        """Take what comes in so long."""
        until_ns = self.ear.clock() + length_ns
        while events := self.ear.listen(until_ns):
            self._edges += [event for event in events if isinstance(event, Edge)]
            for event in events:
                if isinstance(event, SourceFault):
                    self.say(f"  {event.source}: {event.text}")
        if self.ear.source.is_gone:
            raise Unavailable("the buttons' chip is gone: nothing can be measured; look at companion doctor")
