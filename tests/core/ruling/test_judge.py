"""The judge: setup, undo, remark, the stream of rulings (`record.md`: Lines in, Lines out, Undo)."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from companion.core.errors import Illegal, Malformed
from companion.core.panel import Colour
from companion.core.record.lines import (
    ByHand,
    ChanceLine,
    Close,
    End,
    JudgeLine,
    Open,
    PressLine,
    Remark,
    Restart,
    Reveal,
    Seat,
    Setup,
    SetupFile,
    Undo,
)
from companion.core.ruling.chance import commitment, die
from companion.core.ruling.judge import Judge, judge_record
from companion.core.ruling.rulings import Fault, Ignored, Undone
from companion.core.words.encoding import encode
from companion.games.apache.cards import Role
from companion.games.apache.lines import ApacheOutcome, Claim
from companion.games.registry import find
from companion.testing.walks import SEED, only
from tests.contract.everything import EVERYTHING, Bid, EverythingOutcome, Move, Stake
from tests.contract.nim import NIM

SEATS = (Seat(Colour.RED), Seat(Colour.YELLOW))
SETUP = {
    "type": "setup",
    "record": 2,
    "match": "0" * 32,
    "game": "apache",
    "edition": 1,
    "seats": [{"colour": "red"}, {"colour": "yellow"}],
    "first": "red",
}
BUFFALO = {"type": "reveal", "card": "buffalo"}
HUNTER = {"type": "reveal", "card": "red hunter"}
PRESS = {"type": "press", "colour": "red", "role": "hunter", "t_ns": 5}
CLOSE, JUDGE, END, UNDO = ({"type": name} for name in ("close", "judge", "end", "undo"))


def setup(**changes) -> Setup:
    return Setup(
        **{
            "record": 2,
            "match": "0" * 32,
            "game": "apache",
            "edition": 1,
            "seats": SEATS,
            "first": Colour.RED,
            **changes,
        }
    )


def begun() -> Judge:
    judge = Judge(find)
    assert judge.feed(setup()) == ()
    return judge


def stream(*lines: Mapping[str, object] | bytes) -> list[dict[str, Any]]:
    raw = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines]
    return [json.loads(encode(ruling)) for ruling in judge_record(raw, find)]


def types(rulings: list[dict[str, Any]]) -> list[str]:
    return [ruling["type"] for ruling in rulings]


class TestSetup:
    def test_before_it_there_is_no_game_no_state_and_no_outcome(self):
        judge = Judge(find)
        assert (judge.game, judge.state, judge.setup, judge.lines_read) == (None, None, None, 0)
        assert judge.newest() is None
        assert judge.standing() == ()
        assert not judge.is_over()
        assert judge.extra_lines == ()
        with pytest.raises(Illegal, match=r"^there is no outcome before the `setup`$"):
            judge.outcome()

    def test_after_it_game_state_and_setup_are_there(self):
        judge = begun()
        assert judge.game is not None
        assert (judge.game.name, judge.setup, judge.lines_read) == ("apache", setup(), 1)
        assert judge.newest() is None

    @pytest.mark.parametrize("line", [End(), Undo(), Remark(text="x"), Reveal(card="buffalo")])
    def test_always_the_first_line(self, line):
        judge = Judge(find)
        with pytest.raises(Illegal, match=r"the first line of a record is its `setup`, not `(end|undo|remark|reveal)`"):
            judge.feed(line)
        assert (judge.game, judge.lines_read) == (None, 0)

    def test_once(self):
        judge = begun()
        before = judge.state
        with pytest.raises(Illegal, match=r"^a record has one `setup`, its first line$"):
            judge.feed(setup())
        assert (judge.state, judge.lines_read) == (before, 1)

    @pytest.mark.parametrize(
        ("changes", "message"),
        [
            ({"record": 1}, "field `record`: version 1 is unknown; this reads 2"),
            ({"record": 0}, "field `record`: version 0"),
            ({"game": "chess"}, "field `game`: no game called 'chess' is installed; there are: apache, "),
            ({"variants": ("raid",)}, "`variants`: 'raid' is no variant; allowed: warpath, wedding, shared-booty"),
            ({"game": "order", "edition": 1, "variants": ()}, "field `variants`: order has no variants"),
        ],
    )
    def test_what_cannot_be_read_is_malformed(self, changes, message):
        judge = Judge(find)
        with pytest.raises(Malformed, match=message):
            judge.feed(setup(**changes))
        assert (judge.game, judge.setup, judge.lines_read) == (None, None, 0)

    @pytest.mark.parametrize(
        ("game", "role", "allowed"),
        [("apache", "fourth", "chief, warrior, maiden, hunter"), ("order", "hunter", "first, second, third, fourth")],
    )
    def test_a_press_has_a_role_of_its_game(self, game, role, allowed):
        judge = Judge(find)
        judge.feed(setup(game=game))
        with pytest.raises(Malformed, match=f"^field `role`: '{role}' is not a role; allowed: {allowed}$"):
            judge.feed(PressLine(colour=Colour.RED, role=role, t_ns=1))
        assert judge.lines_read == 1

    @pytest.mark.parametrize(
        ("changes", "message"),
        [
            ({"seats": (Seat(Colour.RED), Seat(Colour.RED))}, "^field `seats`: two seats have the same colour$"),
            ({"seats": ()}, "Apache is for 2 to 5 players, not 0"),
            ({"seats": (Seat(Colour.RED),)}, "Apache is for 2 to 5 players, not 1"),
            ({"first": Colour.BLUE}, "field `first`: blue has no seat"),
            ({"variants": ("wedding", "wedding")}, "^field `variants`: one is named twice$"),
        ],
    )
    def test_what_can_be_read_and_not_played_is_illegal(self, changes, message):
        with pytest.raises(Illegal, match=message):
            Judge(find).feed(setup(**changes))

    def test_variants_may_be_empty_and_five_may_play_with_shared_booty(self):
        Judge(find).feed(setup(variants=()))
        Judge(find).feed(setup(variants=("shared-booty",), seats=tuple(Seat(colour) for colour in Colour)))

    def test_a_fresh_judge_knows_the_same_games_and_has_judged_nothing(self):
        judge = begun()
        fresh = judge.fresh()
        assert (fresh.game, fresh.lines_read) == (None, 0)
        fresh.feed(setup())
        assert fresh.state == judge.state


class TestUndo:
    def test_takes_back_the_newest_line_that_still_stands(self):
        judge = begun()
        judge.feed(Reveal(card="buffalo"))
        before = judge.state
        judge.feed(Reveal(card="teepee"))
        assert judge.newest() == (3, Reveal(card="teepee"))
        assert judge.feed(Undo()) == (Undone(line=3),)
        assert judge.state == before
        assert judge.standing() == ((2, Reveal(card="buffalo")),)
        assert judge.lines_read == 4

    def test_of_three_standing_lines_takes_the_last(self):
        judge = begun()
        for card in ("buffalo", "teepee", "totem pole"):
            judge.feed(Reveal(card=card))
        assert judge.newest() == (4, Reveal(card="totem pole"))

    def test_two_in_a_row_take_back_two_lines(self):
        judge = begun()
        start = judge.state
        for card in ("buffalo", "teepee"):
            judge.feed(Reveal(card=card))
        assert [judge.feed(Undo()) for _ in range(2)] == [(Undone(line=3),), (Undone(line=2),)]
        assert judge.state == start

    def test_lines_after_an_undo_count_on_from_the_number_of_lines_in_the_record(self):
        judge = begun()
        judge.feed(Reveal(card="buffalo"))
        judge.feed(Undo())
        judge.feed(Reveal(card="teepee"))
        assert judge.feed(Undo()) == (Undone(line=4),)

    def test_setup_remark_and_undo_do_not_count(self):
        judge = begun()
        judge.feed(Reveal(card="buffalo"))
        judge.feed(Remark(text="the lid was open"))
        assert judge.lines_read == 3
        assert judge.feed(Undo()) == (Undone(line=2),)
        with pytest.raises(Illegal, match=r"^nothing is left to be taken back$"):
            judge.feed(Undo())
        assert judge.lines_read == 4

    def test_of_a_close_opens_the_powwow_again(self):
        rulings = stream(SETUP, HUNTER, PRESS, CLOSE, UNDO, {**PRESS, "colour": "yellow"}, CLOSE, JUDGE)
        assert types(rulings)[:2] == ["undone", "order"]
        assert len(rulings[1]["order"]) == 2

    def test_of_a_judge_lets_the_card_be_entered(self):
        rulings = stream(SETUP, HUNTER, PRESS, CLOSE, JUDGE, UNDO, BUFFALO, JUDGE)
        verdicts = [ruling["order"][0]["verdict"] for ruling in rulings if ruling["type"] == "order"]
        assert verdicts == ["punish", "claim"]

    def test_of_a_judge_lets_the_card_be_changed(self):
        rulings = stream(
            SETUP, HUNTER, PRESS, CLOSE, {"type": "reveal", "card": "teepee"}, JUDGE, UNDO, UNDO, BUFFALO, JUDGE
        )
        assert [ruling["cards"][-1] for ruling in rulings if ruling["type"] == "settled"] == ["teepee", "buffalo"]

    def test_of_a_claim_lets_the_claimant_choose_again(self):
        judge = begun()
        for card in ("red hunter", "buffalo", "teepee"):
            judge.feed(Reveal(card=card))
        for line in (PressLine(colour=Colour.RED, role=Role.HUNTER, t_ns=5), Close(), JudgeLine()):
            judge.feed(line)
        before = judge.state
        judge.feed(Claim(colour=Colour.RED, take="booty"))
        judge.feed(Undo())
        assert judge.state == before
        judge.feed(Claim(colour=Colour.RED, take="teepees"))
        outcome = judge.outcome()
        assert isinstance(outcome, ApacheOutcome)
        assert outcome.buffalo == {"red": 0, "yellow": 0}

    def test_of_an_end_lets_the_game_go_on(self):
        assert types(stream(SETUP, END, UNDO, BUFFALO, END)) == ["outcome", "undone", "outcome"]

    def test_is_judged_as_if_the_line_and_its_undo_were_not_there(self):
        with_undo = stream(SETUP, HUNTER, BUFFALO, {"type": "reveal", "card": "teepee"}, UNDO, PRESS, CLOSE, JUDGE, END)
        without = stream(SETUP, HUNTER, BUFFALO, PRESS, CLOSE, JUDGE, END)
        assert [ruling for ruling in with_undo if ruling["type"] != "undone"] == without


class TestRemark:
    def test_decides_nothing(self):
        judge = begun()
        before = judge.state
        assert judge.feed(Remark(text="x", source="gpiod")) == ()
        assert judge.state is before

    def test_after_the_end_only_notes_undo_and_presses_stand(self):
        judge = begun()
        judge.feed(End())
        assert judge.is_over()
        assert judge.feed(Remark(text="x")) == ()
        for line in (Reveal(card="buffalo"), Close(), JudgeLine(), End(), Restart()):
            with pytest.raises(Illegal, match=r"^the game is over: only notes .* `undo` and `press` may follow `end`$"):
                judge.feed(line)
        (ignored,) = judge.feed(PressLine(colour=Colour.RED, role=Role.CHIEF, t_ns=1))
        assert isinstance(ignored, Ignored)
        assert ignored.reason == "game over"


def everything(seed_sha256: str | None = None) -> Judge:
    """A match of a game in which the referee may set each score to -10 to 200 by hand, until it is over."""
    judge = Judge(only(EVERYTHING))
    files = {"board": SetupFile("board", "twenty columns")}
    judge.feed(setup(game="everything", files=files, seed_sha256=seed_sha256))
    return judge


def scores(judge: Judge) -> dict[str, int]:
    outcome = judge.outcome()
    assert isinstance(outcome, EverythingOutcome)
    return outcome.scores


def to_the_roll(seed_sha256: str | None) -> Judge:
    judge = everything(seed_sha256)
    bids = (Bid(colour=Colour.RED, bid="1"), Bid(colour=Colour.YELLOW, bid="0"))
    for line in (*bids, Stake(colour=Colour.RED, stake=1), Move(colour=Colour.RED, column=1, row=1)):
        judge.feed(line)
    return judge


class TestResultsFromOutside:
    """What the box draws and what the referee enters is checked by the judge, in every game alike."""

    @pytest.mark.parametrize("value", [-10, 0, 200])
    def test_the_referee_sets_what_is_adjustable_within_its_range(self, value):
        judge = everything()
        judge.feed(ByHand(set="yellow", value=value, reason="miscounted"))
        assert scores(judge) == {"red": 0, "yellow": value}

    @pytest.mark.parametrize("value", [-11, 201])
    def test_a_value_out_of_its_range_is_refused(self, value):
        judge = everything()
        with pytest.raises(Illegal, match=f"^field `value`: {value} is not from -10 to 200$"):
            judge.feed(ByHand(set="red", value=value, reason="miscounted"))
        assert (scores(judge)["red"], judge.lines_read) == (0, 1)

    def test_nothing_else_can_be_set_and_what_can_is_named(self):
        line = ByHand(set="gold", value=1, reason="found")
        with pytest.raises(Illegal, match=r"^field `set`: 'gold' cannot be set by hand now; there is: red, yellow$"):
            everything().feed(line)
        with pytest.raises(Illegal, match=r"^field `set`: 'gold' cannot be set by hand now; there is: nothing$"):
            begun().feed(line)

    def test_what_is_set_is_told_as_the_game_calls_it_and_not_as_the_record_does(self):
        judge = everything()
        judge.feed(ByHand(set="red", value=7, reason="miscounted"))
        judge.feed(ByHand(set="yellow", value=2, reason="miscounted", by="Ann"))
        judge.feed(End())  # from then on the game has nothing to set
        assert [told.says(EVERYTHING) for told in judge.history[1:3]] == [
            "RED's score is set to 7: miscounted",
            "YEL's score is set to 2 by Ann: miscounted",
        ]
        unknown = judge.history[1]._replace(line=ByHand(set="gold", value=1, reason="found"))
        assert unknown.says(EVERYTHING) == "gold is set to 1: found"

    def test_a_roll_is_judged_with_its_number_and_the_setups_commitment(self):
        roll = ChanceLine(name="die", n=1, by="box", result=(str(die(SEED, "die", 1)),))
        with pytest.raises(Illegal, match="no 'die' is to be rolled or drawn now"):
            everything(commitment(SEED)).feed(roll)
        with pytest.raises(Illegal, match="the setup has no `seed_sha256`"):
            to_the_roll(None).feed(roll)
        judge = to_the_roll(commitment(SEED))
        with pytest.raises(Illegal, match="die is number 1 now, not 2"):
            judge.feed(ChanceLine(name="die", n=2, by="box", result=("1",)))
        judge.feed(roll)
        assert scores(judge)["red"] == die(SEED, "die", 1)

    def test_a_seed_is_held_against_the_commitment_and_against_every_roll(self):
        with pytest.raises(Illegal, match="commits to"):
            everything().feed(Open(seed=SEED))
        judge = to_the_roll(commitment(SEED))
        other = str(die(SEED, "die", 1) % 6 + 1)
        judge.feed(ChanceLine(name="die", n=1, by="box", result=(other,)))
        with pytest.raises(Illegal, match="line 6: the seed draws another result"):
            judge.feed(Open(seed=SEED))


class TestHistory:
    def test_keeps_every_line_with_what_was_ruled_on_it_and_the_state_before_it(self):
        judge, states, ruled = Judge(find), [], []
        lines = (setup(), PressLine(colour=Colour.RED, role=Role.CHIEF, t_ns=1), Remark(text="x"), Undo(reason="y"))
        for line in (*lines, Reveal(card="buffalo"), Undo(by="z"), End()):
            states.append(judge.state)
            ruled.append((line, judge.feed(line)))
        assert [(told.line, told.rulings) for told in judge.history] == ruled
        assert [told.before for told in judge.history] == states


class TestStream:
    def test_the_example_of_the_format(self):
        first = {"colour": "yellow", "role": "hunter", "t_ns": 7412000000}
        second = {"colour": "red", "role": "hunter", "t_ns": 7431000000}
        rulings = stream(
            SETUP,
            {**HUNTER, "t_ns": 1000000000},
            {**BUFFALO, "t_ns": 4000000000},
            {"type": "reveal", "card": "teepee", "t_ns": 7000000000},
            {"type": "press", **first, "error_ns": 20000},
            {"type": "press", **second, "error_ns": 20000},
            {**CLOSE, "t_ns": 10412000000},
            JUDGE,
            {"type": "claim", "colour": "red", "take": "teepees"},
        )
        place = {"dead_heat": False, "tied_with": []}
        assert rulings == [
            {
                "type": "order",
                "race": 1,
                "order": [
                    {"place": 1, **first, "gap_ns": 0, "verdict": "punish", "why": "no matching Indian", **place},
                    {"place": 2, **second, "gap_ns": 19000000, "verdict": "claim", "why": None, **place},
                ],
            },
            {"type": "settled", "race": 1, "colour": "yellow", "role": "hunter", "result": "punished", "cards": []},
            {
                "type": "settled", "race": 1, "colour": "red", "role": "hunter", "result": "claimed",
                "take": "teepees", "cards": ["red hunter", "teepee"], "tribute": {},
            },
            {"type": "resume", "race": 1, "reveals": "red"},
            {
                "type": "outcome", "over": False, "piles": {"red": 2, "yellow": 0},
                "buffalo": {"red": 0, "yellow": 0}, "removed": 0, "table": 1, "unrevealed": 111, "leaders": ["red"],
            },
        ]  # fmt: skip

    def test_fields_come_in_the_order_of_the_format(self):
        raw = [json.dumps(line).encode() for line in (SETUP, HUNTER, BUFFALO, PRESS, CLOSE, JUDGE, END)]
        keys = {r["type"]: list(r) for r in (json.loads(encode(r)) for r in judge_record(raw, find))}
        assert keys == {
            "order": ["type", "race", "order"],
            "settled": ["type", "race", "colour", "role", "result", "take", "cards", "tribute"],
            "resume": ["type", "race", "reveals"],
            "outcome": ["type", "over", "piles", "buffalo", "removed", "table", "unrevealed", "leaders"],
        }

    def test_settled_with_nothing_has_no_cards_take_or_tribute(self):
        yellow = {"type": "reveal", "card": "yellow hunter"}
        rulings = stream(SETUP, HUNTER, yellow, BUFFALO, PRESS, {**PRESS, "colour": "yellow", "t_ns": 6}, CLOSE, JUDGE)
        assert rulings[2] == {
            "type": "settled", "race": 1, "colour": "yellow", "role": "hunter", "result": "nothing",
        }  # fmt: skip

    def test_outcome_comes_right_at_the_end_and_not_twice(self):
        assert types(stream(SETUP, END, PRESS)) == ["outcome", "ignored"]

    def test_outcome_comes_after_the_last_line_of_a_running_game(self):
        assert types(stream(SETUP)) == ["outcome"]
        assert stream(SETUP)[0]["over"] is False
        assert types(stream(SETUP, END, UNDO)) == ["outcome", "undone", "outcome"]

    def test_powwows_are_counted_from_1(self):
        race: list[Mapping[str, object]] = [HUNTER, PRESS, CLOSE, JUDGE]
        rulings = stream(SETUP, *race * 3)
        assert [ruling["race"] for ruling in rulings if ruling["type"] == "order"] == [1, 2, 3]

    def test_rulings_come_while_the_record_is_still_being_written(self):
        seen = []

        def lines():
            for line in (SETUP, PRESS, END):
                yield json.dumps(line).encode()
                seen.append(line["type"])

        rulings = judge_record(lines(), find)
        ignored = next(rulings)
        assert isinstance(ignored, Ignored)
        assert ignored.reason == "nothing revealed"
        assert seen == ["setup"]

    def test_lines_that_only_this_game_has_are_read(self):
        setup = {**SETUP, "game": "nim"}
        heap = {"type": "heap", "colour": "red", "heap": "three"}
        raw = [json.dumps(line).encode() for line in (setup, heap)]
        assert [type(ruling).__name__ for ruling in judge_record(raw, lambda _: NIM)] == ["NimOutcome"]


class TestFault:
    def test_an_empty_record_is_malformed_at_line_1(self):
        (fault,) = stream()
        assert (fault["line"], fault["kind"]) == (1, "malformed")
        assert fault["message"] == "the record is empty; its first line is the `setup`"

    def test_malformed_and_illegal_name_the_line(self):
        assert stream(SETUP, b"x")[-1] == {
            "type": "error", "line": 2, "kind": "malformed", "message": "not JSON: Expecting value at character 1",
        }  # fmt: skip
        assert stream(SETUP, BUFFALO, CLOSE)[-1] == {
            "type": "error", "line": 3, "kind": "illegal",
            "message": "nobody has pressed; there is no Pow-Wow to close",
        }  # fmt: skip

    def test_nothing_more_is_read_and_no_outcome_is_printed(self):
        read = []

        def lines():
            for line in (json.dumps(SETUP).encode(), b"", json.dumps(END).encode()):
                read.append(line)
                yield line

        (fault,) = judge_record(lines(), find)
        assert isinstance(fault, Fault)
        assert len(read) == 2

    def test_a_blank_line_at_the_end_is_malformed_and_a_missing_end_of_line_is_not(self):
        raw = json.dumps(SETUP).encode()
        (fault,) = judge_record([raw + b"\n", b"\n"], find)
        assert isinstance(fault, Fault)
        assert fault.line == 2
        assert [type(ruling).__name__ for ruling in judge_record([raw], find)] == ["ApacheOutcome"]

    def test_a_faulty_first_line_is_line_1(self):
        assert [(fault["line"], fault["kind"]) for fault in stream(END)] == [(1, "illegal")]
        assert [(fault["line"], fault["kind"]) for fault in stream({**SETUP, "game": "go"})] == [(1, "malformed")]

    def test_undone_lines_count(self):
        assert stream(SETUP, BUFFALO, UNDO, UNDO)[-1]["line"] == 4

    def test_an_unknown_card_is_malformed(self):
        assert stream(SETUP, {"type": "reveal", "card": "red horse"})[-1]["kind"] == "malformed"
