"""TLS of a link: what the client believes, and sockets that leave nothing open where a handshake fails.

paho connects in a thread, where it forgets open a socket whose handshake failed. What a broker answers to a client's
certificate comes, by TLS 1.3, only after the handshake, with the first bytes that are read: it is kept, to be said.
"""

from __future__ import annotations

import ssl
from typing import TYPE_CHECKING, Any

from companion.core.errors import Unavailable

if TYPE_CHECKING:
    from companion.adapters.mqtt.broker import Tls


class LinkSocket(ssl.SSLSocket):
    """Closes itself where its handshake fails, and has its context remember a fault in what is read."""

    def do_handshake(self, block: bool = False) -> None:
        """Make the handshake, or close. Raises OSError."""
        try:
            super().do_handshake(block)
        except BaseException:
            self.close()
            raise

    def recv(self, *args: Any) -> bytes:
        """Read. Raises OSError."""
        try:
            return super().recv(*args)
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
            raise
        except ssl.SSLError as error:
            if isinstance(self.context, LinkContext):
                self.context.fault = error
            raise


class LinkContext(ssl.SSLContext):
    """What one connection believes. fault: what was wrong with what the broker sent last, None: nothing."""

    fault: ssl.SSLError | None = None


def link_context(tls: Tls) -> LinkContext:
    """Read the files. TLS 1.2 or newer; the host's name is checked. Raises Unavailable: which file is not as needed."""
    context = LinkContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.sslsocket_class = LinkSocket
    try:
        if tls.authority is None:
            context.load_default_certs()
        else:
            context.load_verify_locations(cafile=tls.authority)
    except OSError as error:
        raise Unavailable(f"{tls.authority} is no file of authorities that can be read: {_why(error)}") from error
    if tls.certificate is not None:
        try:
            context.load_cert_chain(tls.certificate, tls.key, password="")  # else it asks on the terminal
        except (OSError, ValueError) as error:
            raise Unavailable(
                f"{tls.certificate} and {tls.key} are no certificate with its key: {_why(error)}"
            ) from error
    return context


def _why(error: Exception) -> str:
    return str(getattr(error, "reason", "") or getattr(error, "strerror", "") or error)
