"""The servers that this folder's tests share, one for each process of tests."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

import pytest

from tests.adapters.event_store.postgresql import Server

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_NUMBERS = count(1)


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    server = Server()
    try:
        server.create()
        yield server
    finally:
        server.remove()


@pytest.fixture
def event() -> str:
    """Give an event that no other test has: they share a database."""
    return f"event-{next(_NUMBERS)}"


@pytest.fixture
def new_database(server: Server) -> Callable[[], str]:
    """Make a database of one's own, and give its name."""

    def make() -> str:
        name = f"own_{next(_NUMBERS)}"
        server.create_database(name)
        return name

    return make
