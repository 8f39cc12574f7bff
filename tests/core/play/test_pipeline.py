"""Requests take their turn among the presses; a line that stands in for a button counts as that button."""

from __future__ import annotations

from companion.core.panel import Colour, label_of, marked
from companion.core.record.lines import PressLine
from companion.core.timing.contacts import LineTiming
from companion.core.timing.events import MS, SourceFault
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
