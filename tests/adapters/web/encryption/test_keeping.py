"""Files that are missing, garbled, foreign or out of time; renewal on a clock of the test's own."""

from __future__ import annotations

import os
import ssl
import stat
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from cryptography.hazmat.primitives import serialization

from companion.adapters.web.encryption import checking, keeping
from companion.adapters.web.encryption.authority import make_authority
from companion.core.errors import Malformed, Unavailable
from companion.files import durable
from tests.adapters.web.encryption.made import DAY_S, HERE, State

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def state(tmp_path: Path) -> State:
    return State(tmp_path)


def test_the_keys_are_for_the_box_alone_whatever_the_umask(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        state = State(tmp_path)
    finally:
        os.umask(old)
    assert stat.S_IMODE(state.files.folder.stat().st_mode) == 0o700
    for file in state.files.folder.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600, file
    assert {file.name for file in state.files.folder.iterdir()} == {"authority.pem", "server.pem"}


@pytest.mark.skipif(os.geteuid() != 0, reason="only the superuser gives files away")
def test_what_the_superuser_makes_is_the_state_directory_s_owner_s(tmp_path: Path) -> None:
    folder = tmp_path / "state"
    folder.mkdir()
    os.chown(folder, 12345, 12346)
    state = State(folder)
    for path in (state.files.folder, state.files.authority, state.files.server):
        assert (path.stat().st_uid, path.stat().st_gid) == (12345, 12346), path


def test_a_start_with_all_well_writes_nothing_and_needs_no_further_library(state: State) -> None:
    stamp, folder = state.files.stamp(), str(state.files.folder.parent)
    program = f"""if True:
        import sys
        from pathlib import Path
        from companion.adapters.web.encryption.keeping import Called, CertificateFolder, Encryption
        made = Encryption(CertificateFolder(Path({folder!r})), lambda: Called{tuple(HERE)!r})
        made.open()
        made.check()
        assert "cryptography" not in sys.modules
    """
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)
    assert state.files.stamp() == stamp


def test_without_an_authority_there_are_no_pages_and_the_command_is_named(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match=r"web\.tls.*no authority yet: companion encrypt"):
        State(tmp_path, begin=False).opened()
    assert list(tmp_path.iterdir()) == []


def garbled(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:300] + b"\x00\xff" * 200)


def empty(path: Path) -> None:
    path.write_bytes(b"")


def foreign_key(path: Path) -> None:
    """The key of another, with this certificate."""
    made = make_authority("x", ["x"], keeping.CertificateFolder._time(1.8e9))
    key = made[: made.index(b"-----BEGIN CERT")]
    path.write_bytes(key + b"".join(checking.certificates(path.read_bytes())))


def encrypted_key(path: Path) -> None:
    """One whose password OpenSSL would ask for on the terminal."""
    text = path.read_bytes()
    form, secret = serialization.PrivateFormat.PKCS8, serialization.BestAvailableEncryption(b"secret")
    key = serialization.load_pem_private_key(text, None).private_bytes(serialization.Encoding.PEM, form, secret)
    path.write_bytes(key + b"".join(checking.certificates(text)))


def no_authority_in_it(path: Path) -> None:
    text = path.read_bytes()
    path.write_bytes(text[: text.rindex(b"-----BEGIN CERT")])


def open_to_all(path: Path) -> None:
    path.chmod(0o644)


def a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir(mode=0o700)


SPOIL = [garbled, empty, foreign_key, encrypted_key, no_authority_in_it, open_to_all, os.unlink]


@pytest.mark.parametrize("spoil", SPOIL)
def test_a_spoilt_server_certificate_is_made_anew_by_the_same_authority(
    state: State, spoil: Callable[[Path], None]
) -> None:
    before, authority = state.server(), state.authority()
    spoil(state.files.server)
    made = state.opened()
    assert state.server() != before
    assert made.authority == authority
    assert stat.S_IMODE(state.files.server.stat().st_mode) == 0o600


@pytest.mark.parametrize("spoil", [garbled, empty, open_to_all, os.unlink, a_folder])
def test_without_its_authority_a_box_serves_on_by_what_it_has_and_says_what_is_to_come(
    state: State, spoil: Callable[[Path], None], caplog: pytest.LogCaptureFixture
) -> None:
    before = state.server()
    spoil(state.files.authority)
    state.opened()
    assert state.server() == before
    assert "every phone must be told to trust again" in caplog.text


@pytest.mark.parametrize("spoil", [garbled, empty, os.unlink])
def test_with_both_lost_there_are_no_pages_rather_than_plain_ones(state: State, spoil: Callable[[Path], None]) -> None:
    spoil(state.files.server)
    spoil(state.files.authority)
    if spoil is os.unlink:
        with pytest.raises(Unavailable, match="companion encrypt"):
            state.opened()
        return
    with pytest.raises(Unavailable, match=r"web\.tls.*every phone must be told to trust again"):
        state.opened()


def test_a_server_certificate_of_another_authority_is_made_anew(state: State) -> None:
    """As after a power cut between the two files of `--anew`."""
    old = state.files.server.read_bytes()
    state.files.begin(HERE)
    state.files.server.write_bytes(old)
    assert state.opened().authority == state.authority()


def test_it_is_renewed_a_month_before_its_end_and_not_before(state: State) -> None:
    made, before = state.opened(), state.server()
    state.now += 334 * DAY_S
    made.check()
    assert state.server() == before
    state.now += 2 * DAY_S
    made.check()
    assert state.server() != before
    assert state.faults == [None, None]


def test_an_address_that_came_by_dhcp_is_in_the_certificate_of_the_next_handshake(state: State) -> None:
    made = state.opened()
    before = made.context
    state.called = HERE._replace(addresses=("127.0.0.1", "192.168.1.77", "::1"))
    made.check()
    assert made.context is not before, "a handshake that is going on would meet half of it"
    assert "192.168.1.77" in state.files.look().names
    shown = checking._met(_trusting(state), made.context)
    assert ("IP Address", "192.168.1.77") in shown["subjectAltName"]


def _trusting(state: State) -> ssl.SSLContext:
    client = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    client.check_hostname = False
    client.load_verify_locations(cadata=state.authority().decode())
    return client


def test_a_name_the_authority_cannot_vouch_for_is_told_once_and_tried_once(
    state: State, caplog: pytest.LogCaptureFixture
) -> None:
    made = state.opened()
    state.called = HERE._replace(names=("newname", *HERE.names))
    made.check()
    stamp = state.files.stamp()
    made.check()
    assert state.files.stamp() == stamp
    assert caplog.text.count("cannot vouch for newname") == 1
    state.now += 336 * DAY_S
    made.check()
    assert state.files.stamp() != stamp


def test_a_certificate_that_somebody_has_renewed_comes_into_use_without_a_restart(state: State) -> None:
    made, before = state.opened(), state.server()
    state.files.renew(HERE)
    made.check()
    assert checking._met(_trusting(state), made.context)
    assert state.server() != before
    assert state.server() in ssl_sent(state, made.context)


def ssl_sent(state: State, context: ssl.SSLContext) -> bytes:
    up, down = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = _trusting(state).wrap_bio(down, up)
    server = context.wrap_bio(up, down, server_side=True)
    for end in (client, server, client, server):
        try:
            end.do_handshake()
        except ssl.SSLWantReadError:
            continue
    return ssl.DER_cert_to_PEM_cert(client.getpeercert(binary_form=True) or b"").encode()


def test_a_certificate_that_cannot_be_renewed_stays_in_use_and_that_is_told(
    state: State, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    made, before = state.opened(), state.server()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(durable, "put", full)
    state.now += 366 * DAY_S
    made.check()
    assert state.server() == before
    assert "No space left" in caplog.text
    assert "ended on" in str(state.faults[-1])
    monkeypatch.undo()
    made.check()
    assert state.faults[-1] is None
    assert state.server() != before


def test_a_clock_before_the_authority_was_made_is_told_and_stops_nothing(state: State) -> None:
    before = state.server()
    state.now -= 800 * DAY_S
    made = state.opened()
    made.check()
    assert "set the clock" in str(state.faults[-1])
    assert state.server() == before
    state.files.server.unlink()  # what is made meanwhile is dated by when the authority was made, not by the clock
    made.check()
    state.now += 801 * DAY_S
    assert state.files.look().begins < state.now < state.files.look().ends


def test_a_certificate_made_by_a_clock_far_ahead_is_made_anew_once_the_clock_is_right(state: State) -> None:
    state.now += 1000 * DAY_S
    made = state.opened()
    state.now -= 1000 * DAY_S
    assert state.files.look().begins > state.now
    made.check()
    assert state.files.look().begins < state.now
    assert state.faults == [None]


def test_after_the_end_of_the_authority_the_pages_are_served_on_and_it_is_told(state: State) -> None:
    state.now += 3640 * DAY_S
    made = state.opened()
    state.now += 20 * DAY_S
    made.check()
    assert "ended on" in str(state.faults[-1])
    assert made.context


def test_the_context_keeps_its_certificate_where_the_new_file_is_not_whole(state: State) -> None:
    made = state.opened()
    garbled(state.files.server)
    with pytest.raises(Malformed, match="not a whole key"):
        checking.load(made.context, state.files.server)
    assert checking._met(_trusting(state), made.context)


def test_nothing_older_than_tls_1_2_is_spoken(state: State) -> None:
    assert state.opened().context.minimum_version == ssl.TLSVersion.TLSv1_2


def test_the_fingerprint_is_that_of_openssl(state: State) -> None:
    path = state.files.folder / "x.pem"
    path.write_bytes(state.authority())
    said = subprocess.run(["openssl", "x509", "-noout", "-fingerprint", "-sha256", "-in", str(path)],
                          capture_output=True, text=True, check=True).stdout  # fmt: skip
    assert said.strip().partition("=")[2].replace(":", " ") == state.opened().fingerprint
