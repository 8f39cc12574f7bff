"""Every line of an event's matches reaches the desk once and in order, whatever is lost, doubled or dies on the way."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.timing.events import SECOND
from companion.tournament.box.kept import Kept
from companion.tournament.box.outbox import WINDOW, Outbox
from companion.tournament.box.pushing import FIRST_PAUSE_NS, MOST_TRIES
from companion.tournament.wire import Ask, Have, NotEnrolled, Welcome
from tests.amounts import many
from tests.tournament.box.modelled import MATCH, OTHER, Way, digest

STEPS = {
    "write": lambda way: way.write(MATCH, 3),
    "write a lot": lambda way: way.write(MATCH, 150),
    "write the other": lambda way: way.write(OTHER, 1),
    "connect": lambda way: way.box.is_connected or way.connect(),
    "lose": lambda way: way.lose(),
    "carry up": lambda way: [way.carry_up() for _ in range(5)],
    "carry up twice": lambda way: way.carry_up(again=True),
    "drop": lambda way: way.drop_up(),
    "carry down": lambda way: [way.carry_down() for _ in range(3)],
    "carry down twice": lambda way: way.carry_down(again=True),
    "restart the box": lambda way: way.restart(),
    "restart the desk": lambda way: way.desk.starts_anew(),
    "wait": lambda way: way.pass_time(5),
    "wait long": lambda way: way.pass_time(61),
}


@settings(max_examples=many(150), deadline=None)
@given(st.lists(st.sampled_from(list(STEPS)), max_size=40))
def test_whatever_happens_on_the_way_the_desk_has_every_line_once_and_in_order_in_the_end(steps: list[str]) -> None:
    way = Way()
    for step in ["write", "connect", *steps]:
        STEPS[step](way)
    way.settle()
    assert {match: way.desk.record(match) for match in way.journal} == way.journal
    assert all(not outbox.conflict for outbox in way.box.pushing.outboxes.values())
    for epoch in way.epochs:
        for match in (MATCH, OTHER):
            numbers = [number for sent, number in epoch if sent == match]
            assert numbers == sorted(set(numbers)), "sent out of order, or twice without a reason"


def test_on_a_way_without_losses_no_line_is_sent_twice() -> None:
    way = Way()
    way.connect()
    for _ in range(50):
        way.write(MATCH, 4)
        way.carry_up()
        way.carry_down()
    way.settle()
    sent = [number for epoch in way.epochs for _, number in epoch]
    assert sent == list(range(1, 201))


def test_no_line_is_sent_before_the_desk_is_heard_and_none_while_it_does_not_know_the_box() -> None:
    way = Way()
    way.write(MATCH, 3)
    way.connect()
    assert way.epochs[-1] == []
    way.box.hear(NotEnrolled(why="who is this?"), 0)
    way.write(MATCH, 1)
    assert (way.epochs[-1], way.box.status().not_enrolled) == ([], "who is this?")
    way.box.hear(Welcome(name="The Open"), 0)
    way.collect()
    assert [number for _, number in way.epochs[-1]] == [1, 2, 3, 4]
    assert way.box.status().not_enrolled == ""


def test_at_most_a_window_of_lines_is_under_way() -> None:
    way = Way()
    way.connect()
    way.box.hear(Welcome(name="The Open"), 0)
    way.write(MATCH, 3 * WINDOW)
    assert len(way.epochs[-1]) == WINDOW


def test_after_some_tries_without_an_answer_nothing_more_is_sent_until_the_desk_asks() -> None:
    way = Way()
    way.connect()
    way.box.hear(Welcome(name="The Open"), 0)
    way.write(MATCH, 2)
    for _ in range(20):
        way.pass_time(61)
    assert sum(len(epoch) for epoch in way.epochs) == 2 * MOST_TRIES
    way.up.clear()
    way.box.hear(Ask(), way.now_ns)
    way.collect()
    way.settle()
    assert way.desk.record(MATCH) == way.journal[MATCH]


def test_what_is_not_acknowledged_is_sent_again_after_a_pause_and_not_before() -> None:
    way = Way()
    way.connect()
    way.box.hear(Welcome(name="The Open"), 0)
    way.write(MATCH, 2)
    assert way.box.next_deadline() == FIRST_PAUSE_NS
    way.pass_time(FIRST_PAUSE_NS // SECOND - 1)
    assert way.epochs[-1] == []
    way.pass_time(1)
    assert way.epochs[-1] == [(MATCH, 1), (MATCH, 2)]


def test_a_desk_that_has_less_than_it_said_is_sent_the_rest_at_once() -> None:
    way = Way()
    way.connect()
    way.write(MATCH, 5)
    way.settle()
    way.epochs.append([])
    way.box.hear(Have(match=MATCH, lines=2, sha256=digest(way.journal[MATCH][:2])), way.now_ns)
    way.collect()
    assert way.epochs[-1] == [(MATCH, 3), (MATCH, 4), (MATCH, 5)]


def test_a_desk_that_was_restored_from_a_copy_gets_what_it_lacks_again() -> None:
    way = Way()
    way.connect()
    way.write(MATCH, 30)
    way.settle()
    for number in range(11, 31):
        del way.desk.stored[MATCH][number]
    way.desk.starts_anew()
    way.settle()
    assert way.desk.record(MATCH) == way.journal[MATCH]


@pytest.mark.parametrize(
    "have",
    [Have(match=MATCH, lines=2, sha256="0" * 64), Have(match=MATCH, lines=9, sha256="0" * 64)],
    ids=["other lines", "more lines"],
)
def test_a_desk_that_has_other_lines_is_sent_nothing_over_them_and_the_box_says_so(have: Have) -> None:
    way = Way()
    way.connect()
    way.box.hear(Welcome(name="The Open"), 0)
    way.write(MATCH, 3)
    way.write(OTHER, 1)
    way.box.hear(have, 0)
    sent = len(way.epochs[-1])
    way.write(MATCH, 5)
    assert len(way.epochs[-1]) == sent
    way.write(OTHER, 1)
    assert len(way.epochs[-1]) == sent + 1, "another match goes on"
    [conflict] = [one.conflict for one in way.box.status().matches if one.match == MATCH]
    assert "lines" in conflict
    assert way.box.next_deadline() is not None


def test_what_was_acknowledged_before_a_start_is_not_sent_again() -> None:
    way = Way(Kept(event="open", acknowledged={MATCH: 4}))
    way.connect()
    way.box.hear(Welcome(name="The Open"), 0)
    way.write(MATCH, 6)
    assert way.epochs[-1] == [(MATCH, 5), (MATCH, 6)]


def test_what_was_acknowledged_of_more_lines_than_there_are_is_forgotten() -> None:
    outbox = Outbox(MATCH, 10)
    outbox.grow([b"one", b"two"])
    assert [part.number for part in outbox.next()] == [1, 2]
    assert not outbox.is_whole
    assert outbox.have(2, digest([b"one", b"two"]))
    assert outbox.is_whole


def test_names_that_were_changed_after_they_were_pushed_are_no_conflict() -> None:
    lines = [b'{"type":"names","names":{"red":"Lea"}}', b'{"type":"remark","text":"one"}']
    outbox = Outbox(MATCH)
    outbox.grow([b'{"type":"names","names":{"red":""}}', *lines[1:]])
    assert outbox.have(2, digest(lines))
    assert not outbox.conflict
    assert outbox.is_whole
