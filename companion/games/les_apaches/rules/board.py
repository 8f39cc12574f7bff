"""The board file: neighbours, bridges and what hideouts say, as written down (`les-apaches.md`, 11). Pure."""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec

from companion.core.ruling.parameters import FileFault
from companion.games.les_apaches.rules.districts import HIDEOUTS, LOOTS, NUMBERS

if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST_NAME = 16
KEYS = ("name", "hideouts", "touches", "bridges", "places")


class Board(msgspec.Struct, frozen=True):
    """What is known of the board; each tuple has an entry for districts 1 to 9.

    names: empty where a district has none. linked: which districts a figure may step to, None where nobody told.
    places: what the district's hideouts say, None where that is not told.
    """

    names: tuple[str, ...] = ("",) * len(HIDEOUTS)
    linked: tuple[tuple[int, ...], ...] | None = None
    places: tuple[tuple[str, ...] | None, ...] = (None,) * len(HIDEOUTS)


UNKNOWN = Board()


@lru_cache(maxsize=4)  # a record is judged again and again while it is looked through
def read_board(text: str) -> Board:
    """Read a board file that `check_board` finds nothing wrong with; a blank one says nothing."""
    told: dict[int, Any] = {int(key): one for key, one in tomllib.loads(text).get("district", {}).items()}
    return Board(
        names=tuple(told.get(number, {}).get("name", "") for number in NUMBERS),
        linked=_links(told),
        places=tuple(_tuple(told.get(number, {}).get("places")) for number in NUMBERS),
    )


def _tuple(places: list[str] | None) -> tuple[str, ...] | None:
    return None if places is None else tuple(places)


def _links(told: dict[int, Any]) -> tuple[tuple[int, ...], ...] | None:
    if not any(key in one for one in told.values() for key in ("touches", "bridges")):
        return None
    pairs = {
        frozenset((number, other))
        for number, one in told.items()
        for other in (*one.get("touches", ()), *one.get("bridges", ()))
    }
    return tuple(tuple(other for other in NUMBERS if {number, other} in pairs) for number in NUMBERS)


@lru_cache(maxsize=4)
def check_board(text: str) -> tuple[FileFault, ...]:
    """Give all that is wrong with a board file, by its lines."""
    try:
        told = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # a number of 5,000 digits, or brackets without an end, are neither
        where = re.search(r" \(at line (\d+), column \d+\)$", str(error))
        number = int(where[1]) if where else len(text.splitlines()) or 1
        return (FileFault(number, f"this is no TOML: {str(error).partition(' (at ')[0]}"),)
    lines = _Lines(text)
    return tuple(FileFault(lines.of(*path), says) for path, says in _faults(told))


def _faults(told: dict[str, Any]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Give each fault with the path of the key that it is about."""
    for key in told:
        if key != "district":
            yield (key,), f"{key!r} is not known; there are tables [district.1] to [district.9]"
    districts = told.get("district", {})
    if not isinstance(districts, dict):
        yield ("district",), "write a table for each district: [district.1]"
        return
    for key, one in districts.items():
        if key not in map(str, NUMBERS):
            yield ("district", key), f"there is no district {key!r}; there are 1 to 9"
        elif not isinstance(one, dict):
            yield ("district", key), f"write a table: [district.{key}]"
        else:
            for name, value in one.items():
                if says := _wrong(int(key), name, value):
                    yield ("district", key, name), says


def _wrong(number: int, key: str, value: object) -> str:
    """Say what is wrong with a key of a district and what would be right; empty where nothing is."""
    match key:
        case "name":
            is_name = isinstance(value, str) and value.isprintable() and 0 < len(value.strip()) <= len(value)
            return "" if is_name and len(str(value)) <= LONGEST_NAME else f"a name has 1 to {LONGEST_NAME} characters"
        case "hideouts":
            has = HIDEOUTS[number - 1]
            return "" if value == has and not isinstance(value, bool) else f"district {number} has {has} hideouts"
        case "touches" | "bridges":
            return _wrong_links(number, value)
        case "places":
            return _wrong_places(number, value)
    return f"{key!r} is not known; there are {', '.join(KEYS)}"


def _wrong_links(number: int, value: object) -> str:
    if not isinstance(value, list) or not all(type(other) is int and other in NUMBERS for other in value):
        return "write a list of districts from 1 to 9: [2, 3]"
    if number in value:
        return f"district {number} is its own neighbour"
    return "a district stands twice" if len(set(value)) < len(value) else ""


def _wrong_places(number: int, value: object) -> str:
    has = HIDEOUTS[number - 1]
    if not isinstance(value, list) or len(value) != has:
        return f"district {number} has {has} places: write a list of as many" if has else "it has no places"
    unknown = next((one for one in value if one not in LOOTS), None)
    return "" if unknown is None else f"{unknown!r} is no hideout; there are: {', '.join(LOOTS)}"


class _Lines:
    """Finds the line of a key in a TOML text that could be read: by its table's heading, then by its own name."""

    _HEADING = re.compile(r"\s*\[{1,2}([^\[\]]+)\]{1,2}\s*(#.*)?$")
    _KEY = re.compile(r"\s*([^=\[#]+?)\s*=")

    def __init__(self, text: str) -> None:
        self._found: dict[tuple[str, ...], int] = {}
        table: tuple[str, ...] = ()
        for number, line in enumerate(text.splitlines(), start=1):
            if heading := self._HEADING.match(line):
                table = self._path(heading[1])
                self._note(table, number)
            elif key := self._KEY.match(line):
                self._note((*table, *self._path(key[1])), number)

    def of(self, *path: str) -> int | None:
        """Give the line of a key, or of what it stands in; None where it is on no line of its own."""
        while path and path not in self._found:
            path = path[:-1]
        return self._found.get(path)

    def _note(self, path: tuple[str, ...], number: int) -> None:
        for length in range(1, len(path) + 1):
            self._found.setdefault(path[:length], number)

    @staticmethod
    def _path(dotted: str) -> tuple[str, ...]:
        return tuple(part.strip().strip("\"'") for part in dotted.split("."))
