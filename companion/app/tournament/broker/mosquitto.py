"""What Debian's mosquitto (2.0) is told for an event: its settings, its access list, its passwords. Pure but for salts.

What its access list denies it drops without a word, as MQTT 3.1.1 has none for it: a box that publishes elsewhere is
told that the broker has it, and nothing arrives.
"""

from __future__ import annotations

import hashlib
import secrets
from base64 import b64encode
from typing import TYPE_CHECKING, NamedTuple

from companion.app.tournament.broker.access import DESK, of_box, of_event
from companion.tournament import wire

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

SETTINGS, ACCESS, PASSWORDS = "mosquitto.conf", "access", "passwords"
MOST_CONNECTIONS = 4_000
MOST_QUEUED_BYTES = 64 << 20
"""What waits for one client that does not take it, at most; more is dropped, and asked for again."""
_BESIDE_BYTES = 100_000
"""What a packet may have beside its payload: a topic has 65,535 bytes at most."""
_ITERATIONS, _SALT_BYTES = 101, 12
"""As mosquitto's own program has them; the passwords are drawn, so that nobody can guess them however quickly."""


class Listening(NamedTuple):
    """Where a broker listens. host: an address, "" for all. server: key and certificate, None: nothing is encrypted.

    user: the account that a broker started by root goes on as, None: its own default.
    """

    host: str
    port: int
    server: Path | None
    user: str | None = None


def settings(folder: Path, listening: Listening) -> str:
    """Give mosquitto.conf. folder: where access list and passwords lie."""
    lines = [
        "# Written by the companion's desk for one event; a change here is lost when it is written again.",
        "per_listener_settings true",
        "persistence false",
        "log_dest stderr",
        "log_timestamp_format %Y-%m-%dT%H:%M:%S",
        f"max_packet_size {wire.LONGEST_MESSAGE + _BESIDE_BYTES}",
        "max_inflight_messages 64",
        "max_queued_messages 10000",
        f"max_queued_bytes {MOST_QUEUED_BYTES}",
        *([f"user {listening.user}"] if listening.user else []),
        "",
        f"listener {listening.port} {listening.host}".rstrip(),
        f"max_connections {MOST_CONNECTIONS}",
        "allow_anonymous false",
        "# A client is called as its user: else a box could cut off another by taking its name.",
        "use_username_as_clientid true",
        f"password_file {folder / PASSWORDS}",
        f"acl_file {folder / ACCESS}",
    ]
    if listening.server is not None:
        lines += [f"certfile {listening.server}", f"keyfile {listening.server}", "tls_version tlsv1.2"]
    return "\n".join(lines) + "\n"


def access_list(event: str) -> str:
    """Give the access list: %u is the user's name, which is the box's id."""
    return (
        f"user {DESK}\ntopic readwrite {of_event(event)}\n\n"
        f"pattern write {of_box(event, '%u')}\npattern read {wire.down_topic(event, '%u')}\n"
    )


def password_file(logins: Mapping[str, str]) -> str:
    """Give the passwords' hashes, in mosquitto's own form: PBKDF2 with SHA-512."""
    return "".join(f"{user}:{_hashed(password)}\n" for user, password in sorted(logins.items()))


def _hashed(password: str) -> str:
    salt = secrets.token_bytes(_SALT_BYTES)
    digest = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, _ITERATIONS)
    return f"$7${_ITERATIONS}${b64encode(salt).decode()}${b64encode(digest).decode()}"
