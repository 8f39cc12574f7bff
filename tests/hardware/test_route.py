"""The router of the header board: joins what belongs together, keeps nets apart, says which net finds no way."""

from __future__ import annotations

from itertools import combinations, pairwise
from math import hypot

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.board.route import CLEARANCE, STEP, TRACK, VIA, Box, Grid, Pad, Unroutable, route_all
from tests.amounts import many

FRONT, BOTH = (0,), (0, 1)


def board(pads: list[Pad], plane: str = "GND", words: tuple[Box, ...] = ()) -> Grid:
    nets: dict[str, list[Pad]] = {}
    for pad in pads:
        nets.setdefault(pad.net, []).append(pad)
    return route_all(Grid(20, 12, pads, words=words), nets, plane)


def square(x: float, y: float, net: str, layers: tuple[int, ...] = FRONT) -> Pad:
    return Pad(x, y, 0.5, 0.5, net, layers)


def test_two_pads_are_joined_by_an_unbroken_way():
    (way,) = board([square(3, 6, "a"), square(15, 6, "a")]).tracks["a"]
    assert all(max(abs(p - q) for p, q in zip(one, two, strict=True)) == 1 for one, two in pairwise(way))
    ends = sorted((way[0][0] * STEP, way[-1][0] * STEP))
    assert abs(ends[0] - 3) <= 0.5
    assert abs(ends[1] - 15) <= 0.5


def test_a_wall_across_the_front_is_passed_on_the_back():
    wall = [Pad(9, 6, 0.5, 6, "wall", FRONT)]
    ways = board([square(3, 6, "a"), square(15, 6, "a"), *wall]).tracks["a"]
    assert {cell[2] for way in ways for cell in way} == {0, 1}


def test_a_wall_through_both_sides_names_the_net_that_cannot_pass():
    with pytest.raises(Unroutable, match=r"^a$"):
        board([square(3, 6, "a"), square(15, 6, "a"), Pad(9, 6, 0.5, 6, "wall", BOTH)])


def test_a_pad_of_the_ground_gets_a_via_beside_it_not_in_it():
    ways = board([square(10, 6, "GND")]).tracks["GND"]
    vias = [two for way in ways for one, two in pairwise(way) if one[2] != two[2]]
    assert vias
    assert all(max(abs(c * STEP - 10), abs(r * STEP - 6)) > 0.5 + VIA / 2 for c, r, _ in vias)


def test_no_via_takes_a_stroke_from_a_letter():
    word = (6.0, 4.0, 14.0, 8.0)
    for words, under in (((), True), ((word,), False)):
        ways = board([square(10, 6, "GND"), square(2, 6, "a"), square(18, 6, "a")], words=words).tracks["GND"]
        vias = [two for way in ways for one, two in pairwise(way) if one[2] != two[2]]
        half = VIA / 2 - 1e-6
        met = [1 for c, r, _ in vias if word[0] - half < c * STEP < word[2] + half
               and word[1] - half < r * STEP < word[3] + half]  # fmt: skip
        assert bool(met) == under
        assert len(vias) > 20


@settings(max_examples=many(15))
@given(st.lists(st.tuples(st.integers(1, 9), st.integers(1, 5)), min_size=8, max_size=8, unique=True))
def test_tracks_and_vias_of_different_nets_keep_their_distance(places):
    pads = [square(2.0 * x, 2.0 * y, "abcd"[index // 2], BOTH) for index, (x, y) in enumerate(places)]
    grid = board(pads)
    points = {net: [cell for way in ways for cell in way] for net, ways in grid.tracks.items() if net != "GND"}
    for one, two in combinations(points, 2):
        for a in points[one]:
            for b in points[two]:
                if a[2] == b[2]:
                    assert hypot(a[0] - b[0], a[1] - b[1]) * STEP >= TRACK + CLEARANCE - 1e-6
