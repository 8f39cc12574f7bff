"""Looks for the tables of a round after the first: small fields as a whole, large ones part by part.

Up to `WHOLE` players all tables are one part, and walks from other beginnings, of different stiffness, look at it. In a
larger field a player's place is among those of about the same score: the tables, in the order of their scores, are gone
through in overlapping parts. Then each table where somebody meets again is looked at together with others of the field.
"""

from __future__ import annotations

from itertools import combinations
from math import gcd
from typing import TYPE_CHECKING

from companion.tournament.drawing.annealing import FORBIDDEN, Part, Walk

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.tournament.drawing.field import Field, Tables
    from companion.tournament.drawing.lots import Lots
    from companion.tournament.drawing.placing import Placed

WHOLE = 60
"""Players of a field that is searched as a whole."""
SMALL = 16
"""Players of a field that a few short walks do for; above it, their length grows as the square of the players."""
TABLES, STEP = 10, 5
"""Tables of a part of a larger field, and how far on the next part begins."""
EFFORT = 800
"""Blocks of lots for all parts of a larger field, at least 2 for each part each time."""
MENDS = 200
"""Tables of a larger field that are looked at again, since somebody meets there again."""


def search(field: Field, placed: Placed, lots: Lots) -> Tables:
    """Give the best tables that are found. placed: a drawing that is allowed."""
    if len(field.players) <= WHOLE:
        return _search_whole(field, placed.tables, lots)
    tables = _search_parts(field, by_score(field, placed, lots), lots)
    if _is_allowed(field, tables):
        return tables
    return _search_parts(field, placed.tables, lots)


def _search_whole(field: Field, tables: Tables, lots: Lots) -> Tables:
    part = Part(field, tables, unit_of(field))
    players = len(field.players)
    walks, blocks = (4, 8) if players <= SMALL else (8, min(128, players * players // 12))
    for number in range(walks):
        part.walk(_walk(part.range >> (number % 3 != 1), blocks), lots)
    return part.tables


def _search_parts(field: Field, tables: Tables, lots: Lots) -> Tables:
    """Go through the tables in the order of their scores, as often as the effort reaches, and mend what is left."""
    tables, unit = list(tables), unit_of(field)
    rounds = max(2, min(12, EFFORT * STEP // (2 * len(tables))))
    for _ in range(rounds):
        order = _by_mean(field, tables)
        for begin in range(0, max(1, len(order) - STEP), STEP):
            _improve(
                field,
                tables,
                order[begin : begin + TABLES],
                unit,
                max(2, EFFORT * STEP // (rounds * len(tables))),
                lots,
            )
    _mend(field, tables, unit, lots)
    return tables


def _mend(field: Field, tables: Tables, unit: int, lots: Lots) -> None:
    """Look at each table where somebody meets again, or must not, with its neighbours and some from anywhere."""
    order = _by_mean(field, tables)
    repeated = [at for at, table in enumerate(order) if _meetings(field, tables[table])]
    for at in repeated[:MENDS]:
        near = order[max(0, at - TABLES) : at + TABLES]
        far = [lots.below(len(tables)) for _ in range(TABLES // 2)]
        _improve(field, tables, list(dict.fromkeys([*near, *far])), unit, 6, lots)


def _improve(field: Field, tables: Tables, chosen: list[int], unit: int, blocks: int, lots: Lots) -> None:
    part = Part(field, [tables[table] for table in chosen], unit)
    part.walk(_walk(part.range, blocks), lots)
    for table, players in zip(chosen, part.tables, strict=True):
        tables[table] = players


def _walk(stiffness: int, blocks: int) -> Walk:
    """Give a walk that begins where a third of all meetings more are taken on, and ends where hardly any spread is."""
    stiff = max(4, stiffness)
    return Walk(blocks, stiff, stiff * 20, stiff * 2)


def unit_of(field: Field) -> int:
    """Give what all scores of the field differ by multiples of."""
    least = min(field.scores, default=0)
    return gcd(*(score - least for score in field.scores)) or 1


def by_score(field: Field, placed: Placed, lots: Lots) -> Tables:
    """Give tables of those whose scores are next to each other, equal ones as the lots fall, whoever meets whom.

    A table at which somebody always sits takes the players who come next after him.
    """
    fixed = len(field.numbers)
    tables = [[one for one in table if field.home[one] is not None] for table in placed.tables]
    others = lots.shuffled(range(fixed, len(tables)))
    homes = sorted(range(fixed), key=lambda table: -max(field.scores[one] for one in tables[table]))
    free = lots.shuffled(one for one, home in enumerate(field.home) if home is None)
    free.sort(key=lambda one: field.scores[one])
    while homes or others:
        at_home = homes and (not free or not others or _top(field, tables[homes[0]]) >= field.scores[free[-1]])
        table = homes.pop(0) if at_home else others.pop()
        while len(tables[table]) < placed.sizes[table]:
            tables[table].append(free.pop())
    return tables


def _top(field: Field, table: Iterable[int]) -> int:
    return max(field.scores[one] for one in table)


def _by_mean(field: Field, tables: Tables) -> list[int]:
    """Give the tables in the order of their mean scores."""
    return sorted(
        range(len(tables)), key=lambda table: sum(field.scores[one] for one in tables[table]) * 60 // len(tables[table])
    )


def _meetings(field: Field, table: Iterable[int]) -> int:
    """Give the squared meetings of a table; two who must not meet count as very many."""
    return sum(
        FORBIDDEN if other in field.apart[one] else field.met[one].get(other, 0)
        for one, other in combinations(table, 2)
    )


def _is_allowed(field: Field, tables: Tables) -> bool:
    return all(_meetings(field, table) < FORBIDDEN for table in tables)
