"""By which `Host` a request may call this box, and from which `Origin` it may change something. Pure; no server.

A page of another site can make a browser send requests here under a name that leads here (DNS rebinding), and would be
let in as this box's own page. So `Host` is one of the box's names, or the address that this very connection was made to
(a browser puts there what it connects to), with the port that it was made to. An address that the box gets later is
good at once: nothing is remembered.
"""

from __future__ import annotations

import re
from ipaddress import IPv6Address, ip_address
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from ipaddress import IPv4Address

    Server = tuple[str, int | None]

USUAL_PORTS = {"http": 80, "https": 443}

_HOST = re.compile(
    r"(?:\[(?P<six>[0-9a-f:.]+)(?:%(?:25)?[0-9a-z_.-]+)?\]|(?P<name>[0-9a-z_-]+(?:\.[0-9a-z_-]+)*)\.?)"
    r"(?::(?P<port>[0-9]{1,5}))?",
    re.ASCII | re.IGNORECASE,
)


class Hosts:
    """The names of one box beside its addresses, each "name" or, where another port leads here, "name:port".

    A name without dots is good with `.local` too, `localhost` always.
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        known = {name.lower().rstrip(".") for name in names if name}
        self._names = {"localhost", *known, *(f"{name}.local" for name in known if not set(name) & set(".:"))}

    def is_good(self, host: str | None, server: Server | None, scheme: str = "http") -> bool:
        """Tell whether a `Host` header names this box.

        server: address and port that the connection was made to, None where they are not known: then no address is
        good. scheme: "http" or "https", which says what port is meant by none.
        """
        found = _HOST.fullmatch(host or "")
        if found is None:
            return False
        name = (found["six"] or found["name"]).lower()
        port = int(found["port"] or USUAL_PORTS[scheme])
        if f"{name}:{port}" in self._names:
            return True
        is_port = server is not None and port == server[1]
        address = address_of(name)
        if found["six"] is not None or address is not None:
            return is_port and address is not None and server is not None and address == address_of(server[0])
        return is_port and name in self._names

    def is_same_site(self, origin: str | None, host: str | None, scheme: str = "http") -> bool:
        """Tell whether an `Origin` header is that of a page of this box; none at all is no browser's."""
        return origin is None or (bool(host) and origin.lower() == f"{scheme}://{host}".lower())


def address_of(text: str) -> IPv4Address | IPv6Address | None:
    """Read an IP address, without its zone, and as IPv4 where it is that in other words; None for what is none."""
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return (address.ipv4_mapped or address) if isinstance(address, IPv6Address) else address
