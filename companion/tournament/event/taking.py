"""What each kind of line does to an event: the table that runs. Pure; only `event` calls it."""

from __future__ import annotations

from base64 import b64decode
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from companion.core.errors import Illegal
from companion.core.words.texts import text
from companion.tournament.event.rounds import Round
from companion.tournament.event.stages import BoxAt, Stage
from companion.tournament.log import lines

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.tournament.event.event import Event


def _begin_twice(_event: Event, _entry: lines.EventLine) -> None:
    raise Illegal("the event's line stands first, and once")


def _enter(event: Event, entry: lines.PlayerLine) -> None:
    event.players.enter(entry)


def _edit(event: Event, entry: lines.EditedLine) -> None:
    event.players.edit(entry)


def _part(event: Event, entry: lines.ApartLine) -> None:
    event.players.part(entry)


def _open(event: Event, _entry: lines.CheckInOpenedLine) -> None:
    _must_be(event, Stage.ENTERING)
    event.stage = Stage.CHECK_IN


def _check_in(event: Event, entry: lines.CheckedInLine) -> None:
    _must_be(event, Stage.CHECK_IN, Stage.RUNNING)
    event.players.check_in(entry)


def _close(event: Event, entry: lines.CheckInClosedLine) -> None:
    _must_be(event, Stage.CHECK_IN)
    if sha256(entry.seed.encode()).hexdigest() != event.line.seed_sha256:
        raise Illegal("this is not the seed whose hash was published at the beginning")
    event.seed, event.stage = entry.seed, Stage.RUNNING


def _drop(event: Event, entry: lines.DroppedLine) -> None:
    event.players.drop(entry)


def _enrol(event: Event, entry: lines.BoxLine) -> None:
    before = event.boxes.get(entry.box)
    if before is not None and before.is_in and before.keys[-1] == entry.key:
        raise Illegal(text("{box} is enrolled with this key already").format(box=entry.box))
    key = b64decode(entry.key)
    holder = event.box_of_key.setdefault(key, entry.box)
    if holder != entry.box:
        raise Illegal(text("{box} is enrolled with this key: no two boxes have the same").format(box=holder))
    keys = (*(before.keys if before else ()), entry.key)
    event.boxes[entry.box] = BoxAt(entry.box, keys)


def _let_go(event: Event, entry: lines.BoxOutLine) -> None:
    event.boxes[entry.box] = _box(event, entry.box)._replace(is_in=False)


def _draw(event: Event, entry: lines.DrawnLine) -> None:
    _must_be(event, Stage.RUNNING)
    if entry.round != len(event.rounds) + 1:
        raise Illegal(f"the next round is number {len(event.rounds) + 1}, not {entry.round}")
    event.check_drawn(entry)
    event.rounds.append(Round(entry))


def _redraw(event: Event, entry: lines.RedrawnLine) -> None:
    found = event.round(entry.round)
    if found is not event.rounds[-1] or found.has_begun:
        raise Illegal(text("round {round} has begun: its drawing stays").format(round=entry.round))
    event.check_drawn(entry)
    found.lay(entry)


def _assign(event: Event, entry: lines.AssignedLine) -> None:
    _box(event, entry.box)
    event.table(entry.round, entry.table).assign(entry)
    event.had.setdefault(entry.box, []).append((entry.round, entry.table))


def _record(event: Event, entry: lines.RecordLine) -> None:
    event.table(entry.round, entry.table).take_record(entry)


def _protest(event: Event, entry: lines.ProtestLine) -> None:
    event.table(entry.round, entry.table).protest(entry)


def _answer(event: Event, entry: lines.AnswerLine) -> None:
    event.table(entry.round, entry.table).answer(entry)


def _finish(event: Event, entry: lines.FinalLine) -> None:
    event.table(entry.round, entry.table).finish(entry)


def _by_hand(event: Event, entry: lines.ByHandLine) -> None:
    event.table(entry.round, entry.table).enter(entry)


def _points(event: Event, entry: lines.PointsLine) -> None:
    event.players[entry.player]
    event.round(entry.round).given[entry.player] = entry.points


def _clock(event: Event, entry: lines.ClockLine) -> None:
    found = event.round(entry.round)
    if found is not event.rounds[-1]:
        raise Illegal(text("the clock is that of round {round}").format(round=len(event.rounds)))
    found.tick(entry)


def _announce(event: Event, entry: lines.AnnouncedLine) -> None:
    event.announcements.append(entry.text)


def _end(event: Event, _entry: lines.EndedLine) -> None:
    _must_be(event, Stage.RUNNING)
    for each in event.rounds:
        for table in each.tables.values():
            if not table.is_final:
                says = text("{table} has to be final first: {stage}")
                raise Illegal(says.format(table=table.called(), stage=table.stage.value))
    event.stage = Stage.ENDED


def _must_be(event: Event, *stages: Stage) -> None:
    if event.stage not in stages:
        raise Illegal(text("not now: {stage}").format(stage=event.stage.value))


def _box(event: Event, name: str) -> BoxAt:
    found = event.boxes.get(name)
    if found is None or not found.is_in:
        raise Illegal(text("{box} is no box of this event: enrol it first").format(box=name))
    return found


TAKES: dict[type[Any], Callable[[Event, Any], None]] = {
    lines.EventLine: _begin_twice,
    lines.PlayerLine: _enter,
    lines.EditedLine: _edit,
    lines.ApartLine: _part,
    lines.CheckInOpenedLine: _open,
    lines.CheckedInLine: _check_in,
    lines.CheckInClosedLine: _close,
    lines.DroppedLine: _drop,
    lines.BoxLine: _enrol,
    lines.BoxOutLine: _let_go,
    lines.DrawnLine: _draw,
    lines.RedrawnLine: _redraw,
    lines.AssignedLine: _assign,
    lines.RecordLine: _record,
    lines.ProtestLine: _protest,
    lines.AnswerLine: _answer,
    lines.FinalLine: _finish,
    lines.ByHandLine: _by_hand,
    lines.PointsLine: _points,
    lines.ClockLine: _clock,
    lines.AnnouncedLine: _announce,
    lines.EndedLine: _end,
}
"""By the kind of a line: raises Illegal where it cannot be now, and has changed nothing then."""
