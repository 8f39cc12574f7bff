"""Apache's own words, as the account, the referee's desk and the displays ask the game for them."""

from companion.core.panel import Colour
from companion.core.record.lines import Close, PressLine, Reveal
from companion.games.apache.lines import Claim
from companion.games.registry import find
from tests.games.apache.table import Table

GAME = find("apache")
PRESS = PressLine(colour=Colour.RED, role="hunter", t_ns=1)


def test_a_claim_is_told_by_what_it_takes_and_names():
    assert GAME.describe(Claim(colour=Colour.RED, take="teepees")) == "red chooses the teepees"
    booty = Claim(colour=Colour.RED, take="booty", prisoner="green warrior")
    assert GAME.describe(booty) == "red chooses the usual booty, prisoner green warrior"
    wedding = Claim(colour=Colour.RED, take="wedding", spouse="blue maiden")
    assert GAME.describe(wedding) == "red chooses a wedding, spouse blue maiden"
    assert GAME.describe(PRESS) == "red plays hunter"


def test_the_card_of_a_reveal_and_the_hand_card_of_a_press_may_have_been_meant_otherwise():
    (card,) = GAME.fields(Reveal(card="buffalo"))
    assert (card.name, card.label, len(card.values)) == ("card", "card", 25)
    (role,) = GAME.fields(PRESS)
    assert (role.name, role.label) == ("role", "hand card")
    assert [value.label for value in role.values] == ["chief", "warrior", "maiden", "hunter"]
    assert GAME.fields(Close()) == ()


def test_a_punishment_has_its_reason_in_long_and_in_short():
    assert GAME.reason(PRESS, "no matching Indian") == ("no red hunter is face up", "no Indian")
    assert GAME.reason(PRESS, "nothing to claim") == ("nothing lies there that a hunter could claim", "no booty")


def test_what_is_claimed_is_told_card_by_card_with_the_tribute():
    table = Table("red yellow", "warpath").reveal("yellow hunter", "buffalo", "buffalo")
    table.race("yellow hunter")
    table.reveal("red warrior", "tomahawk", "tomahawk")
    told = [GAME.sentences(ruling) for ruling in table.race("red warrior")]
    assert told == [
        None,
        (
            "red (warrior) claims the usual booty: red warrior, 2 tomahawks (3 cards).",
            "red is on the warpath for buffalo: yellow gives 2.",
        ),
        None,
    ]
    assert GAME.sentences(table.judge.outcome()) == (
        "Score: red 5 cards (2 buffalo), yellow 1 card (0 buffalo).",
        "Other cards: 0 on the table, 108 not revealed, 0 out of the game.",
    )
