"""One tap takes back; who and why may follow as a remark that names the lines."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal
from companion.core.match.corrections.reasons import LOOKED_BACK, unexplained
from companion.core.play.commands import AddRemark, EnterCard, ExplainUndo, TakeBack
from companion.core.record.lines import Remark, Undo
from companion.core.ruling.history import History
from tests.core.play.test_commands import Desk, two


def history_of(box: Desk) -> History:
    assert box.session.match is not None
    return box.session.match.history


def taken_back(*lines: int) -> Desk:
    """Give a box whose lines up to 4 stood, of which these were taken back, the newest first."""
    box = two()
    for at_ms, card in ((2000, "red hunter"), (2500, "buffalo"), (3000, "teepee")):
        box.ask(EnterCard(card=card), at_ms)
    for count, line in enumerate(lines):
        box.ask(TakeBack(line=line), 4000 + 500 * count)
    return box


def test_taking_back_needs_neither_name_nor_reason() -> None:
    box = two()
    box.ask(EnterCard(card="red hunter"), 2000)
    assert box.ask(TakeBack(line=2), 2500).says == 'taken back: "revealed: red hunter"'
    undo = box.lines[-1]
    assert isinstance(undo, Undo)
    assert (undo.reason, undo.by) == (None, None)
    assert unexplained(history_of(box)) == (2,)


def test_a_reason_that_follows_is_a_remark_that_names_all_the_lines() -> None:
    box = taken_back(4, 3)
    assert unexplained(history_of(box)) == (3, 4)
    done = box.ask(ExplainUndo(lines=(3, 4), reason="wrong card entered", by="Ada"), 6000)
    assert done.says == "noted: wrong card entered"
    remark = box.lines[-1]
    assert isinstance(remark, Remark)
    assert (remark.text, remark.source) == ("why lines 3, 4 were taken back: wrong card entered", "Ada")
    assert unexplained(history_of(box)) == ()


def test_a_reason_for_one_leaves_the_other_to_be_asked() -> None:
    box = taken_back(4, 3)
    box.ask(ExplainUndo(lines=(4,), reason="it fell over"), 6000)
    assert box.lines[-1].text == "why line 4 was taken back: it fell over"  # type: ignore[attr-defined]
    assert unexplained(history_of(box)) == (3,)


def test_a_reason_told_at_once_is_not_asked_for_again() -> None:
    box = two()
    box.ask(EnterCard(card="red hunter"), 2000)
    box.ask(TakeBack(line=2, reason="slip"), 2500)
    assert unexplained(history_of(box)) == ()
    with pytest.raises(Illegal, match="line 2 was not taken back of late, or its reason is known"):
        box.ask(ExplainUndo(lines=(2,), reason="slip"), 3000)


def test_a_line_that_stands_has_no_reason_to_be_told() -> None:
    box = taken_back(4)
    lines = len(box.lines)
    with pytest.raises(Illegal, match="line 3 was not taken back"):
        box.ask(ExplainUndo(lines=(4, 3), reason="slip"), 6000)
    assert len(box.lines) == lines


def test_a_button_gives_no_reason() -> None:
    with pytest.raises(Illegal, match="is a button of the box"):
        taken_back(4).ask(ExplainUndo(lines=(4,), reason="slip", by="red fourth"), 6000)


def test_it_is_asked_for_no_more_once_much_has_followed() -> None:
    box = taken_back(4)
    for count in range(LOOKED_BACK):
        assert unexplained(history_of(box)) == (4,), count
        box.ask(AddRemark(text="a note"), 5000 + 200 * count)
    assert unexplained(history_of(box)) == ()
