"""Puts the program's judge and each game's second judge before the same whole random matches, ruling by ruling.

`make differential` runs this module after the records: MATCHES complete matches of each game, what they met, and the
first line at which the two differ. The quick suite does so with a hundred of each (`test_two_judges.py`).
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from typing import NamedTuple

from companion.games.registry import find
from tests.games.comparing import assert_same, judged
from tests.games.plain_judging import judged_plainly

ROOMS = {
    "big-manitou": "big_manitou",
    "claim": "claim",
    "clock": "clock",
    "les-apaches": "les_apaches",
    "once-we-moved": "once_we_moved",
}
"""Each game that has a second judge of its own, and the room of its tests: `matches` and `plain_judge` are there."""
AT_ONCE = 50


class Met(NamedTuple):
    """What two judges were shown. rulings: how many of each type. fault: where they differ first, empty for nowhere."""

    matches: int
    lines: int
    rulings: Counter[str]
    fault: str


def compare(name: str, first: int, count: int) -> Met:
    """Have both judge the matches of seeds `first`, `first` + 1, … of a game."""
    matches = import_module(f"tests.games.{ROOMS[name]}.matches")
    plain = import_module(f"tests.games.{ROOMS[name]}.plain_judge").PlainJudge
    game, lines, rulings = find(name), 0, Counter[str]()
    for seed in range(first, first + count):
        record = matches.random_match(seed)
        ours = judged(game, record)
        try:
            assert_same(ours, judged_plainly(plain, record), record)
        except AssertionError as error:
            return Met(seed - first, lines, rulings, f"{name}, seed {seed}: {error}")
        lines += len(record)
        rulings.update(ruling["type"] for line in ours for ruling in line)
    return Met(count, lines, rulings, "")


def main() -> int:
    """Compare, print a table, and give 1 where anything differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=1_000, help="of each game (1000)")
    count = parser.parse_args().matches
    faults = []
    with ProcessPoolExecutor() as pool:
        for name in ROOMS:
            starts = range(0, count, AT_ONCE)
            parts = list(pool.map(compare, [name] * len(starts), starts, [min(AT_ONCE, count - n) for n in starts]))
            rulings = sum((part.rulings for part in parts), Counter[str]())
            kinds = ", ".join(f"{kind} {number:,}" for kind, number in rulings.most_common())
            matches, lines = sum(part.matches for part in parts), sum(part.lines for part in parts)
            print(f"{name}: {matches:,} matches, {lines:,} lines; {kinds}", flush=True)
            faults += [part.fault for part in parts if part.fault]
    for fault in faults[:20]:
        print(fault)
    print(f"{len(faults)} disagreements")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
