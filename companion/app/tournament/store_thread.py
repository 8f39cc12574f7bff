"""The event's store in a thread of its own, for the desk's event loop: one call after the other, each awaited.

Whatever a store raises that is not meant for people is a fault of it too: so nothing that it does ends the desk.

Threads: one, which nothing but the store runs in, as the port wants it.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from companion.core.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.ports import EventStore
    from companion.tournament.wire import RecordPart

T = TypeVar("T")


class StoreThread:
    """An `EventStore` whose calls are awaited; each raises Unavailable where it could not be done, and nothing else."""

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="event store")

    async def open(self) -> None:
        """Be ready."""
        await self._do(self._store.open)

    async def entries(self) -> list[bytes]:
        """Give the event's log."""
        return await self._do(self._store.entries)

    async def append(self, first: int, lines: Sequence[bytes]) -> None:
        """Add lines to the log, all or none."""
        await self._do(lambda: self._store.append(first, lines))

    async def keep(self, parts: Sequence[tuple[str, RecordPart]]) -> list[tuple[str, RecordPart]]:
        """Store lines of records; give those that contradict."""
        return await self._do(lambda: self._store.keep(parts))

    async def contradicted(self) -> set[tuple[str, str]]:
        """Give by box and match the records of which ever another line came than the one that is stored."""
        return await self._do(self._store.contradicted)

    async def held(self) -> dict[tuple[str, str], int]:
        """Give by box and match how many lines are there, in the order in which they were begun."""
        return await self._do(self._store.held)

    async def record(self, box: str, match: str) -> list[bytes]:
        """Give the lines of a record."""
        return await self._do(lambda: self._store.record(box, match))

    async def close(self) -> None:
        """Let go of the store, and end the thread."""
        try:
            await self._do(self._store.close)
        finally:
            self._thread.shutdown(wait=False)

    async def _do(self, call: Callable[[], T]) -> T:
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, call)
        except Unavailable:
            raise
        except Exception as error:
            raise Unavailable(f"the event's store: {error or type(error).__name__}") from error
