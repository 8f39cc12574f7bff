"""The event as everybody sees it: where it stands, what to do now, the clock, the seed, the head of its log. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.screens.tournament.guiding import counts_of, next_step, to_players
from companion.screens.tournament.words import STAGE_KEYS
from companion.tournament.event.stages import Stage
from companion.tournament.organiser.clock import left_ms

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from companion.screens.tournament.words import Document
    from companion.tournament.desk.desk import Desk
    from companion.tournament.event.event import Event

MOST_ANNOUNCED = 5
"""So many of the newest announcements are shown."""


def event_document(desk: Desk, now: datetime, title_of: Callable[[str], str]) -> Document:
    """Give the event. now: wall time, with its zone. title_of: gives a game's title by its name."""
    event = desk.event
    newest = event.rounds[-1] if event.rounds else None
    step = next_step(event)
    return {
        "id": event.line.event,
        "name": event.line.name,
        "game": title_of(event.line.game),
        "stage": STAGE_KEYS[event.stage],
        "stage_says": event.stage.value,
        "now": to_players(event),
        "next": step._asdict(),
        "round": None if newest is None else newest.number,
        "rounds": event.line.rounds,
        "round_minutes": event.line.round_minutes,
        "has_begun": newest is not None and newest.has_begun,
        "clock": clock_document(event, now),
        "players": {"entered": len(event.players.all), "there": len(event.players.there())},
        "tables": None if newest is None else counts_of(newest).document(),
        "announcements": [
            {"number": number, "text": says}
            for number, says in enumerate(event.announcements, start=1)
        ][-MOST_ANNOUNCED:],
        "seed_sha256": event.line.seed_sha256,
        "seed": event.seed,
        "head": desk.chain.head,
        "lines": desk.chain.n,
    }  # fmt: skip


def clock_document(event: Event, now: datetime) -> Document | None:
    """Give the newest round's clock, None before it is started and after the end. left_ms: at the moment `now`."""
    clock = event.rounds[-1].clock if event.rounds and event.stage is not Stage.ENDED else None
    return None if clock is None else {"left_ms": left_ms(clock, now), "is_running": clock.is_running}
