"""A player's page: one line for whoever sits there, and what each button does now; never what is not to be seen yet."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from companion.core.errors import Illegal
from companion.core.panel import BUTTON_BY_LABEL, Colour
from companion.core.play.commands import (
    CloseRace,
    EndMatch,
    EnterCard,
    MakeProtest,
    NewMatch,
    PickItem,
    Player,
    SignResult,
    TakeBack,
)
from companion.core.shown.own_presses import OwnPress, Phone, PressFate
from companion.core.timing.events import MS
from companion.core.words.encoding import encode
from companion.games import registry
from companion.games.apache.lines import Claim
from companion.screens.everybody.public import public_state
from companion.screens.web import player as pages
from companion.screens.web.offers import secrets_document
from companion.testing.virtual_box import VirtualBox as AnyVirtualBox
from tests.adapters.web.salon import SALON
from tests.contract.everything import EVERYTHING
from tests.core.play.test_commands import Desk, two
from tests.core.play.virtual_box import VirtualBox, unfinished

RED, YELLOW, GREEN, BLUE, PURPLE = Colour


def me(box: Any, seat: Colour | None = RED, **others: Any) -> dict[str, Any]:
    """What that seat's page says now."""
    snapshot = box.session.snapshot(round(box.now_ms * MS))
    press = next((press for press in snapshot.own_presses if press.colour is seat), None)
    phone = Phone(**{"seat": seat, "press": press, **others})
    document = pages.player_document(public_state(snapshot), phone, secrets_document(snapshot, seat))
    decoded: dict[str, Any] = msgspec.json.decode(encode(document))
    return decoded


def line(box: Any, seat: Colour | None = RED, **others: Any) -> tuple[str, str, str]:
    found = me(box, seat, **others)
    return found["mood"], found["headline"], found["detail"]


def does(box: Any, seat: Colour | None = RED, **others: Any) -> list[str]:
    return [button["says"] for button in me(box, seat, **others)["buttons"]]


def racing(*presses: tuple[str, float], cards: tuple[str, ...] = ("red hunter", "buffalo")) -> Desk:
    box = two()
    for number, card in enumerate(cards):
        box.ask(EnterCard(card=card), 2000 + 200 * number)
    for label, at_ms in presses:
        box.press(label, at_ms)
    box.run(max((at_ms for _, at_ms in presses), default=2800) + 300)
    return box


def closed(*presses: tuple[str, float], cards: tuple[str, ...] = ("red hunter", "buffalo")) -> Desk:
    box = racing(*presses, cards=cards)
    if box.session.match is not None and box.session.match.stage.is_collecting:
        box.ask(CloseRace(), box.now_ms + 100)
    box.run(box.now_ms + 3000)
    return box


# -- without a seat ----------------------------------------------------------------------------------------------------


def test_before_the_first_state_it_asks_for_a_colour() -> None:
    found = pages.player_document(None, Phone())
    assert (found["seat"], found["mood"], found["headline"]) == (None, "guest", "Which colour do you play?")


def test_a_phone_that_asks_says_its_code_and_what_the_referee_does() -> None:
    assert line(two(), None, code="K7QF", asks=RED) == (
        "guest", "Phone K7QF asks for red", "Tell the referee this code: one tap lets you play.",
    )  # fmt: skip
    assert "Another phone plays red" in line(two(), None, code="K7QF", asks=RED, others=(RED,))[2]


def test_why_a_seat_was_lost_stands_there() -> None:
    assert line(two(), None, code="K7QF", note="Another phone plays red now.")[2] == "Another phone plays red now."


def test_the_colours_to_ask_for_are_those_of_the_match_with_who_has_them() -> None:
    found = me(two(), None, others=(YELLOW,))["colours"]
    assert [(one["colour"], one["says"]) for one in found] == [("red", ""), ("yellow", "another phone plays it")]
    assert len(me(Desk(start=False), None)["colours"]) == 5


# -- before a match ----------------------------------------------------------------------------------------------------


def test_before_a_match_any_button_sits_down() -> None:
    box = Desk(seats=(), start=False)
    assert line(box)[1] == "Sit down"
    assert does(box) == ["sit down"] * 4
    for colour in ("red", "yellow", "blue"):
        box.press(f"{colour} first", box.now_ms + 300)
        box.run(box.now_ms + 600)
    assert line(box) == ("wait", "You have a seat", "2 more sit. The referee begins the match.")
    assert does(box) == ["nothing now"] * 4


def test_a_match_that_was_cut_off_goes_on_by_any_button() -> None:
    first = racing()
    box = VirtualBox(unfinished=unfinished(first.lines))
    assert line(box)[1] == "Go on?"
    assert does(box) == ["go on"] * 4


def test_who_must_agree_is_asked_and_then_told_who_is_waited_for() -> None:
    box = Desk(start=False)
    box.ask(NewMatch(seats=(Player(colour=RED), Player(colour=YELLOW, allowance_ms=800))), 500)
    assert line(box) == ("choose", "Do you agree?", "YEL: −800 ms allowance. Any of your buttons agrees.")
    assert does(box) == ["agree"] * 4
    box.press("red first", box.now_ms + 500)
    box.run(box.now_ms + 900)
    assert line(box)[:2] == ("wait", "You agreed")
    assert "yellow" in line(box)[2]


def test_who_does_not_play_is_told_so() -> None:
    box = racing()
    assert line(box, PURPLE)[1] == "You look on"
    assert does(box, PURPLE) == ["nothing now"] * 4


# -- a race ------------------------------------------------------------------------------------------------------------


def test_between_races_it_says_whose_turn_it_is() -> None:
    box = racing(cards=())
    assert line(box, RED) == ("turn", "Your turn", "You turn the next card.")
    assert line(box, YELLOW) == ("wait", "Get ready", "Red turns the next card.")
    assert does(box) == ["chief", "warrior", "maiden", "hunter"]


def test_a_running_race_calls_for_a_press_and_then_says_taken() -> None:
    box = racing(("red hunter", 3000))
    assert line(box, RED) == ("taken", "Taken", "1st so far.")
    assert line(box, YELLOW) == ("open", "Press now", "Pow-Wow 1 is on.")
    assert does(box, RED) == ["nothing now"] * 3 + ["taken"]
    assert does(box, YELLOW) == ["chief", "warrior", "maiden", "hunter"]
    assert me(box)["press"] == {"number": 1, "fate": "counts"}
    assert me(box, YELLOW)["press"] is None


def test_taken_is_said_only_of_a_press_that_counts() -> None:
    box = racing(("red hunter", 3000), ("red chief", 3300))
    assert line(box)[:2] == ("late", "Already played")
    box.ask(CloseRace(), 3700)
    box.press("yellow chief", 4100)
    box.run(4500)
    assert line(box, YELLOW)[:2] == ("late", "Too late")


def test_the_place_with_its_uncertainty_and_the_ruling_follow() -> None:
    box = closed(("red hunter", 3000), ("yellow maiden", 3083))
    assert line(box, YELLOW) == (
        "bad", "2nd, +83.0 ms ±40 µs",
        "Punished: no yellow maiden is face up. You have no card to give up. You turn the next card.",
    )  # fmt: skip
    mood, headline, detail = line(box, RED)
    assert (mood, headline) == ("good", "1st")
    assert detail.startswith("You take red hunter, 1 buffalo.")
    assert me(box)["pile"] == "2 cards"


def test_no_verdict_is_said_before_it_is_durable() -> None:
    box = racing(("yellow maiden", 3000))
    box.store = False
    box.ask(CloseRace(), 3500)
    assert line(box, YELLOW) == ("wait", "1st", "It is being saved.")
    box.store = True
    box.run(box.now_ms + 300)
    assert line(box, YELLOW)[0] == "bad"


def test_a_second_press_hides_neither_the_place_nor_the_choice() -> None:
    box = racing(("red hunter", 3000), ("red chief", 3300), cards=("red hunter", "buffalo", "teepee"))
    box.ask(CloseRace(), 3700)
    box.press("red maiden", 4100)
    box.run(4400)
    assert line(box)[1] == "1st"
    box.run(7500)
    assert line(box)[1] == "Choose now"
    box.press("red hunter", 8000)
    box.run(8400)
    assert line(box)[:2] == ("late", "Nothing to do now")


def test_who_did_not_press_is_told() -> None:
    box = closed(("yellow maiden", 3000))
    assert line(box, RED)[2].startswith("You did not press.")


def test_a_dead_heat_is_said() -> None:
    box = Desk()
    box.ask(EnterCard(card="red hunter"), 2000)
    box.press("red hunter", 3000)
    box.press("yellow chief", 3000.03)
    box.run(3400)
    assert line(box, YELLOW)[2] == "2nd, +30 µs ±40 µs, dead heat so far."


def test_a_press_that_was_taken_back_is_told() -> None:
    box = racing(("red hunter", 3000))
    box.ask(TakeBack(reason="a bump", by="Ann", line=4), 3500)
    assert line(box)[:2] == ("late", "Taken back")


def test_the_game_of_order_has_no_card_to_wait_for() -> None:
    box = Desk(seats=("red", "yellow"), game="order")
    assert line(box) == ("open", "Ready", "The first press begins round 1.")
    box.press("red first", 2000)
    box.run(2300)
    assert line(box, YELLOW)[1:] == ("Press now", "Round 1 is on.")


# -- what is not to be seen yet ----------------------------------------------------------------------------------------


def test_the_own_press_is_told_while_the_rest_is_withheld_and_nothing_of_the_others() -> None:
    box = racing()
    before = box.session.snapshot(round(box.now_ms * MS))
    own = OwnPress(BUTTON_BY_LABEL["red fourth"], 1, PressFate.COUNTS, is_new=True)
    found = pages.player_document(public_state(before), Phone(seat=RED, press=own, is_ahead=True))
    assert (found["mood"], found["headline"]) == ("taken", "Taken")
    assert [button["says"] for button in found["buttons"]] == ["nothing now"] * 3 + ["taken"]
    other = pages.player_document(public_state(before), Phone(seat=YELLOW))
    assert other["headline"] == "Get ready"


def test_with_an_allowance_in_play_no_place_is_said_before_all_have_pressed() -> None:
    box = Desk(start=False)
    players = tuple(Player(colour=colour, allowance_ms=800 * (colour is BLUE)) for colour in (RED, YELLOW, BLUE))
    box.ask(NewMatch(seats=players), 500)
    for colour in ("red", "yellow", "blue"):
        box.press(f"{colour} first", box.now_ms + 500)
    box.run(box.now_ms + 900)
    box.ask(EnterCard(card="red hunter"), box.now_ms + 2000)
    at_ms = box.now_ms + 500
    box.press("red hunter", at_ms)
    box.press("yellow chief", at_ms + 50)
    box.run(at_ms + 500)
    assert line(box, YELLOW) == ("taken", "Taken", "The order is shown once blue pressed.")
    box.press("blue chief", at_ms + 900)
    box.run(at_ms + 1200)
    assert line(box, YELLOW)[1].startswith(("2nd", "3rd"))


# -- choices -----------------------------------------------------------------------------------------------------------


def test_a_choice_stands_on_the_buttons_of_its_seat_and_others_have_nothing() -> None:
    box = closed(("red hunter", 3000), cards=("red hunter", "buffalo", "teepee"))
    assert line(box, RED)[:2] == ("choose", "Choose now")
    assert does(box, RED) == ["1 buffalo", "1 teepee", "nothing now", "nothing now"]
    assert me(box, RED)["options"] == []
    assert line(box, YELLOW)[1] == "Wait"
    assert "Red chooses now" in line(box, YELLOW)[2]
    assert does(box, YELLOW) == ["nothing now"] * 4
    assert "RED takes" not in str(me(box, YELLOW))


def test_what_the_own_buttons_cannot_name_is_offered_to_be_tapped() -> None:
    box = two(variants=("wedding",))
    for number, card in enumerate(("red hunter", "buffalo", "teepee", "yellow maiden", "blue maiden")):
        box.ask(EnterCard(card=card), 2000 + 200 * number)
    box.press("red hunter", 4000)
    box.run(4300)
    box.ask(CloseRace(), 4400)
    box.run(7500)
    wedding = does(box).index("wedding") if "wedding" in does(box) else 2
    box.press(f"red {('chief', 'warrior', 'maiden', 'hunter')[wedding]}", 8000)
    box.run(8400)
    found = me(box)
    labels = [option["label"] for option in found["options"]]
    assert labels == ["yellow maiden", "blue maiden", "back"], found
    with pytest.raises(Illegal, match="not to be chosen any more"):
        box.ask(PickItem(seat=RED, item=0, label="blue maiden"), 8900)
    box.ask(PickItem(seat=RED, item=1, label="blue maiden"), 9000)
    assert me(box)["options"] == []
    assert box.lines[-1] == Claim(colour=RED, take="wedding", spouse="blue maiden")


def test_secret_choices_stand_on_the_buttons_of_their_seat_alone() -> None:
    box = AnyVirtualBox(("red", "yellow"), "salon", find=lambda _name: SALON, games=("salon",))
    box.run(2500)
    assert line(box)[:2] == ("choose", "Choose in secret")
    assert does(box) == ["cobalt moth", "saffron heron", "umber stoat", "nothing now"]
    assert does(box, YELLOW)[0] == "teal newt"
    assert "cobalt moth" not in str(me(box, YELLOW))


def test_a_number_is_counted_and_entered_by_the_own_buttons() -> None:
    box = AnyVirtualBox(("red", "yellow"), "salon", find=lambda _name: SALON, games=("salon",))
    box.run(2500)
    for label in ("red first", "yellow first"):
        box.press(label, box.now_ms + 500)
        box.run(box.now_ms + 900)
    assert line(box)[1:] == ("Choose now", "How much to pay.")
    assert does(box) == ["−1", "+1", "+10", "enter 0"]


def test_which_card_it_was_is_on_the_buttons_of_those_who_have_it() -> None:
    box = two()
    box.press("red hunter", 2000)
    box.run(6500)
    assert line(box)[2].startswith("Which card was it?")
    assert does(box)[3] == "it was red hunter"


# -- the end -----------------------------------------------------------------------------------------------------------


def test_the_end_says_who_won_and_asks_to_accept() -> None:
    box = closed(("red hunter", 3000))
    box.ask(EndMatch(), box.now_ms + 500)
    box.run(box.now_ms + 500)
    assert line(box, RED) == ("good", "You win", "Accept the result, or protest.")
    assert line(box, YELLOW) == ("over", "The match is over", "Red wins. Accept the result, or protest.")
    assert does(box) == ["accept the result"] * 4
    box.ask(MakeProtest(colour=YELLOW), box.now_ms + 500)
    assert "protest" in line(box, RED)[2]
    assert does(box) == ["nothing now"] * 4


def test_who_accepted_is_told_so() -> None:
    box = closed(("red hunter", 3000))
    box.ask(EndMatch(), box.now_ms + 500)
    box.ask(SignResult(colour=RED), box.now_ms + 500)
    box.run(box.now_ms + 300)
    assert line(box, RED)[2] == "You accepted the result."


@pytest.mark.parametrize("fate", list(PressFate))
def test_each_fate_has_its_words_and_only_what_counts_is_taken(fate: PressFate) -> None:
    assert (pages.PRESS_SAYS[fate] == "Taken") == (fate in (PressFate.COUNTS, PressFate.WAITS))
    is_well = fate in (PressFate.COUNTS, PressFate.WAITS, PressFate.ANSWERS, PressFate.FACE_DOWN)
    assert is_well or pages.PRESS_WHY[fate].endswith(".")


def test_the_line_fits_a_phone() -> None:
    """What stands on top has two lines of about 26 letters, and what is below it three of about 45."""
    box = closed(("red hunter", 3000), ("yellow maiden", 3083))
    for seat in (RED, YELLOW):
        _, headline, detail = line(box, seat)
        assert len(headline) <= 40
        assert len(detail) <= 120


# -- the card that was turned ------------------------------------------------------------------------------------------


def test_whose_turn_it_is_may_enter_the_card_and_nobody_else() -> None:
    box = two()
    box.run(2500)
    assert (me(box, RED)["enters"], me(box, YELLOW)["enters"], me(box, None)["enters"]) == (True, False, False)
    box.ask(EndMatch(), 3000)
    assert me(box, RED)["enters"] is False


def test_the_box_asks_whoever_turned_the_card_which_it_was() -> None:
    box = closed(("yellow hunter", 3000), cards=())
    assert line(box, RED) == ("choose", "Closed", "Which card was it? Enter it below.")
    assert line(box, YELLOW)[2] == "Which card was it? It is entered now."
    assert line(box, YELLOW)[0] == "wait"


# -- what is asked of several at once, and on more buttons than the game has -------------------------------------------


def everything(*variants: str) -> AnyVirtualBox:
    box = AnyVirtualBox(
        ("red", "yellow"), "everything", find=lambda _name: EVERYTHING, games=("everything",), variants=variants
    )
    box.run(2500)
    return box


def test_a_seat_that_must_choose_too_is_not_told_to_wait_for_the_one_on_the_display() -> None:
    box = everything("open-bids")
    assert line(box, YELLOW) == ("choose", "Choose now", "Your bid. Army chooses too.")
    assert [option["label"] for option in me(box, YELLOW)["options"]] == ["0", "1", "2", "3"]
    assert does(box, YELLOW) == ["Your bid"] * 3
    box.press("yellow second", 3000)
    box.run(3300)
    assert does(box, YELLOW) == ["0", "1", "2", "3"]
    assert line(box, RED)[2] == "Your bid. Navy chooses too."


def test_what_is_entered_by_a_button_that_the_game_does_not_name_is_on_the_phone_all_the_same() -> None:
    box = everything()
    box.press("red left", 3000)
    box.press("yellow grab", 3500)
    box.run(4000)
    assert does(box, YELLOW) == ["−1", "+1", "+10", "enter 1"]


def test_a_press_that_does_nothing_any_more_hides_not_how_the_match_has_ended() -> None:
    box = AnyVirtualBox(("red", "yellow"), "salon", find=lambda _name: SALON, games=("salon",))
    box.command(EndMatch())
    box.run(1300)
    assert line(box)[1] in ("You win", "You share the victory", "The match is over")
    box.press("red first", 1400)
    box.run(1500)
    assert box.session.match is not None
    assert line(box)[1] != "Nothing to do now"


def test_a_button_that_means_something_else_in_a_later_field_is_not_drawn_as_in_the_first() -> None:
    """How many tiles lie on each ground, then which: the button of "buffalo" is, behind "tipi", that of "tipi 2"."""
    box = AnyVirtualBox(("red", "yellow"), "big-manitou", find=registry.find, games=("big-manitou",))
    for _ in range(3):
        box.press("red first", box.now_ms + 100)
        box.run(box.now_ms + 600)
    assert [(one["says"], one["symbol"]) for one in me(box)["buttons"]][:2] == [
        ("tipi", "tipi"),
        ("buffalo", "buffalo"),
    ]
    box.press("red first", box.now_ms + 100)
    box.run(box.now_ms + 600)
    pictures = {one["says"]: one["symbol"] for one in me(box)["buttons"]}
    assert (pictures["tipi 2"], pictures["tipi 3"]) == (None, None)


def test_a_prompt_that_asks_already_is_not_asked_for_once_more() -> None:
    box = AnyVirtualBox(("red", "blue"), "les-apaches", find=registry.find, games=("les-apaches",))
    box.run(2500)
    assert line(box)[2] == "Red takes a hideout: which?"
    for number in range(12):
        box.press("blue first" if number % 2 else "red first", box.now_ms + 100)
        box.run(box.now_ms + 600)
    assert line(box)[2] == "Red does what?"


def test_before_all_are_ready_each_is_told_what_for() -> None:
    box = AnyVirtualBox(("red", "yellow"), "big-manitou", find=registry.find, games=("big-manitou",))
    for _ in range(9):
        box.press("red first", box.now_ms + 100)
        box.run(box.now_ms + 600)
    assert line(box) == ("open", "Ready?", "Red chooses 7.")
    assert line(box, YELLOW) == ("open", "Ready?", "Yellow chooses 8.")
    box.press("red fourth", box.now_ms + 100)
    box.run(box.now_ms + 600)
    assert line(box)[1] == "Ready"
