"""A drawing is the same in every process, whatever Python makes of the order of sets, and in every Python there is."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow  # starts processes

ROOT = Path(__file__).parents[3]
PROGRAM = """
from tests.tournament.drawing.alike import told
print(told())
"""
KNOWN = "cd4b6e88e5506886f9fbe04eb8b86e1122b3dd0762c1292afa57e929264f4e0d"
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


def test_the_order_of_sets_has_no_part_in_it():
    answer = said(sys.executable, "4242")
    assert (answer.stdout.strip(), answer.stderr) == (KNOWN, "")


@pytest.mark.parametrize("name", ["python3.12", "python3.13", "python3.14"])
def test_another_python_draws_the_same(name):
    python = shutil.which(name)
    answer = None if python is None else said(python, "0")
    if answer is None or answer.returncode:
        pytest.skip(f"no {name} with msgspec here")
    assert answer.stdout.strip() == KNOWN
