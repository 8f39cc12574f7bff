"""Evidence as bytes: what `record.md` says of each object, and that nothing else is read."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.errors import Malformed
from companion.core.evidence.written import (
    Altered,
    EdgeSeen,
    LevelsSeen,
    Lost,
    checked_evidence,
    digest,
    dump_evidence,
    parse_evidence,
)
from companion.core.timing.events import SECOND, Edge
from companion.core.words.encoding import encode

EDGE = EdgeSeen(t_ns=5, line="red first", active=True, error_ns=20_000, source="gpiod", number=7)

times = st.integers(0, 2**63 - 1)
words = st.text(st.characters(blacklist_categories=["Cs"]), max_size=8)
entries = st.one_of(
    st.builds(
        EdgeSeen, t_ns=times, line=words, active=st.booleans(), error_ns=times, source=words,
        number=st.none() | st.integers(0, 2**31), merged_ns=st.none() | times, lost_since_ns=st.none() | times,
    ),
    st.builds(
        Lost, t_ns=times, source=words, lost=st.integers(0, 999), text=words, since_ns=st.none() | times,
        lines=st.none() | st.lists(words, max_size=3).map(tuple),
    ),
    st.builds(LevelsSeen, t_ns=times, source=words, closed=st.just(("red first",)), open=st.just(())),
)  # fmt: skip


def test_an_edge_has_the_fields_of_the_law_and_no_other() -> None:
    assert json.loads(dump_evidence([EDGE])) == {
        "t_ns": 5, "line": "red first", "active": True, "error_ns": 20_000, "source": "gpiod", "number": 7
    }  # fmt: skip


def test_an_edge_of_a_source_that_does_not_count_has_no_number() -> None:
    unnumbered = EdgeSeen(t_ns=5, line="red first", active=False, error_ns=0, source="lgpio")
    assert sorted(json.loads(dump_evidence([unnumbered]))) == ["active", "error_ns", "line", "source", "t_ns"]


def test_what_was_merged_and_since_when_edges_may_be_lost_is_read_as_it_was_given() -> None:
    edge = Edge("red first", True, 9_000, 520, 7, merged_ns=500, lost_since_ns=4_000)
    seen = EdgeSeen(
        t_ns=9_000, line="red first", active=True, error_ns=520, source="gpiod", number=7, merged_ns=500,
        lost_since_ns=4_000,
    )  # fmt: skip
    (read,) = parse_evidence(dump_evidence([seen]))
    assert isinstance(read, EdgeSeen)
    assert read.edge == edge


@pytest.mark.parametrize(("error_ns", "lost_since_ns"), [(20_000, None), (3 * SECOND, 2 * SECOND)])
def test_what_an_older_program_was_unsure_of_it_may_have_lost(error_ns: int, lost_since_ns: int | None) -> None:
    line = encode({"t_ns": 5 * SECOND, "line": "red first", "active": True, "error_ns": error_ns, "source": "gpiod"})
    (read,) = parse_evidence(line)
    assert isinstance(read, EdgeSeen)
    assert read.edge == Edge("red first", True, 5 * SECOND, error_ns, lost_since_ns=lost_since_ns)


@given(st.lists(entries, max_size=5))
def test_what_is_written_is_read_again(written: list[EdgeSeen | Lost | LevelsSeen]) -> None:
    assert parse_evidence(dump_evidence(written)) == written


@pytest.mark.parametrize(
    "line",
    [b"[]", b"{}", b"7", b"not json", b'{"t_ns":1,"line":"x","active":1,"error_ns":0,"source":"s"}',
     b'{"t_ns":-1,"source":"s","lost":1,"text":""}', b'{"t_ns":1,"source":"s","lost":1,"text":"","wall":"x"}', b""],
)  # fmt: skip
def test_what_is_no_evidence_is_refused_by_its_line(line: bytes) -> None:
    with pytest.raises(Malformed, match="line 2 of the evidence"):
        parse_evidence(dump_evidence([EDGE]) + line + b"\n")


@given(st.data())
def test_no_byte_can_be_changed_without_being_noticed(data: st.DataObject) -> None:
    content = dump_evidence([EDGE, EDGE])
    place = data.draw(st.integers(0, len(content) - 1))
    other = data.draw(st.integers(0, 255).filter(lambda byte: byte != content[place]))
    altered = content[:place] + bytes([other]) + content[place + 1 :]
    assert checked_evidence(content, digest(content)) == [EDGE, EDGE]
    with pytest.raises(Altered, match="SHA-256"):
        checked_evidence(altered, digest(content))
