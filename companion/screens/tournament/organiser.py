"""What the organiser alone sees: players with all that is entered of them, boxes, the drawing, notes. Pure."""

from __future__ import annotations

from base64 import b64decode
from collections import Counter
from typing import TYPE_CHECKING

from companion.core.words.texts import text
from companion.tournament.desk.boxes import refusal
from companion.tournament.fingerprint import fingerprint
from companion.tournament.log.lines import RedrawnLine
from companion.tournament.organiser.swapping import difference

if TYPE_CHECKING:
    from companion.screens.tournament.words import Document
    from companion.tournament.desk.boxes import BoxStanding
    from companion.tournament.desk.desk import Desk
    from companion.tournament.drawing.wanted import Cost


def players_document(desk: Desk) -> Document:
    """Give all players, and the pairs that must not meet."""
    players = desk.event.players
    return {
        "players": [
            {"player": one.number, "name": one.name, "club": one.club, "fixed": one.fixed, "is_there": one.is_there,
             "has_entered": one.has_entered}
            for one in players.all.values()
        ],
        "apart": [
            {"one": one, "one_name": players[one].name, "other": other, "other_name": players[other].name}
            for one, other in sorted(players.apart)
        ],
    }  # fmt: skip


def boxes_document(desk: Desk) -> Document:
    """Give the boxes that take part, and those that wait to be enrolled. No code is told: it is read off a display."""
    event = desk.event
    playing = {} if not event.rounds else {
        table.box: table.number for table in event.rounds[-1].tables.values() if table.box is not None
    }  # fmt: skip
    pushed = Counter(dict.fromkeys(event.boxes_in(), 0))
    for (name, _), held in desk.records.held.items():
        pushed[name] += held.count
    return {
        "boxes": [_box(desk, name, playing.get(name), pushed[name]) for name in event.boxes_in()],
        "waiting": [
            {"box": name, "why": _why(desk, desk.boxes[name])} for name in desk.boxes.waiting(event)
        ],
        "gone": sorted(box.name for box in event.boxes.values() if not box.is_in),
    }  # fmt: skip


def _box(desk: Desk, name: str, table: int | None, lines: int) -> Document:
    standing = desk.boxes.by_name.get(name)
    here = None if standing is None else standing.here
    key = desk.event.boxes[name].keys[-1]
    behind = 0 if here is None else sum(
        max(0, match.lines - desk.records.of(name, match.match).count) for match in here.matches
    )  # fmt: skip
    return {
        "box": name,
        "is_there": standing is not None and standing.is_there,
        "table": table,
        "code": fingerprint(b64decode(key)),
        "software": None if here is None else here.software,
        "lines": lines,
        "behind": behind,
        "fault": None if here is None else refusal(desk.event, name, here),
    }


def _why(desk: Desk, standing: BoxStanding) -> str:
    found = desk.event.boxes.get(standing.name)
    if found is None or not found.is_in:
        return text("not enrolled")
    return text("enrolled with another key")


def rounds_document(desk: Desk) -> Document:
    """Give the rounds as they were drawn, with what was changed by hand in the newest."""
    return {
        "rounds": [
            {
                "round": one.number,
                "tables": len(one.tables),
                "byes": len(one.byes),
                "sheet": one.line.sheet,
                "has_begun": one.has_begun,
                "changed": None if not isinstance(one.line, RedrawnLine) else {
                    "reason": one.line.reason, "by": one.line.by,
                    "difference": {"meetings": one.line.meetings, "spread": one.line.spread, "seats": one.line.seats},
                },
            }
            for one in desk.event.rounds
        ],
    }  # fmt: skip


def swap_document(desk: Desk, number: int, one: int, other: int) -> Document:
    """Give what it would make of a drawing that two change places. Raises Illegal where they must not."""
    found = difference(desk, number, one, other)
    return {
        "before": _cost(found.before),
        "after": _cost(found.after),
        "one": desk.event.players[one].name,
        "other": desk.event.players[other].name,
    }


def _cost(cost: Cost) -> Document:
    return dict(cost._asdict())


def notes_document(desk: Desk) -> Document:
    """Give what the organiser should know, the newest first."""
    return {"notes": list(desk.notes)[::-1]}
