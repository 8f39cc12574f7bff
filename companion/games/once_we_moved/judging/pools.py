"""Pools of blocks, what the chart draws of each by level, and the names on the stickers (The blocks). Pure data."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from functools import lru_cache
from typing import TYPE_CHECKING

from companion.core.ruling.parameters import FileFault

if TYPE_CHECKING:
    from collections.abc import Iterator


class Pool(IntEnum):
    """The pools in their order: a number of `State.forces.out` each."""

    BANDS = 0
    RUMOURS = 1
    LEADERS = 2
    US_SENIOR = 3
    US_JUNIOR = 4
    US_UNITS = 5
    SCOUT = 6
    SETTLER = 7
    MX_SENIOR = 8
    MX_JUNIOR = 9
    MX_UNITS = 10

    @property
    def key(self) -> str:
        """As records name it."""
        return KEYS[self]


KEYS = (
    "bands", "rumours", "leaders", "us-senior", "us-junior", "us-units", "scout", "settler", "mx-senior", "mx-junior",
    "mx-units",
)  # fmt: skip
SIZES = (18, 14, 8, 2, 5, 12, 1, 1, 1, 2, 6)
NOTHING = (0,) * len(SIZES)
APACHE_POOLS = (Pool.BANDS, Pool.RUMOURS, Pool.LEADERS)
US_LEADERS = (Pool.US_SENIOR, Pool.US_JUNIOR)
US_POOLS = (*US_LEADERS, Pool.US_UNITS, Pool.SCOUT, Pool.SETTLER)
MX_LEADERS = (Pool.MX_SENIOR, Pool.MX_JUNIOR)
MX_POOLS = (*MX_LEADERS, Pool.MX_UNITS)
ARMY_UNITS = (Pool.US_UNITS, Pool.SCOUT, Pool.SETTLER, Pool.MX_UNITS)
REINFORCED = (Pool.US_UNITS, Pool.SCOUT)

LEVELS = ("none", "slight", "moderate", "major", "severe", "extreme")
CHART: tuple[tuple[int, ...], ...] = (
    NOTHING,
    (2, 3, 0, 0, 1, 2, 0, 1, 0, 1, 1),
    (2, 6, 0, 1, 2, 3, 0, 1, 0, 1, 2),
    (4, 8, 0, 1, 2, 4, 1, 0, 0, 2, 3),
    (6, 10, 0, 1, 4, 6, 1, 0, 1, 1, 4),
    (8, 12, 0, 2, 5, 9, 1, 0, 1, 2, 6),
)
"""How many the chart draws, by level and pool; leaders of the Apache are no draw."""
BAND_STRENGTH = (0, 1, 2, 3, 4, 4)
US_STRENGTH = (0, 2, 2, 3, 4, 4)
SETTLER_STRENGTH = (0, 1, 2, 0, 0, 0)

_WORDS = {
    "band": Pool.BANDS, "rumour": Pool.RUMOURS, "leader": Pool.LEADERS, "us-senior": Pool.US_SENIOR,
    "us-junior": Pool.US_JUNIOR, "us-unit": Pool.US_UNITS, "mx-senior": Pool.MX_SENIOR, "mx-junior": Pool.MX_JUNIOR,
    "mx-unit": Pool.MX_UNITS,
}  # fmt: skip
_LONGEST_NAME, _LAST_TURN = 20, 9


def _numbered(what: str, count: int, first: int = 1) -> tuple[str, ...]:
    return tuple(f"{what} {number}" for number in range(first, first + count))


BUILT_IN: tuple[tuple[str, ...], ...] = (
    _numbered("band", 18), _numbered("rumour", 14), ("Cochise", "Victorio", "Geronimo", *_numbered("leader", 5, 4)),
    ("Crook", "Miles"), _numbered("US junior", 5), _numbered("US unit", 12), ("Scout",), ("Settler",),
    _numbered("MX senior", 1), _numbered("MX junior", 2), _numbered("MX unit", 6),
)  # fmt: skip
Turns = tuple[int | None, int | None]
"""The first and the last turn printed on a leader; None where it is not known."""
_TURNS: tuple[Turns, ...] = ((1, 5), (4, None), (5, 8), *((None, None),) * 5)


@dataclass(frozen=True)
class Stickers:
    """The names of all blocks, pool by pool; `text` is what they were read from. turns: of the Apache leaders."""

    text: str
    names: tuple[tuple[str, ...], ...] = field(compare=False)
    turns: tuple[Turns, ...] = field(compare=False)
    pools: dict[str, Pool] = field(compare=False)

    def left(self, pool: int, gone: tuple[str, ...]) -> tuple[str, ...]:
        """Give the blocks of a pool that are not gone, in its order."""
        return tuple(name for name in self.names[pool] if name not in gone) if gone else self.names[pool]

    def availability(self, name: str, turn: int) -> bool | None:
        """Tell whether an Apache leader is out in a turn; None where the stickers known do not say."""
        first, last = self.turns[self.names[Pool.LEADERS].index(name)]
        if (first is not None and turn < first) or (last is not None and turn > last):
            return False
        return True if first is not None and (turn == first or last is not None) else None

    def leaders(self, turn: int, gone: tuple[str, ...]) -> tuple[int, int]:
        """Give how many Apache leaders are out in a turn, at least and at most."""
        known = [self.availability(name, turn) for name in self.left(Pool.LEADERS, gone)]
        return known.count(True), len(known) - known.count(False)


def statements(text: str) -> Iterator[tuple[int, list[str]]]:
    """Give the number and the words of each line of a file that says anything: from `#` on it is a remark."""
    for number, line in enumerate(text.split("\n"), start=1):
        words = line.removesuffix("\r").partition("#")[0].replace("\t", " ").split(" ")
        if found := [word for word in words if word]:
            yield number, found


@lru_cache(maxsize=64)
def read_stickers(text: str) -> tuple[Stickers, tuple[FileFault, ...]]:
    """Read a file of stickers: the names, and all that is wrong with it."""
    faults: list[FileFault] = []
    named: dict[Pool, list[tuple[str, Turns, int]]] = {}
    for number, words in statements(text):
        found = _statement(words)
        if isinstance(found, str):
            faults.append(FileFault(number, found))
        else:
            pool, name, turns = found
            named.setdefault(pool, []).append((name, turns, number))
    faults += _miscounted(named)
    names, turns_known = list(BUILT_IN), _TURNS
    for pool, blocks in named.items():
        names[pool] = tuple(name for name, _, _ in blocks)
        if pool is Pool.LEADERS:
            turns_known = tuple(of for _, of, _ in blocks)
    faults += _doubled(names, named)
    pools = {name: Pool(index) for index, of_pool in enumerate(names) for name in of_pool}
    return Stickers(text, tuple(names), turns_known, pools), tuple(sorted(faults, key=lambda fault: fault.line or 0))


def _statement(words: list[str]) -> tuple[Pool, str, Turns] | str:
    """Read one statement; a text says what is wrong with it."""
    pool = _WORDS.get(words[0])
    if pool is None:
        return f"{words[0]!r} is no kind of block; there are: {', '.join(_WORDS)}"
    turns: Turns = (None, None)
    if pool is Pool.LEADERS:
        read = _turns(words[-1]) if len(words) > 1 else None
        if read is None:
            return "a leader ends with the turns on the sticker, such as 1-5 or 4-? or ?-?"
        words, turns = words[:-1], read
    name = " ".join(words[1:])
    if not 0 < len(name) <= _LONGEST_NAME or not name.isprintable():
        return f"a name has 1 to {_LONGEST_NAME} printable characters"
    return pool, name, turns


def _turns(text: str) -> Turns | None:
    parts = text.split("-")
    possible = {str(turn): turn for turn in range(1, _LAST_TURN + 1)}
    if len(parts) != 2 or any(part != "?" and part not in possible for part in parts):
        return None
    first, last = (possible.get(part) for part in parts)
    return None if first is not None and last is not None and first > last else (first, last)


def _miscounted(named: dict[Pool, list[tuple[str, Turns, int]]]) -> list[FileFault]:
    return [
        FileFault(blocks[-1][2], f"{pool.key}: {len(blocks)} are named, and there are {SIZES[pool]}")
        for pool, blocks in named.items()
        if len(blocks) != SIZES[pool]
    ]


def _doubled(names: list[tuple[str, ...]], named: dict[Pool, list[tuple[str, Turns, int]]]) -> list[FileFault]:
    """Find names that two blocks have; those of the file are told with their line."""
    every = [name for of_pool in names for name in of_pool]
    return [
        FileFault(number, f"{name!r} is the name of two blocks")
        for blocks in named.values()
        for name, _, number in blocks
        if every.count(name) > 1
    ]
