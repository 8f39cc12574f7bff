"""Lists of players as CSV: columns `number`, `name`, `club`, `fixed`, `apart`, in any order; only `name` has to be.

    number;name;club;fixed;apart
    1;Ann;Harbour;;3
    2;Bea;Harbour;5;
    3;Cid;;;1 2

`number`: from 1 on, each once, without a gap; where the column is missing or empty, players are numbered as they stand.
`fixed`: the table that a player always sits at. `apart`: the numbers of those whom the player must not meet, parted by
blanks; it is enough that one of two names the other. A list is taken as a whole or not at all. Pure: bytes in, players
out.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from companion.adapters.event_files.cells import Fault, FaultyFile, Separator, read_rows, write_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

COLUMNS = ("number", "name", "club", "fixed", "apart")
LONGEST = 80
"""Characters of a name or a club, as the event's log has it."""
MOST_PLAYERS = 10_000
MOST_DIGITS = 6
"""Of a number: tables and players are fewer than a million."""


class ListedPlayer(NamedTuple):
    """A player of a list. fixed: the table that the player always sits at, None: any."""

    number: int
    name: str
    club: str = ""
    fixed: int | None = None


class PlayerList(NamedTuple):
    """A list. players: by number. apart: pairs who must not meet, the lower number first."""

    players: tuple[ListedPlayer, ...] = ()
    apart: frozenset[tuple[int, int]] = frozenset()


def write_players(those: PlayerList, separator: Separator = Separator.COMMA) -> bytes:
    """Give a list as a file that `read_players` and spreadsheets read; of each pair both name the other."""
    others: dict[int, list[int]] = {}
    for one, other in sorted(those.apart):
        others.setdefault(one, []).append(other)
        others.setdefault(other, []).append(one)
    rows = (
        (one.number, one.name, one.club, one.fixed, " ".join(map(str, sorted(others.get(one.number, ())))))
        for one in sorted(those.players)
    )
    return write_rows((COLUMNS, *rows), separator)


def read_players(content: bytes, first: int = 1) -> PlayerList:
    """Give the players of a file. first: the number of its first one; lower ones are in the event already.

    Raises FaultyFile with everything that is wrong, row by row; then nothing has been taken.
    """
    rows = read_rows(content)
    faults: list[Fault] = []
    at = _columns(rows[0] if rows else [], faults)
    if faults:
        raise FaultyFile(faults)
    found = [_Row(count, row, at, faults) for count, row in enumerate(rows[1:], 2) if any(row)]
    if len(found) > MOST_PLAYERS:
        raise FaultyFile([Fault(None, f"{len(found)} players are too many: at most {MOST_PLAYERS}")])
    numbers = _numbers(found, first, faults)
    apart = frozenset(_pairs(found, numbers, first, faults))
    if faults:
        raise FaultyFile(sorted(faults, key=lambda fault: fault.row or 0))
    players = (ListedPlayer(number, row.name, row.club, row.fixed) for row, number in zip(found, numbers, strict=True))
    return PlayerList(tuple(sorted(players)), apart)


def _columns(head: list[str], faults: list[Fault]) -> dict[str, int]:
    """Give where each column is."""
    names = [name.casefold() for name in head]
    are = f"there are {', '.join(COLUMNS)}"
    for name, count in Counter(names).items():
        if name and name not in COLUMNS:
            faults.append(Fault(1, f"there is no column {_told(name)}; {are}"))
        elif name and count > 1:
            faults.append(Fault(1, f"the column {name} is there {count} times; once is right"))
    if "name" not in names:
        faults.append(Fault(1, f"the first row has to name the columns, and there is none called name; {are}"))
    return {name: place for place, name in enumerate(names) if name}


class _Row:
    """A player's row, as far as it can be read by itself; what is wrong with it is added to the faults."""

    def __init__(self, count: int, cells: list[str], at: Mapping[str, int], faults: list[Fault]) -> None:
        self.count, self._faults = count, faults
        named = {name: cells[place] for name, place in at.items() if place < len(cells)}
        for place, cell in enumerate(cells):
            if cell and place not in at.values():
                self._fault(f"{_told(cell)} stands in column {place + 1}, which has no name in the first row")
        self.name = self._words("name", named.get("name", ""))
        if not named.get("name"):
            self._fault("there is no name")
        self.club = self._words("club", named.get("club", ""))
        self.number = self._number("number", named.get("number", ""))
        self.has_number = bool(named.get("number"))
        self.fixed = self._number("fixed", named.get("fixed", ""))
        parts = re.split(r"[\s,;]+", named.get("apart", ""))
        self.apart = [number for part in parts if (number := self._number("apart", part)) is not None]

    def _fault(self, says: str) -> None:
        self._faults.append(Fault(self.count, says))

    def _words(self, what: str, cell: str) -> str:
        words = " ".join(unicodedata.normalize("NFC", cell).split())
        if len(words) > LONGEST:
            self._fault(f"the {what} {_told(words)} has {len(words)} characters; at most {LONGEST} are right")
        elif not words.isprintable():
            self._fault(f"the {what} {_told(words)} has signs that cannot be shown")
        return words

    def _number(self, what: str, cell: str) -> int | None:
        if not cell:
            return None
        if cell.isascii() and cell.isdigit() and len(cell) <= MOST_DIGITS and int(cell):
            return int(cell)
        likes = {"number": "number is a whole number from 1 on", "fixed": "fixed is the number of a table, or empty"}
        self._fault(
            f"{likes.get(what, 'apart is the numbers of players, parted by blanks, such as 3 17')}; not {_told(cell)}"
        )
        return None


def _numbers(rows: list[_Row], first: int, faults: list[Fault]) -> list[int]:
    """Give each row's number; those of rows at fault are not to be used."""
    if not any(row.has_number for row in rows):
        return list(range(first, first + len(rows)))
    last = first + len(rows) - 1
    are = f"{len(rows)} players have the numbers {first} to {last}, each once"
    seen: dict[int, int] = {}
    for row in rows:
        if row.number is None:
            if not row.has_number:
                faults.append(Fault(row.count, f"there is no number, but other rows have one; {are}, or none has any"))
        elif row.number in seen:
            faults.append(Fault(row.count, f"number {row.number} is that of row {seen[row.number]} already; {are}"))
        elif not first <= row.number <= last:
            faults.append(Fault(row.count, f"number {row.number} cannot be; {are}"))
        if row.number is not None:
            seen.setdefault(row.number, row.count)
    return [row.number or 0 for row in rows]


def _pairs(rows: list[_Row], numbers: Iterable[int], first: int, faults: list[Fault]) -> Iterator[tuple[int, int]]:
    last = first + len(rows) - 1
    for row, number in zip(rows, numbers, strict=True):
        for other in row.apart:
            if other == number:
                faults.append(Fault(row.count, f"apart has {other}, the player's own number"))
            elif other > last:
                faults.append(Fault(row.count, f"apart has {other}, and no player has that number; the last is {last}"))
            else:
                yield min(number, other), max(number, other)


def _told(text: str) -> str:
    return repr(text if len(text) <= 40 else f"{text[:40]}…")
