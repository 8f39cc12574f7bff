"""The rulebook's worked examples, under the names of their paragraphs (`apache.md`, The rulebook's worked examples)."""

import pytest

from companion.core.errors import Illegal
from companion.core.panel import Colour
from companion.games.apache.lines import HandSettled
from tests.games.apache.table import Table, resumes, settled, verdicts


@pytest.mark.parametrize(("take", "booty"), [("teepees", "teepee"), ("booty", "buffalo")])
def test_example_1_claim_booty_the_red_hunter_takes_either_the_teepee_or_the_buffalo(take, booty):
    table = Table("red yellow").reveal("red hunter", "teepee", "buffalo")
    table.race("red hunter")
    assert table.offered() == [("booty",), ("teepees",)]
    (turn,) = settled(table.claim("red", take))
    assert turn.cards == ("red hunter", booty)
    assert table.pile("red") == ["red hunter", booty]
    assert table.face_up() == {("buffalo" if booty == "teepee" else "teepee"): 1}


def test_example_2_multiple_players_yellow_and_purple_leave_the_red_chief_nothing_and_red_reveals_next():
    table = Table("yellow purple red")
    table.reveal("yellow hunter", "purple hunter", "totem pole", "totem pole", "green maiden", "buffalo", "teepee")
    table.reveal("red chief")
    rulings = table.race("yellow hunter", "purple hunter", "red chief")
    assert verdicts(rulings) == [None, None, None]
    assert settled(rulings) == []
    # With the buffalo gone there is one option left for purple, which is taken without asking.
    rulings = table.claim("yellow", "booty")
    yellow, purple, red = settled(rulings)
    assert yellow.cards == ("yellow hunter", "buffalo")
    assert (purple.take, purple.cards) == ("teepees", ("purple hunter", "teepee"))
    assert red == HandSettled(race=1, colour=Colour.RED, role="chief", result="nothing")
    assert resumes(rulings) == "red"
    assert table.reveals() == "red"
    assert table.state.removed == ()
    assert table.face_up() == {"totem pole": 2, "green maiden": 1, "red chief": 1}


def test_example_3_shared_booty_the_red_chief_takes_four_chiefs_all_totem_poles_and_the_green_warrior():
    table = Table("red purple", "shared-booty")
    table.reveal("blue chief", "yellow chief", "yellow chief", "totem pole", "totem pole")
    table.reveal("green warrior", "blue warrior", "red chief")
    table.race("red chief")
    (turn,) = settled(table.claim("red", "booty", prisoner="green warrior"))
    assert turn.cards == (
        "red chief", "yellow chief", "yellow chief", "blue chief", "green warrior", "totem pole", "totem pole",
    )  # fmt: skip
    assert table.face_up() == {"blue warrior": 1}


def test_example_2_the_red_chief_is_not_asked():
    table = Table("yellow purple red").reveal("yellow hunter", "red chief", "totem pole", "buffalo")
    (yellow, red) = settled(table.race("yellow hunter", "red chief"))
    assert (yellow.result, red.result) == ("claimed", "nothing")
    with pytest.raises(Illegal, match="nobody has anything to choose"):
        table.claim("red", "booty")
