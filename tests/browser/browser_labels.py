"""Cards that people call otherwise than the record does: every page has the words for people, and sends the name."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.browser.box import with_game
from tests.browser.desk import open_desk, open_page, open_panel, press, wait_state

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.browser.box import Box


@pytest.fixture
def harbour(new_box: Callable[..., Box], tmp_path) -> Box:
    path = with_game(tmp_path / "more games", "harbour", "tests.games.harbour:HARBOUR")
    return new_box("--simulate", path=path)


def test_cards_are_entered_and_shown_by_what_people_call_them(harbour, new_context):
    context = new_context()
    desk, table, panel = (
        open_desk(context, harbour),
        open_page(context, f"{harbour.url}/table"),
        open_panel(context, harbour.url),
    )
    desk.select_option('[data-key="game"]', "harbour")
    for colour in ("red", "yellow"):
        desk.click(f'[data-key="sit {colour}"]')
    desk.click("#begin")
    desk.wait_for_selector("#entry:visible")
    keys = desk.eval_on_selector_all(
        ".card-key", "all => all.map((one) => [one.dataset.key, one.querySelector('.name').textContent, one.ariaLabel])"
    )
    assert keys == [
        ["lantern", "Laterne", "Laterne, la"],
        ["rope", "Tau", "Tau, ta"],
        ["red oar", "rotes Ruder", "rotes Ruder, rr"],
    ]
    assert desk.inner_text("#type-help") == "Type two letters: “la” is Laterne."
    desk.keyboard.press("t")
    desk.keyboard.press("x")
    assert desk.inner_text("#type-help") == "No card that can be turned up begins with “tx”."
    desk.fill("#type", "rotes")
    desk.keyboard.press("Enter")
    wait_state(desk, "state.table.length === 1")
    desk.click('.card-key[data-key="rope"]')
    wait_state(desk, "state.table.length === 2")
    desk.wait_for_selector("text=Entered: Tau.")
    press(panel, "yellow first")
    table.wait_for_selector(".race-card >> text=Tau")
    assert "rotes Ruder" in table.inner_text("#claims")
    desk.click("#act-close")
    wait_state(desk, "state.race.turns.length === 1")
    table.wait_for_selector(".taken >> text=rotes Ruder")
    past = open_page(context, f"{harbour.url}/matches#1")
    past.wait_for_selector(".race-list >> text=Tau")
    for page in (desk, table, panel, past):
        assert [name for name in ("lantern", "red oar", "rope") if name in page.inner_text("body")] == []
    lines = [json.loads(line) for line in harbour.record(1).splitlines()]
    assert [line["card"] for line in lines if line["type"] == "reveal"] == ["red oar", "rope"]
