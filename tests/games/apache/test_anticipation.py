"""Presses made before their card could be seen (`record.md`, Anticipation)."""

import json

import msgspec
import pytest

from companion.core.errors import Malformed
from companion.core.record.lines import Anticipation, Moved, Restart, Reveal
from companion.core.ruling.parameters import verify_setup
from companion.core.ruling.rulings import Order
from companion.core.words.encoding import encode
from companion.games.apache import GAME
from companion.games.registry import find
from tests.games.apache.table import MS, Table

FLAG, PUNISH = Anticipation("flag", 100), Anticipation("punish", 100)
KEY, SHA = "A" * 43 + "=", "0" * 64


def table_of(rule: Anticipation | None, *cards: str) -> Table:
    """A hunter lies; the buffalo that makes it worth a play is turned after one second."""
    return Table("red yellow blue", anticipation=rule).reveal(*(cards or ("red hunter",))).turn("buffalo", 1000)


def places_of(table: Table):
    table.close()
    (order,) = [ruling for ruling in table.settle() if isinstance(ruling, Order)]
    return order.order


def judged(table: Table, at_ms: int, error_ns: int = 0, button: str = "red hunter"):
    """What becomes of one press: whether it was anticipated, verdict and why."""
    table.press(button, at_ms, error_ns)
    (place,) = places_of(table)
    return place.anticipated, place.verdict, place.why


@pytest.mark.parametrize(
    ("at_ms", "error_ns", "is_anticipated"),
    [(500, 0, True), (1000, 0, True), (1099, 0, True), (1099, MS - 1, True), (1099, MS, False), (1100, 0, False)],
)
def test_a_press_that_was_certainly_made_too_soon_is_anticipated(at_ms, error_ns, is_anticipated):
    assert judged(table_of(FLAG), at_ms, error_ns)[0] is is_anticipated


@pytest.mark.parametrize("ms", [1, 1000])
def test_how_soon_is_too_soon_is_the_setups(ms):
    rule = Anticipation("flag", ms)
    assert judged(table_of(rule), 1000 + ms - 1)[0] is True
    assert judged(table_of(rule), 1000 + ms)[0] is False


def test_flag_changes_nothing_else():
    assert judged(table_of(FLAG), 1050) == (True, "claim", None)
    assert judged(table_of(FLAG), 1050, button="blue hunter") == (True, "punish", "no matching Indian")


def test_punish_punishes_where_it_stands_whatever_lies_on_the_table():
    table = table_of(PUNISH, "red hunter", "yellow hunter")
    table.press("red hunter", 1050)
    table.press("yellow hunter", 1200)
    places = places_of(table)
    assert [(place.colour, place.verdict, place.why) for place in places] == [
        ("red", "punish", "anticipated"),
        ("yellow", "claim", None),
    ]
    assert table.pile("yellow") == ["yellow hunter", "buffalo"]


def test_an_anticipated_press_that_the_table_would_punish_too_is_punished_for_anticipation():
    assert judged(table_of(PUNISH), 1050, button="blue hunter") == (True, "punish", "anticipated")


def test_a_hand_card_that_could_have_claimed_before_that_card_is_not_anticipated():
    table = table_of(PUNISH, "red hunter", "teepee")
    assert judged(table, 1001) == (False, "claim", None)


def test_the_table_before_the_card_has_one_card_less():
    """A second buffalo: the first had made the hunter good already."""
    assert judged(table_of(PUNISH, "red hunter", "buffalo"), 1001) == (False, "claim", None)


def test_the_newest_card_counts_one_that_came_late_too():
    table = table_of(PUNISH)
    table.press("red hunter", 1500)
    table.turn("teepee", 2000)
    assert places_of(table)[0].anticipated is False  # the buffalo was there, and seen
    table = Table("red yellow", anticipation=PUNISH).reveal("red hunter")
    table.press("red hunter", 1500)
    assert places_of(table.turn("buffalo", 1450))[0].anticipated is True


def test_a_newest_card_whose_turning_nobody_saw_makes_nothing_anticipated():
    table = table_of(PUNISH)
    table.press("red hunter", 1001)
    table.judge.feed(Reveal(card="teepee", t_ns=1002 * MS))
    assert places_of(table)[0].anticipated is False


def test_the_raw_time_counts_not_the_allowance():
    seats = {"red": 500}
    table = Table("red yellow", anticipation=FLAG, allowances=seats).reveal("red hunter").turn("buffalo", 1000)
    assert judged(table, 1200)[0] is False


def test_without_the_rule_no_place_says_anything_of_it():
    (place,) = places_of(pressed(table_of(None)))
    assert "anticipated" not in json.loads(encode(place))
    assert (place.verdict, place.why) == ("claim", None)


def test_with_the_rule_every_place_says_it():
    table = Table("red yellow", anticipation=FLAG).reveal("red hunter", "buffalo")
    (place,) = places_of(pressed(table))
    assert json.loads(encode(place))["anticipated"] is False


def pressed(table: Table) -> Table:
    table.press("red hunter", 1050)
    return table


@pytest.mark.parametrize("line", [Restart(), Moved(box="b", key=KEY, previous=SHA)], ids=["restart", "moved"])
def test_nothing_is_timed_across_a_new_clock(line):
    table = table_of(PUNISH)
    table.judge.feed(line)
    assert judged(table, 1)[0] is False


def test_a_game_in_which_nothing_is_turned_has_no_such_rule():
    asked = Table("red yellow", anticipation=FLAG).judge.setup
    assert asked is not None
    setup = msgspec.structs.replace(asked, game="order")
    with pytest.raises(Malformed, match=r"^field `anticipation`: order knows none; leave the field out$"):
        verify_setup(find("order"), setup)


def test_the_reason_is_told_at_length_and_in_short():
    table = pressed(table_of(PUNISH))
    (press,) = table.state.presses
    assert GAME.reason(press, "anticipated") == ("it was made before the card could be seen", "too soon")
