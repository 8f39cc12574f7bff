"""What is broken on purpose, to see that the checks notice it: `make chaos ARGS="--spoil lost"`, and others."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from companion.tournament.wire import RecordPart

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.app.event.thread import Hears, MakeLink
    from companion.ports import EventLink, EventStore
    from tests.chaos.plan import Played

LOST, OTHER, WINS = "lost", "other", "wins"
SPOILS = {
    LOST: "the desk's store drops a line of a record, and says that it has it",
    OTHER: "a box sends a line again, with another content",
    WINS: "what is played depends on when it is",
}
LINE = 7
"""Of each match, the line that is spoiled."""


class LosingStore:
    """A store that drops one line of each record; all else is as the store below has it."""

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self.open, self.entries, self.append = store.open, store.entries, store.append
        self.held, self.record, self.close = store.held, store.record, store.close
        self.contradicted = store.contradicted

    def keep(self, parts: Sequence[tuple[str, RecordPart]]) -> list[tuple[str, RecordPart]]:
        """Store lines, but for those."""
        return self._store.keep([(box, part) for box, part in parts if part.number != LINE])


class RepeatingLink:
    """A link that sends one line of each match again, with another content."""

    def __init__(self, link: EventLink) -> None:
        self._link = link
        self.run = link.run

    async def publish(self, topic: str, payload: bytes, *, retain: bool = False) -> None:
        """Send."""
        await self._link.publish(topic, payload, retain=retain)
        if topic.endswith(f"/{LINE}"):
            await self._link.publish(topic, payload.replace(b"{", b"{ ", 1))


def spoiled_store(store: EventStore, spoils: str) -> EventStore:
    """Give the store as it is to be."""
    return LosingStore(store) if spoils == LOST else store


def spoiled_played(played: Played, spoils: str) -> Played:
    """Give what races follow from, as it is to be."""
    return played._replace(seed=secrets.token_hex()) if spoils == WINS else played


def spoiled_link(make_link: MakeLink, spoils: str) -> MakeLink:
    """Give what makes the link as it is to be."""
    if spoils != OTHER:
        return make_link

    def make(hears: Hears, will: tuple[str, bytes]) -> EventLink:
        return RepeatingLink(make_link(hears, will))

    return make
