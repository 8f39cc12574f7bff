"""A box at an event by the real link and a real broker: either dies within a match, and the desk has each line once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from companion.adapters.sqlite_journal import export_lines
from companion.app.event.joined import Joined, keep_joined
from companion.tournament.box.kept import Kept, write_kept
from tests.app.event.hall import Hall
from tests.app.event.running import CARDS, RunningBox, event_of, sit
from tests.fakes.event_link import BOX, EVENT

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.slow  # starts processes

ROOT = Path(__file__).parents[3]
ROUNDS = 30
PROGRAM = "import sys; from companion.cli.main import main; sys.exit(main())"
"""The program of this very tree, whatever is installed."""


@pytest.fixture
def hall() -> Iterator[Hall]:
    made = Hall()
    yield made
    made.close()


def test_a_match_reaches_the_desk_whole_though_the_broker_dies_within_it(hall: Hall, tmp_path: Path) -> None:
    joined = Joined(f"mqtt://127.0.0.1:{hall.port}", EVENT, BOX, password="b")
    box = RunningBox(tmp_path / "state", hall, joined=joined)
    try:
        hall.until(lambda: bool(hall.here))
        hall.say(sit())
        box.seated()
        match = box.start()
        hall.until(lambda: box.is_pushed(match))
        hall.cut()
        box.until(lambda session: not event_of(session).is_connected)
        box.reveal(*CARDS)
        hall.mend()
        box.end()
        hall.until(lambda: box.is_pushed(match) and b'"end"' in b"".join(hall.model.record(match)))
        hall.until(lambda: bool(hall.states) and hall.states[-1].is_there)
    finally:
        box.stop()
    hall.until(lambda: not hall.states[-1].is_there)


def test_a_wrong_password_is_said_in_words_and_the_box_referees(hall: Hall, tmp_path: Path) -> None:
    joined = Joined(f"mqtt://127.0.0.1:{hall.port}", EVENT, BOX, password="wrong")
    box = RunningBox(tmp_path / "state", hall, joined=joined)
    try:
        box.until(lambda session: "password" in event_of(session).why)
        box.ask(lambda session: session.begin(session.table) if session.table.seats else None)
        assert box.ask(lambda session: session.can_be_prepared)
    finally:
        box.stop()


class Process:
    """`companion run`, simulated: a push starts the event's match, and then a round follows the other every 60 ms."""

    def __init__(self, folder: Path, hall: Hall) -> None:
        self.state = folder / "state"
        race = "press red first for 10 ms\n+0.002 press yellow first for 10 ms\n"
        rounds = "".join(f"{1 + 0.06 * n:.3f} {race}" for n in range(ROUNDS))
        (folder / "rounds.script").write_text(f"0.300 knob push\n{rounds}+1.5 end\n")
        (folder / "box.toml").write_text("[timing]\nlate_ms = 0\n[web]\nenabled = false\n")
        keep_joined(self.state, Joined(f"mqtt://127.0.0.1:{hall.port}", EVENT, BOX, password="b"))
        wanted = sit(game="order")
        kept = Kept(event=EVENT, sit=wanted, round=wanted.round, table=wanted.table)
        (self.state / "event.json").write_bytes(write_kept(kept))
        self._arguments = ["run", "--simulate", "--plain", "--resume", "--state-dir", str(self.state)]
        self._arguments += ["--config", str(folder / "box.toml"), "--script", str(folder / "rounds.script")]

    def start(self) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-c", PROGRAM, *self._arguments], cwd=ROOT,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip


def test_a_box_that_is_killed_within_a_match_sends_every_line_of_it_once_it_is_back(hall: Hall, tmp_path: Path) -> None:
    box = Process(tmp_path, hall)
    killed = box.start()
    assert killed.stdout is not None
    for line in killed.stdout:
        if line.startswith("Round 5: FINAL"):
            break
    hall.until(lambda: len(hall.sent) > 5)
    killed.kill()
    killed.communicate()
    before = len(export_lines(box.state, 1))
    again = box.start()
    again.communicate(timeout=120)
    assert again.returncode == 0
    record = export_lines(box.state, 1)
    assert len(record) > before > 10
    assert b'"event":{"id":"open","round":2,"table":7' in record[0]
    [match] = hall.matches()
    at_the_desk = hall.record(match)
    assert at_the_desk == record[: len(at_the_desk)]
    assert len(at_the_desk) > before, "but for what was stored at the very end, which goes next time"
