"""Every ruling of random matches against a second judge, which was written from the page about the lines alone."""

import pytest

from companion.games.registry import find
from tests.games.clock.matches import random_match
from tests.games.clock.plain_judge import PlainJudge
from tests.games.comparing import assert_same, judged
from tests.games.plain_judging import judged_plainly

BLOCK = 50


@pytest.mark.parametrize("block", range(20))
def test_both_judges_rule_alike_on_every_line_of_a_thousand_matches(block: int) -> None:
    for seed in range(block * BLOCK, (block + 1) * BLOCK):
        record = random_match(seed)
        assert_same(judged(find("clock"), record), judged_plainly(PlainJudge, record), record)
