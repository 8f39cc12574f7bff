"""What the talk with a pod gives: values on the host's clock. They know nothing of how they came about."""

from __future__ import annotations

from typing import NamedTuple

from companion.core.pods.messages import Identity, Report


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
    """An edge on the host's clock; `mark` is for `acknowledge`, once it has been handed on."""

    line: int
    active: bool
    t_ns: int
    error_ns: int
    mark: Mark


class Overrun(NamedTuple):
    """So many edges more were lost, because the pod's ring was full."""

    lost: int


class Bound(NamedTuple):
    """The bound has become wider than the limit, or is within it again."""

    is_wide: bool
    error_ns: int


LinkEvent = Met | Refused | Silent | LineLevels | LineEdge | Overrun | Bound | Report
