"""The programs of an event, each a process of its own: the desk, and halls of boxes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from tests.browser.box import COMPANION, ROOT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.browser.tournament.box_child import Script

PATIENCE_S = 180.0
END_S = 60.0
CHILD = "tests.browser.tournament.box_child"


class Program:
    """A process that says lines. Each is kept, and can be waited for."""

    def __init__(self, command: Sequence[str]) -> None:
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT,
            env={**os.environ, "PYTHONUNBUFFERED": "1", "PYTHONPATH": str(ROOT)},
        )  # fmt: skip
        self.said: list[str] = []
        self._news = threading.Condition()
        self._has_ended = False
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def says(self, begin: str) -> str:
        """Wait for a line that begins so; give the rest of it."""
        until = time.monotonic() + PATIENCE_S
        with self._news:
            while True:
                for line in self.said:
                    if line.startswith(begin):
                        return line.removeprefix(begin).strip()
                is_late = not self._news.wait(max(0.0, until - time.monotonic()))
                if self._has_ended or is_late:
                    raise AssertionError(f"it never said {begin!r}: {''.join(self.said)}")

    def tell(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()

    def end(self, number: int | None = None) -> None:
        """Have it end by a signal, or by the end of its input (None), and see that it ends well."""
        if number is not None:
            self._process.send_signal(number)
        self._close()
        try:
            status = self._process.wait(END_S)
        finally:
            self.kill()
        assert status == 0, f"it ended with {status}; it said: {''.join(self.said)}"

    def kill(self) -> None:
        """End it as a power cut does; harmless where it has ended."""
        self._process.kill()
        self._process.wait(END_S)
        self._close()
        self._reader.join(END_S)

    def _close(self) -> None:
        if self._process.stdin is not None:
            with suppress(OSError):
                self._process.stdin.close()

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as out:
            for line in out:
                with self._news:
                    self.said.append(line)
                    self._news.notify_all()
        with self._news:
            self._has_ended = True
            self._news.notify_all()


class DeskProgram(Program):
    """`companion tournament` with its own broker and store, on free ports. url: of its pages, without a slash."""

    def __init__(self, folder: Path, *, event: str, name: str, rounds: int, boxes: int) -> None:
        self.folder, self.event = folder, event
        folder.mkdir(parents=True)
        config = folder.with_name("config.toml")
        config.write_text("", encoding="utf-8")
        super().__init__([
            str(COMPANION), "tournament", str(folder), "--config", str(config), "--state-dir", str(folder),
            "--event", event, "--name", name, "--game", "order", "--rounds", str(rounds), "--boxes", str(boxes),
            "--web-port", "0", "--broker-port", "0", "--no-browser",
        ])  # fmt: skip
        self.url = self.says("begin here: ").rstrip("/")
        self.broker = self.says("broker: ")
        self.says("passwords of the boxes: ")
        self.organiser = (folder / "referee.pin").read_text(encoding="ascii").strip()
        self.referee = (folder / "referee" / "referee.pin").read_text(encoding="ascii").strip()

    def stop(self) -> None:
        """Stop it as its owner would."""
        self.end(signal.SIGTERM)


class BoxProgram(Program):
    """A hall of boxes."""

    def __init__(self, desk: DeskProgram, script: Script) -> None:
        told = msgspec.json.encode(script).decode()
        super().__init__([sys.executable, "-m", CHILD, str(desk.folder), desk.broker, told])

    def add(self, box: str) -> None:
        """Switch a box on."""
        self.tell(f"add {box}")

    def code(self, box: str) -> str:
        """Give what the box's display shows, to be typed at the desk."""
        return self.says(f"code {box} ")

    def stop(self) -> None:
        """Switch all boxes off."""
        self.end()
