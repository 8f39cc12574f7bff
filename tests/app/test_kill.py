"""The whole box killed with SIGKILL in play, again and again: what was shown as final is recorded, and it resumes."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from companion.adapters.sqlite_journal import export_lines, list_matches
from companion.core.ruling.judge import judge_record
from companion.core.ruling.rulings import Order
from companion.games import registry

KILLS = 8
ROUNDS = 60
COMPANION = Path(sys.executable).with_name("companion")
FINAL = re.compile(r"^Round (\d+): FINAL$")


@pytest.fixture
def box(tmp_path: Path) -> list[str]:
    """A box on which a round follows the other every 60 ms."""
    lines = [
        f"{0.2 + 0.06 * n:.3f} press red first for 10 ms\n+0.002 press yellow first for 10 ms\n" for n in range(ROUNDS)
    ]
    (tmp_path / "rounds.script").write_text("".join(lines) + "+0.5 end\n")
    (tmp_path / "box.toml").write_text("[timing]\nlate_ms = 0\nbounce_ms = 5\naccept_ms = 0\n[web]\nenabled = false\n")
    arguments = ["--simulate", "--plain", "--game", "order", "--seats", "red,yellow", "--resume"]
    files = ["--config", str(tmp_path / "box.toml"), "--script", str(tmp_path / "rounds.script")]
    return [str(COMPANION), "run", *arguments, *files, "--state-dir", str(tmp_path / "state")]


def shown_final(process: subprocess.Popen[str], most: int) -> int:
    """Read what the box shows until it has shown `most` final orders, or ends; give the number of the newest."""
    newest = seen = 0
    assert process.stdout is not None
    for line in process.stdout:
        if match := FINAL.match(line.strip()):
            newest, seen = int(match[1]), seen + 1
            if seen == most:
                break
    return newest


def test_nothing_that_was_shown_as_final_is_lost_by_a_kill(box: list[str], tmp_path: Path) -> None:
    rng = random.Random(20)
    newest = 0
    for _ in range(KILLS):
        process: Any = subprocess.Popen(box, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
        shown = shown_final(process, rng.randrange(1, 12))
        process.kill()
        process.wait()
        process.stdout.close()
        assert shown > newest, "the match went on where it was"
        newest = shown
        matches = list_matches(tmp_path / "state")
        assert len(matches) == 1
        rulings = list(judge_record(export_lines(tmp_path / "state", 1), registry.find))
        stored = [ruling.race for ruling in rulings if isinstance(ruling, Order)]
        assert stored == list(range(1, len(stored) + 1))
        assert len(stored) >= newest
