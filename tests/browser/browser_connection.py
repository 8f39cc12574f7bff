"""Connections that are lost: shown, taken up again, caught up without reloading; nothing pressed twice."""

from __future__ import annotations

import json

from tests.browser.desk import begin_match, open_desk, open_page, open_panel, order_shown, press, reveal, wait_state
from tests.browser.proxy import Proxy


def test_a_table_that_was_cut_off_in_the_middle_of_a_pow_wow_catches_up(box, new_context):
    proxy = Proxy(box.port)
    desk, panel = open_desk(new_context(), box), open_panel(new_context(), box.url)
    table = open_page(new_context(), f"{proxy.url}/table")
    table.evaluate("window.notReloaded = true")
    begin_match(desk, "red", "yellow", "blue", window_s=60)
    for card in ("buffalo", "red hunter"):
        reveal(desk, box, card)
    press(panel, "yellow chief")
    table.wait_for_selector(".order .place")
    proxy.cut()
    table.wait_for_selector("#lamp.is-lost")
    assert "connection lost" in table.inner_text("#lamp")
    press(panel, "red hunter")
    press(panel, "blue maiden")
    wait_state(desk, "state.race.status === 'final'")
    assert order_shown(table) == [(1, "yellow")]
    proxy.mend()
    table.wait_for_selector("#lamp.is-live")
    table.wait_for_selector(".order .place >> nth=2")
    assert order_shown(table) == [(1, "yellow"), (2, "red"), (3, "blue")]
    assert table.inner_text("#spoken") != ""
    assert table.evaluate("window.notReloaded")
    table.problems.clear()  # the browser notes each failed attempt
    proxy.close()


def test_a_press_made_while_the_connection_is_down_counts_once_with_its_own_time(box, new_context):
    """The panel sends it again with the same number; the box takes the time of the finger, not of the message."""
    proxy = Proxy(box.port)
    desk, near = open_desk(new_context(), box), open_panel(new_context(), box.url)
    far = open_panel(new_context(), proxy.url)
    begin_match(desk, "red", "yellow", window_s=60)
    for card in ("buffalo", "red hunter"):
        reveal(desk, box, card)
    proxy.cut()
    far.wait_for_selector("#lamp.is-lost")
    far.hover('[data-button="yellow first"]')
    proxy.mend()
    far.mouse.down()
    far.mouse.up()
    answer = far.wait_for_function(
        "() => /(not taken|taken)/.exec(document.querySelector('#answer').textContent)?.[0]"
    ).json_value()
    press(near, "red hunter")
    desk.click("#act-close", timeout=2000) if answer == "not taken" else None
    wait_state(desk, "state.race?.status === 'final'")
    presses = [json.loads(line)["colour"] for line in box.record(1).splitlines() if b'"press"' in line]
    assert presses == (["yellow", "red"] if answer == "taken" else ["red"])
    far.problems.clear()
    proxy.close()


def test_a_box_that_was_stopped_and_started_again_is_found_again(new_box, new_context):
    box = new_box("--simulate")
    table = open_page(new_context(), f"{box.url}/table")
    table.wait_for_selector("#lamp.is-live")
    port = box.port
    box.stop()
    table.wait_for_selector("#lamp.is-lost")
    new_box("--simulate", port=port)
    table.wait_for_selector("#lamp.is-live")
    table.problems.clear()


def test_two_windows_of_one_panel_do_not_press_for_each_other(box, new_context):
    """A duplicated tab has the first one's secret: the first one says so, and can go on as a panel of its own."""
    context = new_context()
    one = open_panel(context, box.url)
    secret = one.evaluate("sessionStorage.getItem('companion panel')")
    context.add_init_script(f"sessionStorage.length || sessionStorage.setItem('companion panel', {json.dumps(secret)})")
    open_panel(context, box.url)
    one.click("text=Play here as a panel of its own")
    one.wait_for_selector("body.is-ready")
    assert one.evaluate("sessionStorage.getItem('companion panel')") != secret
