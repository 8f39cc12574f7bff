"""Who may do what at a desk: two PINs, the organiser's and the referee's, each with sessions of its own.

The organiser may all that the referee may. Wrong tries of one PIN count for both: whoever guesses gets no second chance
by guessing the other one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.adapters.web.access.guard import Guard

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion.adapters.web.tournament.messages import Role

COOKIES: Mapping[Role, str] = {"organiser": "companion-organiser", "referee": "companion-referee"}
"""Of each role's session; not the box's own: both may be served by one machine."""
MAY: Mapping[Role, tuple[Role, ...]] = {"organiser": ("organiser",), "referee": ("organiser", "referee")}
"""By what is needed, who may."""


class DeskPins(NamedTuple):
    """The PINs. Raises Malformed, as a desk is made of them, for what is none."""

    organiser: str
    referee: str


class Entry:
    """Keeps both PINs. clock: monotonic nanoseconds. Raises Malformed for what is no PIN."""

    def __init__(self, pins: DeskPins, clock: Callable[[], int]) -> None:
        first = Guard(pins.organiser, clock)
        self.guards: dict[Role, Guard] = {"organiser": first, "referee": Guard(pins.referee, clock, beside=first)}

    def role_of(self, cookies: Mapping[str, str]) -> Role | None:
        """Give the most that somebody with these cookies may; None: nothing but look."""
        for role, guard in self.guards.items():
            if guard.is_referee(cookies.get(COOKIES[role])):
                return role
        return None

    def may(self, needed: Role, cookies: Mapping[str, str]) -> bool:
        """Tell whether somebody with these cookies may do what needs a role."""
        return self.role_of(cookies) in MAY[needed]
