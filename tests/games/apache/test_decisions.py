"""What a match of Apache shows and asks: decisions, view, outcome."""

from companion.core.panel import Button, Colour, Position
from companion.core.ruling.view import CardGroup
from companion.games.apache.cards import NAMES
from companion.games.apache.lines import ApacheOutcome, Claim
from tests.games.apache.table import Table

BOOTY_NAMES = ["buffalo", "totem pole", "tomahawk", "necklace", "teepee"]


def decision(table: Table):
    (found,) = table.game.offers(table.state)
    return found


def test_reveal_is_offered_to_the_seat_whose_turn_it_is_booty_first():
    reveal = decision(Table("red yellow", first="yellow"))
    assert (reveal.kind, reveal.seat, reveal.required, reveal.number) == ("reveal", "yellow", False, None)
    assert [option.label for option in reveal.options] == BOOTY_NAMES + list(NAMES[:20])
    assert [option.line.card for option in reveal.options] == [option.label for option in reveal.options]
    assert all(option.button is None for option in reveal.options[:5])
    assert reveal.options[5].button == Button(Colour.RED, Position.FIRST)
    assert {option.group for option in reveal.options[5:]} == {"Indian"}


def test_reveal_offers_only_cards_that_can_still_be_there():
    reveal = decision(Table("red yellow").reveal("red chief", *["teepee"] * 9, "red chief"))
    names = {option.label for option in reveal.options}
    assert names == set(NAMES) - {"red chief", "teepee"}


def test_reveal_is_offered_within_a_powwow_however_many_were_turned_and_not_while_settling():
    table = Table("red yellow").reveal("red hunter", "teepee")
    table.press("red hunter")
    assert decision(table).kind == "reveal"
    table.close()
    assert decision(table).kind == "reveal"
    table.reveal("buffalo")
    assert decision(table).kind == "reveal"
    table.settle()
    assert decision(table).kind == "claim"
    table.claim("red", "booty")
    table.end()
    assert table.game.offers(table.state) == ()


def test_claim_is_required_of_the_claimant_and_spells_out_each_option():
    table = Table("red yellow", "wedding")
    table.reveal("red chief", "totem pole", "totem pole", "green warrior", "yellow hunter", "teepee", "blue maiden")
    table.race("red chief")
    claim = decision(table)
    assert (claim.kind, claim.seat, claim.required, claim.prompt) == ("claim", "red", True, "RED takes")
    assert [(option.group, option.group_label, option.label, option.button) for option in claim.options] == [
        ("booty", "2 totem + prisoner", "2 totem poles, prisoner yellow hunter", (Colour.YELLOW, Position.FOURTH)),
        ("booty", "2 totem + prisoner", "2 totem poles, prisoner green warrior", (Colour.GREEN, Position.SECOND)),
        ("teepees", "1 teepee", "1 teepee", None),
        ("wedding", "wedding + 1 teepee", "1 teepee, spouse blue maiden", (Colour.BLUE, Position.THIRD)),
    ]
    assert claim.options[0].line == Claim(colour=Colour.RED, take="booty", prisoner="yellow hunter")
    assert claim.options[2].line == Claim(colour=Colour.RED, take="teepees")
    assert claim.options[3].line == Claim(colour=Colour.RED, take="wedding", spouse="blue maiden")


def test_claim_merged_prisoners_are_named_by_either_button():
    table = Table("red yellow", "shared-booty")
    table.reveal("red chief", "totem pole", "green chief", "purple chief", "yellow hunter")
    table.race("red chief")
    merged = decision(table).options[0]
    assert merged.label == "1 totem pole, prisoner green chief or purple chief"
    assert merged.button == Button(Colour.GREEN, Position.FIRST)
    assert merged.also == (Button(Colour.PURPLE, Position.FIRST),)


def test_claim_counts_what_is_there():
    table = Table("red yellow").reveal("red hunter", "buffalo", "buffalo", "teepee")
    table.race("red hunter")
    assert [option.group_label for option in decision(table).options] == ["2 buffalo", "1 teepee"]


def test_view_shows_piles_table_turn_and_hidden_cards():
    table = Table("red yellow").reveal("red hunter", "buffalo", "red maiden", "teepee", "buffalo")
    table.race("red hunter")
    view = table.game.view(table.state)
    assert view.turn == "red"
    table.claim("red", "booty")
    view = table.game.view(table.state)
    assert view.scores == ((Colour.RED, 3), (Colour.YELLOW, 0))
    assert view.score_label == "cards"
    assert view.table == (("teepee", 1), ("red maiden", 1))
    assert (view.turn, view.hidden) == (Colour.RED, 109)
    table.end()
    assert table.game.view(table.state).turn is None


def test_view_groups_each_booty_with_the_hand_cards_that_could_claim_it_and_then_the_idle_indians():
    table = Table("red yellow", "wedding")
    assert table.game.view(table.state).groups == ()
    table.reveal("red hunter", "buffalo", "buffalo", "green maiden", "yellow chief")
    assert table.game.view(table.state).groups == (
        CardGroup("2 buffalo", (("buffalo", 2),), ("red hunter",)),
        CardGroup("nothing to claim yet", (("yellow chief", 1), ("green maiden", 1))),
    )
    table.reveal("teepee", "totem pole")
    assert table.game.view(table.state).groups == (
        CardGroup("2 buffalo", (("buffalo", 2),), ("red hunter",)),
        CardGroup("1 totem pole", (("totem pole", 1),), ("yellow chief",)),
        CardGroup("1 teepee", (("teepee", 1),), ("red hunter", "yellow chief")),
        CardGroup("nothing to claim yet", (("green maiden", 1),)),
    )
    table = Table("red yellow").reveal("red hunter", "buffalo")
    assert [group.says for group in table.game.view(table.state).groups] == ["1 buffalo"]


def test_what_is_asked_says_who_is_asked_and_how_a_button_answers():
    table = Table("red yellow", first="yellow").reveal("red hunter", "buffalo", "teepee")
    offer = decision(table)
    assert (offer.prompt, offer.hint) == ("RED reveals", "press the Indian's button")
    assert [(option.group, option.group_label) for option in offer.options[3:6]] == [
        ("necklace", "necklace"), ("teepee", "teepee"), ("Indian", "Indian"),
    ]  # fmt: skip
    table.race("red hunter")
    assert (decision(table).prompt, decision(table).hint) == ("RED takes", "press the Indian's button")
    assert table.game.view(table.state).hints == (
        "Booty up: turn the knob.", "Indian up: hold the knob", "and press its button.",
    )  # fmt: skip


def test_race_has_its_presses_and_whom_ties_are_counted_from():
    table = Table("red yellow green").reveal("buffalo", "buffalo")
    table.press("green hunter", at_ms=7)
    race = table.game.race(table.state)
    assert ([press.colour for press in race.presses], race.revealer) == ([Colour.GREEN], Colour.YELLOW)


def test_outcome_equal_totals_share_the_victory_in_seat_order():
    table = Table("yellow red green").reveal("red hunter", "yellow maiden", "buffalo", "necklace")
    table.race("red hunter", "yellow maiden")
    (outcome,) = table.end()
    assert isinstance(outcome, ApacheOutcome)
    assert outcome.leaders == ("yellow", "red")
    assert outcome.piles == {"yellow": 2, "red": 2, "green": 0}
    assert outcome.buffalo == {"yellow": 0, "red": 1, "green": 0}
    assert (outcome.over, outcome.removed, outcome.table, outcome.unrevealed) == (True, 0, 0, 110)


def test_outcome_of_a_running_game_is_not_over():
    table = Table("red yellow").reveal("buffalo")
    outcome = table.judge.outcome()
    assert isinstance(outcome, ApacheOutcome)
    assert (outcome.over, outcome.leaders, outcome.table) == (False, ("red", "yellow"), 1)


def test_outcome_counts_removed_cards():
    table = Table("red yellow").reveal("red hunter", "buffalo")
    table.race("red hunter")
    table.reveal("teepee")
    table.race("red maiden")
    outcome = table.judge.outcome()
    assert isinstance(outcome, ApacheOutcome)
    assert outcome.removed == 2
