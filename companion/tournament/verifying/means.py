"""What an event's verification is done with: given, as it knows no game, no library of signatures and no adapter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from companion.tournament.drawing.cost import cost_of
from companion.tournament.drawing.drawing import draw

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from companion.core.record.seals import Check
    from companion.core.ruling.game import Game
    from companion.tournament.drawing.wanted import Drawing, Wanted
    from companion.tournament.log.lines import TableDrawn

    Aims = tuple[int, int, int]
    """What tables cost, by each aim of a drawing: meetings, spread, seats."""


def tell_nobody(_done: int, _of: int) -> None:
    """Keep it to oneself."""


class Means(NamedTuple):
    """find_game: raises UnknownGame where one is not installed. check: of signatures. draw, cost: a round's.

    tell: told how many steps are done, and of how many: a step is a line of the log, then a record.
    """

    find_game: Callable[[str], Game[Any]]
    check: Check
    draw: Callable[[Wanted], Drawing] = draw
    cost: Callable[[Wanted, Iterable[TableDrawn]], Aims] = cost_of
    tell: Callable[[int, int], None] = tell_nobody
