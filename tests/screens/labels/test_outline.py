"""Outlines of what is dark: filled by whichever rule they give the modules again, and no edge is within an area."""

from hypothesis import given
from hypothesis import strategies as st

from companion.screens.labels.outline import outlines

MODULES = st.integers(1, 7).flatmap(
    lambda width: st.lists(st.tuples(*[st.booleans()] * width), min_size=1, max_size=7).map(tuple)
)


def windings(loops, x, y):
    """How often the outlines go round the middle of a module, and how often a ray from there to the left meets one."""
    winding = crossings = 0
    for loop in loops:
        for (x1, y1), (x2, y2) in zip(loop, [*loop[1:], loop[0]], strict=True):
            if x1 == x2 <= x and min(y1, y2) <= y < max(y1, y2):
                winding += 1 if y2 < y1 else -1
                crossings += 1
    return winding, crossings


@given(MODULES)
def test_filled_by_either_rule_they_are_the_modules_again(modules):
    loops = outlines(modules)
    for y, row in enumerate(modules):
        for x, dark in enumerate(row):
            winding, crossings = windings(loops, x, y)
            assert (winding != 0) == dark
            assert (crossings % 2 == 1) == dark


@given(MODULES)
def test_each_part_of_an_outline_turns_at_each_of_its_corners_and_parts_dark_from_light(modules):
    def dark(x, y):
        return 0 <= y < len(modules) and 0 <= x < len(modules[y]) and modules[y][x]

    for loop in outlines(modules):
        for (x0, y0), (x1, y1), (_, y2) in zip(loop, loop[1:] + loop[:1], loop[2:] + loop[:2], strict=True):
            assert (x0 == x1) != (y0 == y1)
            assert (x0 == x1) == (y1 == y2)
            for y in range(min(y0, y1), max(y0, y1)):
                assert dark(x0 - 1, y) != dark(x0, y)
            for x in range(min(x0, x1), max(x0, x1)):
                assert dark(x, y0 - 1) != dark(x, y0)


def test_a_ring_has_an_outline_outside_and_one_of_its_hole():
    ring = tuple(tuple(not (x == y == 1) for x in range(3)) for y in range(3))
    assert sorted(map(len, outlines(ring))) == [4, 4]
