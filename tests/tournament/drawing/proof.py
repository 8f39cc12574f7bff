"""Draws rounds of made-up events, and has a solver prove how good these drawings are.

`make drawing` runs this module: HISTORIES events of 12 to 40 players, each in a round from 2 to 7, a line for each;
then how long a drawing of 4,000 players takes. The first aim has to be the optimum, the second at most 1.05 of it.
Where the solver does not come to an end, its bound stands in for the optimum; where that is too low to say, the history
counts as unproven and not as passed.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from enum import Enum
from typing import NamedTuple

from companion.tournament.drawing.cost import cost_of
from companion.tournament.drawing.drawing import draw
from companion.tournament.drawing.wanted import Cost, Drawing, Wanted
from tests.tournament.drawing.histories import Event, event_of
from tests.tournament.drawing.solver import Proof, least_meetings, least_spread

LEAST_PROVEN = 50
EFFORT = 60.0
"""In the solver's own measure, which is about a second on a free machine, and does not depend on how busy it is."""
LARGE = 4_000
MOST_S = 10.0
"""Seconds that a drawing of `LARGE` players may take."""


class Verdict(Enum):
    """What is known of a drawing."""

    OPTIMAL = "optimal in both"
    WITHIN = "within 1.05"
    UNPROVEN = "UNPROVEN"
    WORSE = "WORSE"


class Case(NamedTuple):
    """A drawing, and what the solver says of its first two aims. spread: None where the first is not optimal."""

    wanted: Wanted
    drawing: Drawing
    cost: Cost
    drawn_s: float
    meetings: Proof
    spread: Proof | None

    @property
    def verdict(self) -> Verdict:
        if self.spread is None:
            return Verdict.WORSE if self.meetings.found < self.cost.meetings else Verdict.UNPROVEN
        if self.spread.bound == self.cost.spread:
            return Verdict.OPTIMAL
        if 20 * self.cost.spread <= 21 * self.spread.bound:
            return Verdict.WITHIN
        return Verdict.WORSE if 20 * self.cost.spread > 21 * self.spread.found else Verdict.UNPROVEN


def players_of(history: int) -> int:
    """Give how many players a history has, 12 to 40."""
    return 12 + history * 11 % 29


def round_of(history: int) -> int:
    """Give which round of a history is drawn, 2 to 7."""
    return 2 + history % 6


def prove(wanted: Wanted, effort: float) -> Case:
    """Draw a round, and prove what the solver proves of each aim with so much effort."""
    begun = time.perf_counter()
    drawing = draw(wanted)
    drawn_s = time.perf_counter() - begun
    cost = cost_of(wanted, drawing.tables)
    meetings = least_meetings(wanted, drawing, effort)
    is_least = meetings.bound == cost.meetings
    return Case(wanted, drawing, cost, drawn_s, meetings, least_spread(wanted, drawing, effort) if is_least else None)


def told(history: int, case: Case, took_s: float) -> str:
    """Give a line of the table."""
    sizes = Counter(len(table.players) for table in case.drawing.tables)
    tables = " ".join(f"{count}×{size}" for size, count in sorted(sizes.items(), reverse=True))
    spread = "-" if case.spread is None else str(case.spread.bound)
    fixed = sum(entrant.fixed is not None for entrant in case.wanted.entrants)
    return (
        f"{history:7} {len(case.wanted.entrants):7} {case.wanted.round:5}  {tables:12} {len(case.drawing.byes):4} "
        f"{len(case.wanted.apart):5} {fixed:5} {case.drawn_s:7.2f} {case.cost.meetings:8} {case.meetings.bound:6} "
        f"{case.cost.spread:6} {spread:>6} {took_s:7.1f}  {case.verdict.value}"
    )


HEADING = "history players round  tables       byes apart fixed drawn_s meetings proven spread proven solver_s  verdict"


def prove_all(histories: int, first: int, effort: float) -> Counter[Verdict]:
    """Print a line for each history, and count the verdicts."""
    print(HEADING, flush=True)
    verdicts: Counter[Verdict] = Counter()
    for history in range(first, first + histories):
        wanted = event_of(history, players_of(history)).play_until(round_of(history))
        begun = time.perf_counter()
        case = prove(wanted, effort)
        verdicts[case.verdict] += 1
        print(told(history, case, time.perf_counter() - begun - case.drawn_s), flush=True)
    return verdicts


def measure(players: int, rounds: int) -> float:
    """Draw so many rounds of a large event, print how long each took, and give the longest."""
    event, longest = Event(1, list(range(1, players + 1))), 0.0
    for number in range(1, rounds + 1):
        wanted, begun = event.wanted(), time.perf_counter()
        drawing = draw(wanted)
        took_s = time.perf_counter() - begun
        cost = cost_of(wanted, drawing.tables)
        print(f"{players} players, round {number}: {took_s:.2f} s, meetings {cost.meetings}, spread {cost.spread}")
        event.play(drawing)
        longest = max(longest, took_s)
    return longest


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--histories", type=int, default=60)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--effort", type=float, default=EFFORT, help="of the solver, for each aim of each history")
    given = parser.parse_args()
    verdicts = prove_all(given.histories, given.first, given.effort)
    longest = measure(LARGE, 7)
    print(", ".join(f"{verdict.value}: {verdicts[verdict]}" for verdict in Verdict), f"of {given.histories}")
    proven = verdicts[Verdict.OPTIMAL] + verdicts[Verdict.WITHIN]
    is_enough = proven >= min(LEAST_PROVEN, given.histories)
    return 0 if is_enough and not verdicts[Verdict.WORSE] and longest <= MOST_S else 1


if __name__ == "__main__":
    sys.exit(main())
