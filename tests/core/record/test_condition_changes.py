"""What has changed of a match's conditions is said with its old and its new value, and nothing else is."""

from __future__ import annotations

from msgspec.structs import replace

from companion.core.panel import Colour
from companion.core.record.condition_changes import changes
from companion.core.record.lines import Conditions, SeatConditions, SourceConditions

SEAT = SeatConditions(bounce_ms=20, accept_ms=2, repeat_ms=0, extension_ms=0, input=("panel",))
BEFORE = Conditions(
    software="table-companion 1.0",
    box="abc",
    window_ms=3000,
    late_ms=1000,
    seats={Colour.RED: SEAT, Colour.BLUE: SEAT},
    settle_ms=2,
    chatter_hz=400,
    confirmed=(),
    sources=(SourceConditions("gpiod", 30, 20),),
)


def test_nothing_has_changed_where_all_is_the_same_or_more_have_agreed() -> None:
    assert changes(BEFORE, BEFORE) == ()
    assert changes(BEFORE, replace(BEFORE, confirmed=(Colour.RED,))) == ()


def test_a_setting_of_the_box_of_a_seat_and_of_a_source_are_named_with_both_values() -> None:
    slower = replace(SEAT, accept_ms=80, input=("panel", "phone"))
    after = replace(
        BEFORE,
        window_ms=5000,
        seats={Colour.RED: slower, Colour.BLUE: SEAT},
        sources=(SourceConditions("gpiod", 30, 21, "a" * 64),),
    )
    assert changes(BEFORE, after) == (
        "window_ms 3000 -> 5000",
        "red accept_ms 2 -> 80",
        "red input panel -> panel, phone",
        "gpiod error_us 20 -> 21",
        f"gpiod certificate none -> {'a' * 64}",
    )


def test_a_source_that_has_gone_or_come_is_named() -> None:
    after = replace(BEFORE, sources=(SourceConditions("pods", 40, 500),))
    assert changes(BEFORE, after) == (
        "gpiod delay_ms 30 -> none",
        "gpiod error_us 20 -> none",
        "pods delay_ms none -> 40",
        "pods error_us none -> 500",
    )
