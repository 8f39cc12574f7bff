"""What goes over the wire at a tournament's desk: bodies and answers of the API, messages of the WebSocket.

All are read strictly: an unknown field is an error that names it. Bodies of acts are those of
`companion.tournament.organiser.acts` themselves. Knows no server.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from companion.adapters.web.wire.messages import Body, Work

Role = Literal["organiser", "referee"]
LARGEST_BODY = 240 * 1024
"""Bytes of a request's body: a CSV file of 4,000 players."""
LARGEST_MESSAGE = 1024
"""Bytes of a WebSocket message to the desk."""


class LogIn(Body, frozen=True):
    """The PIN as it was typed, and whose it is."""

    role: Role
    pin: Annotated[str, Meta(max_length=64)]
    work: Work | None = None


class Import(Body, frozen=True):
    """A CSV file's text."""

    text: str


class Who(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody may do. role: None for who looks on."""

    role: Role | None
    version: str


class Done(msgspec.Struct, frozen=True, kw_only=True):
    """Something was done. says: what, for people."""

    ok: bool = True
    says: str


class Ping(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="ping", tag_field="type"):
    """From a page: are you there?"""


class Hello(msgspec.Struct, frozen=True, kw_only=True, tag="hello", tag_field="type"):
    """To a page, first: who this start of the desk is, and of which version each part is."""

    desk: str
    versions: dict[str, int]


class Changed(msgspec.Struct, frozen=True, kw_only=True, tag="changed", tag_field="type"):
    """To a page: parts that are of another version now. It asks for those that it shows."""

    versions: dict[str, int]


class EventNow(msgspec.Struct, frozen=True, kw_only=True, tag="event", tag_field="type"):
    """To a page: the event as it is now."""

    event: dict[str, Any]


class Rows(msgspec.Struct, frozen=True, kw_only=True, tag="rows", tag_field="type"):
    """To a page that shows tables: those that have changed. version: of "tables" from here on."""

    version: int
    rows: list[dict[str, Any]]


class Pong(msgspec.Struct, frozen=True, kw_only=True, tag="pong", tag_field="type"):
    """To a page: yes."""


FromDesk = Hello | Changed | EventNow | Rows | Pong
