"""Record lines judged per second in every installed game, beside Apache's, in one run by turns.

The records are whole random matches: by the game's own `tests/games/PACKAGE/matches.py` where there is one, else walks
through the game's offers.
"""

from __future__ import annotations

import importlib
import importlib.util
import statistics
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from companion.games import registry
from companion.testing.walks import Walk
from tests.bench.judging import judged_per_second
from tests.bench.measured import Measured, of_values, spread
from tests.replay import generate

if TYPE_CHECKING:
    from collections.abc import Callable


class Sizes(NamedTuple):
    """records, lines: at least so many of each game, so that one round takes long enough to be measured."""

    rounds: int = 7
    records: int = 12
    lines: int = 3000


USUAL = Sizes()
SMOKE = Sizes(rounds=1, records=1, lines=1)
FIGURES = {"ratio": "times"}
STANDARD = "apache"
LEAST = 0.1
"""A game judges at least so many lines in the time in which Apache judges one."""


def makes_matches(name: str) -> Callable[[int], list[bytes]]:
    """Give what makes a whole random match of a game from a seed."""
    if name == STANDARD:
        return generate.random_match
    module = f"tests.games.{name.replace('-', '_')}.matches"
    if importlib.util.find_spec(module) is not None:
        return cast("Callable[[int], list[bytes]]", importlib.import_module(module).random_match)
    return lambda seed: walked(name, seed)


def walked(name: str, seed: int) -> list[bytes]:
    """Walk a match through its offers, to where it can end."""
    walk = Walk(registry.find(name), seed)
    for _ in walk.states(400):
        pass
    walk.end()
    return walk.record


def records_of(name: str, sizes: Sizes) -> list[list[bytes]]:
    """Give so many matches of a game that they have enough lines."""
    make = makes_matches(name)
    records: list[list[bytes]] = []
    while len(records) < sizes.records or sum(map(len, records)) < sizes.lines:
        records.append(make(len(records)))
    return records


def measure(sizes: Sizes = USUAL) -> Measured:
    out = Measured("Judging a record again, game by game")
    names = (STANDARD, *(name for name in registry.names() if name != STANDARD))
    records = {name: records_of(name, sizes) for name in names}
    for name in names:
        judged_per_second(records[name][:2])
    speeds: dict[str, list[float]] = {name: [] for name in names}
    for _ in range(sizes.rounds):
        for name in names:
            speeds[name].append(judged_per_second(records[name]))
    values: dict[str, Any] = {}
    for name in names:
        ratios = [a / b for a, b in zip(speeds[name], speeds[STANDARD], strict=True)]
        micros = [1e6 / speed for speed in speeds[name]]
        out.row(f"{name}: lines a second", spread(speeds[name]))
        out.row(f"{name}: µs a line", spread(micros, 1))
        out.row(f"{name}: of {STANDARD}'s lines a second, in pairs", spread(ratios, 2))
        out.figures[f"ratio@{name}"] = of_values(ratios)
        values[name] = {"lines_per_s": speeds[name], "ratio": ratios, "lines": sum(map(len, records[name]))}
        out.promise(statistics.median(ratios) >= LEAST, f"{name} judges at least {LEAST} lines to one of {STANDARD}'s")
    out.values = values
    return out
