"""The trial: which line the wire is on is found by itself, and what goes wrong with a wire is named."""

import os
import random
import re
from itertools import pairwise

import pytest

from companion.cli.button_trial import Ear
from companion.cli.certificate.trial import LONGEST_NS, PATIENCE_NS, SHORTEST_NS, Trial, wait_precisely
from companion.core.errors import Unavailable
from companion.core.timing.events import MS, SECOND, Edge, SourceFault
from companion.core.timing.loop_errors import EARLY_NS
from tests.fakes.looped_source import WRITE_NS, LoopedSource

LINES = {"red first": 4, "red second": 14, "blue first": 8}
PULSES = 12


class Person:
    """Reads what is said and moves the wire to the line that is asked for, unless told otherwise."""

    def __init__(self, source, moves=None):
        self.source, self.moves = source, moves or {}
        self.said = []

    def say(self, text):
        self.said.append(text)
        if asked := re.match(r"put the wire on (.+) \(GPIO \d+\)", text):
            self.source.on = self.moves.get(asked[1], [asked[1]])


def trial_of(source, moves=None, lines=LINES, **options):
    person = Person(source, moves)
    saved = []
    trial = Trial(
        Ear(source, source.clock, source.wait), source, lines, random.Random(7), person.say,
        lambda done, line, paired: saved.append(list(done)), pulses=PULSES, **options,
    )  # fmt: skip
    return trial, person, saved


def by_line(trial):
    return {line.line: line for line in trial.done}


def test_every_line_is_asked_for_and_measured():
    source = LoopedSource(
        error_ns=lambda line, n: {"red first": 1_000, "red second": 3_000, "blue first": -2_000}[line]
    )
    trial, person, saved = trial_of(source)
    assert trial.run() == []
    assert {name: line.error.median_ns for name, line in by_line(trial).items()} == {
        "red first": 1_000, "red second": 3_000, "blue first": -2_000,
    }  # fmt: skip
    assert all((line.pulses, line.lost, line.spurious) == (PULSES, 0, 0) for line in trial.done)
    assert [len(done) for done in saved] == [1, 2, 3]
    assert person.said[0] == "put the wire on red first (GPIO 4); 0 of 3 are done"


def test_the_lines_may_be_taken_in_any_order():
    trial, person, _ = trial_of(LoopedSource(), {"red first": ["blue first"]})
    person.moves["red second"] = ["red second"]
    source = person.source
    source.before = lambda _: source.on == ["blue first"] and "blue first" in by_line(trial) and move(source)

    def move(source):
        source.on = ["red first"]

    assert trial.run() == []
    assert list(by_line(trial)) == ["blue first", "red first", "red second"]


def test_pulses_and_pauses_are_drawn_anew_and_longer_than_a_stamp_may_be_early():
    source = LoopedSource("red first")
    trial, _, _ = trial_of(source, lines={"red first": 4})
    trial.run()
    lengths = [later.before_ns - earlier.after_ns for earlier, later in pairwise(source.changes)]
    assert min(lengths) >= SHORTEST_NS > EARLY_NS
    assert len(set(lengths)) == len(lengths)
    assert max(lengths[8:-1]) < LONGEST_NS + 1
    assert [change.active for change in source.changes] == [True, False] * (len(source.changes) // 2)


def test_a_wire_that_was_not_moved_is_named_and_its_line_is_not_taken_twice():
    trial, person, _ = trial_of(LoopedSource(), {"red second": ["red first"]}, {"red first": 4, "red second": 14})
    assert trial.run() == ["red second"]
    assert "  that is red first, which is done: move the wire to red second" in person.said
    assert list(by_line(trial)) == ["red first"]


def test_a_line_that_does_not_answer_is_named_and_the_others_are_tried():
    source = LoopedSource()
    trial, person, _ = trial_of(source, {"red second": []})
    assert trial.run() == ["red second"]
    assert list(by_line(trial)) == ["red first", "blue first"]
    assert any(text.startswith("  red second has not answered in 90 s") for text in person.said)
    assert source.now_ns < 2 * PATIENCE_NS


def test_a_line_that_was_given_up_is_taken_when_it_answers_after_all():
    trial, person, _ = trial_of(LoopedSource(), {"red first": []}, {"red first": 4, "red second": 14})
    source = person.source
    person.moves["red second"] = ["red first"]
    source.before = lambda s: (
        s.on == ["red first"] and "red first" in by_line(trial) and setattr(s, "on", ["red second"])
    )
    assert trial.run() == []
    assert list(by_line(trial)) == ["red first", "red second"]


def test_two_lines_that_answer_together_are_named_and_neither_is_measured():
    trial, person, _ = trial_of(LoopedSource(), {"red first": ["red first", "red second"]})
    assert trial.run() == ["red first"]
    assert any("red first and red second answer together" in text for text in person.said)
    assert list(by_line(trial)) == ["red second", "blue first"]


def test_a_line_that_is_no_button_is_said_to_be_none():
    trial, person, _ = trial_of(LoopedSource(), {"red first": ["knob push"]}, {"red first": 4})
    assert trial.run() == ["red first"]
    assert "  that is knob push, which is none of the lines to be tried: move the wire to red first" in person.said


def test_a_wire_that_comes_off_in_the_middle_is_noticed_and_the_line_begins_anew():
    source = LoopedSource()
    trial, person, saved = trial_of(source, lines={"red first": 4})
    trial.pulses = 40

    def pull(source):
        if len(source.changes) == 8 + 30:  # after the question, in the fifteenth pulse
            source.on = []

    source.before = pull
    assert trial.run() == []
    assert any("red first stopped answering: the wire has come off" in text for text in person.said)
    assert len(person.said) - person.said.index("put the wire on red first (GPIO 4); 0 of 1 are done") > 3
    assert [line.pulses for line in trial.done] == [40]
    assert [len(done) for done in saved] == [1]


def test_one_that_loses_edges_goes_on_and_they_are_counted():
    lost = {8 + 4, 8 + 9}
    source = LoopedSource(error_ns=lambda line, n: None if n in lost else 0)
    trial, _, _ = trial_of(source, lines={"red first": 4})
    assert trial.run() == []
    assert trial.done[0].lost == 2


def test_edges_of_other_lines_and_too_many_of_its_own_are_counted():
    source = LoopedSource()
    trial, _, _ = trial_of(source, lines={"red first": 4})

    def bounce(t_ns):
        if len(source.changes) != 8 + 5:
            return []
        own = [Edge("red first", active, t_ns + k * MS, 0) for k, active in ((3, False), (4, True))]
        return [*own, Edge("blue first", True, t_ns + 5 * MS, 0)]

    source.extra = bounce
    trial.run()
    assert (trial.done[0].spurious, trial.done[0].elsewhere, trial.done[0].lost) == (2, 1, 0)


def test_a_trial_that_was_stopped_goes_on_with_the_lines_that_are_left():
    first, _, _ = trial_of(LoopedSource(), lines={"red first": 4})
    first.run()
    trial, person, _ = trial_of(LoopedSource(), done=first.done)
    assert trial.run() == []
    assert person.said[0] == "put the wire on red second (GPIO 14); 1 of 3 are done"
    assert set(by_line(trial)) == set(LINES)


def test_ctrl_c_loses_no_line_that_was_measured():
    source = LoopedSource()
    trial, _, saved = trial_of(source)

    def stop(source):
        if len(trial.done) == 2:
            raise KeyboardInterrupt

    source.before = stop
    with pytest.raises(KeyboardInterrupt):
        trial.run()
    assert [line.line for line in saved[-1]] == ["red first", "red second"]


def test_a_fault_of_the_source_is_said_and_a_chip_that_is_gone_ends_the_trial():
    source = LoopedSource("red first")
    trial, person, _ = trial_of(source, lines={"red first": 4})
    source.extra = lambda t_ns: [SourceFault("gpiod", "7 edges were lost", t_ns, 7)] if len(source.changes) == 1 else []

    def vanish(source):
        source.is_gone = len(source.changes) > 3

    source.before = vanish
    with pytest.raises(Unavailable, match="the buttons' chip is gone"):
        trial.run()
    assert "  gpiod: 7 edges were lost" in person.said
    assert trial.done == []


def test_a_disk_that_takes_no_notes_ends_the_trial():
    source = LoopedSource()
    trial, _, _ = trial_of(source)

    def full(done, line, paired):
        raise Unavailable("certificate.notes.json cannot be written")

    trial.save = full
    with pytest.raises(Unavailable, match="cannot be written"):
        trial.run()


def test_the_bracket_is_that_of_the_writes():
    trial, _, _ = trial_of(LoopedSource("red first"), lines={"red first": 4})
    trial.run()
    assert trial.done[0].bracket_ns == WRITE_NS // 2


def test_waiting_for_a_descriptor_ends_when_it_can_be_read_or_at_the_timeout():
    quiet = os.eventfd(0)
    try:
        assert not wait_precisely(quiet, 1_500)
        os.eventfd_write(quiet, 1)
        assert wait_precisely(quiet, 10 * SECOND)
    finally:
        os.close(quiet)
