"""Many things that the referee may set by hand: one list in groups, by keys alone, and on a phone."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.browser.desk import open_desk, wait_state
from tests.browser.sizes import at_each

if TYPE_CHECKING:
    from playwright.sync_api import Page

GROUPS = """all => all.map((one) => [one.label, one.children.length])"""


def begin(desk: Page) -> None:
    desk.select_option('[data-key="game"]', "les-apaches")
    for colour in ("red", "blue", "green"):
        desk.click(f'[data-key="sit {colour}"]')
    desk.click("#begin")
    wait_state(desk, "state.adjustable.length > 8")
    desk.wait_for_selector('[data-key="by hand"]')


def test_one_of_many_things_is_found_in_its_group_and_set_with_keys_alone(new_box, new_context):
    box = new_box("--simulate")
    desk = open_desk(new_context(viewport={"width": 360, "height": 800}), box)
    begin(desk)
    groups = desk.eval_on_selector_all('[data-key="by hand"] optgroup', GROUPS)
    assert [label for label, _ in groups] == ["RED", "BLU", "GRN"]
    assert len({count for _, count in groups}) == 1
    assert desk.locator("#by-hand button").count() == 1
    desk.locator('[data-key="by hand"]').focus()
    desk.keyboard.type("BLU mo")
    before = int(desk.eval_on_selector('[data-key="by hand"] option:checked', "one => one.text.split(': ')[1]"))
    desk.keyboard.press("Tab")
    desk.keyboard.press("Enter")
    desk.wait_for_selector("dialog >> text=Set BLU money")
    desk.fill("dialog [name=value]", str(before + 5))
    desk.fill("dialog [name=reason]", "counted anew")
    desk.fill("dialog [name=by]", "Ann")
    desk.keyboard.press("Enter")
    wait_state(desk, f"state.adjustable.some((one) => one.label === 'BLU money' && one.value === {before + 5})")
    desk.wait_for_selector(f'[data-key="by hand"] option:checked:has-text("BLU money: {before + 5}")', state="attached")
    line = json.loads(box.record(1).splitlines()[-1])
    assert (line["type"], line["value"], line["by"]) == ("by_hand", before + 5, "Ann")
    for width in at_each(desk, [360, 1280]):
        assert desk.evaluate("document.documentElement.scrollWidth <= innerWidth")
        box_of = desk.locator('[data-key="by hand"]').bounding_box()
        assert box_of is not None
        assert box_of["x"] + box_of["width"] <= width


def test_the_list_stays_where_it_is_while_values_change(new_box, new_context):
    box = new_box("--simulate")
    context = new_context()
    desk, other = open_desk(context, box), open_desk(context, box)
    begin(desk)
    desk.select_option('[data-key="by hand"]', label=desk.locator('[data-key="by hand"] option').nth(4).inner_text())
    desk.eval_on_selector('[data-key="by hand"]', "one => { one.mine = true; }")
    money = desk.locator('[data-key="by hand"] option', has_text="RED money").inner_text()
    other.wait_for_selector('[data-key="by hand"]')
    other.locator('[data-key="set by hand"]').click()
    other.fill("dialog [name=value]", "7")
    other.fill("dialog [name=reason]", "counted anew")
    other.fill("dialog [name=by]", "Ann")
    other.click("dialog button[type=submit]")
    wait_state(desk, "state.adjustable[0]?.value === 7")
    desk.wait_for_selector('[data-key="by hand"] option:has-text("RED money: 7")', state="attached")
    assert money != "RED money: 7"
    assert desk.eval_on_selector('[data-key="by hand"]', "one => one.mine && one.selectedIndex") == 4
