"""The rulings of random matches against a second judge that was written from the game's page alone."""

import pytest

from tests.games.comparing import assert_same, judged
from tests.games.once_we_moved.matches import GAME, random_match
from tests.games.once_we_moved.plain_judge import PlainJudge
from tests.games.plain_judging import judged_plainly


@pytest.mark.parametrize("block", range(10))
def test_both_judges_rule_the_same_byte_for_byte(block):
    for seed in range(10 * block, 10 * block + 10):
        record = random_match(seed)
        assert_same(judged(GAME, record), judged_plainly(PlainJudge, record), record)
