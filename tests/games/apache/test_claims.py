"""What a hand card may claim, and the choices (`apache.md`: Cards, What a hand card may claim, Choices)."""

import pytest

from companion.core.errors import Illegal, Malformed
from companion.core.panel import Button, Colour
from companion.games.apache.cards import BOOTY, DECK, HAND_CARDS, INDIANS, MALES, NAMES, Role
from tests.games.apache.table import Table, settled, verdicts


def test_cards_the_deck_has_114_of_which_45_are_indians_and_33_buffalo():
    assert sum(DECK) == 114
    assert sum(DECK[card] for card in INDIANS) == 45
    assert sum(DECK[card] for card in BOOTY) == 69
    assert dict(zip(NAMES, DECK, strict=True)) | {"buffalo": 33} == dict(zip(NAMES, DECK, strict=True))
    for colour in Colour:
        counts = [DECK[NAMES.index(f"{colour} {role}")] for role in ("chief", "warrior", "maiden", "hunter")]
        assert counts == [2, 2, 2, 3]
    assert [DECK[NAMES.index(name)] for name in ("totem pole", "tomahawk", "necklace", "teepee")] == [9] * 4
    assert [NAMES[card] for card in INDIANS] == [button.label for button in HAND_CARDS]
    assert len(MALES) == 15


@pytest.mark.parametrize(("role", "booty"), [("maiden", "necklace"), ("warrior", "tomahawk"), ("hunter", "buffalo")])
def test_usual_booty_takes_all_of_its_kind_without_asking_where_it_is_the_only_option(role, booty):
    table = Table("red yellow").reveal(f"red {role}", booty, booty, booty, "green maiden")
    (turn,) = settled(table.race(f"red {role}"))
    assert (turn.result, turn.take) == ("claimed", "booty")
    assert turn.cards == (f"red {role}", booty, booty, booty)
    assert turn.tribute == {}
    assert table.face_up() == {"green maiden": 1}


@pytest.mark.parametrize("role", ["maiden", "warrior", "hunter", "chief"])
def test_any_role_may_take_all_teepees_instead(role):
    table = Table("red yellow").reveal(f"red {role}", "teepee", "teepee")
    (turn,) = settled(table.race(f"red {role}"))
    assert (turn.take, turn.cards) == ("teepees", (f"red {role}", "teepee", "teepee"))


@pytest.mark.parametrize(
    ("role", "booty"),
    [("maiden", "tomahawk"), ("warrior", "necklace"), ("hunter", "totem pole"), ("chief", "buffalo")],
)
def test_other_booty_cannot_be_claimed(role, booty):
    table = Table("red yellow").reveal(f"red {role}", "green warrior", booty)
    assert verdicts(table.race(f"red {role}")) == ["nothing to claim"]


def test_chief_takes_all_totem_poles_and_the_one_prisoner_there_is():
    table = Table("red yellow").reveal("red chief", "totem pole", "totem pole", "yellow hunter")
    (turn,) = settled(table.race("red chief"))
    assert turn.cards == ("red chief", "yellow hunter", "totem pole", "totem pole")


@pytest.mark.parametrize(
    "cards", [("totem pole",), ("totem pole", "green maiden"), ("green warrior",), ("red chief", "green hunter")]
)
def test_chief_needs_a_totem_pole_and_another_male_indian(cards):
    table = Table("red yellow").reveal("red chief", *cards)
    assert verdicts(table.race("red chief")) == ["nothing to claim"]


@pytest.mark.parametrize("prisoner", ["yellow warrior", "green hunter", "red hunter", "red chief", "green chief"])
def test_chief_prisoner_may_be_anothers_unowned_or_the_claimants_own_even_a_second_chief(prisoner):
    table = Table("red yellow").reveal("red chief", "totem pole", prisoner)
    (turn,) = settled(table.race("red chief"))
    assert turn.cards == ("red chief", prisoner, "totem pole")


def test_chief_prisoner_is_the_players_choice():
    table = Table("red yellow").reveal("red chief", "totem pole", "green warrior", "red hunter", "teepee")
    table.race("red chief")
    assert table.offered() == [("booty", "red hunter"), ("booty", "green warrior"), ("teepees",)]
    (turn,) = settled(table.claim("red", "booty", prisoner="green warrior"))
    assert turn.cards == ("red chief", "green warrior", "totem pole")
    assert table.face_up() == {"red hunter": 1, "teepee": 1}


def test_choices_two_green_warriors_are_one_prisoner_choice():
    table = Table("red yellow").reveal("red chief", "totem pole", "green warrior", "green warrior")
    (turn,) = settled(table.race("red chief"))
    assert turn.cards == ("red chief", "green warrior", "totem pole")
    assert table.face_up() == {"green warrior": 1}


def test_one_matching_indian_is_taken_and_the_other_stays():
    table = Table("red yellow").reveal("red hunter", "red hunter", "buffalo")
    table.race("red hunter")
    assert table.pile("red") == ["red hunter", "buffalo"]
    assert table.face_up() == {"red hunter": 1}


def test_choices_never_usual_booty_and_teepees_together():
    table = Table("red yellow").reveal("red maiden", "necklace", "teepee", "teepee")
    table.race("red maiden")
    assert table.offered() == [("booty",), ("teepees",)]
    table.claim("red", "booty")
    assert table.face_up() == {"teepee": 2}


def test_choices_are_worked_out_against_the_table_as_it_is_at_the_claimants_turn():
    table = Table("red yellow").reveal("red maiden", "yellow maiden", "necklace", "teepee")
    table.race("red maiden", "yellow maiden")
    red, yellow = settled(table.claim("red", "teepees"))
    assert yellow.cards == ("yellow maiden", "necklace")
    assert red.cards == ("red maiden", "teepee")


def test_choices_a_player_who_can_claim_cannot_decline():
    table = Table("red yellow").reveal("red maiden", "necklace", "teepee")
    table.race("red maiden")
    with pytest.raises(Illegal):
        table.end()
    with pytest.raises(Illegal, match=r"^claims are being settled; a card may be revealed when the last one is$"):
        table.reveal("buffalo")
    with pytest.raises(Malformed, match=r"`take`: 'nothing' .*allowed: booty, teepees, wedding"):
        table.claim("red", "nothing")


def choosing_chief(*variants):
    table = Table("red yellow", *variants)
    table.reveal("red chief", "totem pole", "green warrior", "yellow hunter", "teepee", "red maiden")
    table.race("red chief")
    return table


@pytest.mark.parametrize(
    ("colour", "take", "named", "message"),
    [
        ("yellow", "teepees", {}, "red's turn to choose, not yellow's"),
        (
            "red",
            "wedding",
            {"spouse": "red maiden"},
            "^wedding is not on offer; there is: booty with yellow hunter, booty with green warrior, teepees$",
        ),
        ("red", "booty", {}, "nothing is named; there is: booty with yellow hunter, booty with green warrior"),
        ("red", "booty", {"prisoner": "blue warrior"}, "the blue warrior is not on offer"),
        ("red", "booty", {"prisoner": "red chief"}, "the red chief is not on offer"),
        ("red", "booty", {"prisoner": "red maiden"}, "the red maiden is not on offer"),
        ("red", "booty", {"prisoner": "green warrior", "spouse": "red maiden"}, "red maiden has no part"),
        ("red", "teepees", {"prisoner": "green warrior"}, "green warrior has no part"),
        ("red", "teepees", {"spouse": "red maiden"}, "red maiden has no part"),
        ("red", "teepees", {"prisoner": "red chief"}, "red chief has no part"),
    ],
)
def test_claim_of_something_not_on_offer_is_illegal_and_says_what_is(colour, take, named, message):
    table = choosing_chief()
    before = table.state
    with pytest.raises(Illegal, match=message):
        table.claim(colour, take, **named)
    assert table.state == before


@pytest.mark.parametrize(
    ("named", "message"),
    [
        ({"prisoner": "pink warrior"}, "field `prisoner`: 'pink warrior' is no card; allowed: red chief"),
        ({"spouse": "Red maiden"}, "field `spouse`: 'Red maiden' is no card"),
    ],
)
def test_claim_that_names_no_card_is_malformed(named, message):
    with pytest.raises(Malformed, match=message):
        choosing_chief().claim("red", "booty", **named)


def test_claim_where_nothing_is_to_be_chosen_is_illegal():
    with pytest.raises(Illegal, match=r"^nobody has anything to choose now$"):
        Table("red yellow").reveal("red hunter", "buffalo").claim("red", "booty")


def test_claim_prisoner_may_be_left_out_where_only_one_leads_to_that_take():
    table = Table("red yellow").reveal("red chief", "totem pole", "green warrior", "teepee")
    table.race("red chief")
    (turn,) = settled(table.claim("red", "booty"))
    assert turn.cards == ("red chief", "green warrior", "totem pole")


@pytest.mark.parametrize("button", HAND_CARDS[:8])
def test_without_the_matching_indian_face_up_nothing_can_be_claimed(button: Button):
    others = [other for other in HAND_CARDS if other != button and other.colour is not Colour.PURPLE]
    table = Table("red yellow").reveal(*(other.label for other in others))
    table.reveal("buffalo", "totem pole", "tomahawk", "necklace", "teepee")
    assert verdicts(table.race(button.label)) == ["no matching Indian"]


def test_pile_the_own_indian_lies_lowest_then_the_prisoner_then_the_booty_on_top():
    table = Table("red yellow").reveal("red chief", "totem pole", "totem pole", "yellow hunter")
    table.race("red chief")
    assert table.pile("red") == ["red chief", "yellow hunter", "totem pole", "totem pole"]


def test_roles_and_colours_are_in_the_order_of_the_rules():
    assert [colour.value for colour in Colour] == ["red", "yellow", "green", "blue", "purple"]
    assert [role.value for role in Role] == ["chief", "warrior", "maiden", "hunter"]
