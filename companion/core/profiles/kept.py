"""What pages and commands ask of whoever keeps the profiles of a box. A Protocol; pure.

What may block for the disk is called in a thread. It raises Unavailable where nothing can be read or written, Illegal
and Malformed with the reason, `UnknownPerson` for a person or a card that is not there; nothing has changed then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from companion.core.profiles.profile import Allowance, Profile
    from companion.core.profiles.wishes import Wishes


class KeptProfiles(Protocol):
    """The profiles of a box. A card that is given is the one whose holder asks; it opens that profile alone."""

    @property
    def problems(self) -> tuple[str, ...]:
        """What cannot be read, in sentences: damaged ones, those of a newer version."""

    @property
    def kept(self) -> tuple[Profile, ...]:
        """All there are, by name. Waits for nothing."""

    def of(self, name: str) -> Profile:
        """Give a person's profile."""

    def of_card(self, card: str) -> Profile:
        """Give the profile that a card names."""

    def begin(self, name: str) -> Profile:
        """Give a person a profile that says nothing yet, and put them on the list; one that is there stays."""

    def wish(self, profile: Profile, wishes: Wishes) -> Profile:
        """Change what a person may change of their profile."""

    def put_allowance(self, name: str, allowance: Allowance) -> Profile:
        """Put an allowance, with what it rests on, into a person's profile; one that has none gets one."""

    def new_card(self, name: str) -> Profile:
        """Give out a new card for a person: the one before opens nothing any more."""

    def take_in(self, content: bytes, *, instead: bool = False) -> Profile:
        """Keep a profile that came as a file or as a code's text, and put its person on the list.

        instead: in the place of another one of that name; else only where there is none, or its card shows that it is
        the same person's.
        """

    def drop(self, name: str) -> str:
        """Delete a profile, and say so: the person stays on the list."""
