"""The broker's certificate, by an authority of the event's own; boxes are given the authority's certificate.

The authority is made as a box makes its own (`companion.adapters.web.encryption`): it can vouch for these names and
for private addresses alone. The server's certificate is made anew when a name or an address is new, or its end is near.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.adapters.web.encryption import checking
from companion.adapters.web.encryption.authority import make_authority, make_server
from companion.core.errors import Malformed, Unavailable
from companion.files import durable
from companion.files.reading import NotThere, read_file

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from companion.adapters.web.encryption.own_names import Called

AUTHORITY_KEY, SERVER, AUTHORITY = "authority.pem", "server.pem", "authority.crt"
_RENEW_S = 30 * 86_400


class Certificates(NamedTuple):
    """Files. server: key, certificate and authority, for the broker alone. authority: for every box."""

    server: Path
    authority: Path


def certificates_in(folder: Path, event: str, called: Called, now: datetime) -> Certificates:
    """Give the certificates of an event's broker; what lacks, or does not hold any more, is made.

    called: how boxes reach it. now: with its zone. Raises Malformed (the authority), Unavailable.
    """
    made = Certificates(folder / SERVER, folder / AUTHORITY)
    try:
        authority = _authority(folder / AUTHORITY_KEY, event, called, now)
        if not _holds(made.server, called, now):
            pem = make_server(authority, called, now).pem
            durable.put(made.server, pem, durable.PRIVATE_MODE)
            durable.put(made.authority, checking.certificates(pem)[-1])
    except OSError as error:
        if isinstance(error, Unavailable):
            raise
        raise Unavailable(f"no certificate can be kept in {folder}: {error.strerror or error}") from error
    return made


def _authority(path: Path, event: str, called: Called, now: datetime) -> bytes:
    try:
        return read_file(path)
    except NotThere:
        authority = make_authority(f"event {event}", called.names, now)
        durable.put(path, authority, durable.PRIVATE_MODE)
        return authority


def _holds(server: Path, called: Called, now: datetime) -> bool:
    """Tell whether the server's certificate names all that is asked for, and ends no time soon."""
    try:
        seen = checking.look(server, read_file(server))
    except (NotThere, Malformed):
        return False
    return seen.names >= {*called.names, *called.addresses} and seen.ends - now.timestamp() > _RENEW_S
