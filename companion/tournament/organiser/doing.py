"""How each act of `acts` is done at a desk: which lines the log gets, and what people are told. Pure.

Only what is one step is here. A drawing, which takes long, and a record that another box goes on with come from
outside: `drawn` and `moved` take them.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.core.errors import Illegal
from companion.core.words.texts import text, texts
from companion.tournament.desk.outcome import Outcome
from companion.tournament.desk.rounds import add_drawing, change_drawing, move_table
from companion.tournament.log import lines
from companion.tournament.organiser import acts
from companion.tournament.organiser.clock import left_s
from companion.tournament.organiser.swapping import swapped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import datetime

    from companion.tournament.desk.desk import Desk
    from companion.tournament.drawing.wanted import Drawing


class Doing(NamedTuple):
    """What an act needs beside itself. now: wall time, with its zone. seed: of the event, "" where it is told."""

    now: datetime
    seed: str = ""

    @property
    def wall(self) -> str:
        """The time as the log has it."""
        return self.now.isoformat(timespec="seconds")


class Told(NamedTuple):
    """What was done. says: to whoever asked for it."""

    outcome: Outcome
    says: str


def perform(desk: Desk, act: Any, doing: Doing) -> Told:
    """Do an act of `acts`, but for `DrawRound` and `AssignTable`. Raises Illegal, Malformed; nothing changes then."""
    return _DOES[type(act)](desk, act, doing)


def enter_all(
    desk: Desk, players: Iterable[acts.EnterPlayer], doing: Doing, apart: Iterable[tuple[int, int]] = ()
) -> Told:  # fmt: skip
    """Enter players, all or none. Raises Illegal where one is there already, or two are alike; nothing changes then.

    apart: pairs of numbers, the lower one first, who must not meet; those who are kept apart already stay so.
    """
    given = list(players)
    seen = {(player.name, player.club) for player in desk.event.players.all.values()}
    for player in given:
        if (player.name, player.club) in seen:
            raise Illegal(text("{name} would be there twice: add the club, or a letter").format(name=player.name))
        seen.add((player.name, player.club))
    outcome = Outcome()
    for player in given:
        outcome.add(_enter(desk, player, doing).outcome)
    for one, other in sorted(set(apart) - desk.event.players.apart):
        outcome.add(_part(desk, acts.KeepApart(one=one, other=other), doing).outcome)
    return Told(outcome, texts("one player is entered", "{count} players are entered", len(given)))


def drawn(desk: Desk, act: acts.DrawRound, drawing: Drawing, doing: Doing) -> Told:
    """Make a drawing the round that was asked for. Raises Illegal."""
    outcome = add_drawing(desk, act.round, drawing, doing.wall)
    return Told(outcome, text("round {round} is drawn").format(round=act.round))


def moved(desk: Desk, act: acts.AssignTable, match: str, record: Sequence[bytes], doing: Doing) -> Told:
    """Have a table go on on a box. match, record: with what; "" and nothing where it begins there. Raises Illegal."""
    other = next((one for one in desk.event.round(act.round).tables.values() if one.box == act.box), None)
    if other is not None and other.number != act.table and not other.is_final:
        raise Illegal(
            text("{box} has table {table}, which is not final: take another box").format(
                box=act.box, table=other.number
            )
        )
    outcome = move_table(desk, act.round, act.table, act.box, doing.wall, match=match, record=record)
    return Told(outcome, text("table {table} is played on {box}").format(table=act.table, box=act.box))


def _line(desk: Desk, doing: Doing, kind: type[Any], says: str, **fields: Any) -> Told:
    return Told(desk.act(kind, doing.wall, **fields), says)


def _enter(desk: Desk, act: acts.EnterPlayer, doing: Doing) -> Told:
    number = len(desk.event.players.all) + 1
    says = text("{name} is entered as number {number}").format(name=act.name, number=number)
    told = _line(
        desk, doing, lines.PlayerLine, says,
        player=number, name=act.name.strip(), club=act.club.strip(), fixed=act.fixed,
    )  # fmt: skip
    if act.there:
        told.outcome.add(desk.act(lines.CheckedInLine, doing.wall, player=number))
    return told


def _edit(desk: Desk, act: acts.EditPlayer, doing: Doing) -> Told:
    return _line(
        desk, doing, lines.EditedLine, text("the entry of {name} is changed").format(name=act.name),
        player=act.player, name=act.name.strip(), club=act.club.strip(), fixed=act.fixed,
    )  # fmt: skip


def _part(desk: Desk, act: acts.KeepApart, doing: Doing) -> Told:
    names = {"one": desk.event.players[act.one].name, "other": desk.event.players[act.other].name}
    says = text("{one} and {other} will not meet") if act.apart else text("{one} and {other} may meet again")
    return _line(desk, doing, lines.ApartLine, says.format(**names), players=(act.one, act.other), apart=act.apart)


def _open(desk: Desk, _act: acts.OpenCheckIn, doing: Doing) -> Told:
    return _line(desk, doing, lines.CheckInOpenedLine, text("check-in is open"))


def _close(desk: Desk, _act: acts.CloseCheckIn, doing: Doing) -> Told:
    says = text("check-in is closed, and the seed is told to all")
    return _line(desk, doing, lines.CheckInClosedLine, says, seed=doing.seed)


def _check_in(desk: Desk, act: acts.CheckIn, doing: Doing) -> Told:
    says = text("{name} is checked in").format(name=desk.event.players[act.player].name)
    return _line(desk, doing, lines.CheckedInLine, says, player=act.player)


def _drop(desk: Desk, act: acts.Drop, doing: Doing) -> Told:
    says = text("{name} has left").format(name=desk.event.players[act.player].name)
    return _line(desk, doing, lines.DroppedLine, says, player=act.player)


def _enrol(desk: Desk, act: acts.EnrolBox, doing: Doing) -> Told:
    outcome = desk.enrol(act.code, doing.wall)
    names = [entry.box for entry, _ in outcome.entries if isinstance(entry, lines.BoxLine)]
    return Told(outcome, text("{box} is enrolled").format(box=", ".join(names)))


def _let_go(desk: Desk, act: acts.LetBoxGo, doing: Doing) -> Told:
    says = text("{box} takes part no more").format(box=act.box)
    return _line(desk, doing, lines.BoxOutLine, says, box=act.box, reason=act.reason)


def _swap(desk: Desk, act: acts.SwapPlayers, doing: Doing) -> Told:
    tables, byes = swapped(desk, act.round, act.one, act.other)
    outcome = change_drawing(desk, tables, byes, reason=act.reason, by=act.by, wall=doing.wall)
    one, other = desk.event.players[act.one].name, desk.event.players[act.other].name
    return Told(outcome, text("{one} and {other} have changed places").format(one=one, other=other))


_CLOCK = {
    "start": text("the clock runs"),
    "pause": text("the clock is paused"),
    "resume": text("the clock goes on"),
    "stop": text("the clock is stopped"),
}


def _clock(desk: Desk, act: acts.TurnClock, doing: Doing) -> Told:
    found = desk.event.round(act.round)
    minutes = act.minutes or desk.event.line.round_minutes
    if act.action == "start":
        if minutes is None:
            raise Illegal(text("this event has no minutes for a round: say how many"))
        left = minutes * 60
    else:
        left = 0 if act.action == "stop" else left_s(found.clock, doing.now)
    return _line(desk, doing, lines.ClockLine, _CLOCK[act.action], round=act.round, action=act.action, left_s=left)


def _announce(desk: Desk, act: acts.Announce, doing: Doing) -> Told:
    return _line(desk, doing, lines.AnnouncedLine, text("it is announced"), text=act.text, by=act.by)


def _result(desk: Desk, act: acts.EnterResult, doing: Doing) -> Told:
    says = text("the result of table {table} is entered by hand").format(table=act.table)
    return _line(
        desk, doing, lines.ByHandLine, says, round=act.round, table=act.table, places=act.places, reason=act.reason,
        by=act.by,
    )  # fmt: skip


def _points(desk: Desk, act: acts.GivePoints, doing: Doing) -> Told:
    name = desk.event.players[act.player].name
    says = text("{name} has {points} points in round {round}").format(name=name, points=act.points, round=act.round)
    return _line(
        desk, doing, lines.PointsLine, says, round=act.round, player=act.player, points=act.points, reason=act.reason,
        by=act.by,
    )  # fmt: skip


def _finish(desk: Desk, act: acts.MakeFinal, doing: Doing) -> Told:
    says = text("the result of table {table} is final").format(table=act.table)
    return _line(desk, doing, lines.FinalLine, says, round=act.round, table=act.table, why="by hand")


def _answer(desk: Desk, act: acts.AnswerProtest, doing: Doing) -> Told:
    until = None if act.minutes is None else (doing.now + timedelta(minutes=act.minutes)).isoformat(timespec="seconds")
    says = text("the protest is answered: the ruling stands") if act.stands else text("the protest is upheld")
    return _line(
        desk, doing, lines.AnswerLine, says, round=act.round, table=act.table, match=act.match, line=act.line,
        text=act.text, by=act.by, stands=act.stands, until=until,
    )  # fmt: skip


def _end(desk: Desk, _act: acts.EndEvent, doing: Doing) -> Told:
    return _line(desk, doing, lines.EndedLine, text("the event is over"))


_DOES: dict[type[Any], Callable[[Desk, Any, Doing], Told]] = {
    acts.EnterPlayer: _enter,
    acts.EditPlayer: _edit,
    acts.KeepApart: _part,
    acts.OpenCheckIn: _open,
    acts.CloseCheckIn: _close,
    acts.CheckIn: _check_in,
    acts.Drop: _drop,
    acts.EnrolBox: _enrol,
    acts.LetBoxGo: _let_go,
    acts.SwapPlayers: _swap,
    acts.TurnClock: _clock,
    acts.Announce: _announce,
    acts.EnterResult: _result,
    acts.GivePoints: _points,
    acts.MakeFinal: _finish,
    acts.AnswerProtest: _answer,
    acts.EndEvent: _end,
}
"""By the kind of an act."""
