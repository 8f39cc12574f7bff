"""An untimed match that is cut off anywhere: each card that lay face down lies there again, and is shown once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.match.effects import Began, Recorded, TookIn, Wrote
from companion.core.panel import Colour
from companion.core.play.commands import CloseRace, EnterCard, PlayNone
from companion.core.record.lines import JudgeLine, Line, PressLine, Remark, Undo
from companion.core.ruling.judge import judge_record
from companion.core.ruling.rulings import Fault
from companion.core.shown.scene import Standing
from companion.core.timing.events import MS, Press
from companion.games import registry
from tests.amounts import many
from tests.core.match.untimed.test_laying import ROLES, begun, pressed, seated
from tests.core.play.test_commands import Desk
from tests.core.play.virtual_box import unfinished

if TYPE_CHECKING:
    from collections.abc import Sequence

RED, YELLOW, GREEN, BLUE, _ = Colour


def cut(box: Desk, effects: int) -> tuple[list[Line], list[Press]]:
    """Give what outlives a kill after so many effects: the lines, and the presses that the intake keeps."""
    lines: list[Line] = []
    kept: list[Press] = []
    for effect in box.effects[:effects]:
        if isinstance(effect, Began):
            lines.clear()
        elif isinstance(effect, Wrote):
            lines.append(effect.line)
        elif isinstance(effect, TookIn):
            kept.append(effect.press)
        elif isinstance(effect, Recorded) and effect.press in kept:
            kept.remove(effect.press)
    return lines, kept


def again(lines: Sequence[Line], kept: Sequence[Press], *, same_clock: bool = True) -> Desk:
    box = Desk((), "apache", None, None, unfinished(lines, same_clock, kept))
    box.lines = list(lines)
    box.session.resume()
    box.run(box.now_ms + 50)
    return box


def test_cards_lie_face_down_again_and_the_others_are_waited_for() -> None:
    box = begun()
    box.press("red hunter", 3000)
    box.ask(PlayNone(seat=BLUE), 3500)
    for same_clock in (True, False):
        resumed = again(box.lines, box.kept, same_clock=same_clock)
        assert isinstance(resumed.body, Standing)
        assert (resumed.body.made, resumed.body.without, resumed.body.hidden_for) == ((RED,), (BLUE,), (YELLOW,))
        assert not any(isinstance(line, PressLine) for line in resumed.lines)
        resumed.press("yellow chief", 9000)
        resumed.run(9300)
        assert [(line.colour, line.role, line.t_ns) for line in pressed(resumed)] == [
            (RED, "hunter", 9000 * MS), (YELLOW, "chief", 9000 * MS),
        ]  # fmt: skip


def test_a_card_that_was_shown_is_not_laid_again_where_the_intake_still_has_its_press() -> None:
    box = begun()
    for index, label in enumerate(("red hunter", "yellow chief", "blue maiden")):
        box.press(label, 3000 + 500 * index)
    box.run(4300)
    presses = [effect.press for effect in box.effects if isinstance(effect, TookIn)]
    assert (len(presses), box.kept) == (3, [])
    resumed = again(box.lines, presses)
    assert len(pressed(resumed)) == 3
    assert len(resumed.lines) == len(box.lines)  # nor is a remark made of it
    assert not resumed.session.match.face_down  # type: ignore[union-attr]


def test_a_card_that_was_taken_up_by_playing_none_is_not_laid_again() -> None:
    box = begun()
    box.press("red hunter", 3000)
    box.run(3300)
    kept = list(box.kept)
    box.ask(PlayNone(seat=RED), 4000)
    resumed = again(box.lines, kept)
    assert isinstance(resumed.body, Standing)
    assert (resumed.body.made, resumed.body.without) == ((), (RED,))


def test_a_race_that_was_opened_again_stays_open() -> None:
    box = begun()
    box.press("red hunter", 3000)
    box.press("yellow chief", 3500)
    box.run(3800)
    box.ask(CloseRace(), 4000)
    match = box.session.match
    assert match is not None
    while any(isinstance(told.line, JudgeLine) for told in match.history.standing()):
        match.undo()
    match.undo()
    box.run(4300)
    assert isinstance(box.lines[-1], Undo)
    resumed = again(box.lines, ())
    assert isinstance(resumed.body, Standing)
    resumed.press("blue maiden", 9000)
    resumed.run(9300)
    assert {line.t_ns for line in resumed.lines if isinstance(line, PressLine) and line.colour is BLUE} == {4000 * MS}


labels = st.sampled_from([f"{colour} {role}" for colour in ("red", "yellow", "blue") for role in ROLES])
doings = st.lists(st.one_of(labels, labels, st.sampled_from([RED, YELLOW, BLUE])), min_size=1, max_size=9)


@pytest.mark.no_cover  # counting branches makes it three times as slow
@given(doings, st.booleans(), st.integers(0, 60), st.booleans())
@settings(max_examples=many(80), deadline=None)
def test_killed_anywhere_it_goes_on_to_the_same_cards(
    moves: list[object], is_card_late: bool, after: int, same_clock: bool
) -> None:
    box = seated() if is_card_late else begun()
    for index, one in enumerate(moves):
        at_ms = 3000 + 400 * index
        if isinstance(one, Colour):
            box.now_ms = float(at_ms)
            box.command(PlayNone(seat=one))
        else:
            box.press(str(one), at_ms)
        box.run(at_ms + 350)
        if pressed(box) or len(box.session.match.early):  # type: ignore[union-attr]
            break
    if is_card_late and box.session.match.early:  # type: ignore[union-attr]
        box.ask(EnterCard(card="buffalo"), box.now_ms + 10)
    began = next(index for index, effect in enumerate(box.effects) if isinstance(effect, Wrote))
    lines, kept = cut(box, min(len(box.effects), began + 1 + after))
    resumed = again(lines, kept, same_clock=same_clock)
    match = resumed.session.match
    assert match is not None
    judged = [ruling for ruling in judge_record(resumed.record(), registry.find) if isinstance(ruling, Fault)]
    assert not judged
    # nothing was shown of a race that is not complete, and what was shown is at one instant
    shown = pressed(resumed)
    assert len({line.colour for line in shown}) == len(shown)
    assert len({line.t_ns for line in shown}) <= 1
    # what lies there is what lay there: each seat's newest card among those that were kept
    lies = {colour.value for colour in match.face_down.laid}
    waits = {line.colour.value for line in match.early}
    none = {colour.value for colour in match.face_down.without}
    assert {press.line.split()[0] for press in kept} <= lies | waits | none | {line.colour.value for line in shown}
    if shown and not match.face_down:
        full = {str(line.colour): line.role for line in pressed(box)}
        if full:
            assert {str(line.colour): line.role for line in shown} == full


def test_a_remark_of_a_stranger_makes_nobody_play_none() -> None:
    box = begun()
    box.session.match.remark("red plays no card this time (3 ns ± 0 ns)", "Ann")  # type: ignore[union-attr]
    box.run(3000)
    assert isinstance(box.lines[-1], Remark)
    assert not again(box.lines, ()).session.match.face_down  # type: ignore[union-attr]


def test_a_box_that_stopped_while_it_showed_the_cards_shows_the_rest_at_the_same_instant() -> None:
    box = begun()
    for index, label in enumerate(("red hunter", "yellow chief", "blue maiden")):
        box.press(label, 3000 + 500 * index)
    box.run(4300)
    first = box.types().index("press")
    kept = [effect.press for effect in box.effects if isinstance(effect, TookIn)]
    resumed = again(box.lines[: first + 1], kept)
    shown = [(line.colour, line.role) for line in pressed(resumed)]
    assert sorted(shown) == [(BLUE, "maiden"), (RED, "hunter"), (YELLOW, "chief")]
    assert {line.t_ns for line in pressed(resumed)} == {4000 * MS}
    assert resumed.types().count("close") == 1
