"""A practice match: its record says so and is judged like any other, and a match that is taken up is one still."""

from __future__ import annotations

from companion.core.match.match_maker import Unfinished
from companion.core.panel import Colour
from companion.core.play.commands import EnterCard, NewMatch, Player
from companion.core.record.practice import PRACTICE, is_practice
from companion.core.ruling.judge import judge_record
from companion.games import registry
from companion.screens.web.state import state_document
from companion.testing.virtual_box import VirtualBox

SEATS = (Player(Colour.RED), Player(Colour.BLUE))


def box(**more):
    return VirtualBox((), "order", find=registry.find, games=registry.names(), start=False, **more)


def begun(*, practice):
    it = box()
    it.command(NewMatch(seats=SEATS, practice=practice))
    it.run(it.now_ms + 100)
    return it


def raced(it):
    now = it.now_ms
    it.press("red first", now + 100)
    it.press("blue first", now + 183)
    it.run(now + 3000)
    return it


def document(it):
    return state_document(it.session.snapshot(round(it.now_ms * 1_000_000)), None)


def test_a_practice_match_explains_each_ruling_once_it_is_one():
    it = begun(practice=True)
    assert document(it)["match"]["practice"]
    now = it.now_ms
    it.press("red first", now + 100)
    it.run(now + 300)
    assert document(it)["race"]["is_running"]
    assert document(it)["race"]["explained"] == []
    it.run(now + 9000)
    assert document(it)["race"]["explained"] == [
        {"colour": "red", "says": ["Nobody else pressed."], "rule": None},
    ]


def test_another_match_explains_nothing():
    it = raced(begun(practice=False))
    assert not document(it)["match"]["practice"]
    assert document(it)["race"]["explained"] == []
    assert PRACTICE.encode() not in b"\n".join(it.record())


def test_the_record_says_so_and_rules_the_same():
    practice, other = raced(begun(practice=True)), raced(begun(practice=False))
    assert is_practice(practice.lines)
    ruled = [list(judge_record(it.record(), registry.find)) for it in (practice, other)]
    assert ruled[0] == ruled[1]


def test_a_practice_match_that_was_cut_off_is_one_still():
    lines = tuple(raced(begun(practice=True)).lines)
    again = box(unfinished=Unfinished(1, lines, same_clock=True))
    again.session.resume()
    again.run(again.now_ms + 100)
    assert document(again)["match"]["practice"]


def test_the_rules_that_a_ruling_goes_by_are_named_with_their_place():
    it = VirtualBox((), "apache", find=registry.find, games=registry.names(), start=False)
    it.command(NewMatch(seats=SEATS, game="apache", practice=True))
    it.run(it.now_ms + 100)
    it.command(EnterCard(card="buffalo"))
    it.run(it.now_ms + 100)
    told = document(raced(it))["race"]["explained"]
    assert [one["colour"] for one in told] == ["red", "blue"]
    for one in told:
        assert one["rule"] == {"says": "Punishment", "more": "/help/rules/apache#punishment"}


def test_practice_is_asked_for_each_match_and_not_for_the_next():
    it = begun(practice=True)
    assert not it.session.table.practice
    it.command(NewMatch(seats=SEATS, abandon=True))
    it.run(it.now_ms + 100)
    assert not document(it)["match"]["practice"]
