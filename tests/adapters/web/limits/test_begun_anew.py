"""A web server that has fallen and is there again: nothing of before keeps anybody waiting."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
import uvicorn

from companion.adapters.web.limits.keeping import Soon
from tests.adapters.web.served import Served, served, until
from tests.adapters.web.talk import Talk

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def box() -> Iterator[Served]:
    with served() as made:
        yield made


def fall(box: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the web's thread fall once, and wait until it serves again."""
    real, fallen = uvicorn.Server.on_tick, list[int]()

    async def once(self: uvicorn.Server, counter: int) -> bool:
        if not fallen:
            fallen.append(counter)
            raise ValueError("injected")
        return await real(self, counter)

    monkeypatch.setattr(uvicorn.Server, "on_tick", once)
    until(lambda: bool(fallen) and box.server._thread is not None and box.server._thread.falls == 1)
    until(box.server._is_up.is_set)


def test_what_was_asked_for_soon_of_a_loop_that_has_ended_is_done_by_the_next() -> None:
    done: list[int] = []
    soon = Soon(lambda: done.append(1), 60.0)

    async def ask() -> None:
        soon()
        soon()

    asyncio.run(ask())
    asyncio.run(ask())
    assert len(done) == 2, "once for each loop"


def test_after_a_fall_pages_are_hung_up_on_and_told_of_phones_again(
    box: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Talk(box.server.port) as before:
        before.get("state")
        before.say({"type": "panel", "asks": "red"})
        before.get("panel")
        fall(box, monkeypatch)
        with pytest.raises((EOFError, ConnectionError)):
            before.get("nothing that is ever sent")
    with Talk(box.server.port) as after:
        after.say({"type": "panel", "asks": "yellow"})
        after.get("state", lambda message: any(one["asks"] == "yellow" for one in message["state"]["phones"]))


def test_a_stop_while_it_is_down_ends_without_another_fault(
    box: Served, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    thread = box.server._thread
    assert thread is not None
    thread._pause_s = 60.0
    monkeypatch.setattr(uvicorn.Server, "on_tick", lambda _self, _counter: 1 / 0)
    until(lambda: thread.falls == 1)
    monkeypatch.undo()
    box.server.stop()
    assert thread.falls == 1, caplog.text
