"""The emulated pod in real time, through a pseudo-terminal and pyserial: its presses become rulings of a box."""

from __future__ import annotations

import itertools
import json
import subprocess

import pytest

from companion.core.record.lines import PressLine
from tests.emulator.pods import NO_ID, PROGRAM, file_system
from tests.emulator.real_time import COMPANION, GAP_NS, LABELS, PATIENCE_S, PINS, Box, RealTimePod


@pytest.fixture
def pod(emulator, tmp_path):
    made = RealTimePod(file_system(tmp_path / "files.img", {"contact": "ground", "inputs": PINS}))
    try:
        made.wait()
        yield made
    finally:
        made.close()


@pytest.fixture
def box(pod, tmp_path):
    made = Box(tmp_path, [pod.port], {NO_ID: ("west", LABELS)})
    yield made
    made.stop()


def test_presses_of_the_emulated_pod_become_rulings(pod, box, tmp_path, capsys):
    box.wait_for("ready:")
    races = [("red fourth", "blue first", "green third"), ("yellow second", "red first", "blue fourth")]
    for number, labels in enumerate(races, start=1):
        pod.press(*labels, gap_ns=GAP_NS)
        box.wait_for('"type":"judge"', count=number)
    box.stop()
    lines = box.record()
    presses = [line for line in lines if isinstance(line, PressLine)]
    assert [f"{press.colour} {press.role}" for press in presses] == [label for labels in races for label in labels]
    for race in (presses[:3], presses[3:]):
        # One pod's own clock: the gaps are exact. Where the emulator was stopped meanwhile, its answers may have moved
        # the mapping, and what that is worth is what both presses say.
        for press, later in itertools.pairwise(race):
            off_ns = abs(later.t_ns - press.t_ns - GAP_NS)
            assert off_ns <= max(GAP_NS // 50 + 50_000, press.error_ns + later.error_ns)
    with capsys.disabled():
        errors = ", ".join(f"{press.error_ns / 1e6:.2f}" for press in presses)
        print(f"\npresses' errors: {errors} ms; emulator behind by up to {pod.worst_lag_ns / 1e6:.1f} ms")
    replay = subprocess.run(
        [COMPANION, "replay", "-"],
        input=subprocess.run(
            [COMPANION, "export", "--state-dir", str(tmp_path), "1"],
            capture_output=True, check=True,
        ).stdout,
        capture_output=True, check=True,
    )  # fmt: skip
    assert b"fourth" in replay.stdout


def install(pod, *more):
    return subprocess.run(
        [COMPANION, "pods", "install", "--port", pod.port, *more],
        capture_output=True, text=True, check=False, timeout=PATIENCE_S,
    )  # fmt: skip


def test_the_program_is_installed_on_a_new_chip_and_again_on_one_that_runs_it(emulator, tmp_path):
    pod = RealTimePod(None)
    try:
        done = install(pod)
        assert done.returncode == 0, done.stderr
        said = done.stdout.splitlines()
        assert {line.split()[0] for line in said[:-1]} == {*(path.name for path in PROGRAM.glob("*.py")), "pod.json"}
        identity = pod.wait().identity
        assert identity is not None
        assert (identity.unique_id.hex(), identity.lines) == (NO_ID, 4)
        pins = tmp_path / "mine.json"
        pins.write_text(json.dumps({"contact": "ground", "inputs": PINS}))
        done = install(pod, "--pins", str(pins))
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith("the pod restarts without its program\n")
        identity = pod.wait().identity
        assert identity is not None
        assert identity.lines == len(PINS)
    finally:
        pod.close()
