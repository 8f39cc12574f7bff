"""Big Manitou against a second judge, written from its page alone: whole random matches, ruling by ruling."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.big_manitou import GAME
from tests.games.big_manitou.matches import random_match
from tests.games.big_manitou.plain_judge import PlainJudge
from tests.games.comparing import assert_same, judged
from tests.games.plain_judging import judged_plainly

MATCHES, AT_ONCE = 1_000, 50


@pytest.mark.parametrize("part", range(MATCHES // AT_ONCE))
def test_two_judges_agree_on_every_ruling_of_whole_matches(part: Any) -> None:
    for seed in range(part * AT_ONCE, (part + 1) * AT_ONCE):
        record = random_match(seed)
        assert_same(judged(GAME, record), judged_plainly(PlainJudge, record), record)
