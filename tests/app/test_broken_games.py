"""`companion run` with games of other packages: one that fails in play, and one that does not even import."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow  # starts processes

COMPANION = str(Path(sys.executable).with_name("companion"))
FAILING = """
from companion.games.order.game import OrderGame
from companion.core.record.lines import PressLine


class Failing(OrderGame):
    name, title = "failing", "Failing"

    def apply(self, state, line):
        if isinstance(line, PressLine) and line.colour == "blue":
            raise ZeroDivisionError("blue is nobody")
        return super().apply(state, line)

    def view(self, state, viewer=None):
        if state.number > 1:
            raise LookupError("no view")
        return super().view(state, viewer)


GAME = Failing()
"""
SCRIPT = """
0.3 press red first
+0.1 press blue first
+2.5 press red second
+2.5 end
"""


@pytest.fixture
def companion(tmp_path):
    """Run a command where both games are installed; give what it said."""
    (tmp_path / "failing.py").write_text(FAILING)
    (tmp_path / "hopeless.py").write_text("import no_such_module_at_all\n")
    info = tmp_path / "elsewhere-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: elsewhere\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[companion.games]\nfailing = failing:GAME\nhopeless = hopeless:GAME\n")

    def run(*words, status=0):
        paths = os.pathsep.join(filter(None, [str(tmp_path), os.environ.get("PYTHONPATH", "")]))
        environ = {**os.environ, "PYTHONPATH": paths}
        done = subprocess.run(
            [COMPANION, *words], cwd=tmp_path, env=environ, capture_output=True, text=True, check=False
        )
        assert done.returncode == status, done.stderr
        return done.stdout + done.stderr

    return run


def test_the_box_goes_on_says_what_failed_and_its_record_is_whole(companion, tmp_path):
    (tmp_path / "play.script").write_text(SCRIPT)
    said = companion(
        "run", "--simulate", "--plain", "--no-web", "--seats", "red,blue", "--game", "failing", "--window", "0.5",
        "--state-dir", str(tmp_path / "state"), "--script", str(tmp_path / "play.script"),
    )  # fmt: skip
    assert "hopeless" not in said, "what is not played is not imported"
    assert "the game failing failed (apply: ZeroDivisionError: blue is nobody)" in said
    assert 'raise ZeroDivisionError("blue is nobody")' in said, "the traceback is in the log"
    assert "refused: the game failing failed (apply" in said
    assert "fault: the game failing failed (view: LookupError: no view)" in said, "the alarm"
    record = companion("export", "--state-dir", str(tmp_path / "state"), "1")
    types = [json.loads(line)["type"] for line in record.splitlines()]
    assert [kind for kind in types if kind != "evidence"] == [
        "setup", "press", "close", "judge", "press", "close", "judge", "seal",
    ]  # fmt: skip


def test_the_doctor_names_it(companion, tmp_path):
    said = companion("doctor", "--state-dir", str(tmp_path / "state"), status=1)
    assert ", failing, " in said
    assert (
        "hopeless: hopeless:GAME does not import: ModuleNotFoundError: No module named 'no_such_module_at_all'" in said
    )


def test_what_is_asked_of_it_is_refused_by_name_with_the_reason(companion):
    said = companion("run", "--simulate", "--plain", "--no-web", "--game", "hopeless", "--script", "x", status=2)
    assert '--game "hopeless": this game cannot be played: hopeless:GAME does not import' in said
