"""Presses made before anybody can have seen their card, while their race still runs. Pure; knows no game by name.

The judge tells it in the final order. It has to be shown and heard at once, so the race is judged here as if it were
over, on a state that is thrown away.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.errors import CompanionError
from companion.core.record.lines import Close, JudgeLine
from companion.core.ruling.race import RacePhase
from companion.core.ruling.rulings import Order

if TYPE_CHECKING:
    from companion.core.match.match_record import MatchRecord
    from companion.core.panel import Colour


def anticipated(match: MatchRecord) -> frozenset[Colour]:
    """Give whose presses of the race that runs were made too soon; nobody where the setup makes nothing of it."""
    race = match.race
    if match.setup.anticipation is None or race is None or not race.presses:
        return frozenset()
    if race.phase not in {RacePhase.COLLECTING, RacePhase.CLOSED}:
        return frozenset()
    state, closed = match.judge.state, race.phase is RacePhase.CLOSED
    try:
        if not closed:
            state, _ = match.game.apply(state, Close())
        _, rulings = match.game.apply(state, JudgeLine())
    except CompanionError:
        return frozenset()
    orders = [ruling for ruling in rulings if isinstance(ruling, Order)]
    return frozenset(place.colour for order in orders for place in order.order if place.anticipated is True)
