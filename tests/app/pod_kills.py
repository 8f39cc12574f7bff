"""Kills a box whose only buttons are a pod's at random instants, and holds what it recorded against what was pressed.

    python -m tests.app.pod_kills [--kills 200] [--seed 1]

prints counts, and ends with status 1 at the first press that is nowhere, or there twice. The pod is the very program of
`firmware/pod` on a pseudo-terminal; it lives on while the box is killed and started again, and somebody presses all the
while. In every other run no acknowledgement reaches the pod. The box is `companion run` as it is installed.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from companion.adapters.intake_file.entries import passed_in
from companion.adapters.sqlite_journal import export_lines, list_matches
from companion.core.record.lines import PressLine, Remark, parse_line
from companion.core.record.told_presses import read_press
from companion.games import registry
from tests.fakes.wired_pico import WiredPico

COMPANION = Path(sys.executable).with_name("companion")
UNIQUE_ID = b"\1west\0\0\0"
LABELS = ("red first", "yellow first")
STARTS_WITHIN_S, SETTLES_WITHIN_S = 60.0, 60.0
LASTS_S = (0.0, 0.8)
"""When a box is killed, from when it is ready."""
HOLD_S, REST_S = 0.012, (0.03, 0.09)
SETTINGS = """\
[box]
state_dir = "{folder}"
resume = "always"
[source]
kind = "none"
[display]
kind = "none"
[buzzer]
kind = "none"
[web]
enabled = false
[match]
game = "order"
[timing]
late_ms = 0
bounce_ms = 5
accept_ms = 0
[pods]
ports = ["{port}"]
max_bound_ms = 100.0
"""


class Made(NamedTuple):
    """A press as it was made: between two instants, CLOCK_MONOTONIC."""

    colour: str
    from_ns: int
    to_ns: int


class Player(threading.Thread):
    """Presses the buttons in turn until `stop` is set; both make a round."""

    def __init__(self, pico: WiredPico, rng: random.Random) -> None:
        super().__init__(daemon=True)
        self.made: list[Made] = []
        self.stop = threading.Event()
        self._pico, self._rng = pico, rng

    def run(self) -> None:
        while not self.stop.is_set() or len(self.made) % len(LABELS):
            line = len(self.made) % len(LABELS)
            from_ns = time.monotonic_ns()
            self._pico.pico.contact(line, closed=True)
            self.made.append(Made(LABELS[line].split()[0], from_ns, time.monotonic_ns()))
            time.sleep(HOLD_S)
            self._pico.pico.contact(line, closed=False)
            time.sleep(self._rng.uniform(*REST_S))


class Box:
    """One run of the box."""

    def __init__(self, config: Path, *, is_first: bool) -> None:
        seats = ["--seats", "red,yellow"] if is_first else []
        said = config.with_name("said.txt")
        with said.open("wb") as file:
            self.process = subprocess.Popen(
                [str(COMPANION), "run", "--config", str(config), *seats],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=file,
            )  # fmt: skip
        until = time.monotonic() + STARTS_WITHIN_S
        while b"ready: pods" not in said.read_bytes():
            assert time.monotonic() < until, said.read_text()
            assert self.process.poll() is None, said.read_text()
            time.sleep(0.01)

    def kill(self) -> None:
        self.process.kill()  # SIGKILL
        self.process.wait()

    def stop(self) -> None:
        self.process.terminate()
        assert self.process.wait(STARTS_WITHIN_S) == 0


class Played:
    """A match on one pod, killed again and again. counts: what was seen."""

    def __init__(self, folder: Path, rng: random.Random) -> None:
        self.counts = Counter[str]()
        self._folder, self._rng = folder, rng
        self._pico = WiredPico(unique_id=UNIQUE_ID, lines=len(LABELS))
        self._pico.name(folder / "pod")
        self._config = folder / "config.toml"
        self._config.write_text(SETTINGS.format(folder=folder, port=folder / "pod"))
        (folder / "pods.toml").write_text(f'[pods.{UNIQUE_ID.hex()}]\nname = "west"\nlines = {json.dumps(LABELS)}\n')

    def play(self, kills: int) -> None:
        """Kill it so often, let the last run take all there is, and look. Raises AssertionError."""
        box = Box(self._config, is_first=True)
        self._wait_for_match()
        player = Player(self._pico, self._rng)
        player.start()
        try:
            for number in range(kills):
                self._deafen(is_deaf=number % 2 == 1)
                time.sleep(self._rng.uniform(*LASTS_S))
                box.kill()
                self._look_at_the_kill()
                box = Box(self._config, is_first=False)
        finally:
            player.stop.set()
            player.join()
            self._deafen(is_deaf=False)
        try:
            self._wait_until_safe()
            box.stop()
        finally:
            box.process.kill()
            self._pico.close()
        self._check(player.made)

    def _wait_for_match(self) -> None:
        """Without a match that is stored there is nothing to go on with after a kill."""
        until = time.monotonic() + STARTS_WITHIN_S
        while not list_matches(self._folder):
            assert time.monotonic() < until, "no match has begun"
            time.sleep(0.01)

    def _deafen(self, *, is_deaf: bool) -> None:
        """Have no acknowledgement reach the pod, as if each time the cable was pulled before it came."""
        ring = self._pico.pico.pod.ring
        ring.forget = (lambda _number: None) if is_deaf else type(ring).forget.__get__(ring)

    def _look_at_the_kill(self) -> None:
        state = self._pico.pico.pod.ring.state
        self.counts["kills"] += 1
        self.counts["kills with edges that the pod had to keep"] += state[0] != state[1]
        intake = self._folder / "intake.jsonl"
        passed = passed_in(intake.read_bytes().split(b"\n")) if intake.exists() else {}
        again = any(origin.number >= state[1] for origin in passed.values())
        self.counts["kills after which edges came again that had been taken"] += again

    def _wait_until_safe(self) -> None:
        """Every edge is acknowledged in the end, whatever it was part of."""
        state, until = self._pico.pico.pod.ring.state, time.monotonic() + SETTLES_WITHIN_S
        while state[0] != state[1]:
            assert time.monotonic() < until, f"the pod has kept {state[0] - state[1]} edges"
            time.sleep(0.01)
        assert state[2] == 0, "edges were lost in the pod"

    def _check(self, made: list[Made]) -> None:
        roles = registry.find("order").roles
        told = [parse_line(raw, number) for number, raw in enumerate(export_lines(self._folder, 1), start=1)]
        lines = [read_press(line, roles) if isinstance(line, Remark) else line for line in told]
        presses = [line for line in lines if isinstance(line, PressLine)]
        self.counts["presses made"] += len(made)
        self.counts["presses recorded"] += len(presses)
        for colour in sorted({one.colour for one in made} | {str(press.colour) for press in presses}):
            self._check_colour(
                [one for one in made if one.colour == colour],
                sorted((press for press in presses if press.colour == colour), key=lambda press: press.t_ns),
            )

    @staticmethod
    def _check_colour(made: list[Made], presses: list[PressLine]) -> None:
        """One press recorded for each that was made, in their order: a busy machine's ± may be as wide as two presses
        are apart, so a press is known by its place."""
        if len(made) == len(presses) and all(map(_may_be, made, presses)):
            return
        near = Counter(min(made, key=lambda one: _distance_ns(one, press)) for press in presses) if made else Counter()
        twice = [one for one, times in near.items() if times > 1]
        lost = [one for one in made if one not in near]
        raise AssertionError(
            f"{len(lost)} of {len(made)} presses are nowhere, {len(twice)} there twice: {lost}, {twice}"
        )


def _distance_ns(one: Made, press: PressLine) -> int:
    return max(one.from_ns - press.t_ns, press.t_ns - one.to_ns, 0)


def _may_be(one: Made, press: PressLine) -> bool:
    return one.from_ns - press.error_ns <= press.t_ns <= one.to_ns + press.error_ns


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="pod-kills-"))  # stays when something is wrong
    played = Played(folder, random.Random(given.seed))
    try:
        played.play(given.kills)
        shutil.rmtree(folder)
    finally:
        print("\n".join(f"{number:6} {what}" for what, number in sorted(played.counts.items())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
