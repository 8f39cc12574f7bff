"""Which parts of a desk's pages are new, and that none of them is forgotten while it rests."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, cast

import pytest

from companion.adapters.web.tournament import hub as hub_module
from companion.adapters.web.tournament.hub import APART_S, Hub, Looker
from companion.config.languages import language
from companion.core.errors import Unavailable

if TYPE_CHECKING:
    from companion.ports import DeskViews

PATIENCE_S = 30.0


class Views:
    """A desk of which only the signs matter."""

    def __init__(self) -> None:
        self.lines = 1
        self.call = lambda _places: None
        self.fails: str | None = None
        self.failed = 0
        self.told: set[tuple[int, int]] = set()

    def _may_fail(self, what: str) -> None:
        if what == self.fails:
            self.failed += 1
            raise Unavailable("the disk is full")

    async def signs(self):
        self._may_fail("signs")
        return {part: (self.lines,) for part in APART_S if part not in {"tables", "boxes", "pairings"}}

    async def part(self, _name):
        self._may_fail("part")
        return {}

    async def rows(self, places):
        self._may_fail("rows")
        self.told |= places
        return [{"table": number} for _, number in sorted(places)]

    def on_change(self, call):
        self.call = call
        return lambda: None


def test_boxes_that_change_while_they_rest_are_new_once_they_have_rested(monkeypatch) -> None:
    """Although everything else that changed then has been told already."""
    monkeypatch.setattr(hub_module, "APART_S", {**APART_S, "boxes": 0.3, "event": 0.0, "standings": 0.0, "notes": 0.0,
                                                "players": 0.0, "rounds": 0.0, "disputes": 0.0})  # fmt: skip
    views = Views()

    async def held() -> None:
        async with running(Hub(cast("DeskViews", views), "desk")) as hub:
            views.call(frozenset())
            await new(hub, "boxes", 2)
            views.lines += 1
            views.call(frozenset())
            await new(hub, "event", 2)
            await new(hub, "boxes", 3)

    asyncio.run(held())


@pytest.mark.parametrize("fails", ["signs", "rows", "part"])
def test_what_could_not_be_told_while_the_store_failed_is_told_later(monkeypatch, fails: str) -> None:
    """Rows of tables as well as parts: nobody has to look again for a result to be seen."""
    monkeypatch.setattr(hub_module, "RETRY_S", 0.05)
    views = Views()

    async def held() -> None:
        async with running(Hub(cast("DeskViews", views), "desk")) as hub:
            await hub.join(Looker(language("en"), shows_tables=True))
            views.fails, views.lines = fails, 2
            views.call(frozenset({(1, 7)}))
            while not views.failed:
                await asyncio.sleep(0.01)
            views.fails = None
            while (1, 7) not in views.told:
                await asyncio.sleep(0.01)
            await new(hub, "event", 2)
            await new(hub, "disputes", 2)
            await new(hub, "boxes", 2)

    asyncio.run(held())


@asynccontextmanager
async def running(hub: Hub):
    """Have a hub follow its desk; what is waited for meanwhile comes, or the test fails."""
    task = asyncio.create_task(hub.run())
    try:
        async with asyncio.timeout(PATIENCE_S):
            await asyncio.sleep(0)
            yield hub
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def new(hub: Hub, part: str, version: int) -> None:
    while hub.versions[part] < version:
        await asyncio.sleep(0.01)
