"""What people ask of a desk: clock, swapping, entering many; what is refused leaves the desk as it was."""

from __future__ import annotations

from datetime import timedelta

import pytest

from companion.core.errors import Illegal
from companion.tournament.event.rounds import ClockNow
from companion.tournament.log import lines
from companion.tournament.organiser import acts
from companion.tournament.organiser.clock import left_ms, left_s
from companion.tournament.organiser.doing import Doing, enter_all, moved, perform
from companion.tournament.organiser.swapping import difference, swapped
from tests.adapters.web.tournament.running import drawn, entered
from tests.tournament.desk.hall import BEGAN


def at(seconds: float):
    return BEGAN + timedelta(seconds=seconds)


@pytest.mark.parametrize(
    ("clock", "seconds", "left"),
    [
        (None, 0, 0),
        (ClockNow(60, True, BEGAN.isoformat()), 0, 60_000),
        (ClockNow(60, True, BEGAN.isoformat()), 12.5, 47_500),
        (ClockNow(60, True, BEGAN.isoformat()), 61, 0),
        (ClockNow(60, True, BEGAN.isoformat()), -5, 60_000),
        (ClockNow(60, False, BEGAN.isoformat()), 30, 60_000),
        (ClockNow(60, True, None), 30, 60_000),
    ],
)
def test_what_is_left_of_a_clock(clock, seconds, left) -> None:
    assert left_ms(clock, at(seconds)) == left
    assert left_s(clock, at(seconds)) == -(-left // 1000)


def test_a_paused_clock_goes_on_with_what_was_left() -> None:
    hall = drawn(8, 2)

    def turn(action, seconds, **more):
        hall.seconds = seconds
        hall.done(perform(hall.desk, acts.TurnClock(round=1, action=action, **more), Doing(hall.now)).outcome)
        return hall.event.rounds[0].clock

    assert turn("start", 0).left_s == 2400
    assert turn("pause", 100).left_s == 2300
    assert turn("resume", 500).left_s == 2300
    assert turn("stop", 600) == ClockNow(0, False, at(600).isoformat())
    assert turn("start", 700, minutes=5).left_s == 300


def test_a_clock_without_minutes_is_asked_how_many() -> None:
    hall = drawn(8, 2)
    hall.desk.event.line = lines.EventLine(
        n=1, prev="0" * 64, log=1, event="spring", name="Cup", game="order", seed_sha256="0" * 64
    )
    with pytest.raises(Illegal, match="say how many"):
        perform(hall.desk, acts.TurnClock(round=1, action="start"), Doing(hall.now))


def test_many_players_are_entered_all_or_none() -> None:
    hall = entered(2)
    new = [acts.EnterPlayer(name="Max"), acts.EnterPlayer(name="Max", club="Thun")]
    assert enter_all(hall.desk, new, Doing(hall.now)).says == "2 players are entered"
    for wrong in ([acts.EnterPlayer(name="Noa"), acts.EnterPlayer(name="Max")], [acts.EnterPlayer(name="Noa")] * 2):
        before = hall.desk.chain.n
        with pytest.raises(Illegal, match="twice"):
            enter_all(hall.desk, wrong, Doing(hall.now))
        assert (hall.desk.chain.n, len(hall.event.players.all)) == (before, 4)


def test_two_change_places_and_everybody_else_stays() -> None:
    hall = drawn(8, 2)
    tables, byes = swapped(hall.desk, 1, 1, 6)
    assert [table.players for table in tables] == [(6, 2, 3, 4), (5, 1, 7, 8)]
    assert byes == ()
    assert difference(hall.desk, 1, 1, 6).before == difference(hall.desk, 1, 1, 6).after == (0, 0, 0)


@pytest.mark.parametrize(
    ("one", "other", "says"), [(1, 1, "two players"), (1, 9, "not drawn"), (1, 77, "no player 77")]
)
def test_who_cannot_change_places_is_named(one, other, says) -> None:
    hall = drawn(8, 2)
    hall.act(lines.PlayerLine, player=9, name="Late")
    with pytest.raises(Illegal, match=says):
        swapped(hall.desk, 1, one, other)


def test_a_table_is_not_put_on_a_box_that_plays_another() -> None:
    hall = drawn(8, 2)
    before = hall.desk.chain.n
    with pytest.raises(Illegal, match="has table 2"):
        moved(hall.desk, acts.AssignTable(round=1, table=1, box="box-2"), "", (), Doing(hall.now))
    assert hall.desk.chain.n == before
