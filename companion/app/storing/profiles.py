"""The profiles of a box and the list of players that they belong to: one person, one name, at most one profile.

Part of `app`: it brings together the folder of profiles and the file of people. Threads: any. What the seating asks for
(`names`, `find`, `by_card`) waits for no disk once `look` has been called.
"""

from __future__ import annotations

import base64
import hmac
import secrets
from functools import cache
from typing import TYPE_CHECKING

import msgspec

from companion.adapters.people_file import PeopleFile
from companion.adapters.profiles_folder import ProfilesFolder
from companion.core.calibration.handicap import brought
from companion.core.errors import CompanionError, Illegal
from companion.core.people.book import UnknownPerson
from companion.core.people.names import is_same, key_of, tidy
from companion.core.profiles.exchange import read_profile
from companion.core.profiles.profile import MOST_OWN_BUTTONS, Profile
from companion.core.profiles.wishes import with_wishes
from companion.core.words.encoding import builtins
from companion.core.words.texts import text

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from companion.core.profiles.profile import Allowance, OwnButton
    from companion.core.profiles.wishes import Wishes

CARD_BYTES = 10
"""80 bits: nobody guesses a card, nor makes one for somebody else."""
LOST_CARD = text("this card opens no profile here: it was made by another box, or a newer one was given out")


class StoredProfiles:
    """Both ports: what the seating asks, and what pages and commands do."""

    def __init__(self, folder: ProfilesFolder, people: PeopleFile) -> None:
        self.people = people
        self._folder = folder
        self._listed: tuple[str, ...] = ()
        people.on_book = self._on_list

    # -- what waits for nothing --------------------------------------------------------------------------------------

    @property
    def problems(self) -> tuple[str, ...]:
        """What cannot be read, in sentences."""
        return self._folder.problems

    @property
    def kept(self) -> tuple[Profile, ...]:
        """All profiles there are, by name."""
        return self._folder.kept

    def names(self) -> tuple[str, ...]:
        """Give everybody on the list, and everybody with a profile, in alphabetical order."""
        known = {key_of(name): name for name in (*(one.name for one in self.kept), *self._listed)}
        return tuple(sorted(known.values(), key=lambda name: (key_of(name), name)))

    def find(self, name: str) -> Profile | None:
        """Give a person's profile, None where there is none."""
        return self._folder.find(name)

    def by_card(self, card: str) -> Profile | None:
        """Give the profile that a card names, None where none does."""
        return next((one for one in self.kept if _is_card(one, card)), None)

    def of(self, name: str) -> Profile:
        """Give a person's profile. Raises UnknownPerson."""
        found = self.find(name)
        if found is None:
            raise UnknownPerson(text("{name} has no profile").format(name=name))
        return found

    def of_card(self, card: str) -> Profile:
        """Give the profile that a card names. Raises UnknownPerson."""
        found = self.by_card(card)
        if found is None:
            raise UnknownPerson(LOST_CARD)
        return found

    # -- what waits for the disk -------------------------------------------------------------------------------------

    def look(self) -> None:
        """See what there is. Raises nothing: what cannot be read is said in `problems`, or when it is asked for."""
        self._folder.look()
        try:
            self._on_list(self.people.read().people)
        except CompanionError:
            self._listed = ()

    def begin(self, name: str) -> Profile:
        """Give a person a profile that says nothing yet, and put them on the list."""
        called = tidy(name)
        known = self.people.change(lambda book: book.with_people([called])).find(called) or called
        return self._folder.change(called, lambda before: before or Profile(name=known))

    def wish(self, profile: Profile, wishes: Wishes) -> Profile:
        """Change what a person may change of their profile."""
        return self._folder.change(profile.name, lambda before: with_wishes(_still(before, profile.name), wishes))

    def put_allowance(self, name: str, allowance: Allowance) -> Profile:
        """Put an allowance, with what it rests on, into a person's profile; one that has none gets one."""
        self.begin(name)
        return self._folder.change(name, lambda before: _with(_still(before, name), allowance=allowance))

    def put_own(self, name: str, change: Callable[[tuple[OwnButton, ...]], tuple[OwnButton, ...]]) -> Profile:
        """Change which buttons are a person's own."""

        def changed(before: Profile | None) -> Profile:
            mapping = change(_still(before, name).mapping)
            if len(mapping) > MOST_OWN_BUTTONS:
                raise Illegal(text("there is room for {most} own buttons: take some out").format(most=MOST_OWN_BUTTONS))
            return _with(_still(before, name), mapping=mapping)

        return self._folder.change(name, changed)

    def new_card(self, name: str) -> Profile:
        """Give out a new card for a person."""
        card = base64.b32encode(secrets.token_bytes(CARD_BYTES)).decode()
        return self._folder.change(name, lambda before: _with(_still(before, name), card=card))

    def take_in(self, content: bytes, *, instead: bool = False) -> Profile:
        """Keep a profile that came as a file or as a code's text, and put its person on the list.

        What races here have said of its allowance counts on.
        """
        came = read_profile(content)

        def change(before: Profile | None) -> Profile:
            if before is not None and not instead and not (came.card and _is_card(before, came.card)):
                raise Illegal(
                    text("there is a profile of {name} here already: say that this one is to take its place").format(
                        name=before.name
                    )
                )
            if before is None:
                return came
            allowance = brought(before.allowance, came.allowance)
            return _with(came, name=before.name, card=came.card or before.card, allowance=allowance)

        kept = self._folder.change(came.name, change)
        self.people.change(lambda book: book.with_people([kept.name]))
        return kept

    def drop(self, name: str) -> str:
        """Delete a profile; the person stays on the list."""
        if not self._folder.remove(name):
            raise UnknownPerson(text("{name} has no profile").format(name=name))
        return text("the profile of {name} is deleted, with its card and all that was measured").format(name=name)

    # -- as the list of players changes ------------------------------------------------------------------------------

    def has(self, name: str) -> bool:
        """Tell whether there is a profile of this person, of a newer version too."""
        return self._folder.has(name)

    def rename(self, old: str, new: str) -> str:
        """Have a person's profile go by their new name; say what became of two that are one person's now, else ""."""
        if not self._folder.has(old):
            return ""
        if not is_same(old, new) and self._folder.has(new):
            self._folder.remove(old)
            return text("Of the two profiles the one of {new} is kept").format(new=new)
        self._folder.change(old, lambda before: _with(_still(before, old), name=new))
        return ""

    def forget(self, name: str) -> bool:
        """Delete what there is of a person; tell whether there was anything."""
        return self._folder.remove(name)

    def asides(self) -> list[str]:
        """Name the damaged files that were set aside. Raises OSError."""
        return self._folder.asides()

    def _on_list(self, people: tuple[str, ...]) -> None:
        self._listed = people


@cache
def profiles_in(directory: Path) -> StoredProfiles:
    """Give the profiles of a state directory: the same for all of this program."""
    return StoredProfiles(ProfilesFolder(directory), PeopleFile(directory))


def open_profiles(directory: Path) -> StoredProfiles:
    """Give them, looked at: whoever asks them now waits for no disk."""
    profiles = profiles_in(directory)
    profiles.look()
    return profiles


def told_problems(problems: tuple[str, ...]) -> str | None:
    """Say what cannot be read as an alarm, None where all can."""
    if not problems:
        return None
    return (
        problems[0]
        if len(problems) == 1
        else text("{first} (and {count} more: the log names them)").format(first=problems[0], count=len(problems) - 1)
    )


def _is_card(profile: Profile, card: str) -> bool:
    return bool(profile.card) and hmac.compare_digest(profile.card.encode(), card.encode("utf-8", "replace"))


def _still(before: Profile | None, name: str) -> Profile:
    if before is None:
        raise UnknownPerson(text("{name} has no profile").format(name=name))
    return before


def _with(profile: Profile, **changes: object) -> Profile:
    """Give a profile with some fields changed, and read as strictly as from a file."""
    return msgspec.convert({**builtins(profile), **builtins(changes)}, Profile)
