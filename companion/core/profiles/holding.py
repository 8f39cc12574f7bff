"""What a person's profile gives to the seat they take, for one match: values that nothing changes within it. Pure.

A match that is taken up again goes on as its record says that it began, whatever became of the profile since.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from companion.core.switches.ways import SwitchScanning, Way, begun_at
from companion.core.timing.events import MS, SECOND
from companion.core.timing.filters import OwnFilters

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.core.panel import Colour
    from companion.core.profiles.profile import Profile
    from companion.core.record.lines import Conditions, SeatConditions


class Sitter(NamedTuple):
    """Who plays a seat by a profile of their own, and what it gives. extension_ns: None for the seat's."""

    profile: Profile
    filters: OwnFilters = OwnFilters()
    extension_ns: int | None = None


def sitter_of(profile: Profile) -> Sitter:
    """Give what a profile gives to a seat."""
    filters = profile.filters
    own = OwnFilters(_ns(filters.bounce_ms, MS), _ns(filters.accept_ms, MS), _ns(filters.repeat_ms, MS))
    return Sitter(profile, own, _ns(profile.extension_s, SECOND))


def switch_of(profile: Profile) -> SwitchScanning | None:
    """Give how a person scans by a switch, None where they play by buttons."""
    scanning = profile.scanning
    if profile.input != "scan":
        return None
    return SwitchScanning(
        way=Way(scanning.way),
        dwell_ns=_ns(scanning.dwell_s, SECOND) or SECOND,
        loops=scanning.loops,
        order=begun_at([place - 1 for place in scanning.order], scanning.start - 1),
        again=scanning.again,
        moving=scanning.move - 1,
    )


def switches_of(
    usual: Mapping[Colour, SwitchScanning], sitters: Mapping[Colour, Sitter]
) -> dict[Colour, SwitchScanning]:
    """Give how the seats scan: by their people's profiles where they have one, else as the box has it (`usual`)."""
    own = {colour: switch_of(sitter.profile) for colour, sitter in sitters.items()}
    others = {colour: how for colour, how in usual.items() if colour not in own}
    return {**others, **{colour: how for colour, how in own.items() if how is not None}}


def sitter_again(profile: Profile, began: SeatConditions) -> Sitter:
    """Give what a match that goes on has for a seat whose person has a profile: what its record says."""
    filters = OwnFilters(began.bounce_ms * MS, began.accept_ms * MS, began.repeat_ms * MS)
    given = sitter_of(profile)
    if seat_conditions(began, given) == began:  # in full, where the record has it in whole milliseconds
        return given
    return Sitter(profile, filters, began.extension_ms * MS)


def sitters_again(
    began: Conditions, usual: Conditions, profiles: Mapping[Colour, Profile]
) -> dict[Colour, Sitter]:  # fmt: skip
    """Give who sat at a match that goes on, by the profiles of those whom its record names.

    usual: the conditions as they would be without any. Only where they are not those of the record did a profile give
    them: so nobody gets one who played without.
    """
    return {
        colour: sitter_again(profile, began.seats[colour])
        for colour, profile in profiles.items()
        if colour in began.seats and began.seats[colour] != usual.seats.get(colour)
    }


def conditions_of(usual: Conditions, sitters: Mapping[Colour, Sitter]) -> Conditions:
    """Give the conditions of a match as they are with what these people bring."""
    seats = {
        colour: seat_conditions(seat, sitters[colour]) if colour in sitters else seat
        for colour, seat in usual.seats.items()
    }
    return replace(usual, seats=seats)


def seat_conditions(usual: SeatConditions, sitter: Sitter) -> SeatConditions:
    """Give the conditions of one seat; times are rounded up to milliseconds, as everywhere in them."""
    bounce_ns, accept_ns, repeat_ns = sitter.filters
    inputs = tuple(one for one in usual.input if one != "scan")
    return replace(
        usual,
        bounce_ms=_ms(bounce_ns, usual.bounce_ms),
        accept_ms=_ms(accept_ns, usual.accept_ms),
        repeat_ms=_ms(repeat_ns, usual.repeat_ms),
        extension_ms=_ms(sitter.extension_ns, usual.extension_ms),
        input=(*inputs, "scan") if sitter.profile.input == "scan" else inputs,
    )


def _ms(value_ns: int | None, usual_ms: int) -> int:
    return usual_ms if value_ns is None else -(-value_ns // MS)


def _ns(value: float | None, unit_ns: int) -> int | None:
    """Give a time of a profile as integer nanoseconds, of the decimal number that was written."""
    return None if value is None else int((Decimal(str(value)) * unit_ns).to_integral_value())
