"""The desk's pages: brings together the running desk, what is shown of it, and the web server. Part of `app`.

Everything is in the desk's event loop, but what takes long: the standings are worked out in a thread, from frozen
values that were taken from the desk at one instant.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.adapters.web.tournament.server import DeskServer
from companion.app.tournament.organiser import Organiser
from companion.app.tournament.prints import EventPrints
from companion.core.errors import Illegal, Unavailable
from companion.core.words.texts import text
from companion.screens.tournament.disputes import account_document, box_of
from companion.screens.tournament.organiser import swap_document
from companion.screens.tournament.player import about_player, player_document
from companion.screens.tournament.standings import basis_of, standings_document
from companion.screens.tournament.tables import pairings_document, rows_document
from companion.screens.tournament.views import Views, notes_sign, signs_of
from companion.threads.aside import aside
from companion.tournament.organiser.doing import Doing, enter_all

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
    from typing import Protocol, TypeVar

    from companion.adapters.web.tournament.server import DeskPins, Where
    from companion.app.tournament.driver import DeskDriver
    from companion.core.ruling.game import Game
    from companion.ports import DeskPrints, Languages
    from companion.screens.tournament.standings import Basis
    from companion.screens.tournament.words import Document
    from companion.tournament.desk.desk import Desk
    from companion.tournament.desk.outcome import Outcome
    from companion.tournament.event.players import Player
    from companion.tournament.organiser.acts import AnyAct, EnterPlayer
    from companion.tournament.standings.standings import Standing

    T = TypeVar("T")
    Pair = tuple[int, int]
    """Two players who must not meet, the lower number first."""

    class Csv(Protocol):
        """Players as a CSV file."""

        def read(self, text: str, first: int) -> tuple[Sequence[EnterPlayer], Collection[Pair]]: ...  # noqa: D102
        def write(self, players: Iterable[Player], apart: Collection[Pair]) -> bytes: ...  # noqa: D102


class Beside(NamedTuple):
    """What the pages offer beside the desk itself; None: not offered. seed: of the event, which is told as check-in
    closes. archive: makes the event's file. prints: None: those of `prints`."""

    seed: Callable[[], str] = lambda: ""
    csv: Csv | None = None
    archive: Callable[[], Awaitable[bytes]] | None = None
    prints: DeskPrints | None = None


class DeskPages:
    """What the pages know of a running desk: the ports `DeskViews` and `DeskActs`."""

    def __init__(self, driver: DeskDriver, find_game: Callable[[str], Game[Any]], beside: Beside) -> None:
        self._driver, self._beside = driver, beside
        self._views = Views(find_game)
        self._standings: tuple[str, Basis, tuple[Standing, ...]] | None = None
        self._signs: tuple[str, dict[str, Any]] | None = None
        self._working = asyncio.Lock()

    # What is shown ---------------------------------------------------------------------------------------------------

    async def part(self, name: str) -> Document:
        """Give a part as it is now. Raises KeyError."""
        if name == "standings":
            return await aside(standings_document, *await self.worked_out())
        found = await self._driver.look(lambda desk: self._views.part(desk, name, self._driver.now()))
        return {**found, "faults": list(self._driver.faults.values())} if name == "notes" else found

    async def rows(self, places: Collection[tuple[int, int]]) -> list[Document]:
        """Give tables of the newest round."""
        return await self._driver.look(lambda desk: rows_document(desk, places))

    async def pairings(self, number: int) -> Document:
        """Give who sat where in a round. Raises Illegal."""
        return await self._driver.look(lambda desk: pairings_document(desk.event, desk.event.round(number)))

    async def player(self, number: int) -> Document:
        """Give a player's way. Raises Illegal."""
        about = await self._driver.look(lambda desk: about_player(desk.event, number))
        return player_document(about, *await self.worked_out(), number)

    async def swap(self, number: int, one: int, other: int) -> Document:
        """Give what a change by hand would make of a drawing. Raises Illegal."""
        return await self._driver.look(lambda desk: swap_document(desk, number, one, other))

    async def account(self, place: tuple[int, int], match: str, line: int) -> Document:
        """Give what a record says of a protest. Raises Illegal, Unavailable."""
        box = await self._driver.look(lambda desk: box_of(desk, desk.event.table(*place), match))
        if box is None:
            raise Illegal(text("no box has a record of this table"))
        lines = await self._driver.record(box, match)
        return await aside(account_document, lines, line, self._views.find_game)

    async def signs(self) -> dict[str, Any]:
        """Give by part what changes with it."""
        found: dict[str, Any] = await self._driver.look(self._signs_of)
        found["notes"] = (found["notes"], tuple(self._driver.faults.values()))
        return found

    def _signs_of(self, desk: Desk) -> dict[str, Any]:
        """Give the signs; those that follow from the log alone are worked out once for each head of it."""
        known = self._signs
        if known is None or known[0] != desk.chain.head:
            known = self._signs = (desk.chain.head, signs_of(desk))
        return {**known[1], "notes": notes_sign(desk)}

    def on_change(self, call: Callable[[frozenset[tuple[int, int]]], None]) -> Callable[[], None]:
        """Call this after each change; gives what ends it."""
        return self._driver.on_change(call)

    async def worked_out(self) -> tuple[Basis, tuple[Standing, ...]]:
        """Give the standings, worked out once for each head of the log."""
        async with self._working:
            head, basis = await self._driver.look(lambda desk: (desk.chain.head, None if self._is_known(desk) else
                                                                basis_of(desk)))  # fmt: skip
            if basis is not None:
                self._standings = (head, basis, await aside(basis.standings))
            if self._standings is None:
                raise Unavailable(text("the standings are not worked out yet"))
            return self._standings[1:]

    def _is_known(self, desk: Desk) -> bool:
        return self._standings is not None and self._standings[0] == desk.chain.head

    # What is done ----------------------------------------------------------------------------------------------------

    async def do(self, act: AnyAct) -> str:
        """Do something, and say what was done. Raises Illegal, Malformed, Unavailable."""
        return await Organiser(self._driver, self._beside.seed()).do(act)

    async def import_players(self, text_of: str) -> str:
        """Enter the players of a CSV file. Raises Malformed, Illegal, Unavailable."""
        csv = self._beside.csv
        if csv is None:
            raise Unavailable(text("this desk reads no CSV files"))
        first = await self._driver.look(_next_number)
        players, apart = await aside(csv.read, text_of, first)
        said: list[str] = []

        def enter(desk: Desk, _wall: str) -> Outcome:
            if _next_number(desk) != first:
                raise Illegal(text("players have been entered meanwhile: give the file once more"))
            told = enter_all(desk, players, Doing(self._driver.now()), apart)
            said.append(told.says)
            return told.outcome

        await self._driver.act(enter)
        return said[-1]

    async def export_players(self) -> bytes:
        """Give all players as a CSV file. Raises Unavailable."""
        csv = self._beside.csv
        if csv is None:
            raise Unavailable(text("this desk writes no CSV files"))
        return await self._driver.look(
            lambda desk: csv.write(desk.event.players.all.values(), desk.event.players.apart)
        )

    async def archive(self) -> bytes:
        """Give the event's file. Raises Unavailable."""
        if self._beside.archive is None:
            raise Unavailable(text("this desk writes no file of the event"))
        return await self._beside.archive()


def _next_number(desk: Desk) -> int:
    return len(desk.event.players.all) + 1


async def serve_pages(
    driver: DeskDriver,
    *,
    where: Where,
    pins: DeskPins,
    find_game: Callable[[str], Game[Any]],
    languages: Languages,
    version: str,
    beside: Beside | None = None,
    on_listening: Callable[[DeskServer], None] = lambda _server: None,
) -> None:
    """Serve the pages of a running desk in this event loop, until cancelled. Raises Unavailable (the port is in use).

    on_listening: called once it takes connections, with what says its addresses.
    """
    pages = DeskPages(driver, find_game, beside or Beside())
    prints = (None if beside is None else beside.prints) or EventPrints(driver, pages.worked_out)
    server = DeskServer(
        where=where, pins=pins, views=pages, acts=pages, prints=prints, languages=languages, version=version,
        clock=time.monotonic_ns,
    )  # fmt: skip
    server.open()
    on_listening(server)
    await server.serve()
