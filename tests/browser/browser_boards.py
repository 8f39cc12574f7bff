"""A game without a race on the referee's desk: the board in the race's place, no cards to turn, much to set by hand."""

from __future__ import annotations

from tests.browser.desk import open_desk
from tests.browser.players import Host
from tests.browser.sizes import at_each


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


def test_the_table_writes_what_lies_in_a_district_on_one_line_and_has_no_place_for_cards(box, new_context):
    desk = open_desk(new_context(), box)
    desk.select_option('[data-key="game"]', "les-apaches")
    for colour in ("red", "blue"):
        desk.click(f'[data-key="sit {colour}"]')
    desk.click("#begin")
    desk.wait_for_selector("#race .area >> text=district 6")
    Host(box).post("/api/by-hand", {"set": "red novices 1", "value": 3, "reason": "so placed", "by": "Ann"})
    table = new_context(viewport={"width": 360, "height": 800}).new_page()
    table.goto(f"{box.url}/table")
    table.wait_for_selector("#areas li >> text=3 (3 novices)")
    for width in at_each(table, [360, 1280]):
        assert table.eval_on_selector_all("#areas .cells li", BROKEN) == [], width
        assert table.is_hidden("#claims")
        assert table.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_end_of_a_game_without_races_fills_the_hall_s_screen(box, new_context):
    host = Host(box)
    host.begin("yellow", "purple", game="les-apaches")
    for seat in ("yellow", "purple"):
        host.post("/api/by-hand", {"set": f"{seat} money", "value": 12_050, "reason": "counted", "by": "Ann"})
    host.post("/api/end", {})
    hall = new_context(viewport={"width": 1920, "height": 1080}).new_page()
    hall.goto(f"{box.url}/hall")
    hall.wait_for_selector(".standings .score >> text=12050")
    assert hall.eval_on_selector(".standings", "one => one.getBoundingClientRect().width") > 1700
    heights = hall.eval_on_selector_all(".standings .name", "all => all.map(one => one.getBoundingClientRect().height)")
    assert max(heights) < 1.5 * float(
        hall.eval_on_selector(".standings .name", "one => parseFloat(getComputedStyle(one).fontSize)")
    )


def test_words_in_an_account_begin_at_the_left_and_numbers_end_at_the_right(box, new_context):
    Host(box).begin("yellow", "purple", game="big-manitou")
    table = new_context().new_page()
    table.goto(f"{box.url}/table")
    table.wait_for_selector("#ledgers td")
    is_number = table.evaluate(
        "import('/js/shown/ledgers.js').then(({ accounts }) => { const rows = [{ label: 'a', owner: null,"
        " values: ['left', '7', ''] }]; const made = document.createElement('div');"
        " made.append(...accounts([{ key: 'k', title: 't', columns: ['x', 'y', 'z'], rows, note: '' }]).flat());"
        " return [...made.querySelectorAll('tbody td')].map((one) => !one.classList.contains('is-text')); })"
    )
    assert is_number == [False, True, True]
