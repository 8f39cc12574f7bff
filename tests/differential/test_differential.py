"""The program's judge and one that was written from the record's text alone say the same of made-up records."""

import ast
import json
import sys
from importlib import import_module
from pathlib import Path

import pytest

from tests.differential import agreement, faults
from tests.differential.agreement import agree, by_the_program, by_the_second, compare, features, shortened
from tests.differential.records import make_record
from tests.differential.second_judge import judge_lines
from tests.games.plain_judging import judged_plainly
from tests.games.two_judges import ROOMS

pytestmark = pytest.mark.slow  # walks through whole matches

RECORDS = 400
SHARES = 4

LINES = {
    "setup", "names", "reveal", "press", "close", "judge", "claim", "end", "remark", "evidence", "protest", "answer",
    "sign", "moved", "restart", "seal", "undo",
}  # fmt: skip
POLICIES = ("timestamp", "clockwise", "lots")
TO_BE_MET = (
    {f"line {kind}" for kind in LINES}
    | {f"ruling {kind}" for kind in ("ignored", "order", "settled", "resume", "undone", "outcome", "error")}
    | {
        f"ignored: {why}"
        for why in ("already played", "closed", "not playing", "nothing revealed", "game over")
    }
    | {
        "verdict: claim, None", "verdict: None, None", "verdict: punish, no matching Indian",
        "verdict: punish, nothing to claim", "verdict: punish, anticipated", "anticipated: True, claim",
        "anticipated: True, punish", "anticipated: False, claim", "anticipated: False, punish",
        "settled: claimed booty", "settled: claimed teepees", "settled: claimed wedding", "settled: nothing",
        "settled: punished", "settled: with tribute", "error: malformed", "error: illegal",
        "variant warpath", "variant wedding", "variant shared-booty",
    }
    | {f"order with ties: {game} by {policy}" for game in ("apache", "order") for policy in POLICIES}
    | {f"order with a chain of ties: {game} by {policy}" for game in ("apache", "order") for policy in POLICIES}
    | {f"fault {fault}" for fault in (None, *faults.FAULTS, *faults.FIRST_LINE_FAULTS)}
)  # fmt: skip

ILLEGAL_BY_THE_TEXT = {
    "a card that cannot be there any more": "card_too_many",
    "a reveal while claims are being settled": "reveal_while_settling",
    "a reveal turned more than 1 s after the first counting press": "turned_in_a_race",
    "close with no press": "close_without_press",
    "a close below a press that counts": "close_before_a_press",
    "judge without close": "judge_without_close",
    "a claim by someone else": "claim_by_another",
    "a claim of something not on offer": "claim_not_on_offer",
    "a claim where nothing is to be chosen": "claim_without_choice",
    "end in the middle of a Pow-Wow": "end_in_a_race",
    "after end anything but what may follow": "line_after_the_end",
    "an answer to a line that is no protest": "answer_to_no_protest",
    "an answer to a protest that has one": "answer_twice",
    "one unanswered protest a seat": "second_protest",
    "sign only after end": "sign_before_the_end",
    "sign once a seat": "sign_twice",
    "sign not while a protest is unanswered": "sign_under_protest",
    "moved only between races": "moved_in_a_race",
    "reveal in order": "reveal_in_order",
    "claim in order": "claim_in_order",
    "a second setup": "second_setup",
}


@pytest.mark.parametrize("share", range(SHARES))
def test_two_judges_say_the_same_of_made_up_records(share):
    _, disagreed = compare(range(share, RECORDS, SHARES))
    assert not disagreed, "\n".join(map(agreement.tell, disagreed[:3]))


def test_the_records_hold_every_line_ruling_policy_and_fault():
    met: set[str] = set()
    for seed in range(RECORDS):
        met.update(features(make_record(seed)))
    assert sorted(TO_BE_MET - met) == []


def test_every_illegal_line_that_the_text_lists_has_its_fault():
    assert set(ILLEGAL_BY_THE_TEXT.values()) <= set(faults.ILLEGAL)


def test_a_fault_ends_its_record_with_an_error_of_its_kind():
    malformed = {*faults.MALFORMED_LINES, *faults.MALFORMED_SETUPS}
    for seed in range(0, RECORDS, 3):
        record = make_record(seed)
        if record.fault is not None:
            kind = "malformed" if record.fault in malformed else "illegal"
            last = record.told[-1]
            assert (last["type"], last.get("kind"), last.get("line")) == ("error", kind, len(record.lines)), record


def test_a_seed_gives_the_same_record_again():
    assert make_record(11).text == make_record(11).text


@pytest.mark.parametrize("path", sorted(Path("tests/replay").glob("*.jsonl")), ids=lambda path: path.stem)
def test_both_judges_rule_as_before_on_kept_records(path):
    lines = path.read_bytes().splitlines()
    kept = map(json.loads, path.with_suffix(".rulings").read_bytes().splitlines())
    assert by_the_program(lines) == second_of(lines) == agreement.without_message(kept)


def second_of(lines):
    """Have a record judged by its game's second judge, or by the one of the record where the game has none."""
    room = ROOMS.get(json.loads(lines[0])["game"]) if lines[0].startswith(b"{") else None
    if room is None:
        return by_the_second(lines)
    plain = import_module(f"tests.games.{room}.plain_judge").PlainJudge
    return [ruling for rulings in judged_plainly(plain, lines) for ruling in rulings]


def test_a_chain_of_ties_never_inverts_a_certain_pair():
    """Presses at 0, 35 and 70 µs, each ±20 µs: the third is certainly behind the first."""
    seats = [{"colour": colour} for colour in ("red", "yellow", "green")]
    lines = [
        {"type": "setup", "record": 2, "match": "0" * 32, "game": "order", "edition": 1, "seats": seats,
         "first": "green", "dead_heat": "clockwise"},
        *({"type": "press", "colour": seat["colour"], "role": "first", "t_ns": 1_000_000 + at, "error_ns": 20_000}
          for seat, at in zip(seats, (0, 35_000, 70_000), strict=True)),
        {"type": "close"}, {"type": "judge"},
    ]  # fmt: skip
    raw = [json.dumps(line).encode() for line in lines]
    assert [place["colour"] for place in judge_lines(raw)[0]["order"]] == ["red", "green", "yellow"]
    assert agree(raw)


def test_a_disagreement_is_found_and_shown_at_its_shortest(monkeypatch):
    record = make_record(1)
    monkeypatch.setattr(
        agreement, "by_the_program", lambda lines: [line for line in by_the_second(lines) if line["type"] != "order"]
    )
    _, disagreed = compare([1])
    assert [one.seed for one in disagreed] == [1]
    assert len(shortened(record.lines)) <= 6
    assert "the second judge" in agreement.tell(record)


def test_the_second_judge_shares_nothing_with_the_program():
    shared = {"agreement.py", "test_differential.py"}
    for path in set(Path(__file__).parent.glob("*.py")) - {Path(__file__).with_name(name) for name in shared}:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        imported |= {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
        assert all(
            module.split(".")[0] in sys.stdlib_module_names or module.startswith("tests.differential")
            for module in imported
            if module
        )
