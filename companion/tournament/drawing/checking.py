"""What no drawing may do, whoever made it: by the rule, or by hand. The first breach is named."""

from __future__ import annotations

from collections import Counter
from itertools import chain, combinations
from typing import TYPE_CHECKING

from companion.core.errors import Illegal
from companion.tournament.drawing.sizes import FEWEST, MOST

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from companion.tournament.drawing.wanted import Wanted
    from companion.tournament.log.lines import TableDrawn


def check(wanted: Wanted, tables: Sequence[TableDrawn], byes: Sequence[int]) -> None:
    """Raise Illegal where a drawing is not allowed, naming who is in the way.

    Each entrant has one place, at a table or with a bye, and nobody else has any; tables have 2 to 5 players and each a
    number of its own, and are no more than there are boxes; who must not meet does not; who always sits at a table
    does, or has a bye. By how many tables there are of each size, and by who has a bye, a drawing by hand may leave the
    rule.
    """
    _check_places(wanted, [*chain.from_iterable(table.players for table in tables), *byes])
    _check_tables(wanted, tables)
    _check_fixed(wanted, tables)
    for table in tables:
        _check_apart(wanted, table)


def _check_places(wanted: Wanted, placed: Iterable[int]) -> None:
    times = Counter(placed)
    entrants = {entrant.player for entrant in wanted.entrants}
    _refuse("with more than one place", [player for player, count in times.items() if count > 1])
    _refuse("with a place and not in this round", times.keys() - entrants)
    _refuse("without a place", entrants - times.keys())


def _refuse(fault: str, players: Iterable[int]) -> None:
    named = sorted(players)
    if named:
        raise Illegal(f"{'player' if len(named) == 1 else 'players'} {fault}: {', '.join(map(str, named))}")


def _check_tables(wanted: Wanted, tables: Sequence[TableDrawn]) -> None:
    times = Counter(table.table for table in tables)
    for table in tables:
        if times[table.table] > 1:
            raise Illegal(f"table {table.table} is there {times[table.table]} times")
        if table.table < 1:
            raise Illegal(f"table {table.table}: tables are numbered from 1")
        if not FEWEST <= len(table.players) <= MOST:
            raise Illegal(f"table {table.table} has {len(table.players)} players: a table takes {FEWEST} to {MOST}")
    if wanted.boxes is not None and len(tables) > wanted.boxes:
        raise Illegal(f"{len(tables)} tables for {wanted.boxes} boxes")


def _check_fixed(wanted: Wanted, tables: Iterable[TableDrawn]) -> None:
    fixed = {entrant.player: entrant.fixed for entrant in wanted.entrants}
    for table in tables:
        for player in table.players:
            if fixed[player] not in {None, table.table}:
                raise Illegal(f"player {player} always sits at table {fixed[player]}, not at table {table.table}")


def _check_apart(wanted: Wanted, table: TableDrawn) -> None:
    for pair in combinations(sorted(table.players), 2):
        if pair in wanted.apart:
            raise Illegal(f"players {pair[0]} and {pair[1]} must not meet, and both are at table {table.table}")
