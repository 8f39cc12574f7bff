"""Profiles and trials as documents for a page: plain values, and what people should know in sentences. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core.errors import Malformed
from companion.core.profiles.exchange import as_code, as_file
from companion.core.profiles.sitting import CARD_MARK
from companion.core.profiles.tremor import heard, propose
from companion.core.profiles.wishes import concessions_of, wishes_of
from companion.core.timing.contacts import USUAL
from companion.core.timing.events import MS
from companion.core.words.encoding import builtins

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core.profiles.profile import Profile
    from companion.core.profiles.tremor import Asked, Touched

Document = dict[str, Any]


def profile_document(profile: Profile) -> Document:
    """Give a profile with what its person may change, without what its card says."""
    evidence = profile.allowance.evidence
    trials = evidence.trials if evidence is not None else None
    return {
        "name": profile.name,
        "wishes": builtins(wishes_of(profile)),
        "allowance_ms": profile.allowance.ms,
        "measured": trials.date if trials is not None else None,
        "has_card": bool(profile.card),
        "concessions": list(concessions_of(profile)),
    }


def along_document(profile: Profile) -> Document:
    """Give what a person takes along. code: null where a code has no room for it; `code_says` is why then."""
    try:
        code, why = as_code(profile), None
    except Malformed as error:
        code, why = None, str(error)
    card = f"{CARD_MARK}{profile.card}" if profile.card else None
    return {"name": profile.name, "file": as_file(profile).decode(), "code": code, "code_says": why, "card": card}


def trial_document(touches: Sequence[Touched], rounds: Sequence[Asked], bounce_ms: float | None) -> Document:
    """Give what a trial leads to, and each touch as it would be then. Raises Malformed for a trial that is none."""
    proposal = propose(touches, rounds, bounce_ms)
    bounce = USUAL.bounce_ns / MS if bounce_ms is None else bounce_ms
    found = heard(touches, bounce, proposal.accept_ms, proposal.repeat_ms)
    return {**proposal._asdict(), "says": list(proposal.says), "touches": [one._asdict() for one in found]}
