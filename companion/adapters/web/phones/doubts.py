"""What the referee is told at once of phones that are not believed, and how often. Knows no source.

None of it says which button was pressed: that may not be seen yet. Each press that counts from its arrival says so in
the record besides, with its own stamp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.timing.events import SECOND
from companion.core.words.texts import number, text

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.adapters.web.phones.panel_source import Panel
    from companion.core.timing.events import Disbelieved

TOLD_NS = SECOND
"""Of one phone it is told so often that its presses count from their arrival."""
NEARER = text("if that happens again, bring the phone nearer to the network, or take another")
FINER = text("another browser may be finer")

_COUNTS = text("{who}: a press counts from its arrival: {why}; {mend}")


class Doubts:
    """Tells of phones. tell: takes a phone and a sentence."""

    def __init__(self, tell: Callable[[Panel, str], None]) -> None:
        self._tell = tell

    def press(self, panel: Panel, disbelieved: Disbelieved, now_ns: int) -> None:
        """A press counts from its arrival."""
        if panel.doubted_ns is None or now_ns - panel.doubted_ns >= TOLD_NS:
            panel.doubted_ns = now_ns
            self._tell(panel, _COUNTS.format(who=panel.who, why=disbelieved.why, mend=NEARER))

    def clock(self, panel: Panel) -> None:
        """A round trip is over: tell, once, that the clock goes in large steps."""
        clock = panel.clock
        if clock.steps.is_coarse and not clock.is_step_told:
            clock.is_step_told = True
            step_ms = clock.steps.step_us / 1000
            says = text("{who}: its browser's clock goes in steps of {step} ms, and its ± is as large: {mend}")
            self._tell(panel, says.format(who=panel.who, step=number(f"{step_ms:.3g}"), mend=FINER))
