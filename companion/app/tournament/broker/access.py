"""Who may send and read what at an event's broker. Pure; every broker is told the same, each in its own language.

The desk may do all below its event. A box, whose user name is its id, may send what lies below its own `up/` and read
its own `down`; nothing else, so that no box hears another or speaks for it. Nobody else may do anything.
"""

from __future__ import annotations

from companion.core.errors import Malformed
from companion.tournament import wire

DESK = "desk"
"""The desk's user name; no box may be called so."""


def names_of(event: str, boxes: tuple[str, ...]) -> None:
    """See that event and boxes can be named at a broker. Raises Malformed."""
    for box in boxes:
        wire.names_of(event, box)
        if box == DESK:
            raise Malformed(f"no box can be called {DESK!r}: that is the desk's own name at the broker")
    wire.names_of(event, DESK)


def of_event(event: str) -> str:
    """Give the filter of all that the desk may send and read."""
    return f"{wire.ROOT}/{event}/#"


def of_box(event: str, box: str) -> str:
    """Give the filter of all that a box may send."""
    return f"{wire.ROOT}/{event}/{box}/up/#"


def may_send(user: str, event: str, topic: str) -> bool:
    """Tell whether a user may publish to a topic."""
    return _lies_below(of_event(event) if user == DESK else of_box(event, user), topic)


def may_read(user: str, event: str, wanted: str) -> bool:
    """Tell whether a user may subscribe to a topic or filter, or be given what came to a topic."""
    return _lies_below(of_event(event), wanted) if user == DESK else wanted == wire.down_topic(event, user)


def _lies_below(allowed: str, wanted: str) -> bool:
    return wanted.startswith(allowed.removesuffix("#")) and wanted != allowed.removesuffix("#")
