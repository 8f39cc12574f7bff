"""An event of many boxes at which this one plays, as settings. Opens nothing, and holds no password."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

ADDRESS = r"^(mqtts?://[^/\s@]+)?$"
NAME = r"^([a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?)?$"
"""Of an event or a box: as they stand in topics of the broker."""


class EventSettings(msgspec.Struct, frozen=True, kw_only=True):
    """An event of many boxes (docs/event-box.md), where `companion event join` has not said one."""

    broker: Annotated[
        str,
        Meta(pattern=ADDRESS, description='Address of its broker: "mqtt://desk.local", "mqtts://HOST:8883". "": none'),
    ] = ""
    event: Annotated[str, Meta(pattern=NAME, description="Its id, as the desk says it")] = ""
    box: Annotated[str, Meta(pattern=NAME, description="The id of this box there; it is its user name, too")] = ""
    password_file: Annotated[
        str, Meta(description='File with the box\'s password at the broker, readable by the box alone. "": none')
    ] = ""
    ca_file: Annotated[
        str, Meta(description='Certificate authority of an mqtts:// broker. "": those that the system trusts')
    ] = ""
    certificate: Annotated[
        str, Meta(description='The box\'s own certificate, in the place of a password. "": none')
    ] = ""
    key: Annotated[str, Meta(description="The private key of that certificate")] = ""
