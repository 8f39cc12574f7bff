"""What every lamp and motor does at an instant, from what its seat is told. Pure: whoever drives it gives the time.

Theory of operation. Each seat has one sign that lasts (`show`) and signs that pass (`give`), one after the other; each
has a pattern for the lamp and one for the motor (`rhythms`). While a sign passes its pattern stands in the place of the
lasting one's. A sign that begins to last is given once first. A cue goes to the motor alone, before all else there: it
is private. Whatever the patterns come to together, a lamp rises no sooner than `LEAST_RISE_NS` after it last rose.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from companion.core.panel import Colour
from companion.core.signals.rhythms import LASTING, LEAST_RISE_NS, OFF, PASSING, Pattern, cue_pattern
from companion.core.signals.signs import ANSWERS, Outlet, Sign

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

MOST_WAITING = 3
"""So many signs of a seat at most; one more takes the place of the last of them."""


class Lit(NamedTuple):
    """A lamp or a motor of a seat, that is on."""

    seat: Colour
    outlet: Outlet


class _Begun(NamedTuple):
    pattern: Pattern
    since_ns: int

    def is_over(self, now_ns: int) -> bool:
        return self.pattern.is_over(now_ns - self.since_ns)

    def is_on(self, now_ns: int) -> bool:
        return self.pattern.is_on(now_ns - self.since_ns)

    def next_change(self, now_ns: int) -> int | None:
        change = self.pattern.next_change(now_ns - self.since_ns)
        return None if change is None else self.since_ns + change


class _Seat:
    """What one seat is told."""

    def __init__(self) -> None:
        self.lasting: Sign | None = None
        self._lasting_ns = 0
        self._passing: deque[Sign] = deque()
        self._passing_ns = 0  # since when the first of them is given
        self._cue = _Begun(OFF, 0)

    @property
    def passing(self) -> Sign | None:
        """The sign that is being given, None for none."""
        return self._passing[0] if self._passing else None

    def show(self, sign: Sign | None, now_ns: int) -> None:
        if sign is self.lasting:
            return
        self.lasting, self._lasting_ns = sign, now_ns
        if sign is not None:
            self.give(sign, now_ns)

    def give(self, sign: Sign, now_ns: int) -> None:
        if sign in self._passing:
            return
        if sign in ANSWERS and self.passing in ANSWERS:
            self._passing[0], self._passing_ns = sign, now_ns
            return
        if len(self._passing) == MOST_WAITING:
            self._passing.pop()
        if not self._passing:
            self._passing_ns = now_ns
        self._passing.append(sign)

    def cue(self, number: int, now_ns: int) -> None:
        self._cue = _Begun(cue_pattern(number), now_ns)

    def pass_(self, now_ns: int) -> None:
        """Let time pass: what has been given whole goes, and the next begins where it ended."""
        while self._passing:
            length_ns = max(PASSING[outlet][self._passing[0]].round_ns for outlet in Outlet)
            if now_ns - self._passing_ns < length_ns:
                break
            self._passing.popleft()
            self._passing_ns += length_ns
        if not self._passing and self._passing_ns > self._lasting_ns:
            self._lasting_ns = min(now_ns, self._passing_ns)  # what lasts begins where that ended

    def begun(self, outlet: Outlet, now_ns: int) -> _Begun:
        """Give what one of its outlets does."""
        if outlet is Outlet.MOTOR and not self._cue.is_over(now_ns):
            return self._cue
        if self._passing:
            return _Begun(PASSING[outlet][self._passing[0]], self._passing_ns)
        lasting = LASTING[outlet].get(self.lasting, OFF) if self.lasting is not None else OFF
        return _Begun(lasting, self._lasting_ns)

    def next_change(self, now_ns: int) -> int | None:
        changes = [self.begun(outlet, now_ns).next_change(now_ns) for outlet in Outlet]
        if self._passing:
            length_ns = max(PASSING[outlet][self._passing[0]].round_ns for outlet in Outlet)
            changes.append(self._passing_ns + length_ns)
        return min((change for change in changes if change is not None), default=None)


class SignBoard:
    """What all seats are told. Instants are CLOCK_MONOTONIC in nanoseconds, and never go back."""

    def __init__(self) -> None:
        self._seats = {colour: _Seat() for colour in Colour}
        self._rose_ns: dict[Colour, int] = {}  # when each lamp went on last
        self._lit: frozenset[Colour] = frozenset()
        self.left_out: frozenset[Lit] = frozenset()
        """Lamps and motors that their seats do not want: they stay off."""

    def show(self, signs: Mapping[Colour, Sign], now_ns: int) -> None:
        """Say what lasts from now on: each seat's sign, none for a seat that is not there. A new one is given too."""
        for colour, seat in self._seats.items():
            seat.pass_(now_ns)
            seat.show(signs.get(colour), now_ns)

    def give(self, sign: Sign, seats: Iterable[Colour], now_ns: int) -> None:
        """Give these seats a sign once; not again where it is under way, or waits, for the same seat."""
        for colour in seats:
            self._seats[colour].pass_(now_ns)
            self._seats[colour].give(sign, now_ns)

    def cue(self, seat: Colour, number: int, now_ns: int) -> None:
        """Give a seat's motor so many pulses, in the place of an earlier cue; 0: none any more."""
        self._seats[seat].cue(number, now_ns)

    def given(self, now_ns: int) -> dict[Colour, Sign]:
        """Give the sign that each seat is being given now; one that is given none, or wants no lamp, is not in it."""
        for seat in self._seats.values():
            seat.pass_(now_ns)
        seats = {colour: seat for colour, seat in self._seats.items() if self._wants(colour, Outlet.LAMP)}
        return {colour: seat.passing for colour, seat in seats.items() if seat.passing is not None}

    def on(self, now_ns: int) -> frozenset[Lit]:
        """Give all lamps and motors that are on now."""
        out = []
        lamps = set()
        for colour, seat in self._seats.items():
            seat.pass_(now_ns)
            if self._wants(colour, Outlet.MOTOR) and seat.begun(Outlet.MOTOR, now_ns).is_on(now_ns):
                out.append(Lit(colour, Outlet.MOTOR))
            is_lit = self._wants(colour, Outlet.LAMP) and seat.begun(Outlet.LAMP, now_ns).is_on(now_ns)
            if is_lit and self._may_be_lit(colour, now_ns):
                lamps.add(colour)
        self._rose_ns |= dict.fromkeys(lamps - self._lit, now_ns)
        self._lit = frozenset(lamps)
        return frozenset((*out, *(Lit(colour, Outlet.LAMP) for colour in lamps)))

    def next_deadline(self, now_ns: int) -> int | None:
        """Give the next instant at which one of them may change by itself, None where none does."""
        changes = [seat.next_change(now_ns) for seat in self._seats.values()]
        changes += [rose_ns + LEAST_RISE_NS for rose_ns in self._rose_ns.values()]
        return min((change for change in changes if change is not None and change > now_ns), default=None)

    def _wants(self, colour: Colour, outlet: Outlet) -> bool:
        return Lit(colour, outlet) not in self.left_out

    def _may_be_lit(self, colour: Colour, now_ns: int) -> bool:
        if colour in self._lit or colour not in self._rose_ns:
            return True
        return now_ns - self._rose_ns[colour] >= LEAST_RISE_NS
