"""What a line of a match record of version 2 may look like, field by field, on the standard library alone.

It knows the form of lines and nothing of their sense: whether a well-formed line may stand where it stands is
`second_judge`'s to say. Nothing of the program is used, so that a fault there cannot be repeated here.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Callable
from datetime import datetime
from typing import Any

Line = dict[str, Any]
Check = Callable[[object], bool]

COLOURS = ("red", "yellow", "green", "blue", "purple")
INDIAN_ROLES = ("chief", "warrior", "maiden", "hunter")
BOOTY = ("buffalo", "totem pole", "tomahawk", "necklace", "teepee")
BUTTONS = ("first", "second", "third", "fourth")
INPUTS = ("panel", "pod", "phone", "evdev", "keys", "scan")
INDIANS = tuple(f"{colour} {role}" for colour in COLOURS for role in INDIAN_ROLES)


class MalformedLineError(ValueError):
    """A line that no record of version 2 can have, wherever it stood."""


def text(value: object) -> bool:
    """Take what can stand in UTF-8, so no half of a surrogate pair."""
    return isinstance(value, str) and not any("\ud800" <= letter <= "\udfff" for letter in value)


def flag(value: object) -> bool:
    return isinstance(value, bool)


def whole(low: int, high: int | None = None) -> Check:
    """Take integers from `low` to `high`, where one is given; no truth values, no fractions."""

    def check(value: object) -> bool:
        return type(value) is int and value >= low and (high is None or value <= high)

    return check


def one_of(*values: object) -> Check:
    return lambda value: any(value == known and type(value) is type(known) for known in values)


def pattern(expression: str) -> Check:
    compiled = re.compile(expression)
    return lambda value: isinstance(value, str) and compiled.fullmatch(value) is not None


def list_of(check: Check) -> Check:
    return lambda value: isinstance(value, list) and all(map(check, value))


def by_colour(check: Check) -> Check:
    """Take an object whose keys are colours."""
    return lambda value: isinstance(value, dict) and set(value) <= set(COLOURS) and all(map(check, value.values()))


def coded(length: int) -> Check:
    """Take base64 of exactly `length` bytes."""

    def check(value: object) -> bool:
        try:
            return isinstance(value, str) and len(base64.b64decode(value, validate=True)) == length
        except (binascii.Error, ValueError):
            return False

    return check


def shape(**fields: Check) -> Check:
    """Take an object of these fields; one whose name ends in an underscore may be left out."""
    required = {name for name in fields if not name.endswith("_")}
    checks = {name.rstrip("_"): check for name, check in fields.items()}

    def check(value: object) -> bool:
        if not isinstance(value, dict) or not required <= set(value) <= set(checks):
            return False
        return all(checks[name](given) for name, given in value.items())

    return check


TIME = whole(0)
SHA256 = pattern(r"[0-9a-f]{64}")
COLOUR = one_of(*COLOURS)
ROLES = {"apache": INDIAN_ROLES, "order": BUTTONS}
RFC_3339 = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")


def moment(value: object) -> bool:
    """Take a date and time after RFC 3339 that there is."""
    try:
        return isinstance(value, str) and bool(RFC_3339.fullmatch(value) and datetime.fromisoformat(value))
    except ValueError:
        return False


CONDITIONS = shape(
    software=text,
    box=text,
    window_ms=whole(0),
    late_ms=whole(0),
    seats=by_colour(
        shape(
            bounce_ms=whole(0),
            accept_ms=whole(0),
            repeat_ms=whole(0),
            extension_ms=whole(0),
            input=list_of(one_of(*INPUTS)),
        )
    ),
    settle_ms=whole(0),
    chatter_hz=whole(0),
    confirmed=list_of(COLOUR),
    sources=list_of(shape(name=text, delay_ms=whole(0), error_us=whole(0), certificate_=SHA256)),
)

SETUP = {
    "record": one_of(2),
    "match": pattern(r"[0-9a-f]{32}"),
    "game": one_of("apache", "order"),
    "edition": one_of(1),
    "seats": list_of(shape(colour=COLOUR, allowance_ms_=whole(0, 60_000))),
    "first": COLOUR,
    "variants_": list_of(one_of("warpath", "wedding", "shared-booty")),
    "dead_heat_": one_of("timestamp", "clockwise", "lots"),
    "seed_": pattern(r"[0-9a-f]{1,64}"),
    "anticipation_": shape(rule=one_of("flag", "punish"), ms=whole(1, 1000)),
    "timing_": one_of("race", "untimed"),
    "event_": shape(id=text, round=whole(1), table=whole(1), sheet=SHA256),
    "conditions_": CONDITIONS,
}

SHAPES: dict[str, dict[str, Check]] = {
    "setup": SETUP,
    "names": {"names": by_colour(text)},
    "reveal": {"card": one_of(*INDIANS, *BOOTY), "t_ns_": TIME, "turned_": one_of(True)},
    "press": {"colour": COLOUR, "role": text, "t_ns": TIME, "error_ns_": TIME},
    "close": {"t_ns_": TIME},
    "judge": {},
    "claim": {
        "colour": COLOUR,
        "take": one_of("booty", "teepees", "wedding"),
        "prisoner_": text,
        "spouse_": text,
    },
    "end": {},
    "remark": {"text": text, "source_": text},
    "evidence": {"race": whole(1), "sha256": SHA256, "edges": whole(0)},
    "protest": {"colour": COLOUR, "race_": whole(1), "text_": text},
    "answer": {"protest": whole(1), "text": text, "by_": text, "stands": flag},
    "sign": {"colour": COLOUR},
    "moved": {"box": text, "key": coded(32), "previous": SHA256},
    "restart": {},
    "seal": {"sha256": SHA256, "key": coded(32), "signature": coded(64)},
    "undo": {"reason_": text, "by_": text},
}
"""Of every type its fields; one whose name ends in an underscore may be left out. `type` and `wall` stand on all."""

CHECKS = {kind: shape(type=text, wall_=moment, **fields) for kind, fields in SHAPES.items()}


def _once(pairs: list[tuple[str, object]]) -> Line:
    """Refuse an object that says one thing twice: which of the two would hold?"""
    if len({name for name, _ in pairs}) != len(pairs):
        raise MalformedLineError("a field stands twice")
    return dict(pairs)


def _no_number(name: str) -> object:
    raise MalformedLineError(f"{name} is no number of JSON")


def read_line(raw: bytes) -> Line:
    """Read one line without its newline; `MalformedLineError` if no record of version 2 can have it."""
    try:
        line = json.loads(raw.decode("utf-8"), object_pairs_hook=_once, parse_constant=_no_number)
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as fault:
        raise MalformedLineError(str(fault)) from fault
    if not isinstance(line, dict) or not isinstance(line.get("type"), str) or line["type"] not in CHECKS:
        raise MalformedLineError("no line of a known type")
    if not CHECKS[line["type"]](line):
        raise MalformedLineError(f"no {line['type']} line looks like this")
    _agree(line)
    return line


def _agree(line: Line) -> None:
    """Refuse fields that need each other where one is missing, and those that the game does not have."""
    if "turned" in line and "t_ns" not in line:
        raise MalformedLineError("turned at no time")
    if line["type"] == "setup" and (line.get("dead_heat") == "lots") != ("seed" in line):
        raise MalformedLineError("a seed belongs to lots, and lots need one")
    if line.get("game") == "order" and {"variants", "anticipation"} & set(line):
        raise MalformedLineError("the game of order has no such rules")
