"""A pod's times while a real kernel works off a correction of its clock, as systemd-timesyncd has it do.

`tests/core/pods/test_slewed_host.py` has many more worlds, whose clocks are worked out; here they are the kernel's.
Collected by `tests/hil/run` only.
"""

import json
from collections import defaultdict
from typing import NamedTuple

import pytest

from companion.core.timing.events import MS
from tests.hil.guest import PYTHON, Guest
from tests.hil.image import INSIDE
from tests.hil.truth import Played

OFFSET_MS = 200
SECONDS = 8


class Told(NamedTuple):
    """What was done to a contact, and what the source gave of it."""

    truth: Played
    t_ns: int
    error_ns: int


def played(guest: Guest, name: str, *options: str) -> tuple[int, list[Told]]:
    """How much the clock was corrected, and each edge."""
    command = [PYTHON, str(INSIDE / "slewed_pod.py"), str(OFFSET_MS), str(SECONDS), "7", *options]
    process = guest.start(name, command)
    assert process.wait(180) == 0, process.said()
    slewed, *rows, end = process.stdout().splitlines()
    assert end == "end"
    moved, given = defaultdict[str, list[tuple[int, ...]]](list), defaultdict[str, list[tuple[int, ...]]](list)
    for kind, label, active, *times in map(json.loads, rows):
        (moved if kind == "moved" else given)[label].append((active, *times))
    assert {label: [active for active, *_ in edges] for label, edges in given.items()} == {
        label: [active for active, *_ in edges] for label, edges in moved.items()
    }
    told = [
        Told(Played(0, number, *movement), *edge[1:])
        for number, label in enumerate(moved)
        for movement, edge in zip(moved[label], given[label], strict=True)
    ]
    return int(slewed.split()[1]), told


@pytest.mark.parametrize("is_blind", [False, True], ids=["", "a source that knows one clock is caught"])
def test_a_pod_s_edges_lie_in_their_bounds_while_the_kernel_corrects_its_clock(
    guest: Guest, unique: str, is_blind: bool
) -> None:
    slewed_ns, told = played(guest, unique, *(["--blind"] if is_blind else []))
    assert abs(slewed_ns) > OFFSET_MS * MS / 3, "the kernel has hardly begun"
    assert len(told) > 100
    outside = [one for one in told if not one.truth.holds(one.t_ns, one.error_ns)]
    assert bool(outside) is is_blind, f"{len(outside)} of {len(told)}: {outside[:5]}"
