"""Encrypted pages of a running box: what it says of them, and that it referees on where they cannot be."""

from __future__ import annotations

import asyncio
import io
from typing import TYPE_CHECKING

import pytest

from companion.adapters.web.encryption.checking import fingerprint
from companion.adapters.web.encryption.keeping import encryption_in
from companion.app.pages import Web
from companion.config.reading import Flag, load
from companion.core.play.session import Session
from companion.core.shown.scene import Invitation, Trust
from tests.adapters.web.encryption.made import State
from tests.app.test_pages import run_panel

if TYPE_CHECKING:
    from pathlib import Path

    from companion.app.loop import BoxLoop

TLS = (
    Flag("--tls", ("web", "tls"), value=True), Flag("--help-port", ("web", "help_port"), 0),
    Flag("--host", ("web", "host"), "127.0.0.1"), Flag("--lan", ("web", "lan"), value=True),
)  # fmt: skip


def test_the_box_says_where_to_trust_it_and_its_fingerprint_and_invites_with_them(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    state = State(tmp_path)
    invited: list[Invitation | None] = []

    async def play(loop: BoxLoop, ready: asyncio.Event) -> None:
        await ready.wait()
        async with asyncio.timeout(60):
            while not invited or invited[-1] is None:
                loop.call(lambda session: invited.append(seen_of(session)))
                await asyncio.sleep(0.01)

    run_panel(tmp_path, 0, play, *TLS)
    (trust,) = {page.trust for page in invited if page is not None}
    assert isinstance(trust, Trust)
    assert trust.url.startswith("http://")
    assert trust.fingerprint == fingerprint(state.authority())
    assert {page.url.partition(":")[0] for page in invited if page is not None} == {"https"}
    assert "no web pages" not in caplog.text


def seen_of(session: Session) -> Invitation | None:
    body = session.scene().body
    return body if isinstance(body, Invitation) else None


def test_it_is_announced_on_the_terminal(tmp_path: Path) -> None:
    state = State(tmp_path)
    settings = load(None, [Flag("--port", ("web", "port"), 0), *TLS])
    web = Web(settings.web, settings.display, tmp_path, simulated=True)
    web.open()
    out = io.StringIO()
    web.announce(out)
    web.close()
    web.source.close()
    said = out.getvalue()
    assert f":{web.server.port}/" in said
    assert "begin here: https://" in said
    assert f"to trust it: {web.server.trust_url()}" in said
    assert fingerprint(state.authority()) in said


def test_without_certificates_the_box_referees_on_without_pages_and_says_so(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    alarms: list[tuple[str, ...]] = []

    async def play(loop: BoxLoop, ready: asyncio.Event) -> None:
        await ready.wait()
        async with asyncio.timeout(60):
            while not alarms or not alarms[-1]:
                loop.call(lambda session: alarms.append(session.scene().alarms))
                await asyncio.sleep(0.01)

    run_panel(tmp_path, 0, play, *TLS)
    assert alarms[-1] == ("no web pages: the log says why",)
    assert "this box has no authority yet: companion encrypt makes one" in caplog.text


def test_a_certificate_out_of_time_is_an_alarm_and_the_pages_are_served(tmp_path: Path) -> None:
    state = State(tmp_path)
    settings = load(None, [*TLS])
    own = encryption_in(tmp_path, settings.web.names, settings.web.host)
    own.open()
    faults: list[str | None] = []
    own.on_fault = faults.append
    own._files._now = lambda: state.now - 1000 * 86_400
    own.check()
    assert "set the clock" in str(faults[-1])
    assert own.context
