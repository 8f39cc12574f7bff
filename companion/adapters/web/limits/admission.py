"""Who gets a place among the connections, and whose goes for it. Pure but for closing; knows no protocol.

A newcomer's address may have `per_address` places; in its last one it takes that of its own which does nothing. Where
all places are taken, one goes of the address that has the most, if that is more than the newcomer's has: the one that
was heard of longest ago. So whoever has few places always finds one, and filling the box takes many addresses. Seated
phones, referees and the box's own browser never go. Runs in the web server's thread.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from companion.adapters.web.limits.allowance import Allowances
from companion.adapters.web.limits.bounds import OWN, Bounds
from companion.adapters.web.limits.guests import FINISHED, Guest, Phase

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Note = Callable[[str], None]


class Admission:
    """Everybody who is here. note: told, in one sentence, of each connection that is refused or closed."""

    def __init__(self, bounds: Bounds, clock: Callable[[], int], note: Note) -> None:
        self.bounds = bounds
        self.clock = clock
        self.guests: set[Guest] = set()
        self.panels = Allowances(bounds.panels, 1.0)
        """New panels of an address; one comes back each second."""
        self._arrivals = Allowances(bounds.a_second, bounds.a_second)
        self._places: Counter[str] = Counter()
        self._held = 0
        self._note = note

    def admit(self, address: str, end: Callable[[], None]) -> Guest | None:
        """Give a newcomer a place, None where there is none for it; may close another's connection."""
        now_ns = self.clock()
        if address not in OWN and not self._is_welcome(address, now_ns):
            return None
        if len(self.guests) >= self.bounds.connections and not self._make_room(address):
            self._note("all places are taken")
            return None
        guest = Guest(address, end, now_ns, now_ns)
        self.guests.add(guest)
        self._places[address] += 1
        return guest

    def leave(self, guest: Guest) -> None:
        """Free a place; may be called again."""
        if guest not in self.guests:
            return
        self.guests.remove(guest)
        self._held -= guest.held
        self._places[guest.address] -= 1
        if not self._places[guest.address]:
            del self._places[guest.address]

    def end_all(self) -> None:
        """Close all connections and free their places: nobody serves them any more."""
        for guest in list(self.guests):
            self.leave(guest)
            guest.end()

    def close(self, guest: Guest, why: str) -> None:
        """Close a connection at once."""
        if guest in self.guests:
            self.leave(guest)
            self._note(why)
            guest.end()

    def hold(self, guest: Guest, size: int) -> None:
        """Note what of a guest is kept unread, in bytes; too much in all, and who holds the most goes."""
        if guest not in self.guests:
            return
        self._held += size - guest.held
        guest.held = size
        while self._held > self.bounds.held:
            self.close(max(self.guests, key=_holds_most), "too much was waiting to be read")

    def sweep(self) -> None:
        """Close whoever keeps everybody waiting; called now and then."""
        now_ns = self.clock()
        for guest in [guest for guest in self.guests if guest.is_overdue(now_ns, self.bounds)]:
            self.close(guest, "it took nothing of what it was sent" if guest.stuck else guest.phase.value)

    def make_descriptor(self) -> None:
        """Close one connection: there is no descriptor for any other."""
        goes = _goes_first(self.guests)
        if goes is not None:
            self.close(goes, "no more files can be opened")

    def _is_welcome(self, address: str, now_ns: int) -> bool:
        if not self._arrivals.take(address, now_ns):
            self._note("too many connections a second from one address")
            return False
        if self._places[address] < self.bounds.per_address:
            return True
        goes = _goes_first(guest for guest in self._of(address) if guest.phase not in FINISHED)
        if goes is None:
            self._note("too many connections from one address")
            return False
        self.close(goes, "another of its address came")
        return True

    def _make_room(self, address: str) -> bool:
        """Close a connection of whoever has most, if that is more than the newcomer has."""
        least = -1 if address in OWN else self._places[address]
        for other, count in self._places.most_common():
            if count <= least:
                return False
            goes = _goes_first(self._of(other))
            if goes is not None:
                self.close(goes, "somebody with fewer connections came")
                return True
        return False

    def _of(self, address: str) -> list[Guest]:
        return [guest for guest in self.guests if guest.address == address]


def _goes_first(guests: Iterable[Guest]) -> Guest | None:
    """Give whose connection is closed for another's, None where none may be: first whoever does nothing with it."""
    may_go = [guest for guest in guests if not guest.is_own and not guest.is_kept()]
    return min(may_go, key=lambda guest: (guest.phase in FINISHED, guest.heard_ns), default=None)


def _holds_most(guest: Guest) -> tuple[bool, int, bool, int]:
    """Order guests by who goes first for what it holds; whoever is kept or at home last."""
    return not (guest.is_own or guest.is_kept()), guest.held, guest.phase is Phase.BODY, -guest.since_ns
