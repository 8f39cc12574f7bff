"""What every part of the suite of games uses: which game, its walks and boxes, how long a text may be."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Any, ClassVar

import pytest

from companion.config.languages import translation
from companion.core.errors import Illegal, Malformed
from companion.screens.oled.glyphs import glyph
from companion.testing import catalogues
from companion.testing.driving import Driver
from companion.testing.walks import STEPS, Walk

if TYPE_CHECKING:
    from companion.core.panel import Colour
    from companion.core.record.lines import Line
    from companion.core.ruling.game import AnyGame
    from companion.core.ruling.judge import Judge

SEEDS = range(4)
"""Of the walks and of the driven boxes."""
ROLE, LABEL, GROUP, TEXT, HINT = 12, 16, 18, 20, 25
"""So many characters at most: a button's name, what the setup asks, a group, any other text, a hint."""


def refused(judge: Judge, line: Line) -> bool:
    """Tell whether a line is refused as malformed or illegal; anything else that is raised goes through."""
    try:
        copy(judge).feed(line)
    except (Malformed, Illegal):
        return True
    return False


def fits(text: str, most: int) -> bool:
    """Tell whether a text is there, has at most so many characters, and a small display has letters for all of them."""
    return 0 < len(text) <= most and text.isprintable() and all(map(is_drawn, text))


def is_drawn(character: str) -> bool:
    """Tell whether a small display draws a character, and not a question mark in its place."""
    return character == "?" or glyph(character) != glyph("?")


class Suite:
    """A part of the suite. game: what it is about. The walks and boxes of the same seeds are the same.

    steps: how many lines each walk has at most, after its setup.
    """

    game: ClassVar[AnyGame]
    steps: ClassVar[int] = STEPS

    @pytest.fixture(params=SEEDS)
    def walk(self, request: pytest.FixtureRequest) -> Walk:
        """A random match that begins."""
        return Walk(self.game, request.param, self.steps)

    @pytest.fixture(params=SEEDS)
    def driver(self, request: pytest.FixtureRequest) -> Driver:
        """A whole box at which nothing has been done yet."""
        return Driver(self.game, request.param)

    def speaking(self) -> list[AnyGame]:
        """Give the game in each of its other languages."""
        words = self.game.words
        return [self.game.speaking(translation(words, language)) for language in catalogues.catalogues(self.game)]

    def verify_buttons(self, state: Any, seat: Colour | None) -> None:
        """Check names and drawings of a seat's buttons."""
        faces = self.game.buttons(state, seat)
        assert len(faces) <= len(self.game.roles)
        for face in faces:
            assert len(face.label) <= ROLE
            assert not face.symbol or face.symbol in self.game.symbols
