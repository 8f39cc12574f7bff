"""The contract's suite on Les Apaches de Paris."""

import pytest

from companion.games.registry import find
from companion.testing.games import GameContract

pytestmark = pytest.mark.no_cover  # counting branches makes walks through whole matches five times as slow


class TestLesApaches(GameContract):
    game = find("les-apaches")
