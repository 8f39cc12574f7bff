"""Matches played through the pages: a whole one with all variants, two browsers at once, a replaced call."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from companion.core.record.dead_heats import POLICIES
from tests.browser.desk import (
    begin_match,
    choose_line,
    open_desk,
    open_page,
    open_panel,
    order_shown,
    press,
    reveal,
    wait_evidence,
    wait_state,
)

if TYPE_CHECKING:
    from playwright.sync_api import Page

COLOURS = ("red", "yellow", "green", "blue", "purple")
COPIES = {"chief": 2, "warrior": 2, "maiden": 2, "hunter": 3}
BOOTY = {"buffalo": 33, "totem pole": 9, "tomahawk": 9, "necklace": 9, "teepee": 9}
PRAIRIE = [f"{colour} {role}" for colour in COLOURS for role, count in COPIES.items() for _ in range(count)]
PRAIRIE += [kind for kind, count in BOOTY.items() for _ in range(count)]
RACES = 14


def judged_orders(replayed: list[Any]) -> list[list[tuple[int, str]]]:
    """Give the order of each race that a replay rules."""
    orders = [ruling for ruling in replayed if ruling["type"] == "order"]
    return [[(row["place"], row["colour"]) for row in ruling["order"]] for ruling in orders]


def settle(desk: Page, panel: Page, chosen: set[str]) -> None:
    """Answer every choice of a race, by turns at the desk and on the panel's own buttons."""
    while True:
        state = wait_state(desk, "state.offers.length || state.race.status === 'final'")
        decision = next(iter(state["offers"]), None)
        if decision is None:
            return
        option = decision["options"][-1]
        chosen.add(option["key"].split()[1])
        if option["button"] is None or len(chosen) % 2:
            desk.click(f'#offers [data-key="{option["key"]}"]')
        else:
            desk.click(f'#offers [data-key="{decision["options"][0]["key"]}"]')
        wait_decided(desk, state)


def wait_decided(desk: Page, before: dict[str, Any]) -> dict[str, Any]:
    """Wait for a line that decides something, after `before`; seals and evidence come by themselves."""
    undo = before["can"]["undo"]
    return wait_state(desk, f"(state.can.undo?.line ?? 0) > {undo['line'] if undo else 0}")


def test_the_form_offers_every_way_to_decide_a_dead_heat(box, new_context):
    desk = open_desk(new_context(), box)
    desk.wait_for_selector("#dead-heat option", state="attached")
    offered = desk.eval_on_selector_all("#dead-heat option", "(all) => all.map((one) => [one.value, one.textContent])")
    assert offered == [[key, policy.label] for key, policy in POLICIES.items()]


def test_a_whole_match_with_two_players_and_all_variants(box, new_context):
    """All 114 cards by two letters, races by the arcade buttons; the pages agree with the record judged again."""
    context = new_context()
    desk, panel, table = open_desk(context, box), open_panel(context, box.url), open_page(context, f"{box.url}/table")
    begin_match(desk, "red", "yellow", variants=("warpath", "wedding", "shared-booty"), window_s=20)
    chance = random.Random(7)
    deck = PRAIRIE[:]
    chance.shuffle(deck)
    race_at = {index * len(deck) // RACES + 7 for index in range(RACES)}
    shown: list[list[tuple[int, str]]] = []
    chosen: set[str] = set()
    for number, card in enumerate(deck):
        state = box.get("/api/state")
        keys = next(entry["keys"] for entry in state["cards"] if entry["card"] == card)
        desk.fill("#type", keys)
        state = wait_decided(desk, state)
        if number not in race_at and number != len(deck) - 1:
            continue
        able = [button for claim in state["claims"] for button in claim["by"]]
        plays = [next((b for b in able if b.startswith(colour)), f"{colour} chief") for colour in ("red", "yellow")]
        chance.shuffle(plays)
        for play in plays:
            press(panel, play)
        settle(desk, panel, chosen)
        table.wait_for_function("() => document.querySelector('.status')?.textContent === 'Final'")
        table.wait_for_function(
            "(count) => document.querySelector('#race-title').textContent.endsWith(` ${count}`)", arg=len(shown) + 1
        )
        shown.append(order_shown(table))
    wait_state(desk, "state.match.over")
    table.wait_for_selector(".verdict")
    replayed = box.replay(1)
    assert shown == judged_orders(replayed)
    outcome = replayed[-1]
    scores = table.eval_on_selector_all(
        "#seats .seat",
        "all => all.map((one) => [one.dataset.colour, Number(one.querySelector('.score strong').textContent)])",
    )
    assert dict(scores) == outcome["piles"]
    assert outcome["over"]
    assert chosen, "no player had a choice in the whole match"


def test_two_browsers_see_the_same_and_either_may_rule(box, new_context):
    """Two referees with two cookies, a spectator in a third browser; what was meant for an older state is refused."""
    one, two = open_desk(new_context(), box), open_desk(new_context(), box)
    table = open_page(new_context(), f"{box.url}/table")
    begin_match(one, "red", "yellow")
    two.wait_for_selector("#entry:visible")
    reveal(two, box, "buffalo")
    reveal(one, box, "red hunter")
    for page in (one, two, table):
        page.wait_for_function("() => document.body.textContent.includes('red hunter')")
    lines = box.get("/api/state")["match"]["lines"]
    statuses = [
        page.evaluate(
            """(seen) => fetch("/api/reveal", {
                method: "POST", headers: {"content-type": "application/json"},
                body: JSON.stringify({card: "teepee", seen}),
            }).then(async (answer) => [answer.status, (await answer.json()).error?.code ?? ""])""",
            lines,
        )
        for page in (one, two)
    ]
    assert statuses == [[200, ""], [409, "changed"]]
    assert box.get("/api/state")["match"]["lines"] == lines + 1
    two.problems.clear()


def test_replace_a_call_shows_what_changes_and_can_be_left_or_accepted(box, new_context):
    """The wrong Indian was entered: what was a punishment becomes a claim, and the choice that follows is named."""
    context = new_context()
    desk, panel, table = open_desk(context, box), open_panel(context, box.url), open_page(context, f"{box.url}/table")
    begin_match(desk, "red", "yellow", window_s=20)
    for card in ("buffalo", "blue hunter"):
        reveal(desk, box, card)
    for button in ("red hunter", "yellow chief"):
        press(panel, button)
    table.wait_for_selector('.place.is-punish[data-colour="red"]')
    wait_evidence(desk)
    before = box.record(1)
    desk.click("#replace-open")
    choose_line(desk, "#replace-line", "revealed: blue hunter")
    desk.select_option(".replace-edit [name=card]", "red hunter")
    desk.click("#replace-look")
    preview = desk.inner_text("#preview")
    assert "revealed: red hunter" in preview
    assert "red (hunter) claims the usual booty: red hunter, 1 buffalo (2 cards)" in preview
    assert box.record(1) == before, "a preview has changed the record"
    desk.click('[data-key="leave"]')
    assert box.record(1) == before, "what was left has changed the record"

    desk.click("#replace-open")
    choose_line(desk, "#replace-line", "revealed: blue hunter")
    desk.select_option(".replace-edit [name=card]", "red hunter")
    desk.click("#replace-look")
    desk.fill(".accept [name=reason]", "it was the red one")
    desk.fill(".accept [name=by]", "Ann")
    desk.click("#replace-accept")
    table.wait_for_selector('.place.is-claim[data-colour="red"]')
    assert box.get("/api/state")["seats"][0]["score"] == 2
    desk.wait_for_selector("#replace-open")
    record = box.record(1).decode()
    assert record.startswith(before.decode()), "the record was altered, not continued"
    assert '"reason":"it was the red one"' in record
    assert '"by":"Ann"' in record


def test_a_press_with_its_own_time_cannot_be_moved_by_a_replacement(box, new_context):
    context = new_context()
    desk, panel = open_desk(context, box), open_panel(context, box.url)
    begin_match(desk, "red", "yellow")
    for card in ("buffalo", "red hunter"):
        reveal(desk, box, card)
    for button in ("red hunter", "yellow hunter"):
        press(panel, button)
    wait_state(desk, "state.race?.status === 'final'")
    desk.click("#replace-open")
    choose_line(desk, "#replace-line", "red plays hunter")
    assert desk.eval_on_selector_all(".replace-edit select", "all => all.map((one) => one.name)") == ["colour", "role"]
