"""What a calibration leaves: the allowance with its evidence, its words in the record, and their checking. Pure."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from companion.core.calibration.interval import MOST, PER_MS, ROUND
from companion.core.calibration.proposing import rounded
from companion.core.calibration.resampling import twice_median
from companion.core.profiles.evidence import Evidence, Trials
from companion.core.profiles.profile import Allowance
from companion.core.timing.events import MS
from companion.core.words.encoding import encode

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from companion.core.calibration.course import Measuring
    from companion.core.panel import Colour
    from companion.core.profiles.profile import Profile
    from companion.core.record.lines import Seat

HASH_SAID = 16
"""So many hex digits of an evidence's hash stand in a remark: enough to find it again."""


def median_ms(times_ms: tuple[int, ...]) -> int:
    """Give the median in whole milliseconds, a half upwards."""
    return (twice_median(times_ms) + 1) // 2


def allowance_of(calibration: Measuring, date: str = "") -> Allowance:
    """Give what was proposed, with the trials it rests on. date: when, wall time. Raises ValueError."""
    proposal = calibration.proposal
    if proposal is None:
        raise ValueError("nothing is proposed yet")
    used = {colour: series.times_ms[: proposal.trials] for colour, series in calibration.series.items()}
    own = calibration.series[calibration.player]
    trials = Trials(
        kind=calibration.ways[calibration.player].value,
        date=date,
        times_ms=used[calibration.player],
        median_ms=median_ms(used[calibration.player]),
        others_ms=tuple(median_ms(times) for colour, times in used.items() if colour is not calibration.player),
        low_ms=proposal.interval.low_ms,
        high_ms=proposal.interval.high_ms,
        proposal_ms=proposal.ms,
        anticipations=own.anticipated,
        wrong=own.wrong,
        lapses=own.lapsed,
        error_ms=-(-own.error_ns // MS),
    )
    return Allowance(ms=proposal.ms, evidence=Evidence(trials=trials))


def hash_of(trials: Trials) -> str:
    """Give the SHA-256 that names these trials, in hex."""
    return sha256(encode(trials)).hexdigest()


def remark_of(colour: Colour, allowance_ms: int, evidence: Evidence) -> str:
    """Say in a record what an allowance rests on; empty where it was named, and not measured."""
    trials = evidence.trials
    if trials is None:
        return ""
    moved = "" if allowance_ms == trials.proposal_ms else f"; races since have made it {allowance_ms} ms"
    said = (
        "{colour}'s allowance was measured as {ms} ms by {trials} ({kind}): median {median} ms, of the others "
        "{others} ms, 95 % interval {low} to {high} ms; evidence {sha256}{moved}"
    )
    return said.format(
        colour=colour,
        ms=trials.proposal_ms,
        trials=f"{evidence.number} trials" if evidence.number else "trials",
        kind=trials.kind,
        median=trials.median_ms,
        others=", ".join(map(str, trials.others_ms)),
        low=trials.low_ms,
        high=trials.high_ms,
        sha256=hash_of(trials)[:HASH_SAID],
        moved=moved,
    )


def remarks_of(
    seats: Iterable[Seat], now: Mapping[Colour, Evidence | None], profiles: Mapping[Colour, Profile]
) -> list[str]:
    """Say in a record what the allowances of these seats rest on. now: what was measured since the box was switched on.

    profiles: of those who play by one; what is damaged in it is said instead, and the allowance stays as it is named.
    """
    said = []
    for seat in seats:
        evidence, own = now.get(seat.colour), profiles.get(seat.colour)
        if evidence is None and own is not None and own.allowance.ms == seat.allowance_ms:
            if why := why_damaged(own.allowance):
                told = "{colour}'s allowance is {ms} ms; what their profile says of its measuring is damaged: {why}"
                said.append(told.format(colour=seat.colour, ms=seat.allowance_ms, why=why))
                continue
            evidence = own.allowance.evidence
        said.append("" if evidence is None else remark_of(seat.colour, seat.allowance_ms, evidence))
    return [one for one in said if one]


def why_damaged(allowance: Allowance) -> str:
    """Say what of an evidence cannot be; empty where its figures follow from its times.

    Whoever changed a file by hand, or a disk that did, is found by it, where the figures do not fit any more. The
    interval rests on the others' trials too, which are theirs and not kept here: of it only its order is known. Of
    trials whose times did not come along only what follows from the figures themselves is.
    """
    evidence = allowance.evidence
    if evidence is None or evidence.trials is None:
        return ""
    if why := _why_no_series(evidence, evidence.trials):
        return why
    trials = evidence.trials
    if trials.times_ms and median_ms(trials.times_ms) != trials.median_ms:
        return "its median does not follow from its trials"
    if not _is_possible(trials, evidence.number):
        return "what it proposes does not follow from its medians"
    if allowance.ms > trials.proposal_ms:
        return "the allowance is above what was measured"
    return ""


def _why_no_series(evidence: Evidence, trials: Trials) -> str:
    """Say why these cannot be all trials of a calibration, empty where they can."""
    if evidence.number % ROUND or evidence.number > MOST or not trials.others_ms:
        return f"it has {evidence.number} trials, which is no whole round"
    if evidence.count not in (0, evidence.number):
        return f"it has {evidence.number} trials, and says {evidence.count}"
    return ""


def _is_possible(trials: Trials, number: int) -> bool:
    """Tell whether a proposal can be of these medians, each of which was rounded by half a millisecond at most."""
    least = 2 * (2 * trials.median_ms) - twice_median([2 * other for other in trials.others_ms])
    about = [rounded((least + off) // PER_MS) for off in (-PER_MS, 0, PER_MS)]
    is_from_low = trials.proposal_ms == rounded(trials.low_ms) and number in (0, MOST)
    return trials.low_ms <= trials.high_ms and (trials.proposal_ms in about or is_from_low)
