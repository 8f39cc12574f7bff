"""How often the intervals of calibrations hold, and what races after them do to whoever is slow on purpose, or not.

10,000 simulated players a case (PLAYERS says another number). `python -m tests.bench calibration`.
"""

from __future__ import annotations

import os
from statistics import mean
from typing import NamedTuple

import numpy as np

from companion.core.calibration.handicap import RACES, next_allowance_ms
from tests.bench.calibrated import Table, ended, held, quantiles, seats
from tests.bench.measured import Measured, of_values, percentile


class Sizes(NamedTuple):
    """players: simulated ones of a case of trials. racing: those of a case of races after the trials."""

    players: int = int(os.environ.get("PLAYERS", "10000"))
    racing: int = 2000


USUAL = Sizes()
SMOKE = Sizes(players=8, racing=4)
FIGURES = {"held": "%", "sandbag_gain": "ms"}
PROMISED, MARGIN = 95.0, 1.5
FIRST_SEED = 1_000
"""Others than those by which the constants of the interval were set."""

TABLES = (
    Table(30, (30,)),
    Table(30, (60, 60, 60), gap=200, shape="very skewed"),
    Table(60, (100, 100, 100)),
    Table(60, (60, 60, 60), gap=300, apart=(-80, 0, 80), hanging=0.2),
    Table(100, (60, 60, 60, 60), gap=400, apart=(-30, 0, 0, 30), shape="normal"),
    Table(100, (60, 60, 60, 60), gap=400, apart=(-30, 0, 0, 30), hanging=0.2),
    Table(100, (100,), shape="lognormal"),
    Table(150, (60, 60), gap=400, apart=(0, 40)),
    Table(150, (60, 60), gap=400, apart=(0, 40), shape="normal", hanging=0.2),
    Table(200, (100,), gap=700, shape="very skewed"),
    Table(200, (60, 60, 60), gap=1000, shape="lapsing"),
    Table(300, (80, 80, 80), gap=800, apart=(-50, 0, 20), hanging=0.1),
    Table(400, (60, 60, 60), gap=700),
    Table(400, (60, 60, 60), gap=1500, shape="very skewed", hanging=0.2),
    Table(400, (100,), gap=3000, shape="lognormal"),
    Table(400, (400, 60, 60), gap=500, shape="normal"),
)
BEYOND = (
    Table(150, (60, 60), gap=400, apart=(0, 40), hanging=0.4),
    Table(400, (60, 60, 60), gap=700, hanging=0.4),
)
"""What is measured too, and not promised: trials that hang together more than those of experiments do."""

SPREADS = (30, 100, 200, 400)
GAPS_MS = (100, 200, 400, 1000)
SANDBAG_MS, MOST_GAIN_MS = 100, 20
CORNER, MOST_IN_CORNER_MS = {(400, 200), (400, 400)}, 30
"""Spread and gap where more is gained: so wide an interval ends at its lower end, far below what races speak for."""
OTHERS, OTHERS_SPREAD = 3, 60
EACH, MATCHES = 20, 6  # races of a match; matches


def says(table: Table) -> str:
    others = "/".join(map(str, table.others))
    return f"spread {table.spread} ms, others {others}, {table.shape}, neighbours {table.hanging:g}, gap {table.gap}"


def measure(sizes: Sizes = USUAL) -> Measured:
    result = Measured(f"calibration: {sizes.players:,} simulated players a case")
    shares = []
    for seed, table in enumerate((*TABLES, *BEYOND)):
        found = ended(*seats(table, sizes.players, FIRST_SEED + seed))
        share = held(table, found)
        trials = mean(one.trials for one in found)
        errors = [one.ms - max(0.0, table.difference) for one in found]
        usual = percentile([abs(error) for error in errors], 0.9)
        mark = "" if table in TABLES else " (not promised)"
        result.row(
            says(table) + mark, f"{share:.1f} % hold; {trials:.0f} trials; 9 of 10 proposals within {usual:.0f} ms"
        )
        result.values[says(table)] = {"held": share, "trials": trials, "within_ms": usual}
        if table in TABLES:
            shares.append(share)
            result.promise(
                abs(share - PROMISED) <= MARGIN, f"{says(table)}: {share:.1f} % hold, not {PROMISED} ± {MARGIN} %"
            )
    result.figures["held"] = of_values(shares)
    gains = [_sandbag(spread, gap, result, sizes.racing) for gap in GAPS_MS for spread in SPREADS]
    result.figures["sandbag_gain"] = of_values(gains)
    return result


def _sandbag(spread: int, gap_ms: int, result: Measured, players: int) -> float:
    """Add what a player gains who is slow in the trials on purpose; give it, in ms."""
    honest, slow = (np.array(allowances(spread, gap_ms, sandbag, spread, players)) for sandbag in (0, SANDBAG_MS))
    gain = slow[1:] - honest[1:]  # from the second match on: the first after 20 races
    lost = gap_ms - honest[1:]
    worst = float(gain.mean(axis=1).max())
    case = f"spread {spread} ms, gap {gap_ms} ms"
    result.row(
        f"{case}: 100 ms slow in the trials alone",
        f"gains {gain.mean():.0f} ms from the first match after 20 races on, {worst:.1f} ms in the worst, "
        f"{slow[0].mean() - honest[0].mean():.0f} ms before",
    )
    result.row(
        f"{case}: honest",
        f"loses {lost[0].mean():.0f} ms in the second match, {lost[-1].mean():.0f} in the sixth",
    )
    result.values[f"sandbag {spread} {gap_ms}"] = {
        "gain_ms": float(gain.mean()), "worst_ms": worst, "honest_loss_ms": lost.mean(axis=1).tolist(),
    }  # fmt: skip
    most = MOST_IN_CORNER_MS if (spread, gap_ms) in CORNER else MOST_GAIN_MS
    result.promise(worst < most, f"{case}: a sandbag of 100 ms gains {worst:.1f} ms, not below {most}")
    return float(gain.mean())


def allowances(spread: int, gap_ms: int, sandbag_ms: int, seed: int, players: int) -> list[list[int]]:
    """The allowance of each simulated player, by match: trials, then matches of `EACH` races at full speed."""
    table = Table(spread, (OTHERS_SPREAD,) * OTHERS, gap=gap_ms)
    trials, others = seats(table, players, seed)
    measured = [one.ms for one in ended(trials + sandbag_ms, others)]
    drawn = np.random.default_rng(seed + 1)
    gaps = _gaps(table, (players, EACH * MATCHES), drawn)
    rows = [measured]
    for match in range(1, MATCHES):
        newest = gaps[:, max(0, match * EACH - RACES) : match * EACH]
        rows.append(
            [
                next_allowance_ms(own, now, [int(gap) for gap in row])
                for own, now, row in zip(measured, rows[-1], newest, strict=True)
            ]
        )
    return rows


def _gaps(table: Table, shape: tuple[int, int], drawn: np.random.Generator) -> np.ndarray:
    """Raw gaps of races, in ms: the player's time less the median of the others'."""
    found = quantiles(table.shape)
    own = table.gap + table.spread * found[drawn.integers(0, len(found), shape)]
    theirs = [spread * found[drawn.integers(0, len(found), shape)] for spread in table.others]
    return np.asarray(np.rint(own - np.median(np.stack(theirs), axis=0)))
