"""The list of players and the links that were given out, as a value. Pure; knows no file and draws no token."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import msgspec

from companion.core.errors import CompanionError, Illegal
from companion.core.people.names import is_same, key_of, tidy
from companion.core.words.texts import text

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST_PEOPLE = 500
"""A club's box knows some dozens; a list of more is a mistake, or somebody's joke."""
MOST_SHARES = 100
TOKEN = r"^[A-Za-z0-9_-]{22,64}\Z"  # noqa: S105 - what one looks like
"""22 characters of 64 are 132 bits: nobody guesses a link."""


class UnknownPerson(CompanionError, LookupError):
    """Nobody of this name has played here or is on the list; or there is no such evening, or no such link."""


class Share(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A link that shows one person or one evening without a PIN. made: when, wall time (RFC 3339).

    Exactly one of person (a name) and evening (a date) is given.
    """

    token: Annotated[str, msgspec.Meta(pattern=TOKEN)]
    person: str | None = None
    evening: str | None = None
    made: str = ""

    def __post_init__(self) -> None:
        """Raises ValueError."""
        if (self.person is None) == (self.evening is None):
            raise ValueError("a link shows either a person or an evening")


class Book(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who is on the list, by name in alphabetical order, and what links there are, oldest first."""

    version: int = 1
    people: tuple[str, ...] = ()
    shares: tuple[Share, ...] = ()

    def find(self, name: str) -> str | None:
        """Give a name as the list has it, None where it is not on it."""
        return next((known for known in self.people if is_same(known, name)), None)

    def with_people(self, names: Iterable[str]) -> Book:
        """Give the book with more names; those that are on the list stay as they are. Raises Malformed, Illegal."""
        found = {key_of(known): known for known in self.people}
        for name in names:
            found.setdefault(key_of(name), tidy(name))
        if len(found) > MOST_PEOPLE:
            raise Illegal(text("the list has {most} players already: delete some first").format(most=MOST_PEOPLE))
        return msgspec.structs.replace(self, people=ordered(found.values()))

    def renamed(self, old: str, new: str) -> Book:
        """Give the book with a person under another name, which may be one of the list: then both are one."""
        others = [known for known in self.people if not is_same(known, old) and not is_same(known, new)]
        shares = tuple(
            msgspec.structs.replace(one, person=new) if one.person is not None and is_same(one.person, old) else one
            for one in self.shares
        )
        return msgspec.structs.replace(self, people=ordered([*others, tidy(new)]), shares=shares)

    def without(self, name: str) -> Book:
        """Give the book without a person, and without the links that show them."""
        shares = tuple(one for one in self.shares if one.person is None or not is_same(one.person, name))
        people = tuple(known for known in self.people if not is_same(known, name))
        return msgspec.structs.replace(self, people=people, shares=shares)

    def shared(self, share: Share) -> Book:
        """Give the book with one more link. Raises Illegal where there are too many."""
        if len(self.shares) >= MOST_SHARES:
            raise Illegal(text("there are {most} links already: take some back first").format(most=MOST_SHARES))
        return msgspec.structs.replace(self, shares=(*self.shares, share))

    def unshared(self, token: str) -> Book:
        """Give the book without a link. Raises UnknownPerson where there is none of this token."""
        kept = tuple(one for one in self.shares if one.token != token)
        if len(kept) == len(self.shares):
            raise UnknownPerson("there is no such link: it has been taken back already")
        return msgspec.structs.replace(self, shares=kept)


def ordered(names: Iterable[str]) -> tuple[str, ...]:
    """Put names into alphabetical order, capitals and small letters alike."""
    return tuple(sorted(names, key=lambda name: (key_of(name), name)))
