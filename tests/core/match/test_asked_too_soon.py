"""What a match refuses, and what it does with presses that come while something else waits."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.errors import Illegal
from companion.core.match.match import PlaySettings
from companion.core.match.veil import veil_of_race, without_buttons
from companion.core.panel import KNOB_PUSH, Colour
from companion.core.play.commands import (
    AddRemark,
    Change,
    EnterCard,
    MakeProtest,
    PlayNone,
    ReplaceCall,
    TakeBack,
    WasPlay,
)
from companion.core.record.lines import PressLine, Remark
from companion.core.ruling.judge import judge_record
from companion.core.ruling.rulings import Fault
from companion.core.shown.scene import Standing
from companion.core.switches.ways import SwitchScanning
from companion.core.timing.events import MS, SECOND, Disbelieved, Press
from companion.games import registry
from tests.core.play.test_commands import Desk

RED, YELLOW, GREEN, BLUE, _ = Colour


def three(**more: Any) -> Desk:
    return Desk(seats=("red", "yellow", "blue"), **more)


def presses(box: Desk) -> list[tuple[str, int]]:
    return [(line.colour, line.t_ns // MS) for line in box.session.match.presses()]  # type: ignore[union-attr]


def remarks(box: Desk) -> list[str]:
    return [line.text for line in box.lines if isinstance(line, Remark)]


def is_sound(box: Desk) -> bool:
    return not any(isinstance(ruling, Fault) for ruling in judge_record(box.record(), registry.find))


def test_a_chord_that_was_a_play_counts_at_its_own_time_with_the_presses_that_came_after_it() -> None:
    box = three()
    box.ask(EnterCard(card="buffalo"), 1500)
    box.edge(KNOB_PUSH, True, 2000)
    box.press("red hunter", 2100)
    box.edge(KNOB_PUSH, False, 2250)
    box.press("yellow hunter", 2600)
    box.run(2700)
    box.ask(AddRemark(text="wait"), 2800)
    assert presses(box) == [("yellow", 2600)]  # red's was taken for a card
    box.ask(WasPlay(), 2900)
    assert presses(box) == [("red", 2100), ("yellow", 2600)]
    assert is_sound(box)


def test_earlier_lines_are_not_changed_while_presses_wait_for_their_card() -> None:
    box = three()
    box.ask(EnterCard(card="buffalo"), 2000)
    box.run(2500)
    changes = (Change(line=2, lines=({"type": "reveal", "card": "teepee"},)),)
    box.ask(EnterCard(card="necklace"), 2600)
    early = three()
    early.ask(EnterCard(card="buffalo"), 1500)
    early.press("red hunter", 2500)
    early.run(8000)  # judged
    early.press("red hunter", 9000)
    early.run(9200)
    assert early.session.match is not None
    assert early.session.match.early
    with pytest.raises(Illegal, match="enter it, or say that there was none"):
        early.ask(ReplaceCall(changes=changes, reason="teepee", by="Ann", seen=len(early.lines)), 9500)
    assert early.types().count("undo") == 0
    box.ask(ReplaceCall(changes=changes, reason="teepee", by="Ann", seen=len(box.lines)), 9500)
    assert [line.card for line in box.lines if hasattr(line, "card")][-2:] == ["teepee", "necklace"]


def test_a_second_press_by_a_switch_that_picks_nothing_is_noted_and_changes_nothing() -> None:
    box = three(play=PlaySettings(switches={RED: SwitchScanning(dwell_ns=SECOND, loops=2)}))
    box.ask(EnterCard(card="buffalo"), 2000)
    match = box.session.match
    assert match is not None
    match.play(Press("red first", 2500 * MS, 0))
    match.play(Press("red first", 2700 * MS, 0))
    box.run(3000)
    assert match.unpicked.times() == {RED: 2500 * MS}
    assert any("while nothing was offered to pick a card from" in text for text in remarks(box))


def laying() -> Desk:
    box = three(timing="untimed", dead_heat="clockwise")
    box.ask(EnterCard(card="buffalo"), 2000)
    return box


def test_whoever_has_no_seat_lays_no_card_and_plays_none() -> None:
    box = laying()
    box.press("green hunter", 2500)
    box.run(2700)
    match = box.session.match
    assert match is not None
    assert match.face_down.laid == set()
    assert any("not playing" in text for text in remarks(box))
    with pytest.raises(Illegal, match="not playing"):
        box.ask(PlayNone(seat=GREEN), 3000)


def test_a_seat_whose_card_is_on_the_table_neither_lays_another_nor_plays_none() -> None:
    box = laying()
    for number, seat in enumerate(("red", "yellow", "blue")):
        box.press(f"{seat} hunter", 2500 + 300 * number)
    box.run(4000)
    judging = box.types().index("judge") + 1
    box.ask(TakeBack(line=judging), 9000)
    for colour in (RED, YELLOW):
        with pytest.raises(Illegal, match="the cards are shown already"):
            box.ask(PlayNone(seat=colour), box.now_ms + 500)


def test_a_seat_that_plays_none_says_so_once() -> None:
    box = laying()
    box.ask(PlayNone(seat=RED), 2500)
    with pytest.raises(Illegal, match="red plays no card this time already"):
        box.ask(PlayNone(seat=RED), 3000)


def test_a_protest_before_any_race_names_none_and_one_of_a_race_to_come_is_refused() -> None:
    box = three()
    with pytest.raises(Illegal, match="race 3 has not been judged"):
        box.ask(MakeProtest(colour=RED, race=3), 2000)
    assert str(box.ask(MakeProtest(colour=RED, text="the deck"), 2500).says) == "red protests"
    assert is_sound(box)


def test_alarms_name_no_button_while_presses_are_hidden() -> None:
    box = three(allowances_ms={YELLOW: 2500})
    for colour in box.session.asks_consent_of:
        box.session.consent(colour, "Ann")
    box.ask(EnterCard(card="buffalo"), 2000)
    box.session.alarm("red fourth", "red fourth: it bounces")
    assert box.scene.alarms == ("red fourth: it bounces",)
    box.press("red hunter", 2500)
    box.run(2700)
    assert isinstance(box.body, Standing)
    assert box.scene.alarms == ("red: it bounces",)
    box.run(15_000)
    assert box.scene.alarms == ("red fourth: it bounces",)  # the race is over
    assert without_buttons("yellow first and the knob") == "yellow and the knob"


def test_a_record_alone_says_after_which_line_presses_are_hidden() -> None:
    box = laying()
    match = box.session.match
    assert match is not None
    assert match.race is not None
    assert veil_of_race(match.race, match.setup, match.history) == 0
    assert veil_of_race(None, match.setup, match.history) is None
    for number, seat in enumerate(("red", "yellow", "blue")):
        box.press(f"{seat} hunter", 2500 + 300 * number)
    box.run(6000)
    assert [line.colour for line in box.lines if isinstance(line, PressLine)] == [RED, YELLOW, BLUE]
    plain = three().session.match
    assert plain is not None
    assert veil_of_race(plain.race, plain.setup, plain.history) is None


def test_a_press_that_was_made_before_the_close_and_came_after_the_judging_is_told_and_counts_in_no_race() -> None:
    box = three(game="order")
    box.press("red first", 2000)
    box.press("yellow first", 2050)
    box.press("blue first", 2100)
    box.run(9000)
    assert box.types()[-1] == "judge"
    match = box.session.match
    assert match is not None
    said = Disbelieved(2010 * MS, MS, "its clock jumped")
    match.play(Press("blue second", 9100 * MS, 0, disbelieved=said))
    box.run(9200)
    assert presses(box) == []
    assert any("was made before the last race closed, and came after it was judged" in text for text in remarks(box))
    assert box.tones()[-1] == "ignored"
    match.play(Press("blue second", 9300 * MS, 0, disbelieved=said._replace(t_ns=9290 * MS)))
    assert presses(box) == [("blue", 9300)], "what it said is after the close: it opens the next race"
