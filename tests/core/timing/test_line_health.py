"""How each input is: its level, its newest bounce, what of it was no press, what is wrong with it."""

from __future__ import annotations

import pytest

from companion.core.timing.arbiter import Arbiter
from companion.core.timing.contacts import LineTiming
from companion.core.timing.events import MS, Edge, Levels, LineFault, SourceEvent, SourceFault
from companion.core.timing.line_health import QUIET_NS, LineHealth, LinesHealth

RED, BLUE = "red first", "blue first"


def edges(line: str, *times_us: int) -> list[SourceEvent]:
    """Give edges at these times, the first of them a closing."""
    return [Edge(line, index % 2 == 0, t_us * 1000, 0) for index, t_us in enumerate(times_us)]


def seen(*events: SourceEvent) -> dict[str, LineHealth]:
    health = LinesHealth()
    for event in events:
        health.see(event)
    return {one.line: one for one in health.values()}


def test_the_levels_that_are_read_first_are_known() -> None:
    found = seen(Levels(frozenset({RED}), frozenset({RED, BLUE}), 0))
    assert [(one.line, one.is_down) for one in found.values()] == [(BLUE, False), (RED, True)]


def test_a_line_that_nobody_has_read_has_no_level() -> None:
    health = LinesHealth()
    health.hear(LineFault(RED, "stuck", 0))
    assert health.values() == (LineHealth(RED, is_down=None, fault="stuck"),)


def test_a_closing_bounces_from_its_first_edge_to_its_last() -> None:
    red = seen(*edges(RED, 100_000, 100_300, 100_900))[RED]
    assert (red.is_down, red.bounce_ns, red.bounces) == (True, 900_000, 2)


def test_a_clean_closing_does_not_bounce_and_the_letting_go_is_none_of_it() -> None:
    down, up, again = edges(RED, 100_000, 250_000, 400_000)
    assert seen(down, up)[RED] == LineHealth(RED, is_down=False, bounce_ns=0, bounces=0)
    assert seen(down, up, again)[RED].bounces == 0


@pytest.mark.parametrize(("apart_ns", "bounces"), [(QUIET_NS - 1, 1), (QUIET_NS, 0)])
def test_edges_belong_together_below_the_quiet_time(apart_ns: int, bounces: int) -> None:
    first = 100 * MS
    assert seen(Edge(RED, True, first, 0), Edge(RED, False, first + apart_ns, 0))[RED].bounces == bounces


def test_the_newest_closing_is_what_counts() -> None:
    red = seen(*edges(RED, 100_000, 100_300, 100_900, 300_000, 500_000))[RED]
    assert (red.bounce_ns, red.bounces) == (0, 0)


def test_lines_do_not_mix() -> None:
    found = seen(*edges(RED, 100_000), *edges(BLUE, 100_100), *edges(RED, 100_000)[:0])
    assert [found[line].bounces for line in (RED, BLUE)] == [0, 0]


def test_presses_glitches_and_faults_are_heard_of_the_arbiter() -> None:
    health = LinesHealth()
    arbiter = Arbiter({RED: LineTiming()}, {"wired": 0})
    events: list[SourceEvent] = [
        Levels(frozenset(), frozenset({RED}), 0),
        *edges(RED, 100_000, 180_000),  # a press
        *edges(RED, 400_000, 400_100),  # no press
        SourceFault("wired", "9 edges were lost", 600 * MS),
    ]
    for event in events:
        health.see(event)
        arbiter.feed("wired", event)
    for now_ms in (50, 150, 300, 500, 700):
        for heard in arbiter.advance(now_ms * MS):
            health.hear(heard)
    (red,) = health.values()
    assert (red.presses, red.pressed_ns, red.is_down) == (1, 100 * MS, False)
    assert (red.glitches, red.glitch) == (1, "it never closed firmly")
    health.hear(LineFault(RED, "chattering", 800 * MS))
    assert health.values()[0].fault == "chattering"
    health.hear(LineFault(RED, None, 900 * MS))
    assert health.values()[0].fault is None
