"""While a seat with an allowance may still press, the others' presses show only that they were made."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal
from companion.core.match.veil import without_buttons
from companion.core.panel import Colour
from companion.core.play.commands import Change, CloseRace, EnterCard, PreviewReplace, ReplaceCall, TakeBack
from companion.core.shown.scene import Question, Standing
from companion.core.timing.events import MS
from companion.games import registry
from companion.screens.oled.picture import draw
from companion.screens.text.scene_lines import lines
from tests.core.play.test_commands import Desk

RED, YELLOW, GREEN, BLUE, _ = Colour
ROLES = registry.find("apache").roles


def seated() -> Desk:
    """A match that all have agreed to, in which yellow has an allowance."""
    box = Desk(seats=("red", "yellow", "blue", "green"), allowances_ms={YELLOW: 2500})
    for colour in box.session.asks_consent_of:
        box.session.consent(colour, "Ann")
    return box


def racing() -> Desk:
    """Blue and red have pressed, in this order; yellow has not."""
    box = seated()
    box.ask(EnterCard(card="buffalo"), 2000)
    box.press("blue maiden", 2500)
    box.press("red hunter", 2600)
    box.run(2900)
    return box


def shown(box: Desk) -> str:
    """All that lines, display and snapshot say of the race."""
    texts = [placed.text for size in ((128, 64), (256, 64)) for placed in draw(box.scene, size).placed]
    race = box.session.snapshot(round(box.now_ms * MS)).match.race  # type: ignore[union-attr]
    return "\n".join((*lines(box.scene), *texts, repr(race)))


def test_the_order_and_the_roles_are_hidden_until_the_seat_with_the_allowance_has_pressed() -> None:
    box = racing()
    assert isinstance(box.body, Standing)
    assert (box.body.rows, box.body.made, box.body.hidden_for) == ((), (RED, BLUE), (YELLOW,))
    assert "RED •" in lines(box.scene)
    assert not [role for role in ROLES if role in shown(box)]
    box.press("yellow hunter", 3000)
    box.run(3300)
    assert [row.colour for row in box.body.rows] == [YELLOW, BLUE, RED]
    assert (box.body.made, box.body.hidden_for) == ((), ())


def test_they_are_hidden_before_a_press_is_certain_and_while_it_waits_for_its_card() -> None:
    box = seated()
    for at_ms in (2000, 2003, 2010, 2025, 2100):
        if at_ms == 2000:
            box.press("red hunter", at_ms)
        box.run(at_ms)
        assert not [role for role in ROLES if role in shown(box)], at_ms
    assert isinstance(box.body, Standing)
    assert box.body.made == (RED,)
    assert "press" not in box.types()


def test_a_touch_shows_as_made_and_not_apart_from_a_press() -> None:
    box = racing()
    box.edge("yellow chief", True, 2950)
    box.run(2953)
    assert isinstance(box.body, Standing)
    assert (box.body.made, box.body.unsettled) == ((RED, YELLOW, BLUE), ())


def test_they_are_shown_when_the_race_closes_without_that_seat() -> None:
    box = racing()
    box.ask(CloseRace(), 3000)
    assert [row.colour for row in box.body.rows] == [BLUE, RED]


def test_taking_back_says_no_role_while_it_is_hidden() -> None:
    box = racing()
    box.edge("knob push", True, 3000)
    box.edge("knob push", False, 4200)
    box.run(4100)
    assert isinstance(box.body, Question)
    assert box.body.lines == ("a press was made",)
    other = racing()
    said = other.ask(TakeBack(reason="wrong", by="Ann", line=other.session.match.history.newest().number), 3000).says  # type: ignore[union-attr]
    assert said == 'taken back by Ann: "a press was made" (wrong)'


def test_nothing_is_replaced_or_tried_while_it_is_hidden() -> None:
    box = racing()
    changes = (Change(line=2, lines=({"type": "reveal", "card": "buffalo"},)),)
    lines_before = len(box.lines)
    with pytest.raises(Illegal, match="not to be seen yet"):
        box.ask(PreviewReplace(changes=changes), 3000)
    with pytest.raises(Illegal, match="not to be seen yet"):
        box.ask(ReplaceCall(changes=changes, reason="x", by="y", seen=lines_before), 3100)
    assert len(box.lines) == lines_before


def test_an_alarm_names_the_seat_and_not_its_button_meanwhile() -> None:
    box = racing()
    box.session.alarm("red fourth", "red fourth: stuck: held too long")
    assert box.scene.alarms == ("red: stuck: held too long",)
    assert without_buttons("blue first and red second") == "blue and red"
    box.ask(CloseRace(), 3000)
    assert box.scene.alarms == ("red fourth: stuck: held too long",)


def test_without_an_allowance_the_order_is_shown_at_once() -> None:
    box = Desk(seats=("red", "yellow", "blue"))
    box.ask(EnterCard(card="buffalo"), 2000)
    box.press("blue maiden", 2500)
    box.run(2700)
    assert isinstance(box.body, Standing)
    assert [(row.colour, row.role) for row in box.body.rows] == [(BLUE, "maiden")]
