"""The clock is driven through what every game promises."""

import pytest

from companion.games.clock import GAME
from companion.testing.games import GameContract

pytestmark = pytest.mark.no_cover  # counting branches makes walks through whole matches five times as slow


class TestClock(GameContract):
    game = GAME
