"""What goes out to all pages of a desk: the event itself, rows of tables that have changed, and which parts are new.

Theory of operation. Each part of what is shown has a version. After a change of the desk the signs of all parts are
compared with those told last; where one differs, the version grows and pages are told, and those that show the part ask
for it. So nobody is sent what they do not show, and a page that comes back after a loss asks for what it shows once.
What everybody shows, the event, and what has to be seen at once, rows of tables, are sent themselves, each written once
for a language. A part grows at most once in its own time (`APART_S`), the first time at once.

In the desk's event loop; knows no socket.
"""

from __future__ import annotations

import asyncio
import logging
import time
from typing import TYPE_CHECKING, Any

from companion.adapters.web.tournament.messages import Changed, EventNow, Hello, Rows
from companion.adapters.web.wire.hub import Connection
from companion.adapters.web.wire.worded import Worded
from companion.core.errors import CompanionError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion.core.words.language import Language
    from companion.ports import DeskViews

LOG = logging.getLogger("companion")

SHORTEST_S, TOGETHER_S = 0.01, 0.05
"""What changes within a rest between these two is sent together; what comes after a longer one is sent at once."""
REST_SHARE = 10
"""A rest is so many times as long as the telling before it took: where there is much to tell, it is told less often."""
APART_S: Mapping[str, float] = {
    "event": 0.5, "tables": 0.0, "pairings": 0.0, "players": 0.2, "rounds": 0.2, "disputes": 0.2, "notes": 1.0,
    "boxes": 1.0, "standings": 2.0,
}  # fmt: skip
"""Seconds between two versions of a part."""
RETRY_S = 1.0
"""So long after a fault of the store pages are told again."""
EVER_NEW = ("boxes",)
"""Parts without a sign: any change may be one of theirs, and they are owed until they have rested."""


class Looker(Connection):
    """The queue of one page. shows_tables: whether it is sent their rows."""

    def __init__(self, language: Language, *, shows_tables: bool) -> None:
        super().__init__(language=language)
        self.shows_tables = shows_tables


class Hub:
    """Follows a desk and tells its pages. desk: names this start of it. Call `run` in a task of its own."""

    def __init__(self, views: DeskViews, desk: str, clock: Callable[[], float] = time.monotonic) -> None:
        self.desk = desk
        self.versions = dict.fromkeys(APART_S, 1)
        self._views, self._clock = views, clock
        self._lookers: set[Looker] = set()
        self._places: set[tuple[int, int]] = set()
        self._signs: dict[str, Any] = {}
        self._owed: set[str] = set()
        self._not_before: dict[str, float] = {}
        self._wake = asyncio.Event()
        self._documents: dict[str, tuple[int, Worded]] = {}

    def changed(self, places: frozenset[tuple[int, int]]) -> None:
        """Something has changed; places: of which tables."""
        self._places |= places
        self._owed.update(EVER_NEW)
        self._wake.set()

    async def document(self, part: str) -> Worded:
        """Give a part, made once for each version; the event anew each time, for its clock. Raises as views do."""
        version = self.versions[part]
        if part == "event":
            return Worded({"version": version, **await self._views.part(part)})
        kept = self._documents.get(part)
        if kept is None or kept[0] != version:
            content = await self._views.part(part)
            kept = self._documents[part] = (version, Worded({"version": version, **content}))
        return kept[1]

    async def join(self, looker: Looker) -> None:
        """Tell a page what there is, and from here on what changes."""
        event = await self._event()
        looker.put(Worded(Hello(desk=self.desk, versions=dict(self.versions))))
        looker.put(event)
        self._lookers.add(looker)

    def leave(self, looker: Looker) -> None:
        """Tell a page nothing more."""
        self._lookers.discard(looker)

    async def run(self) -> None:
        """Follow the desk until cancelled."""
        self._signs = await self._views.signs()
        end = self._views.on_change(self.changed)
        try:
            while True:
                await self._wake.wait()
                self._wake.clear()
                began_s = self._clock()
                try:
                    await self._tell()
                except CompanionError as error:  # the store fails: what is shown stays until it answers again
                    LOG.warning("the desk's pages are not told of a change yet: %s", error)
                    asyncio.get_running_loop().call_later(RETRY_S, self._wake.set)
                await asyncio.sleep(min(max(SHORTEST_S, REST_SHARE * (self._clock() - began_s)), TOGETHER_S))
        finally:
            end()

    async def _tell(self) -> None:
        """Tell pages what is new. Raises as views do; then all of it is still to be told."""
        places, self._places = self._places, set()
        told, owed = dict(self._signs), set(self._owed)
        try:
            await self._tell_of(places, await self._views.signs())
        except CompanionError:
            self._places |= places
            self._signs = told
            self._owed |= owed
            raise

    async def _tell_of(self, places: set[tuple[int, int]], signs: dict[str, Any]) -> None:
        now, later, new = self._clock(), [], {}
        candidates = {name for name, sign in signs.items() if sign != self._signs.get(name)}
        for part in candidates | self._owed:
            wait_s = self._not_before.get(part, 0.0) - now
            if wait_s > 0:
                later.append(wait_s)
                continue
            self._not_before[part] = now + APART_S[part]
            self._signs[part] = signs.get(part)
            self._owed.discard(part)
            new[part] = self.versions[part] = self.versions[part] + 1
        if later:
            asyncio.get_running_loop().call_later(min(later), self._wake.set)
        if places or "pairings" in new:
            await self._tell_rows(places, new)
        if new:
            self._put(Worded(Changed(versions=new)))
        if "event" in new:
            self._put(await self._event())

    async def _tell_rows(self, places: set[tuple[int, int]], new: dict[str, int]) -> None:
        self.versions["tables"] += 1
        if "pairings" in new:  # another round, or other tables: all of them at once
            new["tables"] = self.versions["tables"]
            return
        rows = await self._views.rows(places)
        if rows:
            told = Worded(Rows(version=self.versions["tables"], rows=rows))
            for looker in [one for one in self._lookers if one.shows_tables]:
                looker.put(told)

    async def _event(self) -> Worded:
        """Give the event as it is now: its clock goes on."""
        return Worded(EventNow(event=await self._views.part("event")))

    def _put(self, message: Worded) -> None:
        for looker in list(self._lookers):
            looker.put(message)
