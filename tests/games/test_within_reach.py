"""Where nearly always something must be decided: with the knob alone one sets by hand, ends, takes back, and looks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion.core.panel import KNOB_PUSH
from companion.core.record.lines import ByHand, End
from companion.core.shown.scene import MORE, Choosing, Final, Idle
from companion.core.timing.events import MS
from companion.screens.web.state import state_document
from tests.games.claim import test_screens as claim
from tests.games.les_apaches import test_box as les_apaches
from tests.games.once_we_moved import test_screens as once_we_moved

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.testing.virtual_box import VirtualBox

WAITING: dict[str, Callable[[], VirtualBox]] = {
    "les-apaches: draft": les_apaches.choosing,
    "les-apaches: turn": les_apaches.turn,
    "once-we-moved: forces": once_we_moved.choosing,
    "once-we-moved: a number": once_we_moved.counting,
}
TO_SET = {"les-apaches": ("RED …", "RED money"), "once-we-moved": ("out …", "Bands out")}


def choice(name: str) -> VirtualBox:
    """Give a box at which something must be decided, nothing of it picked yet."""
    box = WAITING[name]()
    box.run(box.now_ms + 30_000)
    assert isinstance(box.body, Choosing), name
    assert not box.body.page
    return box


def pick(box: VirtualBox, *labels: str) -> None:
    for label in labels:
        box.pick(label, box.now_ms + 1)


def more(box: VirtualBox) -> None:
    """Turn to the last item and push: below the lowest of a number, else past the last that can be picked."""
    for _ in range(30):
        if not box.body.more:
            box.turn(-1, box.now_ms + 1)
            box.run(box.now_ms + 50)
    assert box.body.more
    box.click(box.now_ms + 1)
    box.run(box.now_ms + 300)
    assert MORE.label not in [item.label for item in box.menu().items]


@pytest.mark.parametrize("name", WAITING)
def test_something_is_set_by_hand(name: str) -> None:
    box = choice(name)
    more(box)
    pick(box, "set by hand …", *TO_SET[name.partition(":")[0]])
    box.turn(1, box.now_ms + 1)
    box.run(box.now_ms + 50)
    box.click(box.now_ms + 1)
    box.run(box.now_ms + 300)
    assert isinstance(box.lines[-1], ByHand)
    assert isinstance(box.body, Choosing)


@pytest.mark.parametrize("name", WAITING)
def test_the_match_is_ended(name: str) -> None:
    box = choice(name)
    more(box)
    pick(box, "end of the game", "yes")
    box.run(box.now_ms + 3000)
    assert isinstance(box.lines[-1], End)
    assert isinstance(box.body, Final)


@pytest.mark.parametrize("name", WAITING)
def test_the_table_is_seen(name: str) -> None:
    box = choice(name)
    more(box)
    pick(box, "show the table")
    assert isinstance(box.body, Idle)
    assert box.body.menu is None


@pytest.mark.parametrize("name", [name for name in WAITING if "draft" not in name])
def test_the_newest_line_is_taken_back(name: str) -> None:
    box = choice(name)
    lines = box.session.match
    assert lines is not None
    before = lines.history.newest_doing()
    box.press(KNOB_PUSH, box.now_ms + 1, 1500)
    box.run(box.now_ms + 1700)
    pick(box, "yes")
    assert lines.history.newest_doing() != before


def test_a_race_that_waits_for_a_choice_cannot_end_yet_but_the_table_is_seen() -> None:
    box = claim.choosing()
    pick(box, MORE.label)
    assert [item.label for item in box.menu().items][:2] == ["back", "show the table"]
    assert "end of the game" not in [item.label for item in box.menu().items], "its rule is that the race is settled"
    pick(box, "show the table")
    assert isinstance(box.body, Idle)


def test_a_page_is_told_the_groups_of_what_is_set_by_hand() -> None:
    box = les_apaches.choosing()
    document = state_document(box.session.snapshot(round(box.now_ms * MS)), 1)
    groups = [one["group"] for one in document["adjustable"]]
    assert len(groups) > 8
    assert sorted(set(groups)) == ["BLU", "RED"]
