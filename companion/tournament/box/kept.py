"""What a box knows of its event beyond its journal, and keeps over a restart. Pure data, and its form as bytes.

All of it can be lost: what is acknowledged is said again by the desk, and so is the table to play.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from companion.core.errors import Malformed
from companion.core.record.lines import Count, Number
from companion.core.words.encoding import encode
from companion.tournament.log.lines import EventId, MatchId
from companion.tournament.wire import Sit

if TYPE_CHECKING:
    from collections.abc import Mapping


class Who(NamedTuple):
    """Which box this is, at which event. key: its public key in base64. software: name and version."""

    event: str
    box: str
    key: str
    software: str


class Kept(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What is kept. name: of the event, for people; empty until the desk has said it.

    acknowledged: how many lines the desk has of each match. sit: the table that is to be played, None: none. round,
    table: what the box was last told to play. said: the number of the newest announcement. final: matches whose result
    is.
    """

    event: EventId
    name: str = ""
    acknowledged: dict[MatchId, Count] = {}
    sit: Sit | None = None
    round: Number | None = None
    table: Number | None = None
    said: Count = 0
    final: tuple[MatchId, ...] = ()


_decode = msgspec.json.Decoder(Kept).decode


def read_kept(raw: bytes) -> Kept:
    """Read what was kept. Raises Malformed."""
    try:
        return _decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Malformed(f"what was kept of an event: {error}") from error


def write_kept(kept: Kept) -> bytes:
    """Give it as bytes."""
    return encode(kept)


def is_owed(acknowledged: Mapping[str, int], match: str, lines: int) -> bool:
    """Tell whether the desk is not known to have all lines of a match."""
    return acknowledged.get(match, 0) < lines
