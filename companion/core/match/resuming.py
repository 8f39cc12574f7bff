"""The question whether a match that was cut off is to be resumed: what it shows, and which answer is picked. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core.shown.scene import Menu, MenuItem, Question

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.core.match.match_maker import Unfinished
    from companion.core.ruling.game import Game

RESUME, NEW_MATCH = 0, 1
"""The two answers, as indices of the menu."""


class ResumeQuestion:
    """Asks about one match. answer: what a push of the knob would answer now."""

    def __init__(self, unfinished: Unfinished) -> None:
        self.unfinished = unfinished
        self.answer = RESUME

    def turn(self, steps: int) -> None:
        """Move to another answer."""
        self.answer = (self.answer + steps) % 2

    def scene(self, find_game: Callable[[str], Game[Any]]) -> Question:
        """Give what there is to show. Raises UnknownGame."""
        setup = self.unfinished.setup
        seats = " ".join(seat.colour.short for seat in setup.seats)
        title = f"{find_game(setup.game).title}, match {self.unfinished.match_id}"
        menu = Menu("", (MenuItem("resume"), MenuItem("new match")), self.answer)
        return Question("Resume the match?", (title, seats), menu)
