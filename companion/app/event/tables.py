"""Puts a table of an event into the box's own terms: seats in the order of the panel's colours, names as they fit."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from companion.core.panel import Colour
from companion.core.people.names import NAME_LENGTH
from companion.core.record.lines import Event

if TYPE_CHECKING:
    from companion.core.play.seating import Table
    from companion.tournament.box.kept import Who
    from companion.tournament.wire import Sit


def event_of(who: Who, sit: Sit) -> Event:
    """Give what the setup says of where the match is played."""
    return Event(who.event, sit.round, sit.table, sit.sheet)


def table_of(who: Who, sit: Sit, before: Table) -> Table:
    """Give the table to play. before: the seating, whose window and allowances of seats hold on.

    Whoever is at the first seat begins. What was measured for who sat there before goes.
    """
    colours = tuple(Colour)[: len(sit.seats)]
    return replace(
        before.without_measured(tuple(before.lent_ms)),
        game=sit.game,
        seats=colours,
        first=colours[0] if colours else None,
        variants=sit.variants,
        dead_heat=sit.dead_heat,
        names={colour: _short(seat.name) for colour, seat in zip(colours, sit.seats, strict=False)},
        parameters=sit.parameters,
        files=before.files if before.game == sit.game else {},
        practice=False,
        by_profile=frozenset(),
        timing="race",
        event=event_of(who, sit),
    )


def without_event(table: Table) -> Table:
    """Give the seating with nobody in it, and of no event."""
    return replace(table, seats=(), first=None, names={}, by_profile=frozenset(), event=None)


def _short(name: str) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in name).strip()[:NAME_LENGTH].strip()
