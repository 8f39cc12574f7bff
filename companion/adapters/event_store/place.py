"""What a store needs from where it lies, be that a file or a server's database."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from companion.core.errors import Unavailable

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import Connection
    from sqlalchemy.exc import SQLAlchemyError


class InUse(Unavailable):
    """Another desk has this event."""


class Place(Protocol):
    """Where a store lies."""

    @property
    def name(self) -> str:
        """What people are told of it; without a password."""

    def connect(self) -> Connection:
        """Connect, and hold the event for this desk. Raises InUse, Unavailable, SQLAlchemyError."""

    def before_change(self) -> None:
        """See that what is written now will be found again. Raises Unavailable."""

    def hold_schema(self, connection: Connection) -> None:
        """Wait until nobody else changes the tables, and keep others from it until the transaction ends."""

    def reason(self, error: SQLAlchemyError) -> str:
        """Say in plain words what is wrong; without a password."""

    def backup(self, path: Path) -> None:
        """Write a copy, consistent while the store is in use. Raises Unavailable."""

    def release(self) -> None:
        """Let other desks have the event; the connection has been closed. May be called again."""
