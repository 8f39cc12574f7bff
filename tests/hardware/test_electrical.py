"""The sums of the electrical page, checked against values worked out by hand and against each other."""

from __future__ import annotations

from math import log

import pytest

from hardware.drawings.electrical import (
    CABLE_PF_PER_M,
    FILTERS,
    FUSED,
    I2C_DEVICES_PF,
    PI_3,
    PI_4,
    TABLES,
    Filter,
    fill_in,
    press_delay_us,
    rise_ns,
    unfairness_us,
)


def test_a_filter_without_tolerance_delays_by_rc_times_the_logarithm_of_the_threshold():
    exact = Filter(1e3, 10e-9, 0, 0)
    assert press_delay_us(exact, PI_3) == pytest.approx((10 * log(3.3 / 1.6), 10 * log(3.3 / 0.9)))


def test_the_boards_filter_takes_less_than_a_microsecond_of_the_stated_error():
    assert max(unfairness_us(FILTERS["1 kΩ, 1 nF (the header board)"], pi) for pi in (PI_3, PI_4)) < 1


def test_the_usual_hobby_filter_breaks_the_stated_error():
    assert unfairness_us(FILTERS["10 kΩ, 100 nF (often seen)"], PI_4) > 20


def test_30_cm_of_cable_rises_well_within_the_300_ns_of_fast_mode():
    assert rise_ns(1800, (I2C_DEVICES_PF + 0.3 * CABLE_PF_PER_M) * 1e-12) < 150


def test_tables_are_put_between_their_marks_and_twice_changes_nothing():
    page = "before\n<!-- table: power -->\nold\n<!-- end -->\nafter\n"
    once = fill_in(page)
    assert once.startswith("before\n<!-- table: power -->\n\n| board")
    assert once.endswith("<!-- end -->\nafter\n")
    assert "old" not in once
    assert fill_in(once) == once
    assert all(len({line.count("|") for line in make()}) == 1 for make in TABLES.values())


def test_an_unknown_table_is_named():
    with pytest.raises(KeyError, match="beer"):
        fill_in("<!-- table: beer -->\n<!-- end -->\n")


def test_each_fuse_holds_twice_what_is_in_use_and_takes_less_than_a_tenth_of_the_voltage():
    for name, (fuse, amps, volts) in FUSED.items():
        assert fuse.hold_a >= 2 * amps, name
        assert fuse.trip_a >= 2 * fuse.hold_a, name
        assert amps * fuse.most_ohms < volts / 10, name
