"""How the running box is, as plain values: what it tells the service manager and `companion status`. Knows no file."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

import msgspec

from companion.core.ruling.race import RacePhase
from companion.core.shown.scene import Status
from companion.core.timing.histograms import Histogram, LineTimes
from companion.core.timing.line_health import LineHealth

if TYPE_CHECKING:
    from companion.core.play.session import Session


class Life(StrEnum):
    """Where the program is between its start and its end."""

    STARTING = "starting"
    RUNNING = "running"
    STOPPING = "stopping"
    STOPPED = "stopped"
    FAILED = "failed"


class Doing(StrEnum):
    """What the players are at."""

    SEATING = "seating"
    OFFERING = "offering"
    PLAYING = "playing"
    ENDED = "ended"


class MatchStatus(msgspec.Struct, frozen=True, kw_only=True):
    """The match at the table.

    number: as `companion matches` lists it, None until it has one. race: number of the race that runs or comes next,
    None in a game without races, as is its phase. order: how far what is shown of it can be relied on. lines: of the
    record; durable: how many of them are stored.
    """

    number: int | None
    game: str
    seats: tuple[str, ...]
    race_name: str
    race: int | None
    phase: RacePhase | None
    order: Status
    lines: int
    durable: int


class SourceStatus(msgspec.Struct, frozen=True, kw_only=True):
    """A source of presses; fault: None while it is well. remark: what is to be known of its times, None for nothing.

    longest_wait_ns: of an interrupt's thread, since it was opened; None where the machine does not tell.
    """

    name: str
    fault: str | None = None
    remark: str | None = None
    longest_wait_ns: int | None = None


class PastFault(msgspec.Struct, frozen=True, kw_only=True):
    """A fault that was told, and the wall time (RFC 3339) at which it was."""

    text: str
    wall: str


class PushedMatch(msgspec.Struct, frozen=True, kw_only=True):
    """A match of an event. match: its random bits. lines: stored; pushed: how many of them the desk has.

    conflict: why it is not sent on, empty where it is.
    """

    match: str
    lines: int
    pushed: int
    conflict: str = ""


class EventStatus(msgspec.Struct, frozen=True, kw_only=True):
    """How a box stands at an event of many boxes. name: for people, empty until the desk has said it.

    why: there is no connection to the broker. has_desk: the desk was heard on this connection. not_enrolled: why the
    desk does not know the box. round, table: what the box was last told to play.
    """

    event: str
    name: str
    box: str
    is_connected: bool
    why: str = ""
    has_desk: bool = False
    not_enrolled: str = ""
    round: int | None = None
    table: int | None = None
    matches: tuple[PushedMatch, ...] = ()


class BoxStatus(msgspec.Struct, frozen=True, kw_only=True):
    """Everything at one instant.

    pid, boot: whose status it is; boot None where the system does not name its boots. t_ns: CLOCK_MONOTONIC of that
    boot; wall: wall time. every_ns: it is renewed at least so often while the loop turns. inputs: those that somebody
    should look at. faults: those that hold, newest first. last_fault: the newest ever told by this box since the
    machine was switched on. times: of each line since the box started. pictures: of each display, from a scene to it.
    event: None where the box is at none.
    """

    version: str
    life: Life
    pid: int
    boot: str | None
    t_ns: int
    wall: str
    every_ns: int
    doing: Doing | None = None
    match: MatchStatus | None = None
    sources: tuple[SourceStatus, ...] = ()
    inputs: tuple[LineHealth, ...] = ()
    faults: tuple[str, ...] = ()
    recorded: bool = True
    last_fault: PastFault | None = None
    times: tuple[LineTimes, ...] = ()
    pictures: tuple[Histogram, ...] = ()
    event: EventStatus | None = None


def doing_of(session: Session) -> Doing:
    """Say what the players are at."""
    if session.is_offering:
        return Doing.OFFERING
    match = session.match
    if match is None:
        return Doing.SEATING
    return Doing.ENDED if match.is_over else Doing.PLAYING


def match_of(session: Session, number: int | None) -> MatchStatus | None:
    """Give the match at the table, None where there is none."""
    match = session.match
    if match is None:
        return None
    race = match.race
    return MatchStatus(
        number=number,
        game=match.game.title,
        seats=tuple(seat.colour.value for seat in match.setup.seats),
        race_name=match.game.race_name,
        race=race.number if race else None,
        phase=race.phase if race else None,
        order=match.status,
        lines=match.lines_written,
        durable=match.durable_lines,
    )
