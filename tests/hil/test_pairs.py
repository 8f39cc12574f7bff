"""Do the figures of the long run find what is wrong? Each fault is put into rows that are right without it."""

import json

import pytest

from tests.hil.pairs import HEADINGS, Figures, account, judge, row, table
from tests.hil.patterns import CLOSED, Edge, Kind, Stroke
from tests.hil.truth import Played, PlayedStroke

LABELS = {5: "red first", 6: "blue first"}
LINES = list(LABELS.values())
HOLD_NS = 40_000_000
ROUND_NS = 1_000_000_000
Row = list[object]


def stroke(gpio: int, t_ns: int, hold_ns: int = HOLD_NS) -> PlayedStroke:
    edges = (Edge(t_ns // 1000, gpio, CLOSED), Edge((t_ns + hold_ns) // 1000, gpio, 1))
    moments = tuple(
        Played(0, gpio, edge.level, t, t + 1_000) for edge, t in zip(edges, (t_ns, t_ns + hold_ns), strict=True)
    )
    return PlayedStroke(Stroke(Kind.PRESS, edges), moments)


def edges(line: str, t_ns: int, error_ns: int = 20_000) -> list[Row]:
    return [["edge", line, True, t_ns, error_ns], ["edge", line, False, t_ns + HOLD_NS, error_ns]]


def figures(rounds: list[list[PlayedStroke]], rows: list[Row]) -> Figures:
    """The figures of rounds of which so much was told; levels and turns are put around."""
    begin: list[Row] = [["levels", 1, "", ",".join(LINES)], ["turn", 2, None]]
    end: list[Row] = [["turn", 20 * ROUND_NS, None], ["delay", 30_000_000], ["most", 1]]
    out = Figures()
    judge(rounds, LABELS, account([json.dumps(each) for each in begin + rows + end], LINES, "gpiod"), out)
    return out


RED_NS, BLUE_NS = 5 * ROUND_NS, 5 * ROUND_NS + 50_000
ONE_ROUND = [[stroke(5, RED_NS), stroke(6, BLUE_NS)]]


def test_a_round_told_as_it_was_has_no_fault() -> None:
    found = figures(ONE_ROUND, edges("red first", RED_NS) + edges("blue first", BLUE_NS))
    assert (found.wrong, found.faults) == (0, [])
    assert (found.rounds, found.disturbed_rounds, found.presses, found.pairs, found.inside) == (1, 0, 2, 1, 0)


def test_presses_told_the_wrong_way_round_are_found_where_the_stated_uncertainty_excludes_it() -> None:
    swapped = figures(ONE_ROUND, edges("red first", BLUE_NS) + edges("blue first", RED_NS))
    assert (swapped.misordered, swapped.wrong_firsts, swapped.outside) == (1, 1, 2)
    unsure = figures(ONE_ROUND, edges("red first", BLUE_NS, 60_000) + edges("blue first", RED_NS, 60_000))
    assert (unsure.misordered, unsure.outside, unsure.inside) == (0, 0, 1)


def test_presses_that_are_not_surely_apart_are_no_pair() -> None:
    close = [[stroke(5, RED_NS), stroke(6, RED_NS + 20_000)]]
    assert figures(close, edges("red first", RED_NS) + edges("blue first", RED_NS + 20_000)).pairs == 0


@pytest.mark.parametrize("lines", [["red first"], ["blue first"]])
def test_a_lost_press_is_silent_unless_something_told_names_its_line(lines: list[str]) -> None:
    told: Row = ["fault", "edges may have been lost", RED_NS + ROUND_NS, *lines]
    found = figures(ONE_ROUND, [*edges("blue first", BLUE_NS), told])
    is_named = lines == ["red first"]
    assert (found.lost_told, found.lost_silently) == (int(is_named), int(not is_named))


def test_a_telling_long_after_a_lost_press_does_not_account_for_it() -> None:
    late: Row = ["fault", "edges may have been lost", RED_NS + 10 * ROUND_NS, "red first"]
    assert figures(ONE_ROUND, [*edges("blue first", BLUE_NS), late]).lost_silently == 1


def test_a_press_that_nobody_made_is_found() -> None:
    right = edges("red first", RED_NS) + edges("blue first", BLUE_NS)
    found = figures(ONE_ROUND, right + edges("blue first", BLUE_NS + ROUND_NS // 4))
    assert (found.extra_silently, found.wrong) == (1, 1)


def test_a_round_that_the_emulator_spoiled_is_counted_apart_with_the_reason() -> None:
    short = [[stroke(5, RED_NS, 1_000_000), stroke(6, BLUE_NS)]]
    found = figures(short, edges("blue first", RED_NS - 30_000))
    assert dict(found.disturbed) == {"stood still within a press": 1}
    assert (found.rounds, found.presses, found.pairs, found.wrong) == (1, 0, 0, 0)


def test_the_table_has_a_value_under_each_heading() -> None:
    found = figures(ONE_ROUND, edges("red first", RED_NS) + edges("blue first", BLUE_NS))
    cells = row("gpiod", "clean", found)
    assert len(cells) == len(HEADINGS)
    assert dict(zip(HEADINGS, cells, strict=True))["pairs"] == "1"
    assert table([cells]).count("\n") == 2
