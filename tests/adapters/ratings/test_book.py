"""Ratings as a value: each table counts once, final ones alone, and each person is one."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from companion.adapters.ratings.book import Person, Rated, Rating, Ratings
from companion.adapters.ratings.model import rate
from companion.core.errors import Illegal, Unavailable
from companion.tournament.results import Place, TableResult

if TYPE_CHECKING:
    from collections.abc import Sequence

NAMES = ("Ann", "Bea", "Cid", "Dan", "Eve", "Fay", "Gus", "Hal")
PEOPLE = {number: Person(name, "Club") for number, name in enumerate(NAMES, 1)}


def table(number: int, table: int, *ranks: tuple[int, int], is_final: bool = True) -> TableResult:
    return TableResult(number, table, tuple(Place(*one) for one in ranks), is_final=is_final)


EVENT = (
    table(1, 1, (1, 1), (2, 2), (3, 2), (4, 4)),
    table(1, 2, (5, 1), (6, 2), (7, 3)),
    table(2, 1, (1, 1), (5, 2)),
    table(2, 2, (2, 1), (6, 2), (3, 3), (7, 4), (4, 5)),
)


@dataclass
class Counting:
    """Stands in for the library: whoever is first gains one, and each call is noted."""

    calls: list[tuple[tuple[float, ...], tuple[int, ...]]] = field(default_factory=list)

    def rate(self, before: Sequence[Rating], ranks: Sequence[int]) -> list[Rating]:
        self.calls.append((tuple(one.mu for one in before), tuple(ranks)))
        return [Rating(one.mu + (rank == 1), one.sigma) for one, rank in zip(before, ranks, strict=True)]


def mu(ratings: Ratings) -> dict[str, float]:
    return {one.person.name: one.rating.mu - 25 for one in ratings.people}


def test_each_table_is_rated_with_its_ranks_round_by_round_from_what_was_before() -> None:
    library = Counting()
    ratings = Ratings().with_results("spring", EVENT, PEOPLE, library.rate)
    assert library.calls == [
        ((25, 25, 25, 25), (1, 2, 2, 4)), ((25, 25, 25), (1, 2, 3)), ((26, 26), (1, 2)),
        ((25, 25, 25, 25, 25), (1, 2, 3, 4, 5)),
    ]  # fmt: skip
    assert mu(ratings) == {"Ann": 2, "Bea": 1, "Cid": 0, "Dan": 0, "Eve": 1, "Fay": 0, "Gus": 0}
    assert {one.person.name: one.tables for one in ratings.people} == dict.fromkeys(NAMES[:7], 2)
    assert ratings.counted == {"spring": {"1": (1, 2), "2": (1, 2)}}


def test_what_is_counted_already_changes_nothing() -> None:
    library = Counting()
    once = Ratings().with_results("spring", EVENT, PEOPLE, library.rate)
    assert once.with_results("spring", EVENT, PEOPLE, library.rate) is once
    other = (EVENT[0]._replace(places=(Place(4, 1), Place(1, 2))), *EVENT[1:])
    assert once.with_results("spring", other, {}, library.rate) is once
    assert len(library.calls) == 4


def test_a_table_that_is_handed_over_twice_at_once_counts_once() -> None:
    library = Counting()
    assert Ratings().with_results("spring", EVENT * 2, PEOPLE, library.rate) == Ratings().with_results(
        "spring", EVENT, PEOPLE, Counting().rate
    )
    assert len(library.calls) == 4


def test_the_same_table_of_another_event_or_round_counts_too() -> None:
    ratings = Ratings()
    for event in ("spring", "autumn", "spring"):
        ratings = ratings.with_results(event, EVENT[2:3], PEOPLE, Counting().rate)
    assert mu(ratings) == {"Ann": 2, "Eve": 0}


def test_what_is_not_final_waits() -> None:
    provisional = table(3, 1, (1, 1), (2, 2), is_final=False)
    assert Ratings().with_results("spring", (provisional,), PEOPLE, Counting().rate) == Ratings()


def test_an_event_may_be_handed_over_as_far_as_it_has_come() -> None:
    whole = Ratings().with_results("spring", EVENT, PEOPLE, rate)
    step = Ratings()
    for count in range(len(EVENT) + 1):
        step = step.with_results("spring", EVENT[:count], PEOPLE, rate)
    assert step == whole
    mixed = list(EVENT)
    random.Random(3).shuffle(mixed)
    assert Ratings().with_results("spring", mixed, PEOPLE, rate) == whole


def test_two_numbers_that_are_one_person_are_refused() -> None:
    people = {**PEOPLE, 4: Person(" ann ", "CLUB")}
    with pytest.raises(Illegal, match=r"players 1 and 4 are both  ann  \(CLUB\)"):
        Ratings().with_results("spring", EVENT, people, Counting().rate)


def test_a_number_that_is_nobodys_is_refused() -> None:
    with pytest.raises(Illegal, match="nobody has number 7 in this event"):
        Ratings().with_results("spring", EVENT, {number: PEOPLE[number] for number in range(1, 7)}, Counting().rate)


def test_a_person_is_known_again_by_name_and_club_or_by_profile_alone() -> None:
    first = Ratings().with_results("spring", EVENT[2:3], PEOPLE, Counting().rate)
    again = first.with_results("autumn", EVENT[2:3], {1: Person("ANN", "club"), 5: Person("Eve")}, Counting().rate)
    assert sorted((one.person.name, one.person.club, one.tables) for one in again.people) == [
        ("ANN", "club", 2), ("Eve", "", 1), ("Eve", "Club", 1),
    ]  # fmt: skip
    assert Person("Ann", "Club", "ann-k").key == Person("Anna", "Other", "Ann-K").key
    assert Person("Ann", "Club", "ann-k").key != Person("Ann", "Club").key
    assert Person("a", "b c").key != Person("a b", "c").key


def test_players_are_listed_by_what_is_nearly_sure() -> None:
    rated = [Rated(Person(name), Rating(mu, sigma)) for name, mu, sigma in (("A", 30, 8), ("B", 28, 2), ("C", 22, 0.5))]
    assert [one.person.name for one in Ratings(people=tuple(rated)).listed()] == ["B", "C", "A"]


# The library itself -------------------------------------------------------------------------------------------------


def test_the_library_moves_ratings_by_rank_and_grows_surer() -> None:
    after = rate([Rating()] * 4, [1, 2, 2, 4])
    assert after[0].mu > after[1].mu == after[2].mu > after[3].mu
    assert all(one.sigma < Rating().sigma for one in after)


def test_the_library_makes_no_difference_between_seats() -> None:
    before = [Rating(25, 8), Rating(30, 5), Rating(20, 3)]
    forwards, backwards = rate(before, [2, 1, 2]), rate(before[::-1], [2, 1, 2])
    for one, other in zip(forwards, backwards[::-1], strict=True):
        assert (one.mu, one.sigma) == pytest.approx((other.mu, other.sigma))


def test_who_wins_often_is_found_whatever_the_tables_sizes_are() -> None:
    rng = random.Random(1)
    results = []
    for number in range(1, 41):
        players = rng.sample(range(1, 9), 8)
        for at, (start, end) in enumerate(((0, 2), (2, 5), (5, 8)), 1):
            seats = sorted(players[start:end])
            results.append(table(number, at, *((player, rank) for rank, player in enumerate(seats, 1))))
    ratings = Ratings().with_results("spring", results, PEOPLE, rate)
    assert [one.person.name for one in ratings.listed()] == list(NAMES)


def test_a_library_that_is_missing_is_named_with_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "openskill.models", None)
    with pytest.raises(Unavailable, match=r"openskill is missing: pip install 'table-companion\[desk\]'"):
        rate([Rating(), Rating()], [1, 2])
