"""The game `order` (`record.md`, The game `order`)."""

import pytest

from companion.core.errors import Illegal, Malformed
from companion.core.panel import Colour, Position
from companion.core.record.lines import Close, End, JudgeLine, PressLine, Reveal, Seat, Setup
from companion.core.ruling.judge import Judge
from companion.core.ruling.race import Race, RacePhase
from companion.core.ruling.rulings import Order
from companion.core.words.encoding import builtins
from companion.games.apache.lines import Claim
from companion.games.order.game import OrderOutcome
from companion.games.registry import find


def begin(**changes) -> Judge:
    judge = Judge(find)
    fields = {
        "record": 2,
        "match": "0" * 32,
        "game": "order",
        "edition": 1,
        "seats": (Seat(Colour.RED), Seat(Colour.BLUE), Seat(Colour.GREEN)),
    }
    judge.feed(Setup(**{**fields, "first": Colour.RED, **changes}))
    return judge


def press(judge: Judge, colour: str, t_ns: int, error_ns: int = 0):
    return judge.feed(PressLine(colour=Colour(colour), role=Position.FOURTH, t_ns=t_ns, error_ns=error_ns))


def round_of(judge: Judge, **times: int):
    for colour, t_ns in times.items():
        assert press(judge, colour, t_ns) == ()
    judge.feed(Close())
    return judge.feed(JudgeLine())


def race_of(judge: Judge) -> Race:
    assert judge.game is not None
    race = judge.game.race(judge.state)
    assert race is not None
    return race


def test_presses_count_from_the_start_and_again_right_after_each_judge():
    judge = begin()
    for number in (1, 2):
        order, resume = round_of(judge, red=20, blue=10)
        assert (order.race, [place.colour for place in order.order]) == (number, ["blue", "red"])
        assert (resume.race, resume.reveals) == (number, None)


def test_verdict_and_why_are_null_and_there_is_no_settled():
    order, _ = round_of(begin(), red=20, blue=10)
    written = builtins(order)
    assert written["order"][1] == {
        "place": 2, "colour": "red", "role": "fourth", "t_ns": 20, "gap_ns": 10, "verdict": None, "why": None,
        "dead_heat": False, "tied_with": (),
    }  # fmt: skip


def test_the_revealer_is_always_first():
    judge = begin(first=Colour.BLUE)
    for _ in range(2):
        order, _ = round_of(judge, red=5, green=5, blue=5)
        assert [place.colour for place in order.order] == ["blue", "green", "red"]
    assert race_of(judge).revealer == "blue"


def test_allowances_and_the_dead_heat_policy_hold_here_too():
    seats = (Seat(Colour.RED), Seat(Colour.BLUE, allowance_ms=1))
    order, _ = round_of(begin(seats=seats), red=0, blue=900_000)
    assert [(place.colour, place.gap_ns) for place in order.order] == [("blue", 0), ("red", -900_000)]
    judge = begin(dead_heat="clockwise")
    press(judge, "blue", 100, error_ns=20)
    press(judge, "red", 130, error_ns=20)
    judge.feed(Close())
    order, _ = judge.feed(JudgeLine())
    assert isinstance(order, Order)
    assert [(place.colour, place.dead_heat) for place in order.order] == [("red", True), ("blue", True)]


def test_presses_that_do_not_count():
    judge = begin()
    reasons = [rulings[0].reason for rulings in [press(judge, "yellow", 1)]]
    press(judge, "red", 2)
    reasons += [press(judge, "red", 3)[0].reason, press(judge, "yellow", 3)[0].reason]
    judge.feed(Close())
    reasons += [press(judge, "blue", 4)[0].reason]
    judge.feed(JudgeLine())
    judge.feed(End())
    reasons += [press(judge, "blue", 5)[0].reason]
    assert reasons == ["not playing", "already played", "not playing", "closed", "game over"]


def test_an_ignored_press_says_which_it_was_and_the_race_has_the_others():
    judge = begin()
    press(judge, "red", 2)
    (ignored,) = press(judge, "red", 3)
    assert (ignored.colour, ignored.role, ignored.t_ns) == (Colour.RED, Position.FOURTH, 3)
    assert [each.t_ns for each in race_of(judge).presses] == [2]


@pytest.mark.parametrize("line", [Reveal(card="buffalo"), Claim(colour=Colour.RED, take="booty")])
def test_reveal_and_claim_are_illegal(line):
    with pytest.raises(Illegal, match=r"the game `order` has no `(reveal|claim)`"):
        begin().feed(line)


@pytest.mark.parametrize("variants", [(), ("warpath",)])
def test_a_setup_with_variants_is_malformed(variants):
    with pytest.raises(Malformed, match="`variants`: order has no variants"):
        begin(variants=variants)


REFUSALS = {
    Close: "a round is closed once, after its first press",
    JudgeLine: "a round is judged after its `close`",
    End: "a round is going on; the game may end when it is judged",
}


def test_lines_out_of_turn_are_illegal_and_change_nothing():
    judge = begin()
    over = "the game is over: only notes (`remark`, `protest`, `sign`, …), `undo` and `press` may follow `end`"
    steps = [
        ((Close(), JudgeLine()), PressLine(colour=Colour.RED, role=Position.FIRST, t_ns=1)),
        ((JudgeLine(), End()), Close()),
        ((Close(), End()), JudgeLine()),
        ((Close(), JudgeLine()), End()),
        ((Close(), JudgeLine(), End()), PressLine(colour=Colour.RED, role=Position.FIRST, t_ns=1)),
    ]
    for refused, accepted in steps:
        for line in refused:
            before = judge.state
            with pytest.raises(Illegal) as error:
                judge.feed(line)
            assert str(error.value) == (over if before.phase is RacePhase.OVER else REFUSALS[type(line)])
            assert judge.state == before
        judge.feed(accepted)


def test_outcome_counts_wins_and_the_leaders_share_them_in_seat_order():
    judge = begin()
    round_of(judge, green=1, red=2)
    so_far = judge.outcome()
    assert isinstance(so_far, OrderOutcome)
    assert so_far.leaders == ("green",)
    round_of(judge, red=1, green=2)
    (outcome,) = judge.feed(End())
    assert isinstance(outcome, OrderOutcome)
    assert (outcome.over, outcome.wins, outcome.leaders) == (True, {"red": 1, "blue": 0, "green": 1}, ("red", "green"))


def test_race_has_no_card_and_view_shows_wins():
    judge = begin()
    race = race_of(judge)
    assert (race.phase, race.takes_card, race.card, race.number) == (RacePhase.OPEN, False, None, 1)
    assert judge.game is not None
    assert judge.game.offers(judge.state) == ()
    assert not judge.game.is_exhausted(judge.state)
    assert judge.game.view(judge.state).score_label == "wins"
    assert judge.game.view(judge.state).hidden is None
    assert judge.game.can_end(judge.state)
    press(judge, "red", 1)
    assert not judge.game.can_end(judge.state)
