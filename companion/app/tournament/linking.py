"""The one place where the running desk meets its broker."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.adapters.mqtt.broker import Tls, read_broker
from companion.adapters.mqtt.link import MqttLink
from companion.app.tournament.broker.access import DESK
from companion.tournament.wire import all_up

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from companion.app.tournament.driver import DeskDriver


def desk_link(
    driver: DeskDriver, address: str, event: str, logins: Mapping[str, str], authority: Path | None = None
) -> MqttLink:
    """Give the desk's link. authority: of an encrypted broker, None: the system's. Raises Malformed."""
    tls = Tls(authority)
    return MqttLink(
        read_broker(address, username=DESK, password=logins[DESK], tls=tls),
        client_id=DESK,
        subscriptions=(all_up(event),),
        on_connected=driver.connected,
        on_message=driver.message,
        on_lost=driver.lost,
    )
