"""Changing a drawing by hand: two players change places, and what that makes of its aims. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.core.errors import Illegal
from companion.core.words.texts import text
from companion.tournament.drawing.cost import cost_of
from companion.tournament.drawing.drawing import check
from companion.tournament.event.results import points_so_far, wanted_of
from companion.tournament.log.lines import TableDrawn

if TYPE_CHECKING:
    from companion.tournament.desk.desk import Desk
    from companion.tournament.drawing.wanted import Cost


class Swapped(NamedTuple):
    """A drawing after two have changed places: tables and byes."""

    tables: tuple[TableDrawn, ...]
    byes: tuple[int, ...]


class Difference(NamedTuple):
    """What a change makes of the three aims of a drawing: before and after, less is better."""

    before: Cost
    after: Cost


def swapped(desk: Desk, number: int, one: int, other: int) -> Swapped:
    """Give the newest drawing with two players in each other's places. Raises Illegal: not the newest, not in it."""
    found = desk.event.round(number)
    if found is not desk.event.rounds[-1]:
        raise Illegal(text("only the newest drawing can be changed: that of round {round}").format(
            round=len(desk.event.rounds)))  # fmt: skip
    for player in (one, other):
        if player not in found.seated():
            name = desk.event.players[player].name
            raise Illegal(text("{name} is not drawn in round {round}").format(name=name, round=number))
    if one == other:
        raise Illegal(text("choose two players: one cannot change places with themself"))
    of = {one: other, other: one}
    tables = tuple(
        TableDrawn(table.table, tuple(of.get(player, player) for player in table.players))
        for table in found.line.tables
    )
    return Swapped(tables, tuple(sorted(of.get(player, player) for player in found.byes)))


def difference(desk: Desk, number: int, one: int, other: int) -> Difference:
    """Give what it would make of the drawing's aims that two change places. Raises Illegal where they must not."""
    after = swapped(desk, number, one, other)
    wanted = wanted_of(desk.event, points_so_far(desk.results()[:-1]), number)
    check(wanted, after.tables, after.byes)
    return Difference(cost_of(wanted, desk.event.round(number).line.tables), cost_of(wanted, after.tables))
