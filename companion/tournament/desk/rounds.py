"""What the organiser does of more than one line: drawing a round, changing it by hand, moving a match. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.errors import Illegal
from companion.core.words.texts import text
from companion.tournament.desk.moving import take_over
from companion.tournament.drawing.cost import cost_of
from companion.tournament.drawing.drawing import check
from companion.tournament.event.results import points_so_far, wanted_of
from companion.tournament.log import lines
from companion.tournament.log.chain import sheet_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.tournament.desk.desk import Desk
    from companion.tournament.desk.outcome import Outcome
    from companion.tournament.drawing.wanted import Drawing
    from companion.tournament.log.lines import TableDrawn


def add_drawing(desk: Desk, number: int, drawing: Drawing, wall: str) -> Outcome:
    """Make a drawing that was worked out the round, and give each table a box. Raises Illegal where it is not that of
    the log any more: somebody came or left, or a result did."""
    line = desk.event.line
    sheet = sheet_of(drawing.tables, drawing.byes, line.event, number)
    outcome = desk.act(
        lines.DrawnLine, wall, round=number, tables=drawing.tables, byes=drawing.byes, sheet=sheet
    )  # fmt: skip
    for table, box in zip(sorted(each.table for each in drawing.tables), desk.event.boxes_in(), strict=False):
        outcome.add(desk.act(lines.AssignedLine, wall, round=number, table=table, box=box))
    return outcome


def change_drawing(
    desk: Desk, tables: Sequence[TableDrawn], byes: Sequence[int], *, reason: str, by: str, wall: str
) -> Outcome:
    """Change the newest drawing by hand; the log gets by how much each aim is worse. Raises Illegal."""
    if not desk.event.rounds:
        raise Illegal(text("no round is drawn yet"))
    newest = desk.event.rounds[-1]
    scores = points_so_far(desk.results()[:-1])
    wanted = wanted_of(desk.event, scores, newest.number)
    check(wanted, tables, byes)
    as_drawn = wanted_of(desk.event, scores, newest.number, sorted(newest.seated()))  # somebody may have left since
    before, now = cost_of(as_drawn, newest.line.tables), cost_of(wanted, tables)
    return desk.act(
        lines.RedrawnLine, wall, round=newest.number, tables=tuple(tables), byes=tuple(byes),
        sheet=sheet_of(tables, byes, desk.event.line.event, newest.number), reason=reason, by=by,
        meetings=now.meetings - before.meetings, spread=now.spread - before.spread, seats=now.seats - before.seats,
    )  # fmt: skip


def match_to_move(desk: Desk, number: int, table: int) -> tuple[str, str] | None:
    """Give box and match whose record a replacement goes on with; None where nothing of the table has come."""
    state = desk.event.table(number, table)
    found = None if state.box is None else desk.records.newest_at((number, table), state.box)
    return None if found is None else (found.box, found.match)


def move_table(
    desk: Desk, number: int, table: int, box: str, wall: str, *, match: str = "", record: Sequence[bytes] = ()
) -> Outcome:  # fmt: skip
    """Have a table go on on another box. match, record: of what was played on the box before, with which it goes on.

    Raises Illegal.
    """
    outcome = desk.act(lines.AssignedLine, wall, round=number, table=table, box=box)
    outcome.sends += [(box, part) for part in take_over(number, table, match, record)]
    return outcome
