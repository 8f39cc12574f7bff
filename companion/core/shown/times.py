"""How long what is shown stays, for those who read slowly: each a time, or until somebody dismisses it. Pure data.

None is "until dismissed". A push of the knob dismisses, and does nothing else then; an own button dismisses beside what
it means anyway, so that no press is ever taken from a race. What guards against guessing (the screen's code, waits
after a wrong PIN) is not here: those are no messages.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.core.timing.events import SECOND


@dataclass(frozen=True, slots=True)
class Times:
    """How long each thing stays, in ns; None: until it is dismissed.

    menu_ns: an open menu since the knob was last used, a question twice as long. notice_ns: a short message. page_ns: a
    page of a race's results. order_ns: the final order before the first choice is asked for. alarm_ns: the alarm of a
    fault that has passed. announcement_ns: how long the end of a spoken card is waited for. leaf_ns: one
    of several pictures of a scene, which all come round again; never None, as both.
    """

    menu_ns: int | None = 10 * SECOND
    notice_ns: int | None = 4 * SECOND
    page_ns: int | None = 3 * SECOND
    order_ns: int | None = 3 * SECOND // 2
    alarm_ns: int | None = 60 * SECOND
    announcement_ns: int = 10 * SECOND
    leaf_ns: int = 3 * SECOND


USUAL = Times()
NEVER_NS = 2**62
"""An instant that no clock comes to."""


def until(now_ns: int, lasts_ns: int | None, times: int = 1) -> int | None:
    """Give when what is shown now goes by itself; None: never."""
    return None if lasts_ns is None else now_ns + times * lasts_ns
