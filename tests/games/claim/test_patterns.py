"""What patterns mean: each word, `it`, what is none, and which cards a filter lets through."""

from __future__ import annotations

import pytest

from companion.games.claim.choices import why_wrong
from companion.games.claim.language.patterns import SEAT, read_condition, read_filter
from companion.games.claim.language.tokens import PatternError
from tests.games.claim.games import FILES
from tests.games.claim.table import Table

TOPS = FILES["totem"]
FRUIT = FILES["fruits"]


def shown(**piles: str) -> Table:
    """A table of three on which each has turned one card: `red="black moon"`; "" for none yet."""
    table = Table(TOPS, "red yellow green")
    for card in piles.values():
        if card:
            table.reveal(card)
    return table


THREE = {"red": "black moon", "yellow": "white moon", "green": "black wave"}


def holds(pattern: str, table: Table, me: int = 0, **more: int) -> bool:
    game = table.state.terms.game
    sight = table.state.sight().of(me, "grab", more.get("place", 1), more.get("taken", 0))
    return read_condition(pattern, game.known)(sight)


@pytest.mark.parametrize(
    ("pattern", "is_so"),
    [
        ("count() = 3", True),
        ("count(ink = black) = 2 and count(ink != black) = 1", True),
        ("count(ink = black and not shape = moon) = 1", True),
        ("count(ink = black or shape = moon) = 3", True),
        ("count(sign = rainbow) = 0", True),
        ("count(sign != rainbow) = 0", True),  # a card without a value of it is never compared
        ("kinds(ink) = 2 and kinds(shape) = 2 and kinds(sign) = 0", True),
        ("any shape: count(shape = it) >= 2", True),
        ("any ink: count(ink = it) = 3", False),
        ("every ink: count(ink = it) < 3", True),
        ("top(shape) of me = moon", True),
        ("top(sign) of me != rainbow", False),
        ("newest(shape) = wave", True),
        ("any other: top(shape) of it = top(shape) of me", True),
        ("every other: top(shape) of it = top(shape) of me", False),
        ("any seat: top(shape) of it = wave", True),
        ("any seat: it = 'yellow' and top(ink) of me = black", True),
        ("any seat: (it = yellow and top(ink) of it = black)", False),
        ("count(ink = black) of others = 1 and count(ink = black) of me = 1 and count() of all = 3", True),
        ("me = red and hand = grab", True),
        ("players = 3 and reveals = 3 and taken = 0 and place = 1", True),
        ("size(pile of me) = 1 and size(stock of me) = 17 and size(pot) + size(out) = 0", True),
        ("1 + 2 * 3 = 7 and (1 + 2) * 3 = 9 and 5 - 2 - 1 = 2 and -2 < -1", True),
        ("not no and yes or no", True),
        ("not (yes or no)", False),
        ("any shape: count(shape = it) = 2 and no", False),  # the quantifier ends before the "and"
        ("points of me = 0 and not any other: points of it > 0", True),
        ("any shape: any ink: count(ink = it) = 2", True),  # the nearest one's
        ("count(shape = top(shape) of me) = 2", True),
        ("any other: count(shape = top(shape) of it) = 1", True),
    ],
)
def test_a_condition_about_three_piles(pattern: str, is_so: bool) -> None:
    assert holds(pattern, shown(**THREE)) is is_so


HEAP = 'top(rank) = ace and top(rank; 2) = "2" and top(rank; 1) = top(rank; 3) and top(suit; 3) = heart'


def test_the_cards_of_a_common_heap_from_its_top() -> None:
    table = Table(FILES["slaps"]).reveal("ace of hearts", "2 of hearts", "ace of spades")
    assert holds(HEAP, table)
    assert not holds("top(rank; 4) = ace or top(rank; 4) != ace", table)  # there is none


@pytest.mark.parametrize(
    ("pattern", "tops", "says"),
    [
        ("top(rank) of me = ace", False, "there are no piles: they belong to shows"),
        ("top(shape) = moon", True, "'of' is missing before '='"),
        ("top(shape; 2) of me = moon", True, "only the top of a pile is seen"),
        ("top(rank; 0) = ace", False, "from 1 to 99, counted from the top"),
        ("top(rank; 100) = ace", False, "from 1 to 99, counted from the top"),
        ("top(rank; ace) = ace", False, "from 1 to 99, counted from the top"),
    ],
)
def test_a_top_that_cannot_be(pattern: str, tops: bool, says: str) -> None:
    game = (Table(TOPS) if tops else Table(FILES["slaps"])).state.terms.game
    with pytest.raises(PatternError, match=says):
        read_condition(pattern, game.known)


def test_numbers_of_cards() -> None:
    table = Table(FRUIT).reveal("3 banana", "2 banana", "4 plum")
    assert holds("sum(number) = 9 and sum(number; fruit = banana) = 5", table)
    assert holds("highest(number) = 4 and lowest(number) = 2 and highest(number; fruit = banana) = 3", table)
    assert not holds("highest(number; fruit = lime) >= 0", table)  # there is none, and none is compared with nothing
    assert not holds("highest(number; fruit = lime) + 1 != 7", table)
    assert holds("sum(number; fruit = lime) = 0", table)
    assert holds("any fruit: sum(number; fruit = it) = 5", table)
    assert holds("any number: (count(number = it) = 1 and it > 3)", table)
    assert holds("top(number) of me + 1 = highest(number)", table)


def test_what_was_turned_last_is_known_after_it_was_taken_away() -> None:
    table = Table(FRUIT).reveal("3 banana", "2 banana")
    assert not holds("newest(number) = 2 and count() = 0", table)
    table.race("green bell")
    assert holds("newest(number) = 2 and count() = 0", table)


def test_before_the_first_card_nothing_is_seen() -> None:
    table = Table(FRUIT)
    assert holds("count() = 0 and not newest(fruit) = lime and not newest(fruit) != lime", table)
    assert not holds("top(number) of me >= 0", table)


def test_place_and_how_many_have_claimed() -> None:
    table = shown(**THREE)
    assert holds("place = 2 and taken = 1", table, place=2, taken=1)


def test_a_filter_gives_the_cards_that_pass_and_a_rival_s_colour_is_it() -> None:
    table = shown(**THREE)
    known = table.state.terms.game.known
    sight = table.state.sight().of(0, "grab", 1, 0)
    names = {
        known.names[card] for card in read_filter("ink = white and (shape = eye or shape = web)", known).passing(sight)
    }
    assert names == {"white eye", "white web"}
    sight.it = 1
    names = {known.names[card] for card in read_filter("shape = top(shape) of it", known, SEAT).passing(sight)}
    assert names == {"black moon", "orange moon", "white moon", "brown moon"}
    assert read_condition("it = yellow", known, SEAT)(sight)


@pytest.mark.parametrize(
    ("pattern", "position"),
    [
        ("", 1), ("count(", 7), ("count() =", 10), ("any", 4), ("yes yes", 5), ("(yes", 5), ("yes and", 8),
        ("'open = 1", 1), ("count() of him = 1", 12), ("size(won) = 1", 9), ("top(ink) = black", 10), ("- x = 1", 3),
        ("not", 4), ("ink = black", 1), ("count(ink) = 1", 10), ("amount(ink = black) = 1", 1),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_told_with_its_place(pattern: str, position: int) -> None:
    known = Table(TOPS).state.terms.game.known
    with pytest.raises(PatternError) as caught:
        read_condition(pattern, known)
    assert caught.value.position == position


def test_why_a_press_is_wrong_is_the_first_need_that_does_not_hold() -> None:
    table = Table(FILES["harbour"], "red yellow").reveal("1 cog", "1 cog")
    hand = table.state.terms.game.hand("load")
    assert why_wrong(table.state.sight().of(0, "load", 1, 0), hand) == "ships too small"
    table.reveal("2 hulk")
    assert why_wrong(table.state.sight().of(0, "load", 1, 0), hand) == "ships too small"
    table.reveal("3 yawl")
    assert why_wrong(table.state.sight().of(0, "load", 1, 0), hand) is None
