"""A game without a race on the referee's desk: the board in the race's place, no cards to turn."""

from __future__ import annotations

from tests.browser.desk import open_desk


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
