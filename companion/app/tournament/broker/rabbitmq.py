"""What RabbitMQ (3.10 or newer, with its plugin for MQTT) is told for an event. Pure but for salts.

RabbitMQ has no topics of MQTT within: `/` is `.` there, and what a client has subscribed to is a queue by its name. So
a user may have only queues of its own name, which binds a client's name to its user, and topics by a pattern. A client
that publishes where it may not is cut off.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from base64 import b64encode
from typing import TYPE_CHECKING, Any

from companion.app.tournament.broker.access import DESK
from companion.tournament import wire

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from companion.app.tournament.broker.mosquitto import Listening

SETTINGS, DEFINITIONS, PLUGINS = "rabbitmq.conf", "definitions.json", "enabled_plugins"
ENABLED = "[rabbitmq_mqtt].\n"
MOST_QUEUED_BYTES = 64 << 20
_UNUSED_MS = 600_000
"""What a node that died kept for a client that has gone on elsewhere is forgotten so long after it came back."""
_VHOST, _EXCHANGE = "/", "amq.topic"
_SALT_BYTES = 4


def settings(folder: Path, listening: Listening, peers: Sequence[str] = ()) -> str:
    """Give rabbitmq.conf. folder: where the definitions lie. peers: names of all nodes of a cluster (`rabbit@host`)."""
    where = f"{listening.host}:{listening.port}" if listening.host else str(listening.port)
    lines = [
        "# Written by the companion's desk for one event; a change here is lost when it is written again.",
        "listeners.tcp = none",
        f"load_definitions = {folder / DEFINITIONS}",
        f"max_message_size = {wire.LONGEST_MESSAGE}",
        "mqtt.allow_anonymous = false",
        f"mqtt.vhost = {_VHOST}",
        f"mqtt.exchange = {_EXCHANGE}",
        "mqtt.prefetch = 64",
        *(["cluster_formation.peer_discovery_backend = classic_config"] if peers else []),
        *(f"cluster_formation.classic_config.nodes.{count} = {peer}" for count, peer in enumerate(peers, 1)),
    ]
    if listening.server is None:
        return "\n".join([*lines, f"mqtt.listeners.tcp.default = {where}"]) + "\n"
    lines += ["mqtt.listeners.tcp = none", f"mqtt.listeners.ssl.default = {where}"]
    lines += [f"ssl_options.{name} = {listening.server}" for name in ("cacertfile", "certfile", "keyfile")]
    return "\n".join([*lines, "ssl_options.verify = verify_none", "ssl_options.fail_if_no_peer_cert = false"]) + "\n"


def definitions(event: str, logins: Mapping[str, str]) -> str:
    """Give users, what each may do, and how much may wait for one of them, as RabbitMQ reads it at its start."""
    users = sorted(logins)
    described = {
        "vhosts": [{"name": _VHOST}],
        "users": [_user(user, logins[user]) for user in users],
        "permissions": [_permission(user) for user in users],
        "topic_permissions": [_topics(event, user) for user in users],
        "policies": [_bound()],
    }
    return json.dumps(described, indent=1, sort_keys=True) + "\n"


def _user(user: str, password: str) -> dict[str, Any]:
    salt = secrets.token_bytes(_SALT_BYTES)
    digest = hashlib.sha256(salt + password.encode()).digest()
    return {
        "name": user, "password_hash": b64encode(salt + digest).decode(), "tags": "",
        "hashing_algorithm": "rabbit_password_hashing_sha256",
    }  # fmt: skip


def _permission(user: str) -> dict[str, str]:
    """Give what a user may do to queues and exchanges: a client's queue is called after the client.

    A client has its user's name, or this and more after a colon (`box-7:2` at the second node of a cluster).
    """
    own = f"mqtt-(subscription|will)-{user}(:[a-z0-9:-]*)?(qos[01])?"
    shared = rf"^({own}|{_EXCHANGE.replace('.', '[.]')})$"
    return {"user": user, "vhost": _VHOST, "configure": f"^{own}$", "write": shared, "read": shared}


def _topics(event: str, user: str) -> dict[str, str]:
    root = wire.ROOT.replace("/", "[.]") + f"[.]{event}[.]"
    own = rf"^{root}{user}[.]"
    write, read = (f"^{root}", f"^{root}") if user == DESK else (f"{own}up[.]", f"{own}down$")
    return {"user": user, "vhost": _VHOST, "exchange": _EXCHANGE, "write": write, "read": read}


def _bound() -> dict[str, Any]:
    return {
        "name": "bounded", "vhost": _VHOST, "pattern": "^mqtt-subscription-", "apply-to": "queues", "priority": 0,
        "definition": {"max-length-bytes": MOST_QUEUED_BYTES, "overflow": "drop-head", "expires": _UNUSED_MS},
    }  # fmt: skip
