"""Which presses count, however late they come, and what is refused for its time (`record.md`, In time)."""

import pytest

from companion.core.errors import Illegal
from companion.core.panel import Colour
from companion.core.record.lines import Close, End, JudgeLine, Moved, PressLine, Restart, Reveal, Seat, Setup, Undo
from companion.core.ruling.judge import Judge
from companion.core.ruling.race import Race, RacePhase
from companion.core.ruling.rulings import Ignored, Order
from companion.games.registry import find

RED, YELLOW, BLUE, GREEN = Colour.RED, Colour.YELLOW, Colour.BLUE, Colour.GREEN
SECOND = 1_000_000_000
ROLES = {"apache": "hunter", "order": "first"}
GAMES = pytest.mark.parametrize("game", list(ROLES))


def begun(game: str) -> Judge:
    """Three seats; in the game that has cards one lies."""
    judge = Judge(find)
    seats = (Seat(RED), Seat(YELLOW), Seat(BLUE))
    judge.feed(Setup(record=2, match="0" * 32, game=game, edition=1, seats=seats, first=RED))
    if game == "apache":
        judge.feed(Reveal(card="buffalo"))
    return judge


def press(judge: Judge, colour: Colour, t_ns: int) -> str | None:
    """Give why a press is ignored, None where it counts."""
    assert judge.game is not None
    rulings = judge.feed(PressLine(colour=colour, role=ROLES[judge.game.name], t_ns=t_ns))
    if not rulings:
        return None
    assert isinstance(rulings[0], Ignored)
    return rulings[0].reason


def race_of(judge: Judge) -> Race:
    assert judge.game is not None
    race: Race | None = judge.game.race(judge.state)
    assert race is not None
    return race


def closed(game: str, t_ns: int | None = 100) -> Judge:
    """Red pressed at 50 in a race that is closed."""
    judge = begun(game)
    press(judge, RED, 50)
    judge.feed(Close(t_ns=t_ns))
    return judge


@GAMES
@pytest.mark.parametrize(("t_ns", "reason"), [(0, None), (100, None), (101, "closed")])
def test_a_press_between_close_and_judge_counts_if_it_was_made_in_time(game, t_ns, reason):
    judge = closed(game)
    assert press(judge, YELLOW, t_ns) == reason
    race = race_of(judge)
    assert race.phase is RacePhase.CLOSED
    assert (YELLOW in [one.colour for one in race.presses]) is (reason is None)
    order = judge.feed(JudgeLine())[0]
    assert isinstance(order, Order)
    assert len(order.order) == (2 if reason is None else 1)
    assert order.order[0].colour is (YELLOW if t_ns == 0 else RED)


@GAMES
def test_a_close_without_a_time_takes_no_press_from_there_on(game):
    assert press(closed(game, None), YELLOW, 0) == "closed"


@GAMES
def test_after_the_judging_nothing_is_in_time_for_that_race(game):
    judge = closed(game)
    judge.feed(JudgeLine())
    assert press(judge, YELLOW, 60) == (None if game == "order" else "closed")
    if game == "order":
        assert race_of(judge).number == 2


@GAMES
@pytest.mark.parametrize(("t_ns", "fits"), [(79, False), (80, True)])
def test_a_close_before_a_press_that_counts_is_illegal(game, t_ns, fits):
    judge = begun(game)
    press(judge, YELLOW, 80)
    press(judge, RED, 50)
    if fits:
        assert judge.feed(Close(t_ns=t_ns)) == ()
        return
    with pytest.raises(Illegal, match=r"^field `t_ns`: a press that was made at 80 counts; no race is closed before"):
        judge.feed(Close(t_ns=t_ns))


@GAMES
def test_an_ignored_press_does_not_keep_a_race_from_being_closed_before_it(game):
    judge = begun(game)
    press(judge, RED, 50)
    assert press(judge, RED, 90) == "already played"
    assert press(judge, GREEN, 95) == "not playing"
    assert judge.feed(Close(t_ns=60)) == ()


@GAMES
def test_a_seats_first_line_is_its_press_whatever_the_time_of_later_ones(game):
    judge = begun(game)
    press(judge, RED, 50)
    assert press(judge, RED, 10) == "already played"
    assert [one.t_ns for one in race_of(judge).presses] == [50]


@GAMES
@pytest.mark.parametrize(
    ("colour", "t_ns", "reason"),
    [(GREEN, 60, "not playing"), (GREEN, 101, "not playing"), (RED, 101, "closed"), (RED, 60, "already played")],
)
def test_the_reason_is_the_first_that_holds(game, colour, t_ns, reason):
    assert press(closed(game), colour, t_ns) == reason


@GAMES
def test_after_the_end_that_comes_first_of_all(game):
    judge = begun(game)
    judge.feed(End())
    for colour in (RED, GREEN):
        assert press(judge, colour, 1) == "game over"


def test_before_the_first_card_who_does_not_play_is_told_so_first():
    judge = begun("apache")
    judge.feed(Undo())
    assert press(judge, RED, 1) == "nothing revealed"
    assert press(judge, GREEN, 1) == "not playing"


@GAMES
def test_undoing_a_close_forgets_until_when_it_took_presses(game):
    judge = closed(game)
    judge.feed(Undo())
    assert press(judge, YELLOW, 500) is None
    judge.feed(Close(t_ns=600))
    assert press(judge, BLUE, 600) is None


@GAMES
def test_on_a_new_clock_no_press_is_in_time_for_a_race_that_is_closed(game):
    judge = closed(game)
    judge.feed(Restart())
    assert press(judge, YELLOW, 60) == "closed"
    judge.feed(Undo())
    judge.feed(Undo())
    assert press(judge, YELLOW, 60) is None


@GAMES
def test_an_undo_that_leads_back_over_a_move_leads_to_the_new_clock(game):
    judge = closed(game)
    judge.feed(JudgeLine())
    judge.feed(Moved(box="b", key="A" * 43 + "=", previous="0" * 64))
    judge.feed(Undo())
    assert race_of(judge).phase is RacePhase.CLOSED
    assert press(judge, YELLOW, 60) == "closed"


def running(*times_ns: int) -> Judge:
    judge = begun("apache")
    for colour, t_ns in zip((RED, YELLOW, BLUE), times_ns, strict=False):
        press(judge, colour, t_ns)
    return judge


@pytest.mark.parametrize("is_closed", [False, True])
@pytest.mark.parametrize(("t_ns", "fits"), [(SECOND + 50, True), (SECOND + 51, False), (0, True)])
def test_a_card_turned_more_than_a_second_after_the_first_press_is_not_of_that_race(is_closed, t_ns, fits):
    judge = running(70, 50)
    if is_closed:
        judge.feed(Close())
    line = Reveal(card="teepee", t_ns=t_ns, turned=True)
    if fits:
        assert judge.feed(line) == ()
        return
    with pytest.raises(Illegal, match=r"^field `turned`: more than 1 s after the first press; the card belongs to the"):
        judge.feed(line)


def test_a_card_that_was_only_entered_so_late_is_of_that_race():
    assert running(50).feed(Reveal(card="teepee", t_ns=100 * SECOND)) == ()


def test_when_the_race_is_judged_the_card_is_of_the_next():
    judge = running(50)
    for line in (Close(), JudgeLine()):
        judge.feed(line)
    assert judge.feed(Reveal(card="teepee", t_ns=100 * SECOND, turned=True)) == ()


def test_late_presses_are_those_that_did_not_count_and_are_forgotten_when_the_next_race_begins():
    judge = closed("order")
    press(judge, YELLOW, 60)
    press(judge, BLUE, 200)
    assert [one.colour for one in judge.history.late_presses()] == [BLUE]
    judge.feed(JudgeLine())
    assert [one.colour for one in judge.history.late_presses()] == [BLUE]
    press(judge, RED, 300)
    assert judge.history.late_presses() == ()
