"""What a profile gives to a seat, and what a match that goes on has of it."""

from __future__ import annotations

import msgspec

from companion.core.panel import Colour
from companion.core.profiles.holding import Sitter, conditions_of, sitter_of, sitters_again
from companion.core.profiles.profile import Filters, Profile
from companion.core.record.lines import Conditions, SeatConditions
from companion.core.timing.contacts import LineTiming
from companion.core.timing.events import MS
from companion.core.timing.filters import OwnFilters
from tests.core.profiles.people import FULL, PLAIN

USUAL = SeatConditions(bounce_ms=20, accept_ms=2, repeat_ms=0, extension_ms=0, input=("panel",))
CONDITIONS = Conditions(
    software="", box="", window_ms=3000, late_ms=1000, seats={Colour.RED: USUAL, Colour.BLUE: USUAL}, settle_ms=2,
    chatter_hz=200, confirmed=(), sources=(),
)  # fmt: skip
TREMOR = Profile(name="Ann", filters=Filters(accept_ms=80.4), extension_s=1.5)


def test_what_a_profile_leaves_out_is_as_the_box_has_it() -> None:
    usual = LineTiming(7, 8, 9, "red")

    assert sitter_of(PLAIN) == Sitter(PLAIN, OwnFilters(), None)
    assert OwnFilters().over(usual) == usual
    assert sitter_of(TREMOR).filters.over(usual) == LineTiming(7, 80_400_000, 9, "red")


def test_decimals_are_what_was_written() -> None:
    assert sitter_of(FULL)[1:] == (OwnFilters(45 * MS, 120 * MS, 650_500_000), 12_500 * MS)


def test_the_conditions_say_what_holds_rounded_up() -> None:
    told = conditions_of(CONDITIONS, {Colour.RED: sitter_of(FULL)})

    assert told.seats[Colour.RED] == SeatConditions(45, 120, 651, 12_500, ("panel", "scan"))
    assert told.seats[Colour.BLUE] == USUAL


def test_a_match_that_goes_on_has_what_its_record_says_whatever_became_of_the_profile() -> None:
    began = conditions_of(CONDITIONS, {Colour.RED: sitter_of(TREMOR)})
    changed = msgspec.structs.replace(TREMOR, filters=Filters(accept_ms=300))

    assert sitters_again(began, CONDITIONS, {Colour.RED: TREMOR}) == {Colour.RED: sitter_of(TREMOR)}
    again = sitters_again(began, CONDITIONS, {Colour.RED: changed})[Colour.RED]
    assert (again.filters, again.extension_ns) == (OwnFilters(20 * MS, 81 * MS, 0), 1500 * MS)


def test_nobody_gets_a_profile_in_a_match_that_they_began_without() -> None:
    assert sitters_again(CONDITIONS, CONDITIONS, {Colour.RED: TREMOR}) == {}
