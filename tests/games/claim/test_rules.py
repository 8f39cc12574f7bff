"""The rules of game files one by one: what comes along, moves, choices, who is last, who turns, when it is over."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal, Malformed
from companion.core.record.lines import Anticipation, ChanceLine, Close, JudgeLine, Line, Restart, Reveal
from companion.core.ruling.race import Race, RacePhase
from companion.core.ruling.rulings import Ignored
from companion.games.claim import GAME
from companion.games.claim.lines import PressSettled
from companion.games.claim.state import State
from tests.games.claim.games import FILES
from tests.games.claim.table import Table, lost, moves, outcome_of, results, resumes, whys

ALL = '[game]\nformat = 1\ntitle = "T"\n'
CARDS = '[[card]]\nname = "{s} {n}"\neach = { s = ["a", "b"], n = [1, 2, 3] }\ncopies = 2\n'
HAND = '[[hand]]\nname = "x"\n'


def game(take: str, *more: str) -> str:
    """One hand, "x", and one choice, "t", on a common table."""
    return "\n".join([ALL, CARDS, HAND, '[[take]]\nname = "t"', take, *more])


# -- the games that come along


def test_five_of_a_fruit_the_bell_takes_every_pile_and_the_next_one_gets_nothing() -> None:
    table = Table(FILES["fruits"]).reveal("3 banana", "2 banana", "4 plum")
    done = table.race("yellow bell", "red bell")
    assert results(done) == [("yellow", "claimed"), ("red", "nothing")]
    assert moves(done, "yellow") == [
        ("pile yellow", "stock yellow", ("2 banana",), 1),
        ("pile green", "stock yellow", ("4 plum",), 1),
        ("pile red", "stock yellow", ("3 banana",), 1),
    ]
    assert [table.stock(colour) for colour in ("red", "yellow", "green")] == [18, 21, 17]
    assert resumes(done) == "yellow"


def test_four_or_six_of_a_fruit_are_wrong_and_cost_a_card_to_each_other() -> None:
    table = Table(FILES["fruits"]).reveal("3 banana", "1 banana", "4 plum")
    done = table.race("green bell")
    assert whys(done) == ["no fruit is there five times"]
    assert moves(done, "green") == [("stock green", "stock red", (), 1), ("stock green", "stock yellow", (), 1)]
    assert whys(table.reveal("3 plum", "2 banana").race("red bell")) == ["no fruit is there five times"]


def test_snap_takes_only_the_piles_whose_tops_are_alike() -> None:
    table = Table(FILES["snap"]).reveal("ace of hearts", "2 of clubs", "ace of spades", "3 of clubs", "2 of hearts")
    done = table.race("red snap")
    assert whys(done) == ["no two piles are alike"]
    table.reveal("3 of spades")
    done = table.race("blue snap") if "blue" in table.state.terms.colours else table.race("green snap")
    assert moves(done, "green") == [
        ("pile green", "stock green", ("3 of spades", "ace of spades"), 2),
        ("pile red", "stock green", ("3 of clubs", "ace of hearts"), 2),
    ]
    assert table.pack("pile", "yellow") == ["2 of clubs", "2 of hearts"]


def test_snap_goes_on_with_the_pile_turned_over() -> None:
    table = Table(FILES["snap"], "red yellow")
    table.set("stock red", 1)
    table.reveal("ace of hearts", "2 of clubs")
    assert (table.stock("red"), table.turns()) == (0, "red")
    table.reveal("ace of hearts")
    assert (table.stock("red"), table.pack("pile", "red")) == (0, ["ace of hearts"])


def test_spoons_a_letter_for_whoever_did_not_press_or_else_for_the_last() -> None:
    table = Table(FILES["spoons"])
    assert lost(table.race("red grab", "green grab")) == [("yellow", "missing")]
    done = table.race("green grab", "yellow grab", "red grab")
    assert results(done) == [("green", "claimed"), ("yellow", "claimed"), ("red", "nothing")]
    assert lost(done) == [("red", "last")]
    assert resumes(done) is None
    assert table.points() == {"red": 1, "yellow": 1, "green": 0}
    assert outcome_of(table.state).leaders == ("green",)


def test_spoons_are_over_with_five_letters() -> None:
    table = Table(FILES["spoons"])
    for _ in range(5):
        assert not GAME.is_exhausted(table.state)
        table.race("red grab", "green grab")
    assert GAME.is_exhausted(table.state)
    assert [ruling.reason for ruling in table.press("red grab") if isinstance(ruling, Ignored)] == ["closed"]
    table.set("points yellow", 4)
    assert table.state.phase is RacePhase.OPEN
    assert table.press("red grab") == ()


def test_totem_whoever_shows_the_same_shape_gets_the_pile_of_the_faster_one_and_the_pot() -> None:
    table = Table(FILES["totem"]).reveal("all in")
    assert moves(table.race("red grab"), "red") == [("pile red", "pot", ("all in",), 1)]
    table.reveal("black moon", "white moon", "black eye")
    done = table.race("red grab", "green grab", "yellow grab")
    assert whys(done) == ["nobody is like you", None, None]
    assert moves(done, "red") == [
        ("pile red", "stock red", ("black eye",), 1),
        ("pile yellow", "stock red", ("black moon",), 1),
        ("pile green", "stock red", ("white moon",), 1),
        ("pot", "stock red", ("all in",), 1),
    ]
    assert results(done)[1:] == [("green", "nothing"), ("yellow", "nothing")]


def test_totem_with_two_rivals_the_faster_one_chooses() -> None:
    table = Table(FILES["totem"]).reveal("black moon", "white moon", "brown moon")
    table.race("yellow grab")
    assert table.offered() == [("by shape", "green"), ("by shape", "red")]
    done = table.claim("yellow", "by shape", rival="red")
    assert moves(done, "yellow") == [("pile yellow", "stock red", ("white moon",), 1)]


def test_totem_while_a_rainbow_lies_on_top_inks_count() -> None:
    table = Table(FILES["totem"], "red yellow green").reveal("black moon", "black web", "rainbow")
    done = table.race("red grab", "green grab")
    assert whys(done) == [None, "nobody is like you"]
    assert moves(done, "red") == [("pile red", "stock yellow", ("black moon",), 1)]


def test_slap_the_jack_takes_the_heap() -> None:
    table = Table(FILES["first"]).reveal("ace of hearts", "jack of clubs")
    done = table.race("green slap")
    assert table.pack("won", "green") == ["jack of clubs", "ace of hearts"]
    assert resumes(done) == "green"
    assert whys(table.reveal("king of clubs").race("green slap")) == ["that is no jack"]
    assert table.pack("out") == ["ace of hearts", "jack of clubs"]


# -- moves


def test_cards_are_taken_from_the_top_and_put_on_the_top_one_by_one() -> None:
    text = game('move = [{ from = "table", to = "won of me", number = 2 }]')
    table = Table(text).reveal("a 1", "a 2", "b 3")
    table.race("red x")
    assert table.pack("won", "red") == ["b 3", "a 2"]
    assert table.pack("table") == ["a 1"]


@pytest.mark.parametrize(
    ("ends", "won"),
    [
        ("", ["a 1", "b 3", "a 2"]),
        ('end = "bottom"', ["a 1", "b 1", "a 2"]),
        ('on = "bottom"', ["a 2", "b 3", "a 1"]),
        ('end = "bottom", on = "bottom"', ["a 2", "b 1", "a 1"]),
    ],
)
def test_both_ends_of_source_and_destination(ends: str, won: list[str]) -> None:
    more = f", {ends}" if ends else ""
    first = '{ from = "table", cards = "n = 1 and s = a", to = "won of me" }'
    text = game(f'move = [{first}, {{ from = "table", to = "won of me", number = 2{more} }}]')
    table = Table(text).reveal("b 1", "a 1", "a 2", "b 3")
    if "end" in more:
        table = Table(text).reveal("b 1", "a 2", "a 1", "b 3")
    table.race("red x")
    assert table.pack("won", "red") == won


def test_a_move_passes_over_other_cards_and_gives_what_there_is() -> None:
    text = game('move = [{ from = "table", cards = "s = a", number = 5, to = "won of me" }]')
    table = Table(text).reveal("a 1", "b 1", "a 2", "b 2")
    table.race("red x")
    assert (table.pack("won", "red"), table.pack("table")) == (["a 2", "a 1"], ["b 1", "b 2"])


def test_least_is_how_many_must_be_there_for_the_choice_to_be_open() -> None:
    text = game('move = [{ from = "table", cards = "s = a", least = 2, to = "won of me" }]')
    table = Table(text).reveal("a 1", "b 1")
    assert whys(table.race("red x")) == ["nothing to take"]
    assert whys(table.reveal("a 2").race("red x")) == [None]


def test_what_others_give_comes_clockwise_from_the_presser() -> None:
    text = game(
        'move = [{ from = "table", to = "won of next" }, { from = "won of others", number = 1, to = "won of me" }]'
    )
    table = Table(text).reveal("a 1")
    table.race("green x")
    assert table.pack("won", "green") == ["a 1"]  # it went to red, who is next, and came back
    done = table.reveal("a 2", "a 3").race("red x")
    assert moves(done, "red") == [
        ("table", "won yellow", ("a 3", "a 2"), 2), ("won yellow", "won red", ("a 2",), 1),
        ("won green", "won red", ("a 1",), 1),
    ]  # fmt: skip


def test_a_wrong_one_s_cards_go_to_whoever_was_right_first_even_before_the_turn() -> None:
    text = game('when = "me != red"\nmove = [{ from = "table", to = "won of me", least = 1 }]',
                '[wrong]\nmove = [{ from = "won of me", to = "won of winner", number = 1 }]')  # fmt: skip
    table = Table(text).reveal("a 1")
    table.race("yellow x")
    table.reveal("a 2").race("red x", "green x")
    assert table.pack("won", "green") == ["a 2"]
    table.reveal("a 3")
    assert moves(table.race("red x"), "red") == []
    done = Table(text.replace("me != red", "me != yellow"))
    done.reveal("b 1").race("red x")
    done.reveal("b 2").race("yellow x", "red x")
    assert done.pack("won", "red") == ["b 1", "b 2"]


def test_points_are_added_and_taken_off() -> None:
    text = game("when = 'count() > 1'\npoints = 3", "[wrong]\npoints = -2")
    table = Table(text).reveal("a 1")
    table.race("red x")
    table.reveal("a 2").race("red x", "green x")
    assert table.points() == {"red": 1, "yellow": 0, "green": 3}


# -- choices


PICK = 'move = [{ from = "table", pick = true, cards = "s = a", to = "won of me" }]'


def test_a_pick_is_offered_once_for_each_different_card_in_the_file_s_order() -> None:
    table = Table(game(PICK)).reveal("a 3", "a 1", "b 1", "a 3")
    table.race("red x")
    assert table.offered() == [("t", "a 1"), ("t", "a 3")]
    table.claim("red", "t", picked="a 3")
    assert table.pack("table") == ["a 3", "a 1", "b 1"]  # the one nearest to the top went


def test_a_single_choice_is_taken_without_asking() -> None:
    table = Table(game(PICK)).reveal("a 3", "b 1", "a 3")
    assert results(table.race("red x")) == [("red", "claimed")]


def test_right_is_judged_before_anything_is_taken_and_claimed_at_the_turn() -> None:
    table = Table(game(PICK)).reveal("a 3", "a 1")
    assert whys(table.race("red x", "green x", "yellow x")) == [None, None, None]
    done = table.claim("red", "t", picked="a 1")
    assert results(done) == [("red", "claimed"), ("green", "claimed"), ("yellow", "nothing")]


def test_a_card_that_comes_late_counts_for_everybody_in_the_race() -> None:
    table = Table(game(PICK)).reveal("b 1")
    table.press("red x")
    table.reveal("a 2")
    table.press("green x")
    table.feed(Close())
    assert whys(table.feed(JudgeLine())) == [None, None]


def test_what_is_not_on_offer_is_refused() -> None:
    table = Table(game(PICK)).reveal("a 3", "a 1", "b 1")
    with pytest.raises(Illegal, match="nobody has anything to choose now"):
        table.claim("red", "t")
    table.race("red x", "green x")
    with pytest.raises(Malformed, match="'u' is nothing to take; allowed: t"):
        table.claim("red", "u")
    with pytest.raises(Malformed, match="'c 1' is no card"):
        table.claim("red", "t", picked="c 1")
    with pytest.raises(Illegal, match="it is red's turn to choose, not green's"):
        table.claim("green", "t", picked="a 1")
    with pytest.raises(Illegal, match="that is not one choice; there is: t a 1, t a 3"):
        table.claim("red", "t")
    with pytest.raises(Illegal, match="that is not on offer; there is: t a 1, t a 3"):
        table.claim("red", "t", picked="b 1")
    with pytest.raises(Illegal, match="not on offer"):
        table.claim("red", "t", picked="a 1", rival="green")


# -- the last, the turn, the end


@pytest.mark.parametrize(
    ("who", "presses", "last"),
    [
        ("last", "red green", [("green", "last")]),
        ("last", "red", []),
        ("last", "red green yellow", [("yellow", "last")]),
        ("missing", "red green", [("yellow", "missing")]),
        ("missing", "green yellow red", []),
        ("missing", "green", [("red", "missing"), ("yellow", "missing")]),
        ("slowest", "red green", [("yellow", "missing")]),
        ("slowest", "green yellow red", [("red", "last")]),
    ],
)
def test_who_is_last(who: str, presses: str, last: list[tuple[str, str]]) -> None:
    table = Table(game("points = 0", f"[last]\nwho = '{who}'\npoints = -1")).reveal("a 1")
    done = table.race(*(f"{colour} x" for colour in presses.split()))
    assert lost(done) == last
    assert {colour for colour, points in table.points().items() if points < 0} == {colour for colour, _ in last}


def test_nobody_is_last_where_every_press_was_wrong() -> None:
    table = Table(game("when = 'no'", "[last]\nwho = 'missing'\npoints = -1")).reveal("a 1")
    assert lost(table.race("red x")) == []


@pytest.mark.parametrize(("after", "turns"), [("last", "yellow"), ("winner", "green"), ("next", "yellow")])
def test_who_turns_next(after: str, turns: str) -> None:
    text = game("when = 'me = green'", f"[turn]\nafter = '{after}'")
    table = Table(text, "red yellow green").reveal("a 1")
    assert resumes(table.race("red x", "green x", "yellow x")) == turns
    table = Table(text, "red yellow green").reveal("a 1", "a 2")
    expected = {"last": "red", "winner": "green", "next": "green"}[after]
    assert resumes(table.race("yellow x", "red x")) == expected


def test_whoever_has_no_card_left_is_passed_over() -> None:
    table = Table(FILES["fruits"])
    table.set("stock yellow", 0)
    table.reveal("1 lime")
    assert table.turns() == "green"
    for colour in ("red", "green"):
        table.set(f"stock {colour}", 0)
    with pytest.raises(Illegal, match="nobody has a card left to turn"):
        table.reveal("1 lime")


def test_cards_dealt_out_go_round_from_the_first_seat_on() -> None:
    table = Table(FILES["fruits"], "red yellow green", first="green")
    assert [table.stock(colour) for colour in ("red", "yellow", "green")] == [19, 18, 19]


def test_a_number_of_cards_is_dealt_and_the_rest_is_out_of_play() -> None:
    table = Table(FILES["duels"], "red yellow")
    outcome = outcome_of(table.state)
    assert (outcome.stock, outcome.unseen, outcome.out) == ({"red": 7, "yellow": 7}, 14, 33)


def test_no_more_cards_than_the_file_says() -> None:
    table = Table(game("points = 1", "[end]\nreveals = 2")).reveal("a 1", "a 2")
    with pytest.raises(Illegal, match="all 2 cards"):
        table.reveal("a 3")
    assert not GAME.is_exhausted(table.state)  # a last race may come
    table.race("red x")
    assert GAME.is_exhausted(table.state)


def test_over_when_somebody_has_enough_points() -> None:
    table = Table(game("points = 2", "[end]\npoints = 3")).reveal("a 1")
    table.race("red x")
    table.reveal("a 2").race("red x")
    assert GAME.is_exhausted(table.state)
    with pytest.raises(Illegal, match="the game is done"):
        table.reveal("a 3")
    table.set("points red", 2)
    table.reveal("a 3")


def test_over_when_somebody_has_nothing_left_though_not_before_the_first_race() -> None:
    table = Table(game("move = [{ from = 'table', to = 'won of me' }]", "[end]\nempty = 'won'")).reveal("a 1", "a 2")
    assert not GAME.is_exhausted(table.state)
    table.race("red x")
    assert GAME.is_exhausted(table.state)


def test_over_when_all_but_one_have_nothing_left() -> None:
    more = ["[end]\nempty = 'won'\nwho = 'others'"]
    table = Table(game("move = [{ from = 'table', to = 'won of me' }]", *more), "red yellow green")
    table.reveal("a 1").race("red x")
    assert GAME.is_exhausted(table.state)  # red alone has any
    table = Table(game("move = [{ from = 'table', to = 'won of me', number = 1 }]", *more), "red yellow green")
    table.reveal("a 1", "a 2").race("red x", "yellow x")
    assert not GAME.is_exhausted(table.state)


def test_of_three_that_are_alike_only_the_first_grab_decides() -> None:
    table = Table(FILES["totem"], "red yellow green").reveal("black ring", "white ring", "brown ring")
    done = table.race("red grab", "yellow grab")
    assert results(done) == [] or results(done)[0][0] == "red"
    done += table.claim("red", "by shape", rival="yellow")
    assert results(done) == [("red", "claimed"), ("yellow", "nothing")]
    settled = next(ruling for ruling in done if isinstance(ruling, PressSettled) and ruling.result == "claimed")
    assert (settled.moved(), settled.note()) == ((), "black ring to yellow")


def test_what_a_wrong_grab_brings_is_not_told_as_given_up() -> None:
    table = Table(FILES["totem"], "red yellow green").reveal("black ring", "white moon")
    (settled,) = [one for one in table.race("red grab") if isinstance(one, PressSettled)]
    assert settled.result == "punished"
    assert (settled.moved(), settled.note()) == (("black ring",), "white moon to red")


def test_a_pair_and_a_sandwich_on_one_heap_are_slapped() -> None:
    table = Table(FILES["slaps"], "red yellow green").reveal("ace of hearts", "2 of hearts", "2 of spades")
    done = table.race("yellow slap", "red slap")
    assert results(done) == [("yellow", "claimed"), ("red", "nothing")]
    assert table.stock("yellow") == 17 - 1 + 3
    table.reveal("ace of spades", "3 of hearts", "ace of clubs")
    assert results(table.race("green slap")) == [("green", "claimed")]
    table.reveal("4 of spades", "5 of spades", "6 of spades", "4 of clubs")
    assert results(table.race("green slap")) == [("green", "punished")]


# -- what is refused, ignored, set by hand


def test_cards_that_cannot_be_there_any_more() -> None:
    table = Table(game("points = 1")).reveal("a 1", "a 1")
    with pytest.raises(Illegal, match="the a 1 cannot be there any more: none of the 2 is face down"):
        table.reveal("a 1")
    with pytest.raises(Malformed, match="'c 9' is no card"):
        table.reveal("c 9")
    once = Table(FILES["snap"]).reveal("ace of hearts")
    with pytest.raises(Illegal, match="it lies face up, or is out of the game"):
        once.reveal("ace of hearts")


def test_a_card_that_was_taken_face_down_may_come_again() -> None:
    table = Table(FILES["fruits"]).reveal("5 lime")
    with pytest.raises(Illegal):
        table.reveal("5 lime")
    table.race("red bell")
    table.reveal("5 lime")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (Close(), "nobody has pressed"),
        (JudgeLine(), "a race is judged after its `close`"),
        (ChanceLine(name="die", n=1, by="hand", result=("1",)), "no 'die' is to be rolled"),
    ],
)
def test_lines_out_of_their_turn(line: Line, says: str) -> None:
    with pytest.raises(Illegal, match=says):
        Table(game("points = 1")).reveal("a 1").feed(line)


def test_what_a_race_forbids() -> None:
    table = Table(game(PICK)).reveal("a 1", "a 2")
    table.press("red x")
    with pytest.raises(Illegal, match="a race is going on"):
        table.end()
    table.feed(Close())
    with pytest.raises(Illegal, match="closed already"):
        table.feed(Close())
    table.feed(JudgeLine())
    with pytest.raises(Illegal, match="a race is being settled"):
        table.reveal("a 3")
    with pytest.raises(Illegal, match="a race is going on"):
        table.end()
    table.claim("red", "t", "a 1")
    table.end()
    with pytest.raises(Illegal, match="the game is over"):
        table.reveal("a 3")


def test_no_card_is_revealed_in_a_game_without_cards() -> None:
    with pytest.raises(Malformed, match="is no card; allowed: none"):
        Table(FILES["spoons"]).reveal("a 1")


def test_presses_that_do_not_count() -> None:
    table = Table(game("points = 1"))
    reasons = [table.press("red x"), table.reveal("a 1").press("blue x")]
    table.press("red x")
    reasons.append(table.press("red x"))
    table.feed(Close(t_ns=table.now_ns + 5))
    reasons += [table.press("green x"), table.press("red x", at_ms=1000)]
    table.feed(JudgeLine())
    reasons.append(table.press("green x"))
    table.end()
    reasons.append(table.press("green x"))
    assert [ruling.reason for found in reasons for ruling in found if isinstance(ruling, Ignored)] == [
        "nothing revealed", "not playing", "already played", "closed", "already played", "closed", "game over",
    ]  # fmt: skip


def test_a_hand_that_the_file_does_not_have_is_malformed() -> None:
    with pytest.raises(Malformed, match="'y' is not a role; allowed: x"):
        Table(game("points = 1")).reveal("a 1").press("red y")


@pytest.mark.parametrize(("rule", "why"), [("flag", None), ("punish", "anticipated")])
def test_a_press_too_soon_after_the_card_that_made_it_right(rule: str, why: str | None) -> None:
    text = game("when = 'newest(n) = 2 and count() > 0'")
    table = Table(text, anticipation=Anticipation(rule, 100)).turn("a 1", 1000).turn("a 2", 2000)  # type: ignore[arg-type]
    table.press("red x", at_ms=2050)
    table.press("green x", at_ms=2150)
    table.feed(Close())
    (order, *_) = table.feed(JudgeLine())
    assert [(place.why, place.anticipated) for place in order.order] == [(why, True), (None, False)]  # type: ignore[attr-defined]


def test_nobody_was_too_soon_with_what_was_right_before_the_card_or_after_a_restart() -> None:
    text = game("when = 'count(n = 2) > 0'")
    for is_restarted in (False, True):
        table = Table(text, anticipation=Anticipation("punish", 100))
        table.turn("a 1" if is_restarted else "a 2", 1000).turn("a 2", 2000)
        if is_restarted:
            table.feed(Restart())
        table.press("red x", at_ms=2050)
        table.feed(Close())
        assert whys(table.feed(JudgeLine())) == [None]


def test_what_can_be_set_by_hand_is_what_the_box_cannot_know() -> None:
    keys = [one.key for one in GAME.adjustable(Table(FILES["fruits"], "red blue").state)]
    assert keys == ["stock red", "stock blue", "turn"]
    keys = [one.key for one in GAME.adjustable(Table(FILES["spoons"]).state)]
    assert keys == ["points red", "points yellow", "points green"]
    table = Table(FILES["fruits"], "red blue")
    table.set("stock red", 20)
    assert [one.high for one in GAME.adjustable(table.state)] == [28, 36, 2]
    table.set("stock blue", 36)
    table.set("turn", 2)
    assert table.turns() == "blue"
    for what, value in (("stock red", 29), ("turn", 3), ("points red", 1), ("stock green", 1)):
        with pytest.raises(Illegal):
            table.set(what, value)
    table.reveal("1 lime").press("red bell")
    with pytest.raises(Illegal):
        table.set("turn", 1)


def race_of(state: State) -> Race:
    race = GAME.race(state)
    assert race is not None
    return race


def test_reveals_are_told_with_their_time() -> None:
    table = Table(game("points = 1")).turn("a 1", 1500)
    race = race_of(table.state)
    assert (race.card, race.card_t_ns, race.takes_card) == ("a 1", 1_500_000_000, True)
    assert table.feed(Reveal(card="a 2")) == ()
    assert race_of(table.state).card_t_ns is None
