"""What the second judges of games have in common: notes, undoing, comparing. No code of the program stands here.

A second judge is written from a game's page under `docs/games/` and from `docs/record.md` alone. It takes a record as
plain JSON objects and gives rulings as such, slowly and simply: an undo plays all lines that stand once more.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

Json = dict[str, Any]

NOTES = {"names", "remark", "evidence", "seal", "protest", "answer", "sign"}
"""Lines that decide nothing in any game."""


class PlainJudging:
    """Feed it a record line by line. A game's own judge has `begin`, a `take_TYPE` for each line, and `outcome`."""

    def __init__(self, setup: Json) -> None:
        self.setup = setup
        self.colours: list[str] = [seat["colour"] for seat in setup["seats"]]
        self.parameters: Json = setup.get("parameters") or {}
        self.standing: list[tuple[int, Json]] = []
        self.said: list[Json] = []
        self.begin()

    def begin(self) -> None:
        """Be as before the first line after the setup."""
        raise NotImplementedError

    def outcome(self) -> Json:
        """Give the `outcome` object."""
        raise NotImplementedError

    def before(self, line: Json) -> None:
        """Do what every line does first."""

    def feed(self, number: int, line: Json) -> list[Json]:
        """Give what follows from line `number`."""
        self.said = []
        if line["type"] in NOTES:
            return []
        if line["type"] == "undo":
            gone, _ = self.standing.pop()
            self.begin()
            for _, again in self.standing:
                self.take(again)
            return [{"type": "undone", "line": gone}]
        self.standing.append((number, line))
        self.take(line)
        if line["type"] == "end":
            self.said.append(self.outcome())
        return self.said

    def take(self, line: Json) -> None:
        """Take a line that decides something."""
        self.before(line)
        getattr(self, f"take_{line['type']}")(line)

    def clockwise(self, colour: str) -> list[str]:
        """Give all other seats, clockwise from one."""
        at = self.colours.index(colour)
        return self.colours[at + 1 :] + self.colours[:at]


def judged_plainly(judge: type[PlainJudging], record: Iterable[bytes]) -> list[list[Json]]:
    """Give the rulings of each line after the setup, and at last the outcome if no line ended the match."""
    lines = [json.loads(raw) for raw in record]
    referee = judge(lines[0])
    ruled = [referee.feed(number, line) for number, line in enumerate(lines[1:], start=2)]
    is_over = any(ruling["type"] == "outcome" for rulings in ruled for ruling in rulings)
    return ruled if is_over else [*ruled, [referee.outcome()]]
