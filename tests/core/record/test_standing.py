"""What stands of a record that nobody judges: as its judge says; of a game that is not installed, what is known."""

from __future__ import annotations

import pytest

from companion.core.record.lines import JudgeLine, MalformedLine, Setup
from companion.core.record.standing import standing_lines
from companion.core.ruling.judge import Judge, judged_lines
from companion.games import registry
from companion.testing.walks import Walk
from tests.contract.everything import EVERYTHING
from tests.games.claim.matches import random_match


@pytest.mark.parametrize("seed", range(12))
def test_what_stands_is_what_the_judge_says(seed):
    record = random_match(seed, undo_chance=0.2)
    assert any(b'"type":"undo"' in line for line in record)
    judge = Judge(registry.find)
    for _ in judged_lines(record, judge):
        pass
    stands = (judge.history[0].line, *(told.line for told in judge.history.standing()))
    assert standing_lines(record, registry.find("claim").lines) == stands


def test_lines_of_a_game_that_is_not_installed_are_left_out_and_taken_back_as_lines():
    walk = Walk(EVERYTHING, 1)
    for _ in walk.states():
        pass
    whole = standing_lines(walk.record, EVERYTHING.lines)
    known = standing_lines(walk.record)
    assert known == tuple(line for line in whole if not isinstance(line, EVERYTHING.lines))
    assert sum(isinstance(line, JudgeLine) for line in known) > 0
    move = next(n for n, line in enumerate(walk.record) if b'"type":"move"' in line)
    assert len(standing_lines([*walk.record[: move + 1], b'{"type":"undo"}'])) == len(
        standing_lines(walk.record[: move + 1])
    )


def test_the_setup_is_never_taken_back():
    walk = Walk(EVERYTHING, 1)
    (setup,) = standing_lines([walk.record[0], b'{"type":"undo"}', b'{"type":"undo"}'])
    assert isinstance(setup, Setup)


@pytest.mark.parametrize("first", [b"", b"\xff", b'{"type":"undo"}', b'{"type":"remark","text":"x"}'])
def test_what_begins_with_no_setup_is_no_record(first):
    with pytest.raises(MalformedLine):
        standing_lines([first])


def test_nothing_is_nothing():
    assert standing_lines([]) == ()
