"""Random whole matches: time is conserved to the nanosecond, and any line may be taken back or come after a resume."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.match.match import PlaySettings
from companion.core.match.match_maker import MatchMaker, Unfinished
from companion.core.panel import Colour
from companion.core.record.lines import ByHand, Restart, Undo, parse_line
from companion.core.ruling.judge import Judge, judge_record
from companion.core.ruling.replacing import Edit, preview
from companion.core.ruling.rulings import Ruling
from companion.core.words.encoding import builtins
from companion.games.clock import GAME
from companion.games.clock.lines import LINES, Adjust, Done, Flag, Pause, Score, TurnOver
from companion.games.clock.state import Phase, State, those_in
from tests.amounts import many
from tests.games.clock.matches import random_match
from tests.games.clock.table import MS, S, Table, find

pytestmark = [pytest.mark.slow, pytest.mark.no_cover]  # walks through whole matches

SEEDS = range(60)


def judged(record: list[bytes]) -> Any:
    judge: Any = Judge(find)
    for number, raw in enumerate(record, 1):
        judge.feed(parse_line(raw, number, LINES))
    return judge


@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_match_is_complete_and_judged_again_alike(seed: int) -> None:
    record = random_match(seed)
    rulings: list[Any] = list(judge_record(record, find))
    assert rulings == list(judge_record(record, find))
    assert rulings[-1].over
    assert record == random_match(seed)


def test_random_matches_have_every_line_ruling_and_setting() -> None:
    lines: Counter[str] = Counter()
    rulings: Counter[str] = Counter()
    for seed in range(400):
        record = random_match(seed)
        lines.update(str(parse_line(raw, 1, LINES).__struct_config__.tag) for raw in record)
        rulings.update(str(ruling.__struct_config__.tag) for ruling in judge_record(record, find))
        rulings.update(f"close {type(r).__name__}" for r in judge_record(record, find) if getattr(r, "close", False))
    assert {"start", "pause", "done", "pass", "fall", "late", "score", "adjust", "by_hand", "restart", "undo"} <= set(
        lines
    )
    assert {"flag", "stopped", "round", "turn", "late", "outcome", "close TurnOver", "close TooLate"} <= set(rulings)
    assert min(lines.values()) >= 10


@pytest.mark.parametrize("seed", SEEDS)
def test_undoing_each_line_gives_the_state_before_it_and_a_resume_the_state_after(seed: int) -> None:
    judge: Any = Judge(find)
    record = random_match(seed)
    for number, raw in enumerate(record, 1):
        line, before = parse_line(raw, number, LINES), judge.state
        judge.feed(line)
        if number == 1 or isinstance(line, Undo):
            continue
        trial = judged(record[:number])
        assert trial.state == judge.state, "a resumed match stands where the live one stood"
        trial.feed(Undo())
        assert trial.state == before


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_a_match_that_is_taken_up_after_any_line_stands_and_a_running_clock_is_stopped_at_that_line(seed: int) -> None:
    record = random_match(seed)
    maker = MatchMaker(find, PlaySettings(), None)
    ran = 0
    for number in range(2, len(record)):
        before: Any = judged(record[:number])
        match = maker.resume(Unfinished(1, lines_of(record[:number]), same_clock=False), 3 * S)
        after: Any = match.judge.state
        assert [type(told.line) for told in list(match.history)[number:]] == [Restart]
        assert [clock.left for clock in after.seats] == [clock.left for clock in before.state.seats]
        assert after.phase is not Phase.RUNNING
        ran += before.state.phase is Phase.RUNNING
    assert ran > 3


def test_points_that_were_meant_for_another_are_replaced_at_any_line() -> None:
    changed = 0
    for seed in range(30):
        judge = judged(random_match(seed))
        standing = judge.history.standing()
        for told in standing:
            for colour in judge.state.terms.colours if isinstance(told.line, Score) else ():
                raw = {**builtins(told.line), "colour": colour}
                found = preview(judge.fresh(), judge.outcome(), judge.history, [Edit(told.number, (raw,))])
                again: Any = judge.fresh()
                for line in (judge.setup, *[one.line for one in standing if 1 < one.number < told.number]):
                    again.feed(line)
                for line in found.again:
                    again.feed(line)
                assert found.after == again.outcome()
                changed += colour is not told.line.colour
    assert changed > 10


def lines_of(record: list[bytes]) -> tuple[Any, ...]:
    return tuple(parse_line(raw, number, LINES) for number, raw in enumerate(record, 1))


def left(state: State) -> int:
    return sum(clock.left for clock in state.seats)


def expected(state: State, rulings: list[Ruling]) -> int:
    """What `left` must sum to, from the setup and what was ruled: nothing else adds or takes."""
    terms = state.terms
    each = terms.main_ns + (terms.extra_ns if terms.mode == "increment" else 0)
    return each * len(terms.colours) + sum(ruling.added_ns for ruling in rulings if isinstance(ruling, TurnOver))


@pytest.mark.parametrize("seed", range(150))
def test_time_is_conserved_to_the_nanosecond(seed: int) -> None:
    """Increment: the start, what was added, less what was spent. Delay: what was spent beyond it. Hourglass: all."""
    judge: Any = Judge(find)
    rulings: list[Ruling] = []
    for number, raw in enumerate(random_match(seed), 1):
        line = parse_line(raw, number, LINES)
        if isinstance(line, (Undo, ByHand, Adjust, Restart)):
            return  # from here on something else than time changes times
        rulings += judge.feed(line)
        state = judge.state
        spent = sum(clock.spent for clock in state.seats)
        if state.terms.mode == "hourglass":
            assert left(state) == state.terms.main_ns * len(state.seats)
        elif state.terms.mode == "increment":
            assert left(state) == expected(state, rulings) - spent
        elif state.terms.mode == "delay":
            assert expected(state, rulings) - spent <= left(state) <= expected(state, rulings)
        else:
            assert all(clock.left <= state.terms.main_ns for clock in state.seats)
        if state.terms.is_out:
            assert all(clock.left >= 0 for clock in state.seats)
        assert (state.phase is not Phase.RUNNING) or len(those_in(state)) > 1


@settings(max_examples=many(80), deadline=None)
@given(
    count=st.integers(2, 5), gaps=st.lists(st.integers(0, 3 * S), min_size=1, max_size=40),
    turns=st.sampled_from(["one", "all"]), seed=st.integers(0, 1000),
)  # fmt: skip
def test_an_hourglass_never_gains_or_loses_whatever_is_pressed_and_falls_exactly(
    count: int, gaps: list[int], turns: str, seed: int
) -> None:
    random = Random(seed)
    table = Table(" ".join(list(Colour)[:count]), mode="hourglass", main="10", turns=turns, stops=False)
    table.start(0)
    now = 0
    for gap in gaps:
        deadline = GAME.deadline(table.state)
        if deadline is not None and deadline.t_ns <= now + gap:
            before = table.state
            (flag, *_) = table.feed(deadline.line)
            assert isinstance(flag, Flag)
            fallen = table.colours.index(flag.colour)
            assert (table.state.seats[fallen].left, before.seats[fallen].left > 0) == (0, True)
            now = deadline.t_ns
        else:
            now += gap
            runs = [line for line in (Done(colour=c, t_ns=now) for c in table.colours) if takes(table, line)]
            if not runs:
                break
            table.feed(random.choice(runs))
        assert left(table.state) == count * 10 * S


def takes(table: Table, line: Done) -> bool:
    try:
        GAME.apply(table.state, line)
    except ValueError:
        return False
    return True


@settings(max_examples=many(60), deadline=None)
@given(
    presses=st.lists(st.integers(0, 2 * S), min_size=1, max_size=30), pauses=st.sets(st.integers(0, 30)),
    mode=st.sampled_from(["increment", "delay", "move"]),
)  # fmt: skip
def test_a_pause_anywhere_changes_no_clock(presses: list[int], pauses: set[int], mode: str) -> None:
    straight, paused = (Table("red yellow blue", mode=mode, main="60", extra="2") for _ in range(2))
    straight.start(0)
    paused.start(0)
    now, gone = 0, 0
    for number, gap in enumerate(presses):
        if number in pauses:
            middle = now + gap // 2
            paused.pause((middle + gone) / MS)
            gone += 7 * S
            paused.start((middle + gone) / MS)
        now += gap
        colour = straight.turn
        straight.done(colour, now / MS)
        paused.done(colour, (now + gone) / MS)
    assert [clock.left for clock in straight.state.seats] == [clock.left for clock in paused.state.seats]


@pytest.mark.parametrize("seed", range(40))
def test_taking_back_gives_the_clocks_as_they_were_at_that_press_exactly(seed: int) -> None:
    random = Random(seed)
    table = Table(
        "red yellow blue", mode=random.choice(["increment", "delay", "hourglass", "move"]), main="60", extra="3"
    )
    table.start(0)
    now = 0
    for _ in range(random.randint(1, 15)):
        now += random.randint(0, 9 * S)
        before = table.state
        table.feed(Done(colour=table.colours[table.state.turn], t_ns=now))
    table.feed(Pause(t_ns=now + random.randint(0, 5 * S)))
    table.undo()
    shown = [clock.left for clock in table.state.seats]
    seen = GAME.view(before)
    if before.terms.mode != "hourglass":
        assert shown == [clock.left(now) for clock in seen.clocks]
    assert sum(shown) == sum(clock.left for clock in before.seats) - drained(before, now)


def drained(state: State, now: int) -> int:
    """How much leaves all clocks together until `now`."""
    if state.terms.mode == "hourglass":
        return 0
    clock = state.seats[state.turn]
    return max(0, now - (state.now or 0) - clock.delay)
