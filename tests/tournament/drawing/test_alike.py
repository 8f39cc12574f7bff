"""A drawing is the same in every process, whatever Python makes of the order of sets, and in every Python there is."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PROGRAM = """
from tests.tournament.drawing.alike import told
print(told())
"""
KNOWN = ""
"""What is drawn, for ever: another would mean that an event's drawings could not be checked by a newer program."""


def said(python: str, hash_seed: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [python, "-c", PROGRAM],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("hash_seed", ["0", "1", "4242"])
def test_the_order_of_sets_has_no_part_in_it(hash_seed):
    answer = said(sys.executable, hash_seed)
    assert (answer.stdout.strip(), answer.stderr) == (KNOWN, "")


@pytest.mark.parametrize("name", ["python3.11", "python3.12", "python3.13", "python3.14"])
def test_another_python_draws_the_same(name):
    python = shutil.which(name)
    if python is None or said(python, "0").returncode:
        pytest.skip(f"no {name} with msgspec here")
    assert said(python, "0").stdout.strip() == KNOWN
