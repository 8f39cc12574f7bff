"""The expectation of a record, checked on truths made by hand: each way of being wrong must show."""

import random
import re
from dataclasses import replace
from typing import Any

import pytest

from tests.hil.expected import (
    ERROR_NS,
    expected_replay,
    is_doubtful,
    judge_race,
    last_to_join,
)
from tests.hil.patterns import REAL_SWITCH, Stroke, burst, glitch, plan, press
from tests.hil.truth import Played, PlayedStroke, as_played

SEATS = ("red", "blue")
LABELS = {4: "red first", 5: "red fourth", 6: "blue first", 7: "blue fourth"}
GPIO = {label: gpio for gpio, label in LABELS.items()}


def played(*strokes: Stroke, stop_before: int | None = None, stop_ns: int = 0) -> list[PlayedStroke]:
    """Played to the dot, 10 us each edge; from edge `stop_before` on, everything comes `stop_ns` later."""
    planned = plan(list(strokes))
    late = [stop_ns if stop_before is not None and n >= stop_before else 0 for n in range(len(planned.edges))]
    log = [
        Played(0, edge.gpio, edge.level, edge.at_us * 1000 + late_ns, edge.at_us * 1000 + late_ns + 10_000)
        for edge, late_ns in zip(planned.edges, late, strict=True)
    ]
    return as_played(planned, log)


def line(label: str, t_ns: int, error_ns: int = ERROR_NS["gpiod"]) -> dict[str, Any]:
    colour, role = label.split()
    return {"type": "press", "colour": colour, "role": role, "t_ns": t_ns, "error_ns": error_ns}


TRUTH = played(*(press(random.Random(1), GPIO[label], 100 * n, 40_000) for n, label in enumerate(
    ["red fourth", "red first", "blue first", "blue fourth"]
)))  # fmt: skip
RIGHT = [
    line("red fourth", 5_000),
    line("red first", 105_000),
    line("blue first", 205_000),
    {"type": "close", "t_ns": 205_000},
    line("blue fourth", 305_000),
]


def test_a_record_of_just_what_was_pressed_has_no_faults() -> None:
    verdict = judge_race(RIGHT, TRUTH, LABELS, SEATS)
    assert verdict.faults == ()
    assert not verdict.wrong_first


@pytest.mark.parametrize(
    ("recorded", "fault", "wrong_first"),
    [
        ([*RIGHT[:4]], r"not recorded: \['blue fourth'\]", False),
        ([*RIGHT, line("red first", 400_000)], r"the other way: \['red first'\]", False),
        ([RIGHT[1], RIGHT[0], *RIGHT[2:]], r"order \['red first', 'red fourth'", True),
        ([line("red fourth", 11_000), *RIGHT[1:]], r"red fourth: t_ns 11000 ± 20000 not in 0\.\.10000", False),
        ([line("red fourth", 5_000, 0), *RIGHT[1:]], "± 0", False),
        ([*RIGHT[:2], RIGHT[3], RIGHT[2], RIGHT[4]], r"closed at lines \[2\] of the race instead of 3", False),
        ([*RIGHT[:3], RIGHT[4]], r"closed at lines \[\]", False),
        ([*RIGHT[:3], {"type": "close", "t_ns": 206_000}, RIGHT[4]], "closed at 206000 instead of 205000", False),
    ],
    ids=["lost", "extra", "order", "time", "error", "close too early", "no close", "time of close"],
)
def test_each_fault_of_a_record_shows(recorded: list[dict[str, Any]], fault: str, wrong_first: bool) -> None:
    verdict = judge_race(recorded, TRUTH, LABELS, SEATS)
    assert len(verdict.faults) == 1
    assert re.search(fault, verdict.faults[0])
    assert verdict.wrong_first == wrong_first


def test_a_glitch_must_not_be_recorded() -> None:
    truth = [*TRUTH[:3], *played(glitch(random.Random(1), 7, 300))]
    assert judge_race(RIGHT[:4], truth, LABELS, SEATS).faults == ()
    assert judge_race(RIGHT, truth, LABELS, SEATS).faults


def test_the_race_closes_with_the_press_that_completes_the_seats() -> None:
    assert last_to_join(["red first", "red fourth", "blue first", "red third"], SEATS) == 2
    with pytest.raises(ValueError, match="no press of blue"):
        last_to_join(["red first"], SEATS)


@pytest.mark.parametrize(("stop_before", "stop_ns", "doubtful"), [(1, 500_000, False), (1, 1_600_000, True)])
def test_a_glitch_that_came_out_long_is_doubtful(stop_before: int, stop_ns: int, doubtful: bool) -> None:
    knock = glitch(random.Random(1), 5, 0, (500, 500))
    assert is_doubtful(played(knock, stop_before=stop_before, stop_ns=stop_ns)[0]) == doubtful


SHORT_STOPS = [(0, False), (8_000_000, False), (15_000_000, True), (20_000_000, True)]


@pytest.mark.parametrize(("stop_ns", "doubtful"), SHORT_STOPS)
def test_a_press_torn_in_two_or_firm_too_late_by_a_standstill_is_doubtful(stop_ns: int, doubtful: bool) -> None:
    bouncing = press(random.Random(1), 5, 0, 40_000, REAL_SWITCH)
    assert is_doubtful(played(bouncing, stop_before=2, stop_ns=stop_ns)[0]) == doubtful


def test_a_press_that_was_let_go_of_at_once_is_doubtful() -> None:
    down, up = played(press(random.Random(1), 5, 0, 40_000))[0].moments
    hasty = replace(up, before_ns=down.after_ns + 1_000_000, after_ns=down.after_ns + 1_010_000)
    stroke = PlayedStroke(press(random.Random(1), 5, 0, 40_000), (down, hasty))
    assert is_doubtful(stroke)


def test_a_burst_played_to_the_dot_is_not_doubtful() -> None:
    strokes = burst(random.Random(4), list(LABELS), contact=REAL_SWITCH)
    assert not any(is_doubtful(stroke) for stroke in played(*strokes))


def test_a_press_of_a_wide_error_is_tied_past_one_that_is_certain() -> None:
    seats = ("red", "blue", "green")
    race = [line("red first", 0), line("blue first", 100_000), line("green first", 200_000, 190_000)]
    (first, second, third) = expected_replay([race], seats)[0]["order"]
    assert first["tied_with"] == ["green"]
    assert second["tied_with"] == ["green"]
    assert third["tied_with"] == ["red", "blue"]


def test_replay_gives_the_ignored_presses_the_order_and_the_wins() -> None:
    replayed = expected_replay([RIGHT, [line("blue first", 10), line("red first", 40_010)]], SEATS)
    assert [(ruling["role"], ruling["reason"]) for ruling in replayed if ruling["type"] == "ignored"] == [
        ("first", "already played"), ("fourth", "closed"),
    ]  # fmt: skip
    first, second = (ruling["order"] for ruling in replayed if ruling["type"] == "order")
    assert [(place["colour"], place["gap_ns"], place["dead_heat"]) for place in first] == [
        ("red", 0, False), ("blue", 200_000, False),
    ]  # fmt: skip
    assert [(place["colour"], place["gap_ns"], place["dead_heat"]) for place in second] == [
        ("blue", 0, True), ("red", 40_000, True),
    ]  # fmt: skip
    assert replayed[-1]["wins"] == {"red": 1, "blue": 1}
    assert replayed[-1]["leaders"] == ["red", "blue"]
