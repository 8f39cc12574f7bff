"""What an allowance rests on: the trials it was measured by, and the gaps of the races since. Values; pure.

Whoever measures makes them (`companion calibrate` and its page); a profile only keeps them. Times are whole
milliseconds, as stamped and without any allowance.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from companion.core.record.lines import AllowanceMs

MOST_TRIALS = 120
"""No series of trials is longer."""
MOST_GAPS = 20
"""So many of the newest races are looked at."""
MOST_OTHERS = 4
MOST_MS = 600_000

TimeMs = Annotated[int, Meta(ge=0, le=MOST_MS)]
SignedMs = Annotated[int, Meta(ge=-MOST_MS, le=MOST_MS)]
Moment = Annotated[str, Meta(max_length=40)]


class Trials(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One calibration. kind: what was asked for: a choice among cards, one switch, or a word that is spoken.

    date: when, wall time (RFC 3339). times_ms: what counted, in the order it was made. median_ms: of them. others_ms:
    the medians of the other seats, by which the proposal was made. low_ms, high_ms: the 95 % interval of the proposal.
    proposal_ms: what was proposed. anticipations, wrong, lapses: trials that did not count: too early, another card's
    button, no press. error_ms: the largest ± of a press among those that did, rounded up.
    """

    kind: Literal["choice", "switch", "spoken"] = "choice"
    date: Moment = ""
    times_ms: Annotated[tuple[TimeMs, ...], Meta(max_length=MOST_TRIALS)] = ()
    median_ms: TimeMs = 0
    others_ms: Annotated[tuple[TimeMs, ...], Meta(max_length=MOST_OTHERS)] = ()
    low_ms: SignedMs = 0
    high_ms: SignedMs = 0
    proposal_ms: AllowanceMs = 0
    anticipations: Annotated[int, Meta(ge=0, le=10_000)] = 0
    wrong: Annotated[int, Meta(ge=0, le=10_000)] = 0
    lapses: Annotated[int, Meta(ge=0, le=10_000)] = 0
    error_ms: TimeMs = 0


class RaceGap(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """How far a press was behind the median of the others in one race, raw; negative where it was before. match: its
    id, as the setup of its record has it.
    """

    match: Annotated[str, Meta(max_length=32)]
    gap_ms: SignedMs


class Evidence(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What an allowance rests on. trials: None where none were made. gaps: of the newest races, oldest first.

    count: how many trials counted, where their times did not come along (a code has no room for them); else 0.
    """

    trials: Trials | None = None
    gaps: Annotated[tuple[RaceGap, ...], Meta(max_length=MOST_GAPS)] = ()
    count: Annotated[int, Meta(ge=0, le=MOST_TRIALS)] = 0

    @property
    def number(self) -> int:
        """How many trials counted; 0 where that is not known."""
        return (len(self.trials.times_ms) if self.trials is not None else 0) or self.count
