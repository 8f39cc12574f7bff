"""Looks at a server certificate as a browser does, by a handshake within memory; knows no socket, file format or clock.

The standard library's `ssl` cannot read a certificate, but it can meet one: a client that trusts the authority alone
takes the handshake only where the key belongs to the certificate, the authority has signed it, and its name constraints
allow the names. So a start needs no further library: `cryptography` costs 10 MB.
"""

from __future__ import annotations

import hashlib
import re
import ssl
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.core.errors import Malformed

if TYPE_CHECKING:
    from pathlib import Path

_NO_CHECK_TIME = 0x200000
"""OpenSSL's X509_V_FLAG_NO_CHECK_TIME: what is wrong with the time is said by us, in words."""
_CERTIFICATE = re.compile(rb"-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n?")
_MOST_ROUNDS = 10


class Seen(NamedTuple):
    """A server certificate that holds, but for the time. begins, ends: seconds since 1970. authority: PEM.

    authority_begins: of the authority; it was made a while after.
    """

    names: frozenset[str]
    begins: float
    ends: float
    authority: bytes
    authority_begins: float


def server_context(path: Path) -> ssl.SSLContext:
    """Give what a server needs, TLS 1.2 or newer. path: key, certificate and authority (PEM). Raises Malformed."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.options |= ssl.OP_NO_COMPRESSION | ssl.OP_NO_RENEGOTIATION
    context.set_alpn_protocols(["http/1.1"])
    load(context, path)
    return context


def load(context: ssl.SSLContext, path: Path) -> None:
    """Have a context use another certificate from the next handshake on. Raises Malformed; then nothing has changed."""
    try:
        context.load_cert_chain(path, password=lambda: "")  # else it would ask on the terminal
    except (OSError, ValueError) as error:
        raise Malformed(f"{path} is not a whole key with its certificate: {_reason(error)}") from error


def certificates(pem: bytes) -> list[bytes]:
    """Give the certificates in a file, each PEM, as they stand."""
    return _CERTIFICATE.findall(pem)


def fingerprint(certificate: bytes) -> str:
    """Give a certificate's SHA-256 as people compare it: pairs of hex digits in capitals, apart. certificate: PEM."""
    der = ssl.PEM_cert_to_DER_cert(certificate.decode("ascii"))
    return hashlib.sha256(der).digest().hex(" ").upper()


def begins(authority: bytes) -> float:
    """Tell from when on an authority holds, in seconds since 1970. authority: its certificate. Raises Malformed."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    try:
        context.load_verify_locations(cadata=authority.decode("ascii"))
        (told,) = context.get_ca_certs()
    except (OSError, ValueError) as error:
        raise Malformed(f"this is no authority's certificate: {_reason(error)}") from error
    return ssl.cert_time_to_seconds(str(told["notBefore"]))


def look(path: Path, content: bytes) -> Seen:
    """Look at a server's file. content: what is in it. Raises Malformed: no client would take it, and why."""
    found = certificates(content)
    if len(found) < 2:
        raise Malformed(f"{path} is not whole: it has a key, a certificate and the authority's")
    client = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    client.check_hostname = False
    client.verify_flags |= ssl.VerifyFlags(_NO_CHECK_TIME)
    try:
        client.load_verify_locations(cadata=found[-1].decode("ascii"))
        told = _met(client, server_context(path))
    except (OSError, ValueError) as error:
        if isinstance(error, Malformed):
            raise
        raise Malformed(f"{path} does not hold: {_reason(error)}") from error
    names = frozenset(_plain(kind, value) for kind, value in told.get("subjectAltName", ()))
    first, last = (ssl.cert_time_to_seconds(told[key]) for key in ("notBefore", "notAfter"))
    return Seen(names, first, last, found[-1], begins(found[-1]))


def _met(client: ssl.SSLContext, server: ssl.SSLContext) -> dict[str, Any]:
    """Have a client meet a server; give what it learns of the certificate. Raises ssl.SSLError."""
    up, down = ssl.MemoryBIO(), ssl.MemoryBIO()
    ends = [client.wrap_bio(down, up), server.wrap_bio(up, down, server_side=True)]
    for _ in range(_MOST_ROUNDS):
        waiting = []
        for end in ends:
            try:
                end.do_handshake()
            except ssl.SSLWantReadError:
                waiting.append(end)
        if not waiting:
            return ends[0].getpeercert() or {}
    raise ssl.SSLError("the handshake comes to no end")


def _plain(kind: str, value: str) -> str:
    """Give a name as `own_names` writes it."""
    return str(ip_address(value)) if kind == "IP Address" else value.lower()


def _reason(error: Exception) -> str:
    return str(getattr(error, "verify_message", "") or getattr(error, "reason", "") or error)
