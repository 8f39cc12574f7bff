"""The rulings of random matches against a second referee that was written from the rules alone."""

import json

import pytest
from msgspec import UNSET

from companion.core.record.lines import parse_line
from companion.core.ruling.judge import Judge
from companion.core.ruling.rulings import Order, Resume
from companion.games.apache.cards import NAMES
from companion.games.apache.lines import Claim, HandSettled
from companion.games.registry import find
from tests.games.apache.plain_referee import PlainReferee, without_undone
from tests.replay.generate import random_match


def results_of(ruling):
    match ruling:
        case Order():
            return [
                ("place", ruling.race, p.colour, p.role, p.verdict, p.gap_ns, p.dead_heat, p.tied_with)
                + ((p.anticipated,) if p.anticipated is not UNSET else ())
                for p in ruling.order
            ]
        case HandSettled():
            parts = {"claimed": (ruling.take, ruling.cards, ruling.tribute), "punished": (ruling.cards,)}
            whose = (ruling.race, ruling.colour, ruling.role)
            return [(ruling.result, *whose, *parts.get(ruling.result, ()))]
        case Resume():
            return [("resume", ruling.race, ruling.reveals)]
    return []


@pytest.mark.parametrize("block", range(10))
def test_both_referees_agree_on_every_ruling_every_pile_and_the_table(block):
    for seed in range(10 * block, 10 * block + 10):
        record = random_match(seed, undo_chance=0)
        judge, results = Judge(find), []
        for number, raw in enumerate(record, start=1):
            for ruling in judge.feed(parse_line(raw, number, (Claim,))):
                results += results_of(ruling)
        compare(record, judge, results)


@pytest.mark.parametrize("seed", range(30))
def test_both_referees_agree_on_what_stands_after_undone_lines(seed):
    record = random_match(seed, undo_chance=0.08)
    judge = Judge(find)
    for number, raw in enumerate(record, start=1):
        judge.feed(parse_line(raw, number, (Claim,)))
    compare(record, judge, None)


def compare(record, judge, results):
    lines = [json.loads(raw) for raw in record]
    referee = PlainReferee(lines[0])
    referee.run(without_undone(lines))
    if results is not None:
        assert results == referee.results
    piles = [[NAMES[card] for card in pile] for pile in judge.state.piles]
    assert piles == list(referee.piles.values())
    assert [NAMES[card] for card in judge.state.removed] == referee.out
    table = [name for card, name in enumerate(NAMES) for _ in range(judge.state.table[card])]
    assert table == sorted(referee.table, key=NAMES.index)
    assert judge.state.match.colours[judge.state.turn] == referee.next_to_reveal
    assert sum(judge.state.hidden) == 114 - referee.revealed
