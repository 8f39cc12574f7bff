"""Changes one bit of a played journal at a time, starts a box on it, plays on, repairs, and counts what became of it.

    python -m tests.flips.flips [--flips 5700] [--seed 1] [--last FRAMES]

prints counts, and ends with status 1 where any bit kept the box from starting or lost more than it touched, or where it
is not done in time. The positions are spread over the whole of the database and its log, or are all those of the log's
last frames; each has one bit of it changed. Two processes, which end with this one.
"""

from __future__ import annotations

import argparse
import contextlib
import logging
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from companion.adapters.sqlite_journal import export_lines, list_matches
from companion.adapters.sqlite_journal.raw_rows import Pages, RawLine, find_lines
from companion.adapters.sqlite_journal.repair import repair
from companion.app.assembly import ALL_LINES, build
from companion.config.reading import Flag, load
from companion.config.run_options import RunOptions
from companion.files.aside import asides_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    Done = tuple[tuple[int, int], tuple[str, ...], str]
    """A bit, what happened on it, and what went wrong."""

COMPANION = Path(sys.executable).with_name("companion")
ROOT = Path(__file__).parents[2]
DATABASE, LOG = "matches.sqlite", "matches.sqlite-wal"
FILES = (DATABASE, LOG, "matches.last")
NEW = [b'{"type":"setup","game":"order"}', b'{"type":"remark","text":"played on a changed bit"}']
ALL = 5700
ROUNDS = 13
TWICE_OF = 8
"""Of so many one is repaired twice."""
FRAME = 4096 + 24
PLAYED_WITHIN_S = 120.0
"""So long a match may last that takes two seconds."""
AT_ONCE = 20
"""So many are one process's work at a time."""
WITHIN_S = 1500.0
"""So long all flips may last: ten times as long as 5,700 take on two cores."""


class Stored(NamedTuple):
    """The files that a bit is changed in, and the records that were in them. The last one was cut off."""

    files: dict[str, bytes]
    records: dict[int, list[bytes]]

    @property
    def size(self) -> int:
        return sum(map(len, self.files.values()))

    def flipped(self, position: int, bit: int) -> dict[str, bytes]:
        """The files with one bit changed; positions go through the files in order."""
        files = dict(self.files)
        for name, content in self.files.items():
            if position < len(content):
                changed = bytearray(content)
                changed[position] ^= 1 << bit
                files[name] = bytes(changed)
                break
            position -= len(content)
        return files


def stored_in(folder: Path) -> Stored:
    """Take what a box that was killed has left."""
    files = {name: (folder / name).read_bytes() for name in FILES if (folder / name).exists()}
    with copied(files) as state:
        return Stored(files, {match.id: export_lines(state, match.id) for match in list_matches(state)})


@contextlib.contextmanager
def copied(files: dict[str, bytes]) -> Iterator[Path]:
    """Put files into a folder of their own, in memory where the machine has that."""
    place = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="flips-", dir=place) as folder:
        for name, content in files.items():
            (Path(folder) / name).write_bytes(content)
        yield Path(folder)


def played(folder: Path) -> Stored:
    """Play three matches on a box: two that are given up for the next, and one that is cut off by SIGKILL."""
    rounds = [
        f"{0.2 + 0.05 * n:.3f} press red first for 10 ms\n+0.002 press yellow first for 10 ms" for n in range(ROUNDS)
    ]
    (folder / "rounds.script").write_text("\n".join([*rounds, "+0.5 end\n"]))
    (folder / "killed.script").write_text("\n".join([*rounds, "+60 end\n"]))
    (folder / "box.toml").write_text("[timing]\nlate_ms = 0\n[web]\nenabled = false\n")
    for script in ("rounds", "rounds", "killed"):
        command: list[str | Path] = [COMPANION, "run", "--simulate", "--plain", "--game", "order"]
        command += ["--seats", "red,yellow", "--new", "--config", folder / "box.toml"]
        command += ["--script", folder / f"{script}.script", "--state-dir", folder / "state"]
        _play(command, is_killed=script == "killed")
    stored = stored_in(folder / "state")
    assert len(stored.records) == 3, f"there are matches {sorted(stored.records)}"
    assert len(stored.files.get(LOG, b"")) > FRAME, "the match that was cut off is in the log"
    return stored


def _play(command: Sequence[str | Path], *, is_killed: bool) -> None:
    """Run a box to its end, or until its last round is ruled and kill it. Raises AssertionError for one that hangs."""
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    watch = threading.Timer(PLAYED_WITHIN_S, process.kill)
    watch.start()
    is_ruled = False
    try:
        assert process.stdout is not None
        with process.stdout:
            for line in process.stdout:
                is_ruled = is_ruled or line.startswith(f"Round {ROUNDS}: FINAL")
                if is_killed and is_ruled:
                    process.send_signal(signal.SIGKILL)
        status = process.wait()
    finally:
        watch.cancel()
        process.kill()
        process.wait()
    assert is_ruled, f"round {ROUNDS} was not ruled"
    assert status == (-signal.SIGKILL if is_killed else 0), f"the box ended with status {status}"


def one_flip(stored: Stored, shell: str | None, at: tuple[int, int]) -> tuple[str, ...]:
    """Start a box on a journal with one bit changed, play, repair; give what happened. Raises AssertionError."""
    position, bit = at
    files = stored.flipped(position, bit)
    with copied(files) as state:
        new, aside = play_on(state)
        happened = ["set aside" if aside else "opened"]
        assert new > max(stored.records), f"number {new} was given again"
        assert export_lines(state, new) == NEW
        got = list(repair(state, shell))
        assert export_lines(state, new) == NEW, "the repair leaves what is there"
        happened += [f"mended {len(one.mended)}" for one in got if not isinstance(one, str) and one.mended]
        if position % TWICE_OF == 0:
            again = [one for one in repair(state, None) if isinstance(one, str) or one.outcome != "there already"]
            assert not again, f"a second repair changed {again}"
        return (*happened, *lost(stored, state, at, new))


def play_on(state: Path) -> tuple[int, bool]:
    """Build a box that takes up what it finds, and begin a match; give its number, and whether a file was set aside."""
    settings = load(None, [Flag("", ("box", "state_dir"), str(state)), Flag("", ("box", "resume"), "always")])
    loop = build(settings, RunOptions(simulate=True), sources=[], lines=ALL_LINES, displays=[], buzzer=None)
    aside = any("was damaged" in alarm for alarm in loop.box.session.scene().alarms)
    assert aside == bool(asides_of(state / DATABASE)), "it is said that a file was set aside"
    journal = loop._effects.journal
    loop._effects.run(loop.box.session)
    new = journal.begin("order", NEW, None)
    loop._effects.close()
    return new, aside


def lost(stored: Stored, state: Path, at: tuple[int, int], new: int) -> Iterator[str]:
    """Hold what is there now against what there was. Raises AssertionError where more is lost than the bit touched."""
    touched: dict[int, int] | None = None
    there = {match.id: export_lines(state, match.id) for match in list_matches(state) if match.id != new}
    for match, lines in stored.records.items():
        kept = there.get(match, [])
        pairs = enumerate(zip(kept, lines, strict=False))  # one that was taken up again has more lines
        shared = next((n for n, (one, other) in pairs if one != other), min(len(kept), len(lines)))
        if shared == len(lines):
            continue
        touched = touched_by(stored, at) if touched is None else touched
        first = touched.get(match, len(lines) + 1)
        assert shared >= first - 1, (
            f"match {match} has {shared} of {len(lines)} lines, and the bit is in {_named(touched)}"
        )
        yield f"lost {'all' if not shared else 'some'} lines of the match that it was in"


def touched_by(stored: Stored, at: tuple[int, int]) -> dict[int, int]:
    """The matches a bit is in, each with the number of the first line whose row the files' bytes do not give any more.

    What follows such a line cannot be told from what was never written, so it may be lost with it, for each line's
    check sum goes on from the one before; so does, in a last transaction, what a power cut would have torn off. Nothing
    before it may be lost, and nothing at all for a bit that is in no row: SQLite's own check sum of the frame may hold
    no more, and its rows are there.
    """
    first: dict[int, int] = {}
    for row in rows_in(stored.files) - rows_in(stored.flipped(*at)):
        if row.line in stored.records.get(row.match, [])[row.number - 1 : row.number]:  # else only bytes that look so
            first[row.match] = min(row.number, first.get(row.match, row.number))
    return first


def _named(touched: dict[int, int]) -> str:
    return ", ".join(f"line {line} of match {match}" for match, line in touched.items()) or "no row"


def rows_in(files: dict[str, bytes]) -> set[RawLine]:
    return set(find_lines(Pages(files[DATABASE], files.get(LOG, b""))))


def positions(stored: Stored, count: int, seed: int) -> list[tuple[int, int]]:
    """Spread over the files: one in each of `count` equal parts, and one bit of it."""
    rng = random.Random(seed)
    return [(rng.randrange(*_part(stored.size, n, count)), rng.randrange(8)) for n in range(count)]


def last_positions(stored: Stored, frames: int, seed: int) -> list[tuple[int, int]]:
    """Every bit of the headers of the log's last frames, which are in no row, and one of each byte of their pages."""
    rng = random.Random(seed)
    end = len(stored.files[DATABASE]) + len(stored.files[LOG])
    ats = []
    for position in range(end - frames * FRAME, end):
        is_head = (end - position - 1) % FRAME >= FRAME - 24
        ats += [(position, bit) for bit in (range(8) if is_head else [rng.randrange(8)])]
    return ats


def _part(size: int, number: int, count: int) -> tuple[int, int]:
    start = size * number // count
    return start, max(start + 1, size * (number + 1) // count)


def _done(stored: Stored, shell: str | None, ats: Sequence[tuple[int, int]]) -> list[Done]:
    return [_one_done(stored, shell, at) for at in ats]


def _one_done(stored: Stored, shell: str | None, at: tuple[int, int]) -> Done:
    try:
        return at, one_flip(stored, shell, at), ""
    except Exception as error:  # noqa: BLE001 - it is told with its position
        return at, (), f"{type(error).__name__}: {error}"


def run(stored: Stored, ats: Sequence[tuple[int, int]], shell: str | None) -> tuple[Counter[str], list[str]]:
    """Change every one of these bits; give counts, and what went wrong."""
    counts: Counter[str] = Counter()
    wrong = []
    until = time.monotonic() + WITHIN_S
    parts = [ats[start : start + AT_ONCE] for start in range(0, len(ats), AT_ONCE)]
    with multiprocessing.get_context("fork").Pool(min(2, os.cpu_count() or 1), _be_ended) as pool:
        results = pool.imap_unordered(partial(_done, stored, shell), parts)
        for number in range(len(parts)):
            try:
                part = results.next(timeout=max(0.0, until - time.monotonic()))
            except multiprocessing.TimeoutError:
                wrong.append(f"{number} of {len(parts)} parts were done within {WITHIN_S:.0f} s, and no more")
                break
            counts.update(what for _, happened, _ in part for what in happened)
            wrong += [f"bit {bit} of byte {position}: {error}" for (position, bit), _, error in part if error]
    return counts, wrong


def _be_ended() -> None:
    """Let a worker be ended by the one that started it, and by nothing else."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--flips", type=int, default=ALL)
    parser.add_argument("--last", type=int, default=0, metavar="FRAMES", help="instead: all of the log's last frames")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shell", default=None, help="use this shell's .recover too: sqlite3")
    given = parser.parse_args()
    logging.disable(logging.CRITICAL)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # and so the workers end, and the folder goes
    with tempfile.TemporaryDirectory(prefix="flips-") as folder:
        stored = played(Path(folder))
    sizes = ", ".join(f"{name} {len(content)} bytes" for name, content in stored.files.items())
    print(f"{sizes}; matches of {', '.join(str(len(lines)) for lines in stored.records.values())} lines")
    at_end = last_positions(stored, given.last, given.seed)
    return told(stored, at_end or positions(stored, given.flips, given.seed), given.shell)


def told(stored: Stored, ats: Sequence[tuple[int, int]], shell: str | None) -> int:
    """Change these bits and print what became of it; give the status to end with."""
    began = time.monotonic()
    counts, wrong = run(stored, ats, shell)
    for what, number in sorted(counts.items()):
        print(f"{number:6} {what}")
    print(f"{len(ats):6} bits in {time.monotonic() - began:.0f} s, {len(wrong)} wrong", *wrong[:20], sep="\n  ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
