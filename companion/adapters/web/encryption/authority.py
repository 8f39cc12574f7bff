"""Makes the box's own certificate authority, and certificates for its server. Pure but for the randomness of keys.

The authority can vouch for this box's names and for private addresses alone (name constraints, RFC 5280, 4.2.1.10): who
steals its key can pass for this box, not for a bank. `cryptography` is imported when something is made, which is once a
year or when the box's address has changed; any version from 38 on will do (Debian 12's python3-cryptography).

Keys: ECDSA on P-256, which every browser takes; Ed25519 is taken by none.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.adapters.web.encryption.own_names import PRIVATE, Called
from companion.core.errors import Malformed, Unavailable

if TYPE_CHECKING:
    from collections.abc import Iterable

BEFORE_DAYS = 30
"""A server certificate begins so long before it is made: the box's clock may be ahead of a phone's."""
SERVER_DAYS = 365
"""... and ends so long after. Together 395 days: browsers take 397 of what is new (Apple 825 of an own authority's)."""
AUTHORITY_BEFORE_DAYS = 365
AUTHORITY_DAYS = 3650
"""So long an authority can be trusted; then phones must trust another."""

_COMMON_NAME, _SERVER_AUTH = "2.5.4.3", "1.3.6.1.5.5.7.3.1"

MISSING = (
    "the library `cryptography` cannot be used ({}): sudo apt install python3-cryptography, or pip install cryptography"
)


class Made(NamedTuple):
    """A key with its certificate, and the authority's after it; PEM. left_out: names the authority cannot vouch for."""

    pem: bytes
    left_out: tuple[str, ...] = ()


def make_authority(box: str, names: Iterable[str], now: datetime) -> bytes:
    """Make a new authority for a box of these names; gives its key and certificate (PEM). box: its name, for people.

    now: with its zone. Raises Unavailable without the library.
    """
    lib = _library()
    key = lib.ec.generate_private_key(lib.ec.SECP256R1())
    permitted = [lib.x509.DNSName(name) for name in names] + [lib.x509.IPAddress(network) for network in PRIVATE]
    name = _named(lib, f"Table companion {box}"[:64])
    builder = (
        _begun(lib, name, key, now, (AUTHORITY_BEFORE_DAYS, AUTHORITY_DAYS))
        .issuer_name(name)
        .add_extension(lib.x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(lib, is_authority=True), critical=True)
        .add_extension(lib.x509.NameConstraints(permitted, None), critical=True)
    )
    return _pem(lib, key, builder.sign(key, lib.hashes.SHA256()))


def make_server(authority: bytes, called: Called, now: datetime) -> Made:
    """Make a key and a certificate for a box's server. authority: as `make_authority` gave it.

    now: with its zone. It ends with the authority at the latest. Raises Malformed: the authority is not whole, or not
    valid at `now`; Unavailable without the library.
    """
    lib = _library()
    try:
        signing = lib.serialization.load_pem_private_key(authority, None)
        issuer = lib.x509.load_pem_x509_certificate(authority)
        constraints = issuer.extensions.get_extension_for_class(lib.x509.NameConstraints).value
        if _public(lib, signing.public_key()) != _public(lib, issuer.public_key()):
            raise ValueError("its key is that of another certificate")
    except (ValueError, TypeError, lib.x509.ExtensionNotFound, lib.UnsupportedAlgorithm) as error:
        raise Malformed(f"the box's own authority is not whole: {error}") from error
    begins, ends = _times(issuer)
    if not begins <= now < ends:
        raise Malformed(f"the box's own authority holds from {begins:%Y-%m-%d} to {ends:%Y-%m-%d} only")
    permitted = [name.value for name in constraints.permitted_subtrees or () if isinstance(name, lib.x509.DNSName)]
    names = [name for name in called.names if name in permitted]
    key = lib.ec.generate_private_key(lib.ec.SECP256R1())
    alternatives = [lib.x509.DNSName(name) for name in names]
    alternatives += [lib.x509.IPAddress(ip_address(address)) for address in called.addresses]
    builder = (
        _begun(lib, _named(lib, names[0] if names else "localhost"), key, now, (BEFORE_DAYS, SERVER_DAYS), ends)
        .issuer_name(issuer.subject)
        .add_extension(lib.x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(lib, is_authority=False), critical=True)
        .add_extension(lib.x509.ExtendedKeyUsage([lib.x509.ObjectIdentifier(_SERVER_AUTH)]), critical=False)
        .add_extension(lib.x509.SubjectAlternativeName(alternatives), critical=False)
        .add_extension(_issued_by(lib, issuer), critical=False)
    )
    pem = _pem(lib, key, builder.sign(signing, lib.hashes.SHA256()))
    pem += issuer.public_bytes(lib.serialization.Encoding.PEM)
    return Made(pem, tuple(name for name in called.names if name not in permitted))


def _named(lib: Any, name: str) -> Any:
    return lib.x509.Name([lib.x509.NameAttribute(lib.x509.ObjectIdentifier(_COMMON_NAME), name)])


def _begun(
    lib: Any, name: Any, key: Any, now: datetime, days: tuple[int, int], at_latest: datetime | None = None
) -> Any:
    """Begin a certificate: whose it is, and from when to when it holds (days before and after now)."""
    ends = now + timedelta(days=days[1])
    return (
        lib.x509.CertificateBuilder()
        .subject_name(name)
        .public_key(key.public_key())
        .serial_number(lib.x509.random_serial_number())
        .not_valid_before(now - timedelta(days=days[0]))
        .not_valid_after(ends if at_latest is None else min(ends, at_latest))
        .add_extension(lib.x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )


def _usage(lib: Any, *, is_authority: bool) -> Any:
    return lib.x509.KeyUsage(
        digital_signature=not is_authority, key_cert_sign=is_authority, crl_sign=is_authority, content_commitment=False,
        key_encipherment=False, data_encipherment=False, key_agreement=False, encipher_only=False, decipher_only=False,
    )  # fmt: skip


def _issued_by(lib: Any, issuer: Any) -> Any:
    identifier = issuer.extensions.get_extension_for_class(lib.x509.SubjectKeyIdentifier).value
    return lib.x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(identifier)


def _times(certificate: Any) -> tuple[datetime, datetime]:
    """Give from when to when a certificate holds; versions before 42 know only times without a zone."""
    if hasattr(certificate, "not_valid_after_utc"):
        return certificate.not_valid_before_utc, certificate.not_valid_after_utc
    return certificate.not_valid_before.replace(tzinfo=UTC), certificate.not_valid_after.replace(tzinfo=UTC)


def _public(lib: Any, key: Any) -> bytes:
    form = lib.serialization.PublicFormat.SubjectPublicKeyInfo
    content: bytes = key.public_bytes(lib.serialization.Encoding.DER, form)
    return content


def _pem(lib: Any, key: Any, certificate: Any) -> bytes:
    pem, form = lib.serialization.Encoding.PEM, lib.serialization.PrivateFormat.PKCS8
    private: bytes = key.private_bytes(pem, form, lib.serialization.NoEncryption())
    public: bytes = certificate.public_bytes(pem)
    return private + public


class _Library(NamedTuple):
    x509: Any
    ec: Any
    hashes: Any
    serialization: Any
    UnsupportedAlgorithm: Any


def _library() -> _Library:
    """Import the library. Raises Unavailable."""
    try:
        from cryptography import x509  # noqa: PLC0415 - see the module's text
        from cryptography.exceptions import UnsupportedAlgorithm  # noqa: PLC0415
        from cryptography.hazmat.primitives import hashes, serialization  # noqa: PLC0415
        from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415
    except ImportError as error:
        raise Unavailable(MISSING.format(error)) from error
    return _Library(x509, ec, hashes, serialization, UnsupportedAlgorithm)
