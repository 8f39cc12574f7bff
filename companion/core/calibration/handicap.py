"""What races say of an allowance that was measured: so that nobody gains by being slow in the trials. Pure.

Of every timed race in which somebody else pressed too, the raw gap to the median of the others is kept, of the newest
`RACES` races. What the fastest `FASTEST` of these stayed within is the second figure; the next match takes the smaller
of it and of what was measured. A fall counts at once, a rise by half of it each match, and nothing moves in a match.

Why the slowest of the fastest eight, and not their mean: one lucky press moves it by nothing, and whoever is honest
loses least by it (`make calibration` says how much). To keep it up, thirteen races of twenty must be lost on purpose.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.core.calibration.proposing import STEP_MS, rounded
from companion.core.people.names import is_same
from companion.core.profiles.evidence import MOST_GAPS, RaceGap
from companion.core.profiles.profile import Allowance

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from companion.core.people.judged import MatchFacts

RACES, FASTEST = MOST_GAPS, 8


def second_figure_ms(gaps_ms: Sequence[int]) -> int | None:
    """Give the allowance that the newest races speak for; None where there are fewer than `RACES`. Oldest first."""
    if len(gaps_ms) < RACES:
        return None
    return rounded(sorted(gaps_ms[-RACES:])[FASTEST - 1])


def next_allowance_ms(measured_ms: int, current_ms: int, gaps_ms: Sequence[int]) -> int:
    """Give what the next match takes. measured_ms: by the trials; current_ms: what the last match took.

    Fewer than `RACES` gaps say nothing, so nothing rises by them: those that lowered it may have been lost on the way.
    """
    second = second_figure_ms(gaps_ms)
    wanted = min(measured_ms, current_ms if second is None else second)
    if wanted <= current_ms:
        return wanted
    return max(rounded(current_ms + (wanted - current_ms) // 2), min(wanted, current_ms + STEP_MS))


def after_match(allowance: Allowance, match: str, gaps_ms: Sequence[int]) -> Allowance:
    """Give what a person's allowance is after a match: `match` is its id, gaps_ms those of its races, oldest first.

    A match that is told again (it went on after its end) takes the place of what it was, and raises nothing then. An
    allowance that was named and not measured stays as it is: whoever named it had reasons that races do not know.
    """
    evidence = allowance.evidence
    if evidence is None or evidence.trials is None or not gaps_ms:
        return allowance
    before = [gap for gap in evidence.gaps if gap.match != match]
    kept = (*before, *(RaceGap(match, gap) for gap in gaps_ms))[-MOST_GAPS:]
    ms = next_allowance_ms(evidence.trials.proposal_ms, allowance.ms, [gap.gap_ms for gap in kept])
    if len(before) < len(evidence.gaps):
        ms = min(ms, allowance.ms)
    return replace(allowance, ms=ms, evidence=replace(evidence, gaps=kept))


def after_matches(allowance: Allowance, name: str, matches: Iterable[MatchFacts]) -> Allowance:
    """Give what a person's allowance is after these matches, oldest first: a function of the records alone.

    Matches from before the trials count for nothing; nor do those that are over for long, before the newest whose
    races are known already (another box may have played them), nor practice.
    """
    evidence = allowance.evidence
    if evidence is None or evidence.trials is None:
        return allowance
    known = {gap.match for gap in evidence.gaps}
    played = [match for match in matches if not match.is_practice and _is_since(match.started, evidence.trials.date)]
    newest = max((place for place, match in enumerate(played) if match.record in known), default=-1)
    for match in played[newest + 1 :]:
        gaps = [gap for seat in match.seats if seat.name and is_same(seat.name, name) for gap in seat.gaps_ms]
        allowance = after_match(allowance, match.record, gaps)
    return allowance


def measured_again(before: Allowance, new: Allowance) -> Allowance:
    """Give what a person's allowance is who had one and was measured again: the races of before are not forgotten.

    Where they have lowered it, it rises as ever, by half at most.
    """
    old, evidence = before.evidence, new.evidence
    if old is None or old.trials is None or evidence is None:
        return new
    since = {gap.match for gap in evidence.gaps}
    gaps = (*(gap for gap in old.gaps if gap.match not in since), *evidence.gaps)[-MOST_GAPS:]
    current_ms = before.ms if before.ms < old.trials.proposal_ms else new.ms
    ms = next_allowance_ms(new.ms, current_ms, [gap.gap_ms for gap in gaps])
    return replace(new, ms=ms, evidence=replace(evidence, gaps=gaps))


def brought(before: Allowance, came: Allowance) -> Allowance:
    """Give what a person's allowance is whose profile came to a box that had one: `came` may be older, or a code.

    What came holds where it knows the newest race that is known here; else the races that are known here count on.
    """
    old, new = before.evidence, came.evidence
    if old is None or old.trials is None:
        return came
    if new is None or new.trials is None or not _is_since(new.trials.date, old.trials.date):
        return before
    if old.gaps and old.gaps[-1].match in {gap.match for gap in new.gaps}:
        return came
    if replace(old.trials, times_ms=()) != replace(new.trials, times_ms=()):
        return measured_again(before, came)
    fuller = old if old.trials.times_ms else new
    return Allowance(ms=min(before.ms, came.ms), evidence=replace(fuller, gaps=old.gaps or new.gaps))


def _is_since(started: str, measured: str) -> bool:
    """Tell whether a match, or other trials, began after the trials; where either is not known, it did."""
    try:
        return datetime.fromisoformat(started) >= datetime.fromisoformat(measured)
    except (ValueError, TypeError):  # no times, or only one of them says of which zone
        return True
