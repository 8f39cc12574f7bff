"""Which rectangles are sent: all that differs, and for no more bytes than one window a run would take."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.adapters.oled.changes import Piece, Writing, changed_runs, pieces

PAGES = Writing(unit=1, window=7, is_tall=False)
WINDOWS = Writing(unit=1, window=10, is_tall=True)
GREYS = Writing(unit=8, window=9, is_tall=True)
SOME = st.sampled_from([b"\0", b"\0\0\0\0\0\0\0\0\0\0\0\0", b"\1", b"\n", b"\xff\0\xff", b"\1\2\3\4\5\6"])


def band(writing):
    size = 24 * writing.unit
    return st.lists(SOME, max_size=60).map(lambda parts: b"".join(parts)[:size].ljust(size, b"\0"))


@st.composite
def changes(draw):
    writing = draw(st.sampled_from([PAGES, WINDOWS, GREYS]))
    old = draw(st.lists(st.none() | band(writing), min_size=4, max_size=4))
    return writing, old, draw(st.lists(band(writing), min_size=4, max_size=4))


@given(changes())
def test_the_rectangles_make_the_old_picture_the_new_one(given_changes):
    writing, old, new = given_changes
    held = [
        bytearray(before if before is not None else b"\x55" * len(now)) for before, now in zip(old, new, strict=True)
    ]
    for piece in pieces(old, new, range(4), writing):
        start, end = piece.left * writing.unit, piece.right * writing.unit
        for index in range(piece.top, piece.bottom):
            held[index][start:end] = new[index][start:end]
    assert held == new


@given(changes())
def test_they_cost_no_more_than_a_window_for_every_run_and_stay_within_the_picture(given_changes):
    writing, old, new = given_changes
    found = pieces(old, new, range(4), writing)
    flat = pieces(old, new, range(4), writing._replace(is_tall=False))
    assert all(piece.bottom - piece.top == 1 for piece in flat)
    assert sum(piece.columns + writing.window for piece in found) <= sum(
        piece.columns + writing.window for piece in flat
    )
    assert all(0 <= piece.left < piece.right <= 24 and 0 <= piece.top < piece.bottom <= 4 for piece in found)


@given(changes(), st.sets(st.integers(0, 3)))
def test_only_the_bands_that_were_asked_for_are_touched(given_changes, bands):
    writing, old, new = given_changes
    found = pieces(old, new, sorted(bands), writing)
    assert {band for piece in found for band in range(piece.top, piece.bottom)} <= bands


@given(st.binary(min_size=1, max_size=60), st.data(), st.integers(1, 20))
def test_runs_cover_every_change_once_and_are_apart(old, data, gap):
    new = data.draw(st.binary(min_size=len(old), max_size=len(old)))
    runs = list(changed_runs(old, new, gap))
    covered = [index for start, end in runs for index in range(start, end)]
    assert {index for index in range(len(old)) if old[index] != new[index]} <= set(covered)
    assert all(old[start] != new[start] and old[end - 1] != new[end - 1] for start, end in runs)
    assert all(after[0] - before[1] >= gap for before, after in itertools.pairwise(runs))


def test_two_strings_of_different_length_are_no_change_but_an_error():
    with pytest.raises(ValueError, match="2 and 1 bytes"):
        list(changed_runs(b"ab", b"a", 1))


def test_the_same_columns_of_bands_below_each_other_are_one_rectangle():
    blank, lit = bytes(24), bytes(5) + b"\xff" * 9 + bytes(10)
    assert pieces([blank] * 4, [blank, lit, lit, blank], range(4), WINDOWS) == [Piece(1, 3, 5, 14)]
    assert len(pieces([blank] * 4, [blank, lit, lit, blank], range(4), PAGES)) == 2


def test_bands_with_one_between_them_are_no_rectangle_although_a_window_is_dear():
    blank, lit = bytes(24), bytes(5) + b"\xff" * 9 + bytes(10)
    assert len(pieces([blank] * 4, [lit, blank, blank, lit], range(4), WINDOWS)) == 2
