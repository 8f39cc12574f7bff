"""A game without a race on the referee's desk: the board in the race's place, no cards to turn, much to set by hand."""

from __future__ import annotations

import pytest

from tests.browser.desk import open_desk
from tests.browser.players import Host


def test_the_desk_shows_the_board_of_a_game_without_a_race_and_nothing_of_races_and_cards(box, new_context):
    desk = open_desk(new_context(), box)
    desk.select_option('[data-key="game"]', "les-apaches")
    for colour in ("red", "blue"):
        desk.click(f'[data-key="sit {colour}"]')
    desk.click("#begin")
    desk.wait_for_selector("#race .area >> text=district 6")
    assert "No race" not in desk.inner_text("#race")
    assert desk.is_hidden("#entry")
    assert "Taking hideouts" in desk.inner_text("#race .stage")


BROKEN = """all => all.filter((one) => one.getClientRects().length > 0 && one.clientHeight > 40)
    .map((one) => one.innerText)"""


@pytest.mark.parametrize("width", [360, 1280])
def test_the_table_writes_what_lies_in_a_district_on_one_line_and_has_no_place_for_cards(box, new_context, width):
    desk = open_desk(new_context(), box)
    desk.select_option('[data-key="game"]', "les-apaches")
    for colour in ("red", "blue"):
        desk.click(f'[data-key="sit {colour}"]')
    desk.click("#begin")
    desk.wait_for_selector("#race .area >> text=district 6")
    Host(box).post("/api/by-hand", {"set": "red novices 1", "value": 3, "reason": "so placed", "by": "Ann"})
    table = new_context(viewport={"width": width, "height": 800}).new_page()
    table.goto(f"{box.url}/table")
    table.wait_for_selector("#areas li >> text=3 (3 novices)")
    assert table.eval_on_selector_all("#areas .cells li", BROKEN) == []
    assert table.is_hidden("#claims")
    assert table.evaluate("document.documentElement.scrollWidth <= innerWidth")
