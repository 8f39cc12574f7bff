"""What decides a dead heat (`record.md`, Dead heat): one entry a policy, and nothing else names one.

The record's field, the settings, the knob's menu, the page's form, the API and the account read this table: a policy is
added here and nowhere else. Lies with the record, which fixes what each of them means, below the ranking that obeys it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

Sorting = tuple[int, int]
"""What the presses of a dead heat are sorted by, ascending."""


class Policy(NamedTuple):
    """One way to order the presses of a dead heat.

    label: where a dead heat goes, for people, as the end of a sentence. order: from the adjusted time in ns and the
    distance in seats, clockwise from whoever revealed, to what is sorted by; no two presses may give the same.
    told: the account's sentence, "" where it need not be said.
    """

    label: str
    order: Callable[[int, int], Sorting]
    told: str = ""


POLICIES: dict[str, Policy] = {
    "timestamp": Policy("to the earlier time", lambda time_ns, seats: (time_ns, seats)),
    "clockwise": Policy(
        "clockwise",
        lambda time_ns, seats: (seats, time_ns),
        "Dead heats go clockwise from whoever revealed last.",
    ),
}
"""By the word that stands in records and settings; the knob offers them in this order."""
