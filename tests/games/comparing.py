"""The program's rulings of a record, line by line, as JSON: to be compared with a second judge's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from companion.core.ruling.judge import Judge, judged_lines
from companion.core.ruling.rulings import Fault
from companion.core.words.encoding import encode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core.ruling.game import AnyGame


def judged(game: AnyGame, record: Sequence[bytes]) -> list[list[dict[str, Any]]]:
    """Give the rulings of each line after the setup, and at last the outcome if no line ended the match.

    Every field is there in its order. Fails where a line is refused.
    """

    def find(name: str) -> AnyGame:
        assert name == game.name
        return game

    ruled = [rulings for line, rulings in judged_lines(record, Judge(find))][1:]
    assert not any(isinstance(ruling, Fault) for rulings in ruled for ruling in rulings), ruled[-1]
    return [[msgspec.json.decode(encode(ruling)) for ruling in rulings] for rulings in ruled]


def assert_same(ours: list[list[dict[str, Any]]], plain: list[list[dict[str, Any]]], record: Sequence[bytes]) -> None:
    """Fail with the first line at which two judges differ, the order of fields included."""
    for number, (one, other) in enumerate(zip(ours, plain, strict=True), start=2):
        line = record[number - 1] if number <= len(record) else b"(outcome)"
        assert one == other, f"line {number}: {line!r}"
        assert [list(ruling) for ruling in one] == [list(ruling) for ruling in other], f"line {number}: {line!r}"
