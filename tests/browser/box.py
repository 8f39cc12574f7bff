"""A box as a process of its own, for a test: `companion run` on a free port, with a fresh state directory."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.browser.warm import Forked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

START_S = 30.0
PATIENT = "[web]\nmax_error_ms = 1000\n"
"""A machine that draws pages and plays a box at once brings presses late; most tests are not about that."""
COMPANION = Path(sys.executable).with_name("companion")


ROOT = Path(__file__).parents[2]


def with_game(folder: Path, name: str, where: str) -> str:
    """Have a game found as if it were installed: give a PYTHONPATH with an entry point that leads to `where`."""
    info = folder / f"{name}-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(f"[companion.games]\n{name} = {where}\n", encoding="utf-8")
    return os.pathsep.join((str(folder), str(ROOT)))


class Box:
    """A running box. url: where its pages are, without the slash at the end.

    path: its PYTHONPATH, for more games or another tree's words; else this tree.
    """

    def __init__(self, state: Path, *arguments: str, config: str = PATIENT, port: int = 0, path: str = "") -> None:
        self.state = state
        state.mkdir(parents=True, exist_ok=True)
        settings = state / "config.toml"
        settings.write_text(config, encoding="utf-8")
        command = ["run", "--config", str(settings), "--state-dir", str(state), "--port", str(port), *arguments]
        self._process = _started(command, path)
        self.said: list[str] = []
        self._is_up = threading.Event()
        self.url = self.pin = ""
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        if not self._is_up.wait(START_S):
            self.kill()
            raise RuntimeError(f"the box did not start; it said: {''.join(self.said)}")

    @property
    def port(self) -> int:
        return int(self.url.rsplit(":", 1)[1])

    def get(self, address: str) -> Any:
        with urllib.request.urlopen(self.url + address, timeout=10) as answer:
            return json.loads(answer.read())

    def record(self, match_id: int) -> bytes:
        with urllib.request.urlopen(f"{self.url}/api/matches/{match_id}/record", timeout=10) as answer:
            content: bytes = answer.read()
        return content

    def replay(self, match_id: int) -> list[Any]:
        """Judge a match's record again, by the command; give the objects it prints."""
        ran = subprocess.run(
            [str(COMPANION), "replay", "--json", "-"], input=self.record(match_id), capture_output=True, check=True
        )
        return [json.loads(line) for line in ran.stdout.splitlines()]

    def says(self, begin: str) -> str:
        """Wait for a line that begins so; give the rest of it."""
        patience_s = time.monotonic() + START_S
        while time.monotonic() < patience_s:
            for line in list(self.said):
                if line.startswith(begin):
                    return line.removeprefix(begin).strip()
            time.sleep(0.01)
        raise AssertionError(f"it never said {begin!r}: {''.join(self.said)}")

    def stop(self) -> None:
        """Stop it as its owner would, and see that it ends well."""
        self._process.terminate()
        status = self._process.wait(20)
        self._reader.join(20)
        assert status == 0, f"the box ended with {status}; it said: {''.join(self.said)}"

    def kill(self) -> None:
        self._process.kill()
        self._process.wait(20)
        self._reader.join(20)

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as out:
            for line in out:
                self.said.append(line)
                begin = re.search(r"begin here: (https?://\S+?)/(?:#pin=(\d+)|\s)", line)
                if begin:  # a box that is not simulated tells a pipe no PIN
                    self.url = begin[1]
                    self.pin = begin[2] or (self.state / "referee.pin").read_text(encoding="ascii").strip()
                    self._is_up.set()


def _started(arguments: Sequence[str], path: str) -> subprocess.Popen[str] | Forked:
    """Start the program; from nothing where it is another tree's, or finds more than this one has."""
    environment = {**os.environ, "PYTHONUNBUFFERED": "1", "PYTHONPATH": path or str(ROOT)}
    if not path:
        return Forked(arguments, environment)
    return subprocess.Popen(
        [str(COMPANION), *arguments], env=environment,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip


@contextmanager
def boxes(folder: Path) -> Iterator[Callable[..., Box]]:
    """Start boxes with folders of their own under `folder`; each is stopped at the end."""
    started: list[Box] = []

    def start(*arguments: str, **settings: Any) -> Box:
        box = Box(folder / f"box {len(started)}", *arguments, **settings)
        started.append(box)
        return box

    yield start
    for box in started:
        box.stop()
