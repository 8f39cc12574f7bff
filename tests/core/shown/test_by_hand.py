"""Many things to set by hand, in groups that their labels tell."""

from __future__ import annotations

import pytest

from companion.core.ruling.game import Adjustable
from companion.core.shown.by_hand import grouped


def things(*labels: str) -> list[Adjustable]:
    return [Adjustable(label.lower(), label, 0, 9, 0) for label in labels]


def named(*labels: str) -> list[tuple[str, list[str]]]:
    return [(group.says, [one.label for one in group.things]) for group in grouped(things(*labels))]


def test_they_are_grouped_by_the_first_word_where_that_is_the_seat() -> None:
    assert named("RED money", "RED jail", "BLU money", "BLU jail", "RED leaders 1", "RED leaders 2") == [
        ("RED", ["RED money", "RED jail", "RED leaders 1", "RED leaders 2"]),
        ("BLU", ["BLU money", "BLU jail"]),
    ]


def test_they_are_grouped_by_the_last_word_where_that_makes_far_fewer_groups() -> None:
    areas = [f"{area:03} {side}" for area in range(1, 21) for side in ("Apple", "Pear")]
    assert [says for says, _ in named("Turn", "Points Apple", *areas)] == ["Turn", "Apple", "Pear"]


def test_one_that_is_alone_is_named_by_all_of_its_label() -> None:
    assert named("RED money", "RED jail", "RED bail", "turn of seat") == [
        ("RED", ["RED money", "RED jail", "RED bail"]),
        ("turn of seat", ["turn of seat"]),
    ]


@pytest.mark.parametrize("labels", [(), ("one",), ("the purse", "the pot")])
def test_nothing_is_lost(labels: tuple[str, ...]) -> None:
    assert sorted(one for _, found in named(*labels) for one in found) == sorted(labels)
