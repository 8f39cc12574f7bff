"""What lines do by themselves is the same whether each is looked at each time or only those that may be due."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.timing.contacts import ContactLimits, Contacts, LineTiming
from companion.core.timing.events import MS, SECOND, Edge, Levels
from tests.amounts import many

if TYPE_CHECKING:
    from companion.core.timing.contacts import LineEvent

TIMINGS = {
    "red first": LineTiming(seat="red"),
    "red second": LineTiming(seat="red", accept_ns=80 * MS, repeat_ns=200 * MS),
    "blue first": LineTiming(seat="blue", accept_ns=80 * MS),
    "blue second": LineTiming(seat="blue", accept_ns=300 * MS, bounce_ns=50 * MS),
    "blue third": LineTiming(seat="blue", accept_ns=80 * MS, bounce_ns=0),
    "knob": LineTiming(),
}
LIMITS = ContactLimits(chatter_edges=12, stuck_ns=SECOND)
LINES = tuple(TIMINGS)
gaps_ns = st.one_of(
    st.integers(0, 500_000), st.integers(1, 30).map(lambda ms: ms * MS), st.integers(50, 1500).map(lambda ms: ms * MS)
)
moves = st.tuples(
    gaps_ns, st.sampled_from([*LINES, *LINES, "levels", "time", "others"]), st.integers(0, 2 ** len(LINES) - 1)
)
chatter = st.sampled_from(LINES).map(lambda line: [(MS // 2, line, 0)] * (LIMITS.chatter_edges + 2))
played_moves = st.lists(st.one_of(moves.map(lambda move: [move]), moves.map(lambda move: [move]), chatter), max_size=60)


class LooksAlways(Contacts):
    """Looks at every line each time."""

    def advance(self, until_ns: int) -> list[LineEvent]:
        self._none_before_ns = -1
        return super().advance(until_ns)


def timings_of(bits: int) -> dict[str, LineTiming]:
    """Other timings: the lines of the bits are like any."""
    return {name: LineTiming() if bits >> at & 1 else timing for at, (name, timing) in enumerate(TIMINGS.items())}


@pytest.mark.no_cover  # counting branches makes it three times as slow
@given(played_moves)
@settings(max_examples=many(300))
def test_lines_do_the_same_whether_all_are_looked_at_or_those_that_may_be_due(
    played: list[list[tuple[int, str, int]]],
) -> None:
    both = LooksAlways(TIMINGS, LIMITS), Contacts(TIMINGS, LIMITS)
    closed = dict.fromkeys(LINES, False)
    t_ns = 1
    for made in both:
        made.feed(Levels(frozenset(), frozenset(LINES), t_ns))
    for gap_ns, what, bits in chain.from_iterable(played):
        t_ns += gap_ns
        if what == "others":
            for made in both:
                made.retime(timings_of(bits))
            continue
        if what == "levels":
            closed = {name: bool(bits >> at & 1) for at, name in enumerate(LINES)}
            event: Edge | Levels = Levels(frozenset(name for name in LINES if closed[name]), frozenset(LINES), t_ns)
        elif what in closed:
            closed[what] = not closed[what]
            event = Edge(what, closed[what], t_ns, 20_000)
        told = [made.advance(t_ns) if what == "time" else made.feed(event) for made in both]
        assert told[0] == told[1]
        assert both[0].next_deadline() == both[1].next_deadline()
    told = [made.advance(t_ns + 20 * SECOND) for made in both]
    assert told[0] == told[1]
