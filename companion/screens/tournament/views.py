"""The documents of the desk's pages, by name, and by what each is told apart from what it was. Pure; knows no wire."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core.errors import UnknownGame
from companion.screens.tournament.disputes import disputes_document
from companion.screens.tournament.event import event_document
from companion.screens.tournament.organiser import boxes_document, notes_document, players_document, rounds_document
from companion.screens.tournament.tables import pairings_document, tables_document

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from companion.core.ruling.game import Game
    from companion.screens.tournament.words import Document
    from companion.tournament.desk.desk import Desk

    Sign = tuple[Any, ...]
    """Equal as long as a document says the same; compared by `==`, and not sent."""


class Views:
    """What the pages show of a desk, beside what takes long or needs a record. find_game: by its name."""

    def __init__(self, find_game: Callable[[str], Game[Any]]) -> None:
        self.find_game = find_game

    def part(self, desk: Desk, name: str, now: datetime) -> Document:
        """Give a part. now: wall time, with its zone. Raises KeyError where there is none so called."""
        if name == "event":
            return event_document(desk, now, self.title_of)
        return PARTS[name](desk)

    def title_of(self, name: str) -> str:
        """Give a game's title; its name, where this program does not have it."""
        try:
            return self.find_game(name).title
        except UnknownGame:
            return name


def _pairings(desk: Desk) -> Document:
    return pairings_document(desk.event, desk.event.rounds[-1] if desk.event.rounds else None)


PARTS: Mapping[str, Callable[[Desk], Document]] = {
    "tables": tables_document,
    "pairings": _pairings,
    "players": players_document,
    "boxes": boxes_document,
    "rounds": rounds_document,
    "disputes": disputes_document,
    "notes": notes_document,
}
"""What a desk alone makes; the event has the time beside, and standings take long."""


def signs_of(desk: Desk) -> dict[str, Sign]:
    """Give by part what its document depends on; cheap also where there are thousands of players and tables.

    Tables and boxes have none: which tables have changed is told, and boxes say something all the time.
    """
    event = desk.event
    drawn = tuple(one.line for one in event.rounds)
    return {
        "event": (desk.chain.n,),
        "pairings": drawn[-1:],
        "standings": (desk.chain.n,),
        "players": (tuple(event.players.all.values()), frozenset(event.players.apart)),
        "rounds": (*drawn, bool(event.rounds) and event.rounds[-1].has_begun),
        "disputes": tuple(
            protest for one in event.rounds for table in one.tables.values() for protest in table.protests
        ),
        "notes": notes_sign(desk),
    }


def notes_sign(desk: Desk) -> Sign:
    """Give the sign of the notes, which alone follows from something else than the log."""
    return len(desk.notes), desk.notes[-1] if desk.notes else None
