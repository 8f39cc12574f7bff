"""Where the web server listens, and by which addresses it is reached."""

from __future__ import annotations

import logging
import socket

from companion.core.errors import Unavailable

LOG = logging.getLogger("companion")

HERE = "127.0.0.1"
TRUST = "/trust"
"""The page that says how encrypted pages are trusted."""
EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - what is asked is whether it listens there


class Address:
    """A host and a port. is_lan: others may reach it. names: the machine's own.

    help_port: of the plain port beside encrypted pages, None where they are not encrypted.
    """

    def __init__(
        self, host: str, port: int, names: tuple[str, ...], *, is_lan: bool, help_port: int | None = None
    ) -> None:
        self.host, self.is_lan = host, is_lan
        self.scheme = "http" if help_port is None else "https"
        self.help = None if help_port is None else Address(host, help_port, names, is_lan=is_lan)
        """The plain port's; None also where that was taken: phones then learn at the encrypted pages what it tells."""
        self.port = port
        """0 takes a free one; told by `listen` then."""
        self.names = names
        self._socket: socket.socket | None = None

    def listen(self, receive_bytes: int | None = None) -> None:
        """Take the address. receive_bytes: what the kernel keeps of a connection, half as it counts; None: as usual.

        Raises Unavailable: the port is in use, no such address.
        """
        family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
        # asyncio has a connection wait for nothing (TCP_NODELAY) only where its protocol is named
        listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        try:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if receive_bytes is not None:
                listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
            listening.bind((self.host, self.port))
            listening.listen(256)
        except (OSError, OverflowError) as error:
            listening.close()
            text = getattr(error, "strerror", None) or error
            raise Unavailable(
                f"the web server cannot listen on {self.host} port {self.port}: {text}; choose another with --port, or "
                "leave it out with --no-web"
            ) from error
        self._socket, self.port = listening, listening.getsockname()[1]
        self._listen_beside()

    def _listen_beside(self) -> None:
        try:
            if self.help is not None:
                self.help.listen()
        except Unavailable as error:
            LOG.warning("%s", error)
            self.help = None

    def sockets(self) -> list[socket.socket] | None:
        """Give what is listened on, its own first; None before `listen`."""
        beside = self.help.sockets() if self.help is not None else None
        return None if self._socket is None else [self._socket, *(beside or [])]

    def close(self) -> None:
        """Listen no more; may be called again."""
        if self.help is not None:
            self.help.close()
        if self._socket is not None:
            self._socket.close()

    def urls(self) -> tuple[str, ...]:
        """Give the addresses it is reached by, the best first."""
        if not self.is_lan:
            return (f"{self.scheme}://{_bracketed(self.host)}:{self.port}/",)
        named = [f"{name}.local" for name in self.names if not set(name) & set(".:")]
        found = [address for address in (lan_address(), *named) if address]
        return tuple(f"{self.scheme}://{_bracketed(name)}:{self.port}/" for name in found or ["127.0.0.1"])

    def trust_url(self) -> str:
        """Give where a phone learns how to trust encrypted pages: in the plain, else at the pages themselves."""
        return self.help.urls()[0] if self.help is not None else f"{self.urls()[0].rstrip('/')}{TRUST}"

    def near_url(self) -> str:
        """Give the address by which a browser on this machine reaches it."""
        host = HERE if self.host in EVERYWHERE else self.host
        return f"{self.scheme}://{_bracketed(host)}:{self.port}/"


def lan_address() -> str | None:
    """Give the address by which this machine is in its network, None where it is in none. Sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address for documentation: only the way to it is looked up
        except OSError:
            return None
        address: str = probe.getsockname()[0]
        return address


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
