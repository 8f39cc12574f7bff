"""What `companion doctor` says of the event that the box has joined: whether all that its broker needs is there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.app.event.joined import joined_of
from companion.app.event.linking import broker_of
from companion.cli.findings.finding import Finding, Health
from companion.core.errors import CompanionError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from companion.config.groups.event import EventSettings

SUBJECT = "event"
LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})


def check_event(event: EventSettings | None, folder: Path) -> Iterator[Finding]:
    """Say how it is; nothing where none is joined. folder: the state directory. Opens no connection."""
    try:
        joined = None if event is None else joined_of(event, folder)
        if joined is None:
            return
        broker = broker_of(joined)
        if broker.tls is not None:
            from companion.adapters.mqtt.tls import link_context

            link_context(broker.tls)
    except CompanionError as error:
        yield Finding(Health.FAULT, SUBJECT, str(error), "put it right, or leave the event: companion event leave")
        return
    text = f"{joined.event} as {joined.box} at {broker}"
    if broker.tls is None and broker.password and broker.host not in LOCAL:
        yield Finding(Health.WARNING, SUBJECT, f"{text}: the password crosses the network unencrypted", "use mqtts://")
        return
    yield Finding(Health.OK, SUBJECT, text)
