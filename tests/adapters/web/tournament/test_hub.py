"""Which parts of a desk's pages are new, and that none of them is forgotten while it rests."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from companion.adapters.web.tournament import hub as hub_module
from companion.adapters.web.tournament.hub import APART_S, Hub

PATIENCE_S = 30.0


class Views:
    """A desk of which only the signs matter."""

    def __init__(self) -> None:
        self.lines = 1
        self.call = lambda _places: None

    async def signs(self):
        return {part: (self.lines,) for part in APART_S if part not in {"tables", "boxes"}}

    async def part(self, _name):
        return {}

    async def rows(self, _places):
        return []

    def on_change(self, call):
        self.call = call
        return lambda: None


def test_boxes_that_change_while_they_rest_are_new_once_they_have_rested(monkeypatch) -> None:
    """Although everything else that changed then has been told already."""
    monkeypatch.setattr(hub_module, "APART_S", {**APART_S, "boxes": 0.3, "event": 0.0, "standings": 0.0, "notes": 0.0,
                                                "players": 0.0, "rounds": 0.0, "disputes": 0.0})  # fmt: skip
    views = Views()

    async def held() -> None:
        hub = Hub(views, "desk")
        running = asyncio.create_task(hub.run())
        try:
            async with asyncio.timeout(PATIENCE_S):
                await asyncio.sleep(0)
                views.call(frozenset())
                await new(hub, "boxes", 2)
                views.lines += 1
                views.call(frozenset())
                await new(hub, "event", 2)
                await new(hub, "boxes", 3)
        finally:
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running

    asyncio.run(held())


async def new(hub: Hub, part: str, version: int) -> None:
    while hub.versions[part] < version:
        await asyncio.sleep(0.01)
