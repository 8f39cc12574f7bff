"""A name that was taken out of the records is in none of the journal's files any more."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from companion.adapters.sqlite_journal import SqliteJournal, export_lines

if TYPE_CHECKING:
    from pathlib import Path

SETUP = b'{"type":"setup"}'


def names(name: str) -> bytes:
    return json.dumps({"type": "names", "names": {"red": name}}).encode()


def bytes_of(directory: Path) -> bytes:
    return b"".join(path.read_bytes() for path in directory.iterdir())


def test_no_byte_of_it_is_left_in_the_database_or_its_log(tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path)
    journal.open(lambda *_: None, lambda _: None)
    for number in range(20):
        match = journal.begin("apache", [SETUP, names("Xanthippe"), *(b"%d" % n for n in range(number * 20))], None)
        journal.finish(match)
    assert journal.change_lines(b'"names"', lambda line: line) == 0  # all is stored by now
    assert b"Xanthippe" in bytes_of(tmp_path)
    assert journal.change_lines(b'"names"', lambda line: line.replace(b"Xanthippe", b"")) == 20
    assert b"Xanthippe" not in bytes_of(tmp_path)
    journal.close()
    assert export_lines(tmp_path, 20)[:3] == [SETUP, names(""), b"0"]
