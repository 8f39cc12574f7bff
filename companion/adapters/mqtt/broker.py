"""Where a broker is, and by what it is spoken to. Pure: reads no file, opens nothing.

An address is `mqtt://HOST[:PORT]`, or `mqtts://…` with TLS. A cluster's nodes stand in one address, with commas between
them: they are tried in turn. A password stands in no address, since addresses are shown and logged; nor in a repr.
"""

from __future__ import annotations

import re
from ipaddress import AddressValueError, IPv6Address
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from companion.core.errors import Malformed

if TYPE_CHECKING:
    from pathlib import Path

PORTS = {"mqtt": 1883, "mqtts": 8883}
"""The port of each scheme where the address says none."""

_NODE = re.compile(r"(?:\[(?P<six>[^\[\]]*)\]|(?P<host>[^\[\]:]*))(?::(?P<port>[^:]*))?\Z")
_HOST = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,252}[A-Za-z0-9])?\.?\Z")
_EXAMPLE = "mqtt://HOST, mqtt://HOST:PORT or mqtts://HOST would be right"


class Node(NamedTuple):
    """A machine that answers for the broker. host: a name or an address, IPv6 without brackets."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


class Tls(NamedTuple):
    """By what the broker is believed, and believes. authority: a file of certificates, None: the system's.

    certificate, key: files of the client's own, where the broker asks for one; None: a password has to do.
    """

    authority: Path | None = None
    certificate: Path | None = None
    key: Path | None = None


class Broker(msgspec.Struct, frozen=True):
    """A broker: its nodes, the first first. tls: None for none. password: None for none; shown nowhere."""

    nodes: tuple[Node, ...]
    username: str | None = None
    password: str | None = None
    tls: Tls | None = None

    def __repr__(self) -> str:
        return f"Broker({self})"

    def __str__(self) -> str:
        scheme = "mqtt" if self.tls is None else "mqtts"
        return f"{scheme}://{','.join(map(str, self.nodes))}"

    @property
    def host(self) -> str:
        """The first node's."""
        return self.nodes[0].host

    @property
    def port(self) -> int:
        """The first node's."""
        return self.nodes[0].port


def read_broker(address: str, *, username: str | None = None, password: str | None = None, tls: Tls = Tls()) -> Broker:  # noqa: B008 - it cannot be changed
    """Read an address. tls: for `mqtts` alone. Raises Malformed, naming what is wrong; never with a password in it."""
    scheme, found, rest = address.partition("://")
    if not found or scheme not in PORTS:
        raise Malformed(f"a broker's address begins with mqtt:// or mqtts://: {_EXAMPLE}")
    if "@" in rest:
        raise Malformed("no name and no password stands in a broker's address: both have settings of their own")
    nodes = tuple(_node(one, PORTS[scheme]) for one in rest.removesuffix("/").split(","))
    if password is not None and username is None:
        raise Malformed("a password is for a user: the user's name is missing")
    if (tls.certificate is None) != (tls.key is None):
        raise Malformed("a client certificate and its key are given together, or neither")
    if scheme == "mqtt" and tls != Tls():
        raise Malformed("certificates are for mqtts:// alone: nothing is encrypted at mqtt://")
    return Broker(nodes, username, password, tls if scheme == "mqtts" else None)


def _node(text: str, port: int) -> Node:
    """Read one of the nodes. Raises Malformed."""
    found = _NODE.match(text)
    if found is None:
        raise Malformed(f"{text!r} is no host with a port: {_EXAMPLE}; an IPv6 address stands in brackets")
    host = _six(found["six"]) if found["six"] is not None else found["host"]
    if found["six"] is None and not _HOST.match(host):
        raise Malformed(f"{host!r} is no host's name: {_EXAMPLE}")
    return Node(host, port if found["port"] is None else _port(found["port"]))


def _six(text: str) -> str:
    try:
        return str(IPv6Address(text))
    except AddressValueError as error:
        raise Malformed(f"[{text}] is no IPv6 address") from error


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 5 and 1 <= int(text) <= 65_535):
        raise Malformed(f"{text!r} is no port: it is a number from 1 to 65535")
    return int(text)
