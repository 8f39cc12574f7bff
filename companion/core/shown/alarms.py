"""Faults that hold, newest first, as a display says them for as long as they last. Pure; knows no device by name."""

from __future__ import annotations

from companion.core.panel import line_says
from companion.core.record.bursts import Bursts
from companion.core.record.told_presses import told_time
from companion.core.shown.times import USUAL, until
from companion.core.timing.arbiter import LateDelivery
from companion.core.timing.events import MS, SECOND, Dropped, LineFault, SourceFault
from companion.core.words.texts import joined, number, text, texts

TOO_OFTEN_NS = 60 * SECOND
"""For how long it is seen whether something comes and goes again and again."""
MOST_CHANGES = 16
"""What comes and goes more often within ten seconds stands until it does so no more."""

_Said = tuple[str, int | None]


class Alarms:
    """Faults by what they are about, each with the time at which it passes by itself, None where it does not.

    lasts_ns: how long the alarm of a fault that has passed stands; the record keeps it for ever. None: until it is
    dismissed.
    """

    def __init__(self, lasts_ns: int | None = USUAL.alarm_ns) -> None:
        self._lasts_ns = lasts_ns
        self._passed: set[str] = set()  # that have passed, and stand until they are dismissed
        self._standing: dict[str, _Said] = {}
        self._changes = Bursts(MOST_CHANGES, longest_ns=TOO_OFTEN_NS, keys=10_000)
        self._held: dict[str, _Said | None] = {}  # what is to stand once a key changes no more so often
        self._now_ns = 0

    def raise_(self, key: str, says: str, until_ns: int | None = None) -> None:
        """Say `says` of what `key` stands for; a new one comes before all others."""
        self._want(key, (says, until_ns))

    def raise_passed(self, key: str, says: str, at_ns: int | None = None) -> None:
        """Say of a fault that has passed what it was, for as long as such an alarm stands. at_ns: when; None: now."""
        self._want(key, (says, until(self._now_ns if at_ns is None else at_ns, self._lasts_ns)))
        if self._lasts_ns is None and key in self._standing:
            self._passed.add(key)

    @property
    def can_be_dismissed(self) -> bool:
        """Tell whether something is said of what has passed, until somebody dismisses it."""
        return bool(self._passed)

    def dismiss(self) -> None:
        """Say nothing more of what has passed."""
        for key in tuple(self._passed):
            self._put(key, None)

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
        self._passed.discard(key)
        if said is not None:
            self._standing[key] = said

    def hear(self, fault: SourceFault | LineFault | LateDelivery | Dropped) -> tuple[str, str]:
        """Take a fault in the stream of presses; give what is to be noted of it, and of what source."""
        if isinstance(fault, LineFault):
            says: str = joined((line_says(fault.line), fault.text or text("well again")), ": ")
            if fault.text is None:
                self.clear(fault.line)
            else:
                self.raise_(fault.line, says)
            return says, fault.line
        if isinstance(fault, LateDelivery):
            late = number(f"{fault.late_ns / MS:.1f}")
            return texts(
                "an edge came up to {late} ms later than {source} states",
                "{count} edges came up to {late} ms later than {source} states",
                fault.edges,
                late=late,
                source=fault.source,
            ), fault.source
        if isinstance(fault, Dropped):
            says = text("{line}: a press does not count: {why}").format(line=line_says(fault.line), why=fault.why)
            self.raise_passed(f"{fault.line} dropped", says, fault.known_ns)
            return joined((says, told_time(fault.t_ns, fault.error_ns)), " "), fault.line
        says = _with_what_may_be_lost(fault.text, fault.lines)
        key = f"{fault.source}: {fault.about}" if fault.about else fault.source
        if fault.is_over:
            self.clear(key)
        else:
            self.raise_passed(key, says, fault.t_ns)
        return says, fault.source

    def pass_(self, now_ns: int) -> None:
        """Let time pass: what stood long enough goes."""
        self._now_ns = max(self._now_ns, now_ns)
        for burst in self._changes.advance(now_ns):
            if burst.key in self._held:
                self._put(burst.key, self._held.pop(burst.key))
        for key in [key for key, (_, to_ns) in self._standing.items() if to_ns is not None and to_ns <= now_ns]:
            self._put(key, None)

    def texts(self) -> tuple[str, ...]:
        """Give what is said, newest first."""
        return tuple(says for says, _ in reversed(self._standing.values()))

    def next_deadline(self) -> int | None:
        """Give the instant at which the next alarm passes, None where none does."""
        instants = [until for _, until in self._standing.values() if until is not None]
        instants += [due for due in (self._changes.next_deadline(),) if due is not None]
        return min(instants, default=None)


def _with_what_may_be_lost(says: str, lines: tuple[str, ...]) -> str:
    if not lines:
        return says
    lost = text("a press may have been lost on {lines}").format(lines=joined(map(line_says, lines)))
    return joined((says, lost), "; ")
