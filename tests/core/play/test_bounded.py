"""A broken or hostile source: what it can have written is bounded, every one is counted, what could count is there."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from companion.core.match.match import PlaySettings
from companion.core.match.race_phases import Stage
from companion.core.panel import Colour
from companion.core.record.lines import PressLine, Remark
from companion.core.ruling.race import RacePhase
from companion.core.timing.arbiter import LateDelivery
from companion.core.timing.events import MS, SECOND, Dropped, LineFault, Press, SourceFault
from tests.core.play.virtual_box import START_MS, VirtualBox

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.core.timing.arbiter import ArbiterEvent

pytestmark = [pytest.mark.slow, pytest.mark.no_cover]  # walks through whole matches

MANY = 5_000
START_NS = (START_MS + 100) * MS


def remarks(box: VirtualBox) -> list[str]:
    return [line.text for line in box.lines if isinstance(line, Remark)]


def more(texts: list[str]) -> int:
    """Sum up what the remarks say was left out."""
    found = [re.search(r": ([0-9,]+) more ", text) for text in texts]
    return sum(int(one[1].replace(",", "")) for one in found if one is not None)


def told(texts: list[str]) -> int:
    """Count what was told one by one."""
    return sum(": " not in text or re.search(r": [0-9,]+ more ", text) is None for text in texts)


def feed(box: VirtualBox, event_at: Callable[[int, int], ArbiterEvent], every_ns: int = 5 * MS) -> None:
    """Give the session so many events, then a long quiet time."""
    for number in range(MANY):
        t_ns = START_NS + number * every_ns
        box.session.advance(t_ns, t_ns)
        box.session.feed(event_at(number, t_ns))
    for second in range(0, 3000, 10):
        t_ns = START_NS + MANY * every_ns + second * SECOND
        box.session.advance(t_ns, t_ns)
    box._take()


EVENTS: dict[str, Callable[[int, int], ArbiterEvent]] = {
    "a pod that is lost and found": lambda number, t_ns: SourceFault(
        "pods", "pod west is back" if number % 2 else "pod west does not answer: its buttons are dead", t_ns
    ),
    "a pod that loses edges": lambda number, t_ns: SourceFault("pods", f"{number} edges", t_ns, 3, ("red first",)),
    "a pod that calls itself something else each time": lambda number, t_ns: SourceFault(
        "pods", f"pod {number:016x} at /dev/ttyACM0 is not assigned: run companion pods assign", t_ns
    ),
    "a pod whose name is another each time": lambda number, t_ns: SourceFault(
        "pods", "".join(chr(ord("g") + int(digit)) for digit in str(number)), t_ns
    ),
    "a button that chatters": lambda number, t_ns: Dropped("red first", t_ns, 20_000, t_ns + MS, "it came too soon"),
    "a line that is stuck and well": lambda number, t_ns: LineFault("red first", None if number % 2 else "stuck", t_ns),
    "a phone in bad Wi-Fi": lambda number, t_ns: LateDelivery("browser panels", t_ns, 300 * MS, 1),
    "a contact that flickers": lambda number, t_ns: Press("knob push", t_ns, 20_000, "flickered for 30 ms"),
}


@pytest.mark.parametrize("event_at", EVENTS.values(), ids=list(EVENTS))
def test_thousands_of_a_kind_are_a_few_remarks_that_count_them_all(
    event_at: Callable[[int, int], ArbiterEvent],
) -> None:
    box = VirtualBox(("red", "yellow"), "order")
    feed(box, event_at)
    texts = remarks(box)
    assert len(texts) <= 60
    assert more(texts) + told(texts) == MANY


def test_edges_that_were_lost_are_summed_up_exactly() -> None:
    box = VirtualBox(("red", "yellow"), "order")
    feed(box, EVENTS["a pod that loses edges"])
    lost = [int(one[1].replace(",", "")) for text in remarks(box) if (one := re.search(r"([0-9,]+) edges lost", text))]
    assert sum(lost) == 3 * more(remarks(box))


def test_a_flood_from_one_pod_hides_no_loss_of_another() -> None:
    box = VirtualBox(("red", "yellow"), "order")
    feed(box, EVENTS["a pod that is lost and found"])
    flood = EVENTS["a pod that loses edges"](9, START_NS + MANY * SECOND)
    box.session.feed(flood)
    box._take()
    assert remarks(box)[-1].startswith("9 edges; a press may have been lost on red first")


def test_faults_between_two_matches_are_the_newest_and_how_many_more() -> None:
    box = VirtualBox(("red", "yellow"), "order", start=False)
    for number in range(MANY):  # each of another kind
        word = "".join(chr(ord("g") + int(digit)) for digit in str(number))
        box.session.feed(SourceFault(f"source {word}", f"{word} broke", START_NS + number))
    box.session.start(box.table.setup(box.find("order")))
    box._take()
    assert len(remarks(box)) <= 51
    assert re.match(r"[0-9,]+ remarks from before the match", remarks(box)[0])


def test_an_alarm_that_comes_and_goes_stands_until_it_does_so_no_more() -> None:
    box = VirtualBox(("red", "yellow"), "order")
    seen = []
    for number in range(MANY):
        t_ns = START_NS + number * MS
        box.session.advance(t_ns, t_ns)
        box.session.alarm("pod west", None if number % 2 else "pod west does not answer")
        seen.append(box.scene.alarms)
    assert sum(one != other for one, other in pairwise(seen)) <= 32
    later_ns = START_NS + 200 * SECOND
    box.session.advance(later_ns, later_ns)
    box.session.advance(2 * later_ns, 2 * later_ns)
    assert box.scene.alarms == ()


def test_what_an_alarm_said_last_is_what_stands_in_the_end() -> None:
    box = VirtualBox(("red", "yellow"), "order")
    for number in range(101):
        box.session.alarm("pod west", f"fault {number}")
    assert len(box.scene.alarms) == 1
    box.session.advance(START_NS + 100 * SECOND, START_NS + 100 * SECOND)
    assert box.scene.alarms == ("fault 100",)


def hammered(box: VirtualBox, button: str, from_ms: float, seconds: float) -> int:
    """Press a button over and over; give how often."""
    times = round(seconds * 1000 / 80)
    for number in range(times):
        box.press(button, from_ms + number * 80, 40)
    return times


def presses(box: VirtualBox, colour: Colour) -> list[PressLine]:
    return [line for line in box.lines if isinstance(line, PressLine) and line.colour is colour]


def test_a_hammered_button_leaves_its_first_presses_and_a_count_and_hides_nobodys() -> None:
    box = VirtualBox(("red", "yellow"), "order")
    times = hammered(box, "red first", 2000, 2.9)
    box.press("yellow first", 4500)
    box.run(9000)
    red = presses(box, Colour.RED)
    assert len(presses(box, Colour.YELLOW)) == 1
    assert red[0].t_ns == 2000 * MS
    assert len(red) < times
    texts = [text for text in remarks(box) if "presses ignored" in text]
    assert len(red) + more(texts) == times
    assert re.fullmatch(r"red first: [0-9,]+ more presses ignored in [0-9.]+ s", texts[0])


def test_a_minute_of_hammering_grows_the_record_by_races_and_not_by_presses() -> None:
    box = VirtualBox(("red", "yellow"), "order")
    times = hammered(box, "green first", 2000, 60)  # nobody's seat: nothing can count
    box.run(90_000)
    assert times > 700
    assert len(box.lines) <= 60
    assert len(presses(box, Colour.GREEN)) + more(remarks(box)) == times


def test_a_press_that_counts_is_recorded_after_whatever_came_before_it() -> None:
    box = VirtualBox(("red", "yellow"), "order")
    hammered(box, "green first", 2000, 5)
    box.press("red first", 6990)
    box.press("yellow first", 6995)
    box.run(9500)
    assert [line.t_ns for line in presses(box, Colour.RED)] == [6990 * MS]
    assert len(presses(box, Colour.YELLOW)) == 1
    assert "judge" in box.types()


def test_no_press_that_was_left_out_is_kept_for_ever() -> None:
    box = VirtualBox(("red", "yellow"), "order")
    hammered(box, "green first", 2000, 20)
    box.run(40_000)
    assert box.kept == []


def test_a_button_that_was_hammered_when_it_could_not_count_counts_as_soon_as_it_can() -> None:
    box = VirtualBox(("red", "yellow"), play=PlaySettings(late_ns=5 * SECOND))
    box.reveal("red hunter", 2000)
    box.press("red first", 3000)
    box.press("yellow first", 3010)
    box.run(3500)
    match = box.session.match
    assert match is not None
    assert (match.stage, match.phase) == (Stage.BETWEEN, RacePhase.WAITING)
    hammered(box, "red first", 3600, 4.3)  # too late for that race, too early for the next
    box.run(7950)
    assert len(presses(box, Colour.RED)) < 40
    assert match.presses() == ()
    hammered(box, "red first", match.late_until_ns / MS + 20, 0.2)
    box.run(9000)
    assert [press.colour for press in match.presses()] == [Colour.RED]
