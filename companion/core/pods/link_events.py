"""What the talk with a pod gives: values on the host's clock. They know nothing of how they came about."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from companion.core.pods.messages import Identity, Report

if TYPE_CHECKING:
    from companion.core.timing.events import Disbelieved


class Met(NamedTuple):
    """The pod has said who it is."""

    identity: Identity
    is_new_boot: bool


class Refused(NamedTuple):
    """Host and pod have no version of the protocol in common."""

    identity: Identity


class Silent(NamedTuple):
    """A pod that had talked does not any more."""

    t_ns: int


class LineLevels(NamedTuple):
    """The levels of all the pod's lines at `t_ns`, bits by line."""

    active: int
    t_ns: int


class Mark(NamedTuple):
    """How far edges have been handed on: those before number `next_seq`, counted since the pod's boot `epoch`."""

    epoch: int
    next_seq: int


class LineEdge(NamedTuple):
    """An edge on the host's clock; `mark` is for `acknowledge`, once it is safe. number: as the pod counts it.

    disbelieved: what its stamp says, where that cannot be and it counts from its arrival; None where it is believed.
    """

    line: int
    active: bool
    t_ns: int
    error_ns: int
    mark: Mark
    number: int = 0
    disbelieved: Disbelieved | None = None


class Passed(NamedTuple):
    """An edge that an earlier run of the host has taken for good: it is not given again."""

    mark: Mark


class Overrun(NamedTuple):
    """So many edges more were lost, because the pod's ring was full."""

    lost: int


class Bound(NamedTuple):
    """The bound has become wider than the limit, or is within it again."""

    is_wide: bool
    error_ns: int


class DoubtCause(Enum):
    """What of a pod's times cannot be."""

    CONTRADICTED = "a round trip contradicts those before it: its counter was set, stood still, or runs too fast"
    AHEAD = "an edge is dated after it came"
    BACKWARDS = "an edge is dated before the edge before it"
    HELD = "an edge is dated before a reading that had come before it: it was held, or sent again, or is dated wrongly"


class Doubt(NamedTuple):
    """What the pod has said of its times cannot be, by so much (0: nobody knows); cause None: not for a while now.

    is_in_doubt: its edges carry a wider bound from now on.
    """

    cause: DoubtCause | None
    by_ns: int
    is_in_doubt: bool = True


LinkEvent = Met | Refused | Silent | LineLevels | LineEdge | Passed | Overrun | Bound | Doubt | Report
