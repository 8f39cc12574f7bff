"""What a test does to each connection of SQLAlchemy, so that real databases fail as disks and servers would."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Engine, event

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def each_connection(*pragmas: str) -> Iterator[None]:
    """Have every connection that is made meanwhile begin with these statements."""

    def prepare(database: Any, record: object) -> None:
        for pragma in pragmas:
            database.execute(pragma)

    event.listen(Engine, "connect", prepare)
    try:
        yield
    finally:
        event.remove(Engine, "connect", prepare)


@contextmanager
def asked_at_commit(*queries: str) -> Iterator[list[tuple[Any, ...]]]:
    """Give what these queries answer whenever a transaction is about to end."""
    answers: list[tuple[Any, ...]] = []

    def ask(connection: Connection) -> None:
        answers.append(tuple(connection.exec_driver_sql(query).scalar_one() for query in queries))

    event.listen(Engine, "commit", ask)
    try:
        yield answers
    finally:
        event.remove(Engine, "commit", ask)
