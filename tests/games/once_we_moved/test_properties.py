"""Properties of the game, whatever is done: blocks and points are kept, a refusal has a rule and changes nothing."""

from __future__ import annotations

import re
from copy import deepcopy
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.errors import Illegal, Malformed
from companion.core.panel import Colour
from companion.games.once_we_moved.judging.asked import TOLLS, is_asked
from companion.games.once_we_moved.judging.lines import (
    Casualties,
    Chieftains,
    Deploy,
    Reckoning,
    Reinforced,
    Removed,
    Segment,
    Stacked,
    Surplus,
    Trek,
    Undisclosed,
    Unmasked,
)
from tests.amounts import many
from tests.games.once_we_moved.matches import BOARDS, GAME, Table
from tests.games.once_we_moved.test_matches import verify_kept

pytestmark = [pytest.mark.slow, pytest.mark.no_cover]  # walks through whole matches

COLOURS = st.sampled_from(list(Colour))
AREAS = st.sampled_from(["north", "town", "villa", "pass", "001", "002", "nowhere", ""])
TALLIES = st.integers(-2, 25) | st.sampled_from([-(2**63), 2**63 - 1])
ANY_LINE = st.one_of(
    st.just(Undisclosed()),
    st.builds(Chieftains, tally=TALLIES),
    st.builds(Segment, colour=COLOURS, crossed=st.booleans()),
    st.builds(Deploy, colour=COLOURS, area=AREAS, tally=TALLIES),
    st.builds(Trek, colour=COLOURS, whence=AREAS, whither=AREAS, tally=TALLIES),
    st.builds(Surplus, colour=COLOURS, tally=TALLIES),
    st.builds(Stacked, colour=COLOURS, area=AREAS, tally=TALLIES),
    st.builds(Unmasked, area=AREAS | st.none(), tally=TALLIES),
    st.builds(Reinforced, tally=TALLIES),
    st.builds(Removed, sticker=st.sampled_from(["band 1", "Scout", "Miles", "Geronimo", "nobody"])),
    st.builds(Casualties, colour=COLOURS, area=AREAS, tally=TALLIES),
    st.builds(Reckoning, toll=st.sampled_from([*TOLLS, "gold"]), tally=TALLIES),
)


def played(seed: int, steps: int) -> Table:
    """Give a match some way on, nothing of it set by hand."""
    table = Table(Random(seed))
    for _ in range(steps):
        if not GAME.is_exhausted(table.state):
            table.write(table.chosen(table.offer()))
    return table


@settings(max_examples=many(120), deadline=None)
@given(seed=st.integers(0, 10**6), steps=st.integers(0, 120))
def test_blocks_and_points_are_kept_at_every_line(seed, steps):
    table = played(seed, steps)
    for state, _ in table.before:
        verify_kept(state)
        assert is_asked(state)
    verify_kept(table.state)


@settings(max_examples=many(300), deadline=None)
@given(seed=st.integers(0, 10**6), steps=st.integers(0, 90), lines=st.lists(ANY_LINE, min_size=1, max_size=12))
def test_any_line_is_taken_or_refused_by_a_rule_and_a_refusal_changes_nothing(seed, steps, lines):
    state = played(seed, steps).state
    kept = deepcopy(state)
    for line in lines:
        after, why = tried(state, line)
        if why:
            assert why != "no rule"
            assert state == kept
            continue
        verify_kept(after)
        state, kept = after, deepcopy(after)


def tried(state, line):
    """Give the state after a line; where it is refused, the state as it was and the rule, which has the right kind."""
    found = None
    try:
        return GAME.apply(state, line)[0], ""
    except (Illegal, Malformed) as error:
        found = re.fullmatch(r"rule (W[1-9]): .+", str(error))
        is_right = found is not None and isinstance(error, Malformed) is (found[1] == "W4")
    return state, found[1] if is_right and found else "no rule"


@settings(max_examples=many(60), deadline=None)
@given(seed=st.integers(0, 10**6), steps=st.integers(0, 90))
def test_what_is_legal_is_what_is_offered(seed, steps):
    """Every number one beyond an offer's range is refused; both ends are taken."""
    state = played(seed, steps).state
    for offer in GAME.offers(state):
        if offer.number is not None:
            for value in (offer.number.low, offer.number.high):
                GAME.apply(state, offer.number.line(value))
            for value in (offer.number.low - 1, offer.number.high + 1):
                assert tried(state, offer.number.line(value))[1] == "W3"


@settings(max_examples=many(200), deadline=None)
@given(text=st.text("areborid AZSO+\n\t#-019x ", max_size=60) | st.sampled_from(BOARDS))
def test_any_text_is_a_board_or_has_faults(text):
    faults = GAME.check_file("terrain", text)
    assert all(1 <= (fault.line or 0) <= text.count("\n") + 1 for fault in faults)
    assert GAME.check_file("stickers", text) is not None
