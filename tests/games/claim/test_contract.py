"""The suite of every game, on the file that is played where no other is chosen."""

from __future__ import annotations

import pytest

from companion.games.claim import GAME
from companion.testing.games import GameContract

pytestmark = pytest.mark.no_cover  # counting branches makes walks through whole matches three times as slow


class TestClaim(GameContract):
    game = GAME
