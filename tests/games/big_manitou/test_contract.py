"""The shipped suite of games on Big Manitou."""

from __future__ import annotations

import pytest

from companion.games.big_manitou import GAME
from companion.testing.games import GameContract

pytestmark = pytest.mark.no_cover  # counting branches makes walks through whole matches three times as slow


class TestBigManitou(GameContract):
    game = GAME
