"""What counts of a match: judged again, only what stands, only once it is over."""

from __future__ import annotations

import json

from companion.core.panel import Colour
from companion.core.people.judged import MatchFacts, facts_of
from companion.core.record.practice import PRACTICE
from companion.games import registry
from tests.core.people.records import MS, facts, record

NAMES = {"red": "Ann", "blue": "Bob"}


def of(lines: list[bytes]) -> MatchFacts | None:
    return facts_of(lines, 1, "", registry.find)


def test_reactions_are_from_the_card_to_the_press_with_their_uncertainty() -> None:
    red, blue = facts({"red": 400, "blue": 500}, {"blue": 300}, names=NAMES).seats
    assert [(one.ns, one.error_ns, one.race) for one in red.reactions] == [(400 * MS, 20_000, 1)]
    assert [(one.ns, one.race) for one in blue.reactions] == [(500 * MS, 1), (300 * MS, 2)]


def test_an_allowance_is_not_taken_off_a_reaction() -> None:
    lines = record({"red": 400, "blue": 500}, names=NAMES)
    setup = json.loads(lines[0])
    setup["seats"][0]["allowance_ms"] = 200
    found = of([json.dumps(setup).encode(), *lines[1:]])
    assert found is not None
    assert found.seats[0].reactions[0].ns == 400 * MS


def test_being_first_counts_where_two_or_more_pressed() -> None:
    red, blue = facts({"red": 400, "blue": 500}, {"blue": 300}, names=NAMES).seats
    assert (red.contested, red.firsts, red.presses) == (1, 1, 1)
    assert (blue.contested, blue.firsts, blue.presses) == (1, 0, 2)


def test_punished_presses_are_counted() -> None:
    assert [seat.punished for seat in facts({"red": 400, "blue": 500}, {"blue": 300}, names=NAMES).seats] == [1, 2]
    assert [seat.punished for seat in facts({"red": 1, "blue": 2}, names=NAMES, game="order").seats] == [0, 0]


def test_whom_the_times_cannot_tell_apart_is_known() -> None:
    race = facts({"red": 400, "blue": 400.01}, names=NAMES).races[0]
    assert race.tied == {frozenset((Colour.RED, Colour.BLUE))}
    assert facts({"red": 400, "blue": 401}, names=NAMES).races[0].tied == frozenset()


def test_a_match_that_is_not_over_counts_for_nothing() -> None:
    assert of(record({"red": 400}, names=NAMES, over=False)) is None


def test_a_record_with_a_fault_counts_for_nothing() -> None:
    assert of([*record({"red": 400}, names=NAMES), b"junk"]) is None
    assert of([]) is None


def test_what_was_taken_back_counts_no_more() -> None:
    lines = record({"red": 400, "blue": 500}, {"red": 300}, names=NAMES)
    undo = [b'{"type":"undo"}'] * 4  # the end, the judging, the closing and the press of race 2
    found = of([*lines, *undo, b'{"type":"end"}'])
    assert found is not None
    assert [len(seat.reactions) for seat in found.seats] == [1, 1]


def test_an_end_that_was_taken_back_is_none() -> None:
    assert of([*record({"red": 400}, names=NAMES), b'{"type":"undo"}']) is None


def test_a_card_that_came_after_a_press_times_nobody() -> None:
    lines = record({"red": 400, "blue": 500}, names=NAMES)
    late = json.dumps({"type": "reveal", "card": "buffalo", "t_ns": 60_000 * MS + 450 * MS}).encode()
    press = next(n for n, line in enumerate(lines) if b'"press"' in line)
    found = of([*lines[: press + 1], late, *lines[press + 1 :]])
    assert found is not None
    assert [seat.reactions for seat in found.seats] == [(), ()]


def test_a_match_without_times_has_no_reactions() -> None:
    lines = record({"red": 400, "blue": 400}, names=NAMES)
    setup = {**json.loads(lines[0]), "timing": "untimed", "dead_heat": "clockwise"}
    found = of([json.dumps(setup).encode(), *lines[1:]])
    assert found is None or all(seat.reactions == () for seat in found.seats)


def test_the_name_is_the_last_that_was_given() -> None:
    lines = record({"red": 400}, names=NAMES)
    found = of([*lines, b'{"type":"names","names":{"red":"Anna","blue":""}}'])
    assert found is not None
    assert [seat.name for seat in found.seats] == ["Anna", None]


def test_who_leads_has_won() -> None:
    found = facts({"red": 1, "blue": 2}, {"red": 3}, names=NAMES, game="order")
    assert [(seat.score, seat.leads) for seat in found.seats] == [(2, True), (0, False)]
    assert found.score_label == "wins"


def test_a_practice_match_is_told_from_one_that_counts() -> None:
    lines = record({"red": 400, "blue": 500}, names=NAMES)
    remark = json.dumps({"type": "remark", "text": PRACTICE, "source": "box"}).encode()
    counted, practice = of(lines), of([*lines[:2], remark, *lines[2:]])
    assert counted is not None
    assert practice is not None
    assert not counted.is_practice
    assert practice == counted._replace(is_practice=True)
