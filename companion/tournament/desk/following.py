"""What boxes are told after a line of the log, and when one comes back: worked out from the event alone. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.tournament.desk.outcome import Outcome
from companion.tournament.log import lines
from companion.tournament.wire import Answered, Clock, Finally, Say, SeatAt, Sit, Welcome, Withdraw

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from companion.tournament.desk.desk import Desk
    from companion.tournament.event.event import Event
    from companion.tournament.event.rounds import TableState
    from companion.tournament.log.lines import AnyEntry, FinalBy
    from companion.tournament.wire import ToBox

    Sends = list[tuple[str, ToBox]]
    """Messages, each with the box that it is for."""


def after(desk: Desk, entry: AnyEntry) -> Outcome:
    """Give what follows from a line that has just been added."""
    outcome = Outcome()
    outcome.changed |= _tables_of(entry)
    tells = _TELLS.get(type(entry))
    if tells is not None:
        outcome.sends += tells(desk, entry)
    return outcome


def state_for(desk: Desk, box: str) -> Sends:
    """Give all that a box should know that has just come: its table, answers, what is final, clock, announcements."""
    event = desk.event
    sends: Sends = []
    places = dict.fromkeys(event.had.get(box, ()))
    tables = [event.table(*place) for place in places if place[1] in event.round(place[0]).tables]
    newest = len(event.rounds)
    sends += [
        (box, sit(event, table))
        for table in tables
        if table.round == newest and table.box == box and not table.is_final
    ]
    if event.rounds and event.rounds[-1].clock is not None:
        sends.append((box, clock_of(event)))
    for table in tables:
        sends += [(box, message) for message in _of_table(desk, table, box)]
    if event.announcements:
        sends.append((box, Say(number=len(event.announcements), text=event.announcements[-1])))
    return sends


def sit(event: Event, table: TableState) -> Sit:
    """Give what a box is told of a table to play."""
    line = event.line
    seats = tuple(SeatAt(player=number, name=event.players[number].name) for number in table.players)
    return Sit(
        round=table.round, table=table.number, sheet=event.round(table.round).line.sheet, game=line.game, seats=seats,
        variants=line.variants, parameters=line.parameters, dead_heat=line.dead_heat,
    )  # fmt: skip


def clock_of(event: Event) -> Clock:
    """Give the newest round's clock as the log has it; whoever sends it later takes off what has passed since."""
    newest = event.rounds[-1]
    now = newest.clock
    if now is None:
        return Clock(round=newest.number, left_ms=0, is_running=False)
    return Clock(round=newest.number, left_ms=now.left_s * 1000, is_running=now.is_running)


def _of_table(desk: Desk, table: TableState, box: str) -> Iterator[ToBox]:
    """Give answers and finality of a table, to a box that had it."""
    if table.box != box and not table.is_final:
        yield Withdraw(round=table.round, table=table.number)
    for protest in table.protests:
        if protest.answer is not None:
            yield _answered(protest.answer)
    held = desk.records.newest_at((table.round, table.number), box)
    if table.is_final and held is not None:
        yield _finally(table, held.match)


def _answered(line: lines.AnswerLine) -> Answered:
    return Answered(match=line.match, protest=line.line, text=line.text, by=line.by, stands=line.stands)


def _finally(table: TableState, match: str) -> Finally:
    why: FinalBy = "by hand" if table.final is None else table.final.why
    return Finally(match=match, round=table.round, table=table.number, why=why)


def _tables_of(entry: AnyEntry) -> set[tuple[int, int]]:
    """Give the tables that a line is about."""
    if isinstance(entry, (lines.DrawnLine, lines.RedrawnLine)):
        return {(entry.round, table.table) for table in entry.tables}
    number, table = getattr(entry, "round", None), getattr(entry, "table", None)
    return {(number, table)} if isinstance(number, int) and isinstance(table, int) else set()


def _all(desk: Desk, message: ToBox) -> Sends:
    return [(box, message) for box in desk.event.boxes_in()]


def _enrolled(desk: Desk, entry: lines.BoxLine) -> Sends:
    told: Sends = [(entry.box, Welcome(name=desk.event.line.name))]
    here = desk.boxes[entry.box].here
    if here is not None:
        told += [(entry.box, desk.records.of(entry.box, match.match).have()) for match in here.matches]
    return told + state_for(desk, entry.box)


def _assigned(desk: Desk, entry: lines.AssignedLine) -> Sends:
    table = desk.event.table(entry.round, entry.table)
    gone: Sends = [
        (box, Withdraw(round=table.round, table=table.number, reason=f"the table has gone to {entry.box}"))
        for box in table.boxes[-2:-1]
        if box != entry.box
    ]
    return [*gone, (entry.box, sit(desk.event, table))]


def _redrawn(desk: Desk, entry: lines.RedrawnLine) -> Sends:
    tables = desk.event.round(entry.round).tables.values()
    return [(table.box, sit(desk.event, table)) for table in tables if table.box is not None]


def _answer(desk: Desk, entry: lines.AnswerLine) -> Sends:
    table = desk.event.table(entry.round, entry.table)
    return [(box, _answered(entry)) for box in table.boxes[-1:]]


def _final(desk: Desk, entry: lines.FinalLine | lines.ByHandLine) -> Sends:
    table = desk.event.table(entry.round, entry.table)
    found = ((box, desk.records.newest_at((entry.round, entry.table), box)) for box in table.boxes)
    return [(box, _finally(table, held.match)) for box, held in found if held is not None]


def _clock(desk: Desk, _entry: lines.ClockLine) -> Sends:
    return _all(desk, clock_of(desk.event))


def _announced(desk: Desk, entry: lines.AnnouncedLine) -> Sends:
    return _all(desk, Say(number=len(desk.event.announcements), text=entry.text))


_TELLS: dict[type[Any], Callable[[Desk, Any], Sends]] = {
    lines.BoxLine: _enrolled,
    lines.AssignedLine: _assigned,
    lines.RedrawnLine: _redrawn,
    lines.AnswerLine: _answer,
    lines.FinalLine: _final,
    lines.ByHandLine: _final,
    lines.ClockLine: _clock,
    lines.AnnouncedLine: _announced,
}
"""What boxes are told after each kind of line; after the others nothing."""
