"""`companion doctor --buttons`: what is said of a good button, a bouncing, a silent and a swapped one."""

import pytest

from companion.cli.button_trial import PATIENCE_NS, Ear, bursts, try_buttons, wait_readable
from companion.core.timing.events import MS, SECOND, Edge, Levels, SourceFault
from tests.fakes.scripted_source import ScriptedSource

LABELS = ("red first", "blue first")
QUIET = Levels(frozenset(), frozenset(LABELS), 0)


def contact(label, *times_ms):
    return [Edge(label, n % 2 == 0, round(t * MS), 20_000) for n, t in enumerate(times_ms)]


def trial(*events, labels=LABELS):
    said: list[str] = []
    source = ScriptedSource([QUIET, *events])
    status = try_buttons(Ear(source, source.clock, source.wait), labels, said.append)
    return status, said


def test_good_buttons_are_asked_for_in_turn_and_shown_with_time_and_bounce():
    status, said = trial(
        *contact("red first", 2000, 2001.5, 2003.25, 2120),
        *contact("blue first", 3000.000123, 3100, 3100.5, 3101),
    )
    assert status == 0
    assert said == [
        "press red first, and let it go",
        "  t = 2.000000000 s ± 20 µs; closing: 3 edges in 3.25 ms; held 120 ms; opening: 1 edge, no bounce",
        "press blue first, and let it go",
        "  t = 3.000000123 s ± 20 µs; closing: 1 edge, no bounce; held 100 ms; opening: 3 edges in 1.00 ms",
        "2 of 2 buttons are well",
    ]


def test_a_silent_button_is_given_up_after_a_while_and_the_next_one_is_asked_for():
    later_ms = (SECOND + PATIENCE_NS) / MS + 1000
    status, said = trial(*contact("blue first", later_ms, later_ms + 90))
    assert status == 1
    assert "no edge of red first came in 30 s" in said[1]
    assert said[-1].startswith("1 of 2 buttons are well")


def test_swapped_wires_are_named():
    status, said = trial(*contact("blue first", 2000, 2100), labels=("red first",))
    assert status == 1
    assert "  that was blue first: if red first was pressed, the wires of the two are swapped" in said


def test_a_long_bounce_asks_for_a_longer_bounce_time():
    times = [2000 + 15 * n for n in range(3)]
    status, said = trial(*contact("red first", *times, 2400), labels=("red first",))
    assert status == 1
    assert any("bounces for 30.0 ms" in line for line in said)


def test_a_loose_wire_is_told_from_a_bounce():
    _, said = trial(*contact("red first", 2000, 2060, 2120, 2200), labels=("red first",))
    assert any("opened and closed 2 times more" in line for line in said)


def test_a_button_that_hangs():
    status, said = trial(*contact("red first", 2000), labels=("red first",))
    assert status == 1
    assert any("it has not opened again" in line for line in said)


def test_a_button_held_from_the_start_is_named_before_the_first_is_asked_for():
    said: list[str] = []
    source = ScriptedSource([Levels(frozenset({"red first"}), frozenset(LABELS), 0)])
    assert try_buttons(Ear(source, source.clock, source.wait), (), said.append) == 1
    assert said[0].startswith("red first: is held down already")


def test_a_fault_of_the_source_is_said():
    _, said = trial(
        SourceFault("gpiod", "7 edges were lost", 1500 * MS, 7),
        *contact("red first", 2000, 2100),
        labels=("red first",),
    )
    assert "  gpiod: 7 edges were lost" in said


@pytest.mark.parametrize(
    ("times", "groups"), [((), []), ((5,), [(5, 1, 0)]), ((0, 19, 38, 58), [(0, 3, 38), (58, 1, 0)])]
)
def test_bursts_end_with_a_gap_of_twenty_milliseconds(times, groups):
    assert [(b.t_ns // MS, b.edges, b.length_ns // MS) for b in bursts(contact("red first", *times))] == groups


def test_waiting_for_a_descriptor(tmp_path):
    with (tmp_path / "readable").open("w+b") as file:
        assert wait_readable(file.fileno(), 0)
