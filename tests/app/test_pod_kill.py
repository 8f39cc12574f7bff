"""The whole box killed with SIGKILL while a pod is played: each press is taken once, and none is lost.

A few kills of what `make kills` does many times.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from tests.app.pod_kills import Played

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow  # starts processes

KILLS = 6


def test_a_press_of_a_pod_is_taken_exactly_once_whenever_the_box_is_killed(tmp_path: Path) -> None:
    played = Played(tmp_path, random.Random(10))
    played.play(KILLS)
    assert played.counts["kills"] == KILLS
    assert played.counts["kills with edges that the pod had to keep"] > 0
    assert played.counts["kills after which edges came again that had been taken"] > 0
    assert played.counts["presses recorded"] == played.counts["presses made"] > 0
