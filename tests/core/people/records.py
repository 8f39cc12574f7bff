"""Records for the tests of people: matches of a few races, written line by line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from companion.core.people.judged import MatchFacts, facts_of
from companion.games import registry

MS = 1_000_000
Race = Mapping[str, float]
"""Colour: milliseconds after the card (or, without cards, after the race's beginning)."""


def record(
    *races: Race, names: dict[str, str], game: str = "apache", error_ms: float = 0.02, over: bool = True
) -> list[bytes]:
    """A match of some races. In Apache every press is punished: there is a buffalo, and nobody to take it."""
    lines: list[dict[str, Any]] = [
        {"type": "setup", "record": 2, "match": "0" * 32, "game": game, "edition": 1,
         "seats": [{"colour": colour} for colour in names], "first": next(iter(names))},
        {"type": "names", "names": {colour: name for colour, name in names.items() if name}},
    ]  # fmt: skip
    for number, race in enumerate(races):
        lines += raced(race, (number + 1) * 60_000 * MS, game, error_ms)
    return [json.dumps(line).encode() for line in [*lines, *([{"type": "end"}] if over else [])]]


def raced(race: Race, card_ns: int, game: str, error_ms: float) -> list[dict[str, Any]]:
    role = registry.find(game).roles[3]
    reveal = [{"type": "reveal", "card": "buffalo", "t_ns": card_ns}] if game == "apache" else []
    presses = [
        {"type": "press", "colour": colour, "role": role, "t_ns": card_ns + round(ms * MS),
         "error_ns": round(error_ms * MS)}
        for colour, ms in sorted(race.items(), key=lambda one: one[1])
    ]  # fmt: skip
    return [*reveal, *presses, {"type": "close", "t_ns": card_ns + 30_000 * MS}, {"type": "judge"}]


def facts(
    *races: Race, names: dict[str, str], match_id: int = 1, started: str = "2025-03-01T19:30:00+01:00", **more: Any
) -> MatchFacts:
    found = facts_of(record(*races, names=names, **more), match_id, started, registry.find)
    assert found is not None
    return found
