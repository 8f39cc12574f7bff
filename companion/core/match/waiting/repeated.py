"""Presses that repeat what cannot count: the first of them are recorded, the others told together. Pure; knows no game.

A button that is hammered, or that something presses forty times a second, would fill the record with ignored presses.
A press that could count is always recorded. Of those that could not, `MOST_PRESSES` of a button in ten seconds are;
and as many again after each line that is no press and no note, since what a press means may have changed with it.
"""

from __future__ import annotations

from typing import NamedTuple

from companion.core.record.bursts import Burst, Bursts

MOST_PRESSES = 20
"""In ten seconds, of one button: more than a hand that means it."""


class Said(NamedTuple):
    """A remark, and the button it is about."""

    text: str
    source: str


class Repeated:
    """The presses that are left out of one record."""

    def __init__(self) -> None:
        self._bursts = Bursts(MOST_PRESSES)
        self._newest_ns = 0

    def leaves_out(self, label: str, t_ns: int) -> bool:
        """Count a press of a button that cannot count now; tell whether it is left out of the record."""
        self._newest_ns = max(self._newest_ns, t_ns)
        return not self._bursts.feed(label, t_ns)

    def advance(self, settled_ns: int) -> list[Said]:
        """Let time pass; give what is to be said of presses that were left out."""
        return [_said(burst) for burst in self._bursts.advance(settled_ns)]

    def begin_anew(self) -> list[Said]:
        """What a press means may have changed: record them again; give what is to be said of those before."""
        return [_said(burst) for burst in self._bursts.end(self._newest_ns)]

    def next_deadline(self) -> int | None:
        """Give the instant at which `advance` has something to say, None where it has not."""
        return self._bursts.next_deadline()


def _said(burst: Burst) -> Said:
    return Said(f"{burst.key}: {burst.left_out:,} more presses ignored in {burst.lasted}", burst.key)
