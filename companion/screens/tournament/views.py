"""The documents of the desk's pages, by the port that the pages know; knows no wire."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core.errors import UnknownGame
from companion.screens.tournament.disputes import account_document, disputes_document
from companion.screens.tournament.event import event_document
from companion.screens.tournament.organiser import (
    boxes_document,
    notes_document,
    players_document,
    rounds_document,
    swap_document,
)
from companion.screens.tournament.player import about_player, player_document
from companion.screens.tournament.standings import basis_of, explained_document, standings_document
from companion.screens.tournament.tables import pairings_document, rows_document, tables_document

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from datetime import datetime

    from companion.core.ruling.game import Game
    from companion.screens.tournament.standings import Basis
    from companion.screens.tournament.words import Document
    from companion.tournament.desk.desk import Desk
    from companion.tournament.standings.standings import Standing


class Views:
    """What the pages show of one desk. Called where the desk is; what is given back does not change with it any more.

    clock: wall time, with its zone.
    """

    def __init__(self, desk: Desk, find_game: Callable[[str], Game[Any]], clock: Callable[[], datetime]) -> None:
        self._desk, self._find_game, self._clock = desk, find_game, clock
        self._standings: tuple[int, Basis, tuple[Standing, ...]] | None = None

    def event(self) -> Document:
        """Give the event, for everybody."""
        return event_document(self._desk, self._clock(), self._title)

    def tables(self) -> Document:
        """Give all tables of the newest round."""
        return tables_document(self._desk)

    def rows(self, places: Collection[tuple[int, int]]) -> list[Document]:
        """Give those tables of the newest round that are among the places (round, number)."""
        return rows_document(self._desk, places)

    def pairings(self, number: int | None) -> Document:
        """Give who sits where. number: of the round, None: the newest. Raises Illegal where it is not drawn."""
        event = self._desk.event
        if number is not None:
            return pairings_document(event, event.round(number))
        return pairings_document(event, event.rounds[-1] if event.rounds else None)

    def standings(self) -> Callable[[], Document]:
        """Give what works out the standings as they are now; may be called in another thread."""
        work = self._work()

        def document() -> Document:
            return standings_document(*work())

        return document

    def player(self, number: int) -> Callable[[], Document]:
        """Give what works out a player's way; may be called in another thread. Raises Illegal for no player."""
        about, work = about_player(self._desk.event, number), self._work()

        def document() -> Document:
            return player_document(about, *work(), number)

        return document

    def explained(self, number: int) -> Callable[[], Document]:
        """Give what explains a player's numbers, likewise; that raises Illegal where the player has none."""
        work = self._work()

        def document() -> Document:
            return explained_document(*work(), number)

        return document

    def players(self) -> Document:
        """Give all players with all that is entered of them; for the organiser."""
        return players_document(self._desk)

    def boxes(self) -> Document:
        """Give the boxes; for the organiser."""
        return boxes_document(self._desk)

    def rounds(self) -> Document:
        """Give the drawings; for the organiser."""
        return rounds_document(self._desk)

    def swap(self, number: int, one: int, other: int) -> Document:
        """Give what a change by hand would make of a drawing. Raises Illegal where it must not be."""
        return swap_document(self._desk, number, one, other)

    def disputes(self) -> Document:
        """Give the protests; for the referee."""
        return disputes_document(self._desk)

    def account(self, lines: Sequence[bytes], line: int) -> Document:
        """Give what a record says of the protest in a line of it. Raises Illegal where that is none."""
        return account_document(lines, line, self._find_game)

    def notes(self) -> Document:
        """Give what the organiser should know."""
        return notes_document(self._desk)

    def _work(self) -> Callable[[], tuple[Basis, tuple[Standing, ...]]]:
        """Give what works the standings out, once for each length of the log."""
        n, kept = self._desk.chain.n, self._standings
        if kept is not None and kept[0] == n:
            return lambda: (kept[1], kept[2])
        basis = basis_of(self._desk)

        def work() -> tuple[Basis, tuple[Standing, ...]]:
            found = basis.standings()
            self._standings = (n, basis, found)
            return basis, found

        return work

    def _title(self, name: str) -> str:
        try:
            return self._find_game(name).title
        except UnknownGame:
            return name
