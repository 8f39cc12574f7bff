"""The readable account of a record (`record.md`, Lines out). Whole accounts: see tests/replay."""

import json

import pytest

from companion.core.ruling.rulings import Fault
from companion.games.registry import find
from companion.screens.text.account import Account, replay_account

SETUP = {
    "type": "setup", "record": 2, "match": "0" * 32, "game": "apache", "edition": 1,
    "seats": [{"colour": "red"}, {"colour": "yellow"}, {"colour": "green"}], "first": "red",
}  # fmt: skip
CLOSE, JUDGE, END, UNDO = ({"type": name} for name in ("close", "judge", "end", "undo"))


def reveal(*cards):
    return [{"type": "reveal", "card": card} for card in cards]


def press(colour, role, t_ns, error_ns=20_000):
    return {"type": "press", "colour": colour, "role": role, "t_ns": t_ns, "error_ns": error_ns}


def told(*lines, setup=SETUP):
    return list(replay_account([json.dumps(line).encode() for line in (setup, *lines)], find))


def test_says_who_was_first_and_by_how_much_with_the_uncertainty_of_the_gap():
    sentences = told(
        *reveal("red hunter", "buffalo"),
        press("yellow", "hunter", 1_000_000_000),
        press("red", "hunter", 1_083_000_499, 1_000),
        CLOSE,
        JUDGE,
    )
    assert "Pow-Wow 1: yellow was first, red 83.000 ± 0.021 ms later." in sentences
    assert "  2. red hunter, 83.000 ± 0.021 ms later" in sentences


def test_rounds_to_the_nearest_microsecond_without_floats():
    late = press("green", "chief", 2**62 + 1_501, 499)
    sentences = told(*reveal("buffalo"), press("red", "chief", 1, 0), late, CLOSE, JUDGE)
    assert "Pow-Wow 1: red was first, green 4611686018427.389 ± 0.000 ms later." in sentences


def test_names_dead_heats():
    sentences = told(*reveal("buffalo"), press("red", "hunter", 100), press("green", "hunter", 40_100), CLOSE, JUDGE)
    assert "Pow-Wow 1: red is placed before green, too close to call (0.040 ± 0.040 ms later)." in sentences
    assert sum("dead heat" in sentence for sentence in sentences) == 2


def test_says_why_somebody_was_punished_and_what_was_lost():
    sentences = told(
        *reveal("red hunter", "buffalo"), press("red", "hunter", 1), CLOSE, JUDGE,
        *reveal("necklace"), press("red", "maiden", 2), press("green", "warrior", 3), CLOSE, JUDGE,
    )  # fmt: skip
    assert (
        "red (maiden) is punished, because no red maiden is face up, and gives up 1 buffalo, red hunter." in sentences
    )
    assert "green (warrior) is punished, because no green warrior is face up, and has no card to give up." in sentences


def test_says_that_there_was_nothing_to_claim():
    sentences = told(*reveal("red hunter"), press("red", "hunter", 1), CLOSE, JUDGE)
    assert "  1. red hunter, punishable: nothing lies there that a hunter could claim" in sentences


def test_says_who_takes_what_card_by_card_and_who_reveals_next():
    sentences = told(
        *reveal("red hunter", "buffalo", "buffalo", "green hunter"),
        press("red", "hunter", 1), press("green", "hunter", 2), CLOSE, JUDGE,
    )  # fmt: skip
    assert "red (hunter) claims the usual booty: red hunter, 2 buffalo (3 cards)." in sentences
    assert "green (hunter) gets nothing: others were faster." in sentences
    assert "green reveals next." in sentences


def test_tells_ignored_presses_and_undone_lines_with_who_and_why():
    lines = [
        press("red", "hunter", 1),
        press("blue", "hunter", 1),
        *reveal("buffalo"),
        press("red", "hunter", 2),
        UNDO | {"by": "Ann", "reason": "leaned on it"},
        UNDO,
    ]
    sentences = told(*lines)
    assert "red hunter does not count: nothing revealed." in sentences
    assert "blue hunter does not count: not playing." in sentences
    assert 'Line 5, "red plays hunter", is taken back (by Ann, leaned on it).' in sentences
    assert 'Line 4, "revealed: buffalo", is taken back.' in sentences


@pytest.mark.parametrize(
    ("lines", "what"),
    [
        ([CLOSE, UNDO], "no more presses are taken"),
        ([CLOSE, JUDGE, {"type": "claim", "colour": "red", "take": "booty"}, UNDO], "red chooses the usual booty"),
    ],
)
def test_names_what_an_undo_took_back(lines, what):
    sentences = told(*reveal("red hunter", "buffalo", "teepee"), press("red", "hunter", 1), *lines)
    assert any(f'"{what}", is taken back.' in sentence for sentence in sentences)


def test_tells_who_has_yet_to_choose_when_the_record_stops():
    sentences = told(*reveal("red hunter", "buffalo", "teepee"), press("red", "hunter", 1), CLOSE, JUDGE)
    assert "red has yet to choose." in sentences


def test_tells_what_is_not_judged_when_the_record_stops():
    sentences = told(*reveal("buffalo"), press("red", "hunter", 1), press("green", "chief", 2))
    assert "Not judged: red hunter, green chief." in sentences
    assert sentences[-1] == "The game is not over; red and yellow and green lead."


def test_tells_a_shared_victory_a_victory_and_a_lead():
    claim = [*reveal("red hunter", "buffalo"), press("red", "hunter", 1), CLOSE, JUDGE]
    assert told(END)[-1] == "red and yellow and green share the victory."
    assert told(*claim, END)[-1] == "red wins."
    assert told(*claim)[-1] == "The game is not over; red leads."
    assert "Score: red 2 cards (1 buffalo), yellow 0 cards (0 buffalo), green 0 cards (0 buffalo)." in told(*claim)


def test_tells_names_allowances_variants_and_the_policy():
    seats = [{"colour": "red"}, {"colour": "blue", "allowance_ms": 150}]
    names = {"type": "names", "names": {"red": "Ann", "blue": ""}}
    sentences = told(
        names, setup=SETUP | {"seats": seats, "variants": ["wedding", "warpath"], "dead_heat": "clockwise"}
    )
    assert sentences[:4] == [
        "Apache. Seats, clockwise: red, blue [allowance 150 ms]. red begins.",
        "Variants: wedding, warpath.",
        "Dead heats go clockwise from whoever revealed last.",
        "Names: red is Ann, blue has none.",
    ]


def test_tells_tribute():
    sentences = told(
        *reveal("yellow hunter", "buffalo"), press("yellow", "hunter", 1), CLOSE, JUDGE,
        *reveal("red warrior", "tomahawk"), press("red", "warrior", 2), CLOSE, JUDGE,
        setup=SETUP | {"variants": ["warpath"]},
    )  # fmt: skip
    assert "red is on the warpath for buffalo: yellow gives 1." in sentences


def test_an_error_is_told_and_kept():
    account = Account(find)
    sentences = list(account.tell([json.dumps(SETUP).encode(), b"{}", b"never read"]))
    assert sentences[1:] == ["Line 2 is malformed: field `type` is missing"]
    assert account.fault == Fault(line=2, kind="malformed", message="field `type` is missing")


def test_a_record_cannot_steer_the_readers_terminal():
    escape = "\x1b[2J\u202e"
    sentences = told(
        {"type": "names", "names": {"red": escape}},
        {"type": "remark", "text": escape, "source": escape},
        *reveal("buffalo"),
        UNDO | {"by": escape, "reason": escape},
        {"type": "reveal", "card": escape},
    )
    assert len(sentences) == 6
    assert all(sentence.isprintable() for sentence in sentences)
    assert r"Remark (\x1b[2J\u202e): \x1b[2J\u202e" in sentences


def test_the_game_order_is_told_in_rounds_and_wins():
    setup = SETUP | {"game": "order"}
    sentences = told(press("green", "first", 5), CLOSE, JUDGE, END, setup=setup)
    assert sentences == [
        "Order. Seats, clockwise: red, yellow, green.",
        "Round 1: only green pressed.",
        "  1. green first",
        "The game is ended.",
        "Score (wins): red 0, yellow 0, green 1.",
        "green wins.",
    ]


def test_a_protest_is_told_with_its_answer_and_at_the_end_as_long_as_it_has_none():
    race = (*reveal("red hunter", "buffalo"), press("red", "hunter", 10), {"type": "close"}, {"type": "judge"})
    protest = {"type": "protest", "colour": "yellow", "race": 1, "text": "the card was covered"}
    answer = {"type": "answer", "protest": 7, "text": "seen on the strip", "stands": True, "by": "Ann"}
    signed = {"type": "sign", "colour": "yellow"}
    open_ = told(*race, protest, {"type": "end"})
    assert "Yellow protests against race 1: the card was covered." in open_
    assert open_[-1] == "No answer yet: yellow protests against race 1: the card was covered."
    closed = told(*race, protest, answer, {"type": "end"}, signed)
    assert "The protest of line 7 is answered by Ann, the ruling stands: seen on the strip." in closed
    assert closed[-1] == "Yellow accepts the result."
    assert not any(sentence.startswith("No answer yet") for sentence in closed)
