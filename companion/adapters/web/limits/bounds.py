"""How much the web server takes on, for everybody and for one address. Plain values; knows no socket."""

from __future__ import annotations

import ipaddress
import resource
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from companion.core.timing.events import SECOND

LARGEST_FRAME = 8 * 1024
"""Bytes of a WebSocket message, unfinished ones too, beyond which its connection is closed; twice what is read."""
MOST_FRAGMENTS = 32
"""Frames that one message may come in; browsers send one."""
LARGEST_HEAD = 8 * 1024
"""Bytes of a request's line and headers."""
MOST_OF_A_REQUEST = 256 * 1024
"""Bytes of a request beyond which its connection is closed, with what comes after it has been refused as too large."""
MOST_READ = 2048
"""Bytes taken from a connection at a time: what has to be done with them is what a press may have to wait for."""
MOST_UNSENT = 16 * 1024
"""Bytes waiting to be taken by the other side, beyond which nothing more is written for it."""
MOST_PINGS = 10
"""Pings of the protocol's own, that a connection may send at once; then one a second. Browsers send none."""
RECEIVING, SENDING = 16 * 1024, 64 * 1024
"""The kernel's own buffers of a connection, which count as the box's memory too."""
OWN = frozenset({"127.0.0.1", "::1"})
"""The box's own browser; every other address of the machine is as foreign as any."""
SPARE_DESCRIPTORS = 64
"""Open files that the box needs beside its connections: lines, buses, journals, pods."""
MOST_DESCRIPTORS = 4096


@dataclass(frozen=True, slots=True)
class Bounds:
    """connections: open at a time, in all. per_address: of one address. a_second: new ones of one address.

    held: bytes of requests' bodies and unfinished messages, in all. first_byte_ns: to the first byte of a request;
    head_ns: from there to the end of its headers; body_ns: from there to the end of its body; message_ns: from the
    first to the last byte of a message; sending_ns: in which of what waits to be sent something must be taken.
    apart_s: between two states that are sent only because phones came or went.
    """

    connections: int = 400
    per_address: int = 24
    a_second: int = 40
    panels: int = 24
    held: int = 4 << 20
    first_byte_ns: int = 5 * SECOND
    head_ns: int = 5 * SECOND
    body_ns: int = 10 * SECOND
    message_ns: int = 5 * SECOND
    sending_ns: int = 10 * SECOND
    apart_s: float = 0.1

    def within(self, descriptors: int) -> Bounds:
        """Give the bounds where only so many descriptors are free: fewer places, but at least two."""
        return replace(self, connections=max(2, min(self.connections, descriptors - SPARE_DESCRIPTORS)))


def free_descriptors() -> int:
    """Raise the process's own limit of open files as far as it may, and give how many more it can open."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, MOST_DESCRIPTORS)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(OSError, ValueError):  # a sandbox may forbid it: fewer places then
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
    used = sum(1 for _ in Path("/proc/self/fd").iterdir())
    return (MOST_DESCRIPTORS if soft == resource.RLIM_INFINITY else soft) - used


def network_of(host: str) -> str:
    """Give what counts as one address: of IPv6 the first 64 bits, which one machine has all of."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:  # asked first: from Python 3.13 on such a one is a loopback's, too
        return str(address.ipv4_mapped)
    if address.is_link_local or address.is_loopback:
        return str(address)
    return str(ipaddress.ip_network((address, 64), strict=False))
