"""The bodies of requests about people, read strictly."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from companion.adapters.web.wire.messages import Body
from companion.core.play.commands import Name  # noqa: TC001 - the decoder reads it
from companion.core.profiles.exchange import LARGEST
from companion.core.profiles.tremor import MOST_ROUNDS, MOST_TOUCHES, Asked, Touched
from companion.core.profiles.wishes import Wishes  # noqa: TC001

Evening = Annotated[str, Meta(pattern=r"^([0-9]{4}-[0-9]{2}-[0-9]{2}|undated)$")]
"""A date, or "undated"."""


class AddPerson(Body, frozen=True):
    """A name for the list of players."""

    name: Name


class RenamePerson(Body, frozen=True):
    """What somebody is called, and is to be called."""

    name: Name
    to: Name


class RemovePerson(Body, frozen=True):
    """Whose name is to be deleted."""

    name: Name


class SharePerson(Body, frozen=True):
    """Of whom a link is to show the figures."""

    person: Name


class ShareEvening(Body, frozen=True):
    """Of which evening a link is to show the figures."""

    evening: Evening


class OfPerson(Body, frozen=True):
    """Whose profile is meant."""

    name: Name


class ChangeProfile(Body, frozen=True):
    """How a person wants to play, whole: what is left out is as usual."""

    name: Name
    wishes: Wishes


class TakeInProfile(Body, frozen=True):
    """A profile as a file or as a code's text. instead: in the place of the one that is there of this name."""

    text: Annotated[str, Meta(max_length=LARGEST)]
    instead: bool = False


Card = Annotated[str, Meta(max_length=40)]
"""What a person's card says, however it was typed."""


class OwnCard(Body, frozen=True):
    """What opens a person's own profile, and no other's."""

    card: Card


class ChangeOwn(Body, frozen=True):
    """How whoever holds the card wants to play, whole."""

    card: Card
    wishes: Wishes


class TriedTouches(Body, frozen=True):
    """A trial of a hand. card: of whoever tries; None for the referee. bounce_ms: None for the usual time."""

    touches: Annotated[tuple[Touched, ...], Meta(max_length=MOST_TOUCHES)]
    rounds: Annotated[tuple[Asked, ...], Meta(max_length=MOST_ROUNDS)]
    bounce_ms: Annotated[float, Meta(ge=0, le=50)] | None = None
    card: Card | None = None


class Unshare(Body, frozen=True):
    """The token of the link that is to be taken back."""

    token: Annotated[str, Meta(max_length=64)]
