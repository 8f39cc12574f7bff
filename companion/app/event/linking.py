"""The one place where a box's event meets its broker: makes the link from what was joined."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from companion.adapters.mqtt.broker import Tls, read_broker
from companion.tournament.wire import down_topic

if TYPE_CHECKING:
    from companion.adapters.mqtt.broker import Broker
    from companion.app.event.joined import Joined
    from companion.app.event.thread import Hears, MakeLink
    from companion.ports import EventLink


def broker_of(joined: Joined) -> Broker:
    """Give where the broker is and by what it is spoken to. Raises Malformed, Unavailable: something is missing."""
    tls = Tls(*(Path(path) if path else None for path in (joined.ca_file, joined.certificate, joined.key)))
    return read_broker(joined.broker, username=joined.box, password=joined.secret(), tls=tls)


def link_of(joined: Joined) -> MakeLink:
    """Give what makes a link; the library is imported, and the password read, once it is called."""

    def make(hears: Hears, will: tuple[str, bytes]) -> EventLink:
        from companion.adapters.mqtt.link import MqttLink, Will

        return MqttLink(
            broker_of(joined),
            client_id=f"{joined.box}:{joined.event}",
            subscriptions=(down_topic(joined.event, joined.box),),
            on_connected=hears.connected,
            on_message=hears.message,
            on_lost=hears.lost,
            will=Will(*will),
        )

    return make
