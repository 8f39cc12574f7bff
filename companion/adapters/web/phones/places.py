"""Who has a place among the panels: coming and going, seats, and who must go where there is no room.

A place is kept under a secret that its page keeps. A page that comes with it has its place again, also after hours: a
place with a seat is never cleared away (there are as many at most as colours), and neither a shut door nor a full house
keeps it out. The others are bounded, in all and for each address; seated ones do not count, so that a club whose phones
share one address can play. In a full house a newcomer takes the place of one without a seat from the address that has
most of those, if that is more than its own has: whoever fills the house is the one who loses places.

Threads: that of the web server alone. Knows no clock, no button, no server.
"""

from __future__ import annotations

import secrets
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from companion.core.errors import CompanionError, Illegal
from companion.core.words.texts import text, texts

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from companion.core.panel import Colour

MOST_PANELS = 64
MOST_PANELS_OF_ONE = 8
"""Panels without a seat from one address, where the settings do not say."""
_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"

TAKEN_OVER = text("this panel is open in another place now")
CLEARED = text("this panel had no seat, and its place was given to another: load the page again")
ELSEWHERE = text("Another phone plays {seat} now: pick another colour, or ask the referee.")
TAKEN_BACK = text("The referee took the seat back: ask for it again if you still play.")
UNKNOWN = text("The box does not know this phone any more: the referee lets it in again.")
SHUT = text("the referee lets no new panels in: whoever has a seat comes back to it, others ask at the desk")


class NoPhone(CompanionError, LookupError):
    """No phone shows this code."""


class Shut(Illegal):
    """The door is shut, and this panel is new."""


class NoRoom(Illegal):
    """There are as many panels as there may be, in all or from this address."""


def nobody() -> bool:
    """Tell that no session is behind a panel."""
    return False


class Visitor(NamedTuple):
    """Whose connection it is. address: its network's ("" for none). rights: asked at each act, is it the referee's?"""

    address: str = ""
    is_near: bool = False
    rights: Callable[[], bool] = nobody


STRANGER = Visitor()


@dataclass(slots=True, eq=False)
class Place:
    """One page that is a panel. connection: counts its connections; 0 of them are there while it is `gone`.

    left: the order in which places were left last. is_cleared: it was given to another. note: why it plays no seat any
    more, in a sentence for whoever holds it; empty where there is nothing to say.
    """

    secret: str
    code: str
    visitor: Visitor
    asks: Colour | None = None
    seat: Colour | None = None
    connection: int = 0
    is_gone: bool = False
    left: int = 0
    is_cleared: bool = False
    note: str = ""

    @property
    def who(self) -> str:
        """What people call it."""
        if self.seat is None:
            return text("the phone {code}").format(code=self.code)
        return text("the phone {code} ({seat})").format(code=self.code, seat=self.seat)

    @property
    def is_near(self) -> bool:
        """Tell whether it is on the box's own machine."""
        return self.visitor.is_near

    @property
    def is_referee(self) -> bool:
        """Tell whether its connection is the referee's now."""
        return self.visitor.rights()

    def why_not(self, connection: int) -> str | None:
        """Say why a connection is not this panel's any more, None where it is."""
        if self.is_cleared:
            return CLEARED
        return TAKEN_OVER if self.connection != connection else None


P = TypeVar("P", bound=Place)


class Places(Generic[P]):
    """All places there are. Whoever has buttons in them says what follows, by the five methods at the end."""

    def __init__(self, make: Callable[[str, str, Visitor], P], most_of_one: int = MOST_PANELS_OF_ONE) -> None:
        """make: a new panel of this secret, code and visitor. most_of_one: without a seat, from one address."""
        self._make, self._most_of_one = make, most_of_one
        self._panels: dict[str, P] = {}
        self._partings = 0
        self.is_open = True
        """Whether new panels are let in; see `open_door`."""

    # -- coming and going --------------------------------------------------------------------------------------------

    def join(self, secret: str | None = None, asks: Colour | None = None, visitor: Visitor = STRANGER) -> P:
        """Give the panel of a connection: the one with this secret if there is, with its numbers and its seat.

        Raises Shut, NoRoom.
        """
        panel = self._panels.get(secret or "")
        if panel is None:
            panel = self._new(visitor)
            panel.note = UNKNOWN if secret else ""
        if panel.is_gone and panel.seat is not None:
            self._well(panel, text("{who} is back").format(who=panel.who))
        panel.visitor, panel.is_gone = visitor, False
        panel.asks = asks or panel.asks
        panel.connection += 1
        self._came(panel)
        self._changed()
        return panel

    def knows(self, secret: str | None) -> bool:
        """Tell whether somebody has a place under this secret."""
        return secret in self._panels

    def leave(self, panel: P, connection: int) -> None:
        """A connection has ended; a newer one of the same page stays."""
        if panel.connection != connection or panel.is_gone or panel.is_cleared:
            return
        self._let_go(panel)
        self._partings += 1
        panel.is_gone, panel.left = True, self._partings
        if panel.seat is not None:
            self._fault(
                panel, text("{who} has gone: open its page again, or give the seat to another").format(who=panel.who)
            )
        self._changed()

    def open_door(self, *, is_open: bool) -> None:
        """Let new panels in, or none: those that are there stay, and whoever has a place comes back to it."""
        self.is_open = is_open
        self._changed()

    def grant(self, code: str, seat: Colour | None) -> P:
        """Let the phone with this code play for `seat`, instead of any other that does; None: for none any more.

        Raises NoPhone.
        """
        panel = next((p for p in self._panels.values() if p.code == code.upper()), None)
        if panel is None:
            raise NoPhone(text("no phone shows the code {code}").format(code=code))
        for other in self._panels.values():
            if seat is not None and other.seat is seat and other is not panel:
                self._let_go(other)
                self._well(other, text("{who} was replaced by the phone {code}").format(who=other.who, code=panel.code))
                other.seat = other.asks = None
                other.note = ELSEWHERE.format(seat=seat)
        self._let_go(panel)
        panel.note = TAKEN_BACK if seat is None else ""
        if panel.is_gone and panel.seat not in (None, seat):
            self._well(panel, text("{who} plays no longer").format(who=panel.who))
        panel.seat = seat
        self._changed()
        return panel

    def ask(self, panel: P, asks: Colour | None) -> None:
        """Let a panel ask for a seat; None: it asks as before."""
        if asks is not None:
            panel.asks, panel.note = asks, ""
        self._changed()

    def stand_up(self, panel: P) -> None:
        """Let a panel give its seat up, or ask for none any more."""
        self._let_go(panel)
        panel.seat = panel.asks = None
        panel.note = ""
        self._changed()

    def grant_all(self, codes: Collection[str]) -> list[P]:
        """Let each of these phones, as the referee saw them, play for the seat it asks for; give those that do now.

        A phone that has gone gets none, nor one whose seat another that is here plays; of two for one seat, the first.
        """
        granted = []
        for panel in list(self._panels.values()):
            if panel.asks is None or panel.code not in codes or panel.seat is panel.asks or panel.is_gone:
                continue
            if not any(one.seat is panel.asks and not one.is_gone for one in self._panels.values()):
                granted.append(self.grant(panel.code, panel.asks))
        return granted

    def listed(self) -> list[P]:
        """Give the panels a referee should see: those that ask for a seat or have one."""
        return [panel for panel in self._panels.values() if panel.asks or panel.seat]

    # -- who must go -------------------------------------------------------------------------------------------------

    def _new(self, visitor: Visitor) -> P:
        if not self.is_open and not visitor.is_near and not visitor.rights():
            raise Shut(SHUT)
        self._make_room(visitor)
        panel = self._make(secrets.token_urlsafe(24), self._new_code(), visitor)
        self._panels[panel.secret] = panel
        return panel

    def _make_room(self, visitor: Visitor) -> None:
        """See that one more may come: those go that have gone, the longest ago first. Raises NoRoom."""
        mine = self._unseated(visitor.address)
        if len(mine) >= self._most_of_one and visitor.address and not visitor.is_near:
            self._clear(
                _first_to_go(mine),
                texts(
                    "there is one panel without a seat from your address already",
                    "there are {count} panels without a seat from your address already",
                    len(mine),
                ),
            )
        if len(self._panels) >= MOST_PANELS:
            self._clear(
                self._one_of_the_crowd(visitor),
                texts("there is one panel already", "there are {count} panels already", MOST_PANELS),
            )

    def _unseated(self, address: str) -> list[P]:
        return [panel for panel in self._panels.values() if panel.seat is None and panel.visitor.address == address]

    def _one_of_the_crowd(self, visitor: Visitor) -> P | None:
        """Give who goes for a newcomer: one that has gone, else one of the address that has most of them."""
        unseated = [panel for panel in self._panels.values() if panel.seat is None]
        gone = [panel for panel in unseated if panel.is_gone]
        if gone:
            return _first_to_go(gone)
        crowds = Counter(panel.visitor.address for panel in unseated if not panel.is_near)
        crowded, most = max(crowds.items(), key=lambda crowd: crowd[1], default=("", 0))
        if visitor.is_near or most > crowds[visitor.address] + 1:
            return next((panel for panel in unseated if panel.visitor.address == crowded and not panel.is_near), None)
        return None

    def _clear(self, panel: P | None, why: str) -> None:
        """Take a place away. Raises NoRoom, with the reason, where there is none to be taken."""
        if panel is None:
            raise NoRoom(text("{why}: close one of them, or have the referee give it a seat").format(why=why))
        self._let_go(panel)
        panel.is_cleared = True
        del self._panels[panel.secret]

    def _new_code(self) -> str:
        codes = {panel.code for panel in self._panels.values()}
        while True:
            code = "".join(secrets.choice(_LETTERS) for _ in range(4))
            if code not in codes:
                return code

    # -- what follows ------------------------------------------------------------------------------------------------

    def _came(self, panel: P) -> None:
        """A connection of this panel has begun."""
        raise NotImplementedError

    def _let_go(self, panel: P) -> None:
        """Nobody holds the buttons of this panel."""
        raise NotImplementedError

    def _changed(self) -> None:
        """Something that is told of panels has changed."""
        raise NotImplementedError

    def _fault(self, panel: P, says: str) -> None:
        """Something is wrong with a panel that everybody should know."""
        raise NotImplementedError

    def _well(self, panel: P, says: str) -> None:
        """What was told of a panel holds no longer, because of what `text` says."""
        raise NotImplementedError


def _first_to_go(panels: list[P]) -> P | None:
    """Give the one that left first of those that have gone, else the oldest that asks for no seat; None for nobody."""
    gone = [panel for panel in panels if panel.is_gone]
    if gone:
        return min(gone, key=lambda panel: panel.left)
    return next((panel for panel in panels if panel.asks is None), None)
