"""Faults that hold, newest first, as a display says them for as long as they last. Pure; knows no device by name."""

from __future__ import annotations

from companion.core.record.bursts import Bursts
from companion.core.record.told_presses import told_time
from companion.core.timing.arbiter import LateDelivery
from companion.core.timing.events import MS, SECOND, Dropped, LineFault, SourceFault

ALARM_NS = 60 * SECOND
"""How long the alarm of a passing fault (lost edges) stands; the record keeps it for ever."""
MOST_CHANGES = 16
"""What comes and goes more often within ten seconds stands until it does so no more."""

_Said = tuple[str, int | None]


class Alarms:
    """Faults by what they are about, each with the time at which it passes by itself, None where it does not."""

    def __init__(self) -> None:
        self._standing: dict[str, _Said] = {}
        self._changes = Bursts(MOST_CHANGES, longest_ns=ALARM_NS, keys=10_000)
        self._held: dict[str, _Said | None] = {}  # what is to stand once a key changes no more so often
        self._now_ns = 0

    def raise_(self, key: str, text: str, until_ns: int | None = None) -> None:
        """Say `text` of what `key` stands for; a new one comes before all others."""
        self._want(key, (text, until_ns))

    def clear(self, key: str) -> None:
        """What `key` stands for is well."""
        self._want(key, None)

    def _want(self, key: str, said: _Said | None) -> None:
        """Have this stand from now on; where it changes again and again, what stands stays until it does not."""
        before = self._held[key] if key in self._held else self._standing.get(key)
        is_change = (before and before[0]) != (said and said[0])
        is_too_often = is_change and not self._changes.feed(key, self._now_ns)
        if (is_too_often or key in self._held) and key in self._standing:
            self._held[key] = said
        else:
            self._put(key, said)

    def _put(self, key: str, said: _Said | None) -> None:
        self._standing.pop(key, None)
        if said is not None:
            self._standing[key] = said

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
        key = f"{fault.source}: {fault.about}" if fault.about else fault.source
        if fault.is_over:
            self.clear(key)
        else:
            self.raise_(key, text, fault.t_ns + ALARM_NS)
        return text, fault.source

    def pass_(self, now_ns: int) -> None:
        """Let time pass: what stood long enough goes."""
        self._now_ns = max(self._now_ns, now_ns)
        for burst in self._changes.advance(now_ns):
            if burst.key in self._held:
                self._put(burst.key, self._held.pop(burst.key))
        for key in [key for key, (_, until) in self._standing.items() if until is not None and until <= now_ns]:
            self._put(key, None)

    def texts(self) -> tuple[str, ...]:
        """Give what is said, newest first."""
        return tuple(text for text, _ in reversed(self._standing.values()))

    def next_deadline(self) -> int | None:
        """Give the instant at which the next alarm passes, None where none does."""
        instants = [until for _, until in self._standing.values() if until is not None]
        instants += [due for due in (self._changes.next_deadline(),) if due is not None]
        return min(instants, default=None)


def _may_have_lost(lines: tuple[str, ...]) -> str:
    return f"; a press may have been lost on {', '.join(lines)}" if lines else ""
