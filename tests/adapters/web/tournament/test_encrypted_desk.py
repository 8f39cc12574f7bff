"""A desk's pages over real sockets, encrypted: as a box's are, by the same authority."""

from __future__ import annotations

import ssl
from typing import TYPE_CHECKING

import httpx
import pytest
from websockets.sync.client import connect
from websockets.typing import Origin

from companion.adapters.web.access.address import TRUST
from companion.adapters.web.encryption.keeping import CertificateFolder, Encryption
from companion.core.errors import Unavailable
from tests.adapters.web.encryption.made import HERE, State
from tests.adapters.web.tournament.running import ORGANISER, PATIENCE_S, played, running

if TYPE_CHECKING:
    from pathlib import Path


def client_of(url: str, trusting: ssl.SSLContext) -> httpx.Client:
    return httpx.Client(base_url=url, verify=trusting, timeout=PATIENCE_S, trust_env=False)


def test_whoever_trusts_the_authority_has_pages_and_a_session_that_never_goes_in_the_plain(
    tmp_path,
) -> None:
    state = State(tmp_path)
    with running(played(), encryption=state.encryption()) as desk, client_of(desk.url, state.trusting()) as client:
        assert desk.url.startswith("https://")
        assert client.get("/standings").status_code == 200
        opened = client.post("/api/session", json={"role": "organiser", "pin": ORGANISER})
        assert opened.status_code == 200
        assert "Secure" in opened.headers["set-cookie"]
        live = f"wss://127.0.0.1:{desk.server.port}/ws"
        with connect(live, ssl=state.trusting(), origin=Origin(desk.url), proxy=None) as socket:
            assert "version" in str(socket.recv(PATIENCE_S))


def test_whoever_does_not_trust_it_or_speaks_in_the_plain_gets_nothing(tmp_path) -> None:
    with running(played(), encryption=State(tmp_path).encryption()) as desk:
        with client_of(desk.url, ssl.create_default_context()) as client, pytest.raises(httpx.ConnectError):
            client.get("/standings")
        with httpx.Client(trust_env=False, timeout=PATIENCE_S) as client, pytest.raises(httpx.HTTPError):
            client.get(desk.url.replace("https", "http"))


def test_the_plain_port_tells_how_to_trust_it_and_nothing_else(tmp_path) -> None:
    state = State(tmp_path)
    with running(played(), encryption=state.encryption()) as desk, httpx.Client(trust_env=False) as client:
        told = client.get(desk.server.trust_url())
        assert desk.server.encryption is not None
        fingerprint = desk.server.encryption.fingerprint
        assert all(pair in told.text for pair in fingerprint.split())
        assert client.get(f"{desk.server.trust_url()}api/standings").status_code == 404
        assert client.get(f"{desk.server.trust_url().rstrip('/')}{TRUST}").status_code == 200


def test_without_an_authority_there_are_no_pages(tmp_path: Path) -> None:
    encryption = Encryption(CertificateFolder(tmp_path), lambda: HERE)
    with pytest.raises(Unavailable, match="companion encrypt makes one"), running(played(), encryption=encryption):
        pass
