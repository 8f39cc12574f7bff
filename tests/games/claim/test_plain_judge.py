"""The rulings of random matches of every game file against a second judge that was written from the page alone."""

from __future__ import annotations

import pytest

from companion.games.claim import GAME
from tests.games.claim.matches import random_match
from tests.games.claim.plain_judge import PlainJudge
from tests.games.comparing import assert_same, judged
from tests.games.plain_judging import judged_plainly


@pytest.mark.parametrize("block", range(10))
def test_both_judges_rule_the_same_byte_for_byte(block: int) -> None:
    for seed in range(18 * block, 18 * block + 18):
        record = random_match(seed)
        assert_same(judged(GAME, record), judged_plainly(PlainJudge, record), record)
