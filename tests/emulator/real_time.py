"""Emulated pods in real time, each at a pseudo-terminal of its own, and a whole box that has them for its buttons."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
import tty
from pathlib import Path
from typing import TYPE_CHECKING

from companion.core.pods.link import PodLink
from companion.core.record.lines import parse_line
from tests.emulator.image import FOLDER, HERE
from tests.emulator.pods import NO_ID

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

COLOURS = ("red", "yellow", "green", "blue")
POSITIONS = ("first", "second", "third", "fourth")
LABELS = [f"{colour} {position}" for colour in COLOURS for position in POSITIONS]
PINS = list(range(2, 2 + len(LABELS)))
PATIENCE_S = 120.0
GAP_NS = 40_000_000
COMPANION = str(Path(sys.executable).with_name("companion"))


class RealTimePod:
    """An emulated pod at `port`; `press` moves its contacts."""

    def __init__(self, files: Path | None, unique_id: str = NO_ID) -> None:
        """files: its file system; None for a new chip, with nothing on it but MicroPython."""
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        self.port = os.ttyname(self._slave)
        self._process = subprocess.Popen(
            ["node", str(HERE / "realtime.mjs"), str(FOLDER), str(files or ""), str(self._master), unique_id],
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
        self._move([
            edge
            for number, pin in enumerate(PINS[LABELS.index(label)] for label in labels)
            for edge in ([number * gap_ns, pin, 0], [number * gap_ns + hold_ns, pin, 1])
        ])  # fmt: skip

    def press_pin(self, pin: int, hold_ns: int = 60_000_000) -> None:
        """Press what is at a pin, and wait until it is released."""
        self._move([[0, pin, 0], [hold_ns, pin, 1]])

    def _move(self, edges: list[list[int]]) -> None:
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

    def __init__(
        self, folder: Path, ports: Sequence[str], pods: Mapping[str, tuple[str, list[str]]], window_s: float = 1.0
    ) -> None:
        """ports: of the pods. pods: name and labels of each that is assigned, by its number."""
        self.folder = folder
        config = folder / "config.toml"
        config.write_text(
            f'[box]\nstate_dir = "{folder}"\nlog_level = "debug"\n[source]\nkind = "none"\n[display]\nkind = "none"\n'
            f'[buzzer]\nkind = "none"\n[web]\nenabled = false\n[match]\ngame = "order"\n[timing]\n'
            f"window_s = {window_s}\n[pods]\nports = {json.dumps(list(ports))}\nmax_bound_ms = 100.0\ndelay_ms = 200\n"
        )
        entries = (
            f'[pods.{unique_id}]\nname = "{name}"\nlines = {json.dumps(labels)}\n'
            for unique_id, (name, labels) in pods.items()
        )
        (folder / "pods.toml").write_text("".join(entries))
        self.process = subprocess.Popen(
            [COMPANION, "run", "--config", str(config), "--seats", ",".join(COLOURS)],
            stderr=subprocess.PIPE,
        )
        self._said = b""

    @property
    def said(self) -> str:
        """All that it has written so far."""
        return self._said.decode()

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
