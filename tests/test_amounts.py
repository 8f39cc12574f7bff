"""What `make check` leaves out is said where it stands, and nothing else is left out: neither a file nor an example."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests import amounts
from tests.amounts import ALL, HALF, QUICK
from tests.conftest import files_of, is_slow

if TYPE_CHECKING:
    from collections.abc import Sequence

TESTS = Path(__file__).parent
ROOT = TESTS.parent
REASON = re.compile(r"pytest\.mark\.slow\b.*  # \w+")


WALKS_AND_SEEDS = ("tests/games/test_two_judges.py", "tests/core/ruling/test_history.py")
"""One file of walks through whole matches, one with seeds."""


def collected(*options: str, files: Sequence[str] = WALKS_AND_SEEDS) -> set[str]:
    """Return the names of what pytest would run in some files."""
    said = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "-q", *options, *files],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    return {line for line in said.splitlines() if "::" in line}


@pytest.mark.parametrize(("count", "few", "half"), [(1, 1, 1), (5, 5, 5), (40, 5, 20), (100, 10, 50), (400, 40, 200)])
def test_a_tenth_is_tried_or_a_half_and_at_least_five(
    monkeypatch: pytest.MonkeyPatch, count: int, few: int, half: int
) -> None:
    for amount, tried in ((QUICK, few), (HALF, half), (ALL, count)):
        monkeypatch.setattr(amounts, "_amount", amount)
        assert amounts.many(count) == tried


@pytest.mark.parametrize("parts", [1, 2, 3])
def test_every_file_that_is_not_slow_is_in_exactly_one_part(parts: int) -> None:
    shared = Counter(path for part in range(1, parts + 1) for path in files_of(part, parts))
    assert set(shared) == {path for path in TESTS.rglob("test_*.py") if not is_slow(path)}
    assert set(shared.values()) == {1}


def test_whatever_is_slow_says_why() -> None:
    lines = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in TESTS.rglob("test_*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if "pytest.mark.slow" in line and "params=" not in line and path != Path(__file__)
    ]
    assert len(lines) > 50
    assert [line for line in lines if not REASON.search(line)] == []


@pytest.mark.slow  # starts pytest three times
@pytest.mark.parametrize("after", ["counted", "quick"])
def test_thorough_runs_slow_files_and_every_seed_and_after_others_only_what_is_left(after: str) -> None:
    quick, whole, rest = collected(), collected("--thorough"), collected("--thorough", "--after", after)
    assert not any("test_two_judges" in name for name in quick)
    assert any("test_two_judges" in name for name in whole)
    assert quick < whole
    assert any(name.endswith("[1]") for name in whole - quick)
    assert whole - quick <= rest < whole


@pytest.mark.slow  # starts pytest twice
def test_half_runs_two_seeds_and_all_that_has_none() -> None:
    whole, half = collected("--thorough"), collected("--thorough", "--half")
    assert half < whole
    left = {name.rpartition("[")[2] for name in whole - half}
    assert left <= {f"{seed}]" for seed in range(2, 20)}
    assert any(name.endswith("[1]") for name in half)


@pytest.mark.slow  # starts pytest three times
def test_after_counting_what_counts_no_branches_is_still_to_be_run_and_after_the_quick_suite_it_is_not() -> None:
    files = ("tests/games/test_two_judges.py", "tests/app/test_loop.py")
    whole = collected("--thorough", files=files)
    assert collected("--thorough", "--after", "counted", files=files) == whole
    rest = collected("--thorough", "--after", "quick", files=files)
    assert whole - rest == {name for name in whole if "test_loop" in name}
