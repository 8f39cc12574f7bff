"""The tables of rhythms and tones: each told from every other, by whichever sense, and no lamp faster than 3 Hz."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest

from companion.core.match.effects import Tone
from companion.core.panel import Colour
from companion.core.signals.rhythms import (
    FELT,
    LASTING,
    LEAST_RISE_NS,
    LONGEST_CUE,
    OFF,
    PASSING,
    RHYTHMS,
    SEAT_SOUNDED,
    SEATS,
    SEEN,
    SOUNDED,
    STEADY,
    Beat,
    Pattern,
    cue_pattern,
)
from companion.core.signals.signs import MEANS, OF_TONE, SAYS, Outlet, Sign
from companion.core.signals.tones import OWN, PITCHES, RHYTHMIC, SEAT_PITCHES, duty_of, notes_of
from companion.core.timing.events import MS, SECOND

TIMES_AS_LONG = 3
"""One beat is told from another by its length alone where it is so many times as long."""


def are_told_apart(one: list[int], other: list[int]) -> bool:
    """Tell whether rhythms differ in the number of their beats, or somewhere in the length of one."""
    if len(one) != len(other):
        return True
    return any(max(a, b) >= TIMES_AS_LONG * min(a, b) for a, b in zip(one, other, strict=True))


def lengths(beats: tuple[Beat, ...]) -> list[int]:
    return [beat.on_ms for beat in beats]


@pytest.mark.parametrize("scale", [SOUNDED, FELT, SEEN], ids=["sounded", "felt", "seen"])
def test_each_sign_is_told_from_every_other(scale):
    assert set(RHYTHMS) == set(Sign)
    alike = [
        (one, other)
        for one, other in combinations(Sign, 2)
        if not are_told_apart(lengths(scale.beats(RHYTHMS[one])), lengths(scale.beats(RHYTHMS[other])))
    ]
    assert alike == []


def test_each_seat_s_own_tone_is_told_from_every_other_by_its_rhythm_alone_and_by_its_pitch():
    assert set(SEATS) == set(Colour)
    for one, other in combinations(Colour, 2):
        assert are_told_apart(lengths(SEAT_SOUNDED.beats(SEATS[one])), lengths(SEAT_SOUNDED.beats(SEATS[other])))
        low, high = sorted((SEAT_PITCHES[one], SEAT_PITCHES[other]))
        assert high / low > 2 ** (2.9 / 12), "nearly a minor third at least"


def test_what_is_alike_is_found():
    assert not are_told_apart([60, 300], [60, 300])
    assert not are_told_apart([60, 300], [100, 300])
    assert are_told_apart([60, 300], [60, 60])


def test_everything_that_is_heard_has_a_light_a_touch_and_a_word():
    assert set(OF_TONE) == set(Tone)
    assert len(set(OF_TONE.values())) == len(Tone)
    assert set(SAYS) == set(MEANS) == set(Sign)
    assert len(set(SAYS.values())) == len(Sign)
    for outlet in Outlet:
        assert set(PASSING[outlet]) == set(Sign)
        assert OFF not in PASSING[outlet].values()


def rises_ns(pattern: Pattern, until_ns: int) -> list[int]:
    """Give when a pattern goes on, from its beginning on."""
    out, at_ns, was_on = [], 0, False
    while at_ns <= until_ns:
        is_on = pattern.is_on(at_ns)
        if is_on and not was_on:
            out.append(at_ns)
        was_on = is_on
        change_ns = pattern.next_change(at_ns)
        if change_ns is None:
            break
        assert change_ns > at_ns
        at_ns = change_ns
    return out


LAMP_PATTERNS = {
    **{f"{sign} once": pattern for sign, pattern in PASSING[Outlet.LAMP].items()},
    **{f"{sign} lasting": pattern for sign, pattern in LASTING[Outlet.LAMP].items()},
}


@pytest.mark.parametrize("name", LAMP_PATTERNS)
def test_no_pattern_of_a_lamp_flashes_more_than_three_times_in_any_second(name):
    rises = rises_ns(LAMP_PATTERNS[name], 10 * SECOND)
    for first in rises:
        assert sum(first <= rise < first + SECOND for rise in rises) <= 3
    assert all(b - a >= LEAST_RISE_NS for a, b in pairwise(rises))


def test_three_rises_so_far_apart_are_no_fourth_within_a_second():
    assert 3 * LEAST_RISE_NS > SECOND


@pytest.mark.parametrize("sign", Sign)
def test_a_pattern_is_over_once_and_is_then_off(sign):
    for outlet in Outlet:
        pattern = PASSING[outlet][sign]
        assert len(rises_ns(pattern, 60 * SECOND)) == len(RHYTHMS[sign])
        assert pattern.is_over(pattern.round_ns)
        assert not pattern.is_on(pattern.round_ns)
        assert not pattern.is_over(pattern.round_ns - 1)


def test_a_choice_that_waits_is_felt_again_and_begins_with_a_rest():
    pattern = LASTING[Outlet.MOTOR][Sign.YOURS]
    assert not pattern.is_on(0)
    assert rises_ns(pattern, 14 * SECOND) == [6000 * MS, 6220 * MS, 12_320 * MS, 12_540 * MS]


def test_steady_is_on_and_nothing_is_off():
    assert STEADY.is_on(123)
    assert STEADY.next_change(0) is None
    assert not OFF.is_on(0)


@pytest.mark.parametrize(("number", "pulses"), [(0, 0), (1, 1), (4, 4), (99, LONGEST_CUE)])
def test_a_cue_is_as_many_pulses_as_its_number(number, pulses):
    assert len(rises_ns(cue_pattern(number), 60 * SECOND)) == pulses


@pytest.mark.parametrize("tone", Tone)
def test_a_tone_is_followed_by_those_of_its_seats(tone):
    plain = notes_of(tone)
    assert plain == tuple(PITCHES[tone])
    told = notes_of(tone, (Colour.BLUE,))
    assert told[: len(plain)] == plain
    assert told[-len(OWN[Colour.BLUE]) :] == tuple(OWN[Colour.BLUE])
    assert told[len(plain)].hz == 0
    assert notes_of(tone, (Colour.BLUE,), has_pitches=False)[: len(RHYTHMIC[tone])] == tuple(RHYTHMIC[tone])


def test_no_tone_of_one_seat_is_longer_than_two_seconds():
    for tone in Tone:
        for seat in Colour:
            for has_pitches in (True, False):
                assert sum(note.ms for note in notes_of(tone, (seat,), has_pitches=has_pitches)) <= 2000


def test_volume_is_the_height_of_the_wave_s_fundamental():
    assert duty_of(100) == pytest.approx(0.5)
    assert duty_of(0) == 0
    assert duty_of(50) == pytest.approx(1 / 6)
    duties = [duty_of(volume) for volume in range(101)]
    assert duties == sorted(duties)
