"""What an event's verification reads, wherever it lies. Pure: a contract."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class Contents(Protocol):
    """The log of an event, the sealed records and the keys of its boxes. Lines are without their ends of line.

    Each method may raise Malformed, which names what cannot be read, and Unavailable.
    """

    def log(self) -> Sequence[bytes]:
        """Give the event's log."""

    def keys(self) -> Mapping[str, Sequence[str]]:
        """Give by box the public keys that it was ever enrolled with, in base64, the last one now."""

    def records(self) -> Sequence[tuple[str, str]]:
        """Give box and match of each record, sorted."""

    def record(self, box: str, match: str) -> Sequence[bytes]:
        """Give a record's lines; it is one of `records`."""
