"""A process that appends lines to a journal as fast as they become durable, and says on its output how many are.

Run by `test_sqlite_journal_kill.py`, which kills it. Arguments: the state directory. Output: "MATCH COUNT" a line, each
written by one system call after the journal has said so, so that nothing is said that is not on disk.
"""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path

from companion.adapters.sqlite_journal import SqliteJournal

AHEAD = 12
"""How many lines may be queued: enough for group commits of any size."""


def line(number: int) -> bytes:
    return b'{"type":"remark","text":"%d %s"}' % (number, b"x" * (number * 37 % 200))


def main(directory: Path) -> None:
    durable = 0
    changed = threading.Condition()

    def on_durable(match_id: int, count: int) -> None:
        nonlocal durable
        os.write(1, b"%d %d\n" % (match_id, count))
        with changed:
            durable = count
            changed.notify_all()

    def on_fault(text: str) -> None:
        os.write(1, b"fault %s\n" % text.encode())

    journal = SqliteJournal(directory)
    journal.open(on_durable, on_fault)
    match = journal.unfinished()
    if match is None:
        match = journal.begin("apache", [line(1)], "boot")
    number = durable = len(journal.lines(match))
    while True:
        number += 1
        journal.append(match, line(number))
        with changed:
            while number - durable >= AHEAD:
                changed.wait()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
