"""Simulated players, and the same intervals as the program's for thousands of them at once, by numpy.

What is counted over resamples (medians, variances) is done in arrays; all that follows from it is done by the program's
own functions. A test holds both against each other.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from math import erf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.core.calibration.interval import MOST, PER_MS, ROUND, around, half_width, limit_ms, shifts
from companion.core.calibration.proposing import Proposal, rounded
from companion.core.calibration.resampling import BLOCK, starts_of

Whole = NDArray[np.int64]
Times = NDArray[np.float64]

_CHUNK = 100
_QUANTILES = np.linspace(0.0002, 0.9998, 8001)
_NORMAL = np.linspace(-6, 6, 12001)
_BELOW = np.array([0.5 * (1 + erf(value / 2**0.5)) for value in _NORMAL])


@dataclass(frozen=True)
class Table:
    """Who plays, as a case of the simulation. spread, others: standard deviations of trials, in ms. gap: how much
    slower the player's median is. apart: how far the others' medians lie from each other's middle. shape: of all
    distributions. hanging: the correlation of neighbouring trials."""

    spread: int
    others: tuple[int, ...]
    gap: int = 0
    apart: tuple[int, ...] = (0, 0, 0, 0)
    shape: str = "skewed"
    hanging: float = 0.0
    offsets: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        found = np.array(self.apart[: len(self.others)])
        object.__setattr__(self, "offsets", tuple(int(one) for one in found - int(np.median(found))))

    @property
    def difference(self) -> float:
        return self.gap - float(np.median(np.array(self.offsets)))


@lru_cache(maxsize=8)
def quantiles(shape: str) -> Times:
    """Quantiles of a distribution with median 0 and standard deviation 1."""
    drawn = np.random.default_rng(7)
    normal, late = drawn.standard_normal(2_000_000), drawn.exponential(size=2_000_000)
    values = {
        "normal": normal,
        "skewed": 0.6 * normal + 0.8 * late,  # ex-Gaussian, as times of choices are
        "very skewed": 0.3 * normal + 0.954 * late,
        "lognormal": np.exp(0.5 * normal),
        "lapsing": np.where(late > 3, 4 * late, normal),  # one trial in twenty is very late
    }[shape]
    return np.asarray(np.quantile((values - np.median(values)) / values.std(), _QUANTILES))


def trials(spread: int, middle: float, table: Table, count: int, drawn: np.random.Generator) -> Whole:
    """`MOST` trials of `count` people, in whole ms."""
    noise = drawn.standard_normal((count, MOST))
    chain = np.empty_like(noise)
    chain[:, 0] = noise[:, 0]
    for at in range(1, MOST):
        chain[:, at] = table.hanging * chain[:, at - 1] + (1 - table.hanging**2) ** 0.5 * noise[:, at]
    below = np.interp(chain, _NORMAL, _BELOW)
    found = np.rint(middle + spread * np.interp(below, _QUANTILES, quantiles(table.shape)))
    return np.asarray(found, dtype=np.int64)


def seats(table: Table, count: int, seed: int) -> tuple[Whole, Whole]:
    """Trials of `count` tables: the player's, by (table, trial), and the others', by (table, seat, trial)."""
    drawn = np.random.default_rng(seed)
    middle = 5000.0  # of the others: no time is near 0, where a distribution would be cut
    player = trials(table.spread, middle + table.gap, table, count, drawn)
    each = [
        trials(spread, middle + off, table, count, drawn)
        for spread, off in zip(table.others, table.offsets, strict=True)
    ]
    return player, np.stack(each, axis=1)


def _twice_medians(values: NDArray[np.signedinteger[Any]]) -> Whole:
    """Two times the medians along the last axis."""
    length = values.shape[-1]
    ordered = np.partition(values, [(length - 1) // 2, length // 2], axis=-1)
    return np.asarray(ordered[..., (length - 1) // 2] + ordered[..., length // 2], dtype=np.int64)


def _resampled(times: Whole, stream: int) -> Whole:
    """Two times the medians of the drawn series, by (table, draw)."""
    length = times.shape[-1]
    ring = np.concatenate([times, times[..., : BLOCK - 1]], axis=-1).astype(np.int32)
    at = (np.array(starts_of(stream, length))[..., None] + np.arange(BLOCK)).reshape(-1)
    draws = len(starts_of(stream, length))
    chunks = (ring[first : first + _CHUNK] for first in range(0, len(ring), _CHUNK))
    found = [_twice_medians(chunk[:, at].reshape(len(chunk), draws, -1)) for chunk in chunks]
    return np.concatenate(found).astype(np.int64)


def _variances(values: Whole) -> Whole:
    count = values.shape[-1]
    return np.asarray((count * (values**2).sum(-1) - values.sum(-1) ** 2) // (count * count))


def _together(series: Whole) -> list[int]:
    """By table, of (table, seat, trial)."""
    count, length = series.shape[1], series.shape[2]
    sides = np.sign(2 * series - _twice_medians(series)[..., None])
    same = (sides[..., 1:] * sides[..., :-1]).sum((1, 2))
    found = 1000 * same // (count * (length - 1)) + 1000 // length
    return [int(one) for one in np.clip(found, 0, 400)]


def proposals(player: Whole, others: Whole) -> list[Proposal]:
    """What the program proposes for each table after its one look at all of these trials."""
    length, count = player.shape[-1], others.shape[1]
    order = [sorted(range(count), key=[tuple(seat) for seat in one].__getitem__) for one in others]
    theirs = np.stack([one[ranks] for one, ranks in zip(others, order, strict=True)])
    own = 4 * _variances(_resampled(player, 0))
    drawn = [_resampled(theirs[:, seat], seat + 1) for seat in range(count)]
    medians = _twice_medians(theirs)
    scatters = np.stack([_variances(one) for one in drawn], axis=1)
    moves = np.array([shifts(list(map(int, a)), list(map(int, b))) for a, b in zip(medians, scatters, strict=True)])
    middle = _variances(_twice_medians(np.stack([one + moves[:, [at]] for at, one in enumerate(drawn)], axis=-1)))
    found = 2 * _twice_medians(player) - _twice_medians(medians)
    hanging = _together(np.concatenate([player[:, None], theirs], axis=1))
    return [
        _proposal(int(a), half_width(int(b), int(c), d, length, int(a)), length)
        for a, b, c, d in zip(found, own, middle, hanging, strict=True)
    ]


def _proposal(found: int, half: int, length: int) -> Proposal:
    interval = around(found, half)
    ms = rounded(found // PER_MS)
    if interval.width_ms <= limit_ms(ms) or length < MOST:
        return Proposal(ms, interval, length, interval.width_ms <= limit_ms(ms))
    return Proposal(rounded(interval.low_ms), interval, length, is_enough=True, is_low=True)


def ended(player: Whole, others: Whole) -> list[Proposal]:
    """What each table ends with, after as many looks as it takes."""
    done: dict[int, Proposal] = {}
    left = np.arange(len(player))
    for length in range(ROUND, MOST + 1, ROUND):
        found = proposals(player[left, :length], others[left, :, :length])
        done.update({int(at): one for at, one in zip(left, found, strict=True) if one.is_enough})
        left = np.array([at for at, one in zip(left, found, strict=True) if not one.is_enough], dtype=np.int64)
        if not len(left):
            break
    return [done[at] for at in range(len(player))]


def held(table: Table, found: list[Proposal]) -> float:
    """Of how many the interval holds the true difference, in percent."""
    return 100 * float(np.mean([one.interval.low_ms <= table.difference <= one.interval.high_ms for one in found]))
