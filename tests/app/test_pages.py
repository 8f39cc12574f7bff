"""The web wired to the running box: commands in their turn, what is published, stored matches."""

from __future__ import annotations

import asyncio
import io
import socket
import sys
import time
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from msgspec.structs import replace

from companion.adapters.simulated.source import SimulatedSource
from companion.adapters.sqlite_journal import SqliteJournal
from companion.app.assembly import ALL_LINES, build
from companion.app.late_pages import LatePages
from companion.app.pages import StoredMatches, Web
from companion.config.reading import Flag, load
from companion.config.run_options import RunOptions
from companion.core.errors import Unavailable, UnknownMatch

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from companion.app.loop import BoxLoop


def run_box(
    tmp_path: Path, play: Callable[[Any, httpx.AsyncClient], Awaitable[None]], *more: Flag, simulated: bool = True
) -> None:
    """A box with its web on a free port, as `companion run --simulate` makes it. simulated: pages are its panel."""
    settings = load(None, [
        Flag("--state-dir", ("box", "state_dir"), str(tmp_path)), Flag("--port", ("web", "port"), 0), *more,
    ])  # fmt: skip

    async def run() -> None:
        source = SimulatedSource(time.monotonic_ns, ALL_LINES)
        source.open()
        web = Web(settings.web, settings.display, tmp_path, simulated=simulated)
        web.open()
        loop = build(
            settings, RunOptions(simulate=True), sources=[source, web.source], lines=(*ALL_LINES, *web.source.lines),
            displays=[], buzzer=None,
        )  # fmt: skip
        web.attach(loop)
        ready = asyncio.Event()
        running = asyncio.create_task(loop.run(on_ready=ready.set))
        await ready.wait()
        async with httpx.AsyncClient(
            base_url=f"http://127.0.0.1:{web.server.port}", timeout=30, verify=False
        ) as client:
            try:
                await play(web, client)
            finally:
                loop.stop()
                await running
                await asyncio.to_thread(web.close)

    asyncio.run(run())


async def until(client: httpx.AsyncClient, holds: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    async with asyncio.timeout(60):
        while True:
            state = (await client.get("/api/state")).json()
            if holds(state):
                return dict(state)
            await asyncio.sleep(0.02)


def test_a_match_by_api_goes_through_the_box_s_own_loop_and_its_journal(tmp_path: Path) -> None:
    async def play(web: Web, client: httpx.AsyncClient) -> None:
        assert (await client.post("/api/session", json={"pin": web.server.pin})).status_code == 200
        seats = {"seats": [{"colour": "red"}, {"colour": "yellow"}]}
        assert (await client.post("/api/match", json=seats)).status_code == 200
        assert (await client.post("/api/reveal", json={"card": "red hunter"})).status_code == 200
        refused = await client.post("/api/reveal", json={"card": "unicorn"})
        assert refused.status_code == 400
        state = await until(client, lambda state: state["course_total"] == 2)
        assert state["match"]["id"] == 1
        matches = (await client.get("/api/matches")).json()
        assert (matches[0]["id"], matches[0]["title"], matches[0]["lines"]) == (1, "Apache", 2)
        assert (await client.get("/api/matches/1")).json()["course"][1]["says"] == ["revealed: red hunter"]

    run_box(tmp_path, play)
    assert StoredMatches(tmp_path).lines(1)[1].startswith(b'{"type":"reveal"')


def test_the_stated_delay_of_a_browser_is_waited_for_only_while_it_is_there(tmp_path: Path) -> None:
    async def play(web: Web, client: httpx.AsyncClient) -> None:
        loop = web.referee.loop
        assert loop is not None
        loop.turn()
        assert loop.box.arbiter.delay_ns == SimulatedSource.delay_ns
        web.source.delay_ns = 150_000_000
        loop.turn()
        assert loop.box.arbiter.delay_ns == 150_000_000

    run_box(tmp_path, play)


def test_stored_matches_of_a_directory_that_has_none_are_an_empty_list(tmp_path: Path) -> None:
    assert StoredMatches(tmp_path / "new").matches() == []
    journal = SqliteJournal(tmp_path)
    journal.open(lambda _id, _count: None, lambda _text: None)
    journal.close()
    assert StoredMatches(tmp_path).matches() == []
    with pytest.raises(UnknownMatch):
        StoredMatches(tmp_path).lines(5)


def test_what_is_announced_is_the_address_and_in_a_network_a_qr_code_and_the_pin(tmp_path: Path) -> None:
    import io

    for lan in (False, True):
        flags = [Flag("--state-dir", ("box", "state_dir"), str(tmp_path)), Flag("--port", ("web", "port"), 0)]
        flags += [Flag("--lan", ("web", "lan"), value=True)] if lan else []
        settings = load(None, flags)
        web = Web(settings.web, settings.display, tmp_path, simulated=True)
        web.open()
        out = io.StringIO()
        web.announce(out)
        web.close()
        web.source.close()
        assert web.server.pin in out.getvalue()
        assert f":{web.server.port}/" in out.getvalue()
        assert ("█" in out.getvalue()) is lan
        assert web.server.host == ("0.0.0.0" if lan else "127.0.0.1")
        if not lan:
            assert f"http://127.0.0.1:{web.server.port}/" in out.getvalue()


def test_a_taken_port_is_an_error_a_person_understands(tmp_path: Path) -> None:
    flags = [Flag("--state-dir", ("box", "state_dir"), str(tmp_path)), Flag("--port", ("web", "port"), 0)]
    settings = load(None, flags)
    web = Web(settings.web, settings.display, tmp_path, simulated=True)
    web.open()
    taken = replace(settings.web, port=web.server.port)
    second = Web(taken, settings.display, tmp_path, simulated=True)
    with pytest.raises(Unavailable, match="--no-web"):
        second.open()
    web.close()
    web.source.close()


def run_panel(
    tmp_path: Path, port: int, play: Callable[[BoxLoop, asyncio.Event], Awaitable[None]], *more: Flag
) -> None:
    """A box whose pages begin after it is ready, as `companion run` makes it on a real panel."""
    settings = load(None, [
        Flag("--state-dir", ("box", "state_dir"), str(tmp_path)), Flag("--port", ("web", "port"), port), *more,
    ])  # fmt: skip
    pages = LatePages(
        lambda source: Web(settings.web, settings.display, tmp_path, simulated=False, source=source)
    )  # fmt: skip
    pages.open()

    async def run() -> None:
        loop = build(
            settings, RunOptions(), sources=list(pages.sources), lines=pages.lines, displays=[], buzzer=None
        )  # fmt: skip
        pages.attach(loop)
        ready = asyncio.Event()

        def on_ready() -> None:
            ready.set()
            pages.ready()

        running = asyncio.create_task(loop.run(on_ready=on_ready))
        try:
            await play(loop, ready)
        finally:
            loop.stop()
            await running
            await asyncio.to_thread(pages.close)

    asyncio.run(run())


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_the_pages_of_a_real_panel_begin_after_it_is_ready_and_follow_it(tmp_path: Path) -> None:
    port = free_port()

    async def play(loop: BoxLoop, ready: asyncio.Event) -> None:
        await ready.wait()
        async with (
            httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=30, verify=False) as client,
            asyncio.timeout(60),
        ):
            while True:
                try:
                    if (await client.get("/api/state")).json().get("phase") == "lobby":
                        break
                except httpx.TransportError:
                    await asyncio.sleep(0.02)
            loop.alarm("display 1", "the display is gone")
            state = await until(client, lambda state: bool(state["alarms"]))
            assert state["alarms"] == ["the display is gone"]

    run_panel(tmp_path, port, play)


def test_pages_that_cannot_be_served_keep_no_box_from_refereeing(tmp_path: Path) -> None:
    async def play(loop: BoxLoop, ready: asyncio.Event) -> None:
        async with asyncio.timeout(60):
            while not loop.box.session.scene().alarms:
                await asyncio.sleep(0.02)
        assert ready.is_set()
        assert loop.box.session.scene().alarms == ("no web pages: the log says why",)

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        run_panel(tmp_path, taken.getsockname()[1], play)


def test_pages_that_nobody_can_be_told_of_are_served_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = load(None, [
        Flag("--state-dir", ("box", "state_dir"), str(tmp_path)), Flag("--port", ("web", "port"), 0),
    ])  # fmt: skip
    made: list[Web] = []

    def make(source: Any) -> Web:
        made.append(Web(settings.web, settings.display, tmp_path, simulated=False, source=source))
        return made[-1]

    class Full(io.StringIO):
        def write(self, _text: str) -> int:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(sys, "stderr", Full())
    pages = LatePages(make)
    pages.open()
    loop = build(settings, RunOptions(), sources=[*pages.sources], lines=pages.lines, displays=[], buzzer=None)
    pages.attach(loop)
    try:
        pages._begin(loop)
        assert httpx.get(f"http://127.0.0.1:{made[0].server.port}/api/session").status_code == 200
    finally:
        pages.close()
