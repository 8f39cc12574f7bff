"""What an author sees: the suite as pytest runs it, green for a whole game and red, by name, for a broken one."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.package.trees import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.no_cover]  # starts processes

MODULE = """
from companion.testing.games import GameContract
from tests.contract.nim import Nim


class Broken(Nim):
    def _check_turn(self, state, colour):
        pass


class TestMine(GameContract):
    game = {game}()
"""


@pytest.mark.parametrize(("game", "status"), [("Nim", 0), ("Broken", 1)])
def test_the_suite_is_run_by_subclassing_it(tmp_path, game, status):
    (tmp_path / "test_mine.py").write_text(MODULE.format(game=game))
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(tmp_path), "test_mine.py"]
    done = subprocess.run(
        words, cwd=tmp_path, env={"PYTHONPATH": str(ROOT), "PATH": ""}, capture_output=True, text=True, check=False
    )
    assert done.returncode == status, done.stdout + done.stderr
    failed = {line.split("::")[2].partition("[")[0] for line in done.stdout.splitlines() if line.startswith("FAILED")}
    assert failed == ({"test_what_nobody_offers_is_refused"} if status else set()), failed
    if status:
        assert "assert self._same_choice" in done.stdout, "pytest says what was compared"
