"""What of a stream of faults is noted in the record: each, unless one comes again and again; then how often. Pure."""

from __future__ import annotations

import re
from typing import NamedTuple

from companion.core.record.bursts import Burst, Bursts
from companion.core.timing.arbiter import LateDelivery
from companion.core.timing.events import Dropped, LineFault, Press, SourceFault

_VARYING = re.compile(r"\b(?=[a-f]*[0-9])[0-9a-f]{6,}\b|[0-9]+(?:[.,][0-9]+)*")
LONGEST_KIND = 120
MOST_OF_SOURCE = 32
"""Of one source and kind in ten seconds, whatever it says."""


class Remarked(NamedTuple):
    """A remark and what it is about."""

    text: str
    source: str


def kind_of(text: str) -> str:
    """Give a text without what varies from one time to the next: its numbers."""
    return _VARYING.sub("#", text)[:LONGEST_KIND]


class Noticed:
    """What is noted of the faults, and of presses that something is said of."""

    def __init__(self) -> None:
        self._alike = Bursts()
        self._all = Bursts(MOST_OF_SOURCE)

    def is_noted(self, event: SourceFault | LineFault | LateDelivery | Dropped | Press, text: str, source: str) -> bool:
        """Tell whether this is to be noted now; else it is counted."""
        what = "contacts ignored" if isinstance(event, Dropped) else _WHAT[type(event)]
        lines = event.lines if isinstance(event, SourceFault) else ()
        is_alike = isinstance(event, (Dropped, LineFault, LateDelivery))
        key = "\n".join((source, what, ",".join(lines)))
        kind = key if is_alike else f"{key}\n{kind_of(text)}"
        t_ns = event.known_ns if isinstance(event, Dropped) else event.t_ns
        lost = event.lost if isinstance(event, SourceFault) else 0
        return self._alike.feed(kind, t_ns, text, lost) and self._all.feed(key, t_ns, text, lost)

    def advance(self, now_ns: int) -> list[Remarked]:
        """Let time pass; give what is to be said of those that were not noted."""
        return [_summed(burst) for burst in (*self._alike.advance(now_ns), *self._all.advance(now_ns))]

    def next_deadline(self) -> int | None:
        """Give the instant at which `advance` has something to say, None where it has not."""
        due = (self._alike.next_deadline(), self._all.next_deadline())
        return min((instant for instant in due if instant is not None), default=None)


_WHAT: dict[type, str] = {
    SourceFault: "faults",
    LineFault: "changes between wrong and well",
    LateDelivery: "late deliveries",
    Press: "remarks on presses",
}


def _summed(burst: Burst) -> Remarked:
    source, what, *_ = [*burst.key.split("\n"), "such things"]
    lost = f", {burst.amount:,} edges lost" if burst.amount else ""
    last = "" if what == "contacts ignored" else f"; the last: {burst.last}"
    return Remarked(f"{source}: {burst.left_out:,} more {what} in {burst.lasted}{lost}{last}", source)
