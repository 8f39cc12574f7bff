"""Requests take their turn among the presses; a line that stands in for a button counts as that button."""

from __future__ import annotations

from companion.core.panel import Colour, label_of, marked
from companion.core.record.lines import PressLine, Remark
from companion.core.timing.contacts import LineTiming
from companion.core.timing.events import MS, Edge, SourceFault
from companion.testing.virtual_box import LINES, SOURCE
from tests.core.play.virtual_box import DELAY_NS, VirtualBox


def test_requests_are_done_in_the_order_of_their_times_among_the_presses() -> None:
    box = VirtualBox(seats=("red", "yellow"), start=False)
    done: list[tuple[str, int]] = []

    def note(name: str) -> None:
        box.box.ask(int(name) * MS, lambda session: done.append((name, len(session.table.seats))))

    note("2100")
    note("2010")
    box.press("green first", 2050)
    box.run(2500)
    assert done == [("2010", 2), ("2100", 3)]


def test_a_request_waits_for_no_longer_than_the_sources_may_take() -> None:
    box = VirtualBox(seats=("red", "yellow"), start=False)
    done: list[bool] = []
    box.run(2000)
    box.box.ask(2000 * MS, lambda _session: done.append(True))
    assert box.box.next_deadline() == 2000 * MS + DELAY_NS
    box.box.advance(2000 * MS + DELAY_NS - 1)
    assert done == []
    box.box.advance(2000 * MS + DELAY_NS)
    assert done == [True]


def test_a_source_s_fault_does_not_let_a_request_overtake_the_presses() -> None:
    box = VirtualBox(seats=("red", "yellow"), start=False)
    seated: list[int] = []
    box.press("green first", 1990)
    box.run(2000)
    box.box.ask(2000 * MS, lambda session: seated.append(len(session.table.seats)))
    box.box.advance(2010 * MS, [("gpiod", SourceFault("gpiod", "lost 3 edges", 2010 * MS))])
    box.run(2100)
    assert seated == [3]


def test_a_marked_line_is_judged_by_itself_and_counts_as_its_button() -> None:
    line = marked("red fourth", "phone")
    assert label_of(line) == "red fourth"
    box = VirtualBox(seats=("red", "yellow"), game="order", timings={line: LineTiming()})
    box.edge("red fourth", True, 1900)  # stuck
    box.run(14_000)
    assert any("red fourth: stuck" in alarm for alarm in box.scene.alarms)
    box.press(line, 15_000)
    box.run(16_000)
    presses = [entry for entry in box.lines if isinstance(entry, PressLine)]
    assert presses[-1] == PressLine(colour=Colour.RED, role=presses[-1].role, t_ns=15_000 * MS, error_ns=20_000)


def edges(line: str, *at_ms: float) -> list[tuple[str, Edge]]:
    return [(SOURCE, Edge(line, index % 2 == 0, round(ms * MS), 20_000)) for index, ms in enumerate(at_ms)]


def test_a_press_in_time_is_ranked_although_the_program_stood_still_and_its_source_held_edges() -> None:
    box = VirtualBox(seats=("red", "yellow", "blue"), game="order")
    box.press("red first", 2000)
    box.run(4850)
    held = {SOURCE: round(4900.5 * MS)}
    for now_ms in (5250, 5252, 5254):
        box.box.advance(now_ms * MS, (), held)
    assert "close" not in [str(line.__struct_config__.tag) for line in box.lines]
    box.now_ms = 5255
    box.box.advance(5255 * MS, edges("yellow first", 4900.6, 4980))
    box.run(7000)
    assert box.types() == ["setup", "press", "press", "close", "judge"]
    assert [line.t_ns for line in box.lines[1:4]] == [2000 * MS, round(4900.6 * MS), 5000 * MS]  # type: ignore[attr-defined]


def test_a_hand_that_rested_for_more_than_ten_seconds_has_its_next_press_in_the_record() -> None:
    box = VirtualBox(seats=("red", "yellow"), game="order")
    box.press("red first", 2000, hold_ms=15_000)
    box.press("red first", 17_100)
    box.press("yellow first", 17_150)
    box.run(20_000)
    times = [line.t_ns // MS for line in box.lines if isinstance(line, PressLine)]
    assert times == [2000, 17_100, 17_150]


def test_flicker_before_a_press_is_a_remark_in_the_record() -> None:
    box = VirtualBox(seats=("red", "yellow"), game="order")
    for spike in range(3):
        box.press("red first", 2000 + 15 * spike, hold_ms=0.05)
    box.press("red first", 2045)
    box.run(2200)
    assert [line.t_ns for line in box.lines if isinstance(line, PressLine)] == [2030 * MS]
    assert [line.text for line in box.lines if isinstance(line, Remark)] == [
        "red first: flickered for 45.0 ms: counts from its first edge in the last 20 ms"
    ]


def test_a_dropped_press_is_told_on_the_display_and_with_its_time_in_the_record() -> None:
    again = {"red first": LineTiming(repeat_ns=500 * MS)}
    box = VirtualBox(seats=("red", "yellow"), game="order", timings=again)
    box.press("red first", 2000)
    box.press("red first", 2200)
    box.run(2400)
    told = "red first: a press does not count: it came too soon after the button's last press"
    assert box.scene.alarms == (told,)
    assert [line.text for line in box.lines if isinstance(line, Remark)] == [f"{told} (2200000000 ns ± 20000 ns)"]
    box.run(63_000)
    assert box.scene.alarms == ()


def test_twenty_switches_that_bounce_together_are_one_remark_at_most() -> None:
    box = VirtualBox(seats=("red", "yellow"), game="order")
    box.run(3000)
    late = [edge for line in LINES for edge in edges(line, *(2900 + 0.3 * i for i in range(20)))]
    box.box.advance(3000 * MS, late)
    box.run(3500)
    told = [line.text for line in box.lines if isinstance(line, Remark)]
    assert told == ["420 edges came up to 70.0 ms later than virtual panel states"]
