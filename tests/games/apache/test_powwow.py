"""A Pow-Wow's course (`apache.md`: Turn, Punishment, Ignored presses; `record.md`: Revealer, Illegal lines)."""

import pytest

from companion.core.errors import Illegal, Malformed
from companion.core.panel import Colour
from companion.core.record.lines import Reveal, Seat, Setup
from companion.core.ruling.race import RacePhase
from companion.core.ruling.rulings import Ignored, Undone
from companion.games.apache.cards import NAMES
from companion.games.apache.lines import ApacheOutcome
from companion.games.registry import find
from tests.games.apache.table import MS, Table, order_of, resumes, settled, verdicts


def ignored(rulings):
    (ruling,) = rulings
    assert isinstance(ruling, Ignored)
    return ruling.reason


class TestTurn:
    def test_1_reveals_go_clockwise_from_the_first(self):
        table = Table("red yellow green", first="yellow")
        assert table.reveals() == "yellow"
        table.reveal("buffalo")
        assert table.reveals() == "green"
        table.reveal("buffalo", "buffalo")
        assert table.reveals() == "yellow"

    def test_1_what_is_revealed_stays_face_up(self):
        table = Table("red yellow").reveal("buffalo", "red hunter", "buffalo")
        assert table.face_up() == {"buffalo": 2, "red hunter": 1}

    def test_3_the_order_of_presses_is_the_order_of_the_pile_fastest_first(self):
        table = Table("red yellow green").reveal("buffalo")
        table.press("green hunter", at_ms=30)
        table.press("red hunter", at_ms=10)
        table.press("yellow hunter", at_ms=20)
        table.close()
        assert order_of(table.settle()) == ["red", "yellow", "green"]

    def test_4_settled_in_that_order_claims_nothing_or_punished(self):
        table = Table("red yellow green").reveal("yellow hunter", "red hunter", "buffalo")
        rulings = table.race("yellow hunter", "green hunter", "red hunter")
        assert [(turn.colour.value, turn.result) for turn in settled(rulings)] == [
            ("yellow", "claimed"),
            ("green", "punished"),
            ("red", "nothing"),
        ]

    @pytest.mark.parametrize("last", ["red maiden", "red hunter"])
    def test_5_play_resumes_with_the_last_in_the_order_whatever_happened_to_them(self, last):
        table = Table("yellow green red").reveal("yellow hunter", "red hunter", "buffalo")
        rulings = table.race("yellow hunter", last)
        assert resumes(rulings) == "red"
        assert table.reveals() == "red"

    def test_5_with_no_press_the_next_clockwise_reveals(self):
        assert Table("red yellow").reveal("buffalo").reveals() == "yellow"

    def test_6_after_the_114th_reveal_one_last_powwow_and_nothing_but_the_end(self):
        table = Table("red yellow")
        game = table.game
        for card, count in enumerate(table.state.hidden):
            assert not game.is_exhausted(table.state)
            table.reveal(*[NAMES[card]] * count)
        assert not game.is_exhausted(table.state)
        assert game.offers(table.state) == ()
        assert not game.race(table.state).takes_card
        with pytest.raises(Illegal, match=r"^all 114 cards have been revealed$"):
            table.reveal("buffalo")
        table.race("red hunter")
        table.claim("red", "booty")
        assert game.is_exhausted(table.state)
        assert not game.is_over(table.state)
        (outcome,) = table.end()
        assert isinstance(outcome, ApacheOutcome)
        assert (outcome.over, outcome.piles, outcome.unrevealed) == (True, {"red": 34, "yellow": 0}, 0)
        assert (outcome.table, outcome.leaders) == (80, ("red",))


class TestPunishment:
    def pile_of_four(self):
        table = Table("red yellow").reveal("red maiden", "necklace", "necklace", "necklace")
        table.race("red maiden")
        return table

    def test_the_top_two_cards_leave_the_game_top_first(self):
        table = Table("red yellow").reveal("red chief", "yellow hunter", "totem pole")
        table.race("red chief")
        table.reveal("buffalo")
        (turn,) = settled(table.race("red hunter"))
        assert (turn.result, turn.cards) == ("punished", ("totem pole", "yellow hunter"))
        assert table.pile("red") == ["red chief"]
        assert [NAMES[card] for card in table.state.removed] == ["totem pole", "yellow hunter"]

    def test_fewer_if_there_are_fewer(self):
        table = Table("red yellow").reveal("red chief", "yellow hunter", "totem pole")
        table.race("red chief")
        for lost in (("totem pole", "yellow hunter"), ("red chief",), ()):
            table.reveal("buffalo")
            (turn,) = settled(table.race("red hunter"))
            assert turn.cards == lost
        assert table.pile("red") == []

    def test_both_reasons_count(self):
        table = Table("red yellow").reveal("red hunter", "necklace")
        rulings = table.race("red hunter", "yellow maiden")
        assert verdicts(rulings) == ["nothing to claim", "no matching Indian"]

    def test_no_matching_indian_is_the_reason_where_both_hold(self):
        assert verdicts(Table("red yellow").reveal("buffalo").race("red maiden")) == ["no matching Indian"]

    def test_in_the_players_place_in_the_order(self):
        table = self.pile_of_four().reveal("yellow hunter", "buffalo")
        rulings = table.race("red hunter", "yellow hunter")
        assert [turn.result for turn in settled(rulings)] == ["punished", "claimed"]

    def test_judged_against_the_table_before_anyone_claimed(self):
        table = Table("red yellow").reveal("yellow maiden", "red maiden", "necklace")
        rulings = table.race("yellow maiden", "red maiden")
        assert verdicts(rulings) == [None, None]
        assert settled(rulings)[1].result == "nothing"
        assert table.state.removed == ()

    @pytest.mark.parametrize("when", ["before the close", "after the close"])
    def test_ruling_a_late_card_counts_for_everybody_in_the_powwow(self, when):
        table = Table("red yellow").reveal("red hunter")
        table.press("red hunter")
        if when == "before the close":
            table.reveal("buffalo")
        table.close()
        if when == "after the close":
            table.reveal("buffalo")
        assert table.game.race(table.state).card_joined
        (turn,) = settled(table.settle())
        assert turn.cards == ("red hunter", "buffalo")

    def test_ruling_presses_after_the_late_card_join_the_same_powwow(self):
        table = Table("red yellow").reveal("red hunter")
        table.press("red hunter")
        table.reveal("buffalo")
        assert table.press("yellow hunter") == ()
        table.close()
        assert order_of(table.settle()) == ["red", "yellow"]

    def test_ruling_any_number_of_cards_may_come_late_and_everybody_is_judged_with_all_of_them(self):
        """Two turned, one of them entered, a slap: the second card makes the play good."""
        table = Table("red yellow blue").reveal("red hunter")
        table.press("red hunter")
        table.reveal("necklace", "yellow maiden")
        table.press("yellow maiden")
        table.close()
        rulings = table.reveal("tomahawk", "buffalo").settle()
        assert verdicts(rulings) == [None, None]
        assert [turn.cards for turn in settled(rulings)] == [("red hunter", "buffalo"), ("yellow maiden", "necklace")]

    def test_ruling_each_late_card_is_a_reveal_by_the_next_seat_and_the_last_is_what_it_is_about(self):
        table = Table("red yellow blue").reveal("red hunter")
        table.press("red hunter")
        for card, revealer in (("buffalo", "yellow"), ("teepee", "blue"), ("necklace", "red")):
            race = table.reveal(card).game.race(table.state)
            assert (race.card, race.revealer, race.takes_card) == (card, revealer, True)

    def test_ruling_a_late_card_that_cannot_be_there_is_illegal(self):
        table = Table("red yellow").reveal("red chief", "red chief")
        table.press("red chief")
        with pytest.raises(Illegal, match=r"^the red chief cannot be there any more"):
            table.reveal("red chief")

    def test_no_card_comes_while_claims_are_settled(self):
        table = Table("red yellow").reveal("red hunter", "buffalo", "teepee")
        table.press("red hunter")
        table.close()
        table.settle()
        with pytest.raises(Illegal, match=r"^claims are being settled"):
            table.reveal("tomahawk")

    def test_the_next_powwow_may_have_a_late_card_again(self):
        table = Table("red yellow")
        for _ in range(2):
            table.reveal("red hunter")
            table.press("red hunter")
            table.reveal("buffalo")
            table.close()
            table.settle()
        assert table.pile("red") == ["red hunter", "buffalo"] * 2


class TestRevealer:
    """Ties are counted from the seat that made the latest reveal: equal times show who that is."""

    def tie(self, table, *colours):
        for colour in colours:
            table.press(f"{colour} hunter", at_ms=5000)
        table.close()
        return order_of(table.settle())

    def test_is_the_first_after_the_first_reveal(self):
        table = Table("red yellow green", first="yellow").reveal("buffalo")
        assert self.tie(table, "red", "green", "yellow") == ["yellow", "green", "red"]

    def test_is_the_next_clockwise_after_a_reveal_nobody_pressed_at(self):
        table = Table("red yellow green", first="yellow").reveal("buffalo", "teepee")
        assert self.tie(table, "red", "green", "yellow") == ["green", "red", "yellow"]

    def test_is_the_last_in_the_order_after_a_powwow(self):
        table = Table("red yellow green").reveal("buffalo")
        table.race("yellow hunter", "green hunter")
        table.reveal("teepee")
        assert self.tie(table, "red", "green", "yellow") == ["green", "red", "yellow"]

    def test_a_late_card_was_turned_by_the_next_clockwise(self):
        table = Table("red yellow green").reveal("buffalo")
        table.press("red hunter", at_ms=5000)
        table.reveal("teepee")
        assert self.tie(table, "green", "yellow") == ["yellow", "green", "red"]
        assert table.reveals() == "red"


class TestIgnored:
    def test_before_the_first_reveal(self):
        table = Table("red yellow")
        assert ignored(table.press("red hunter")) == "nothing revealed"
        assert table.game.race(table.state).phase is RacePhase.WAITING

    def test_a_second_press_by_the_same_player_with_any_hand_card(self):
        table = Table("red yellow").reveal("red hunter", "red maiden", "buffalo")
        table.press("red hunter")
        assert ignored(table.press("red maiden")) == "already played"
        assert ignored(table.press("red hunter")) == "already played"
        table.close()
        assert order_of(table.settle()) == ["red"]

    def test_after_the_powwow_has_closed_and_before_the_next_reveal(self):
        table = Table("red yellow").reveal("red maiden", "necklace", "teepee")
        table.press("red maiden")
        table.close()
        assert ignored(table.press("yellow maiden")) == "closed"
        table.settle()
        assert ignored(table.press("yellow maiden")) == "closed"
        table.claim("red", "booty")
        assert ignored(table.press("yellow maiden")) == "closed"
        table.reveal("buffalo")
        assert table.press("yellow maiden") == ()

    def test_a_colour_that_is_not_playing(self):
        table = Table("red yellow").reveal("green hunter", "buffalo")
        assert ignored(table.press("green hunter")) == "not playing"
        table.press("red hunter")
        assert ignored(table.press("green hunter")) == "not playing"

    def test_after_the_game_has_ended(self):
        table = Table("red yellow").reveal("buffalo")
        table.end()
        assert ignored(table.press("red hunter")) == "game over"

    def test_says_which_press_it_was(self):
        (ruling,) = Table("red yellow").press("red hunter", at_ms=7)
        assert isinstance(ruling, Ignored)
        assert (ruling.colour, ruling.role, ruling.t_ns) == ("red", "hunter", 7 * MS)

    def test_is_a_line_that_stands_and_an_undo_takes_back(self):
        table = Table("red yellow").reveal("buffalo")
        table.press("red hunter")
        table.press("red hunter")
        assert table.undo() == (Undone(line=4),)
        assert table.undo() == (Undone(line=3),)
        assert table.state.presses == ()


class TestIllegal:
    @pytest.mark.parametrize(("card", "count"), [("red chief", 2), ("red hunter", 3), ("teepee", 9), ("buffalo", 33)])
    def test_a_card_that_cannot_be_there_any_more(self, card, count):
        table = Table("red yellow").reveal(*[card] * count)
        before = table.state
        with pytest.raises(Illegal, match=f"the {card} cannot be there any more: the game has {count}"):
            table.reveal(card)
        assert table.state == before

    @pytest.mark.parametrize("card", ["red horse", "hunter", "Buffalo", "", "buffalo "])
    def test_a_card_that_there_is_not_is_malformed(self, card):
        with pytest.raises(Malformed, match=r"field `card`: .* is no card; allowed: red chief, .*, teepee"):
            Table("red yellow").reveal(card)

    def test_close_without_a_press(self):
        table = Table("red yellow")
        for _ in range(2):
            with pytest.raises(Illegal, match="nobody has pressed"):
                table.close()
            table.reveal("buffalo")

    def test_close_twice(self):
        table = Table("red yellow").reveal("red maiden", "necklace", "teepee")
        table.press("red maiden")
        table.close()
        for _ in range(2):
            with pytest.raises(Illegal, match="closed already"):
                table.close()
            if table.state.phase is RacePhase.CLOSED:
                table.settle()

    def test_judge_without_close(self):
        table = Table("red yellow")
        for act in (table.reveal, lambda: table.reveal("buffalo"), lambda: table.press("red hunter")):
            act()
            with pytest.raises(Illegal, match=r"^a Pow-Wow is judged after its `close`$"):
                table.settle()

    def test_end_in_the_middle_of_a_powwow(self):
        table = Table("red yellow").reveal("red maiden", "necklace", "teepee")
        table.press("red maiden")
        for act in (lambda: None, table.close, table.settle):
            act()
            assert not table.game.can_end(table.state)
            with pytest.raises(Illegal, match=r"^a Pow-Wow is going on; the game may end when it is settled$"):
                table.end()

    def test_end_before_and_after_a_powwow_stops_early(self):
        for cards in ((), ("red hunter", "buffalo")):
            table = Table("red yellow").reveal(*cards)
            assert table.game.can_end(table.state)
            table.end()
            assert table.game.is_over(table.state)

    @pytest.mark.parametrize("act", ["reveal", "close", "settle", "end", "claim"])
    def test_after_the_end_anything_but_undo_and_press(self, act):
        table = Table("red yellow").reveal("buffalo")
        table.end()
        arguments = {"reveal": ["teepee"], "claim": ["red", "booty"]}.get(act, [])
        with pytest.raises(Illegal, match="the game is over"):
            getattr(table, act)(*arguments)
        table.undo()
        assert table.reveal("teepee").face_up() == {"buffalo": 1, "teepee": 1}

    def test_a_line_of_another_game(self):
        game = find("apache")
        setup = Setup(
            record=2,
            match="0" * 32,
            game="apache",
            edition=1,
            seats=(Seat(Colour.RED), Seat(Colour.BLUE)),
            first=Colour.RED,
        )
        with pytest.raises(Illegal, match="Apache has no `setup`"):
            game.apply(game.start(setup), setup)


def test_race_tells_the_newest_card_and_its_time():
    table = Table("red yellow")
    race = table.game.race
    assert (race(table.state).card, race(table.state).takes_card, race(table.state).number) == (None, True, 1)
    table.judge.feed(Reveal(card="buffalo", t_ns=77))
    assert (race(table.state).card, race(table.state).card_t_ns, race(table.state).phase) == (
        "buffalo",
        77,
        RacePhase.OPEN,
    )
    table.race("yellow hunter")
    after = race(table.state)
    assert (after.phase, after.number, after.card, after.card_t_ns) == (RacePhase.WAITING, 2, None, None)
