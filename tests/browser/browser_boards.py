"""A game without a race on the referee's desk: the board in the race's place, no cards to turn, much to set by hand."""

from __future__ import annotations

from tests.browser.desk import open_desk, wait_state


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


def test_much_to_set_by_hand_is_unfolded_seat_by_seat_and_stays_so(box, new_context):
    desk = open_desk(new_context(), box)
    desk.select_option('[data-key="game"]', "les-apaches")
    for colour in ("red", "blue"):
        desk.click(f'[data-key="sit {colour}"]')
    desk.click("#begin")
    desk.wait_for_selector('#by-hand [data-key="set of blue"]')
    assert desk.is_hidden('[data-key="set blue money"]')
    desk.click('[data-key="set of blue"]')
    desk.click('[data-key="set blue money"]')
    desk.fill('dialog [name="value"]', "650")
    desk.fill('dialog [name="reason"]', "miscounted")
    desk.fill('dialog [name="by"]', "referee")
    desk.click("dialog .is-main")
    wait_state(desk, "state.seats[1].score === 650")
    desk.wait_for_selector('[data-key="set blue money"]:visible >> text=650')
    assert desk.is_hidden('[data-key="set red money"]')
