"""How long evidence is kept: never deleted where any line of its record protests that race."""

from __future__ import annotations

import json

import pytest

from companion.core.errors import Unavailable
from companion.core.evidence.keeping import DAY_S, StoredFile, may_be_deleted

NOW_S = 1_000 * DAY_S
ONE, TWO, THREE = "1" * 64, "2" * 64, "3" * 64


def evidence(race: int, sha256: str) -> bytes:
    return json.dumps({"type": "evidence", "race": race, "sha256": sha256, "edges": 4}).encode()


def protest(race: int | None = None) -> bytes:
    return json.dumps({"type": "protest", "colour": "red"} | ({} if race is None else {"race": race})).encode()


def deleted(*records: list[bytes], days: int = 90, ages: tuple[float, ...] = (100.0, 95.0, 91.0)) -> list[str]:
    stored = [StoredFile(name, NOW_S - age * DAY_S) for name, age in zip((ONE, TWO, THREE), ages, strict=True)]
    return may_be_deleted(stored, lambda: records, days, NOW_S)


RECORD = [b'{"type":"setup"}', evidence(1, ONE), evidence(2, TWO), b'{"type":"end"}']


def test_what_is_older_than_was_set_goes_the_oldest_first() -> None:
    assert deleted(RECORD, [evidence(1, THREE)]) == [ONE, TWO, THREE]
    assert deleted(RECORD, ages=(100, 91, 89)) == [ONE, TWO]
    assert deleted(RECORD, ages=(1, 2, 3)) == []


def test_nothing_goes_where_all_is_to_be_kept() -> None:
    assert deleted(RECORD, days=0) == []


@pytest.mark.parametrize("place", range(len(RECORD) + 1))
def test_a_protested_race_keeps_its_evidence_wherever_the_protest_stands(place: int) -> None:
    assert deleted([*RECORD[:place], protest(2), *RECORD[place:]]) == [ONE, THREE]


def test_an_answered_protest_keeps_it_too() -> None:
    answer = b'{"type":"answer","protest":5,"text":"the protest is noted","stands":true}'
    assert deleted([*RECORD, protest(1), answer]) == [TWO, THREE]


def test_a_protest_that_names_no_race_keeps_all_of_its_match_and_nothing_of_another() -> None:
    assert deleted([*RECORD, protest()], [evidence(1, THREE)]) == [THREE]


def test_a_race_whose_number_was_used_again_keeps_what_is_of_either() -> None:
    assert deleted([evidence(1, ONE), evidence(1, TWO), protest(1)]) == [THREE]


def test_lines_of_a_game_and_lines_that_cannot_be_read_are_passed_over() -> None:
    own = b'{"type":"bid","text":"a protest of evidence","race":"third"}'
    assert deleted([own, b"protest", *RECORD, protest(1)]) == [TWO, THREE]


def test_records_that_cannot_be_read_raise_and_are_not_asked_for_in_vain() -> None:
    def unreadable() -> list[list[bytes]]:
        raise Unavailable("the matches cannot be read")

    with pytest.raises(Unavailable):
        may_be_deleted([StoredFile(ONE, 0)], unreadable, 90, NOW_S)
    assert may_be_deleted([StoredFile(ONE, NOW_S)], unreadable, 90, NOW_S) == []
