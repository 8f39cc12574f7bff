"""Draws the first lines of made-up match records, and the lines beside the game that decide nothing."""

from __future__ import annotations

import base64
from random import Random

from tests.differential.second_claims import Option
from tests.differential.strict_lines import COLOURS, INPUTS, Line

VARIANTS = ("warpath", "wedding", "shared-booty")
ALLOWANCES_MS = (0, 0, 0, 1, 150, 300, 60_000)


def hexadecimal(rng: Random, digits: int) -> str:
    return f"{rng.getrandbits(4 * digits):0{digits}x}"


def coded(rng: Random, length: int) -> str:
    return base64.b64encode(rng.randbytes(length)).decode()


def a_setup(rng: Random) -> Line:
    """Draw a setup that holds, of either game."""
    game = "apache" if rng.random() < 0.75 else "order"
    seats = [{"colour": colour} for colour in rng.sample(COLOURS, rng.randint(2, 5))]
    setup: Line = {
        "type": "setup", "record": 2, "match": hexadecimal(rng, 32), "game": game, "edition": 1,
        "seats": seats, "first": rng.choice(seats)["colour"],
    }  # fmt: skip
    if game == "apache":
        setup |= _apache_rules(rng)
    return setup | _policy(rng, seats) | _circumstances(rng)


def _apache_rules(rng: Random) -> Line:
    rules: Line = {}
    if rng.random() < 0.8:
        rules["variants"] = rng.sample(VARIANTS, rng.randint(0, 3))
    if rng.random() < 0.5:
        rules["anticipation"] = {"rule": rng.choice(["flag", "punish"]), "ms": rng.choice([1, 100, 250, 1000])}
    return rules


def _policy(rng: Random, seats: list[Line]) -> Line:
    """Draw how ties are broken, and give seats their allowances unless nothing is timed."""
    untimed = rng.random() < 0.15
    policy = rng.choice(["clockwise", "lots"] if untimed else ["timestamp", "clockwise", "lots"])
    drawn: Line = {"timing": "untimed"} if untimed else {}
    if policy != "timestamp" or rng.random() < 0.5:
        drawn["dead_heat"] = policy
    if policy == "lots":
        drawn["seed"] = hexadecimal(rng, rng.randint(1, 64))
    if not untimed and rng.random() < 0.6:
        for seat in rng.sample(seats, rng.randint(1, len(seats))):
            seat["allowance_ms"] = rng.choice(ALLOWANCES_MS)
    return drawn


def _circumstances(rng: Random) -> Line:
    drawn: Line = {}
    if rng.random() < 0.2:
        drawn["event"] = {"id": "cup", "round": 2, "table": rng.randint(1, 9), "sheet": hexadecimal(rng, 64)}
    if rng.random() < 0.3:
        drawn["conditions"] = _conditions(rng)
    return drawn


def _conditions(rng: Random) -> Line:
    timing = {"bounce_ms": 20, "accept_ms": 2, "repeat_ms": 0, "extension_ms": 0}
    source = {"name": "header", "delay_ms": 5, "error_us": 20}
    if rng.random() < 0.5:
        source["certificate"] = hexadecimal(rng, 64)
    return {
        "software": "made up 1.0", "box": "box 7", "window_ms": 3000, "late_ms": 1000,
        "seats": {colour: {**timing, "input": rng.sample(INPUTS, 2)} for colour in rng.sample(COLOURS, 2)},
        "settle_ms": 2, "chatter_hz": 200, "confirmed": rng.sample(COLOURS, 2), "sources": [source],
    }  # fmt: skip


def names(rng: Random) -> Line:
    return {"type": "names", "names": {colour: f"Zoë {colour}" for colour in rng.sample(COLOURS, rng.randint(0, 5))}}


def remark(rng: Random) -> Line:
    return {"type": "remark", "text": "“late”, it said"} | ({"source": "header"} if rng.random() < 0.5 else {})


def evidence(rng: Random, races: int) -> Line:
    return {"type": "evidence", "race": races, "sha256": hexadecimal(rng, 64), "edges": rng.randint(0, 900)}


def moved(rng: Random) -> Line:
    return {"type": "moved", "box": "box 8", "key": coded(rng, 32), "previous": hexadecimal(rng, 64)}


def seal(rng: Random) -> Line:
    return {"type": "seal", "sha256": hexadecimal(rng, 64), "key": coded(rng, 32), "signature": coded(rng, 64)}


def protest(rng: Random, colour: str, races: int) -> Line:
    line: Line = {"type": "protest", "colour": colour}
    if races and rng.random() < 0.7:
        line["race"] = rng.randint(1, races)
    return line | ({"text": "I was first"} if rng.random() < 0.5 else {})


def answer(rng: Random, number: int) -> Line:
    line: Line = {"type": "answer", "protest": number, "text": "by the strip", "stands": rng.random() < 0.5}
    return line | ({"by": "referee"} if rng.random() < 0.5 else {})


def claim(rng: Random, colour: str, offered: list[Option]) -> Line:
    """Draw one of the options, and one of the names that it has."""
    option = rng.choice(offered)
    prisoner, spouse = rng.choice(sorted(option.named, key=str))
    line: Line = {"type": "claim", "colour": colour, "take": option.take}
    return line | ({"prisoner": prisoner} if prisoner else {}) | ({"spouse": spouse} if spouse else {})


def undo(rng: Random) -> Line:
    line: Line = {"type": "undo"}
    if rng.random() < 0.3:
        line |= {"reason": "wrong card"}
    return line | ({"by": "referee"} if rng.random() < 0.3 else {})
