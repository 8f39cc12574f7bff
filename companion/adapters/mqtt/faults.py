"""Says in words why a broker cannot be reached, or was lost: each way it may go wrong has words of its own.

Nothing here is told a password, so none can be in what it says.
"""

from __future__ import annotations

import socket
import ssl
from typing import TYPE_CHECKING

from aiomqtt.exceptions import MqttConnectError, MqttError

if TYPE_CHECKING:
    from companion.adapters.mqtt.broker import Node
    from companion.adapters.mqtt.tls import LinkContext


class Unanswered(MqttError):
    """A broker has closed the connection before it answered."""


_REFUSED = {
    1: "{node} does not speak MQTT 3.1.1",
    2: "{node} does not take this client's name",
    3: "{node} answers, and serves nobody now",
    4: "{node} refuses the user's name or the password",
    5: "{node} refuses the user's name or the password",
    132: "{node} does not speak MQTT 3.1.1",
    133: "{node} does not take this client's name",
    134: "{node} refuses the user's name or the password",
    135: "{node} refuses the user's name or the password",
    136: "{node} answers, and serves nobody now",
}
"""By the code of a broker's answer; paho gives that of MQTT 3.1.1 by the numbers of MQTT 5."""

_KINDS: tuple[tuple[type[Exception], str], ...] = (
    (socket.gaierror, "no host is known by the name {host}"),
    (UnicodeError, "no host is known by the name {host}"),
    (ConnectionRefusedError, "the port is closed at {node}: no broker runs there"),
    (TimeoutError, "nothing answers at {node}"),
)
"""By the kind of the fault."""


def words_of(error: BaseException, node: Node, context: LinkContext | None = None) -> str:
    """Say why there is no connection to a node. context: of TLS, None where nothing is encrypted."""
    cause, kept = _cause(error), None if context is None else context.fault
    if isinstance(error, MqttConnectError):
        return _REFUSED.get(_code(error), "{node} refuses the connection").format(node=node)
    if isinstance(cause, ssl.SSLError) or kept is not None:
        return _of_tls(cause if isinstance(cause, ssl.SSLError) else kept, node)
    if isinstance(error, Unanswered):
        # What it says of a certificate comes by TLS 1.3 after the handshake, and may be lost with the connection.
        wanted = "TLS (mqtts://)" if context is None else "a client's certificate, or another"
        return f"{node} closed the connection before it answered: perhaps it wants {wanted}"
    for kind, words in _KINDS:
        if isinstance(cause, kind):
            return words.format(node=node, host=node.host)
    if isinstance(cause, OSError) and not isinstance(cause, ConnectionError):
        return f"{node} cannot be reached: {cause.strerror or cause}"
    return f"the connection to {node} was closed"


def _cause(error: BaseException) -> BaseException:
    """Find what the library hides behind an error of its own: it raises that from nothing."""
    while (before := error.__cause__ or error.__context__) is not None and not isinstance(error, OSError):
        error = before
    return error


def _code(error: MqttConnectError) -> int:
    return error.rc if isinstance(error.rc, int) else int(getattr(error.rc, "value", 0))


def _of_tls(error: ssl.SSLError | None, node: Node) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"the certificate of {node} is refused: {error.verify_message}"
    reason = str(getattr(error, "reason", "") or "")
    if "ALERT" in reason and ("CERTIFICATE" in reason or "UNKNOWN_CA" in reason):
        return f"{node} refuses this client's certificate, or wants one: {_plain(reason)}"
    if reason in {"WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "HTTP_REQUEST"}:
        return f"{node} does not speak TLS: mqtt:// would be right, or another port"
    return f"TLS with {node} fails: {_plain(reason) or error}"


def _plain(reason: str) -> str:
    return reason.lower().replace("_", " ")
