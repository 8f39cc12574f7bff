"""Made-up wishes for a drawing, for properties: any history, pairs apart, fixed tables, few boxes or many."""

from __future__ import annotations

from itertools import combinations

from hypothesis import strategies as st

from companion.tournament.drawing.wanted import Entrant, Wanted

MOST_PLAYERS = 14


@st.composite
def wishes(draw):
    """Make up what a drawing is made from; at times none is possible."""
    players = sorted(draw(st.sets(st.integers(1, 60), min_size=2, max_size=MOST_PLAYERS)))
    entrants = tuple(
        Entrant(
            player,
            draw(st.integers(0, 12)) * 4,
            draw(st.sampled_from([None] * 9 + [1, 2, 6])),
            draw(st.integers(0, 2)),
            tuple(draw(st.lists(st.integers(0, 3), max_size=5))),
        )
        for player in players
    )
    pairs = st.sampled_from(list(combinations(players, 2)))
    return Wanted(
        draw(st.integers(1, 7)),
        draw(st.sampled_from(["00", "5eed", "ff" * 32])),
        draw(st.permutations(entrants).map(tuple)),
        draw(st.dictionaries(pairs, st.integers(1, 3), max_size=40)),
        draw(st.frozensets(pairs, max_size=5)),
        draw(st.sampled_from([None, None, 1, 2, 3, 4])),
    )
