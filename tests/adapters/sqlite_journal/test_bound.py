"""How many matches are kept: all, or the newest so many; and what a match that begins may not take away."""

from __future__ import annotations

import sqlite3
import threading
from functools import partial
from typing import TYPE_CHECKING

import pytest

from companion.adapters.sqlite_journal import SqliteJournal, export_lines, list_matches

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

LINES = [b'{"type":"setup"}', b'{"type":"end"}']


def play(
    folder: Path,
    count: int,
    keep: int,
    *,
    finished: bool = True,
    lines: Sequence[bytes] = LINES,
    is_spared: Callable[[bytes, int], bool] = lambda _first, _lines: False,
) -> None:
    """Play so many matches one after the other, each stored before the next begins."""
    journal = SqliteJournal(folder, keep=keep)
    journal.is_spared = is_spared
    stored = threading.Condition()
    durable: dict[int, int] = {}

    def on_durable(match: int, lines: int) -> None:
        with stored:
            durable[match] = lines
            stored.notify_all()

    journal.open(on_durable, pytest.fail)
    for _ in range(count):
        match = journal.begin("order", lines, None)
        with stored:
            assert stored.wait_for(partial(lambda match: durable.get(match) == len(lines), match), 10)
        if finished:
            journal.finish(match)
    journal.close()


def kept(folder: Path) -> list[int]:
    return [match.id for match in list_matches(folder)]


@pytest.mark.parametrize(("keep", "expected"), [(0, [1, 2, 3, 4, 5]), (1, [5]), (3, [3, 4, 5]), (9, [1, 2, 3, 4, 5])])
def test_the_newest_so_many_are_kept_and_0_keeps_all(tmp_path: Path, keep: int, expected: list[int]) -> None:
    play(tmp_path, 5, keep)
    assert kept(tmp_path) == expected
    assert export_lines(tmp_path, 5) == LINES


def test_of_a_deleted_match_no_line_stays_behind(tmp_path: Path) -> None:
    play(tmp_path, 4, 2)
    with sqlite3.connect(tmp_path / "matches.sqlite") as database:
        assert database.execute("SELECT DISTINCT match FROM line ORDER BY match").fetchall() == [(3,), (4,)]
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    database.close()


def test_a_lower_limit_takes_hold_when_the_next_match_begins_and_not_before(tmp_path: Path) -> None:
    play(tmp_path, 5, 0)
    play(tmp_path, 0, 2)
    assert kept(tmp_path) == [1, 2, 3, 4, 5]
    play(tmp_path, 1, 2)
    assert kept(tmp_path) == [5, 6]


def test_a_match_that_is_spared_outlives_all_that_follow_until_it_is_not(tmp_path: Path) -> None:
    asked: list[tuple[bytes, int]] = []

    def is_spared(first: bytes, lines: int) -> bool:
        asked.append((first, lines))
        return first == b'{"owed":1}'

    play(tmp_path, 1, 2, lines=[b'{"owed":1}', b"{}", b"{}"])
    play(tmp_path, 4, 2, is_spared=is_spared)
    assert kept(tmp_path) == [1, 4, 5]
    assert len(export_lines(tmp_path, 1)) == 3
    assert (b'{"owed":1}', 3) in asked
    play(tmp_path, 1, 2)
    assert kept(tmp_path) == [5, 6]


def test_where_nobody_can_say_whether_a_match_is_spared_it_stays(tmp_path: Path) -> None:
    def is_spared(first: bytes, lines: int) -> bool:
        raise OSError("what is owed cannot be read")

    play(tmp_path, 3, 1, is_spared=is_spared)
    assert kept(tmp_path) == [1, 2, 3]


def test_numbers_are_not_given_again(tmp_path: Path) -> None:
    play(tmp_path, 3, 1)
    play(tmp_path, 1, 1)
    assert kept(tmp_path) == [4]


def test_an_unfinished_match_is_offered_again_however_few_are_kept(tmp_path: Path) -> None:
    play(tmp_path, 3, 1, finished=False)
    journal = SqliteJournal(tmp_path, keep=1)
    journal.open(lambda *_: None, pytest.fail)
    assert journal.unfinished() == 3
    assert journal.lines(3) == LINES
    journal.close()


def test_the_file_does_not_grow_with_the_number_of_matches_ever_played(tmp_path: Path) -> None:
    def size(folder: Path, count: int) -> int:
        folder.mkdir()
        play(folder, count, 2)
        return (folder / "matches.sqlite").stat().st_size

    assert size(tmp_path / "few", 4) == size(tmp_path / "many", 40)
