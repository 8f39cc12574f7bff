"""Whole random matches: of all sorts; taken back, taken up again, and told anew at every line; every card is kept."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from companion.core.errors import CompanionError
from companion.core.match.match import PlaySettings
from companion.core.match.match_maker import MatchMaker, Unfinished
from companion.core.record.lines import Line, Restart, Undo, parse_line
from companion.core.ruling.judge import Judge
from companion.core.ruling.race import RacePhase
from companion.core.ruling.replacing import Edit, Fate, preview
from companion.core.timing.events import SECOND
from companion.core.words.encoding import builtins, encode
from companion.games.claim import GAME
from companion.games.claim.lines import ClaimLine, Lost, PressSettled
from companion.games.claim.state import State
from tests.games.claim.games import FILES
from tests.games.claim.matches import random_match
from tests.games.claim.table import cards_in_game, find, outcome_of

pytestmark = [pytest.mark.slow, pytest.mark.no_cover]  # walks through whole matches

NAMES = tuple(FILES)


@cache
def lines_of(name: str, undo_chance: float = 0.0) -> tuple[Line, ...]:
    record = random_match(NAMES.index(name), name, undo_chance=undo_chance)
    return tuple(parse_line(raw, number, GAME.lines) for number, raw in enumerate(record, start=1))


def judged(lines: tuple[Line, ...] | list[Line]) -> Judge:
    judge = Judge(find)
    for line in lines:
        judge.feed(line)
    return judge


def test_they_are_of_all_sorts() -> None:
    phases, results, whys, kinds = set(), set(), set(), set()
    for seed in range(45):
        judge = Judge(find)
        for number, raw in enumerate(random_match(seed), start=1):
            line = parse_line(raw, number, GAME.lines)
            kinds.add(type(line))
            for ruling in judge.feed(line):
                if isinstance(ruling, PressSettled):
                    results.add(ruling.result)
                elif isinstance(ruling, Lost):
                    whys.add(ruling.why)
            phases.add(judge.state.phase)
        assert judge.is_over()
    assert phases == set(RacePhase)
    assert results == {"claimed", "nothing", "punished"}
    assert whys == {"missing", "last"}
    assert {ClaimLine, Undo, Restart} <= kinds


@pytest.mark.parametrize("name", NAMES)
def test_an_undo_of_each_line_gives_the_state_before_it(name: str) -> None:
    judge, states = Judge(find), []
    for line in lines_of(name):
        states.append(judge.state)
        judge.feed(line)
        if judge.newest() is not None:
            after, newest = judge.state, judge.newest()
            if newest is not None and newest[1] is line:
                judge.feed(Undo())
                assert judge.state == states[-1]
                judge.feed(line)
                assert judge.state == after


@pytest.mark.parametrize("name", NAMES)
def test_a_match_that_is_taken_up_after_any_line_is_where_it_was(name: str) -> None:
    lines, judge = lines_of(name), Judge(find)
    maker = MatchMaker(find, PlaySettings(window_ns=SECOND), None)
    for number, line in enumerate(lines, start=1):
        judge.feed(line)
        if number > 1 and line is not lines[-1]:
            match = maker.resume(Unfinished(1, lines[:number], same_clock=True), 3 * SECOND)
            more = [told.line for told in list(match.history)[number:]]
            assert match.judge.state == (judged([*lines[:number], *more]) if more else judge).state
            assert bool(more) <= (judge.state.phase in {RacePhase.COLLECTING, RacePhase.CLOSED}), more


@pytest.mark.parametrize("name", NAMES)
def test_a_call_replaced_at_any_line_gives_what_the_record_with_it_would_have_given(name: str) -> None:
    lines = lines_of(name)
    judge, random = judged(lines), Random(name)
    changed = 0
    game = judge.game
    assert game is not None
    for number, line in enumerate(lines[1:], start=2):
        for field in game.fields(line):
            values = [one.value for one in field.values if one.value != getattr(line, field.name)]
            if not values:
                continue
            raw = {**builtins(line), field.name: random.choice(values)}
            try:
                found = preview(judge.fresh(), judge.outcome(), judge.history, [Edit(number, (raw,))])
            except CompanionError:
                with pytest.raises(CompanionError):
                    judged(lines[: number - 1]).feed(parse_line(encode(raw), number, GAME.lines))
                continue
            changed += 1
            assert [told.fate for told in found.retold][1] is Fate.NEW
            assert found.after == judged([*lines[: number - 1], *found.again]).outcome()
    assert changed > 5 or name == "spoons"


@pytest.mark.parametrize("seed", range(36))
def test_every_card_is_in_exactly_one_place_whatever_is_played(seed: int) -> None:
    judge = Judge(find)
    for number, raw in enumerate(random_match(seed), start=1):
        judge.feed(parse_line(raw, number, GAME.lines))
        state = judge.state
        assert isinstance(state, State)
        verify_kept(state)


def verify_kept(state: State) -> None:
    cards, game = state.cards, state.terms.game
    assert tuple(cards_in_game(state)) == game.copies
    assert min((*cards.unseen, *cards.stocks, cards.deck, cards.buried, 0)) == 0
    assert sum(cards.unseen) == sum(cards.stocks) + cards.deck + cards.buried
    outcome = outcome_of(state)
    places = (outcome.won, outcome.stock, outcome.pile)
    total = sum(sum(place.values()) for place in places) + outcome.table + outcome.pot + outcome.out
    assert total + cards.deck == sum(game.copies)
    assert outcome.unseen == sum(cards.stocks) + cards.deck
