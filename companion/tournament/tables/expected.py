"""What a table's record has to be of, and what is wrong with one that is of something else. Pure."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from companion.core.record.lines import Event, Setup
    from companion.core.record.seals import KeyUse

NO_PARAMETERS: Mapping[str, bool | int | str] = MappingProxyType({})


class Expected(NamedTuple):
    """What the setup of a table's record has to say. event: where it is played, and by which drawing.

    variants: exactly these, in any order. parameters: those that the event gives; a box answers the others by their
    defaults. dead_heat: as in a setup; an untimed match has its own.
    """

    event: Event
    game: str
    variants: tuple[str, ...] = ()
    parameters: Mapping[str, bool | int | str] = NO_PARAMETERS
    dead_heat: str = "timestamp"


def misplaced(found: Event | None, expected: Event) -> str | None:
    """Say what is wrong with where a match says that it is played, None where nothing is."""
    if found is None:
        return "its setup names no event"
    for what, one, other in (
        ("event", found.id, expected.id),
        ("round", found.round, expected.round),
        ("table", found.table, expected.table),
    ):
        if one != other:
            return f"its setup names {what} {one}, and this is {what} {other}"
    if found.sheet != expected.sheet:
        return f"its setup names the drawing {found.sheet[:12]}…, and this round's is {expected.sheet[:12]}…"
    return None


def unlike(setup: Setup, expected: Expected) -> str | None:
    """Say what of a setup is not as the event has it, None where all is."""
    if (why := misplaced(setup.event, expected.event)) is not None:
        return why
    if setup.game != expected.game:
        return f"it is of the game {setup.game!r}, and the event plays {expected.game!r}"
    if sorted(setup.variants or ()) != sorted(expected.variants):
        return f"it is played with {_listed(setup.variants or ())}, and the event with {_listed(expected.variants)}"
    given = setup.parameters or NO_PARAMETERS
    for key, value in expected.parameters.items():
        if key not in given or given[key] != value or type(given[key]) is not type(value):
            return f"its parameter {key!r} is {given.get(key)!r}, and the event's is {value!r}"
    if setup.timing == "race" and setup.dead_heat != expected.dead_heat:
        return f"its dead heats go by {setup.dead_heat!r}, and the event's by {expected.dead_heat!r}"
    return None


def _listed(variants: Sequence[str]) -> str:
    return f"the variants {', '.join(sorted(variants))}" if variants else "no variants"


def foreign_key(uses: Sequence[KeyUse], enrolled: Collection[bytes], last: bytes | None = None) -> str | None:
    """Say which of a record's seals are by a key that may not seal it, None where none are.

    uses: of the seals that hold. enrolled: keys of boxes that take part. last: of the box that has the match now, None:
    any of them. Where the key changes, a `moved` line has to say so.
    """
    for number, use in enumerate(uses):
        if use.key not in enrolled:
            return f"from line {use.line} on it is sealed by a key that no box of the event has"
        if number and not use.is_announced:
            return f"from line {use.line} on it is sealed by another key, and no `moved` line names that"
    if uses and last is not None and uses[-1].key != last:
        return f"from line {uses[-1].line} on it is sealed by the key of another box"
    return None
