"""What seats, buttons and pages are told of a clock, and what of it can be set by hand."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal, Malformed
from companion.core.panel import Colour
from companion.games.clock.judging import apply
from companion.games.clock.lines import Done, Score
from tests.games.clock.table import CLOCK, MS, Table

RED, YELLOW, GREEN, *_ = Colour


def faces(table: Table, seat: Colour | None = None) -> list[str]:
    return [str(face.label) for face in CLOCK.buttons(table.state, seat)]


def area(table: Table, label: str) -> list[tuple[str, Colour | None]] | None:
    found = next((one for one in CLOCK.view(table.state, None).areas if one.name == label), None)
    return None if found is None else [(cell.text, cell.owner) for cell in found.cells]


def test_buttons_do_what_can_be_done_now_and_after_the_end_nothing() -> None:
    table = Table(main="60", turns="pass")
    table.start(0)
    assert faces(table, RED) == ["end turn", "end turn", "pass", "pause"]
    assert faces(table, YELLOW) == ["wait", "wait", "wait", "pause"]
    assert faces(table) == faces(table, RED)
    table.pause(1_000)
    table.end()
    assert set(faces(table, RED)) == {"wait"}


def test_who_has_passed_and_who_is_done_is_shown_while_a_round_runs() -> None:
    table = Table("red yellow green", main="60", turns="pass")
    assert area(table, "passed") is None
    table.start(0)
    table.passes("red", 1_000)
    assert area(table, "passed") == [("1", RED)]
    at_once = Table("red yellow green", main="60", turns="all")
    at_once.start(0)
    assert area(at_once, "done") is None
    at_once.done("yellow", 1_000)
    assert area(at_once, "done") == [("", YELLOW)]


def test_points_may_have_been_meant_for_another_seat_and_nothing_else_was_mistaken() -> None:
    (whose,) = CLOCK.fields(Score(colour=RED, value=3))
    assert [value.value for value in whose.values] == list(Colour)
    assert CLOCK.fields(Done(colour=RED)) == ()


@pytest.mark.parametrize("mode", ["increment", "delay", "move"])
def test_the_turn_is_set_by_hand_to_another_seat_or_left_where_it_is(mode: str) -> None:
    table = Table("red yellow green", main="60", extra="0" if mode == "move" else "5", mode=mode)
    table.start(0)
    table.pause(10_000)
    before = table.state
    table.by_hand("turn", 1)
    assert (table.turn, table.state.seats) == ("red", before.seats)
    table.by_hand("turn", 3)
    assert table.turn == "green"
    if mode == "move":
        assert table.left()["red"] == 60_000, "each move has its own time"


def test_a_flag_that_is_set_by_hand_goes_up_with_its_time() -> None:
    table = Table("red yellow", main="10")
    table.by_hand("red_seconds", 0)
    assert table.out() == ["red"]
    table.by_hand("red_seconds", 0)  # it is down already
    assert table.out() == ["red"]
    table.by_hand("red_seconds", 5)
    assert (table.out(), table.left()["red"]) == ([], 5_000)


def test_points_beyond_what_a_page_shows_are_malformed_whoever_writes_them() -> None:
    with pytest.raises(Malformed, match="is not from -9999 to 9999"):
        apply(Table().state, Score(colour=RED, value=10_000))
    with pytest.raises(Illegal):
        Table().feed(Done(colour=RED, t_ns=MS))
