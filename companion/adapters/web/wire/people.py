"""The bodies of requests about people, read strictly."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from companion.adapters.web.wire.messages import Body
from companion.core.play.commands import Name  # noqa: TC001 - the decoder reads it

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


class Unshare(Body, frozen=True):
    """The token of the link that is to be taken back."""

    token: Annotated[str, Meta(max_length=64)]
