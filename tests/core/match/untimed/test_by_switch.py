"""An untimed match with a seat that plays by one switch: it picks its card by scanning, and lays it face down."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal
from companion.core.match.effects import TookIn
from companion.core.panel import Colour
from companion.core.play.commands import CloseRace, EnterCard
from companion.core.record.lines import PressLine, Remark
from companion.core.ruling.judge import judge_record
from companion.core.ruling.rulings import Fault
from companion.core.shown.scene import Standing
from companion.core.timing.events import MS, Press
from companion.games import registry
from tests.core.match.untimed.test_laying import shown as told
from tests.core.play.test_commands import Desk
from tests.core.play.test_switch_race import ROLES, boxed
from tests.core.play.virtual_box import unfinished

RED, YELLOW, GREEN, BLUE, _ = Colour


def laying() -> Desk:
    """Red plays by a switch; a buffalo lies there."""
    box = boxed(timing="untimed", dead_heat="clockwise")
    box.ask(EnterCard(card="buffalo"), 2000)
    return box


def pressed(box: Desk) -> dict[Colour, tuple[str, int]]:
    return {line.colour: (line.role, line.t_ns // MS) for line in box.lines if isinstance(line, PressLine)}


def test_the_card_that_is_picked_lies_face_down_and_is_shown_with_the_others() -> None:
    box = laying()
    box.press("red fourth", 2500)
    box.run(2600)
    assert isinstance(box.body, Standing)
    box.press("red first", 4700)  # the third is offered
    box.run(4900)
    assert pressed(box) == {}
    assert not [role for role in ROLES if role in told(box)]
    box.press("yellow chief", 6000)
    box.press("blue chief", 7000)
    box.run(7300)
    assert pressed(box) == {RED: (ROLES[2], 7000), YELLOW: ("chief", 7000), BLUE: ("chief", 7000)}
    assert not any(isinstance(ruling, Fault) for ruling in judge_record(box.record(), registry.find))


def test_the_others_are_not_shown_while_it_picks_and_the_referee_waits_too() -> None:
    box = laying()
    box.press("yellow chief", 2200)
    box.press("red fourth", 2500)
    box.press("blue chief", 3000)
    box.run(3300)
    assert pressed(box) == {}
    with pytest.raises(Illegal, match="picked by a switch"):
        box.ask(CloseRace(), 3400)
    box.press("red first", 4700)
    box.run(4900)
    assert {t_ms for _, t_ms in pressed(box).values()} == {3000}  # none is older than the newest press
    assert box.kept == []


def test_a_card_that_is_picked_again_takes_the_place_of_the_first() -> None:
    box = laying()
    box.press("red fourth", 2500)
    box.press("red first", 2900)
    box.run(3200)
    box.press("red fourth", 5000)
    box.press("red first", 6300)
    box.run(6700)
    for label, at_ms in (("yellow chief", 7000), ("blue chief", 7500)):
        box.press(label, at_ms)
    box.run(7900)
    assert pressed(box)[RED][0] == ROLES[1]


def test_a_box_that_was_cut_off_has_it_picked_again() -> None:
    box = laying()
    box.press("yellow chief", 2200)
    box.press("red fourth", 2500)
    box.run(2700)
    kept = [effect.press for effect in box.effects if isinstance(effect, TookIn)]
    again = boxed(unfinished=unfinished(box.lines, True, kept))
    again.lines = list(box.lines)
    again.session.resume()
    again.run(again.now_ms + 50)
    match = again.session.match
    assert match is not None
    assert (match.face_down.laid, list(match.unpicked)) == ({YELLOW}, [RED])


def test_a_press_after_the_cards_were_shown_picks_none_and_is_told() -> None:
    box = laying()
    box.press("red fourth", 2500)
    box.press("yellow chief", 2600)
    box.press("blue chief", 2700)
    box.press("red first", 4700)
    box.run(9000)
    match = box.session.match
    assert match is not None
    before = pressed(box)
    match.play(Press("red first", 2650 * MS, 0))  # it was on its way when the last card was laid
    box.run(9500)
    assert not match.unpicked
    assert pressed(box) == before
    told = [line.text for line in box.lines if isinstance(line, Remark)]
    assert any("a press lays no card: the cards are shown already" in text for text in told)
