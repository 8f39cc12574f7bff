"""Who was before whom in one race, by the clauses "Dead heat" and "Order" of the match record alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256

from tests.differential.strict_lines import Line

TOO_UNCERTAIN_NS = 5_000_000


@dataclass(frozen=True)
class Runner:
    """A press that counts, with what decides its place."""

    press: Line
    adjusted: int
    error: int
    clockwise: int

    @property
    def colour(self) -> str:
        return str(self.press["colour"])

    def is_certainly_before(self, other: Runner) -> bool:
        return other.adjusted - self.adjusted > self.error + other.error

    def is_tied_with(self, other: Runner) -> bool:
        return abs(other.adjusted - self.adjusted) <= self.error + other.error


def runners_of(setup: Line, presses: list[Line], revealer: str) -> list[Runner]:
    """Give every press what decides its place; the revealer is at distance 0 clockwise."""
    colours = [seat["colour"] for seat in setup["seats"]]
    allowances = {seat["colour"]: seat.get("allowance_ms", 0) * 1_000_000 for seat in setup["seats"]}
    start = colours.index(revealer)
    return [
        Runner(
            press,
            press["t_ns"] - allowances[press["colour"]],
            press.get("error_ns", 0),
            (colours.index(press["colour"]) - start) % len(colours),
        )
        for press in presses
    ]


def in_order(setup: Line, race: int, runners: list[Runner]) -> list[Runner]:
    """Place after place: the policy picks among those that nobody left is certainly ahead of."""
    pick = _policy(setup, race, sum(runner.press["t_ns"] for runner in runners))
    left, placed = list(runners), []
    while left:
        candidates = [one for one in left if not any(other.is_certainly_before(one) for other in left)]
        chosen = pick(candidates)
        placed.append(chosen)
        left.remove(chosen)
    return placed


def _policy(setup: Line, race: int, total: int) -> Callable[[list[Runner]], Runner]:
    """Give the setup's way to pick one of the candidates; `total` is the sum of all stamps, for lots."""
    name = setup.get("dead_heat", "timestamp")
    if name == "timestamp":
        return lambda candidates: min(candidates, key=lambda one: (one.adjusted, one.clockwise))
    if name == "clockwise":
        return lambda candidates: min(_certain_enough(candidates), key=lambda one: one.clockwise)

    def lot(one: Runner) -> int:
        ticket = f"{setup['seed']}:{race}:{one.colour}:{total}"
        return int(sha256(ticket.encode()).hexdigest(), 16)

    return lambda candidates: min(_certain_enough(candidates), key=lot)


def _certain_enough(candidates: list[Runner]) -> list[Runner]:
    """Leave out those whose uncertainty is too large, unless there are no others."""
    return [one for one in candidates if one.error <= TOO_UNCERTAIN_NS] or candidates


def tied_with(one: Runner, runners: list[Runner], colours: list[str]) -> list[str]:
    """Name the seats whose presses this one is tied with, in the order of seats."""
    tied = {other.colour for other in runners if other is not one and one.is_tied_with(other)}
    return [colour for colour in colours if colour in tied]


def order_line(race: int, placed: list[Runner], colours: list[str], verdicts: list[Line]) -> Line:
    """Give the `order` object of a race: the places with the game's verdict on each."""
    places = [
        {
            "place": place,
            "colour": one.colour,
            "role": one.press["role"],
            "t_ns": one.press["t_ns"],
            "gap_ns": one.press["t_ns"] - placed[0].press["t_ns"],
            "dead_heat": bool(tied_with(one, placed, colours)),
            "tied_with": tied_with(one, placed, colours),
            **verdict,
        }
        for place, (one, verdict) in enumerate(zip(placed, verdicts, strict=True), start=1)
    ]
    return {"type": "order", "race": race, "order": places}
