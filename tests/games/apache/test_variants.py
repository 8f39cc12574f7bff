"""The variants and their combinations (`apache.md`: Variants, Victory pile)."""

import pytest

from companion.core.errors import Illegal
from tests.games.apache.table import Table, settled, verdicts


def hunt(table: Table, colour: str, buffalo: int) -> Table:
    """Give a seat's pile this many buffalo."""
    table.reveal(f"{colour} hunter", *["buffalo"] * buffalo)
    table.race(f"{colour} hunter")
    return table


class TestWarpath:
    def test_the_warrior_gets_one_buffalo_out_of_each_other_pile(self):
        table = Table("red yellow green", "warpath")
        hunt(hunt(table, "yellow", 2), "green", 1)
        table.reveal("red warrior", "tomahawk")
        (turn,) = settled(table.race("red warrior"))
        assert turn.tribute == {"yellow": 1, "green": 1}
        assert turn.cards == ("red warrior", "tomahawk")
        assert table.pile("red") == ["buffalo", "buffalo", "red warrior", "tomahawk"]
        assert table.pile("yellow") == ["buffalo", "yellow hunter"]
        assert table.pile("green") == ["green hunter"]

    def test_the_others_give_clockwise_from_the_claimant(self):
        table = Table("red yellow green blue", "warpath")
        for colour in ("red", "yellow", "blue"):
            hunt(table, colour, 1)
        table.reveal("green warrior", "tomahawk")
        (turn,) = settled(table.race("green warrior"))
        assert isinstance(turn.tribute, dict)
        assert list(turn.tribute) == ["blue", "red", "yellow"]

    @pytest.mark.parametrize(("buffalo", "given"), [(3, {"yellow": 2}), (1, {"yellow": 1}), (0, {})])
    def test_two_in_a_two_player_game_or_as_many_as_there_are(self, buffalo, given):
        table = Table("red yellow", "warpath")
        if buffalo:
            hunt(table, "yellow", buffalo)
        table.reveal("red warrior", "tomahawk")
        (turn,) = settled(table.race("red warrior"))
        assert turn.tribute == given
        assert table.pile("red").count("buffalo") == sum(given.values())
        assert table.pile("yellow").count("buffalo") == buffalo - sum(given.values())

    def test_only_those_who_have_buffalo_give(self):
        table = hunt(Table("red yellow green", "warpath"), "green", 1)
        table.reveal("red warrior", "tomahawk")
        (turn,) = settled(table.race("red warrior"))
        assert turn.tribute == {"green": 1}

    def test_not_for_teepees(self):
        table = hunt(Table("red yellow", "warpath"), "yellow", 2)
        table.reveal("red warrior", "teepee")
        (turn,) = settled(table.race("red warrior"))
        assert (turn.take, turn.tribute) == ("teepees", {})

    def test_not_for_a_wedding(self):
        table = hunt(Table("red yellow", "warpath", "wedding"), "yellow", 2)
        table.reveal("red warrior", "teepee", "tomahawk", "red maiden")
        table.race("red warrior")
        (turn,) = settled(table.claim("red", "wedding"))
        assert (turn.take, turn.tribute) == ("wedding", {})

    def test_not_for_a_warrior_who_is_only_a_prisoner(self):
        table = hunt(Table("red yellow", "warpath"), "yellow", 2)
        table.reveal("red chief", "totem pole", "tomahawk", "red warrior")
        (turn,) = settled(table.race("red chief"))
        assert turn.tribute == {}

    def test_not_without_the_variant(self):
        table = hunt(Table("red yellow"), "yellow", 2)
        table.reveal("red warrior", "tomahawk")
        (turn,) = settled(table.race("red warrior"))
        assert turn.tribute == {}
        assert table.pile("yellow") == ["yellow hunter", "buffalo", "buffalo"]

    def test_pile_buffalo_go_under_it_and_are_named_last(self):
        table = Table("red yellow", "warpath").reveal("red maiden", "necklace")
        table.race("red maiden")
        table.reveal("red hunter", "buffalo", "buffalo")
        (turn,) = settled(table.race("red hunter"))
        assert turn.cards == ("red hunter", "buffalo", "buffalo")
        assert table.pile("red") == ["buffalo", "buffalo", "red maiden", "necklace", "red hunter"]

    def test_pile_buffalo_stay_on_top_without_the_variant(self):
        table = hunt(Table("red yellow"), "red", 2)
        assert table.pile("red") == ["red hunter", "buffalo", "buffalo"]


class TestWedding:
    def courting(self, *cards):
        return Table("red yellow", "wedding").reveal(*cards)

    def test_a_maiden_may_marry_any_male_indian_of_any_colour_unowned_too(self):
        table = self.courting("red maiden", "teepee", "red hunter", "yellow chief", "green warrior", "green maiden")
        table.race("red maiden")
        assert table.offered() == [
            ("teepees",),
            ("wedding", "red hunter"),
            ("wedding", "yellow chief"),
            ("wedding", "green warrior"),
        ]

    @pytest.mark.parametrize("role", ["chief", "warrior", "hunter"])
    def test_a_male_indian_may_marry_any_maiden(self, role):
        table = self.courting(f"red {role}", "teepee", "red maiden", "yellow maiden", "purple maiden", "blue hunter")
        table.race(f"red {role}")
        spouses = [option[1] for option in table.offered() if option[0] == "wedding"]
        assert spouses == ["red maiden", "yellow maiden", "purple maiden"]

    def test_takes_the_own_indian_the_spouse_and_all_teepees(self):
        table = self.courting("red maiden", "teepee", "teepee", "yellow chief", "green warrior", "necklace")
        table.race("red maiden")
        (turn,) = settled(table.claim("red", "wedding", spouse="green warrior"))
        assert turn.cards == ("red maiden", "green warrior", "teepee", "teepee")
        assert table.pile("red") == ["red maiden", "green warrior", "teepee", "teepee"]
        assert table.face_up() == {"yellow chief": 1, "necklace": 1}

    def test_the_faster_of_the_two_takes_it(self):
        table = self.courting("red maiden", "yellow hunter", "teepee")
        table.race("yellow hunter", "red maiden")
        yellow, red = settled(table.claim("yellow", "wedding"))
        assert yellow.cards == ("yellow hunter", "red maiden", "teepee")
        assert red.result == "nothing"

    def test_is_a_third_option_beside_booty_and_teepees(self):
        table = self.courting("red maiden", "teepee", "necklace", "yellow chief")
        table.race("red maiden")
        assert table.offered() == [("booty",), ("teepees",), ("wedding", "yellow chief")]

    def test_needs_a_teepee_and_makes_no_press_legal(self):
        table = self.courting("red maiden", "yellow chief", "tomahawk")
        assert verdicts(table.race("red maiden")) == ["nothing to claim"]

    def test_the_spouse_may_be_left_out_where_there_is_only_one(self):
        table = self.courting("red maiden", "teepee", "yellow chief", "yellow chief")
        table.race("red maiden")
        (turn,) = settled(table.claim("red", "wedding"))
        assert turn.cards == ("red maiden", "yellow chief", "teepee")

    def test_must_be_named_where_there_are_several(self):
        table = self.courting("red maiden", "teepee", "yellow chief", "red chief")
        table.race("red maiden")
        with pytest.raises(Illegal, match="nothing is named; there is: wedding with red chief, wedding with yellow"):
            table.claim("red", "wedding")
        with pytest.raises(Illegal, match="the yellow chief has no part in this claim"):
            table.claim("red", "wedding", prisoner="yellow chief")

    def test_not_without_the_variant(self):
        table = Table("red yellow").reveal("red maiden", "teepee", "yellow chief")
        (turn,) = settled(table.race("red maiden"))
        assert turn.take == "teepees"


class TestSharedBooty:
    def test_every_unowned_indian_of_the_role_joins_in_colour_order(self):
        table = Table("red yellow", "shared-booty")
        table.reveal("purple hunter", "green hunter", "blue hunter", "green hunter", "red hunter", "yellow hunter")
        (turn,) = settled(table.reveal("buffalo").race("red hunter"))
        assert turn.cards == (
            "red hunter", "green hunter", "green hunter", "blue hunter", "purple hunter", "buffalo",
        )  # fmt: skip
        assert table.face_up() == {"yellow hunter": 1}

    def test_a_second_indian_of_the_own_colour_stays(self):
        table = Table("red yellow", "shared-booty").reveal("red hunter", "red hunter", "green hunter", "buffalo")
        table.race("red hunter")
        assert table.face_up() == {"red hunter": 1}

    def test_a_prisoner_brings_no_allies_of_its_own_role(self):
        table = Table("red yellow", "shared-booty")
        table.reveal("red chief", "totem pole", "green warrior", "blue warrior")
        table.race("red chief")
        (turn,) = settled(table.claim("red", "booty", prisoner="blue warrior"))
        assert turn.cards == ("red chief", "blue warrior", "totem pole")

    def test_a_spouse_brings_no_allies_of_its_own_role(self):
        table = Table("red yellow", "shared-booty", "wedding")
        table.reveal("red maiden", "teepee", "green warrior", "blue warrior")
        table.race("red maiden")
        (turn,) = settled(table.claim("red", "wedding", spouse="blue warrior"))
        assert turn.cards == ("red maiden", "blue warrior", "teepee")

    def test_ruling_the_claimants_own_allies_also_join_a_teepee_claim(self):
        table = Table("red yellow", "shared-booty").reveal("red maiden", "green maiden", "teepee")
        (turn,) = settled(table.race("red maiden"))
        assert turn.cards == ("red maiden", "green maiden", "teepee")

    def test_ruling_the_claimants_own_allies_also_join_a_wedding(self):
        table = Table("red yellow", "shared-booty", "wedding")
        table.reveal("red hunter", "green hunter", "teepee", "yellow maiden", "blue maiden")
        table.race("red hunter")
        (turn,) = settled(table.claim("red", "wedding", spouse="blue maiden"))
        assert turn.cards == ("red hunter", "green hunter", "blue maiden", "teepee")

    def test_ruling_an_unowned_chief_may_be_the_prisoner_that_makes_the_claim_possible_and_is_taken_once(self):
        table = Table("red yellow", "shared-booty").reveal("red chief", "green chief", "totem pole")
        rulings = table.race("red chief")
        assert verdicts(rulings) == [None]
        (turn,) = settled(rulings)
        assert turn.cards == ("red chief", "green chief", "totem pole")

    def test_ruling_unowned_chiefs_as_prisoners_are_one_option_and_any_of_them_names_it(self):
        for prisoner in ("green chief", "blue chief"):
            table = Table("red yellow", "shared-booty")
            table.reveal("red chief", "green chief", "blue chief", "totem pole", "yellow hunter")
            table.race("red chief")
            assert table.offered() == [("booty", "green chief"), ("booty", "yellow hunter")]
            with pytest.raises(Illegal, match="there is: booty with green chief or blue chief, booty with yellow"):
                table.claim("red", "booty")
            (turn,) = settled(table.claim("red", "booty", prisoner=prisoner))
            assert turn.cards == ("red chief", "green chief", "blue chief", "totem pole")

    def test_the_own_second_chief_is_a_prisoner_like_others(self):
        table = Table("red yellow", "shared-booty")
        table.reveal("red chief", "red chief", "green chief", "totem pole")
        table.race("red chief")
        (turn,) = settled(table.claim("red", "booty", prisoner="red chief"))
        assert turn.cards == ("red chief", "green chief", "red chief", "totem pole")
        assert table.face_up() == {}

    def test_allies_alone_do_not_make_a_claim(self):
        table = Table("red yellow", "shared-booty").reveal("green hunter", "buffalo")
        assert verdicts(table.race("red hunter")) == ["no matching Indian"]

    def test_not_without_the_variant(self):
        table = Table("red yellow").reveal("red hunter", "green hunter", "buffalo")
        table.race("red hunter")
        assert table.face_up() == {"green hunter": 1}

    def test_with_five_players_nobody_is_unowned(self):
        table = Table("red yellow green blue purple", "shared-booty").reveal("red hunter", "green hunter", "buffalo")
        (turn,) = settled(table.race("red hunter"))
        assert turn.cards == ("red hunter", "buffalo")

    def test_pile_own_indian_allies_prisoner_then_booty(self):
        table = Table("red yellow", "shared-booty")
        table.reveal("purple chief", "green chief", "red chief", "yellow hunter", "totem pole", "totem pole")
        table.race("red chief")
        table.claim("red", "booty", prisoner="yellow hunter")
        assert table.pile("red") == [
            "red chief", "green chief", "purple chief", "yellow hunter", "totem pole", "totem pole",
        ]  # fmt: skip


def test_combination_warpath_and_shared_booty_the_allies_go_on_top_and_the_buffalo_under():
    table = Table("red yellow", "warpath", "shared-booty").reveal("red maiden", "necklace")
    table.race("red maiden")
    table.reveal("red hunter", "blue hunter", "buffalo")
    (turn,) = settled(table.race("red hunter"))
    assert turn.cards == ("red hunter", "blue hunter", "buffalo")
    assert table.pile("red") == ["buffalo", "red maiden", "necklace", "red hunter", "blue hunter"]


def test_combination_of_all_three_a_warriors_raid_with_allies():
    table = hunt(Table("red yellow green", "warpath", "wedding", "shared-booty"), "green", 2)
    table.reveal("red warrior", "blue warrior", "tomahawk", "tomahawk", "teepee", "yellow maiden")
    table.race("red warrior")
    assert table.offered() == [("booty",), ("teepees",), ("wedding", "yellow maiden")]
    (turn,) = settled(table.claim("red", "booty"))
    assert turn.cards == ("red warrior", "blue warrior", "tomahawk", "tomahawk")
    assert turn.tribute == {"green": 1}
    assert table.pile("red") == ["buffalo", "red warrior", "blue warrior", "tomahawk", "tomahawk"]
