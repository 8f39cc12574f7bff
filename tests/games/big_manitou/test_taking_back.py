"""Undo, replaced calls, and a box that was cut off: at every line of whole matches."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from companion.core.errors import CompanionError
from companion.core.match.match import PlaySettings
from companion.core.match.match_maker import MatchMaker, Unfinished
from companion.core.record.lines import Restart, Undo
from companion.core.ruling.judge import Judge
from companion.core.ruling.replacing import Edit, Fate, preview
from companion.core.timing.events import SECOND
from companion.core.words.encoding import builtins
from companion.testing.walks import only
from tests.games.big_manitou.matches import Match
from tests.games.big_manitou.table import GAME

pytestmark = [pytest.mark.slow, pytest.mark.no_cover]  # walks through whole matches

SEEDS = (1, 2, 3)


def played(seed: int) -> list[Any]:
    """The lines of a match without any undo, so that each stands."""
    match = Match(seed)
    match.troubles = 0.0
    return match.play()


@pytest.mark.parametrize("seed", SEEDS)
def test_an_undo_of_each_line_gives_the_state_before_it(seed: Any) -> None:
    judge, states = Judge(only(GAME)), []
    for line in played(seed):
        states.append(judge.state)
        judge.feed(line)
        if judge.newest() is not None:
            after = judge.state
            judge.feed(Undo())
            assert judge.state == states[-1]
            judge.feed(line)
            assert judge.state == after
    while judge.newest() is not None:
        judge.feed(Undo())
        assert judge.state == states[1:][len(judge.standing())]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("same_clock", [True, False])
def test_a_match_that_is_taken_up_after_any_line_is_where_it_was(seed: Any, same_clock: Any) -> None:
    lines, judge = played(seed), Judge(only(GAME))
    maker = MatchMaker(only(GAME), PlaySettings(), None)
    for number, line in enumerate(lines, start=1):
        judge.feed(line)
        if number > 1 and line is not lines[-1]:
            match = maker.resume(Unfinished(1, tuple(lines[:number]), same_clock), 3 * SECOND)
            assert match.judge.state == judge.state
            assert match.judge.outcome() == judge.outcome()
            more = [told.line for told in list(match.history)[number:]]
            assert [type(one) for one in more] == ([] if same_clock else [Restart])


@pytest.mark.parametrize("seed", SEEDS)
def test_a_call_replaced_at_any_line_gives_what_the_record_with_it_would_have_given(seed: Any) -> None:
    lines, judge, random = played(seed), Judge(only(GAME)), Random(seed)
    for line in lines:
        judge.feed(line)
    changed = refused = 0
    for number, line in enumerate(lines, start=1):
        fields = GAME.fields(line)
        if not fields:
            continue
        field = random.choice(fields)
        value = random.choice([one.value for one in field.values if one.value != getattr(line, field.name)])
        raw = {**builtins(line), field.name: value}
        try:
            found = preview(judge.fresh(), judge.outcome(), judge.history, [Edit(number, (raw,))])
        except CompanionError:
            refused += 1
            with pytest.raises(CompanionError):
                fed(lines[: number - 1]).feed(msgspec.convert(raw, type(line)))
            continue
        changed += 1
        assert found.undone == len(lines) - number + 1
        assert found.retold[1].fate is Fate.NEW
        assert found.after == fed([*lines[: number - 1], *found.again]).outcome()
    assert changed > 20
    assert refused > 5


def fed(lines: Any) -> Judge:
    judge = Judge(only(GAME))
    for line in lines:
        judge.feed(line)
    return judge
