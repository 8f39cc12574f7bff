"""A drawing that is allowed, by lots alone: it begins every search, and is the first round.

Players with nobody to avoid can sit anywhere, so only the others are searched for, those with most to avoid first, by
going forward and back over the tables in an order that is drawn. It ends after a number of steps: that is enough to
find a place for whole families and clubs, and to try all that is possible in a small field.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.errors import Illegal
from companion.core.words.texts import text
from companion.tournament.drawing.sizes import layouts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.tournament.drawing.field import Field, Tables
    from companion.tournament.drawing.lots import Lots
    from companion.tournament.drawing.sizes import Layout

STEPS = 20_000
"""Places that are tried at most for a layout, and as many more as the field has players; in `ATTEMPTS` orders."""
ATTEMPTS = 4
LAYOUTS = 12


class Placed:
    """Tables, who sits at them, and how many players each takes."""

    def __init__(self, tables: Tables, sizes: list[int]) -> None:
        self.tables, self.sizes = tables, sizes


class _Stuck(Exception):
    """No place is left for a player of the field."""

    def __init__(self, player: int) -> None:
        super().__init__(player)
        self.player = player


def place(field: Field, boxes: int | None, lots: Lots) -> Placed:
    """Seat the field as the lots fall, at tables as the rule wants them, or as near to it as keeps apart who must be.

    Raises Illegal where no way is found, with a player for whom there is no table.
    """
    stuck = failed = -1
    found = layouts(len(field.players), boxes, field.fixed)
    for layout in found[:LAYOUTS]:
        for _ in range(ATTEMPTS if layout.tables > failed else 0):
            try:
                return _placed(field, layout, lots)
            except _Stuck as error:
                stuck, failed = error.player, layout.tables
    raise Illegal(_in_the_way(field, stuck, boxes))


def _in_the_way(field: Field, stuck: int, boxes: int | None) -> str:
    if stuck < 0:
        fixed = [str(field.players[one]) for one, home in enumerate(field.home) if home is not None]
        anywhere = text("{count} players make no tables of 2 to 5 with players {fixed} where they always sit")
        on_boxes = text(
            "{count} players on {boxes} boxes make no tables of 2 to 5 with players {fixed} where they always sit"
        )
        says = anywhere if boxes is None else on_boxes
        return says.format(count=len(field.players), boxes=boxes, fixed=", ".join(fixed))
    avoided = ", ".join(str(field.players[other]) for other in sorted(field.apart[stuck]))
    says = text("no table was found for player {player}, who must not meet {avoided}")
    return says.format(player=field.players[stuck], avoided=avoided)


def _placed(field: Field, layout: Layout, lots: Lots) -> Placed:
    """Seat the field at tables of a layout. Raises _Stuck."""
    tables, sizes = _with_fixed(field, lots.shuffled(layout.sizes))
    bound = [one for one, home in enumerate(field.home) if home is None and field.apart[one]]
    _search(field, tables, sizes, sorted(lots.shuffled(bound), key=lambda one: -len(field.apart[one])), lots)
    free = lots.shuffled(one for one, home in enumerate(field.home) if home is None and not field.apart[one])
    for table, size in zip(tables, sizes, strict=True):
        while len(table) < size:
            table.append(free.pop())
    return Placed(tables, sizes)


def _with_fixed(field: Field, drawn: list[int]) -> tuple[Tables, list[int]]:
    """Give tables with those who always sit there, which are the first, and the size of each, out of `drawn`."""
    tables: Tables = [[] for _ in drawn]
    for player, home in enumerate(field.home):
        if home is not None:
            tables[home].append(player)
    sizes = [0] * len(drawn)
    for table in sorted(range(len(drawn)), key=lambda one: -len(tables[one])):
        sizes[table] = next(size for size in drawn if size >= len(tables[table]))
        drawn.remove(sizes[table])
    return tables, sizes


def _search(field: Field, tables: Tables, sizes: list[int], order: list[int], lots: Lots) -> None:
    """Add each of `order` to a table where nobody is whom it must not meet. Raises _Stuck."""
    steps = STEPS + len(order)
    choices: list[Iterator[int]] = []
    at: list[int] = []
    furthest = 0
    while len(at) < len(order):
        player = order[len(at)]
        if len(choices) == len(at):
            choices.append(_open_to(field, tables, sizes, player, lots))
        table = next(choices[-1], None)
        steps -= 1
        if table is not None and steps > 0:
            tables[table].append(player)
            at.append(table)
            furthest = max(furthest, len(at))
            continue
        choices.pop()
        if not at or steps <= 0:
            raise _Stuck(order[min(furthest, len(order) - 1)])
        tables[at.pop()].pop()


def _open_to(field: Field, tables: Tables, sizes: list[int], player: int, lots: Lots) -> Iterator[int]:
    """Give the tables that take a player, from a drawn one on; of empty ones without a number one of each size."""
    begin, avoided, empty = lots.below(len(tables)), field.apart[player], set()
    for table in (*range(begin, len(tables)), *range(begin)):
        if len(tables[table]) >= sizes[table] or not avoided.isdisjoint(tables[table]):
            continue
        if not tables[table] and table >= len(field.numbers):
            if sizes[table] in empty:
                continue
            empty.add(sizes[table])
        yield table
