"""Where a running box says its PIN: in its file, on its own display, to a terminal; in no journal, log or status."""

from __future__ import annotations

import asyncio
import io
import logging
import time
from typing import TYPE_CHECKING

import httpx
import pytest

from companion.adapters.service.status_file import StatusFile
from companion.adapters.simulated.source import SimulatedSource
from companion.adapters.sqlite_journal import export_lines
from companion.adapters.web.access.pin_file import PIN_FILE
from companion.app.assembly import ALL_LINES, build
from companion.app.pages import Web
from companion.app.service import Service
from companion.app.simulated import PlainText
from companion.config.reading import Flag, load
from companion.config.run_options import RunOptions
from companion.core.shown.scene import Invitation, Scene
from tests.app.test_service import Manager

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from companion.app.loop import BoxLoop
    from companion.config.settings import Settings

NEW_PIN = "736455182904"


class Terminal(io.StringIO):
    """What a person looks at."""

    def isatty(self) -> bool:
        return True


def settings_of(folder: Path, *, lan: bool = True) -> Settings:
    return load(None, [
        Flag("--state-dir", ("box", "state_dir"), str(folder)), Flag("--port", ("web", "port"), 0),
        Flag("--lan", ("web", "lan"), value=lan), Flag("host", ("web", "host"), "127.0.0.1"),
    ])  # fmt: skip


def announced(tmp_path: Path, *, lan: bool, simulated: bool, out: io.TextIOBase, **environ: str) -> tuple[str, str]:
    """Give the PIN and what was said."""
    settings = settings_of(tmp_path, lan=lan)
    web = Web(settings.web, settings.display, tmp_path, simulated=simulated)
    web.open()
    web.announce(out, environ)  # type: ignore[arg-type]
    web.close()
    web.source.close()
    out.seek(0)
    return web.server.pin, out.read()


@pytest.mark.parametrize("lan", [False, True])
def test_a_real_box_says_its_pin_to_a_terminal_and_elsewhere_where_to_read_it(tmp_path: Path, lan: bool) -> None:
    pin, said = announced(tmp_path, lan=lan, simulated=False, out=Terminal())
    assert pin in said
    pin, said = announced(tmp_path, lan=lan, simulated=False, out=io.StringIO())
    assert pin not in said
    assert "`companion pin`" in said
    assert "referee's" in said


@pytest.mark.parametrize("lan", [False, True])
def test_nothing_says_its_pin_to_the_journal(tmp_path: Path, lan: bool) -> None:
    with (tmp_path / "said").open("w+", encoding="utf-8") as out:
        found = (tmp_path / "said").stat()
        pin, said = announced(
            tmp_path, lan=lan, simulated=True, out=out, JOURNAL_STREAM=f"{found.st_dev}:{found.st_ino}"
        )  # fmt: skip
        assert pin not in said
        assert "`companion pin`" in said
        pin, said = announced(tmp_path, lan=lan, simulated=True, out=out, JOURNAL_STREAM="1:2")
        assert pin in said


def test_lines_of_text_have_the_pin_for_a_terminal_alone() -> None:
    for out, is_said in ((Terminal(), True), (io.StringIO(), False)):
        PlainText(out).show(Scene(Invitation("http://10.0.0.5:8017/", NEW_PIN)))
        assert (NEW_PIN in out.getvalue()) is is_said
        assert "http://10.0.0.5:8017/" in out.getvalue()


async def come(holds: Callable[[], bool]) -> None:
    """Wait for another thread, patiently."""
    async with asyncio.timeout(60):
        while not holds():
            await asyncio.sleep(0.005)


async def play(loop: BoxLoop, web: Web, client: httpx.AsyncClient) -> list[str]:
    """Show the PIN, change it, play a little; gives the secrets that there were."""
    session, first = loop.box.session, web.server.pin
    await come(lambda: isinstance(session.scene().body, Invitation))
    assert session.scene().body.pin == first  # type: ignore[union-attr]
    await client.post("/api/session", json={"pin": first})
    assert (await client.put("/api/pin", json={"pin": NEW_PIN})).status_code == 200
    await come(lambda: getattr(session.scene().body, "pin", "") == NEW_PIN)
    assert NEW_PIN not in (await client.get("/api/state")).text
    seats = [{"colour": "red"}, {"colour": "yellow"}]
    for path, body in (("match", {"seats": seats}), ("reveal", {"card": "buffalo"}), ("remark", {"text": "a remark"})):
        assert (await client.post(f"/api/{path}", json=body)).status_code == 200
    for path in ("end", "leave"):
        await come(lambda: session.match is not None and session.match.durable_lines == session.match.lines_written)
        assert (await client.post(f"/api/{path}", json={})).status_code == 200
    assert not isinstance(session.scene().body, Invitation)
    return [first, NEW_PIN, client.cookies["companion"]]


def run_box(folder: Path, runtime: Path) -> list[str]:
    """A box in a network, with its status file; gives its secrets."""
    settings = settings_of(folder)

    async def run() -> list[str]:
        source = SimulatedSource(time.monotonic_ns, ALL_LINES)
        source.open()
        web = Web(settings.web, settings.display, folder, simulated=False)
        web.open()
        loop = build(
            settings, RunOptions(simulate=True), sources=[source, web.source], lines=(*ALL_LINES, *web.source.lines),
            displays=[], buzzer=None,
        )  # fmt: skip
        service = Service(Manager(), StatusFile(runtime))
        service.attach(loop)
        web.attach(loop)
        ready = asyncio.Event()
        running = asyncio.create_task(loop.run(on_ready=ready.set))
        await ready.wait()
        service.ready()
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{web.server.port}", timeout=30) as client:
            try:
                return await play(loop, web, client)
            finally:
                service.stop()
                await running
                await asyncio.to_thread(web.close)

    return asyncio.run(run())


def test_a_changed_pin_is_on_the_box_s_display_and_no_pin_in_record_log_or_status(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    folder, runtime = tmp_path / "state", tmp_path / "run"
    runtime.mkdir()
    with caplog.at_level(logging.DEBUG):
        secrets = run_box(folder, runtime)
    kept = {path.name: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file() and path.name != PIN_FILE}
    assert {"status.json", "intake.jsonl"} < kept.keys()
    record = b"\n".join(export_lines(folder, 1))
    assert b"a remark" in record
    kept["the record"] = record
    own = [record for record in caplog.records if record.name.partition(".")[0] not in ("httpx", "httpcore")]
    logged = [*(record.getMessage() for record in own), *capfd.readouterr()]
    for secret in secrets:
        assert [name for name, content in kept.items() if secret.encode() in content] == []
        assert [text for text in logged if secret in text] == []
    assert (folder / PIN_FILE).read_text() == f"{NEW_PIN}\n"
