"""Records with the rulings and the account they must give, for ever: NAME.jsonl, NAME.rulings, NAME.account."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.core.ruling.judge import judge_record
from companion.core.words.encoding import encode
from companion.games.apache.lines import HandSettled
from companion.games.registry import find
from companion.screens.text.account import replay_account
from tests.replay.generate import random_match

pytestmark = pytest.mark.no_cover  # counting branches makes whole matches three times as slow

HERE = Path(__file__).parent
RECORDS = sorted(HERE.glob("*.jsonl"))
ACCOUNTS = sorted(HERE.glob("*.account"))


def names(path: Path) -> str:
    return path.stem


@pytest.mark.parametrize("record", RECORDS, ids=names)
def test_rulings_are_those_that_were_given(record):
    with record.open("rb") as lines:
        rulings = [json.loads(encode(ruling)) for ruling in judge_record(lines, find)]
    expected = record.with_suffix(".rulings").read_text().splitlines()
    assert rulings == [json.loads(line) for line in expected]


@pytest.mark.parametrize("account", ACCOUNTS, ids=names)
def test_account_is_the_one_that_was_given(account):
    with account.with_suffix(".jsonl").open("rb") as lines:
        assert list(replay_account(lines, find)) == account.read_text(encoding="utf-8").splitlines()


def test_the_records_are_there():
    assert len(RECORDS) >= 9
    assert len(ACCOUNTS) >= 7


def test_the_generator_gives_the_same_match_for_the_same_seed_and_another_for_another():
    assert random_match(3) == random_match(3)
    assert random_match(3) != random_match(4)


@pytest.mark.slow  # plays forty matches
def test_generated_matches_hold_everything_that_a_record_may_hold():
    lines = [json.loads(line) for seed in range(40) for line in random_match(seed, wall=True)]
    assert {line["type"] for line in lines} == {
        "setup", "reveal", "press", "close", "judge", "claim", "end", "remark", "undo",
    }  # fmt: skip
    setups = [line for line in lines if line["type"] == "setup"]
    assert {len(setup["seats"]) for setup in setups} == {2, 3, 4, 5}
    assert {variant for setup in setups for variant in setup.get("variants", ())} == {
        "warpath", "wedding", "shared-booty",
    }  # fmt: skip
    assert {line["take"] for line in lines if line["type"] == "claim"} == {"booty", "teepees", "wedding"}
    assert all(line["wall"] for line in lines)
    rulings = [ruling for seed in range(40) for ruling in judge_record(random_match(seed), find)]
    assert {ruling.result for ruling in rulings if hasattr(ruling, "result")} == {"claimed", "nothing", "punished"}
    assert {ruling.reason for ruling in rulings if hasattr(ruling, "reason")} >= {
        "already played", "closed", "not playing", "nothing revealed",
    }  # fmt: skip
    assert any(ruling.tribute for ruling in rulings if isinstance(ruling, HandSettled) and ruling.result == "claimed")


@pytest.mark.slow  # plays forty matches
def test_generated_matches_hold_what_is_hard_to_judge():
    lots, anticipated, in_time, late_cards = 0, set(), 0, 0
    for seed in range(40):
        record = [json.loads(line) for line in random_match(seed, undo_chance=0)]
        orders = [
            ruling for ruling in judge_record(random_match(seed, undo_chance=0), find) if hasattr(ruling, "order")
        ]
        places = [place for order in orders for place in order.order]
        if record[0].get("dead_heat") == "lots":
            lots += sum(place.dead_heat for place in places)
        anticipated |= {(place.verdict, place.why) for place in places if place.anticipated is True}
        counting = {(place.colour, place.t_ns) for place in places}
        kinds = [line["type"] for line in record]
        for index, kind in enumerate(kinds):
            if kind == "close":
                between = record[index + 1 : kinds.index("judge", index)]
                in_time += any((line.get("colour"), line.get("t_ns")) in counting for line in between)
                late_cards += sum(line["type"] == "reveal" for line in between) > 1
    assert lots > 10
    assert {("claim", None), ("punish", "anticipated")} <= anticipated
    assert in_time > 10
    assert late_cards > 5
