"""The protests of an event, and what a record says of the race in question. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core.errors import Illegal
from companion.core.record.lines import Evidence, JudgeLine, parse_line
from companion.core.words.texts import text
from companion.screens.tournament.tables import seated
from companion.screens.web.matches import match_document

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from companion.core.ruling.game import Game
    from companion.screens.tournament.words import Document
    from companion.tournament.desk.desk import Desk
    from companion.tournament.event.rounds import ProtestAt, TableState

JUDGED: str = str(JudgeLine.__struct_config__.tag)
"""The kind of a record's line that ends a race."""
MOST_TOLD = 30
"""So many lines of the course are told."""


def disputes_document(desk: Desk) -> Document:
    """Give all protests, those that wait first, the newest first."""
    found = [_dispute(desk, table, protest) for table, protest in _protests(desk)]
    return {"disputes": sorted(found, key=lambda one: (one["answer"] is not None, -one["round"]))}


def _protests(desk: Desk) -> Iterator[tuple[TableState, ProtestAt]]:
    for one in desk.event.rounds:
        for table in one.tables.values():
            for protest in table.protests:
                yield table, protest


def _dispute(desk: Desk, table: TableState, protest: ProtestAt) -> Document:
    answer = protest.answer
    return {
        "round": table.round,
        "table": table.number,
        "match": protest.match,
        "line": protest.line,
        "box": box_of(desk, table, protest.match),
        "players": seated(desk.event, table.players),
        "answer": None if answer is None else {
            "text": answer.text, "by": answer.by, "stands": answer.stands, "until": answer.until
        },
    }  # fmt: skip


def box_of(desk: Desk, table: TableState, match: str) -> str | None:
    """Give on which box a match of a table was played; None where none has it."""
    return next((box for box in reversed(table.boxes) if (box, match) in desk.records.held), table.box)


def account_document(lines: Sequence[bytes], line: int, find_game: Callable[[str], Game[Any]]) -> Document:
    """Give what a record says of a protest and of the race that it is about.

    lines: of the record, as far as they have come. line: the protest's number. Raises Illegal where it is no protest.
    """
    told = match_document(lines, find_game)
    protest = next((one for one in told.get("protests", ()) if one["line"] == line), None)
    if protest is None:
        raise Illegal(text("line {line} of the record is no protest").format(line=line))
    race = next((one for one in told["races"] if one["number"] == protest["race"]), None)
    return {
        "says": protest["says"],
        "colour": protest["colour"],
        "race": protest["race"],
        "seats": told["seats"],
        "presses": [] if race is None else [
            {"colour": press["colour"], "says": press["says"], "gap": press["gap_text"],
             "verdict": press["verdict"], "allowance": press["allowance_text"]}
            for press in race["presses"]
        ],
        "course": [says for entry in _course(told, protest) for says in entry["says"] if says],
        "evidence": evidence_of(lines, protest["race"]),
        "fault": told["fault"],
    }  # fmt: skip


def evidence_of(lines: Sequence[bytes], race: int | None) -> str | None:
    """Give the SHA-256 of the file that a record names as evidence of a race; None where it names none."""
    for number, raw in enumerate(lines, start=1):
        if b'"evidence"' in raw:
            line = parse_line(raw, number)
            if isinstance(line, Evidence) and line.race == race:
                return line.sha256
    return None


def _course(told: Document, protest: Document) -> list[Document]:
    """Give what happened in the race that is disputed and after it, up to the protest; the newest lines of many."""
    before = [entry for entry in told["course"] if entry["line"] < protest["line"]]
    judged = [place for place, entry in enumerate(before) if entry["type"] == JUDGED and not entry["undone"]]
    numbers = [race["number"] for race in told["races"]][: len(judged)]
    if protest["race"] in numbers:
        place = numbers.index(protest["race"])
        first = judged[place - 1] + 1 if place else 0
        last = judged[place + 1] if place + 1 < len(judged) else len(before)
        before = before[first:last]
    return before[-MOST_TOLD:]
