"""The best drawing of a round as CP-SAT proves it: by choosing among all tables that there could be.

Each set of players that may sit together is a table with its meetings and its spread; a drawing is a choice of tables
in which each player is once, with as many tables of each size as the drawing that is looked at has. Tables that alone
cost more than all of that drawing are in no better one, and are left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import NamedTuple

from ortools.sat.python import cp_model

from companion.tournament.drawing.cost import cost_of
from companion.tournament.drawing.wanted import Drawing, Wanted

WAYS = ("max_lp", "objective_lb_search_max_lp")
"""Of the solver's ways those that prove such a thing soonest: by linear programs, and from below."""


class Choice(NamedTuple):
    """A table that there could be."""

    players: tuple[int, ...]
    meetings: int
    spread: int


class Proof(NamedTuple):
    """What of an aim is sure. found: the least that is known to be possible; bound: nothing is less than that."""

    found: int
    bound: int

    @property
    def is_proven(self) -> bool:
        return self.found == self.bound


class Field:
    """The players who are seated, by score, and which tables they could make."""

    def __init__(self, wanted: Wanted, drawing: Drawing) -> None:
        self.wanted = wanted
        self.sizes = Counter(len(table.players) for table in drawing.tables)
        self.scores = {entrant.player: entrant.score for entrant in wanted.entrants}
        self.homes = {entrant.player: entrant.fixed for entrant in wanted.entrants if entrant.fixed is not None}
        self.at_home: dict[int, set[int]] = {}
        seated = [player for table in drawing.tables for player in table.players]
        self.players = sorted(seated, key=lambda player: (self.scores[player], player))
        for player in seated:
            if player in self.homes:
                self.at_home.setdefault(self.homes[player], set()).add(player)
        self.costs = {pair: self._cost(pair) for pair in combinations(self.players, 2)}

    def _cost(self, pair: tuple[int, int]) -> int | None:
        ordered = (min(pair), max(pair))
        homes = [self.homes[player] for player in pair if player in self.homes]
        if ordered in self.wanted.apart or len(set(homes)) > 1:
            return None
        return self.wanted.meetings.get(ordered, 0) ** 2

    def choices(self, meetings: int, spread: int | None = None) -> Iterator[Choice]:
        """Give the tables with no more meetings and no more spread than that."""
        for choice in self._grown((), 0, 0, meetings, spread):
            if self._has_all_at_home(choice):
                yield choice

    def _has_all_at_home(self, choice: Choice) -> bool:
        """Whether all are there who always sit at the table that one of the choice always sits at."""
        home = next((self.homes[player] for player in choice.players if player in self.homes), None)
        return home is None or self.at_home[home] <= set(choice.players)

    def reaches_over(self, choice: Choice, score: int) -> bool:
        return self.scores[choice.players[0]] <= score < self.scores[choice.players[-1]]

    def _grown(self, table: tuple[int, ...], at: int, met: int, meetings: int, spread: int | None) -> Iterator[Choice]:
        if len(table) in self.sizes:
            yield Choice(table, met, self.scores[table[-1]] - self.scores[table[0]])
        if len(table) == max(self.sizes):
            return
        for index in range(at, len(self.players)):
            player = self.players[index]
            if table and spread is not None and self.scores[player] - self.scores[table[0]] > spread:
                return
            costs = [cost for one in table if (cost := self.costs[one, player]) is not None]
            if len(costs) == len(table) and met + sum(costs) <= meetings:
                yield from self._grown((*table, player), index + 1, met + sum(costs), meetings, spread)


def least_meetings(wanted: Wanted, drawing: Drawing, effort: float) -> Proof:
    """Prove what the first aim is at least, given a drawing that shows what it is at most."""
    found = cost_of(wanted, drawing.tables).meetings
    if not found:
        return Proof(0, 0)
    field = Field(wanted, drawing)
    model, chosen = _model(field, list(field.choices(found)))
    model.minimize(sum(choice.meetings * is_chosen for choice, is_chosen in chosen if choice.meetings))
    return _solved(model, found, effort)


def least_spread(wanted: Wanted, drawing: Drawing, effort: float) -> Proof:
    """Prove what the second aim is at least, of drawings with no more meetings than this one has."""
    cost = cost_of(wanted, drawing.tables)
    field = Field(wanted, drawing)
    model, chosen = _model(field, list(field.choices(cost.meetings, cost.spread)))
    model.add(sum(choice.meetings * is_chosen for choice, is_chosen in chosen) <= cost.meetings)
    model.minimize(sum(gap * over for gap, over in _reaches(model, field, chosen)))
    return _solved(model, cost.spread, effort)


def _reaches(
    model: cp_model.CpModel, field: Field, chosen: list[tuple[Choice, cp_model.IntVar]]
) -> Iterator[tuple[int, cp_model.IntVar]]:
    """Give each gap between scores, and how many tables have players on both sides of it: the spread is their product.

    Where the tables' sizes do not add up to the number of players below a gap, it is one at least: that follows anyway,
    and takes the solver long to see.
    """
    sums = {0}
    for size in field.sizes.elements():
        sums |= {one + size for one in sums}
    scores = [field.scores[player] for player in field.players]
    for below, (low, high) in enumerate(pairwise(scores), 1):
        if low < high:
            over = model.new_int_var(int(below not in sums), sum(field.sizes.values()), "")
            model.add(over == sum(is_chosen for choice, is_chosen in chosen if field.reaches_over(choice, low)))
            yield high - low, over


def _model(field: Field, choices: list[Choice]) -> tuple[cp_model.CpModel, list[tuple[Choice, cp_model.IntVar]]]:
    model = cp_model.CpModel()
    chosen = [(choice, model.new_bool_var("")) for choice in choices]
    at: dict[int, list[cp_model.IntVar]] = {player: [] for player in field.players}
    of_size: dict[int, list[cp_model.IntVar]] = {size: [] for size in field.sizes}
    for choice, is_chosen in chosen:
        of_size[len(choice.players)].append(is_chosen)
        for player in choice.players:
            at[player].append(is_chosen)
    for variables in at.values():
        model.add_exactly_one(variables)
    for size, variables in of_size.items():
        model.add(sum(variables) == field.sizes[size])
    return model, chosen


def _solved(model: cp_model.CpModel, found: int, effort: float) -> Proof:
    solver = cp_model.CpSolver()
    solver.parameters.max_deterministic_time = effort
    solver.parameters.num_workers = len(WAYS)
    solver.parameters.subsolvers.extend(WAYS)
    status = solver.solve(model)
    if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return Proof(min(found, round(solver.objective_value)), -int(-solver.best_objective_bound // 1))
    assert status == cp_model.UNKNOWN, solver.status_name(status)
    return Proof(found, max(0, -int(-solver.best_objective_bound // 1)))
