"""Ratings as a value: who has which, and which tables are in it already. Pure; knows no file and no library.

A table counts once, by its event, round and number, when its result is final. So an event may be handed over again,
whole or as far as it has come, after every round or after a failure half-way: what is in already changes nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import msgspec

from companion.core.errors import Illegal
from companion.core.people.names import key_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from companion.tournament.results import TableResult

    Rate = Callable[[Sequence["Rating"], Sequence[int]], Sequence["Rating"]]
    """Gives the ratings of a table's players after it, from those before and the ranks, equal for those who tied."""

VERSION = 1
START_MU, START_SIGMA = 25.0, 25.0 / 3
"""What somebody has before the first table."""


class Person(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Whom a rating is of. profile: the name of the player's profile, where there is one: then it alone tells."""

    name: str
    club: str = ""
    profile: str = ""

    @property
    def key(self) -> tuple[str, str, str]:
        """What two spellings of one person have in common: capitals and blanks do not count."""
        return ("", "", key_of(self.profile)) if self.profile else (key_of(self.name), key_of(self.club), "")

    def __str__(self) -> str:
        """Give name and club."""
        return f"{self.name} ({self.club})" if self.club else self.name


class Rating(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How good somebody seems. mu: the estimate. sigma: how unsure it is, above 0."""

    mu: float = START_MU
    sigma: Annotated[float, msgspec.Meta(gt=0)] = START_SIGMA

    @property
    def sure(self) -> float:
        """What is nearly sure, by which players are listed: 0 before the first table."""
        return self.mu - 3 * self.sigma


class Rated(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A person's rating. tables: of how many."""

    person: Person
    rating: Rating
    tables: Annotated[int, msgspec.Meta(ge=0)] = 0


class Ratings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole file. counted: which tables are in it, by event, then by round."""

    version: int = VERSION
    people: tuple[Rated, ...] = ()
    counted: dict[str, dict[str, tuple[int, ...]]] = {}

    def __post_init__(self) -> None:
        """Raises ValueError: somebody is in it twice."""
        keys = {one.person.key for one in self.people}
        if len(keys) < len(self.people):
            raise ValueError("somebody is in it twice")

    def listed(self) -> list[Rated]:
        """Give all, the best first; by name where they are equal."""
        return sorted(self.people, key=lambda one: (-one.rating.sure, one.person.key))

    def has(self, event: str, result: TableResult) -> bool:
        """Tell whether a table is in it already."""
        return result.table in self.counted.get(event, {}).get(str(result.round), ())

    def with_results(
        self, event: str, results: Iterable[TableResult], people: Mapping[int, Person], rate: Rate
    ) -> Ratings:
        """Give the ratings with those final results of an event that are not in them yet, by round and table.

        event: what tells it from all other events, such as its name with the hash of its log's first line. people: who
        has which number in it. Raises Illegal: two numbers are one person, or a number is nobody's.
        """
        new = sorted((one for one in results if one.is_final and not self.has(event, one)), key=_by_round)
        if not new:
            return self
        _check(new, people)
        rated = {one.person.key: one for one in self.people}
        counted = {number: set(tables) for number, tables in self.counted.get(event, {}).items()}
        for result in new:
            tables = counted.setdefault(str(result.round), set())
            if result.table not in tables:
                tables.add(result.table)
                _rate(rated, result, people, rate)
        told = {number: tuple(sorted(tables)) for number, tables in counted.items()}
        those = tuple(rated[key] for key in sorted(rated))
        return Ratings(people=those, counted={**self.counted, event: told})


def _by_round(result: TableResult) -> tuple[int, int]:
    return result.round, result.table


def _check(results: Iterable[TableResult], people: Mapping[int, Person]) -> None:
    by_key: dict[tuple[str, str, str], int] = {}
    for player in sorted({place.player for result in results for place in result.places}):
        if player not in people:
            raise Illegal(f"nobody has number {player} in this event: it cannot be said whose rating this is")
        other = by_key.setdefault(people[player].key, player)
        if other != player:
            raise Illegal(
                f"players {other} and {player} are both {people[player]}: for ratings, each needs a name or a club of"
                " their own"
            )


def _rate(
    rated: dict[tuple[str, str, str], Rated], result: TableResult, people: Mapping[int, Person], rate: Rate
) -> None:
    before = [rated.get(people[place.player].key, Rated(people[place.player], Rating())) for place in result.places]
    after = rate([one.rating for one in before], [place.rank for place in result.places])
    for place, old, new in zip(result.places, before, after, strict=True):
        person = people[place.player]
        rated[person.key] = Rated(person, new, old.tables + 1)
