"""`companion follow` beside a real box in another process: what is told, in whose language, and a box that goes."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from companion.adapters.text_stream.wire import Asked
from companion.cli.reading.command import Follower, language_of

pytestmark = pytest.mark.slow  # starts processes

LONG_S = 60.0
SCRIPT = """\
0.5 press red first
1.0 press yellow first
6.0 knob left 1
"""


def companion(*arguments, environ, **given):
    return subprocess.Popen(
        [sys.executable, "-c", "from companion.cli.main import main; raise SystemExit(main())", *arguments],
        env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **given,
    )  # fmt: skip


@pytest.fixture
def environ(tmp_path):
    runtime = tmp_path / "run"
    runtime.mkdir()
    known = {**os.environ, "XDG_RUNTIME_DIR": str(runtime), "XDG_STATE_HOME": str(tmp_path / "state")}
    known.pop("RUNTIME_DIRECTORY", None)
    return known


def lines_until(process, wanted):
    """Read on until a line has the words; a process that never says them is killed, so that the reading ends."""
    found = []
    watchdog = threading.Timer(LONG_S, process.kill)
    watchdog.start()
    try:
        for line in process.stdout:
            found.append(line.rstrip("\n"))
            if wanted in line:
                return found
    finally:
        watchdog.cancel()
    raise AssertionError(f"{wanted!r} never came: {found}")


def test_a_match_is_followed_from_its_seats_to_its_order_and_the_end_of_the_box_is_told(environ, tmp_path):
    script = tmp_path / "match.script"
    script.write_text(SCRIPT)
    follower = companion("follow", "--width", "40", environ=environ, stdin=subprocess.PIPE)
    told = lines_until(follower, "waits")
    box = companion(
        "run", "--simulate", "--plain", "--script", str(script), "--seats", "red,yellow", "--game", "order",
        environ=environ,
    )  # fmt: skip
    told += lines_until(follower, "final")
    follower.stdin.write("\n")
    follower.stdin.flush()
    told += lines_until(follower, "wins")
    assert box.wait(LONG_S) == 0, box.stderr.read()
    told += lines_until(follower, "has ended")
    follower.kill()
    follower.wait()
    box.stdout.close()
    box.stderr.close()
    for pipe in (follower.stdin, follower.stdout, follower.stderr):
        pipe.close()
    said = " ".join(told)
    assert "1: red first is first" in said
    assert "2: yellow first +500 ms" in said
    assert all(len(line) <= 40 for line in told)


def test_a_machine_without_a_box_says_so_and_ends_where_it_was_asked_once(tmp_path):
    out = io.StringIO()
    follower = Follower(out, language_of("en"), None, {"XDG_RUNTIME_DIR": str(tmp_path)})
    follower._places = (tmp_path / "follow.sock",)
    assert follower.run(Asked(again=True), None, once=True) == 3
    assert out.getvalue() == "No box runs on this machine.\n"


def test_a_box_is_waited_for_and_that_is_said_once(tmp_path):
    out, pauses = io.StringIO(), []

    def pause(seconds):
        pauses.append(seconds)
        if len(pauses) == 3:
            raise KeyboardInterrupt

    follower = Follower(out, language_of("en"), 20, {"XDG_RUNTIME_DIR": str(tmp_path)}, pause)
    follower._places = (Path(tmp_path / "follow.sock"),)
    with pytest.raises(KeyboardInterrupt):
        follower.run(Asked(), None, once=False)
    assert out.getvalue() == "No box runs on this\nmachine. This waits\nfor one.\n"
