"""After a standstill, what may still be on its way through lgpio's threads is not taken for given."""

from companion.adapters.gpio.standstill import LATE_NS, RECOVERED_NS, RESUMED_NS, Standstill
from companion.core.timing.events import MS

DELAY_NS = 150 * MS
NOW_NS = 10_000 * MS


def test_readings_that_follow_each_other_and_prompt_reports_hold_nothing_back() -> None:
    standstill = Standstill()
    for after_ms in (0, 1, 10, 80):
        standstill.look(NOW_NS + after_ms * MS, LATE_NS, DELAY_NS)
        assert standstill.given_until_ns is None


def test_after_a_pause_nothing_since_the_reading_before_it_is_given_for_a_moment() -> None:
    standstill = Standstill()
    for pause_begin_ns in (NOW_NS, NOW_NS + 1_000 * MS):
        standstill.look(pause_begin_ns, 0, DELAY_NS)
        standstill.look(pause_begin_ns + 1, 0, DELAY_NS)
        resumed_ns = pause_begin_ns + 300 * MS
        standstill.look(resumed_ns, 0, DELAY_NS)
        assert standstill.given_until_ns == pause_begin_ns + 1 - DELAY_NS
        standstill.look(resumed_ns + RESUMED_NS - 1, 0, DELAY_NS)
        assert standstill.given_until_ns is not None
        standstill.look(resumed_ns + RESUMED_NS, 0, DELAY_NS)
        assert standstill.given_until_ns is None


def test_after_a_very_late_report_nothing_is_given_until_the_others_have_had_time_to_come() -> None:
    standstill = Standstill()
    standstill.look(NOW_NS, 300 * MS, DELAY_NS)
    standstill.look(NOW_NS + RECOVERED_NS - 30 * MS, 0, DELAY_NS)
    assert standstill.given_until_ns == NOW_NS - 300 * MS - DELAY_NS
    standstill.look(NOW_NS + RECOVERED_NS, 0, DELAY_NS)
    assert standstill.given_until_ns is None


def test_further_late_reports_prolong_it_and_keep_the_instant_of_its_beginning() -> None:
    standstill = Standstill()
    for after_ms in range(0, 401, 20):
        standstill.look(NOW_NS + after_ms * MS, 300 * MS + after_ms * MS, DELAY_NS)
    standstill.look(NOW_NS + 400 * MS + RECOVERED_NS - 30 * MS, 0, DELAY_NS)
    assert standstill.given_until_ns == NOW_NS - 300 * MS - DELAY_NS


def test_the_first_late_report_may_come_some_time_after_the_program_goes_on() -> None:
    standstill = Standstill()
    standstill.look(NOW_NS, 0, DELAY_NS)
    resumed_ns = NOW_NS + 370 * MS
    standstill.look(resumed_ns, 0, DELAY_NS)
    for after_ms in range(1, 26):
        standstill.look(resumed_ns + after_ms * MS, 0, DELAY_NS)
        assert standstill.given_until_ns == NOW_NS - DELAY_NS
    standstill.look(resumed_ns + 26 * MS, 380 * MS, DELAY_NS)
    assert standstill.given_until_ns == NOW_NS - DELAY_NS


def test_pauses_that_follow_each_other_hold_nothing_back_for_good() -> None:
    standstill = Standstill()
    for after_ms in range(0, 2_000, 80):
        standstill.look(NOW_NS + after_ms * MS, 0, DELAY_NS)
    assert standstill.given_until_ns is not None
    assert standstill.given_until_ns >= NOW_NS + 1_800 * MS - DELAY_NS
