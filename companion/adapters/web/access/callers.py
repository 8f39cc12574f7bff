"""Who calls: the box's own machine, or somebody of a network address. Knows no server."""

from __future__ import annotations

from companion.adapters.web.limits.bounds import network_of

_NEAR = ("127.0.0.1", "::1", "::ffff:127.0.0.1")
_PASSED_ON = ("forwarded", "x-forwarded-for", "via")
"""What a proxy adds: the caller is then not this machine, whatever the connection's address is."""


def is_near(address: str) -> bool:
    """Tell whether an address, or a caller, is this machine's own screen."""
    return address in _NEAR


def caller_of(request: object) -> str:
    """Give who a request or a WebSocket is of, as limits count: an IPv4 address, or the network of an IPv6 one.

    What came through a proxy on this machine is nobody's own, and all counts as one.
    """
    client = getattr(request, "client", None)
    headers = getattr(request, "headers", {})
    address = client.host if client is not None else ""
    return "a proxy" if is_near(address) and any(name in headers for name in _PASSED_ON) else network_of(address)
