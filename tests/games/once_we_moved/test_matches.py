"""Whole random matches: taken up again, taken back and told anew at every line; what they come to, what is kept."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from companion.core.errors import Illegal, Malformed
from companion.core.match.match import PlaySettings
from companion.core.match.match_maker import MatchMaker, Unfinished
from companion.core.record.lines import ChanceLine, Line, Undo, parse_line
from companion.core.ruling.judge import Judge
from companion.core.ruling.replacing import Edit, Fate, preview
from companion.core.timing.events import SECOND
from companion.games.once_we_moved.judging.lines import OWN_LINES
from companion.games.once_we_moved.judging.pools import Pool
from companion.games.once_we_moved.judging.state import Stage, State
from tests.games.once_we_moved.matches import GAME, random_match
from tests.games.once_we_moved.table import find

pytestmark = [pytest.mark.slow, pytest.mark.no_cover]  # walks through whole matches

WHOLE = (2, 7, 8)
"""Matches that are looked at line by line: with and without a board, with names and without."""


@cache
def lines_of(seed: int) -> tuple[Line, ...]:
    return tuple(parse_line(raw, number, OWN_LINES) for number, raw in enumerate(random_match(seed), start=1))


def judged(seed: int) -> tuple[Judge, list[Any]]:
    """Judge a match, and give the state after each line."""
    judge, states = Judge(find), []
    for line in lines_of(seed):
        judge.feed(line)
        states.append(judge.state)
    return judge, states


def test_they_are_of_all_sorts():
    stages, kinds, boards, named = set(), set(), set(), set()
    for seed in range(60):
        judge, states = judged(seed)
        stages |= {state.stage for state in states}
        kinds |= {type(line) for line in lines_of(seed)}
        boards.add(states[0].has_board)
        named.add("Chato" in states[0].terms.stickers.pools)
        assert GAME.is_over(judge.state)
    assert stages == set(Stage)
    assert set(OWN_LINES) <= kinds
    assert Undo in kinds
    assert boards == named == {True, False}


@pytest.mark.parametrize("seed", WHOLE)
def test_a_match_that_is_taken_up_again_at_any_line_stands_as_it_did(seed):
    lines, (_, states) = lines_of(seed), judged(seed)
    for number in range(1, len(lines), 1 if seed == WHOLE[0] else 3):  # after every line of one match
        maker = MatchMaker(find, PlaySettings(window_ns=SECOND), None)
        match = maker.resume(Unfinished(1, lines[:number], same_clock=True), SECOND)
        assert match.judge.state == states[number - 1]


@pytest.mark.parametrize("seed", WHOLE)
def test_taking_back_any_line_gives_the_state_before_it(seed):
    judge = Judge(find)
    for line in lines_of(seed):
        before = judge.state
        judge.feed(line)
        if before is not None and not isinstance(line, Undo):
            after = judge.state
            judge.feed(Undo())
            assert judge.state == before
            judge.feed(line)
            assert judge.state == after


@pytest.mark.parametrize("seed", WHOLE)
def test_a_line_that_is_told_anew_leads_where_it_would_have_led(seed):
    """The line itself again changes nothing; another choice is judged as if it had been made at once."""
    judge, _ = judged(seed)
    history = judge.history
    for told in history.standing()[:: 1 if seed == WHOLE[0] else 9]:
        before = told.before
        options = [line for line in choices(before, told.line) if line != told.line]
        raw = {"type": str(told.line.__struct_config__.tag), **plain(told.line)}
        again = preview(Judge(find), judge.outcome(), history, [Edit(told.number, (raw,))])
        assert again.after == judge.outcome()
        assert again.count(Fate.MISFIT) == 0
        for line in options[:1]:
            raw = {"type": str(line.__struct_config__.tag), **plain(line)}
            seen = preview(Judge(find), judge.outcome(), history, [Edit(told.number, (raw,))])
            assert seen.after == replayed(history, told.number, line)


def choices(state: State, line: Line) -> list[Line]:
    """Give other lines that might have stood in the place of one."""
    found: list[Line] = []
    for offer in GAME.offers(state):
        if offer.number is not None:
            found += [offer.number.line(offer.number.low), offer.number.line(offer.number.high)]
        found += [option.line for option in offer.options]
        if offer.chance is not None and isinstance(line, ChanceLine):
            result = offer.chance.outcomes[: offer.chance.count]
            found.append(ChanceLine(name=line.name, n=line.n, by="hand", result=result))
    return found


def plain(line: Line) -> dict[str, Any]:
    values = {name: getattr(line, name) for name in line.__struct_fields__}
    return {name: value for name, value in values.items() if value is not None and value is not False}


def replayed(history: Any, number: int, line: Line) -> Any:
    """Judge a record plainly with another line in a place; what does not fit then is left out."""
    judge = Judge(find)
    judge.feed(history[0].line)
    for told in history.standing():
        try:
            judge.feed(line if told.number == number else told.line)
        except (Illegal, Malformed):
            assert told.number != number
    return judge.outcome()


@pytest.mark.parametrize("block", range(6))
def test_blocks_points_and_strength_are_kept(block):
    for seed in range(10 * block, 10 * block + 10):
        lines, (_, states) = lines_of(seed), judged(seed)
        if any(str(line.__struct_config__.tag) == "by_hand" for line in lines):
            continue
        for state in states[1:]:
            verify_kept(state)


def verify_kept(state: State) -> None:
    """Blocks out are on the map, aside or off; levels and points are those of the account."""
    for side in (0, 1):
        on_map = sum(pair[side] for pair in state.stacks)
        assert min((0, *(pair[side] for pair in state.stacks))) == 0
        assert state.blocks(side) == on_map + state.aside(side) + state.forces.off[side]
        assert state.marks.levels[side] == sum(past.gains == side for past in state.past)
        assert state.points[side] == sum(entry.points for entry in state.sheet if entry.side == side)
    stickers = state.terms.stickers
    for pool, out in enumerate(state.forces.out):
        assert out <= len(stickers.names[pool])
    assert len(set(state.forces.gone)) == len(state.forces.gone)
    if not state.has_board:
        assert state.stacks == ()
    spent = state.entered("apache-lost") + state.entered("forced") + state.entered("kept")
    assert spent <= state.out(Pool.BANDS) * 4
    assert state.entered("rumours") <= state.forces.out[1]


def test_with_a_board_what_is_told_of_rumours_is_off_the_map():
    for seed in range(30):
        for before, after, line in steps(seed):
            if str(line.__struct_config__.tag) == "unmasked" and before.has_board and after.stage == before.stage:
                came_off = [one[0] - other[0] for one, other in zip(before.stacks, after.stacks, strict=True)]
                assert sum(came_off) == line.tally


def steps(seed: int) -> Any:
    _, states = judged(seed)
    return zip(states, states[1:], lines_of(seed)[1:], strict=False)
