"""Evidence as bytes: JSON Lines of edges, levels and losses in the order of time (`record.md`). Reading and writing.

An edge is {`t_ns`, `line`, `active`, `error_ns`, `source`, `number`?, `merged_ns`, `lost_since_ns`?}; what a source
told of a loss is {`t_ns`, `since_ns`?, `source`, `lost`, `text`, `lines`?}; the levels that a source read when it
began, or after a loss, are {`t_ns`, `source`, `closed`, `open`}. The field that only one of them has tells them apart.
Knows no file.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from companion.core.errors import Malformed
from companion.core.timing.events import MS, Edge
from companion.core.words.encoding import encode

if TYPE_CHECKING:
    from collections.abc import Iterable

Nanoseconds = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]
BOX = "box"
"""The source of a loss that is the box's own: what it could not keep."""
SURE_NS = MS
"""A source of an older program that stated more for an edge may have lost others before it."""


class Entry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One line of evidence. source: who saw it; `BOX` for the box itself."""

    t_ns: Nanoseconds


class EdgeSeen(Entry, frozen=True, kw_only=True):
    """A line changed its level at `t_ns` ± `error_ns`. number: of the edge, as its source counts them.

    merged_ns, lost_since_ns: as in `Edge`. merged_ns: None where an older program wrote it, which put what it did not
    know into `error_ns`.
    """

    line: str
    active: bool
    error_ns: Nanoseconds
    source: str
    number: int | None = None
    merged_ns: Nanoseconds | None = None
    lost_since_ns: Nanoseconds | None = None

    @property
    def edge(self) -> Edge:
        """Return the edge as its source gave it. An older program kept no mark of losses: it may have lost edges."""
        lost_since_ns = self.lost_since_ns
        if self.merged_ns is None and self.error_ns > SURE_NS:
            lost_since_ns = self.t_ns - self.error_ns
        return Edge(
            self.line, self.active, self.t_ns, self.error_ns, self.number,
            merged_ns=self.merged_ns or 0, lost_since_ns=lost_since_ns,
        )  # fmt: skip


class Lost(Entry, frozen=True, kw_only=True):
    """Edges are missing: between `since_ns` (None: not known) and `t_ns`.

    lost: how many, 0 where that is not known. lines: which they may be of, None where they may be of all.
    """

    source: str
    lost: Annotated[int, msgspec.Meta(ge=0)]
    text: str
    since_ns: Nanoseconds | None = None
    lines: tuple[str, ...] | None = None


class LevelsSeen(Entry, frozen=True, kw_only=True):
    """Which lines were closed and which open when the source read them all."""

    source: str
    closed: tuple[str, ...]
    open: tuple[str, ...]


_KINDS: dict[str, type[Entry]] = {"active": EdgeSeen, "lost": Lost, "closed": LevelsSeen}
"""What each is told by: a field that it alone has."""


class Altered(Malformed):
    """Evidence is not that which the record names: its bytes have another hash."""


def digest(content: bytes) -> str:
    """Give the SHA-256 by which a record names these bytes."""
    return sha256(content).hexdigest()


def dump_evidence(entries: Iterable[Entry]) -> bytes:
    """Write entries, a line each, in the order in which they are given."""
    return b"".join(encode(entry) + b"\n" for entry in entries)


def parse_evidence(content: bytes) -> list[Entry]:
    """Read evidence. Raises Malformed, naming the line."""
    return [_parse(line, number) for number, line in enumerate(content.splitlines(), start=1)]


def checked_evidence(content: bytes, wanted: str) -> list[Entry]:
    """Read the evidence that the record names by the SHA-256 `wanted`. Raises Altered, or Malformed."""
    found = digest(content)
    if found != wanted:
        raise Altered(f"this is not the evidence that the record names: its SHA-256 is {found}, not {wanted}")
    return parse_evidence(content)


def _parse(line: bytes, number: int) -> Entry:
    try:
        fields: Any = msgspec.json.decode(line)
        kind = next((kind for field, kind in _KINDS.items() if field in fields), EdgeSeen)
        return msgspec.json.decode(line, type=kind)
    except (ValueError, TypeError, RecursionError) as error:
        raise Malformed(f"line {number} of the evidence: {error}") from error
