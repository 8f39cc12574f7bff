"""Rates a table by openskill: Plackett and Luce's model of ranks, with ties (`docs/decisions/084-openskill.md`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.adapters.ratings.book import START_MU, START_SIGMA, Rating
from companion.core.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Sequence


def rate(before: Sequence[Rating], ranks: Sequence[int]) -> list[Rating]:
    """Give each player's rating after a table. ranks: 1 for the best, equal for those who tied.

    Raises Unavailable where openskill is not installed.
    """
    try:
        from openskill.models import PlackettLuce  # noqa: PLC0415 - a box has no need of it, nor has it
    except ImportError as error:
        raise Unavailable("openskill is missing: pip install 'table-companion[desk]'") from error
    model = PlackettLuce(mu=START_MU, sigma=START_SIGMA)
    teams = [[model.rating(mu=one.mu, sigma=one.sigma)] for one in before]
    after = model.rate(teams, ranks=[float(rank) for rank in ranks])
    return [Rating(team[0].mu, team[0].sigma) for team in after]
