"""Apache's base game, described in a file, is judged as the package `apache` judges it: line by line."""

from __future__ import annotations

from itertools import zip_longest
from typing import Any

import pytest

from companion.core.record.lines import parse_line
from companion.core.ruling.judge import Judge, judge_record
from companion.core.words.encoding import builtins, encode
from companion.games.apache.cards import NAMES
from companion.games.apache.lines import Claim
from companion.games.claim.lines import ClaimLine
from companion.games.registry import find
from tests.games.claim.apache_records import as_claim, base_match

pytestmark = [pytest.mark.slow, pytest.mark.no_cover]  # walks through whole matches

SAME_TO_THE_BYTE = ("ignored", "order", "resume", "undone")
OUTCOME = {"piles": "won", "removed": "out", "unrevealed": "unseen", "table": "table", "leaders": "leaders",
           "over": "over"}  # fmt: skip


def rulings(record: list[bytes]) -> list[Any]:
    return list(judge_record(record, find))


def assert_alike(apache: Any, claim: Any) -> None:
    if apache.__struct_config__.tag in SAME_TO_THE_BYTE:
        assert encode(apache) == encode(claim)
        return
    one, other = builtins(apache), builtins(claim)
    assert one["type"] == other["type"]
    if one["type"] == "settled":
        for field in ("race", "colour", "role", "result", "take"):
            assert one.get(field) == other.get(field)
        assert apache.moved() == claim.moved()
    else:
        assert one["type"] == "outcome"
        assert {name: one[name] for name in OUTCOME} == {name: other[told] for name, told in OUTCOME.items()}


@pytest.mark.parametrize("block", range(10))
def test_two_hundred_records_are_ruled_alike(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(20 * block, 20 * block + 20):
        record = base_match(seed, monkeypatch)
        for apache, claim in zip_longest(rulings(record), rulings(as_claim(record))):
            assert_alike(apache, claim)


@pytest.mark.parametrize("seed", range(6))
def test_table_piles_turn_and_offers_are_alike_after_every_line(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    record = base_match(seed, monkeypatch)
    apache, claim = Judge(find), Judge(find)
    for number, (one, other) in enumerate(zip(record, as_claim(record), strict=True), start=1):
        apache.feed(parse_line(one, number, (Claim,)))
        claim.feed(parse_line(other, number, (ClaimLine,)))
        mine, theirs = claim.state, apache.state
        names = mine.terms.game.known.names
        assert [[names[card] for card in pack] for pack in mine.cards.won] == [
            [NAMES[card] for card in pile] for pile in theirs.piles
        ]
        assert [names[card] for card in mine.cards.out] == [NAMES[card] for card in theirs.removed]
        table = {name: count for name, count in zip(NAMES, theirs.table, strict=True) if count}
        assert {name: mine.cards.table.count(card) for card, name in enumerate(names)} == {
            name: table.get(name, 0) for name in names
        }
        assert (mine.turn, mine.revealer, mine.phase) == (theirs.turn, theirs.revealer, theirs.phase)
        assert offered(apache) == offered(claim)


def offered(judge: Judge) -> list[tuple[str, str, tuple[str, ...]]]:
    """What is on offer, by what it takes or reveals; a prisoner is the picked card."""
    assert judge.game is not None
    return [
        (offer.kind, str(offer.seat), tuple(sorted(map(said, (option.line for option in offer.options)))))
        for offer in judge.game.offers(judge.state)
    ]


def said(line: Any) -> str:
    match line:
        case Claim():
            return f"{line.take} {line.prisoner}"
        case ClaimLine():
            return f"{line.take} {line.picked}"
    return str(line.card)
