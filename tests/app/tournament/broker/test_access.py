"""Who may send and read what."""

from __future__ import annotations

import pytest

from companion.app.tournament.broker.access import DESK, may_read, may_send, names_of
from companion.core.errors import Malformed

OWN_UP = "companion/1/cup/box-1/up/line/a/1"
OWN_DOWN = "companion/1/cup/box-1/down"


@pytest.mark.parametrize(
    ("user", "topic", "send", "read"),
    [
        ("box-1", OWN_UP, True, False),
        ("box-1", OWN_DOWN, False, True),
        ("box-1", "companion/1/cup/box-1/up/#", True, False),
        ("box-1", "companion/1/cup/box-1/up", False, False),
        ("box-1", "companion/1/cup/box-1/up/", False, False),
        ("box-1", "companion/1/cup/box-2/up/say", False, False),
        ("box-1", "companion/1/cup/box-2/down", False, False),
        ("box-1", "companion/1/cup/box-11/up/say", False, False),
        ("box-1", "companion/1/cup/+/down", False, False),
        ("box-1", "companion/1/other/box-1/up/say", False, False),
        ("box-1", "#", False, False),
        (DESK, OWN_UP, True, True),
        (DESK, OWN_DOWN, True, True),
        (DESK, "companion/1/cup/+/up/#", True, True),
        (DESK, "companion/1/cup/#", True, True),
        (DESK, "companion/1/other/box-1/down", False, False),
        (DESK, "companion/1/#", False, False),
        (DESK, "#", False, False),
    ],
)
def test_the_desk_may_all_of_its_event_and_a_box_its_own(user: str, topic: str, send: bool, read: bool) -> None:
    assert (may_send(user, "cup", topic), may_read(user, "cup", topic)) == (send, read)


@pytest.mark.parametrize(("event", "box"), [("cup", "Box"), ("cup", "a/b"), ("cup", "+"), ("cup", DESK), ("c#p", "a")])
def test_names_that_would_mean_something_else_at_a_broker_are_refused(event: str, box: str) -> None:
    with pytest.raises(Malformed):
        names_of(event, (box,))
