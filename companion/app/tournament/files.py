"""What the desk takes and gives as files: players as CSV, and the whole event as one file that anybody can check."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.adapters.event_archive.writer import archived
from companion.adapters.event_files.players import ListedPlayer, PlayerList, read_players, write_players
from companion.threads.aside import aside
from companion.tournament.organiser.acts import EnterPlayer

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from companion.app.tournament.driver import DeskDriver
    from companion.tournament.desk.desk import Desk
    from companion.tournament.event.players import Player

Key = tuple[str, str]


class Frozen(NamedTuple):
    """An event as it stood at one instant, by the contract `Contents`."""

    lines: Sequence[bytes]
    boxes: Mapping[str, Sequence[str]]
    parts: Mapping[Key, Sequence[bytes]]

    def log(self) -> Sequence[bytes]:
        """Give the event's log."""
        return self.lines

    def keys(self) -> Mapping[str, Sequence[str]]:
        """Give by box the keys that it was ever enrolled with."""
        return self.boxes

    def records(self) -> Sequence[Key]:
        """Give box and match of each record."""
        return sorted(self.parts)

    def record(self, box: str, match: str) -> Sequence[bytes]:
        """Give a record's lines."""
        return self.parts[box, match]


async def event_file(driver: DeskDriver) -> bytes:
    """Give the event's file: its log, and of each record of its tables what is sealed. Raises Unavailable, Malformed.

    A record of a table without a seal is left out: nobody could tell whose it is.
    """
    count, boxes, sealed = await driver.look(_about)
    lines = (await driver.log())[:count]
    parts = {key: (await driver.record(*key))[:count] for key, count in sealed.items()}
    return await aside(archived, Frozen(lines, boxes, parts))


def _about(desk: Desk) -> tuple[int, dict[str, tuple[str, ...]], dict[Key, int]]:
    """Give how many lines the log has, the keys, and how many lines of which records are sealed."""
    boxes = {box.name: box.keys for box in desk.event.boxes.values()}
    sealed = {
        key: held.judged.lines
        for key, held in desk.records.held.items()
        if held.place is not None and held.judged is not None and held.judged.lines and held.box in boxes
    }
    return desk.chain.n, boxes, sealed


class PlayersCsv:
    """Players as a CSV file, for pages."""

    def read(self, text: str, first: int) -> tuple[Sequence[EnterPlayer], frozenset[tuple[int, int]]]:
        """Give the players of a file, and who of them must not meet. Raises Malformed with all that is wrong.

        first: the number of the file's first player.
        """
        listed = read_players(text.encode(), first)
        return [EnterPlayer(name=one.name, club=one.club, fixed=one.fixed) for one in listed.players], listed.apart

    def write(self, players: Iterable[Player], apart: Collection[tuple[int, int]]) -> bytes:
        """Give players, and who of them must not meet, as a file."""
        listed = (ListedPlayer(one.number, one.name, one.club, one.fixed) for one in players)
        return write_players(PlayerList(tuple(listed), frozenset(apart)))
