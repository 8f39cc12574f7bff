"""What `companion doctor` says of the pages: whether their address can be had, and by whom they are reached."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.adapters.web.access.address import Address
from companion.cli.findings.finding import Finding, Health
from companion.core.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.config.settings import Web

SUBJECT = "web"
MEND = "where it is the box itself, that runs, nothing; else end the other program, or set web.port"


def check_web(chosen: Web | None) -> Iterable[Finding]:
    """Take the address as a box would, and let go of it; nothing where there are no settings of it."""
    if chosen is None:
        return
    if not chosen.enabled:
        yield Finding(Health.OK, SUBJECT, "no pages: web.enabled is false")
        return
    host = chosen.host or ("0.0.0.0" if chosen.lan else "127.0.0.1")  # noqa: S104
    address = Address(host, chosen.port, (), is_lan=chosen.lan)
    try:
        address.listen()
    except Unavailable as error:
        yield Finding(Health.WARNING, SUBJECT, str(error).rpartition(";")[0], MEND)
        return
    port = address.port
    address.close()
    seen = "other machines in the network may see them" if chosen.lan else "for this machine alone; web.lan for phones"
    yield Finding(Health.OK, SUBJECT, f"pages can be served on {host} port {port}: {seen}")
