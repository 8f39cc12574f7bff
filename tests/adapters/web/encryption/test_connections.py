"""Encrypted pages over real sockets: who trusts the box gets in; what is not TLS, or never ends, keeps nobody out."""

from __future__ import annotations

import gc
import logging
import socket
import ssl
import warnings
from asyncio.sslproto import SSLProtocol
from contextlib import ExitStack
from typing import TYPE_CHECKING

import httpx
import pytest

from companion.adapters.web.access.address import TRUST
from companion.adapters.web.encryption import serving, trust
from companion.adapters.web.limits import listening
from companion.adapters.web.server import WebServer
from companion.core.errors import Unavailable
from tests.adapters.web.encryption.made import HERE, State
from tests.adapters.web.served import PIN, Served, until
from tests.adapters.web.talk import Refused, Talk

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PATIENCE_S = 30.0


class Box(Served):
    """A served box with encrypted pages, and a client of its plain port."""

    def __init__(self, folder: Path) -> None:
        self.state_of = State(folder)
        self.encryption = self.state_of.encryption()
        super().__init__(encryption=self.encryption, verify=self.state_of.trusting())
        self.plain = httpx.Client(base_url=self.server.trust_url(), timeout=PATIENCE_S)
        self._clients.append(self.plain)

    def connection(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.server.port), PATIENCE_S)

    def shake(self, context: ssl.SSLContext, name: str = "127.0.0.1") -> str | None:
        """Shake hands as a client would; gives the version spoken."""
        with self.connection() as plain, context.wrap_socket(plain, server_hostname=name) as encrypted:
            return encrypted.version()


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Box]:
    it = Box(tmp_path_factory.mktemp("state"))
    yield it
    it.stop()


def own_box(folder: Path) -> Iterator[Box]:
    it = Box(folder)
    yield it
    it.stop()


# -- who gets in -------------------------------------------------------------------------------------------------------


def test_a_client_that_trusts_the_authority_gets_pages_and_api(box: Box) -> None:
    assert box.url == f"https://127.0.0.1:{box.server.port}"
    assert "<title>" in box.client.get("/").text
    assert box.client.get("/api/link").json()["urls"] == [f"{box.url}/"]


@pytest.mark.parametrize("name", ["localhost", "box", "box.local", "192.168.1.5"])
def test_every_name_and_address_of_the_box_is_taken(box: Box, name: str) -> None:
    assert box.shake(box.state_of.trusting(), name) == "TLSv1.3"


def test_a_client_that_does_not_trust_it_refuses(box: Box) -> None:
    with pytest.raises(ssl.SSLCertVerificationError, match="self-signed certificate in certificate chain"):
        box.shake(ssl.create_default_context())


def test_a_client_that_trusts_another_box_refuses(box: Box, tmp_path: Path) -> None:
    with pytest.raises(ssl.SSLCertVerificationError):
        box.shake(State(tmp_path).trusting())


@pytest.mark.parametrize("name", ["bank.example", "box.example", "192.168.1.6"])
def test_a_wrong_name_is_refused(box: Box, name: str) -> None:
    with pytest.raises(ssl.SSLCertVerificationError, match="mismatch"):
        box.shake(box.state_of.trusting(), name)


def test_tls_1_2_is_spoken_and_nothing_older(box: Box) -> None:
    context = box.state_of.trusting()
    context.set_ciphers("DEFAULT:@SECLEVEL=0")
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    assert box.shake(context) == "TLSv1.2"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        context.minimum_version = ssl.TLSVersion.TLSv1
        context.maximum_version = ssl.TLSVersion.TLSv1_1
    with pytest.raises(ssl.SSLError, match=r"(?i)protocol version|EOF occurred"):
        box.shake(context)


# -- what a page may ---------------------------------------------------------------------------------------------------


def test_the_session_s_cookie_goes_by_encrypted_connections_alone(box: Box) -> None:
    with httpx.Client(base_url=box.url, verify=box.state_of.trusting()) as client:
        answer = client.post("/api/session", json={"pin": PIN})
        assert "; Secure" in answer.headers["set-cookie"]
        assert "; Secure" in client.delete("/api/session").headers["set-cookie"]


def test_a_page_may_open_the_encrypted_websocket_of_its_own_box_and_no_other(box: Box) -> None:
    policy = box.client.get("/").headers["content-security-policy"]
    assert f"connect-src 'self' wss://127.0.0.1:{box.server.port};" in policy


def test_the_same_page_in_the_plain_is_of_another_site(box: Box) -> None:
    assert box.referee.post("/api/end", headers={"origin": box.url}).status_code == 409
    plain = box.url.replace("https", "http")
    assert box.referee.post("/api/end", headers={"origin": plain}).status_code == 403


def test_panel_and_spectators_are_told_over_an_encrypted_websocket(box: Box) -> None:
    port, tls = box.server.port, box.state_of.trusting()
    talk = Talk(port, headers={"Origin": box.url}, tls=tls)
    assert talk.get("state")["state"]["phase"] == "lobby"
    talk.close()
    with pytest.raises(Refused):
        Talk(port, headers={"Origin": box.url.replace("https", "http")}, tls=tls)


# -- the plain port ----------------------------------------------------------------------------------------------------


def test_the_plain_port_gives_the_certificate_as_phones_want_it(box: Box) -> None:
    answer = box.plain.get(trust.CERTIFICATE)
    assert answer.headers["content-type"] == "application/x-x509-ca-cert"
    assert ssl.DER_cert_to_PEM_cert(answer.content).encode() == box.state_of.authority()
    assert box.client.get(trust.CERTIFICATE).content == answer.content


def test_the_help_page_has_the_fingerprint_and_the_way_to_the_encrypted_pages(box: Box) -> None:
    text = box.plain.get("/").text
    assert box.encryption.fingerprint in " ".join(text.split())
    assert f'href="{box.url}/"' in text
    assert all(system in text for system in ("Android", "iPhone", "Firefox"))
    assert "<script" not in text
    assert box.plain.get(trust.STYLE).headers["content-type"] == "text/css; charset=utf-8"
    assert box.client.get(TRUST).text == text


@pytest.mark.parametrize(
    "path", ["/api/state", "/referee", "/panel", "/ws", "/api/session", "/js/table.js", "/api/pin"]
)
def test_the_plain_port_has_nothing_else(box: Box, path: str) -> None:
    for answer in (box.plain.get(path), box.plain.post(path, json={"pin": PIN})):
        assert answer.status_code in (404, 405), path
        assert "set-cookie" not in answer.headers
    assert PIN not in box.plain.get(path).text


def test_no_websocket_is_opened_in_the_plain_and_no_foreign_name_taken(box: Box) -> None:
    port = httpx.URL(box.server.trust_url()).port or 0
    with pytest.raises(Refused):
        Talk(port)
    assert box.plain.get("/", headers={"host": f"evil.example:{port}"}).status_code == 403
    assert box.plain.get("/", headers={"host": f"127.0.0.1:{box.server.port}"}).status_code == 403


def test_a_help_port_that_is_taken_keeps_no_page_away(tmp_path: Path, box: Box) -> None:
    state = State(tmp_path)
    server = WebServer(
        host="127.0.0.1", port=0, views=box.server._plan.views, referee=box.box, archive=box.box,
        panel_source=box.source, simulated=True, version="", pin=PIN, encryption=state.encryption(),
        help_port=box.server.port,
    )  # fmt: skip
    server.open()
    assert server.trust_url() == f"https://127.0.0.1:{server.port}{TRUST}"
    server.start()
    with httpx.Client(verify=state.trusting()) as client:
        assert client.get(server.trust_url()).status_code == 200
    server.stop()


def test_without_certificates_nothing_is_served_in_the_plain_instead(tmp_path: Path, box: Box) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = WebServer(
        host="127.0.0.1", port=port, views=box.server._plan.views, referee=box.box, archive=box.box,
        panel_source=box.source, simulated=True, version="", pin=PIN,
        encryption=State(tmp_path, begin=False).encryption(),
    )  # fmt: skip
    with pytest.raises(Unavailable, match="companion encrypt"):
        server.open()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port), PATIENCE_S)
    server.stop()


# -- what is not TLS, or never ends ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "sent",
    [
        b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
        b"\x00" * 4096,
        b"\x16\x03\x01\xff\xff" + b"x" * 20_000,
        b"\x80\x2e\x01\x00\x02" + bytes(60),
    ],
)
def test_what_is_not_tls_is_closed_and_leaves_no_line_in_the_log(
    box: Box, sent: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO), box.connection() as connection:
        connection.sendall(sent)
        try:
            while connection.recv(4096):
                pass
        except ConnectionResetError:
            pass
    assert caplog.records == []
    assert box.client.get("/api/session").status_code == 200


def test_connections_that_never_shake_hands_hold_up_nobody_and_are_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listening, "HANDSHAKE_S", 1.0)
    for box in own_box(tmp_path):
        with ExitStack() as stack:
            silent = [stack.enter_context(box.connection()) for _ in range(40)]
            for connection in silent[::2]:
                connection.sendall(b"\x16\x03\x01\x02\x00\x01")  # the beginning of a greeting
            assert box.shake(box.state_of.trusting()) == "TLSv1.3"
            assert all(connection.recv(1) == b"" for connection in silent)  # each is closed, or this ends by patience
        assert box.client.get("/api/session").status_code == 200


def test_an_encrypted_connection_keeps_no_more_memory_than_a_record_of_tls(box: Box) -> None:
    """asyncio's own 256 KiB for each would be 110 MB for 400 guests that do nothing."""
    with box.connection() as plain, box.state_of.trusting().wrap_socket(plain, server_hostname="localhost") as guest:
        guest.sendall(b"GET ")
        protocols = [one for one in gc.get_objects() if isinstance(one, SSLProtocol)]
        kept = [len(one._ssl_buffer) for one in protocols]  # type: ignore[attr-defined]  # a private one
    assert kept
    assert max(kept) <= serving.RECEIVE_BYTES


def test_an_open_handshake_keeps_no_server_from_ending(tmp_path: Path) -> None:
    for box in own_box(tmp_path):
        stuck = box.connection()
        box.stop()
        stuck.close()
        assert box.server._thread is None


# -- a new certificate -------------------------------------------------------------------------------------------------


def test_a_new_address_is_vouched_for_while_the_box_runs_and_what_is_open_stays_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "CHECK_S", 0.01)
    for box in own_box(tmp_path):
        talk = Talk(box.server.port, tls=box.state_of.trusting())
        box.state_of.called = HERE._replace(addresses=(*HERE.addresses, "10.9.8.7"))

        def is_named(box: Box = box) -> bool:
            try:
                return box.shake(box.state_of.trusting(), "10.9.8.7") == "TLSv1.3"
            except ssl.SSLCertVerificationError:
                return False

        until(is_named)
        talk.say({"type": "hello", "panel": "p" * 16})
        assert talk.next()
        talk.close()


def test_no_key_is_made_while_a_race_is_going_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for box in own_box(tmp_path):
        assert serving.is_calm(None)
        assert serving.is_calm(box.server.desk.hub.snapshot if box.server.desk else None)
        box.begin("red hunter", "buffalo")
        box.box.press("red hunter")
        box.until_state(lambda state: bool(state["race"]))
        assert not serving.is_calm(box.box.session.snapshot(box.clock()))
        box.referee.post("/api/close", json={})
        box.until_state(lambda state: state["seats"][0]["score"] == 2)
        assert serving.is_calm(box.box.session.snapshot(box.clock()))
