"""The box's status as sentences: one line for the service manager, more for a person who asks. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.play.health import Doing, Life
from companion.core.ruling.race import RacePhase
from companion.core.timing.events import SECOND
from companion.core.words.texts import text, texts
from companion.screens.text.wording import STATUS, duration

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.core.play.health import BoxStatus, EventStatus, MatchStatus
    from companion.core.timing.line_health import LineHealth

_LINE_LENGTH = 240
"""The line for the service manager is cut here; `systemctl status` shows about so much."""

_DOING = {Doing.SEATING: "players take their seats", Doing.OFFERING: "asks whether to resume a match"}


def status_line(status: BoxStatus) -> str:
    """Give the one line: what the players are at, the sources, the faults."""
    parts = [_at(status), _sources(status)]
    if not status.recorded:
        parts.append("NOT RECORDED")
    count = len(status.faults)
    parts.append(f"{count} {'fault' if count == 1 else 'faults'}: {status.faults[0]}" if count else "no faults")
    line = "; ".join(part for part in parts if part)
    return line if len(line) <= _LINE_LENGTH else line[: _LINE_LENGTH - 1] + "…"


def status_lines(status: BoxStatus, *, is_alive: bool, age_ns: int | None) -> Iterator[str]:
    """Give the whole account. is_alive: its process is there. age_ns: since it was told, None where unknown."""
    yield _life(status, is_alive=is_alive, age_ns=age_ns)
    yield f"now: {status_line(status)}"
    if status.match is not None:
        yield f"match: {_match(status.match)}"
        yield f"record: {status.match.lines} lines, {status.match.durable} of them stored"
    for source in status.sources:
        remark = f" ({source.remark})" if source.remark else ""
        yield f"source {source.name}: {source.fault or 'well'}{remark}"
    for one in status.inputs:
        yield f"input {one.line}: {'; '.join(part for part in (one.fault or '', *edges_say(one)) if part)}"
    if status.event is not None:
        yield from event_lines(status.event)
    for fault in status.faults:
        yield f"fault: {fault}"
    if status.last_fault is not None:
        yield f"last fault: {status.last_fault.wall}  {status.last_fault.text}"
    else:
        yield "last fault: none since the machine was switched on"


def event_lines(event: EventStatus) -> Iterator[str]:
    """Say how a box stands at an event, and how far the desk has each of its matches; the newest last."""
    name = f"{event.name} ({event.event})" if event.name else event.event
    at = "" if event.round is None else f", round {event.round}, table {event.table}"
    yield f"event: {name} as {event.box}{at}: {_way(event)}"
    for one in event.matches:
        how = f"{one.pushed} of {one.lines} lines are at the desk"
        yield f"event match {one.match[:8]}: {f'NOT SENT ON: {one.conflict}; ' if one.conflict else ''}{how}"


def _way(event: EventStatus) -> str:
    if not event.is_connected:
        return f"no connection to the broker: {event.why}"
    if event.not_enrolled:
        return f"connected; NOT ENROLLED: {event.not_enrolled}"
    return "connected" if event.has_desk else "connected to the broker; the desk is silent"


def edges_say(line: LineHealth) -> tuple[str, ...]:
    """Say how an input bounced last, and what of it was no press; nothing where there is nothing to say."""
    said = []
    if line.bounce_ns is not None and line.presses:
        bounced = text("bounced {time} in {edges} edges")
        how = bounced.format(time=duration(line.bounce_ns), edges=line.bounces + 1)
        said.append(how if line.bounces else text("did not bounce"))
    if line.glitches:
        said.append(text("{times} no press: {why}").format(times=times(line.glitches), why=line.glitch))
    return tuple(said)


def times(count: int) -> str:
    """Say how often."""
    return text("once") if count == 1 else texts("{count} time", "{count} times", count)


def is_stale(status: BoxStatus, age_ns: int | None) -> bool:
    """Tell whether a living box has not renewed its status for so long that it hangs."""
    return age_ns is None or age_ns > 3 * status.every_ns + SECOND


def _life(status: BoxStatus, *, is_alive: bool, age_ns: int | None) -> str:
    name = f"companion {status.version}"
    if status.life in (Life.STOPPED, Life.FAILED):
        how = "was stopped" if status.life is Life.STOPPED else "could not go on"
        return f"{name}: not running; it {how} at {status.wall}"
    if not is_alive:
        return f"{name}: not running; it was killed after {status.wall}"
    if is_stale(status, age_ns):
        return f"{name}: HANGS: its process {status.pid} is there and has not been heard of since {status.wall}"
    return f"{name}: {status.life.value}, process {status.pid}"


def _at(status: BoxStatus) -> str:
    if status.match is not None and status.doing in (Doing.PLAYING, Doing.ENDED):
        return _match(status.match)
    if status.life is Life.STARTING or status.doing is None:
        return status.life.value
    return _DOING.get(status.doing, status.life.value)


def _match(match: MatchStatus) -> str:
    number = f"match {match.number}" if match.number is not None else "a match"
    seats = " ".join(seat[:3].upper() for seat in match.seats)
    parts = [f"{number}: {match.game}, {seats}"]
    if match.race is not None and match.phase is not None:
        is_ahead = match.phase in (RacePhase.WAITING, RacePhase.OPEN)
        state = "not begun" if is_ahead else STATUS[match.order].lower()
        parts.append(f"{match.race_name} {match.race} {state}")
    return ", ".join(parts)


def _sources(status: BoxStatus) -> str:
    if not status.sources:
        return "no sources of presses"
    return ", ".join(f"{source.name} {'FAILED' if source.fault else 'well'}" for source in status.sources)
