"""The shipped suite on the game: without a board, as it comes, and with one."""

from pathlib import Path

import pytest

from companion.core.ruling.parameters import Parameter
from companion.games import once_we_moved
from companion.games.once_we_moved.game import OnceWeMoved
from companion.testing.games import GameContract

pytestmark = pytest.mark.no_cover  # counting branches makes walks through whole matches five times as slow

PRACTICE = (Path(once_we_moved.__file__).parent / "practice.txt").read_text()


class OnABoard(OnceWeMoved):
    """The same game, whose walks have a board."""

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        first, second, _, last = super().parameters
        return first, second, Parameter("terrain", "Terrain", "file", PRACTICE), last


class TestOnceWeMoved(GameContract):
    game = once_we_moved.GAME


@pytest.mark.slow  # the same game once more, with another choice of its setup
class TestOnABoard(GameContract):
    game = OnABoard()
