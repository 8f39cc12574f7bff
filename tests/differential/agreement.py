"""Puts the program's judge and the second judge before the same records, and counts what they met.

`make differential` runs this module: RECORDS made-up records, a table of what was in them, and of every disagreement
the record, made as short as it stays one.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator

from companion.core.ruling.judge import judge_record
from companion.core.words.encoding import encode
from companion.games.registry import find
from tests.differential.records import Record, make_record
from tests.differential.second_judge import judge_lines
from tests.differential.strict_lines import Line

MOST_SHOWN = 20


def without_message(told: Iterable[Line]) -> list[Line]:
    """Leave out what is for people: of an error only its line and kind are the record's to say."""
    return [{name: value for name, value in line.items() if name != "message"} for line in told]


def by_the_program(lines: list[bytes]) -> list[Line]:
    """Give what `companion replay --json` prints, as objects."""
    told = judge_record([line + b"\n" for line in lines], find)
    return without_message(json.loads(encode(ruling)) for ruling in told)


def by_the_second(lines: list[bytes]) -> list[Line]:
    return without_message(judge_lines(lines))


def agree(lines: list[bytes]) -> bool:
    return by_the_program(lines) == by_the_second(lines)


def shortened(lines: list[bytes]) -> list[bytes]:
    """Leave out lines, many together and then fewer, while the judges still disagree."""
    for length in (64, 16, 4, 3, 2, 1, 2, 1):
        for at in reversed(range(1, len(lines))):
            fewer = lines[:at] + lines[at + length :]
            if len(fewer) < len(lines) and not agree(fewer):
                lines = fewer
    return lines


def features(record: Record) -> Iterator[str]:
    """Name what is in a record and in its rulings, once for each time."""
    lines = list(map(_readable, record.lines))
    setup = lines[0]
    policy = setup.get("dead_heat", "timestamp")
    yield f"fault {record.fault}"
    for line in lines:
        yield f"line {line.get('type')}"
    for ruling in record.told:
        yield f"ruling {ruling['type']}"
        match ruling["type"]:
            case "ignored":
                yield f"ignored: {ruling['reason']}"
            case "order":
                yield from _places(ruling["order"], f"{setup['game']} by {policy}")
            case "settled":
                yield f"settled: {ruling['result']} {ruling.get('take', '')}".rstrip()
                if ruling.get("tribute"):
                    yield "settled: with tribute"
            case "error":
                yield f"error: {ruling['kind']}"
    for variant in setup.get("variants", ()):
        yield f"variant {variant}"


def _places(places: list[Line], policy: str) -> Iterator[str]:
    yield f"order: {policy}"
    if any(place["dead_heat"] for place in places):
        yield f"order with ties: {policy}"
    if any(0 < len(place["tied_with"]) < _group(place, places) - 1 for place in places):
        yield f"order with a chain of ties: {policy}"
    for place in places:
        yield f"verdict: {place['verdict']}, {place['why']}"
        if "anticipated" in place:
            yield f"anticipated: {place['anticipated']}, {place['verdict']}"


def _group(place: Line, places: list[Line]) -> int:
    """Count the presses that hang together with this one by ties, itself among them."""
    ties = {other["colour"]: other["tied_with"] for other in places}
    known, new = set(), [place["colour"]]
    while new:
        colour = new.pop()
        if colour not in known:
            known.add(colour)
            new += ties[colour]
    return len(known)


def _readable(raw: bytes) -> Line:
    try:
        line = json.loads(raw)
    except ValueError:
        return {}
    return line if isinstance(line, dict) else {}


def compare(seeds: Iterable[int]) -> tuple[Counter[str], list[Record]]:
    """Judge the records of these seeds twice; give what was in them, and those on which the judges disagree."""
    met: Counter[str] = Counter()
    disagreed = []
    for seed in seeds:
        record = make_record(seed)
        met.update(features(record))
        if by_the_program(record.lines) != without_message(record.told):
            disagreed.append(record)
    return met, disagreed


def tell(record: Record) -> str:
    """Show a disagreement at the shortest record that still has it."""
    lines = shortened(record.lines)
    own, other = by_the_program(lines), by_the_second(lines)
    told = [f"== seed {record.seed}, fault {record.fault}", *(line.decode(errors="replace") for line in lines)]
    told += [f"  the program:      {json.dumps(line)}" for line in own if line not in other]
    return "\n".join(told + [f"  the second judge: {json.dumps(line)}" for line in other if line not in own])


def main() -> int:
    """Compare as many records as the command line says; 1 if the judges disagree on any."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--records", type=int, default=10_000)
    parser.add_argument("--first", type=int, default=0, help="the seed of the first record")
    asked = parser.parse_args()
    met, disagreed = compare(range(asked.first, asked.first + asked.records))
    for feature, number in sorted(met.items()):
        print(f"{number:9,}  {feature}")
    for record in disagreed[:MOST_SHOWN]:
        print(tell(record))
    print(f"{asked.records - len(disagreed):,} of {asked.records:,} records are judged alike by both judges")
    return 1 if disagreed else 0


if __name__ == "__main__":
    sys.exit(main())
