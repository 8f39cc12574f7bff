"""Faults that hold, newest first, as a display says them for as long as they last. Pure; knows no device by name."""

from __future__ import annotations

from companion.core.record.told_presses import told_time
from companion.core.timing.arbiter import LateDelivery
from companion.core.timing.events import MS, SECOND, Dropped, LineFault, SourceFault

ALARM_NS = 60 * SECOND
"""How long the alarm of a passing fault (lost edges) stands; the record keeps it for ever."""


class Alarms:
    """Faults by what they are about, each with the time at which it passes by itself, None where it does not."""

    def __init__(self) -> None:
        self._standing: dict[str, tuple[str, int | None]] = {}

    def raise_(self, key: str, text: str, until_ns: int | None = None) -> None:
        """Say `text` of what `key` stands for; a new one comes before all others."""
        self.clear(key)
        self._standing[key] = (text, until_ns)

    def clear(self, key: str) -> None:
        """What `key` stands for is well."""
        self._standing.pop(key, None)

    def hear(self, fault: SourceFault | LineFault | LateDelivery | Dropped) -> tuple[str, str]:
        """Take a fault in the stream of presses; give what is to be noted of it, and of what source."""
        if isinstance(fault, LineFault):
            text = f"{fault.line}: {fault.text or 'well again'}"
            if fault.text is None:
                self.clear(fault.line)
            else:
                self.raise_(fault.line, text)
            return text, fault.line
        if isinstance(fault, LateDelivery):
            edges = "an edge" if fault.edges == 1 else f"{fault.edges} edges"
            return f"{edges} came up to {fault.late_ns / MS:.1f} ms later than {fault.source} states", fault.source
        if isinstance(fault, Dropped):
            text = f"{fault.line}: a press does not count: {fault.why}"
            self.raise_(f"{fault.line} dropped", text, fault.known_ns + ALARM_NS)
            return f"{text} {told_time(fault.t_ns, fault.error_ns)}", fault.line
        text = fault.text + _may_have_lost(fault.lines)
        self.raise_(fault.source, text, fault.t_ns + ALARM_NS)
        return text, fault.source

    def pass_(self, now_ns: int) -> None:
        """Let time pass: what stood long enough goes."""
        for key in [key for key, (_, until) in self._standing.items() if until is not None and until <= now_ns]:
            self.clear(key)

    def texts(self) -> tuple[str, ...]:
        """Give what is said, newest first."""
        return tuple(text for text, _ in reversed(self._standing.values()))

    def next_deadline(self) -> int | None:
        """Give the instant at which the next alarm passes, None where none does."""
        return min((until for _, until in self._standing.values() if until is not None), default=None)


def _may_have_lost(lines: tuple[str, ...]) -> str:
    return f"; a press may have been lost on {', '.join(lines)}" if lines else ""
