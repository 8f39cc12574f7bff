"""Who sits where before a match: from the list of players by the knob, by a card of their own, or by a page.

A person who has a profile plays by it. What it gives holds from then on, for the seat that they take and the match that
follows; whoever leaves the seat takes it along. Names of people who have not sat down are shown on the box's own
displays alone (`Apart`): pages are anybody's. Pure; `KnownPeople` waits for nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from companion.core.errors import Illegal
from companion.core.people.names import is_same, tidy
from companion.core.profiles.holding import sitter_of
from companion.core.record.lines import Names
from companion.core.shown.scene import Apart, Menu, MenuItem, Question
from companion.core.shown.scene import Lobby as LobbyScene
from companion.core.words.texts import text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from companion.core.panel import Colour
    from companion.core.profiles.holding import Sitter
    from companion.core.profiles.profile import Profile
    from companion.core.record.lines import Line

NOBODY_IN_PARTICULAR, BACK = text("nobody"), text("back")
CARD_MARK = "P-"
"""How what a person's card says begins; 16 characters follow that name the profile."""
CARD_LENGTH = 16


class KnownPeople(Protocol):
    """The list of players, and the profiles that some of them have. Waits for nothing."""

    def names(self) -> tuple[str, ...]:
        """Give everybody's name, in alphabetical order."""

    def find(self, name: str) -> Profile | None:
        """Give a person's profile, None where there is none."""

    def by_card(self, card: str) -> Profile | None:
        """Give the profile that a card names, None where none does."""


class Nobody:
    """A box that knows no people."""

    def names(self) -> tuple[str, ...]:
        """Give ()."""
        return ()

    def find(self, name: str) -> Profile | None:  # noqa: ARG002 - as whoever knows some is asked
        """Give None."""
        return None

    def by_card(self, card: str) -> Profile | None:  # noqa: ARG002
        """Give None."""
        return None


NOBODY = Nobody()


def card_in(code: str) -> str | None:
    """Give what names a profile in a code that was scanned, None where it is not a person's card."""
    card = code.removeprefix(CARD_MARK)
    is_one = code.startswith(CARD_MARK) and len(card) == CARD_LENGTH and card.isascii() and card.isalnum()
    return card.upper() if is_one else None


class Taken(NamedTuple):
    """The seats that are taken, who has a name there, and whose person plays by a profile of their own."""

    seats: tuple[Colour, ...]
    names: Mapping[Colour, str]
    by_profile: frozenset[Colour] = frozenset()

    def seat_of(self, name: str) -> Colour | None:
        """Give the seat of a person, None where they have none."""
        return next((one for one in self.seats if one in self.names and is_same(self.names[one], name)), None)

    def is_same_at(self, colour: Colour, others: Taken) -> bool:
        """Tell whether the same person sits there as among these others, as far as names say."""
        mine, theirs = self.names.get(colour), others.names.get(colour)
        return mine == theirs or (mine is not None and theirs is not None and is_same(mine, theirs))

    def without(self, colour: Colour) -> Taken:
        """Give it with nobody in particular at a seat."""
        names = {one: called for one, called in self.names.items() if one is not colour}
        return self._replace(names=names, by_profile=self.by_profile - {colour})


def card_typed(typed: str) -> str:
    """Give what a person's card says as somebody has typed it: with or without its mark, blanks and dashes in it."""
    plain = "".join(typed.split()).upper()
    return plain.removeprefix(CARD_MARK).replace("-", "")


def sitters_of(taken: Taken, people: KnownPeople) -> dict[Colour, Sitter]:
    """Give who plays by a profile of their own, by colour, as their profiles are now."""
    found = {one: people.find(taken.names[one]) for one in taken.by_profile if one in taken.names}
    return {colour: sitter_of(profile) for colour, profile in found.items() if profile is not None}


def profiles_in(lines: Iterable[Line], people: KnownPeople) -> dict[Colour, Profile]:
    """Give the profiles of those whom the record of a match names at its seats."""
    named: dict[Colour, str] = {}
    for line in lines:
        if isinstance(line, Names):
            named |= line.names
    found = {colour: people.find(name) for colour, name in named.items() if name}
    return {colour: profile for colour, profile in found.items() if profile is not None}


def seated(taken: Taken, colour: Colour, name: str | None, people: KnownPeople) -> Taken:
    """Give it with somebody at a seat that is taken; None: nobody in particular.

    Raises Illegal where nobody sits there, or the person sits elsewhere; Malformed for what is no name.
    """
    if colour not in taken.seats:
        raise Illegal(text("nobody sits at {colour}: press one of its buttons first").format(colour=colour))
    others = taken.without(colour)
    if name is None:
        return others
    called = tidy(name)
    if (elsewhere := others.seat_of(called)) is not None:
        raise Illegal(text("{called} sits at {colour} already").format(called=called, colour=elsewhere))
    by_profile = others.by_profile | ({colour} if people.find(called) is not None else set())
    return others._replace(names={**others.names, colour: called}, by_profile=by_profile)


class Sitting:
    """What the box itself has of it: whose seat is meant, the menu of names, and a card that waits for its seat.

    about: the seat whose button was pressed last, None for none. waiting: who has held their card to the scanner and
    takes the next seat.
    """

    def __init__(self, people: KnownPeople = NOBODY) -> None:
        self.people = people
        self.about: Colour | None = None
        self.waiting: str | None = None
        self._names: tuple[str, ...] | None = None  # of the menu while it is open
        self._cursor = 0

    # -- the menu ----------------------------------------------------------------------------------------------------

    @property
    def is_open(self) -> bool:
        """Tell whether the menu of names is open."""
        return self._names is not None

    def item(self, taken: Taken) -> MenuItem | None:
        """Give the line of the seating's menu, None where there is nobody to choose or no seat to choose for."""
        if self.about is None or self.about not in taken.seats or not self.people.names():
            return None
        return MenuItem(text("who is {colour}").format(colour=self.about.short), self._called(taken))

    @property
    def asks(self) -> str:
        """What the menu of names asks."""
        return text("Who is {colour}?").format(colour=self.about.short if self.about is not None else "")

    @property
    def listed(self) -> tuple[str, ...]:
        """What stands in the menu of names, the way back last; () while it is not open."""
        return (*self._names, BACK) if self._names is not None else ()

    def open(self, taken: Taken) -> None:
        """Open the menu of names for the seat that is meant."""
        self._names = (NOBODY_IN_PARTICULAR, *self.people.names())
        called = self._called(taken)
        self._cursor = next((n for n, name in enumerate(self._names) if n and is_same(name, called)), 0)

    def turn(self, steps: int) -> None:
        """Go through the names."""
        if self._names is not None:
            self._cursor = (self._cursor + steps) % len(self.listed)

    def go_to(self, place: int) -> None:
        """Mark what stands at this place of the menu, from 0."""
        self._cursor = place

    def pick(self, taken: Taken) -> Taken:
        """Take the name under the cursor, and put the menu away. Raises Illegal; it is put away then, too."""
        names, about = self._names, self.about
        self.close()
        if names is None or about is None or self._cursor >= len(names):
            return taken
        return seated(taken, about, names[self._cursor] if self._cursor else None, self.people)

    def close(self) -> None:
        """Put the menu away, and forget who was waiting."""
        self._names, self.waiting = None, None

    def scene(self, seating: LobbyScene) -> LobbyScene | Apart:
        """Give what there is to show in the place of the seating, itself while the menu is not open."""
        if self._names is None:
            return seating
        items = tuple(MenuItem(name) for name in self.listed)
        return Apart(Question(self.asks, (), Menu("", items, self._cursor)), seating)

    # -- buttons and cards -------------------------------------------------------------------------------------------

    def sat(self, taken: Taken, colour: Colour) -> Taken:
        """A button of a taken seat was pressed: it is meant from now on, and whoever waits for a seat has it.

        Raises Illegal.
        """
        name = self.waiting
        self.close()
        self.about = colour
        return taken if name is None else seated(taken, colour, name, self.people)

    def held(self, taken: Taken, profile: Profile) -> tuple[Taken, str]:
        """A person has held their card to the scanner: they have the seat that is meant where nobody is named there.

        Else they wait for their seat. Give who sits where, and what was done. Raises Illegal.
        """
        about = self.about
        if (seat := taken.seat_of(profile.name)) is not None:
            raise Illegal(text("{name} sits at {colour} already").format(name=profile.name, colour=seat))
        if about is not None and about in taken.seats and about not in taken.names:
            return seated(taken, about, profile.name, self.people), text("{name} sits at {colour}").format(
                name=profile.name, colour=about
            )
        self.waiting = profile.name
        return taken, text("{name}: press a button of your seat").format(name=profile.name)

    def _called(self, taken: Taken) -> str:
        return taken.names.get(self.about, "-") if self.about is not None else "-"
