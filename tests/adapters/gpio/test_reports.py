"""What may have been lost before a report, on a model of lgpio: 16 events of a line, and a thread that is late."""

import random
from collections import deque
from itertools import accumulate

import pytest

from companion.adapters.gpio.lines.levels import LineBook, RawEdge
from companion.adapters.gpio.reports import HOLD_NS, KERNEL_KEEPS, PIPE_KEEPS, Report, Reports
from companion.core.timing.events import MS, SECOND, Edge

LINES = ("red first", "blue first", "green first")


def lossy(edges: list[tuple[int, str]], awake_ns: list[int], within_ns: int = 0) -> list[Report]:
    """What lgpio reports of `edges` (each line's alternating) where its thread looks at these instants only.

    within_ns: how long it stands still within each look, between one line and the next.
    """
    queues = {line: deque[RawEdge](maxlen=KERNEL_KEEPS) for line in LINES}
    reports, level = [], dict.fromkeys(LINES, False)
    upcoming = deque(sorted(edges))
    for begin_ns in sorted(awake_ns):
        read, now_ns = list[RawEdge](), begin_ns
        for looked_at in LINES:
            while upcoming and upcoming[0][0] <= now_ns:
                t_ns, line = upcoming.popleft()
                level[line] = not level[line]
                queues[line].append(RawEdge(t_ns, line, level[line]))
            read += queues[looked_at]
            queues[looked_at].clear()
            now_ns += within_ns
        read.sort(key=lambda edge: edge.t_ns)
        reports += [Report(now_ns + 100_000 + count * 20_000, edge) for count, edge in enumerate(read)]
    return reports


def fed(reports: list[Report]) -> tuple[list[RawEdge], set[str]]:
    """All edges given, as a loop reads them every millisecond, and the lines in doubt."""
    judge, out, waiting = Reports(LINES), [], deque(reports)
    now_ns = reports[0].came_ns
    while waiting or judge.given_until_ns is not None:
        while waiting and waiting[0].came_ns <= now_ns:
            judge.put(waiting.popleft())
        given = judge.give(now_ns)
        out += given
        now_ns += MS
    return out, judge.suspects


def firsts(edges: list[tuple[int, str]], given: list[RawEdge]) -> list[tuple[str, int, Edge]]:
    """Of each line when it first closed, and the first closing that is told of it."""
    book = LineBook(LINES, 120_000)
    book.start(set(), 0, [])
    told = [edge for edge in book.edges(given) if isinstance(edge, Edge) and edge.active]
    return [
        (line, min(t_ns for t_ns, label in edges if label == line), next(edge for edge in told if edge.line == line))
        for line in LINES
    ]


def error_ns(first: Edge) -> int:
    """The ± that its press has at least."""
    return first.error_ns if first.lost_since_ns is None else max(first.error_ns, first.t_ns - first.lost_since_ns)


def bounce(rng: random.Random, line: str, begin_ns: int) -> list[tuple[int, str]]:
    gaps_ns = [rng.randint(100_000, 1_400_000) for _ in range(2 * rng.randint(0, 15))]
    return [(begin_ns + after_ns, line) for after_ns in accumulate(gaps_ns, initial=0)]


def test_the_true_first_edge_is_within_what_is_stated_however_long_lgpio_stood_still():
    wrong, doubted, late = [], 0, 0
    for seed in range(400):
        rng = random.Random(seed)
        edges = [edge for line in LINES for edge in bounce(rng, line, SECOND + rng.randint(0, 5 * MS))]
        stop_ns = SECOND + rng.randint(-5 * MS, 5 * MS)
        go_on_ns = stop_ns + rng.choice([0, 300 * MS])
        turns_ns = range(SECOND - 10 * MS, SECOND + 700 * MS, MS // 2)
        awake_ns = [t_ns for t_ns in turns_ns if not stop_ns <= t_ns < go_on_ns]
        given, suspects = fed(lossy(edges, awake_ns))
        for line, true_ns, first in firsts(edges, given):
            late += first.t_ns - true_ns > 120_000
            doubted += line in suspects and go_on_ns == stop_ns
            if abs(first.t_ns - true_ns) > error_ns(first) or (first.t_ns != true_ns and line not in suspects):
                wrong.append((seed, line, first.t_ns - true_ns, error_ns(first)))
    assert wrong == []
    assert late > 100, "nothing was lost in the model"
    assert doubted == 0, "nothing is doubted of what came in good time"


@pytest.mark.slow  # simulates thousands of presses
def test_the_true_first_edge_is_within_what_is_stated_where_lgpio_stood_still_within_a_look_too():
    wrong, late = [], 0
    for seed in range(2_000):
        rng = random.Random(seed)
        edges = [
            edge
            for line in LINES
            for begin_ns in [SECOND + rng.randint(-2 * MS, 2 * MS)]
            for edge in (*bounce(rng, line, begin_ns), *bounce(rng, line, begin_ns + 30 * MS))
        ]
        within_ns = rng.randint(0, 2 * MS)
        awake_ns = [n * 8 * MS for n in range(100)] + [SECOND - 30 * MS, SECOND - 10 * MS, SECOND, SECOND + 45 * MS]
        given, _ = fed(lossy(edges, [*awake_ns, SECOND + 60 * MS], within_ns))
        for line, true_ns, first in firsts(edges, given):
            late += first.t_ns - true_ns > 120_000
            if abs(first.t_ns - true_ns) > error_ns(first):
                wrong.append((seed, line, first.t_ns - true_ns, error_ns(first)))
    assert wrong == []
    assert late > 100, "nothing was lost in the model"


def test_a_doubted_edge_is_no_older_than_what_was_reported_in_good_time_of_any_line():
    judge = Reports(LINES)
    judge.put(Report(1_000_000, RawEdge(900_000, "blue first", True)))
    judge.put(Report(3_000_000, RawEdge(2_900_000, "green first", True)))
    late = [RawEdge(50 * MS + n, "red first", n % 2 == 1) for n in range(KERNEL_KEEPS)]
    for edge in late:
        judge.put(Report(300 * MS, edge))
    given = {edge.t_ns: edge for edge in judge.give(300 * MS)}
    assert given[50 * MS].lost_since_ns == 900_000
    assert judge.suspects == {"red first"}


def test_fifteen_edges_that_came_late_lost_none_before_them():
    judge = Reports(LINES)
    for n in range(KERNEL_KEEPS - 1):
        judge.put(Report(300 * MS, RawEdge(50 * MS + n, "red first", n % 2 == 0)))
    assert judge.give(300 * MS) == []
    assert judge.given_until_ns == 50 * MS - 1
    judge.put(Report(310 * MS, RawEdge(305 * MS, "red first", False)))
    given = judge.give(310 * MS)
    assert [edge.lost_since_ns for edge in given] == [None] * 15
    assert judge.suspects == set()
    assert judge.given_until_ns == 305 * MS - 1


@pytest.mark.parametrize("late_ns", [MS, 80 * MS])
def test_a_late_report_that_nothing_follows_is_waited_upon_for_as_long_as_it_was_late_and_is_certain_then(late_ns):
    """Of twenty clean presses at rest one in seven was in doubt, since the newest report before it, seconds ago."""
    judge = Reports(LINES)
    judge.put(Report(50 * MS + late_ns, RawEdge(50 * MS, "red first", True)))
    assert judge.give(50 * MS + 2 * late_ns + HOLD_NS - 1) == []
    assert judge.give(50 * MS + 2 * late_ns + HOLD_NS) == [RawEdge(50 * MS, "red first", True)]
    assert judge.suspects == set()


def test_a_late_edge_is_judged_by_the_reports_of_other_lines_too():
    judge = Reports(LINES)
    judge.put(Report(300 * MS, RawEdge(50 * MS, "red first", True)))
    judge.put(Report(304 * MS, RawEdge(299 * MS, "blue first", True)))
    assert judge.give(300 * MS + HOLD_NS) == []
    judge.put(Report(306 * MS, RawEdge(302 * MS, "green first", True)))
    assert {edge.line for edge in judge.give(306 * MS)} == {"red first"}


def test_a_prompt_report_is_given_at_once():
    judge = Reports(LINES)
    judge.put(Report(10 * MS, RawEdge(10 * MS - 300_000, "red first", True)))
    assert [edge.t_ns for edge in judge.give(10 * MS)] == [10 * MS - 300_000]


@pytest.mark.parametrize(("count", "doubted"), [(PIPE_KEEPS - 1, False), (PIPE_KEEPS + 1, True)])
def test_after_a_full_pipe_every_lines_next_edge_is_in_doubt(count, doubted):
    judge = Reports(LINES)
    for n in range(count):
        judge.put(Report(SECOND, RawEdge(500 * MS + n, LINES[n % 2], True)))
        judge.give(None)
    judge.put(Report(2 * SECOND, RawEdge(2 * SECOND, "green first", True)))
    (edge,) = judge.give(None)
    assert (edge.lost_since_ns == 0) is doubted
    assert ("green first" in judge.suspects) is doubted
