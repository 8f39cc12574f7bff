"""The whole box as a process: it makes its key, seals, goes on after a kill, and plays on where the key is unusable."""

from __future__ import annotations

import stat
import subprocess
import sys
from pathlib import Path

import pytest

from companion.adapters.keys.box_key import BoxKey
from companion.adapters.keys.ed25519 import check
from companion.adapters.sqlite_journal import SqliteJournal, export_lines
from companion.core.record.seals import Verified, verify_seals
from tests.tournament.tables.sealing import table

pytestmark = pytest.mark.slow  # starts processes

COMPANION = Path(sys.executable).with_name("companion")
ROUNDS = 25


class SealedBox:
    """A box on which a round follows the other every 60 ms, and the match then ends."""

    def __init__(self, directory: Path) -> None:
        self.state = directory / "state"
        lines = [
            f"{0.2 + 0.06 * n:.3f} press red first for 10 ms\n+0.002 press yellow first for 10 ms\n"
            for n in range(ROUNDS)
        ]
        (directory / "rounds.script").write_text("".join(lines) + "+1.5 end\n")
        (directory / "box.toml").write_text("[timing]\nlate_ms = 0\n[web]\nenabled = false\n")
        self._arguments = ["run", "--simulate", "--plain", "--game", "order", "--seats", "red,yellow", "--resume"]
        self._arguments += ["--config", str(directory / "box.toml"), "--script", str(directory / "rounds.script")]
        self._arguments += ["--state-dir", str(self.state)]

    def start(self) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [COMPANION, *self._arguments],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip

    def play(self) -> tuple[str, str]:
        """Play to the end of the script."""
        process = self.start()
        out, err = process.communicate(timeout=60)
        assert process.returncode == 0, err
        return out, err

    def verified(self) -> Verified:
        lines = export_lines(self.state, 1)
        return verify_seals((line + b"\n" for line in lines), check, BoxKey(self.state).public_key())


@pytest.fixture
def box(tmp_path: Path) -> SealedBox:
    return SealedBox(tmp_path)


def test_the_first_start_makes_a_key_and_the_match_is_sealed_by_it(box: SealedBox) -> None:
    _, err = box.play()
    assert "not sealed" not in err
    assert stat.S_IMODE((box.state / "seal.key").stat().st_mode) == 0o600
    found = box.verified()
    assert (found.fault, found.seals >= 1) == (None, True)
    assert found.sealed >= 100


def test_a_match_that_was_killed_and_taken_up_is_sealed_over_all_its_lines_by_the_same_key(box: SealedBox) -> None:
    killed = box.start()
    assert killed.stdout is not None
    for line in killed.stdout:
        if line.startswith("Round 5: FINAL"):
            break
    killed.kill()
    killed.communicate()
    before = len(export_lines(box.state, 1))
    key = (box.state / "seal.key").read_bytes()
    box.play()
    assert (box.state / "seal.key").read_bytes() == key
    found = box.verified()
    assert found.fault is None
    assert found.sealed > before + 1, (before, found)


def test_a_match_that_was_over_and_not_sealed_when_the_box_was_cut_off_is_sealed_at_the_next_start(
    box: SealedBox,
) -> None:
    whole = table({"red": 1, "yellow": 2}, seats=2, signed=0)
    journal = SqliteJournal(box.state)
    journal.open(lambda _match, _count: None, lambda _text: None)
    journal.begin("order", whole[:-1], None)
    journal.close()
    box.play()
    assert export_lines(box.state, 1)[:-1] == whole[:-1]
    found = box.verified()
    assert (found.fault, found.sealed) == (None, len(whole))


@pytest.mark.parametrize("fault", ["open", "lost"])
def test_a_key_that_cannot_be_used_is_said_and_the_match_goes_on_unsealed(box: SealedBox, fault: str) -> None:
    box.state.mkdir()
    key = BoxKey(box.state)
    key.prepare()
    key.signer()
    if fault == "open":
        key.private.chmod(0o644)
    else:
        key.private.unlink()
    before = sorted((path.name, path.read_bytes()) for path in box.state.iterdir())
    out, _ = box.play()
    assert "not sealed: " in out
    assert f"Round {ROUNDS}: FINAL" in out
    assert box.verified().seals == 0
    after = sorted((path.name, path.read_bytes()) for path in box.state.iterdir() if path.name.startswith("seal."))
    assert after == before
