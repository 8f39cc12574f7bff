"""The emulated pod in real time, through a pseudo-terminal and pyserial: its presses become rulings of a box."""

from __future__ import annotations

import itertools
import json
import os
import select
import subprocess
import sys
import time
import tty
from pathlib import Path

import pytest

from companion.core.pods.link import PodLink
from companion.core.record.lines import PressLine, parse_line
from tests.emulator.image import FOLDER, HERE
from tests.emulator.pods import PROGRAM, file_system

COLOURS = ("red", "yellow", "green", "blue")
POSITIONS = ("first", "second", "third", "fourth")
LABELS = [f"{colour} {position}" for colour in COLOURS for position in POSITIONS]
PINS = list(range(2, 2 + len(LABELS)))
UNIQUE_ID = "0" * 16
"""Of every emulated chip: its flash has no number."""
PATIENCE_S = 120.0
GAP_NS = 40_000_000
COMPANION = str(Path(sys.executable).with_name("companion"))


class RealTimePod:
    """An emulated pod at `port`; `press` moves its contacts."""

    def __init__(self, files: Path | None) -> None:
        """files: its file system; None for a new chip, with nothing on it but MicroPython."""
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        self.port = os.ttyname(self._slave)
        self._process = subprocess.Popen(
            ["node", str(HERE / "realtime.mjs"), str(FOLDER), str(files or ""), str(self._master)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, pass_fds=[self._master],
        )  # fmt: skip

    def wait(self) -> PodLink:
        """Talk with the pod as a first host does, until it has started and answers; gives what has been learnt."""
        link = PodLink()
        link.reconnect(time.monotonic_ns())
        os.set_blocking(self._slave, False)
        until = time.monotonic() + PATIENCE_S
        while not link.is_settled:
            assert time.monotonic() < until, "the emulated pod does not start"
            os.write(self._slave, link.send(time.monotonic_ns()))
            if select.select([self._slave], [], [], 0.05)[0]:
                link.receive(os.read(self._slave, 4096), time.monotonic_ns())
            link.advance(time.monotonic_ns())
        return link

    def press(self, *labels: str, gap_ns: int, hold_ns: int = 60_000_000) -> None:
        """Press buttons one after the other, `gap_ns` apart, and wait until all are released."""
        edges = []
        for number, label in enumerate(labels):
            pin = PINS[LABELS.index(label)]
            edges += [[number * gap_ns, pin, 0], [number * gap_ns + hold_ns, pin, 1]]
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"edges": edges}) + "\n")
        self._process.stdin.flush()
        self.worst_lag_ns = max(json.loads(self._process.stdout.readline())["lag"] for _ in edges)

    def close(self) -> None:
        self._process.terminate()
        self._process.communicate()
        os.close(self._master)
        os.close(self._slave)


class Box:
    """`companion run` with the pod as its only buttons."""

    def __init__(self, folder: Path, port: str) -> None:
        self.folder = folder
        config = folder / "config.toml"
        config.write_text(
            f'[box]\nstate_dir = "{folder}"\nlog_level = "debug"\n[source]\nkind = "none"\n[display]\nkind = "none"\n'
            f'[buzzer]\nkind = "none"\n[web]\nenabled = false\n[match]\ngame = "order"\n[timing]\nwindow_s = 1.0\n'
            f'[pods]\nports = ["{port}"]\nmax_bound_ms = 100.0\ndelay_ms = 200\n'
        )
        (folder / "pods.toml").write_text(f'[pods.{UNIQUE_ID}]\nname = "west"\nlines = {json.dumps(LABELS)}\n')
        self.process = subprocess.Popen(
            [COMPANION, "run", "--config", str(config), "--seats", ",".join(COLOURS)],
            stderr=subprocess.PIPE,
        )
        self._said = b""

    def wait_for(self, text: str, count: int = 1) -> None:
        """Wait until the box has written `text` so often."""
        until = time.monotonic() + PATIENCE_S
        assert self.process.stderr is not None
        while self._said.count(text.encode()) < count:
            assert time.monotonic() < until, self._said.decode()
            if select.select([self.process.stderr], [], [], 0.2)[0]:
                new = os.read(self.process.stderr.fileno(), 65536)
                assert new, self._said.decode()
                self._said += new

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            self.process.communicate()

    def record(self) -> list[object]:
        done = subprocess.run(
            [COMPANION, "export", "--state-dir", str(self.folder), "1"],
            capture_output=True, check=True,
        )  # fmt: skip
        return [parse_line(raw, number) for number, raw in enumerate(done.stdout.splitlines(), start=1)]


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
    made = Box(tmp_path, pod.port)
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
        for press, later in itertools.pairwise(race):  # one pod's own clock: the gaps are exact, whatever the mapping
            assert abs(later.t_ns - press.t_ns - GAP_NS) <= GAP_NS // 50 + 50_000
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
        assert (identity.unique_id.hex(), identity.lines) == (UNIQUE_ID, 4)
        pins = tmp_path / "mine.json"
        pins.write_text(json.dumps({"contact": "ground", "inputs": PINS}))
        done = install(pod, "--pins", str(pins))
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith("the pod restarts without its program\n")
        assert pod.wait().identity.lines == len(PINS)
    finally:
        pod.close()
