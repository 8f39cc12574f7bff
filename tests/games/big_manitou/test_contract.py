"""The shipped suite of games on Big Manitou."""

from __future__ import annotations

from companion.games.big_manitou import GAME
from companion.testing.games import GameContract


class TestBigManitou(GameContract):
    game = GAME
