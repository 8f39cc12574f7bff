"""The documents of the web: complete, ready for JSON, in words, and never a verdict before it is durable."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.play.commands import CloseRace, EndMatch, EnterCard, TakeBack
from companion.core.shown.scene import Invitation, Scene
from companion.core.timing.events import MS
from companion.core.words.encoding import encode
from companion.core.words.texts import Text
from companion.games import registry
from companion.screens.everybody.public import NEWEST
from companion.screens.oled.picture import draw
from companion.screens.text.scene_lines import lines
from companion.screens.web import state as web
from companion.screens.web.matches import match_document
from companion.screens.web.views import Views
from tests.amounts import many
from tests.core.play.test_commands import Desk, two, wrong_reveal
from tests.core.play.virtual_box import unfinished

FIELDS = {
    "phase", "alarms", "notice", "recorded", "game", "match", "seats", "score_label", "turn", "hidden", "leaders",
    "table", "claims", "race", "game_phase", "round", "areas", "clocks", "offers", "adjustable", "cards", "course",
    "course_total", "can", "menu", "question", "held", "lobby", "lines", "roles", "buttons", "protests",
    "signed", "waits", "now", "ledgers", "calibration", "facts", "shows", "spoken",
}  # fmt: skip


def state(box: Desk, match_id: int | None = 1) -> dict[str, Any]:
    document = web.state_document(box.session.snapshot(round(box.now_ms * MS)), match_id)
    assert set(document) == FIELDS
    decoded: dict[str, Any] = msgspec.json.decode(encode(document))
    return decoded


@pytest.mark.no_cover  # counting branches makes it three times as slow
@given(st.lists(st.sampled_from(["red chief", "yellow hunter", "knob push", "turn", "buffalo", "undo"]), max_size=12))
@settings(max_examples=many(60))
def test_every_state_has_every_field_and_is_json(steps: list[str]) -> None:
    box = two()
    at_ms = 2000.0
    for step in steps:
        if step == "turn":
            box.turn(1, at_ms)
        elif step == "buffalo":
            if state(box)["can"]["reveal"]:
                box.ask(EnterCard(card="buffalo"), at_ms)
        elif step == "undo":
            if undo := state(box)["can"]["undo"]:
                assert box.ask(TakeBack(reason="x", by="y", line=undo["line"]), at_ms)
        else:
            box.press(step, at_ms)
        at_ms += 400
        box.run(at_ms)
        found = state(box)
        assert found["phase"] in {"idle", "race", "choosing", "results", "question", "final"}
        assert found["course_total"] == len(found["course"]) or found["course_total"] > NEWEST


def test_the_button_of_a_press_that_came_too_late_is_said_in_the_language_of_the_page() -> None:
    """The name that it has in the record stood on every page: "Gelb chief"."""
    box = two()
    box.ask(EnterCard(card="red hunter"), 2000)
    box.press("red hunter", 3000)
    box.ask(CloseRace(), 3500)
    box.press("yellow chief", 3800)
    box.run(3900)
    (late,) = web.state_document(box.session.snapshot(round(box.now_ms * MS)), 1)["race"]["late"]
    assert (late["colour"], late["role"], late["role_says"]) == ("yellow", "chief", "chief")
    assert isinstance(late["role_says"], Text)
    assert not isinstance(late["role"], Text)


def test_what_can_be_done_is_what_would_be_done() -> None:
    box = two()
    can = state(box)["can"]
    assert (can["reveal"], can["close"], can["end"], can["undo"], can["new_match"]) == (True, False, True, None, False)
    box.ask(EnterCard(card="red hunter"), 2000)
    box.press("red hunter", 9000)
    box.run(9300)
    can = state(box)["can"]
    assert (can["close"], can["end"], can["undo"]) == (True, False, {"line": 3, "says": "red plays hunter"})
    assert not can["another"]
    box.ask(CloseRace(), 9500)
    can = state(box)["can"]
    assert (can["no_card"], can["another"]) == (None, True)
    box.ask(TakeBack(reason="too soon", by="Ann", line=5), 9600)
    can = state(box)["can"]
    assert (can["no_card"], can["another"]) == ("it was red hunter", False)


def test_a_race_says_gaps_errors_and_why_in_words() -> None:
    box = two()
    box.ask(EnterCard(card="red hunter"), 2000)
    box.ask(EnterCard(card="buffalo"), 2300)
    box.press("red hunter", 3000)
    box.run(3200)
    race = state(box)["race"]
    assert (race["status"], race["is_running"], race["rows"][0]["verdict"]) == ("provisional", True, None)
    assert 2000 < race["closes_in_ms"] <= 3000
    box.press("yellow maiden", 3300)
    box.run(4000)
    race = state(box)["race"]
    first, second = race["rows"]
    assert (race["status"], first["gap_text"], first["verdict"], first["why_text"]) == ("final", "first", "claim", None)
    assert (second["gap_ns"], second["error_ns"]) == (300 * MS, 40_000 if second["dead_heat"] else second["error_ns"])
    assert second["why_text"] == "no yellow maiden is face up"
    assert (first["error_text"], second["gap_text"], second["error_text"]) == ("±20 µs", "+300 ms", "±40 µs")
    turn = race["turns"][0]
    assert turn["says"] == "red hunter takes red hunter, 1 buffalo"
    assert turn["lead"] == "takes"
    assert [card["says"] for card in turn["counted"]] == ["red hunter", "1 buffalo"]


def test_no_verdict_and_no_ruling_is_shown_before_the_record_is_durable() -> None:
    box = two()
    box.ask(EnterCard(card="red hunter"), 2000)
    box.press("yellow maiden", 3000)
    box.run(3200)
    box.store = False
    box.ask(CloseRace(), 3500)
    found = state(box)
    assert found["race"]["status"] == "saving"
    assert found["race"]["rows"][0]["verdict"] is None
    assert found["race"]["turns"] == []
    assert "judge" not in [entry["type"] for entry in found["course"]]
    box.store = True
    box.run(3700)
    found = state(box)
    assert found["race"]["rows"][0]["verdict"] == "punish"
    assert "judge" in [entry["type"] for entry in found["course"]]


def test_a_disk_that_fails_is_said_and_play_is_shown_as_not_recorded() -> None:
    box = two()
    box.store = False
    box.ask(EnterCard(card="red hunter"), 2000)
    box.press("yellow maiden", 3000)
    box.run(3200)
    box.session.not_stored("the disk is full")
    box.ask(CloseRace(), 3500)
    found = state(box)
    assert (found["recorded"], found["race"]["status"]) == (False, "not recorded")
    assert found["race"]["rows"][0]["verdict"] == "punish"
    assert found["course"][0]["type"] == "judge"


def test_face_up_cards_are_grouped_by_what_can_be_claimed_and_by_whom() -> None:
    box = two()
    for at, card in enumerate(("red hunter", "buffalo", "blue chief", "necklace")):
        box.ask(EnterCard(card=card), 2000 + 300 * at)
    assert [card["says"] for card in state(box)["table"]] == ["1 buffalo", "1 necklace", "red hunter", "blue chief"]
    claims = {claim["says"]: claim["by"] for claim in state(box)["claims"]}
    assert claims == {"1 buffalo": ["red hunter"], "1 necklace": [], "nothing to claim yet": []}


def test_the_lobby_the_offer_and_the_end_are_told_apart() -> None:
    box = Desk(seats=("red", "yellow"), start=False)
    found = state(box, None)
    assert (found["phase"], found["lobby"]["seats"], found["game"]) == ("lobby", ["red", "yellow"], None)
    played = two()
    offered = state(Desk(seats=("red", "yellow"), unfinished=unfinished(played.lines)), 7)
    assert (offered["phase"], offered["can"]["resume"]) == ("offer", True)
    played.ask(EndMatch(), 3000)
    ended = state(played)
    assert (ended["phase"], ended["match"]["over"], ended["can"]["leave"]) == ("final", True, True)
    assert ended["leaders"] == ["red", "yellow"]


def test_type_ahead_keys_stay_different_where_initials_are_the_same() -> None:
    keys = web.type_ahead(["tomahawk", "totem", "toad", "red hunter", "red hawk"])
    assert len(set(keys.values())) == 5
    assert {len(key) for key in keys.values()} == {2}


def test_undone_lines_are_marked_with_the_undo_that_did_it() -> None:
    box = wrong_reveal()
    box.ask(TakeBack(reason="slip", by="Ann", line=9), 9000)
    undo, undone = state(box)["course"][:2]
    assert (undo["type"], undo["says"]) == ("undo", ["taken back by Ann: slip", "line 9 is taken back"])
    assert (undone["undone"], undone["undone_by"], undone["says"]) == (True, 10, ["revealed: totem pole"])


def test_a_record_that_cannot_be_judged_to_its_end_is_told_as_far_as_it_goes() -> None:
    box = wrong_reveal()
    document = match_document([*box.record()[:7], b'{"type":"judge"}'], registry.find)
    assert document["fault"].startswith("line 8 is illegal")
    assert len(document["course"]) == 7
    assert document["races"][0]["presses"][0]["colour"] == "red"
    assert match_document([b"x"], registry.find)["course"] == []


def test_a_past_match_s_times_are_told_and_ready_to_be_drawn() -> None:
    box = two()
    box.ask(EnterCard(card="red hunter"), 2000)
    box.ask(EnterCard(card="buffalo"), 2300)
    for press, at_ms in (("red hunter", 3000.0), ("yellow maiden", 3000.3)):
        box.press(press, at_ms)
    box.run(9000)
    document = match_document(box.record(), registry.find)
    reactions, gaps = document["figures"]
    assert (reactions["title"], [one["colour"] for one in reactions["players"]]) == (
        "Reaction times",
        ["red", "yellow"],
    )
    assert reactions["players"][0]["median"] == reactions["players"][0]["fastest"] == "700 ms"
    (yellow,) = gaps["players"]
    assert (yellow["colour"], yellow["slowest"], yellow["median_ns"]) == ("yellow", "300 µs", 300_000)
    assert yellow["values"][0]["says"] == "Pow-Wow 1: maiden, 300 µs"
    assert document["races"][0]["presses"][1]["gap_text"] == "+300 µs"


def test_an_event_is_the_line_its_rulings_and_both_in_words() -> None:
    box = wrong_reveal()
    running = box.session.snapshot(9000 * MS).match
    assert running is not None
    content, rulings, says = Views(registry.find, registry.names()).event(running, 6)
    assert content["type"] == "judge"
    assert [ruling["type"] for ruling in rulings] == ["order"]
    assert says == ("red hunter is first",)


@pytest.mark.parametrize("size", [(128, 64), (256, 64)])
@pytest.mark.parametrize("url", ["http://10.0.0.5:8017/", "http://192.168.178.123:8017/", "http://table-box.local/"])
def test_the_invitation_s_qr_code_is_whole_and_its_words_are_not_cut(size: tuple[int, int], url: str) -> None:
    import segno

    canvas = draw(Scene(Invitation(url, "123456789012")), size)
    assert canvas.faults() == []
    words = "".join(placed.text for placed in canvas.placed)
    assert url.removeprefix("http://").rstrip("/") in words
    assert "123456789012" in words
    modules = segno.make(url, error="l", micro=False, boost_error=False).matrix
    scale = 64 // (len(modules) + 4)
    around = (64 - scale * len(modules)) // 2
    for row, line in enumerate(modules):
        for column, is_dark in enumerate(line):
            x, y = around + column * scale, around + row * scale
            assert canvas.image.getpixel((x, y)) == canvas.image.getpixel((x + scale - 1, y + scale - 1))
            assert bool(canvas.image.getpixel((x, y))) is not bool(is_dark)


def test_an_invitation_goes_when_the_knob_is_turned_and_a_button_takes_its_seat_at_once() -> None:
    for touch in ("knob", "button"):
        box = Desk(seats=(), start=False)
        box.session.invite("http://10.0.0.5:8017/", "123456")
        box.run(1200)
        assert lines(box.scene) == ("look on: http://10.0.0.5:8017/", "referee's PIN: 123456")
        if touch == "knob":
            box.turn(1, 1300)
        else:
            box.press("red chief", 1300)
        box.run(1500)
        assert box.body.menu.cursor == 0
        assert len(box.body.seats) == (touch == "button")


def test_a_card_keeps_its_two_letters_for_a_whole_match() -> None:
    """Letters that others leave free are not taken over: what the hand has learned stays true."""
    box = two()
    look = web.look_document(registry.find("apache"))
    letters = {card["name"]: card["keys"] for card in look["cards"]}
    assert len(set(letters.values())) == len(letters)
    at_ms = 2000.0
    for _ in range(2):  # both chiefs of red: that card can be turned no more
        box.ask(EnterCard(card="red chief"), at_ms)
        at_ms += 500
    cards = state(box)["cards"]
    assert "red chief" not in {card["card"] for card in cards}
    assert {card["card"]: card["keys"] for card in cards} == {
        name: keys for name, keys in letters.items() if name != "red chief"
    }
