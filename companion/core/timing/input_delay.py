"""How long an input device takes, from presses of it and of a wired button that are taped together. Pure.

One push closes both. The wired button's edge is stamped by the kernel within microseconds; the device's stamp comes
later by what the device, its cable and the machine's asking take. Two switches do not close at quite the same moment:
where the device was ever first, that much may lie between them at other times too, and is added.

What is kept is a bound and not a mean: the longest that was seen, with that. Of n presses, one in n is expected to take
longer than the longest of them before it; how often the machine asks the device is known for USB and added once more
where it is used, and where it is not known, the width of what was seen is.
"""

from __future__ import annotations

from bisect import bisect_left
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from companion.core.timing.events import MS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

TOGETHER_NS = 700 * MS
"""Presses further apart than this were not one push; presses of one button follow each other more slowly."""
LEAST_TRIALS = 20
USUAL_TRIALS = 40


class InputDelay(NamedTuple):
    """What was measured: in ns, from the wired button's edge to the device's stamp. trials: how many pushes."""

    trials: int
    least_ns: int
    median_ns: int
    worst_ns: int

    def bound_ns(self, polling_ns: int | None) -> int:
        """Give the longest that the device is taken to need. polling_ns: how often it is asked, None if unknown."""
        bound_ns = self.worst_ns + max(0, -self.least_ns)
        return max(bound_ns, 0) + (self.worst_ns - self.least_ns if polling_ns is None else 0)


def paired(wired_ns: Sequence[int], stamps_ns: Iterable[int]) -> list[int]:
    """Give by how much each press of the device was later than the push that it belongs to, in order.

    wired_ns: when the wired button closed, in order. A press without a push is left out, and so is the push of one.
    """
    left, out = list(wired_ns), []
    for stamp_ns in sorted(stamps_ns):
        at = bisect_left(left, stamp_ns)
        near = min(left[max(at - 1, 0) : at + 1], key=lambda t_ns: abs(stamp_ns - t_ns), default=None)
        if near is not None and abs(stamp_ns - near) <= TOGETHER_NS:
            left.remove(near)
            out.append(stamp_ns - near)
    return out


def delay_of(differences_ns: Sequence[int]) -> InputDelay | None:
    """Give what the pushes say, None while there are too few."""
    if len(differences_ns) < LEAST_TRIALS:
        return None
    return InputDelay(
        len(differences_ns), min(differences_ns), round(median(differences_ns)), max(differences_ns)
    )  # fmt: skip
