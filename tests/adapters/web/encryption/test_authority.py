"""What the box's authority may vouch for, and how long, as strangers' programs see it: OpenSSL's, `cryptography`'s."""

from __future__ import annotations

import subprocess
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from typing import TYPE_CHECKING

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from companion.adapters.web.encryption import authority, checking
from companion.adapters.web.encryption.own_names import Called
from companion.core.errors import Malformed
from tests.adapters.web.encryption.made import HERE

if TYPE_CHECKING:
    from pathlib import Path

NOW = datetime(2026, 5, 1, tzinfo=UTC)


@pytest.fixture(scope="module")
def own() -> bytes:
    return authority.make_authority("box", HERE.names, NOW)


def server_of(own: bytes, called: Called = HERE, now: datetime = NOW) -> x509.Certificate:
    return x509.load_pem_x509_certificate(authority.make_server(own, called, now).pem)


def verified(own: bytes, name: x509.GeneralName, tmp_path: Path) -> str:
    """What a thief of the authority's key makes; gives what OpenSSL finds wrong with it, empty for nothing."""
    key = ec.generate_private_key(ec.SECP256R1())
    issuer = x509.load_pem_x509_certificate(own)
    signing = serialization.load_pem_private_key(own, None)
    assert isinstance(signing, ec.EllipticCurvePrivateKey)
    builder = (
        x509.CertificateBuilder().subject_name(x509.Name([])).issuer_name(issuer.subject).public_key(key.public_key())
        .serial_number(1).not_valid_before(NOW).not_valid_after(NOW + timedelta(days=90))
        .add_extension(x509.SubjectAlternativeName([name]), critical=True)
    )  # fmt: skip
    stolen, trusted = tmp_path / "stolen.pem", tmp_path / "trusted.pem"
    stolen.write_bytes(builder.sign(signing, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))
    trusted.write_bytes(checking.certificates(own)[0])
    at = str(int((NOW + timedelta(days=1)).timestamp()))
    command = ["openssl", "verify", "-attime", at, "-CAfile", str(trusted), str(stolen)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else done.stderr


def test_a_server_certificate_lasts_no_longer_than_browsers_accept_and_begins_a_month_back(own: bytes) -> None:
    made = server_of(own)
    assert made.not_valid_before_utc == NOW - timedelta(days=30)
    assert made.not_valid_after_utc == NOW + timedelta(days=365)
    assert (made.not_valid_after_utc - made.not_valid_before_utc).days <= 397


def test_it_ends_with_its_authority_at_the_latest(own: bytes) -> None:
    late = NOW + timedelta(days=3500)
    assert server_of(own, now=late).not_valid_after_utc == x509.load_pem_x509_certificate(own).not_valid_after_utc
    with pytest.raises(Malformed, match="holds from 2025-05-01 to 2036-04-28 only"):
        server_of(own, now=NOW + timedelta(days=3650))


def test_it_names_all_names_and_addresses_and_is_for_servers_alone(own: bytes) -> None:
    made = server_of(own)
    names = made.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert tuple(names.get_values_for_type(x509.DNSName)) == HERE.names
    assert tuple(map(str, names.get_values_for_type(x509.IPAddress))) == HERE.addresses
    assert not made.extensions.get_extension_for_class(x509.BasicConstraints).value.ca
    assert x509.OID_SERVER_AUTH in made.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value


def test_a_name_that_the_authority_was_not_made_for_is_left_out_and_said(own: bytes) -> None:
    made = authority.make_server(own, HERE._replace(names=(*HERE.names, "club.example")), NOW)
    assert made.left_out == ("club.example",)
    assert b"club.example" not in x509.load_pem_x509_certificate(made.pem).public_bytes(serialization.Encoding.DER)


@pytest.mark.parametrize(
    "name",
    [
        x509.DNSName("box"),
        x509.DNSName("box.local"),
        x509.IPAddress(ip_address("10.1.2.3")),
        x509.IPAddress(ip_address("fd00::7")),
    ],
)
def test_openssl_takes_what_the_authority_signs_for_this_box(
    own: bytes, name: x509.GeneralName, tmp_path: Path
) -> None:
    assert verified(own, name, tmp_path) == ""


@pytest.mark.parametrize(
    "name",
    [
        x509.DNSName("bank.example"),
        x509.DNSName("local"),
        x509.DNSName("otherbox.local"),
        x509.IPAddress(ip_address("9.9.9.9")),
        x509.IPAddress(ip_address("2001:db8::1")),
    ],
)
def test_openssl_refuses_what_it_signs_for_anybody_else(own: bytes, name: x509.GeneralName, tmp_path: Path) -> None:
    assert "permitted subtree violation" in verified(own, name, tmp_path)


def test_a_strict_verifier_of_another_library_takes_the_chain(own: bytes) -> None:
    from cryptography.x509.verification import PolicyBuilder, Store

    store = Store([x509.load_pem_x509_certificate(own)])
    verifier = PolicyBuilder().store(store).time(NOW).build_server_verifier(x509.DNSName("box.local"))
    assert len(verifier.verify(server_of(own), [])) == 2


@pytest.mark.parametrize(
    "spoilt",
    [b"", b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", b"\xff" * 500],
)
def test_a_spoilt_authority_makes_nothing(own: bytes, spoilt: bytes) -> None:
    with pytest.raises(Malformed, match="not whole"):
        authority.make_server(spoilt, HERE, NOW)
    with pytest.raises(Malformed, match="not whole"):
        authority.make_server(own[:400], HERE, NOW)


def test_an_authority_with_the_key_of_another_makes_nothing(own: bytes) -> None:
    other = authority.make_authority("other", HERE.names, NOW)
    mixed = other[: other.index(b"-----BEGIN CERT")] + checking.certificates(own)[0]
    with pytest.raises(Malformed, match="key is that of another"):
        authority.make_server(mixed, HERE, NOW)
