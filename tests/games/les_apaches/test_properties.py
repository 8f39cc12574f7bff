"""What is conserved in random whole matches, and what holds at every line of them."""

from __future__ import annotations

from copy import copy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.errors import Illegal, Malformed
from companion.core.match.match import Match, PlaySettings
from companion.core.record.lines import ByHand, Line, Restart, Undo, parse_line
from companion.core.ruling.judge import Judge
from companion.core.ruling.replacing import Edit, Fate, preview
from companion.core.words.encoding import builtins
from companion.games.les_apaches.rules.districts import LEADERS, NOVICES, REINFORCEMENTS, START
from companion.games.les_apaches.rules.lines import Bailed, DistrictSettled, FinalAccount, Muster, Prowl
from companion.games.les_apaches.rules.state import Column, Phase, State
from companion.games.registry import find
from tests.amounts import many
from tests.games.les_apaches.matches import GAME, random_match
from tests.games.les_apaches.table import figures_in_all

pytestmark = [pytest.mark.slow, pytest.mark.no_cover]  # walks through whole matches

SOME = range(6)


def lines_of(record: Any) -> Any:
    return [parse_line(raw, number, GAME.lines) for number, raw in enumerate(record, start=1)]


def states_of(record: Any) -> Any:
    """Give each line after the setup with the state before and after it, and what was ruled."""
    judge = Judge(find)
    for number, line in enumerate(lines_of(record)):
        before = judge.state
        rulings = judge.feed(line)
        if number:
            yield line, before, judge.state, rulings


def verify_figures(state: State) -> None:
    """Each figure is in one place."""
    assert figures_in_all(state) == [(LEADERS, NOVICES)] * len(state.gangs)
    out = sum(gang.reinforcements + gang.won for gang in state.gangs)
    out += sum(figures[2] for row in state.streets for figures in row)
    assert 0 <= out <= REINFORCEMENTS
    assert state.stock == REINFORCEMENTS - out
    counts = [n for gang in state.gangs for n in (*gang.reserve, gang.won, *gang.hospital, *gang.jail, gang.killed)]
    assert min(counts) >= 0
    taken = sorted(place for gang in state.gangs for place in gang.burghers)
    assert taken == list(range(len(taken)))
    assert len(taken) <= 3


def verify_money(state: State) -> None:
    """What a gang has is what it began with and what the accounts say of each sum."""
    for gang, rounds in zip(state.gangs, state.book, strict=True):
        assert gang.money == START + sum(map(sum, rounds))
        assert gang.money >= 0
    stolen = sum(row[Column.THEFT.value] for rounds in state.book for row in rounds)
    robbed = sum(row[Column.ROBBED.value] for rounds in state.book for row in rounds)
    assert stolen + robbed == 0


def verify_hideouts(state: State) -> None:
    """Each hideout is in a stack, in a hand or laid; one of each district is away."""
    course, stacks = state.course, state.terms.stacks
    for place, has in enumerate(stacks):
        held, laid = sum(hand[place] for hand in course.hands), len(course.laid[place])
        assert held + laid <= has
        if course.lap:
            assert held + laid == has


@given(st.integers(0, 10**9))
@settings(max_examples=many(40), deadline=None)
def test_money_figures_and_hideouts_are_conserved(seed: Any) -> None:
    for _, _, state, _ in states_of(random_match(seed, by_hand_chance=0.03)):
        verify_figures(state)
        verify_money(state)
        verify_hideouts(state)


@given(st.integers(0, 10**9))
@settings(max_examples=many(25), deadline=None)
def test_no_action_leaves_a_tie_or_a_novice_alone_where_a_figure_left_or_came(seed: Any) -> None:
    for line, before, after, _ in states_of(random_match(seed)):
        if not isinstance(line, (Muster, Prowl)):
            continue
        seat = before.seat
        for old, new in zip(before.streets, after.streets, strict=True):
            if old != new:
                counts = [sum(figures) for figures in new if any(figures)]
                assert len(set(counts)) == len(counts)
                assert new[seat][0] or not any(new[seat])


@given(st.integers(0, 10**9))
@settings(max_examples=many(25), deadline=None)
def test_rulings_tell_every_franc(seed: Any) -> None:
    """By hand and undone lines aside: money at the end is what the rulings said, ruling by ruling."""
    record = random_match(seed, undo_chance=0, by_hand_chance=0)
    state: Any = None
    money: dict[str, int] = {}
    for _, before, after, rulings in states_of(record):
        state = after
        money = money or {str(colour): START for colour in before.terms.colours}
        for ruling in rulings:
            match ruling:
                case DistrictSettled(colour=colour) if colour is not None:
                    money[colour] += ruling.francs
                    for other, francs in ruling.given.items():
                        money[other] -= francs
                case Bailed():
                    money[ruling.colour] -= ruling.francs
                case FinalAccount():
                    money[ruling.colour] += ruling.burgher_francs - ruling.policeman_francs + ruling.fit_francs
                    assert money[ruling.colour] == ruling.money
    assert money == {str(colour): gang.money for colour, gang in zip(state.terms.colours, state.gangs, strict=True)}


def test_matches_come_to_every_phase_and_every_kind_of_line() -> None:
    phases, types, results = set(), set(), set()
    for seed in range(60):
        for line, _, state, rulings in states_of(random_match(seed)):
            phases.add(state.phase)
            types.add(str(line.__struct_config__.tag))
            results |= {one.loot.split()[0] for one in rulings if isinstance(one, DistrictSettled) and one.loot}
    assert phases == set(Phase)
    assert types == {
        "draft", "muster", "prowl", "hideout", "bail", "unlaid", "unmask", "chance", "open", "by_hand", "undo", "end",
    }  # fmt: skip
    assert results == {"money", "burglary", "theft", "reinforcements", "wounded", "killed", "jailed"}


# -- undo, resume, replace at every line


@pytest.mark.parametrize("seed", SOME)
def test_an_undo_of_each_line_gives_the_state_before(seed: Any) -> None:
    judge = Judge(find)
    for number, line in enumerate(lines_of(random_match(seed))):
        before = judge.state
        judge.feed(line)
        if number and not isinstance(line, Undo):
            trial = copy(judge)
            trial.feed(Undo())
            assert trial.state == before


@pytest.mark.parametrize("seed", SOME)
def test_a_match_that_is_taken_up_after_any_line_stands_where_it_stood(seed: Any) -> None:
    live, lines = Judge(find), lines_of(random_match(seed))
    for number, line in enumerate(lines, start=1):
        live.feed(line)
        if seed == SOME[0] or number % 7 == seed % 7:  # after every line of one match
            match = Match(find, PlaySettings())
            match.take_up_race(lines[:number])
            assert match.judge.state == live.state
            assert match.judge.outcome() == live.outcome()
            live_again = copy(live)
            if not live.is_over():
                live_again.feed(Restart())
                assert live_again.state == live.state


@pytest.mark.parametrize("seed", SOME[:3])
def test_a_call_that_is_replaced_by_itself_changes_nothing(seed: Any) -> None:
    judge = Judge(find)
    for line in lines_of(random_match(seed, undo_chance=0.02)):
        judge.feed(line)
    outcome = judge.outcome()
    for told in judge.history.standing()[:: 1 if seed == SOME[0] else 9]:
        raw = builtins(told.line)
        seen = preview(judge.fresh(), outcome, judge.history, [Edit(told.number, (raw,))])
        assert seen.after == outcome
        assert seen.count(Fate.MISFIT) == 0


@pytest.mark.parametrize("seed", SOME[:3])
def test_a_call_that_is_replaced_by_another_is_judged_as_if_it_had_been_made(seed: Any) -> None:
    judge = Judge(find)
    for line in lines_of(random_match(seed, undo_chance=0)):
        judge.feed(line)
    changed = 0
    for told in judge.history.standing()[:: 1 if seed == SOME[0] else 5]:
        for field in GAME.fields(told.line):
            value = field.values[told.number % len(field.values)].value
            raw = {**builtins(told.line), field.name: value}
            try:
                seen = preview(judge.fresh(), judge.outcome(), judge.history, [Edit(told.number, (raw,))])
            except (Illegal, Malformed):
                continue
            fresh = judge.fresh()
            kept = [one.line for one in judge.history.standing() if one.number < told.number]
            assert judge.setup is not None
            lines: list[Line] = [judge.setup, *kept, *seen.again]
            for line in lines:
                fresh.feed(line)
            assert fresh.outcome() == seen.after
            changed += 1
    assert changed > 5


def test_what_is_set_by_hand_is_told_by_its_reason() -> None:
    line = ByHand(set="red money", value=700, reason="paid twice")
    assert GAME.describe(line) == "by hand: red money is 700 (paid twice)"
