"""How a run begins: the line to click, the browser that is opened, and a box of phones alone. Each a process."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from companion.cli.main import main

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytestmark = pytest.mark.slow  # starts processes

PATIENCE_S = 30.0
COMPANION = Path(sys.executable).with_name("companion")


class Run:
    """A box at a terminal, or at a pipe. said: all that it has written so far."""

    def __init__(self, folder: Path, *arguments: str, terminal: bool, **environ: str) -> None:
        self.folder, self.said = folder, ""
        self._read_end, write_end = pty.openpty() if terminal else os.pipe()
        command = [str(COMPANION), "run", "--port", "0", "--state-dir", str(folder), *arguments]
        base = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=write_end, stderr=write_end, env={**base, **environ}
        )
        os.close(write_end)

    def until(self, pattern: str) -> re.Match[str]:
        """Read until a pattern is in what it has said."""
        ends = time.monotonic() + PATIENCE_S
        while (found := re.search(pattern, self.said)) is None:
            assert time.monotonic() < ends, self.said
            self._read()
        return found

    def _read(self) -> None:
        try:
            data = os.read(self._read_end, 65536)
        except OSError:  # the terminal's other end is closed
            data = b""
        assert data, f"it has ended: {self.said}"
        self.said += data.decode(errors="replace").replace("\r", "")

    def get(self, address: str) -> Any:
        url = self.until(r"begin here: (http://\S+?/)[#\s]")[1]
        with urllib.request.urlopen(f"{url}api/{address}", timeout=PATIENCE_S) as answer:
            return json.load(answer)

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(PATIENCE_S) == 0
        os.close(self._read_end)


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Callable[..., Run]]:
    runs: list[Run] = []

    def start(*arguments: str, terminal: bool = False, **environ: str) -> Run:
        runs.append(Run(tmp_path / "state", *arguments, terminal=terminal, **environ))
        return runs[-1]

    yield start
    for one in runs:
        one.stop()


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[tuple[str, Callable[[], str]]]:
    """A browser for `BROWSER`, and what waits until it was opened and gives what it was to show."""
    script, shown = tmp_path / "browser", tmp_path / "shown"
    os.mkfifo(shown)
    held = os.open(shown, os.O_RDWR | os.O_NONBLOCK)  # so that neither end waits for the other
    script.write_text(f'#!/bin/sh\nprintf "%s\\n" "$1" > "{shown}"\n')
    script.chmod(0o755)

    def look() -> str:
        ends = time.monotonic() + PATIENCE_S
        while time.monotonic() < ends:
            try:
                return os.read(held, 4096).decode().strip()
            except BlockingIOError:
                time.sleep(0.01)
        return ""

    yield f"{script} %s &", look
    os.close(held)


def test_the_first_line_of_a_simulated_box_is_the_one_to_click(run: Callable[..., Run]) -> None:
    box = run("--simulate")
    box.until("Ctrl-C ends")
    pin = (box.folder / "referee.pin").read_text(encoding="ascii").strip()
    assert re.fullmatch(rf"begin here: http://127\.0\.0\.1:\d+/#pin={pin}\nCtrl-C ends\.\n", box.said)


def test_the_browser_is_opened_at_the_first_page_with_the_pin(
    run: Callable[..., Run], opened: tuple[str, Callable[[], str]]
) -> None:
    browser, look = opened
    box = run("--simulate", terminal=True, DISPLAY=":77", BROWSER=browser)
    link = box.until(r"begin here: (\S+#pin=\d+)")[1]
    assert look() == link


def test_a_box_of_phones_opens_it_too(run: Callable[..., Run], opened: tuple[str, Callable[[], str]]) -> None:
    browser, look = opened
    box = run("--phones", terminal=True, DISPLAY=":77", BROWSER=browser)
    assert look() == box.until(r"begin here: (\S+#pin=\d+)")[1]


@pytest.mark.parametrize(("arguments", "terminal", "display"), [
    (("--simulate", "--no-browser"), True, ":77"),
    (("--simulate",), False, ":77"),
    (("--simulate",), True, ""),
])  # fmt: skip
def test_it_is_not_opened_where_it_is_not_wanted_or_nobody_sees_it(
    run: Callable[..., Run],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    arguments: Any,
    terminal: bool,
    display: str,
) -> None:
    """Seen at the decision, in the process itself: a browser that never comes cannot be waited for."""
    told = tmp_path / "told"
    hook = tmp_path / "hook"
    hook.mkdir()
    (hook / "sitecustomize.py").write_text(
        "import webbrowser\n"
        f"webbrowser.get = lambda *a: open({str(told)!r}, 'w').close()\n"
    )  # fmt: skip
    path = os.pathsep.join([str(hook), os.environ.get("PYTHONPATH", "")])
    box = run(*arguments, terminal=terminal, DISPLAY=display, PYTHONPATH=path)
    box.until("Ctrl-C ends")
    assert box.get("state")["phase"] == "lobby"
    assert not told.exists()


def test_a_box_of_phones_alone_is_a_real_one_without_a_word_of_missing_hardware(run: Callable[..., Run]) -> None:
    box = run("--phones")
    box.until("Ctrl-C ends")
    state = box.get("state")
    assert (state["simulated"], state["alarms"], state["phase"]) == (False, [], "lobby")
    assert box.get("link")["lan"] is True
    assert "`companion pin`" in box.said
    for word in ("no buttons", "display", "gpio", "GPIO", "OLED", "knob", "buzzer", "WARNING", "ERROR"):
        assert word not in box.said, box.said


@pytest.mark.parametrize("option", ["--simulate", "--terminal", "--no-web", "--source=gpiod", "--display=sh1106"])
def test_phones_alone_leave_no_room_for_other_buttons(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--phones", option]) == 2
    assert f"leave {option.partition('=')[0]} out" in capsys.readouterr().err
