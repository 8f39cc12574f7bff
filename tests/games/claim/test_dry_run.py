"""Past records judged by a file: of Claim, of Apache, of Order; what agrees, what differs, what cannot be compared."""

from __future__ import annotations

import pytest

from companion.core.panel import Colour
from companion.core.record.lines import NOTES, Close, JudgeLine, Line, PressLine, Seat, Setup, Undo, parse_line
from companion.games.claim import GAME
from companion.games.registry import find
from tests.games.claim.apache_records import base_match
from tests.games.claim.games import FILES
from tests.games.claim.matches import random_match
from tests.replay import generate


def standing(record: list[bytes], game: str = "claim") -> list[Line]:
    found: list[Line] = []
    for number, raw in enumerate(record, start=1):
        line = parse_line(raw, number, find(game).lines)
        if isinstance(line, Undo):
            found.pop()
        elif not isinstance(line, NOTES):
            found.append(line)
    return found


@pytest.mark.parametrize("name", FILES)
def test_a_record_agrees_with_its_own_file(name: str) -> None:
    told = GAME.dry_run("game", FILES[name], standing(random_match(list(FILES).index(name), name)))
    assert told.why_not == ""
    assert told.agreed == told.races > 0
    assert told.differing == ()


@pytest.mark.parametrize("seed", range(8))
def test_records_of_apache_s_base_game_agree_with_its_file(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    told = GAME.dry_run("game", FILES["apache-base"], standing(base_match(seed, monkeypatch), "apache"))
    assert told.agreed == told.races > 10


def test_variants_of_apache_differ_and_are_told_race_by_race() -> None:
    told = GAME.dry_run("game", FILES["apache-base"], standing(generate.random_match(2), "apache"))
    assert 0 < told.agreed < told.races
    assert len(told.differing) == told.races - told.agreed
    assert all(one.ruled != one.would for one in told.differing)


def test_another_rule_differs_where_it_rules_otherwise() -> None:
    stricter = FILES["fruits"].replace("fruit = it) = 5", "fruit = it) = 4")
    told = GAME.dry_run("game", stricter, standing(random_match(0, "fruits")))
    assert told.agreed < told.races
    assert any("wrong (no fruit is there five times)" in one.would for one in told.differing)


def test_hands_go_by_their_place_where_their_names_differ() -> None:
    renamed = FILES["first"].replace('name = "slap"', 'name = "whack"')
    told = GAME.dry_run("game", renamed, standing(random_match(5, "first")))
    assert told.races > 0
    assert all("whack" in one.would and "slap" in one.ruled for one in told.differing)
    assert told.agreed == told.races


def order_record() -> list[Line]:
    seats = (Seat(Colour.RED), Seat(Colour.BLUE), Seat(Colour.GREEN))
    setup = Setup(record=2, match="0" * 32, game="order", edition=1, seats=seats, first=Colour.RED)
    presses = [PressLine(colour=seat.colour, role="second", t_ns=10 + place) for place, seat in enumerate(seats)]
    return [setup, *presses, Close(), JudgeLine(), *presses[:2], Close(), JudgeLine()]


def test_a_record_of_who_was_first_counts_every_press_as_right() -> None:
    told = GAME.dry_run("game", FILES["spoons"], order_record())
    assert (told.races, told.agreed) == (2, 2)
    wrong = FILES["spoons"].replace('symbol = "spoon"', 'needs = [{ that = "me != blue", why = "not blue" }]')
    told = GAME.dry_run("game", wrong, order_record())
    assert (told.races, told.agreed) == (2, 0)
    assert told.differing[1].ruled == "1. red second: right; 2. blue second: right."
    assert told.differing[1].would == "1. red grab: right, claimed; 2. blue grab: wrong (not blue)."


def test_what_cannot_be_compared_says_why() -> None:
    record = standing(random_match(1, "snap"))
    assert "none of its cards is one of this file's" in GAME.dry_run("game", FILES["fruits"], record).why_not
    assert GAME.dry_run("game", FILES["fruits"], order_record()).why_not == "it has no cards"
    assert "no race was judged" in GAME.dry_run("game", FILES["spoons"], order_record()[:1]).why_not
    assert "begins with its `setup`" in GAME.dry_run("game", FILES["spoons"], ()).why_not
    assert "it cannot be judged" in GAME.dry_run("game", FILES["spoons"], order_record()[:2] * 2).why_not
    assert "there is no file" in GAME.dry_run("board", FILES["spoons"], order_record()).why_not
    four = order_record()
    assert "3 to 5 players" in GAME.dry_run("game", FILES["spoons"], two_seats(four)).why_not


def two_seats(record: list[Line]) -> list[Line]:
    from msgspec.structs import replace

    setup = record[0]
    assert isinstance(setup, Setup)
    return [replace(setup, seats=setup.seats[:2])]
