"""The chain of the log: each change of a byte, and each line that is missing or moved, is noticed by the next line."""

from __future__ import annotations

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.tournament.log import lines
from companion.tournament.log.chain import Chain, hash_of, heads_of, read_log, sheet_of
from companion.tournament.log.lines import GENESIS, MalformedEntry, TableDrawn, parse_entry, write_entry
from tests.tournament.logs import started

RAW = started().raw


def test_each_line_names_the_hash_of_the_line_before_it() -> None:
    entries = list(read_log(RAW))
    assert [entry.prev for entry in entries] == [GENESIS, *(sha256(raw + b"\n").hexdigest() for raw in RAW[:-1])]
    assert heads_of(RAW)[-1] == hash_of(RAW[-1])


@given(st.data())
def test_a_changed_byte_is_noticed_unless_the_head_changes_with_it(data) -> None:
    place = data.draw(st.integers(0, len(RAW) - 1))
    at = data.draw(st.integers(0, len(RAW[place]) - 1))
    octet = data.draw(st.integers(0, 255).filter(lambda one: one != RAW[place][at]))
    changed = RAW[place][:at] + bytes([octet]) + RAW[place][at + 1 :]
    log = [*RAW[:place], changed, *RAW[place + 1 :]]
    if place == len(RAW) - 1:
        assert heads_of(log)[-1] != heads_of(RAW)[-1]
    else:
        with pytest.raises(MalformedEntry) as error:
            list(read_log(log))
        assert error.value.number in {place + 1, place + 2}


@pytest.mark.parametrize(
    "log", [RAW[1:], RAW[:3] + RAW[4:], [*RAW[:3], RAW[4], RAW[3], *RAW[5:]], [*RAW[:3], RAW[2], *RAW[3:]]]
)
def test_a_line_that_is_missing_moved_or_doubled_is_noticed(log) -> None:
    with pytest.raises(MalformedEntry, match=r"line . of the log"):
        list(read_log(log))


def test_what_cannot_follow_is_not_added() -> None:
    chain = Chain()
    chain.add(RAW[0])
    head = chain.head
    for raw in (RAW[2], b"{}", b"\xff", b'{"type":"event"}', b"[" * 100_000):
        with pytest.raises(MalformedEntry, match="line 2 of the log"):
            chain.add(raw)
    assert (chain.n, chain.head) == (1, head)


def test_every_entry_is_read_as_it_was_written() -> None:
    for number, raw in enumerate(RAW, start=1):
        assert write_entry(parse_entry(raw, number)) == raw


def test_a_line_of_unknown_kind_or_with_an_unknown_field_is_refused_by_name() -> None:
    with pytest.raises(MalformedEntry, match=r"line 7 of the log: .*bogus"):
        parse_entry(b'{"type":"bogus"}', 7)
    with pytest.raises(MalformedEntry, match="unknown field `x`"):
        parse_entry(RAW[0][:-1] + b',"x":1}', 1)
    with pytest.raises(MalformedEntry, match="longer than"):
        parse_entry(b" " * (lines.LONGEST_ENTRY + 1), 1)


def test_the_hash_of_pairings_is_of_what_anybody_can_write_down() -> None:
    tables = [TableDrawn(2, (4, 3)), TableDrawn(1, (1, 2, 5))]
    said = "cup 3\n1: 1 2 5\n2: 4 3\nbyes: 6 7"
    assert sheet_of(tables, (7, 6), "cup", 3) == sha256(said.encode()).hexdigest()
