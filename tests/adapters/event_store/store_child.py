"""A process that writes to a store as fast as it can, and says on its output what each call has returned for.

Run by `test_kill.py`, which kills it. Argument: the event. Its URL comes by the environment, as a password may be in
it. Output: a line for every round of calls, by one system call after they have returned: "N", of which the log has
BATCH * N lines, and the records BATCH * N each.
"""

from __future__ import annotations

import os
import sys

from companion.adapters.event_store import SqlEventStore
from companion.tournament.wire import RecordPart

BATCH, BOXES = 5, 3
MATCH = "a" * 32


def line(number: int) -> bytes:
    return b'{"n":%d,"text":"%s"}' % (number, b"x" * (number * 37 % 200))


def main(event: str) -> None:
    store = SqlEventStore(os.environ["STORE_URL"], event)
    store.open()
    turn = len(store.entries()) // BATCH
    if turn:
        keep_all(store, turn - 1)  # it may have been killed before the last box: boxes send again what is missing
    while True:
        numbers = numbers_of(turn)
        store.append(numbers[0], [line(number) for number in numbers])
        keep_all(store, turn)
        turn += 1
        os.write(1, b"%d\n" % turn)


def numbers_of(turn: int) -> range:
    return range(turn * BATCH + 1, (turn + 1) * BATCH + 1)


def keep_all(store: SqlEventStore, turn: int) -> None:
    for box in range(BOXES):
        store.keep([(f"box-{box}", RecordPart(MATCH, number, line(number))) for number in numbers_of(turn)])


if __name__ == "__main__":
    main(sys.argv[1])
