"""Cards that are entered at the box itself are said as people call them."""

from __future__ import annotations

import pytest

from companion.core.panel import KNOB_PUSH
from companion.core.record.lines import Reveal
from companion.testing.virtual_box import VirtualBox
from companion.testing.walks import only
from tests.games.harbour import HARBOUR


@pytest.fixture
def box() -> VirtualBox:
    return VirtualBox(("red", "yellow"), "harbour", find=only(HARBOUR), games=("harbour",))


def test_a_card_of_the_knobs_menu(box: VirtualBox) -> None:
    box.pick("Tau", box.now_ms + 1)
    assert box.scene.notice == "revealed: Tau"
    assert isinstance(box.lines[-1], Reveal)
    assert box.lines[-1].card == "rope"


def test_a_card_that_a_button_names(box: VirtualBox) -> None:
    at_ms = box.now_ms + 1
    box.edge(KNOB_PUSH, True, at_ms)
    box.press("red first", at_ms + 100)
    box.edge(KNOB_PUSH, False, at_ms + 250)
    box.run(at_ms + 400)
    assert box.scene.notice == "revealed: rotes Ruder"
    assert isinstance(box.lines[-1], Reveal)
    assert box.lines[-1].card == "red oar"


def test_the_card_that_a_race_was_about(box: VirtualBox) -> None:
    box.pick("Laterne", box.now_ms + 1)
    box.press("yellow second", box.now_ms + 1)
    box.run(box.now_ms + 4000)
    match = box.session.match
    assert match is not None
    while not match.stage.asks_card:
        match.undo()
    box.run(box.now_ms + 10)
    assert [item.label for item in box.menu().items] == ["it was Laterne", "Laterne", "Tau", "rotes Ruder"]
