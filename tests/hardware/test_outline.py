"""What stands on the header board keeps clear of itself, of the screws and of the board's edge."""

from __future__ import annotations

from itertools import combinations

from hardware.board.outline import HEAD, HEIGHT, HOLES, PLUGS, WIDTH


def test_no_two_plugs_take_the_same_place_and_all_are_on_the_board():
    for one, two in combinations(PLUGS, 2):
        apart = one.box[2] <= two.box[0] or two.box[2] <= one.box[0] or one.box[3] <= two.box[1]
        assert apart or two.box[3] <= one.box[1], (one.ref, two.ref)
    for plug in PLUGS:
        left, top, right, bottom, _ = plug.box
        assert left >= 0, plug.ref
        assert top >= 0, plug.ref
        assert right <= WIDTH, plug.ref
        assert bottom <= HEIGHT, plug.ref


def test_every_screw_goes_in_beside_the_plugs():
    for x, y in HOLES:
        for plug in PLUGS:
            left, top, right, bottom, _ = plug.box
            dx, dy = max(left - x, 0, x - right), max(top - y, 0, y - bottom)
            assert (dx * dx + dy * dy) ** 0.5 >= HEAD / 2, (plug.ref, x, y)
