"""What this machine is called and by which addresses it is reached, as a certificate may name it.

Asks the kernel on each call, so that an address that came by DHCP a minute ago is there. Sends nothing.
"""

from __future__ import annotations

import array
import fcntl
import os
import socket
import struct
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from pathlib import Path
from typing import NamedTuple

PRIVATE = tuple(
    ip_network(network)
    for network in (
        "127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10",
        "::1/128", "fc00::/7", "fe80::/10",
    )
)  # fmt: skip
"""All that the box's authority may ever vouch for beside its names: no address of the internet."""

LOOPBACK = ("127.0.0.1", "::1")

_SIOCGIFCONF = 0x8912
_MOST_INTERFACES = 64
_IF_INET6 = Path("/proc/net/if_inet6")


class Called(NamedTuple):
    """How a box is reached: names in lower case, and addresses as text; both sorted, without what is there twice."""

    names: tuple[str, ...]
    addresses: tuple[str, ...]


def own_names(more: tuple[str, ...] = (), host: str = "") -> Called:
    """Give what this box is called now. more: names of the settings, perhaps with a port. host: it listens on this."""
    own = [name for name in (socket.gethostname(), *(name.partition(":")[0] for name in more)) if name]
    plain = [name.lower().rstrip(".") for name in own]
    names = {"localhost", *plain, *(f"{name}.local" for name in plain if "." not in name)}
    addresses = {*LOOPBACK, *_ipv4(), *_ipv6(), *([host] if is_private(host) else [])}
    return Called(tuple(sorted(filter(_is_name, names))), tuple(sorted(filter(is_private, addresses))))


def is_private(text: str) -> bool:
    """Tell whether this is an address that the authority may vouch for."""
    try:
        address = ip_address(text)
    except ValueError:
        return False
    return any(address in network for network in PRIVATE)


def _is_name(text: str) -> bool:
    return text.isascii() and not is_private(text) and all(0 < len(part) <= 63 for part in text.split("."))


def _ipv4() -> list[str]:
    """Give the addresses of all interfaces that are up, by an ioctl: the service may not speak netlink."""
    size = struct.calcsize("16s16sQ") if struct.calcsize("P") == 8 else 32
    room = array.array("B", bytes(size * _MOST_INTERFACES))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            answer = fcntl.ioctl(asking, _SIOCGIFCONF, struct.pack("iP", len(room), room.buffer_info()[0]))
        except OSError:
            return []
    length: int = struct.unpack("iP", answer)[0]
    # Of each: 16 bytes of the interface's name, then a sockaddr_in: family, port, address.
    return [str(IPv4Address(room[at + 20 : at + 24].tobytes())) for at in range(0, length, size)]


def _ipv6() -> list[str]:
    try:
        lines = _IF_INET6.read_text(encoding="ascii").splitlines()
    except OSError:
        return []
    return [str(IPv6Address(bytes.fromhex(line.split()[0]))) for line in lines]


def hostname() -> str:
    """Give the machine's own name, for people."""
    return socket.gethostname() or os.uname().nodename
