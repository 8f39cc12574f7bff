"""The suite of every game: what the contract promises (`companion.core.ruling.game`), shown on random matches.

    from companion.testing.games import GameContract

    class TestMine(GameContract):
        game = GAME

It walks matches through nothing but offers, races, deadlines and chance, and drives a whole box (`driving`): presses,
knob, scanner, commands. The same seeds give the same matches. A game's own rules need tests of their own.
"""

from __future__ import annotations

from companion.testing.declared import Declared
from companion.testing.judging import Courses, States
from companion.testing.offering import Offering
from companion.testing.showing import Driven, Showing
from companion.testing.suite import SEEDS

__all__ = ["SEEDS", "GameContract"]


class GameContract(Declared, Offering, States, Courses, Showing, Driven):
    """Subclass it and say which `game`; pytest finds what it inherits."""
