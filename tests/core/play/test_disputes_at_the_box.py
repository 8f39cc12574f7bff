"""Protests, answers and signatures at the box: by the knob and one's own button, and by nothing that leans on one."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal
from companion.core.panel import KNOB_PUSH, Colour
from companion.core.play.commands import (
    AnswerProtest,
    Change,
    EndMatch,
    EnterCard,
    MakeProtest,
    PreviewReplace,
    SignResult,
    TakeBack,
)
from companion.core.record.lines import Answer, PressLine, Protest, Remark, Sign
from companion.core.ruling.judge import judge_record
from companion.core.ruling.rulings import Fault
from companion.core.shown.scene import Final, Lobby, Question, Results
from companion.core.timing.events import MS
from companion.games import registry
from tests.core.play.test_commands import Desk, two


def judged() -> Desk:
    box = two()
    box.race(2000)
    box.run(4000)
    assert isinstance(box.body, Results)
    return box


def ended() -> Desk:
    box = judged()
    box.ask(EndMatch(), 5000)
    assert isinstance(box.body, Final)
    return box


def of(box: Desk, kind: type) -> list[object]:
    return [line for line in box.lines if isinstance(line, kind)]


def is_sound(box: Desk) -> bool:
    return not any(isinstance(ruling, Fault) for ruling in judge_record(box.record(), registry.find))


# -- protest -----------------------------------------------------------------------------------------------------------


def test_a_seat_protests_by_the_knob_s_menu_and_a_button_of_its_own() -> None:
    box = judged()
    box.pick("protest", 5000)
    assert isinstance(box.body, Question)
    assert box.body.title == "Who protests?"
    box.press("yellow chief", 6000)
    box.run(6200)
    assert of(box, Protest) == [Protest(colour=Colour.YELLOW, race=1)]
    assert box.scene.notice == "yellow protests against Pow-Wow 1"
    assert isinstance(box.body, Results)
    assert box.body.disputed == (Colour.YELLOW,)
    assert is_sound(box)


def test_the_press_that_protested_keeps_its_time_and_can_still_be_a_play() -> None:
    box = judged()
    box.pick("protest", 5000)
    box.press("yellow chief", 6000)
    box.run(6200)
    (told,) = of(box, Remark)
    assert told == Remark(
        text="yellow first: a press answered who protests (6000000000 ns ± 20000 ns)", source="yellow first"
    )
    press = {"type": "press", "colour": "yellow", "role": "chief", "t_ns": 6000 * MS, "error_ns": 20_000}
    change = Change(line=len(box.lines) + 1, lines=({"type": "reveal", "card": "yellow chief"}, press), before=True)
    outcome = box.ask(PreviewReplace(changes=(change,)), 7000).preview
    assert outcome is not None
    moved = outcome.retold[-1]
    assert moved.line == PressLine(colour=Colour.YELLOW, role="chief", t_ns=6000 * MS, error_ns=20_000)
    assert moved.after == ()


def test_hands_that_lean_on_buttons_protest_nothing() -> None:
    box = two()
    box.edge("yellow chief", True, 3200)  # too late for the race, and not let go
    box.race(2000)
    box.run(4500)
    box.pick("protest", 5000)
    box.edge("yellow chief", False, 7000)
    box.run(8000)
    assert of(box, Protest) == []
    box.run(40_000)
    assert not isinstance(box.body, Question)


def test_nobody_protests_before_a_race_is_judged_nor_while_one_runs() -> None:
    box = two()
    box.turn(1, 1500)
    box.run(1600)
    assert "protest" not in [item.label for item in box.menu().items]
    box = judged()
    box.ask(EnterCard(card="yellow hunter"), 5000)
    box.press("yellow hunter", 6000)
    box.turn(1, 6500)
    box.run(6600)
    assert "protest" not in [item.label for item in box.menu().items]


def test_a_seat_has_one_protest_without_an_answer() -> None:
    box = judged()
    assert box.ask(MakeProtest(colour=Colour.RED, text="too soon"), 5000).says == "red protests against Pow-Wow 1"
    before = box.record()
    with pytest.raises(Illegal, match="a protest of red has no answer yet"):
        box.ask(MakeProtest(colour=Colour.RED), 5200)
    assert box.record() == before
    box.pick("protest", 6000)
    box.press("red chief", 7000)
    box.run(7200)
    assert len(of(box, Protest)) == 1
    assert box.scene.notice == "refused: field `colour`: a protest of red has no answer yet"
    box.ask(MakeProtest(colour=Colour.YELLOW), 7500)
    assert len(of(box, Protest)) == 2


def test_only_a_race_that_is_judged_and_a_seat_that_plays_can_be_disputed() -> None:
    box = judged()
    with pytest.raises(Illegal, match="race 2 has not been judged"):
        box.ask(MakeProtest(colour=Colour.RED, race=2), 5000)
    with pytest.raises(Illegal, match="blue has no seat"):
        box.ask(MakeProtest(colour=Colour.BLUE), 5200)


# -- answer ------------------------------------------------------------------------------------------------------------


def test_the_referee_answers_with_a_reason() -> None:
    box = judged()
    box.ask(MakeProtest(colour=Colour.RED), 5000)
    number = len(box.lines)
    done = box.ask(AnswerProtest(protest=number, text="seen on the strip", stands=True, by="Ann"), 5500)
    assert done.says == "red's protest: the ruling stands, says Ann"
    assert of(box, Answer) == [Answer(protest=number, text="seen on the strip", stands=True, by="Ann")]
    assert isinstance(box.body, Results)
    assert box.body.disputed == ()
    with pytest.raises(Illegal, match="has its answer"):
        box.ask(AnswerProtest(protest=number, text="again", stands=False, by="Ann"), 6000)
    with pytest.raises(Illegal, match="line 2 is no protest"):
        box.ask(AnswerProtest(protest=2, text="again", stands=False, by="Ann"), 6200)


@pytest.mark.parametrize(("label", "stands"), [("the ruling stands", True), ("it does not stand", False)])
def test_the_knob_answers_too(label: str, stands: bool) -> None:
    box = judged()
    box.ask(MakeProtest(colour=Colour.RED), 5000)
    box.run(6000)
    box.pick("answer RED's protest", 6100)
    box.pick(label, 7000)
    (found,) = of(box, Answer)
    assert isinstance(found, Answer)
    assert (found.stands, found.by) == (stands, "knob")


def test_a_protest_can_wait_for_its_answer_at_the_knob() -> None:
    box = judged()
    box.ask(MakeProtest(colour=Colour.RED), 5000)
    box.pick("answer RED's protest", 6100)
    box.pick("not yet", 7000)
    assert of(box, Answer) == []


# -- sign --------------------------------------------------------------------------------------------------------------


def test_each_seat_signs_the_result_by_a_button_of_its_own() -> None:
    box = ended()
    box.press("red chief", 7000)
    box.press("yellow hunter", 7500)
    box.run(7700)
    assert of(box, Sign) == [Sign(colour=Colour.RED), Sign(colour=Colour.YELLOW)]
    assert isinstance(box.body, Final)
    assert box.body.signed == (Colour.RED, Colour.YELLOW)
    box.press("red chief", 8000)
    box.run(8200)
    assert len(of(box, Sign)) == 2
    assert box.scene.notice == "refused: field `colour`: red has signed this result already"
    assert is_sound(box)


def test_a_press_just_after_the_end_is_no_signature() -> None:
    box = ended()
    box.press("red chief", 5600)
    box.run(5800)
    assert of(box, Sign) == []
    assert box.types()[-1] == "press"


def test_the_end_can_be_left_unsigned() -> None:
    box = ended()
    box.click(7000)
    box.run(7300)
    assert isinstance(box.body, Lobby)
    assert of(box, Sign) == []


def test_nobody_signs_while_a_protest_has_no_answer() -> None:
    box = ended()
    box.pick("protest", 6500)
    box.press("red chief", 7500)
    box.press("yellow chief", 9500)
    box.run(9700)
    assert of(box, Sign) == []
    (number,) = (n for n, line in enumerate(box.lines, 1) if isinstance(line, Protest))
    assert box.scene.notice == f"refused: the protest of line {number} has no answer yet"
    assert isinstance(box.body, Final)
    assert box.body.disputed == (Colour.RED,)
    with pytest.raises(Illegal, match=f"the protest of line {number} has no answer yet"):
        box.ask(SignResult(colour=Colour.YELLOW), 10_000)
    box.ask(AnswerProtest(protest=number, text="as it was", stands=True, by="Ann"), 10_500)
    box.press("yellow chief", 12_000)
    box.run(12_200)
    assert of(box, Sign) == [Sign(colour=Colour.YELLOW)]


def test_undoing_the_end_voids_what_was_signed() -> None:
    box = ended()
    box.ask(SignResult(colour=Colour.RED), 6000)
    end = max(n for n, line in enumerate(box.lines, 1) if line.__struct_config__.tag == "end")
    box.ask(TakeBack(reason="a card was left", by="Ann", line=end), 6500)
    with pytest.raises(Illegal, match="a result is signed after the `end`"):
        box.ask(SignResult(colour=Colour.YELLOW), 6700)
    box.ask(EndMatch(), 7000)
    assert isinstance(box.body, Final)
    assert box.body.signed == ()
    box.ask(SignResult(colour=Colour.RED), 7500)
    assert box.body.signed == (Colour.RED,)


def test_what_is_signed_is_shown_once_it_is_durable() -> None:
    box = ended()
    box.store = False
    box.ask(SignResult(colour=Colour.RED), 6000)
    assert isinstance(box.body, Final)
    assert box.body.signed == ()
    box.store = True
    box.run(6500)
    assert box.body.signed == (Colour.RED,)


def test_the_end_can_be_taken_back_by_the_knob_and_is_not_left_by_the_push_that_answers() -> None:
    box = ended()
    box.press(KNOB_PUSH, 6000, 1300)
    box.run(7500)
    assert isinstance(box.body, Question)
    box.click(8000)
    box.run(8300)
    assert not box.session.stage.is_over
    assert not isinstance(box.body, Lobby)
