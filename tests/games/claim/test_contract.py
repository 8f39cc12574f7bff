"""The suite of every game, on the file that is played where no other is chosen."""

from __future__ import annotations

from companion.games.claim import GAME
from companion.testing.games import GameContract


class TestClaim(GameContract):
    game = GAME
