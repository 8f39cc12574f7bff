"""A log whose last transaction SQLite does not take, for one changed bit: its lines are read from its bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion.adapters.sqlite_journal import export_lines, list_matches
from companion.adapters.sqlite_journal.numbers import FILE_NAME
from companion.adapters.sqlite_journal.repair import repair
from tests.adapters.sqlite_journal.test_disk import LINES, opened

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from companion.adapters.sqlite_journal import SqliteJournal

DATABASE, LOG = "matches.sqlite", "matches.sqlite-wal"
FRAME, LOG_HEADER, COMMIT = 4120, 32, slice(4, 8)
PLACES = {
    "page number": 3,
    "size": 7,
    "first salt, its lowest bit": 11,
    "first salt": 8,
    "second salt": 12,
    "check sum": 23,
}
"""Bytes of a frame's header: they are in no row."""
LONG = b'{"type":"remark","text":"%s"}' % (b"long " * 2000)
"""Over three pages."""


def left_by(folder: Path, play: Callable[[SqliteJournal, Callable[[int, int], None]], None]) -> Path:
    """Give the state that a box leaves that is killed. play: is given the journal, and what waits for a number of
    lines of a match that are durable."""
    live, state = folder / "live", folder / "state"
    state.mkdir()
    with opened(live) as (journal, listener):
        play(journal, lambda _match, lines: listener.wait(lambda: listener.count == lines))
        for name in (DATABASE, LOG, FILE_NAME):
            (state / name).write_bytes((live / name).read_bytes())
    return state


def last_transaction(state: Path) -> list[int]:
    """Give where in the log the frames of its last transaction begin."""
    log = (state / LOG).read_bytes()
    frames = list(range(LOG_HEADER, len(log), FRAME))
    ends = [at for at in frames[:-1] if any(log[at:][COMMIT])]
    return [at for at in frames if at > ends[-1]]


def changed(state: Path, position: int) -> None:
    content = bytearray((state / LOG).read_bytes())
    content[position] ^= 1
    (state / LOG).write_bytes(content)


def burst(journal: SqliteJournal, match: int, lines: Sequence[bytes]) -> None:
    """Append lines that become one transaction: the journal's thread cannot store before they are all there."""
    with journal._disk:
        for line in lines:
            journal.append(match, line)


def of_one_match(journal: SqliteJournal, wait: Callable[[int, int], None]) -> None:
    match = journal.begin("order", LINES[:2], None)
    wait(match, 2)
    burst(journal, match, LINES[2:6])
    wait(match, 6)


def over_many_pages(journal: SqliteJournal, wait: Callable[[int, int], None]) -> None:
    match = journal.begin("order", LINES[:2], None)
    wait(match, 2)
    burst(journal, match, [*LINES[2:30], LONG, *LINES[30:50]])
    wait(match, 51)


PLAYED = {"few lines": (of_one_match, LINES[:6]), "many pages": (over_many_pages, [*LINES[:30], LONG, *LINES[30:50]])}


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
@pytest.mark.parametrize("played", PLAYED.values(), ids=PLAYED)
def test_no_line_of_it_is_lost_for_a_bit_in_no_row(
    tmp_path: Path, played: tuple[Callable[..., None], list[bytes]], place: int
) -> None:
    play, lines = played
    state = left_by(tmp_path, play)
    changed(state, last_transaction(state)[-1] + place)
    assert resumed(state) == lines


def resumed(state: Path) -> list[bytes]:
    with opened(state) as (journal, listener):
        assert listener.faults == []
        match = journal.unfinished()
        assert match is not None
        return journal.lines(match)


def begun_after_another(journal: SqliteJournal, wait: Callable[[int, int], None]) -> None:
    first = journal.begin("order", LINES[:3], None)
    wait(first, 3)
    with journal._disk:
        journal.append(first, LINES[3])
        journal.finish(first)
        second = journal.begin("sorry", LINES[:5], "boot")
    wait(second, 5)


@pytest.mark.parametrize("frame", [0, -1])
@pytest.mark.parametrize("place", [8, 12, 23])
def test_a_match_that_began_in_it_is_there_and_goes_on(tmp_path: Path, frame: int, place: int) -> None:
    state = left_by(tmp_path, begun_after_another)
    changed(state, last_transaction(state)[frame] + place)
    assert resumed(state) == LINES[:5]
    assert [match.id for match in list_matches(state)] == [1, 2]
    assert export_lines(state, 1) == LINES[:4]


def test_a_match_of_which_only_the_row_is_lost_keeps_its_lines_and_is_not_resumed(tmp_path: Path) -> None:
    state = left_by(tmp_path, begun_after_another)
    log = (state / LOG).read_bytes()
    changed(state, log.rindex(b"sorry2026-01-01T20") - 5)  # in the header of its row
    with opened(state) as (journal, listener):
        assert (listener.faults, journal.unfinished()) == ([], None)
    assert export_lines(state, 2) == LINES[:5]


def test_a_line_that_a_bit_gives_to_a_match_that_never_was_makes_none(tmp_path: Path) -> None:
    state = left_by(tmp_path, of_one_match)
    log = (state / LOG).read_bytes()
    setup = log.rindex(LINES[0])
    assert log[setup - 5 : setup - 3] == b"\x09\x09", "types of the columns: the match and the number are 1"
    changed(state, setup - 5)  # … and now the match is 0
    assert resumed(state)[:2] == LINES[:2]
    assert [match.id for match in list_matches(state)] == [1]


@pytest.mark.parametrize("place", [8, 12])
def test_a_bit_before_it_in_the_beginning_of_a_match_is_damage_and_all_is_got_back(tmp_path: Path, place: int) -> None:
    def play(journal: SqliteJournal, wait: Callable[[int, int], None]) -> None:
        begun_after_another(journal, wait)
        journal.append(2, LINES[5])
        wait(2, 6)

    state = left_by(tmp_path, play)
    (last,) = last_transaction(state)
    changed(state, last - FRAME + place)
    with opened(state) as (_, listener):
        assert "its log is not as it was written" in listener.faults[0]
    list(repair(state, None))
    assert [export_lines(state, match) for match in (1, 2)] == [LINES[:4], LINES[:6]]
