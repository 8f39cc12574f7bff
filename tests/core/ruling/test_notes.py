"""Lines that decide nothing: where they may stand, and that no `undo` takes them back (`record.md`, Lines in)."""

import pytest

from companion.core.errors import Illegal
from companion.core.panel import Colour
from companion.core.record.lines import (
    Answer,
    Close,
    End,
    Evidence,
    JudgeLine,
    Line,
    Moved,
    Names,
    PressLine,
    Protest,
    Remark,
    Restart,
    Reveal,
    Seal,
    Seat,
    Setup,
    Sign,
    Undo,
)
from companion.core.ruling.judge import Judge
from companion.core.ruling.rulings import Undone
from companion.games.registry import find

RED, BLUE, GREEN = Colour.RED, Colour.BLUE, Colour.GREEN
SHA, KEY, SIGNATURE = "0" * 64, "A" * 43 + "=", "A" * 86 + "=="
NOTES: list[Line] = [
    Names(names={RED: "Ann"}),
    Remark(text="x"),
    Evidence(race=1, sha256=SHA, edges=3),
    Protest(colour=RED),
    Moved(box="b", key=KEY, previous=SHA),
    Seal(sha256=SHA, key=KEY, signature=SIGNATURE),
]


def press(colour: Colour, t_ns: int) -> PressLine:
    return PressLine(colour=colour, role="hunter", t_ns=t_ns)


def judged(*lines: Line) -> Judge:
    """A match of red and blue, in which a buffalo lies."""
    judge = Judge(find)
    setup = Setup(record=2, match="0" * 32, game="apache", edition=1, seats=(Seat(RED), Seat(BLUE)), first=RED)
    for line in (setup, Reveal(card="buffalo"), *lines):
        judge.feed(line)
    return judge


@pytest.mark.parametrize("note", NOTES, ids=lambda note: note.__struct_config__.tag)
def test_a_note_decides_nothing_and_undo_takes_back_the_line_before_it(note):
    judge = judged()
    before = judge.state
    assert judge.feed(note) == ()
    assert judge.state == before
    (undone,) = judge.feed(Undo())
    assert undone == Undone(line=2)


def test_names_may_call_a_colour_that_does_not_play():
    assert judged(Names(names={GREEN: "Eve"})).lines_read == 3


def test_a_seat_has_one_unanswered_protest():
    judge = judged(Protest(colour=RED), Protest(colour=BLUE))
    with pytest.raises(Illegal, match=r"^field `colour`: a protest of red has no answer yet$"):
        judge.feed(Protest(colour=RED))
    judge.feed(Answer(protest=3, text="no", stands=True))
    judge.feed(Protest(colour=RED))
    assert [told.number for told in judge.history.unanswered()] == [4, 6]


def test_who_has_no_seat_neither_protests_nor_signs():
    judge = judged(End())
    for line in (Protest(colour=GREEN), Sign(colour=GREEN)):
        with pytest.raises(Illegal, match=r"^field `colour`: green has no seat$"):
            judge.feed(line)


@pytest.mark.parametrize("number", [1, 2, 4, 5, 99])
def test_an_answer_to_no_protest_is_illegal(number):
    judge = judged(Protest(colour=RED), Remark(text="x"))
    with pytest.raises(Illegal, match=rf"^field `protest`: line {number} is no protest$"):
        judge.feed(Answer(protest=number, text="no", stands=True))


def test_a_protest_has_one_answer():
    judge = judged(Protest(colour=RED), Answer(protest=3, text="no", stands=True))
    with pytest.raises(Illegal, match=r"^field `protest`: the protest of line 3 has its answer$"):
        judge.feed(Answer(protest=3, text="yes", stands=False))


def test_a_result_is_signed_after_the_end_and_once_a_seat():
    judge = judged()
    with pytest.raises(Illegal, match=r"^a result is signed after the `end`$"):
        judge.feed(Sign(colour=RED))
    for line in (End(), Sign(colour=RED)):
        judge.feed(line)
    with pytest.raises(Illegal, match=r"^field `colour`: red has signed this result already$"):
        judge.feed(Sign(colour=RED))
    judge.feed(Sign(colour=BLUE))
    assert judge.history.signed() == (RED, BLUE)


def test_nobody_signs_while_a_protest_of_any_seat_has_no_answer():
    judge = judged(Protest(colour=BLUE), End())
    with pytest.raises(Illegal, match=r"^the protest of line 3 has no answer yet$"):
        judge.feed(Sign(colour=RED))
    judge.feed(Answer(protest=3, text="no", stands=True))
    judge.feed(Sign(colour=RED))
    assert judge.history.signed() == (RED,)


def test_taking_back_an_end_voids_the_signatures_after_it():
    judge = judged(End(), Sign(colour=RED), Sign(colour=BLUE), Undo())
    assert judge.history.signed() == ()
    judge.feed(End())
    assert judge.history.signed() == ()
    judge.feed(Sign(colour=RED))
    assert judge.history.signed() == (RED,)


def test_an_ignored_press_after_the_end_voids_nothing():
    judge = judged(End(), Sign(colour=RED), press(RED, 5))
    assert judge.history.signed() == (RED,)


RACE = (Reveal(card="red hunter"), Reveal(card="teepee"), press(RED, 1), Close(), JudgeLine())


@pytest.mark.parametrize("lines", [3, 4, 5])
def test_a_match_is_not_moved_within_a_race(lines):
    judge = judged(*RACE[:lines])
    with pytest.raises(Illegal, match="a match is moved between races"):
        judge.feed(Moved(box="b", key=KEY, previous=SHA))


@pytest.mark.parametrize("lines", [0, 1, 2])
def test_a_match_is_moved_between_races(lines):
    judge = judged(*RACE[:lines], Moved(box="b", key=KEY, previous=SHA))
    assert judge.lines_read == 3 + lines


def test_after_the_end_a_match_is_not_moved():
    with pytest.raises(Illegal, match="the game is over"):
        judged(End(), Moved(box="b", key=KEY, previous=SHA))


def test_after_the_end_notes_stand():
    end = judged(End())
    for note in [note for note in NOTES if not isinstance(note, Moved)]:
        assert end.feed(note) == ()
    assert end.feed(Answer(protest=7, text="no", stands=True)) == ()


def test_a_restart_stands_and_is_taken_back_like_any_line():
    judge = judged(Restart())
    (undone,) = judge.feed(Undo())
    assert undone == Undone(line=3)
