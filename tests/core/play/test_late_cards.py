"""Cards that are entered after the presses they are about: no good play is lost by it, and nothing happens unseen."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal
from companion.core.play.commands import (
    AddRemark,
    AnotherCard,
    Change,
    Changed,
    EnterCard,
    ForNewCard,
    PreviewForNewCard,
    PreviewReplace,
    ReplaceCall,
)
from companion.core.record.lines import Close, Evidence, PressLine, Undo
from companion.core.ruling.judge import judge_record
from companion.core.ruling.replacing import Fate
from companion.core.ruling.rulings import Fault
from companion.core.shown.scene import Results
from companion.core.timing.events import MS
from companion.games import registry
from tests.core.play.test_commands import Desk, two


def turns(box: Desk) -> list[tuple[str, str]]:
    """What became of whom in the newest race."""
    assert isinstance(box.body, Results)
    return [(str(turn.colour), turn.result) for turn in box.body.turns]


def is_sound(box: Desk) -> bool:
    return not any(isinstance(ruling, Fault) for ruling in judge_record(box.record(), registry.find))


def punished_for_a_card_not_entered() -> Desk:
    """A buffalo and a red hunter were turned, the buffalo alone was entered; red slapped its hunter."""
    box = two()
    box.ask(EnterCard(card="buffalo"), 2000)
    box.press("red hunter", 2600)
    box.run(7000)
    assert turns(box) == [("red", "punished")]
    return box


def test_two_cards_turned_one_entered_a_slap() -> None:
    box = punished_for_a_card_not_entered()
    box.ask(AnotherCard(card="red hunter", by="Ann"), 7000)
    box.run(9000)
    assert turns(box) == [("red", "claimed")]
    assert is_sound(box)


def test_two_cards_turned_one_entered_a_slap_and_the_next_card_too() -> None:
    box = punished_for_a_card_not_entered()
    box.ask(EnterCard(card="teepee"), 7000)
    judging = box.types().index("judge") + 1
    put_in = (Change(line=judging, lines=({"type": "reveal", "card": "red hunter"},), before=True),)
    before = box.record()
    outcome = box.ask(PreviewReplace(changes=put_in), 7200).preview
    assert outcome is not None
    assert [retold.fate for retold in outcome.retold] == [Fate.NEW, Fate.CHANGED, Fate.SAME]
    assert box.record() == before
    seen = len(before)
    done = box.ask(ReplaceCall(changes=put_in, reason="it lay there too", by="Ann", seen=seen), 7400)
    assert done.preview == outcome
    assert box.session.match is not None
    assert box.session.match.judge.outcome() == outcome.after
    assert box.session.match.judge.outcome().ahead() == ("red",)
    assert is_sound(box)


def slapped_just_after_the_close() -> Desk:
    """Red's race closes by itself at 5600; yellow slaps the next card at 6000, before it is entered."""
    box = two()
    box.ask(EnterCard(card="red hunter"), 2000)
    box.ask(EnterCard(card="buffalo"), 2200)
    box.press("red hunter", 2600)
    box.press("yellow warrior", 6000)
    box.run(6500)
    box.ask(EnterCard(card="tomahawk"), 6600)
    box.ask(EnterCard(card="yellow warrior"), 6800)
    return box


def test_after_an_automatic_close_a_slap_whose_card_is_entered_later_is_lost_as_closed() -> None:
    box = two()
    box.ask(EnterCard(card="red hunter"), 2000)
    box.ask(EnterCard(card="buffalo"), 2200)
    box.ask(EnterCard(card="tomahawk"), 2300)
    box.press("red hunter", 2600)
    box.press("yellow warrior", 6000)
    box.run(6500)
    box.ask(EnterCard(card="yellow warrior"), 6600)
    slap = next(n for n, line in enumerate(box.lines, 1) if isinstance(line, PressLine) and line.colour == "yellow")
    before = box.record()
    outcome = box.ask(PreviewForNewCard(line=slap), 6800).preview
    assert outcome is not None
    assert box.record() == before
    assert box.ask(ForNewCard(line=slap, by="Ann", seen=len(before)), 7000).says.endswith("by Ann")
    box.run(9500)
    assert turns(box) == [("yellow", "claimed")]
    closes = [line.t_ns for line in box.lines if isinstance(line, Close)]
    assert closes == [5600 * MS, 9000 * MS]  # three seconds after the slap, as if it had never been too late
    undone = next(line for line in box.lines if isinstance(line, Undo))
    assert (undone.reason, undone.by) == ("it was for the new card", "Ann")
    assert is_sound(box)


def test_a_slap_for_the_new_card_is_ranked_with_those_that_came_after_its_entry() -> None:
    box = slapped_just_after_the_close()
    box.press("red warrior", 7500)
    box.run(11_500)
    assert turns(box) == [("red", "punished")]
    slap = next(n for n, line in enumerate(box.lines, 1) if isinstance(line, PressLine) and line.t_ns == 6000 * MS)
    box.ask(ForNewCard(line=slap, by="Ann"), 11_600)
    assert turns(box) == [("yellow", "claimed"), ("red", "punished")]
    assert box.scene.notice == f"line {slap} counts for the new card, by Ann"


@pytest.mark.parametrize(
    ("number", "why"),
    [
        (1, "line 1 is no press that stands"),
        (2, "line 2 is no press that stands"),
        (99, "line 99 is no press that stands"),
        (4, "the press of line 4 counts already"),
    ],
)
def test_only_an_ignored_press_can_be_for_the_new_card(number: int, why: str) -> None:
    box = slapped_just_after_the_close()
    before = box.record()
    with pytest.raises(Illegal, match=f"^{why}$"):
        box.ask(ForNewCard(line=number, by="Ann"), 8000)
    with pytest.raises(Illegal, match=f"^{why}$"):
        box.ask(PreviewForNewCard(line=number), 8200)
    assert box.record() == before


def test_a_press_is_not_for_a_card_entered_before_it() -> None:
    box = two()
    box.race(2000)
    box.press("red chief", 3100)
    box.run(4000)
    slap = next(n for n, line in enumerate(box.lines, 1) if isinstance(line, PressLine) and line.t_ns == 3100 * MS)
    with pytest.raises(Illegal, match=rf"^no card has been entered since the press of line {slap}: enter the card"):
        box.ask(ForNewCard(line=slap, by="Ann"), 7000)


def test_a_press_that_would_not_count_for_the_new_card_either_stays_where_it_is() -> None:
    box = two()
    box.ask(EnterCard(card="red hunter"), 2000)
    box.press("red hunter", 2600)
    box.press("red chief", 3000)
    box.run(3200)
    box.ask(EnterCard(card="buffalo"), 3300)  # in time: it joins the race
    before = box.record()
    with pytest.raises(Illegal, match=r"^that press would not count for the newest card either: already played$"):
        box.ask(ForNewCard(line=4, by="Ann"), 3600)
    assert box.record() == before


def test_a_remark_by_a_person_is_never_taken_for_a_press() -> None:
    box = two()
    box.race(2000)
    with pytest.raises(Illegal, match="red fourth is a button of the box"):
        box.ask(AddRemark(text="a press does not count (3 ns ± 0 ns)", by="red fourth"), 7000)


def test_a_note_that_comes_by_itself_makes_no_request_an_old_one() -> None:
    box = punished_for_a_card_not_entered()
    seen = len(box.lines)
    assert box.session.match is not None
    box.session.match.write(Evidence(race=1, sha256="0" * 64, edges=2))
    end = (Change(line=seen + 1, lines=({"type": "reveal", "card": "teepee"},), before=True),)
    outcome = box.ask(PreviewReplace(changes=end, seen=seen), 7100).preview
    assert outcome is not None
    assert [(retold.number, retold.fate) for retold in outcome.retold] == [(seen + 2, Fate.NEW)]
    box.ask(EnterCard(card="teepee", seen=seen), 7300)
    for old in (seen, len(box.lines) + 1):
        with pytest.raises(Changed, match="look at it again"):
            box.ask(EnterCard(card="necklace", seen=old), 7500)
