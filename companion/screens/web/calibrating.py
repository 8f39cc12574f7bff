"""A calibration as pages have it: every trial, the medians, the proposal, and who has to agree. Pure.

All of it is for everybody: an allowance that others cannot check is none that they can agree to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core.panel import POSITIONS
from companion.core.words.texts import joined
from companion.screens.text.calibrating import apart, proposal_sentences

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.core.shown.calibrating import Calibrating, ProposalShown, SeatTrials

Document = dict[str, Any]


def calibration_document(body: Calibrating, roles: Sequence[str], names: Mapping[str, str]) -> Document:
    """Give a calibration. roles: what the game calls the buttons. names: of people, by colour."""
    asks = None if body.asks is None else roles[POSITIONS.index(body.asks)]
    return {
        "player": body.player,
        "title": body.title,
        "lines": [line for line in body.lines if line],
        "stage": body.stage,
        "asks": asks,
        "place": None if body.asks is None else POSITIONS.index(body.asks),
        "kept": body.kept,
        "is_any": body.is_any,
        "wanted": body.wanted,
        "seats": [_seat(seat, names) for seat in body.seats],
        "proposal": None if body.proposal is None else _proposal(body.proposal, names.get(body.player, body.player)),
        "missing": list(body.missing),
    }


def _seat(seat: SeatTrials, names: Mapping[str, str]) -> Document:
    return {
        "colour": seat.colour,
        "short": seat.colour.short,
        "name": names.get(seat.colour) or None,
        "way": seat.way,
        "times_ms": list(seat.times_ms),
        "median_ms": seat.median_ms,
        "apart": joined(apart(seat)),
        "became": seat.became,
    }


def _proposal(shown: ProposalShown, name: str) -> Document:
    return {
        "ms": shown.ms,
        "difference_ms": shown.difference_ms,
        "low_ms": shown.low_ms,
        "high_ms": shown.high_ms,
        "trials": shown.trials,
        "is_low": shown.is_low,
        "says": proposal_sentences(shown, name),
    }
