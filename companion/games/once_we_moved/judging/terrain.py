"""The map as a file says it: areas, their territories and signs, their borders (The board). Pure data."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache

from companion.core.ruling.parameters import FileFault
from companion.games.once_we_moved.judging.pools import statements

US, MEXICO = frozenset({"AZ", "NM", "TX"}), frozenset({"SO", "CH"})
FLAGS = ("town", "fort", "river", "edge", "reservation")
KINDS = ("open", "mixed", "mountain", "rio")
APACHE_COST = {"open": 1, "mixed": 1, "mountain": 3, "rio": 2}
ARMY_COST = {"open": 1, "mixed": 2, "rio": 3}
"""What a border costs; a mountain one the Army what the setup says."""
MOST_AREAS = 100
_ID = re.compile(r"[A-Za-z0-9-]{1,9}")


@dataclass(frozen=True, slots=True)
class Ground:
    """An area: its name on the map, and the signs that stand in it."""

    name: str
    territories: tuple[str, ...]
    flags: frozenset[str]

    @property
    def is_us(self) -> bool:
        """Whether all of it lies in the United States."""
        return US.issuperset(self.territories)

    @property
    def is_mexican(self) -> bool:
        """Whether all of it lies in Mexico."""
        return MEXICO.issuperset(self.territories)

    @property
    def apache_limit(self) -> int:
        """How many Apache blocks that are no leaders may end a movement here."""
        return 6 if "river" in self.flags else 3

    @property
    def army_limit(self) -> int:
        """How many Army blocks that are no leaders may end a movement here."""
        return 14 if self.is_base else 10

    @property
    def is_base(self) -> bool:
        """Whether the Army may be deployed here."""
        return "town" in self.flags or "fort" in self.flags


@dataclass(frozen=True)
class Terrain:
    """All areas in the order of the file. text: what they were read from. at: where in that order an area stands.

    borders: the kind of border between two areas, both ways round. us, mexico, dry: places of areas that lie wholly
    there, and of those without a river. limits: by side, then by area. neighbours: of each area, in that order.
    """

    text: str
    grounds: tuple[Ground, ...] = field(compare=False)
    at: dict[str, int] = field(compare=False)
    borders: dict[tuple[int, int], str] = field(compare=False)
    us: frozenset[int] = field(compare=False)
    mexico: frozenset[int] = field(compare=False)
    dry: frozenset[int] = field(compare=False)
    limits: tuple[tuple[int, ...], tuple[int, ...]] = field(compare=False)
    neighbours: tuple[tuple[int, ...], ...] = field(compare=False)


@lru_cache(maxsize=64)
def read_terrain(text: str) -> tuple[Terrain, tuple[FileFault, ...]]:
    """Read a file of areas and borders: the terrain, and all that is wrong with it."""
    faults: list[FileFault] = []
    found: dict[str, Ground] = {}
    later: list[tuple[int, list[str]]] = []
    for number, words in statements(text):
        if words[0] == "border":
            later.append((number, words))
        elif words[0] == "area":
            faults += [FileFault(number, says) for says in _take_area(words, found)]
        else:
            faults.append(FileFault(number, f"{words[0]!r} is neither `area` nor `border`"))
    at = {name: place for place, name in enumerate(found)}
    borders: dict[tuple[int, int], str] = {}
    for number, words in later:
        faults += [FileFault(number, says) for says in _take_border(words, at, borders)]
    return _terrain(text, tuple(found.values()), borders), tuple(sorted(faults, key=lambda fault: fault.line or 0))


def _terrain(text: str, grounds: tuple[Ground, ...], borders: dict[tuple[int, int], str]) -> Terrain:
    def where(test: list[bool]) -> frozenset[int]:
        return frozenset(place for place, holds in enumerate(test) if holds)

    return Terrain(
        text=text,
        grounds=grounds,
        at={ground.name: place for place, ground in enumerate(grounds)},
        borders=borders,
        us=where([ground.is_us for ground in grounds]),
        mexico=where([ground.is_mexican for ground in grounds]),
        dry=where(["river" not in ground.flags for ground in grounds]),
        limits=(
            tuple(ground.apache_limit for ground in grounds),
            tuple(ground.army_limit for ground in grounds),
        ),
        neighbours=tuple(tuple(sorted(b for a, b in borders if a == place)) for place in range(len(grounds))),
    )


def _take_area(words: list[str], found: dict[str, Ground]) -> list[str]:
    """Add an area to those found; what comes back is wrong with it."""
    if len(words) < 3:
        return ["an area is `area ID TERRITORIES` and flags, such as: area 018 AZ town river"]
    _, name, where, *flags = words
    territories = tuple(where.split("+"))
    wrong = []
    if not _ID.fullmatch(name):
        wrong.append(f"{name!r} is no name of an area: 1 to 9 letters, digits and -")
    if name in found:
        wrong.append(f"the area {name} stands twice")
    if len(found) == MOST_AREAS:
        wrong.append(f"more than {MOST_AREAS} areas")
    if not (US | MEXICO).issuperset(territories) or len(set(territories)) < len(territories):
        wrong.append(f"{where!r}: the territories are AZ, NM, TX, SO and CH, each once, joined by +")
    if not set(FLAGS).issuperset(flags) or len(set(flags)) < len(flags):
        wrong.append(f"what may stand in an area, each once: {', '.join(FLAGS)}")
    if not wrong:
        found[name] = Ground(name, territories, frozenset(flags))
    return wrong


def _take_border(words: list[str], at: dict[str, int], borders: dict[tuple[int, int], str]) -> list[str]:
    """Add a border to those found; what comes back is wrong with it."""
    if len(words) != 4:
        return ["a border is `border ID ID KIND`, such as: border 018 020 open"]
    _, one, other, kind = words
    wrong = [f"there is no area {name!r}" for name in dict.fromkeys((one, other)) if name not in at]
    if one == other:
        wrong.append("an area has no border with itself")
    if kind not in KINDS:
        wrong.append(f"{kind!r} is no kind of border; there are: {', '.join(KINDS)}")
    if wrong:
        return wrong
    pair = (at[one], at[other])
    if pair in borders:
        return [f"{one} and {other} have a border already"]
    borders[pair] = borders[pair[::-1]] = kind
    return []
