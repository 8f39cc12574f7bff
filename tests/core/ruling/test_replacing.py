"""Replacing a call: what becomes of each later line, and what can stand in the place of one at all."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace

from companion.core.errors import Illegal, Malformed
from companion.core.panel import Colour
from companion.core.record.lines import Close, JudgeLine, Line, PressLine, Remark, Reveal, Seat, Setup, Undo, dump_line
from companion.core.record.told_presses import told_time
from companion.core.ruling.judge import Judge
from companion.core.ruling.replacing import Edit, Fate, Preview, preview
from companion.core.ruling.rulings import Order, Place, Ruling
from companion.games.apache.lines import ApacheOutcome, Claim
from companion.games.registry import find

SETUP = Setup(
    record=2, match="0" * 32, game="apache", edition=1, seats=(Seat(Colour.RED), Seat(Colour.YELLOW)), first=Colour.RED
)
RED = PressLine(colour=Colour.RED, role="hunter", t_ns=50, error_ns=2)
YELLOW = PressLine(colour=Colour.YELLOW, role="hunter", t_ns=90)
RACE: tuple[Line, ...] = (
    SETUP,
    Reveal(card="red hunter", t_ns=10),
    Reveal(card="buffalo", t_ns=20, wall="2026-11-21T20:00:00Z"),
    RED,
    YELLOW,
    Close(t_ns=100),
    JudgeLine(),
    Remark(text="a glass fell"),
    Reveal(card="teepee", wall="2026-11-21T20:01:00Z"),
)


def judged(lines: tuple[Line, ...]) -> Judge:
    judge = Judge(find)
    for line in lines:
        judge.feed(line)
    return judge


def changed(*edits: Edit, lines: tuple[Line, ...] = RACE) -> Preview:
    judge = judged(lines)
    return preview(judge.fresh(), judge.outcome(), judge.history, edits)


def fates(outcome: Preview) -> list[tuple[int, Fate]]:
    return [(retold.number, retold.fate) for retold in outcome.retold]


def places(rulings: tuple[Ruling, ...]) -> tuple[Place, ...]:
    """Of the order, which is the first ruling of a judging."""
    order = rulings[0]
    assert isinstance(order, Order)
    return order.order


def apache(outcome: Ruling) -> ApacheOutcome:
    assert isinstance(outcome, ApacheOutcome)
    return outcome


def reveal(card: str) -> dict[str, object]:
    return {"type": "reveal", "card": card}


def test_a_card_that_was_another_one_changes_what_follows_from_it_and_nothing_else():
    outcome = changed(Edit(3, (reveal("totem pole"),)))
    assert fates(outcome) == [
        (3, Fate.OUT), (3, Fate.NEW), (4, Fate.SAME), (5, Fate.SAME), (6, Fate.SAME), (7, Fate.CHANGED),
        (9, Fate.SAME),
    ]  # fmt: skip
    judging = outcome.retold[5]
    assert [ruling.why for ruling in places(judging.before)] == [None, "no matching Indian"]
    assert [ruling.why for ruling in places(judging.after)] == ["nothing to claim", "no matching Indian"]
    assert (outcome.seen, outcome.undone) == (9, 6)
    assert apache(outcome.before).piles == {"red": 2, "yellow": 0}
    assert apache(outcome.after).piles == {"red": 0, "yellow": 0}
    assert [outcome.count(fate) for fate in Fate] == [4, 1, 1, 1, 0]


def test_what_is_written_again_judges_as_it_was_foretold():
    outcome = changed(Edit(3, (reveal("totem pole"),)))
    assert outcome.again == (Reveal(card="totem pole", t_ns=20), RED, YELLOW, *RACE[5:7], Reveal(card="teepee"))
    judge = judged((*RACE, *[Undo()] * outcome.undone))
    rulings = [judge.feed(line) for line in outcome.again]
    assert rulings == [retold.after for retold in outcome.retold if retold.fate is not Fate.OUT]
    assert judge.outcome() == outcome.after


def test_a_line_is_taken_out_and_several_are_put_in():
    outcome = changed(Edit(2, ()), Edit(3, (reveal("red hunter"), reveal("buffalo"), reveal("buffalo"))))
    assert fates(outcome)[:5] == [(2, Fate.OUT), (3, Fate.OUT), (3, Fate.NEW), (3, Fate.NEW), (3, Fate.NEW)]
    assert outcome.retold[0].before == outcome.retold[0].after == ()
    assert apache(outcome.after).piles == {"red": 3, "yellow": 0}


def test_what_is_taken_out_says_what_had_been_ruled_on_it():
    (out,) = [told for told in changed(Edit(7, ())).retold if told.fate is Fate.OUT]
    assert (out.line, out.after) == (JudgeLine(), ())
    assert [ruling.__struct_config__.tag for ruling in out.before] == ["order", "settled", "settled", "resume"]


def test_what_is_put_in_says_what_is_ruled_on_it():
    _, new, _ = changed(Edit(7, ({"type": "judge"},))).retold
    assert (new.fate, new.before) == (Fate.NEW, ())
    assert [ruling.__struct_config__.tag for ruling in new.after] == ["order", "settled", "settled", "resume"]


def test_a_line_that_the_rules_forbid_now_is_left_out_and_says_why():
    outcome = changed(Edit(4, ()), Edit(5, ()))
    close, judging = (told for told in outcome.retold if told.fate is Fate.MISFIT)
    assert (close.number, close.line, judging.number, judging.line) == (6, RACE[5], 7, RACE[6])
    assert close.message == "nobody has pressed; there is no Pow-Wow to close"
    assert judging.message == "a Pow-Wow is judged after its `close`"
    assert (close.before, close.after, len(judging.before), judging.after) == ((), (), 4, ())
    assert outcome.again == (Reveal(card="teepee"),)


def test_what_must_be_decided_next_is_told_and_else_nothing():
    assert changed(Edit(3, (reveal("totem pole"),))).decision is None
    decision = changed(Edit(3, (reveal("buffalo"), reveal("teepee"))), lines=RACE[:7]).decision
    assert decision is not None
    assert (decision.kind, decision.seat) == ("claim", Colour.RED)


def test_the_button_and_seat_of_a_press_may_change_and_its_time_stays():
    outcome = changed(Edit(4, ({"type": "press", "colour": "red", "role": "chief"},)))
    assert outcome.again[0] == replace(RED, role="chief")


def test_a_press_may_be_put_at_the_time_of_another_press_of_the_record():
    swapped = {"type": "press", "colour": "red", "role": "hunter", "t_ns": 90, "error_ns": 0}
    assert changed(Edit(4, (swapped,))).again[0] == replace(RED, t_ns=90, error_ns=0)


@pytest.mark.parametrize(("t_ns", "error_ns"), [(51, 2), (50, 3), (50, 0), (90, 2)])
def test_the_time_of_a_press_is_never_taken_again(t_ns, error_ns):
    press = {"type": "press", "colour": "red", "role": "hunter", "t_ns": t_ns, "error_ns": error_ns}
    told = r"^line 4: a press keeps the time it was made at; no press of the record has this one$"
    with pytest.raises(Illegal, match=told):
        changed(Edit(4, (press,)))


def test_a_time_is_taken_over_only_from_a_line_of_the_same_type_and_only_where_there_is_one():
    assert changed(Edit(2, (reveal("red chief"),))).again[0] == Reveal(card="red chief", t_ns=10)
    assert changed(Edit(2, ({**reveal("red chief"), "t_ns": 11},))).again[0] == Reveal(card="red chief", t_ns=11)
    assert changed(Edit(9, (reveal("buffalo"),))).again == (Reveal(card="buffalo"),)
    with pytest.raises(Malformed, match=r"^line 3: .*t_ns"):
        changed(Edit(3, ({"type": "press", "colour": "red", "role": "hunter"},)))


def test_a_line_that_a_game_alone_has_may_be_replaced():
    lines = (*RACE[:3], Reveal(card="teepee"), RED, Close(), JudgeLine(), Claim(colour=Colour.RED, take="booty"))
    outcome = changed(Edit(8, ({"type": "claim", "colour": "red", "take": "teepees"},)), lines=lines)
    assert apache(outcome.after).buffalo == {"red": 0, "yellow": 0}


@pytest.mark.parametrize("number", [0, 1, 8, 10])
def test_only_a_line_that_stands_can_be_replaced(number):
    with pytest.raises(Illegal, match=rf"^line {number}: no such line stands that could be replaced$"):
        changed(Edit(number, ()), Edit(9, ()), lines=(*RACE, Reveal(card="buffalo"), Undo()))


@pytest.mark.parametrize("line", [SETUP, Undo(), Remark(text="x")])
def test_what_is_no_call_cannot_stand_in_the_place_of_one(line):
    fields = json.loads(dump_line(line))
    with pytest.raises(Illegal, match=rf"^line 3: a `{fields['type']}` cannot be put in the place of a call$"):
        changed(Edit(3, (fields,)))


def test_a_new_line_that_does_not_fit_in_its_place_is_refused_by_its_number():
    told = r"^line 6: what is to stand there does not fit: this Pow-Wow is closed already$"
    with pytest.raises(Illegal, match=told):
        changed(Edit(6, ({"type": "close"}, {"type": "close"})))
    with pytest.raises(Malformed, match=r"^line 3: what is to stand there does not fit: .*'red horse' is no card"):
        changed(Edit(3, (reveal("red horse"),)))
    with pytest.raises(Malformed, match=r"^line 3: "):
        changed(Edit(3, ({"type": "reveal"},)))


def test_nothing_and_the_same_line_twice_are_no_replacement():
    with pytest.raises(Illegal, match=r"^nothing is to be replaced$"):
        changed()
    with pytest.raises(Illegal, match=r"^line 3: it is replaced twice$"):
        changed(Edit(3, ()), Edit(3, (reveal("teepee"),)))


def test_a_card_is_put_before_a_line_that_stays():
    outcome = changed(Edit(7, (reveal("buffalo"),), before=True))
    assert fates(outcome) == [(7, Fate.NEW), (7, Fate.CHANGED), (9, Fate.SAME)]
    assert outcome.again == (Reveal(card="buffalo"), JudgeLine(), Reveal(card="teepee"))
    assert (outcome.undone, apache(outcome.after).piles) == (2, {"red": 3, "yellow": 0})


def test_a_card_is_put_at_the_end_of_a_race_that_is_closed_and_not_judged():
    outcome = changed(Edit(7, (reveal("teepee"),), before=True), lines=RACE[:6])
    assert fates(outcome) == [(7, Fate.NEW)]
    assert (outcome.undone, outcome.again) == (0, (Reveal(card="teepee"),))


@pytest.mark.parametrize("number", [1, 8, 11])
def test_nothing_is_put_before_a_line_that_does_not_stand_or_beyond_the_end(number):
    with pytest.raises(Illegal, match=rf"^line {number}: no such line stands"):
        changed(Edit(number, (reveal("buffalo"),), before=True))


def test_a_press_that_was_ignored_or_taken_back_or_told_in_a_remark_is_put_in_at_its_time():
    late = PressLine(colour=Colour.YELLOW, role="chief", t_ns=95)
    told = Remark(text=f"yellow fourth: a press does not count: stuck {told_time(97, 3)}", source="yellow fourth")
    lines = (*RACE[:4], RACE[4], Undo(), Close(t_ns=100), late, told, JudgeLine())
    for t_ns, error_ns in ((90, 0), (95, 0), (97, 3)):
        press = {"type": "press", "colour": "yellow", "role": "hunter", "t_ns": t_ns, "error_ns": error_ns}
        outcome = changed(Edit(7, (press,), before=True), lines=lines)
        assert outcome.retold[0].line == replace(YELLOW, t_ns=t_ns, error_ns=error_ns)
        assert len(places(outcome.retold[-1].after)) == 2
    with pytest.raises(Illegal, match=r"^line 7: a press keeps the time it was made at"):
        changed(Edit(7, ({**press, "error_ns": 0},), before=True), lines=lines)


def test_a_remark_of_nobodys_button_tells_of_no_press():
    lines = (*RACE[:5], Remark(text=f"somebody says so {told_time(97, 3)}", source="Ann"))
    press = {"type": "press", "colour": "yellow", "role": "hunter", "t_ns": 97, "error_ns": 3}
    with pytest.raises(Illegal, match="no press of the record has this one"):
        changed(Edit(5, (press,), before=True), lines=lines)


def test_what_is_put_before_a_line_takes_no_time_from_it():
    assert changed(Edit(3, (reveal("teepee"),), before=True)).again[0] == Reveal(card="teepee")
