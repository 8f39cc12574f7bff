"""How long what is shown stays: settings as frozen values, each in seconds or "dismissed". Opens nothing."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from companion.core.shown.times import Times
from companion.core.timing.events import SECOND

DISMISSED = "dismissed"
Stays = Annotated[float, Meta(ge=0.5, le=3600)] | Literal["dismissed"]
"""A time, or until somebody dismisses it."""


class TimesSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How long messages stay, each in seconds, or "dismissed": until a push of the knob, an own button, or the page."""

    menu_s: Annotated[
        Stays, Meta(description="A menu that the knob has opened, since it was last used; a question twice as long")
    ] = 10.0
    notice_s: Annotated[Stays, Meta(description="A short message about what was just done")] = 4.0
    page_s: Annotated[Stays, Meta(description="Each page of a race's results on the display")] = 3.0
    order_s: Annotated[Stays, Meta(description="The final order, before somebody is asked to choose")] = 1.5
    alarm_s: Annotated[Stays, Meta(description="The alarm of a fault that has passed; one that lasts stays anyway")] = (
        60.0
    )
    leaf_s: Annotated[
        float,
        Meta(
            ge=1,
            le=60,
            description="Each picture of a scene that has several on a large or simple display: they come round again",
        ),
    ] = 3.0
    controls_s: Annotated[
        Stays, Meta(description="The switches of the hall's page, until something moves on it again")
    ] = 4.0
    announcement_s: Annotated[
        float,
        Meta(ge=1, le=60, description="How long the end of a spoken card is waited for; then the race opens without"),
    ] = 10.0

    @property
    def controls_ms(self) -> int | None:
        """`controls_s` in ms; None: they stay."""
        return None if isinstance(self.controls_s, str) else round(self.controls_s * 1000)

    @property
    def core(self) -> Times:
        """What the session needs of it, in ns."""
        return Times(
            menu_ns=ns(self.menu_s),
            notice_ns=ns(self.notice_s),
            page_ns=ns(self.page_s),
            order_ns=ns(self.order_s),
            alarm_ns=ns(self.alarm_s),
            announcement_ns=ns(self.announcement_s) or SECOND,
            leaf_ns=ns(self.leaf_s) or SECOND,
        )


def ns(stays: float | str) -> int | None:
    """Give a time in ns; None: until it is dismissed."""
    return None if isinstance(stays, str) else int(Decimal(str(stays)) * SECOND)
