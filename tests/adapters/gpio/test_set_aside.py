"""A line that floods is given back, read alone now and then, and read as ever once it is well."""

import pytest

from companion.adapters.gpio.gpiod_source import GpiodSource
from companion.adapters.gpio.set_aside import FIRST_PAUSE_NS, LONGEST_PAUSE_NS, MOST_EDGES, Trials
from companion.core.timing.events import MS, SECOND, Edge, Levels, Unheard
from tests.fakes.gpio_chip import Clock, FakeKernel

LINES = {"red first": 5, "red second": 6, "red third": 8, "blue first": 7, "blue second": 9}
BAD = frozenset({"red first"})


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def chip(monkeypatch, tmp_path):
    return FakeKernel(monkeypatch, tmp_path).add()


@pytest.fixture
def source(chip, clock):
    source = GpiodSource(LINES, clock=clock)
    source.open()
    source.read()
    yield source
    source.close()


def claimed(chip):
    return sorted(sorted(request.offsets) for request in chip.requests)


def flood(chip, clock, edges):
    for number in range(edges):
        chip.drive(5, grounded=number % 2 == 0, t_ns=clock())


def test_the_others_of_its_seat_are_claimed_again_without_it_at_once_and_no_other_seat_is_touched(source, chip):
    blue = next(request for request in chip.requests if 7 in request.offsets)
    source.set_aside(BAD)
    assert claimed(chip) == [[6, 8], [7, 9]]
    assert blue in chip.requests
    unheard, levels = source.read()
    assert isinstance(unheard, Unheard)
    assert unheard.lines == BAD
    assert isinstance(levels, Levels)
    assert levels.known == {"red second", "red third"}


def test_what_was_queued_before_is_given(source, chip, clock):
    chip.drive(6, grounded=True, t_ns=clock())
    source.set_aside(BAD)
    assert [event.line for event in source.read() if isinstance(event, Edge)] == ["red second"]


def test_a_press_of_another_button_of_the_seat_counts_beside_it(source, chip, clock):
    source.set_aside(BAD)
    source.read()
    flood(chip, clock, 50)
    chip.drive(6, grounded=True, t_ns=clock())
    assert [(event.line, event.error_ns) for event in source.read()] == [("red second", 20_000)]


def test_it_is_tried_alone_after_a_pause_and_given_back_again_while_it_floods(source, chip, clock):
    source.set_aside(BAD)
    source.read()
    source.check()
    assert claimed(chip) == [[6, 8], [7, 9]]
    clock.now_ns += FIRST_PAUSE_NS
    source.check()
    assert claimed(chip) == [[5], [6, 8], [7, 9]]
    (levels,) = source.read()
    assert levels.known == BAD
    flood(chip, clock, MOST_EDGES + 2)
    *edges, unheard = source.read()
    assert len(edges) == MOST_EDGES + 2
    assert unheard.lines == BAD
    assert claimed(chip) == [[6, 8], [7, 9]]
    clock.now_ns += FIRST_PAUSE_NS
    source.check()
    assert claimed(chip) == [[6, 8], [7, 9]], "the pause has doubled"


def test_once_it_is_well_it_is_read_with_the_others(source, chip, clock):
    source.set_aside(BAD)
    clock.now_ns += FIRST_PAUSE_NS
    source.check()
    source.read()
    source.set_aside(frozenset())
    assert claimed(chip) == [[5, 6, 8], [7, 9]]
    (levels,) = [event for event in source.read() if isinstance(event, Levels)]
    assert levels.known == {"red first", "red second", "red third"}
    chip.drive(5, grounded=True, t_ns=clock())
    assert [event.line for event in source.read()] == ["red first"]


def test_asking_for_the_same_again_does_nothing(source, chip):
    source.set_aside(BAD)
    requests = list(chip.requests)
    source.set_aside(BAD)
    source.set_aside(BAD | {"phone 7"})
    assert chip.requests == requests


def test_a_chip_that_vanishes_meanwhile_is_said_and_all_is_claimed_when_it_is_back(source, chip, clock):
    source.set_aside(BAD)
    source.read()
    chip.is_gone = True
    clock.now_ns += FIRST_PAUSE_NS
    source.check()
    assert source.is_gone
    chip.is_gone = False
    source.close()
    source.open()
    assert claimed(chip) == [[5, 6, 8], [7, 9]]


def test_the_pause_doubles_with_each_trial_that_fails_and_not_for_ever():
    aside, now_ns, pauses = Trials(0), 0, []
    for _ in range(7):
        begun_ns = now_ns
        while not aside.is_due(now_ns):
            now_ns += SECOND
        pauses.append(now_ns - begun_ns)
        aside.begin()
        aside.end(now_ns)
    assert pauses[:3] == [FIRST_PAUSE_NS, 2 * FIRST_PAUSE_NS, 4 * FIRST_PAUSE_NS]
    assert pauses[-1] == LONGEST_PAUSE_NS


def test_presses_by_hand_within_a_trial_are_not_a_flood():
    aside = Trials(0)
    aside.begin()
    assert not any(aside.count([number * 600 * MS + n * MS for n in range(40)]) for number in range(20))
