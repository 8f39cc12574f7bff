"""All there is to know of a session at one instant, as frozen values: for pages, in whatever thread they are made.

A scene is what the box's own display shows; this is what a larger one may show beside it. Knows no display.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.core.ruling.ranking import rank
from companion.core.shown.race_rows import newest_race, rows

if TYPE_CHECKING:
    from companion.core.match.match import Match
    from companion.core.panel import Colour
    from companion.core.play.seating import Table
    from companion.core.record.lines import PressLine, Setup
    from companion.core.ruling.game import Game
    from companion.core.ruling.history import History
    from companion.core.shown.scene import MenuItem, Row, Scene, Status, Turn


class RaceNow(NamedTuple):
    """The newest race: the one that runs, else the one that was judged last.

    number: 1, 2, … presses: those that count, of a race that runs. is_running: its presses are collected, or its
    card is awaited.
    """

    number: int
    is_running: bool
    rows: tuple[Row, ...]
    turns: tuple[Turn, ...]
    presses: tuple[PressLine, ...]
    late: tuple[PressLine, ...]
    card: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """The match that runs (or has just ended).

    state: of `game`, frozen. lines: number of lines of the record. shown: how many of them may be shown with what was
    ruled on them: those that are durable, or all while the journal cannot store. early: number of presses that wait
    for their card. closes_at_ns: when the collecting window ends, None where it does not by itself.
    newest: number of the line that an undo would take back, None where there is none.
    """

    game: Game[Any]
    state: Any
    setup: Setup
    history: History
    lines: int
    shown: int
    status: Status
    race: RaceNow | None
    window_ns: int
    newest: int | None
    early: int
    closes_at_ns: int | None
    asks_card: bool
    is_collecting: bool
    is_over: bool
    can_be_play: bool


class Secret(NamedTuple):
    """A private choice, to be shown to `seat` alone: what each of its buttons picks now (the items' `role`)."""

    seat: Colour
    prompt: str
    items: tuple[MenuItem, ...]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A session at `now_ns`. table: the seating. is_offering: whether it asks if a match is to be resumed.

    secrets: never for everybody; whoever shows one has made sure that only its seat is looking.
    """

    scene: Scene
    now_ns: int
    table: Table
    is_offering: bool
    match: Running | None
    secrets: tuple[Secret, ...] = ()


def running_of(match: Match) -> Running:
    """Give a match as it stands."""
    newest = match.history.newest()
    return Running(
        game=match.game,
        state=match.judge.state,
        setup=match.setup,
        history=match.history,
        lines=match.lines_written,
        shown=match.lines_written if match.fault else match.durable_lines,
        status=match.status,
        race=_race(match),
        window_ns=match.settings.window_ns,
        newest=newest.number if newest is not None else None,
        early=len(match.early),
        closes_at_ns=match.closes_at_ns,
        asks_card=match.stage.asks_card,
        is_collecting=match.stage.is_collecting,
        is_over=match.is_over,
        can_be_play=match.can_be_play(),
    )


def late(match: Match) -> tuple[PressLine, ...]:
    """Give the presses that came after the race had closed, newest last."""
    return match.early.late() if match.stage.is_early else match.history.late_presses()


def provisional(match: Match) -> tuple[Row, ...]:
    """Give the order of the running race as it stands, without verdicts."""
    race, presses = match.race, match.presses()
    if race is None or not presses:
        return ()
    places = rank(presses, match.setup.seats, race.revealer, match.setup.ties, race.number)
    return rows(places, presses, match.game)


def _race(match: Match) -> RaceNow | None:
    race = match.race
    if race is not None and (match.stage.is_collecting or match.stage.asks_card or match.stage.is_pausing):
        card = None if match.early else race.card
        return RaceNow(race.number, True, provisional(match), (), match.presses(), late(match), card)
    results = newest_race(match.history, match.game)
    if results is None:
        return None
    order, order_rows, turns, _ = results
    return RaceNow(order.race, False, order_rows, turns, (), late(match), None)
