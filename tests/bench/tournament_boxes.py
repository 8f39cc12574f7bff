"""A thousand boxes at an event, each a process of its own, for the benchmark of a tournament's desk.

All are forked from one process that has loaded the program, so that what they share is in memory once. Each has its
own folder with a real journal, its own Ed25519 key, the real side of an event (`app.event.thread`) and its own
encrypted connection. What is not done in each is what no desk sees: arbiter and session worked the match out before
(`played`), and its lines are written in time. Pipes tell when to begin and what was ruled when.

Arguments: a JSON object, see `Wanted`. It prints a line "ready NAME", "ruled NAME RACE NS", "signed NAME NS", "pushed
NAME LINES" or "rss KB" for each of these, NS by CLOCK_MONOTONIC, and begins the races when it reads the instant of
their beginning.
"""

from __future__ import annotations

import base64
import ctypes
import gc
import importlib
import os
import queue
import secrets
import signal
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from companion.adapters.keys.box_key import BoxKey
from companion.adapters.keys.ed25519 import Ed25519Signer
from companion.adapters.mqtt.link import MqttLink
from companion.adapters.sqlite_journal import SqliteJournal
from companion.app.event.joined import Joined
from companion.app.event.keeping import KeptFile
from companion.app.event.linking import link_of
from companion.app.event.records import EventRecords
from companion.app.event.tables import event_of
from companion.app.event.thread import EventThread, OnTable
from companion.core.record.lines import Setup, dump_line, parse_line
from companion.core.record.seals import Sealer
from companion.core.timing.events import SECOND
from companion.tournament.box.effects import Prepare
from companion.tournament.box.kept import Who
from companion.tournament.box.machine import BoxInEvent
from tests.bench.played import SEATS, Played, play

if TYPE_CHECKING:
    from companion.core.play.health import EventStatus
    from companion.core.shown.scene import Scene
    from companion.tournament.box.effects import Effect
    from companion.tournament.wire import Sit

__all__ = ["MqttLink", "Wanted"]

FORK_APART_S = 0.02
NICE = int(os.environ.get("NICE", "0"))
"""How much boxes give way to the desk, with which none of them shares a processor in life."""
DIE_WITH_PARENT = 1


class Wanted(msgspec.Struct, frozen=True):
    """The boxes. folder: theirs, each in one of its name. logins: their passwords by name. races: of each match.

    race_s: from one race of a table to its next. ends_s: so long after the last race of all, tables end one by one.
    """

    folder: str
    event: str
    broker: str
    authority: str
    logins: dict[str, str]
    races: int
    race_s: float
    ends_s: float


class Box:
    """One box in its process. phase: from 0 to below 1, by which its races begin at another time than others'."""

    def __init__(self, wanted: Wanted, name: str, phase: float, played: Played, tell: int) -> None:
        folder = Path(wanted.folder) / name
        self._name, self._phase, self._played, self._tell = name, phase, played, tell
        self._race_s, self._ends_s = wanted.race_s, wanted.ends_s
        key = BoxKey(folder)
        self._signer = key.signer()
        self._who = Who(wanted.event, name, base64.b64encode(self._signer.key).decode("ascii"), "bench")
        kept = KeptFile(folder, wanted.event)
        self._journal = SqliteJournal(folder)
        machine = BoxInEvent(self._who, kept.kept)
        records = EventRecords(wanted.event, folder, self._journal)
        joined = Joined(
            wanted.broker, wanted.event, name, password=wanted.logins[name], ca_file=wanted.authority
        )  # fmt: skip
        self._event = EventThread(machine, kept, records, self, link_of(joined), clock=time.monotonic_ns)
        self._sits: queue.SimpleQueue[Sit] = queue.SimpleQueue()
        self._sealer = Sealer()
        self._number, self._match, self._lines = 0, "", 0
        self._told: set[str] = set()

    def do(self, effect: Effect) -> None:
        """Take what the desk wants of the box: the table to play."""
        if isinstance(effect, Prepare) and effect.sit is not None:
            self._sits.put(effect.sit)

    def tell(self, status: EventStatus) -> None:
        """See how far the desk has the match."""
        for match in status.matches:
            if match.pushed:
                self._say_once("ready")
            if self._lines and match.pushed == match.lines >= self._lines and "signed" in self._told:
                self._say_once("pushed", match.pushed)

    def run(self, begin: int) -> None:
        """Play the match; begin: the pipe from which the instant of the first race is read."""
        self._journal.open(self._event.waiting.durable, print)
        self._event.start()
        self._begin(self._sits.get())
        begin_ns = int.from_bytes(os.read(begin, 8), sys.byteorder)
        for number, race in enumerate(self._played.races):
            _sleep_until(begin_ns + round((number + self._phase) * self._race_s * SECOND))
            self._say("ruled", number + 1, time.monotonic_ns())
            self._write(race.lines, race.after)
        ends_s = len(self._played.races) * self._race_s + self._ends_s * self._phase
        _sleep_until(begin_ns + round(ends_s * SECOND))
        self._write(self._played.ends[:-1])
        self._say_once("signed", time.monotonic_ns())
        self._write(self._played.ends[-1:], self._played.end, is_over=True)
        signal.pause()

    def _begin(self, sit: Sit) -> None:
        setup = parse_line(self._played.begin[0], 1)
        assert isinstance(setup, Setup)
        self._match = secrets.token_hex(16)
        setup = msgspec.structs.replace(setup, match=self._match, event=event_of(self._who, sit))
        lines = [dump_line(setup), *self._played.begin[1:]]
        for line in lines:
            self._sealer.add(line)
        self._number = self._journal.begin(sit.game, lines, None)
        self._lines = len(lines)

    def _write(self, lines: list[bytes], scene: Scene | None = None, *, is_over: bool = False) -> None:
        for line in lines:
            self._append(line)
            if self._sealer.is_due:
                self._append(dump_line(self._sealer.seal(self._signer.key, self._signer.sign)))
        if scene is not None:
            self._event.waiting.table(OnTable(self._match, self._lines, scene, is_over, SEATS))

    def _append(self, line: bytes) -> None:
        self._sealer.add(line)
        self._lines += 1
        self._journal.append(self._number, line)

    def _say_once(self, what: str, *more: int) -> None:
        if what not in self._told:
            self._told.add(what)
            self._say(what, *more)

    def _say(self, what: str, *more: int) -> None:
        """Write a line, short enough to be whole among those of all boxes."""
        os.write(self._tell, " ".join([what, self._name, *map(str, more)]).encode() + b"\n")


def _sleep_until(t_ns: int) -> None:
    time.sleep(max(0, t_ns - time.monotonic_ns()) / SECOND)


def main(wanted: Wanted) -> None:
    """Fork the boxes, have them begin, and wait until this process is ended; they end with it."""
    os.nice(NICE)
    played = play(wanted.races)
    _load_all()
    begin_read, begin_write = os.pipe()
    gc.collect()
    gc.freeze()  # what is here stays: a collection would write to it, and each process would have its own
    names = sorted(wanted.logins)
    parent = os.getpid()
    for place, name in enumerate(names):
        if os.fork() == 0:
            os.close(begin_write)
            _live(wanted, name, place / len(names), played, begin_read, parent)
        time.sleep(FORK_APART_S)
    start = int(sys.stdin.readline())
    os.write(begin_write, start.to_bytes(8, sys.byteorder) * len(names))
    signal.pause()


def _load_all() -> None:
    """Have what is loaded at its first use be there before the first fork."""
    for name in ("concurrent.futures.thread", "encodings.idna", "encodings.unicode_escape"):
        importlib.import_module(name)
    Ed25519Signer(bytes(32)).sign(b"")


def _live(wanted: Wanted, name: str, phase: float, played: Played, begin: int, parent: int) -> None:
    """Be a box, for ever."""
    ctypes.CDLL(None).prctl(DIE_WITH_PARENT, signal.SIGKILL)
    if os.getppid() == parent:
        Box(wanted, name, phase, played, sys.stdout.fileno()).run(begin)
    os._exit(1)


if __name__ == "__main__":
    main(msgspec.json.decode(Path(sys.argv[1]).read_bytes(), type=Wanted))
