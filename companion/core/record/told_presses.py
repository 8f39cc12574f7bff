"""A press that became no line of its own, in the words of a remark; and such words read again as the press. Pure.

Whatever was accepted and counts nowhere is told by its button and its time, so that a referee can still have it
played: at this time, never at another.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from companion.core.panel import BUTTON_BY_LABEL, label_of, role_of
from companion.core.record.lines import PressLine

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core.record.lines import Remark

_TIME = re.compile(r"\((?P<t_ns>[0-9]{1,19}) ns(?: ± (?P<error_ns>[0-9]{1,19}) ns)?\)\Z")


def told_time(t_ns: int, error_ns: int) -> str:
    """Say when a press was made, for the end of the remark that tells of it."""
    return f"({t_ns} ns ± {error_ns} ns)"


def read_press(remark: Remark, roles: Sequence[str]) -> PressLine | None:
    """Give the press that a remark of a button's own line tells of, None where it tells of none.

    roles: what the game calls the buttons of a seat; the role is empty where it has no such button.
    """
    button = BUTTON_BY_LABEL.get(label_of(remark.source or ""))
    found = _TIME.search(remark.text)
    if button is None or found is None:
        return None
    t_ns, error_ns = int(found["t_ns"]), int(found["error_ns"] or 0)
    return PressLine(colour=button.colour, role=role_of(button, roles) or "", t_ns=t_ns, error_ns=error_ns)
