"""What decides a dead heat (`record.md`: Dead heat, Order): one entry a policy, and nothing else names one.

The record's field, the settings, the knob's menu, the page's form, the API and the account read this table: a policy is
added here and nowhere else. Lies with the record, which fixes what each of them means, below the ranking that obeys it.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from companion.core.words.texts import text

if TYPE_CHECKING:
    from collections.abc import Callable

Sorting = tuple[int, ...]
"""What candidates are compared by; the smallest gets the place."""
UNSURE_NS = 5_000_000
"""A press that may be further than this from its time comes last of the candidates: uncertainty must not pay."""


class Candidate(NamedTuple):
    """A press that could get the next place: no other one left was certainly made before it.

    time_ns: adjusted. seats: distance, clockwise, from whoever revealed. error_ns: its uncertainty. ticket: what its
    lot is the hash of.
    """

    time_ns: int
    seats: int
    error_ns: int
    ticket: str

    @property
    def is_unsure(self) -> bool:
        """Tell whether its time is so uncertain that every other candidate comes before it."""
        return self.error_ns > UNSURE_NS

    @property
    def lot(self) -> int:
        """Give the lot it drew: the SHA-256 of its ticket, as a number."""
        return int.from_bytes(sha256(self.ticket.encode()).digest())


class Policy(NamedTuple):
    """One way to pick a place's press among candidates.

    label: where a dead heat goes, for people, as the end of a sentence. short: that in one word, for the knob's menu;
    "" where the label is short enough. order: what candidates are compared by; no two of a race may give the same.
    told: the account's sentence, "" where it need not be said. draws: the setup has a seed to draw lots with.
    by_time: it needs times that differ, which untimed play has not.
    """

    label: str
    order: Callable[[Candidate], Sorting]
    told: str = ""
    draws: bool = False
    by_time: bool = False
    short: str = ""


class Ties(NamedTuple):
    """What a setup says of dead heats: a key of `POLICIES`, and the seed where that draws lots."""

    policy: str
    seed: str = ""


POLICIES: dict[str, Policy] = {
    "timestamp": Policy(
        text("to the earlier time"), lambda one: (one.time_ns, one.seats), by_time=True, short=text("timestamp")
    ),
    "clockwise": Policy(
        text("clockwise"),
        lambda one: (one.is_unsure, one.seats),
        text("Dead heats go clockwise from whoever revealed last."),
    ),
    "lots": Policy(
        text("by lots"),
        lambda one: (one.is_unsure, one.lot, one.seats),
        text("Dead heats go by lots, which anybody can draw again."),
        draws=True,
        short=text("lots"),
    ),
}
"""By the word that stands in records and settings; the knob offers them in this order."""


def policies_of(*, is_untimed: bool) -> tuple[str, ...]:
    """Give the policies that a match may have, the usual one first."""
    return tuple(key for key, policy in POLICIES.items() if not (is_untimed and policy.by_time))
