"""Writes into a folder what a broker of others needs for an event, so that an organiser only has to start it.

What has passwords, or hashes of them, is for the desk's own account alone; a broker that runs as another account has to
be given the folder (docs/brokers.md).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.app.tournament.broker import mosquitto, rabbitmq
from companion.app.tournament.broker.access import DESK, names_of
from companion.core.errors import Unavailable
from companion.files import durable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from companion.app.tournament.broker.mosquitto import Listening

_FOLDER_MODE = 0o700


def write_mosquitto(folder: Path, event: str, logins: Mapping[str, str], listening: Listening) -> Path:
    """Write what mosquitto needs; gives its settings' file: `mosquitto -c FILE`. Raises Malformed, Unavailable."""
    names_of(event, tuple(user for user in logins if user != DESK))
    _write(
        folder,
        {
            mosquitto.PASSWORDS: mosquitto.password_file(logins),
            mosquitto.ACCESS: mosquitto.access_list(event),
            mosquitto.SETTINGS: mosquitto.settings(folder, listening),
        },
    )
    return folder / mosquitto.SETTINGS


def write_rabbitmq(
    folder: Path, event: str, logins: Mapping[str, str], listening: Listening, peers: Sequence[str] = ()
) -> Path:
    """Write what a node of RabbitMQ needs; gives its settings' file. peers: all nodes of a cluster, by their names.

    Raises Malformed, Unavailable.
    """
    names_of(event, tuple(user for user in logins if user != DESK))
    _write(
        folder,
        {
            rabbitmq.DEFINITIONS: rabbitmq.definitions(event, logins),
            rabbitmq.PLUGINS: rabbitmq.ENABLED,
            rabbitmq.SETTINGS: rabbitmq.settings(folder, listening, peers),
        },
    )
    return folder / rabbitmq.SETTINGS


def _write(folder: Path, contents: Mapping[str, str]) -> None:
    try:
        durable.make_folder(folder, _FOLDER_MODE)
        for name, content in contents.items():
            durable.put(folder / name, content.encode(), durable.PRIVATE_MODE)
    except OSError as error:
        raise Unavailable(f"nothing can be written into {folder}: {error.strerror or error}") from error
