"""The one history: what stands, what was taken back, the presses of a race, and that a history never changes."""

from __future__ import annotations

import pytest

from companion.core.errors import CompanionError
from companion.core.panel import Colour
from companion.core.record.lines import Close, JudgeLine, Names, PressLine, Remark, Reveal, Seat, Setup, Undo
from companion.core.ruling.history import History
from companion.core.ruling.judge import Judge, judged_lines
from companion.core.ruling.rulings import Undone
from companion.games.registry import find
from tests.replay.generate import random_match

SEEDS = range(3)


def judged(seed: int, undo_chance: float = 0.15) -> Judge:
    judge = Judge(find)
    for _ in judged_lines(random_match(seed, undo_chance=undo_chance), judge):
        pass
    return judge


def plainly_standing(history: History) -> list[int]:
    """What stands, worked out anew from the lines alone: an `undo` takes the last of them."""
    stands: list[int] = []
    for told in history:
        if isinstance(told.line, Undo):
            stands.pop()
        elif not isinstance(told.line, (Setup, Remark)):
            stands.append(told.number)
    return stands


def press(colour: Colour, t_ns: int) -> PressLine:
    return PressLine(colour=colour, role="fourth", t_ns=t_ns)


def of_order(*lines: object) -> History:
    judge = Judge(find)
    judge.feed(
        Setup(
            record=2,
            match="0" * 32,
            game="order",
            edition=1,
            seats=(Seat(Colour.RED), Seat(Colour.YELLOW)),
            first=Colour.RED,
        )
    )
    for line in lines:
        judge.feed(line)  # type: ignore[arg-type]
    return judge.history


@pytest.mark.parametrize("seed", SEEDS)
def test_what_stands_after_every_line_of_a_match(seed: int) -> None:
    whole = judged(seed).history
    for lines in [*range(0, len(whole), 7), len(whole)]:
        history = whole.up_to(lines)
        stands = plainly_standing(history)
        assert [told.number for told in history.standing()] == stands
        assert [told.number for told in history.standing_backwards()] == stands[::-1]
        newest = history.newest()
        assert (newest.number if newest else None) == (stands[-1] if stands else None)


@pytest.mark.parametrize("seed", SEEDS)
def test_what_was_taken_back_is_known_with_its_undo_from_that_line_on(seed: int) -> None:
    whole = judged(seed).history
    undone = {ruling.line: told.number for told in whole for ruling in told.rulings if isinstance(ruling, Undone)}
    assert undone
    assert {told.number: whole.taken_back_by(told.number) for told in whole if told.number in undone} == undone
    assert all(whole.taken_back_by(told.number) is None for told in whole if told.number not in undone)
    for line, undo in undone.items():
        assert whole.up_to(undo - 1).taken_back_by(line) is None
        assert whole.up_to(undo).taken_back_by(line) == undo


@pytest.mark.parametrize("seed", SEEDS)
def test_the_presses_of_a_race_are_those_the_game_judged(seed: int) -> None:
    judge = judged(seed)
    assert judge.game is not None
    judgings = [told for told in judge.history if isinstance(told.line, JudgeLine)]
    assert judgings
    for told in judgings:  # taken back or not
        race = judge.game.race(told.before)
        assert race is not None
        assert judge.history.presses_of(told.number) == race.presses


def test_an_ignored_press_and_the_race_before_are_no_part_of_a_race() -> None:
    first, second, again = press(Colour.RED, 10), press(Colour.YELLOW, 30), press(Colour.RED, 40)
    history = of_order(
        first, press(Colour.RED, 11), press(Colour.BLUE, 12), Close(t_ns=20), press(Colour.YELLOW, 25), JudgeLine(),
        second, again, Close(t_ns=50), JudgeLine(),
    )  # fmt: skip
    assert history.presses_of(7) == (first,)
    assert history.presses_of(11) == (second, again)


def test_the_presses_of_a_taken_back_judging_are_those_that_stood_then() -> None:
    one, two = press(Colour.RED, 10), press(Colour.YELLOW, 12)
    history = of_order(one, Close(t_ns=20), JudgeLine(), Undo(), Undo(), two, Close(t_ns=30), JudgeLine())
    assert history.presses_of(4) == (one,)
    assert history.presses_of(9) == (one, two)


def test_late_presses_are_those_after_the_newest_close_until_a_card_is_entered() -> None:
    late = press(Colour.YELLOW, 25)
    history = of_order(press(Colour.RED, 10), Close(t_ns=20), late)
    assert history.late_presses() == (late,)
    assert history.up_to(2).late_presses() == ()
    assert history.judged(Reveal(card="x"), (), None).late_presses() == ()


def test_an_undo_gives_back_the_state_before_its_line() -> None:
    history = History().noted(Remark(text="setup"), None).judged(press(Colour.RED, 1), (), "before")
    newest = history.newest()
    assert newest is not None
    assert newest.before == "before"
    assert history.undone(Undo(), (), "after").newest() is None


def test_a_history_never_changes_while_the_record_goes_on() -> None:
    record = random_match(3, undo_chance=0.15)
    judge = Judge(find)
    kept = [
        (judge.history, list(judge.history), plainly_standing(judge.history))
        for number, _ in enumerate(judged_lines(record, judge))
        if number % 7 == 0
    ]
    for history, told, stands in kept:
        assert list(history) == told
        assert [entry.number for entry in history.standing()] == stands
        assert all(undo <= len(history) for entry in history if (undo := history.taken_back_by(entry.number)))


def test_two_ways_on_from_one_history_do_not_disturb_each_other() -> None:
    start = of_order(press(Colour.RED, 10), Close(t_ns=20))
    one = start.undone(Undo(), (), None)
    other = start.noted(Remark(text="x"), None)
    assert (one.taken_back_by(3), other.taken_back_by(3), start.taken_back_by(3)) == (4, None, None)
    assert [told.number for told in other.standing()] == [2, 3]
    assert [told.number for told in one.standing()] == [2]
    assert isinstance(one[3].line, Undo)
    assert isinstance(other[-1].line, Remark)


def test_two_ways_on_from_an_undo_both_know_what_it_took_back() -> None:
    start = of_order(press(Colour.RED, 10), Close(t_ns=20), Undo())
    ways = [start.noted(Remark(text=text), "state") for text in ("one", "other")]
    assert [way.taken_back_by(3) for way in ways] == [4, 4]
    assert [told.number for told in ways[1].standing()] == [2]


def test_every_line_keeps_the_state_before_it_undos_and_remarks_too() -> None:
    history = History().judged(press(Colour.RED, 1), (), "a").noted(Remark(text="x"), "b").undone(Undo(), (), "c")
    assert [told.before for told in history] == ["a", "b", "c"]


def test_to_keep_every_history_of_a_long_match_copies_nothing() -> None:
    history = History().noted(Remark(text="setup"), None)
    kept = [history]
    for number in range(2000):
        kept.append(kept[-1].judged(press(Colour.RED, number), (), None))
    assert {id(each._told) for each in kept} == {id(kept[0]._told)}
    assert [len(each) for each in kept] == list(range(1, 2002))


def test_a_refused_line_leaves_the_history_as_it_was() -> None:
    judge = judged(1)
    before, entries = judge.history, list(judge.history)
    with pytest.raises(CompanionError):
        judge.feed(Reveal(card="buffalo"))
    assert judge.history is before
    assert list(judge.history) == entries


def test_it_is_a_sequence_that_ends_where_it_says() -> None:
    whole = of_order(press(Colour.RED, 10), Close(t_ns=20))
    part = whole.up_to(2)
    assert part[-1].number == 2
    assert [told.number for told in part[:9]] == [1, 2]
    assert len(whole.up_to(9)) == 3
    with pytest.raises(IndexError):
        part[2]


def test_names_are_the_newest_of_each_colour_and_an_empty_one_takes_a_name_away() -> None:
    before = of_order(Names(names={Colour.RED: "Ann", Colour.YELLOW: "Bob"}))
    assert before.names == {Colour.RED: "Ann", Colour.YELLOW: "Bob"}
    after = before.noted(Names(names={Colour.RED: "Cy", Colour.YELLOW: ""}), None)
    assert after.names == {Colour.RED: "Cy"}
    assert before.names == {Colour.RED: "Ann", Colour.YELLOW: "Bob"}
    assert after.up_to(1).names == after.names
    assert of_order().names == {}
