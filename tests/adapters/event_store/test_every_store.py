"""What every store of an event promises (`companion.ports.EventStore`), on each implementation."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.adapters.event_store import url_of_file
from companion.adapters.simulated.memory_event_store import MemoryEventStore
from companion.core.errors import Illegal, Unavailable
from companion.tournament.wire import RecordPart
from tests.adapters.event_store.homes import MATCH, OTHER_MATCH, MemoryHome, SqlHome, parts, raw
from tests.amounts import many

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from companion.ports import EventStore

_EVENTS = count(1)


@pytest.fixture(params=["memory", "sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def home(request: pytest.FixtureRequest, tmp_path: Path, event: str) -> MemoryHome | SqlHome:
    if request.param == "memory":
        return MemoryHome()
    if request.param == "sqlite":
        return SqlHome(url_of_file(tmp_path / "event.sqlite"), event)
    return SqlHome(request.getfixturevalue("server").url(), event)


@pytest.fixture
def store(home: MemoryHome | SqlHome) -> Iterator[EventStore]:
    store = home.store()
    store.open()
    yield store
    store.close()


def opened_again(store: EventStore, home: MemoryHome | SqlHome) -> EventStore:
    store.close()
    again = home.store()
    again.open()
    return again


def test_a_new_store_has_nothing(store: EventStore) -> None:
    assert (store.entries(), store.held(), store.record("box-1", MATCH)) == ([], {}, [])


def test_the_log_is_what_was_appended_in_its_order(store: EventStore, home: MemoryHome | SqlHome) -> None:
    store.append(1, [b"one"])
    store.append(2, [b"two", b"three"])
    assert store.entries() == [b"one", b"two", b"three"]
    again = opened_again(store, home)
    assert again.entries() == [b"one", b"two", b"three"]
    again.append(4, [b"four"])
    assert again.entries()[3:] == [b"four"]
    again.close()


@pytest.mark.parametrize("first", [-1, 0, 1, 2, 4])
def test_lines_that_do_not_follow_the_log_are_illegal_and_change_nothing(store: EventStore, first: int) -> None:
    store.append(1, [b"one", b"two"])
    with pytest.raises(Illegal, match=f"2 lines: the next is number 3, not {first}"):
        store.append(first, [b"other", b"lines"])
    assert store.entries() == [b"one", b"two"]
    store.append(3, [b"three"])
    assert store.entries() == [b"one", b"two", b"three"]


def test_no_lines_can_be_appended_where_they_would_follow(store: EventStore) -> None:
    store.append(1, [])
    with pytest.raises(Illegal, match="the next is number 1, not 2"):
        store.append(2, [])
    assert store.entries() == []


def test_lines_are_bytes_of_any_kind_and_length(store: EventStore, home: MemoryHome | SqlHome) -> None:
    lines = [b"", bytes(range(256)), "é\0€".encode(), b"x" * 1_000_000]
    store.append(1, lines)
    store.keep([("box-1", RecordPart(MATCH, number, line)) for number, line in enumerate(lines, 1)])
    again = opened_again(store, home)
    assert again.entries() == lines
    assert again.record("box-1", MATCH) == lines
    assert {type(line) for line in again.entries() + again.record("box-1", MATCH)} == {bytes}
    again.close()


def test_lines_count_from_the_first_on_without_a_gap(store: EventStore, home: MemoryHome | SqlHome) -> None:
    assert store.keep(parts("box-1", MATCH, 2, 5)) == []
    assert (store.held(), store.record("box-1", MATCH)) == ({("box-1", MATCH): 0}, [])
    assert store.keep(parts("box-1", MATCH, 1)) == []
    assert (store.held(), store.record("box-1", MATCH)) == ({("box-1", MATCH): 2}, [raw(1), raw(2)])
    again = opened_again(store, home)
    assert again.held() == {("box-1", MATCH): 2}
    assert again.keep(parts("box-1", MATCH, 4, 3)) == []
    assert again.held() == {("box-1", MATCH): 5}
    assert again.record("box-1", MATCH) == [raw(number) for number in range(1, 6)]
    again.close()


def test_a_line_that_comes_again_is_stored_once(store: EventStore, home: MemoryHome | SqlHome) -> None:
    lines = parts("box-1", MATCH, 1, 2, 2, 4)
    assert store.keep(lines) == []
    assert store.keep(lines) == []
    again = opened_again(store, home)
    assert again.keep([*lines, *parts("box-1", MATCH, 3)]) == []
    assert again.record("box-1", MATCH) == [raw(number) for number in range(1, 5)]
    again.close()


def test_another_line_of_the_same_number_is_given_back_and_changes_nothing(store: EventStore) -> None:
    store.keep(parts("box-1", MATCH, 1, 2, 4))
    others = parts("box-1", MATCH, 4, 1, words="other")
    assert store.keep([others[0], *parts("box-1", MATCH, 3), others[1]]) == others
    assert store.record("box-1", MATCH) == [raw(number) for number in range(1, 5)]


def test_names_may_be_others_and_the_first_stay(store: EventStore) -> None:
    before, after, other = (
        b'{"type":"names","names":{"red":"Lea"}}',
        b'{"type":"names","names":{"red":""}}',
        b'{"type":"press","names":{"red":""}}',
    )
    store.keep([("box-1", RecordPart(MATCH, 1, before))])
    assert store.keep([("box-1", RecordPart(MATCH, 1, after))]) == []
    assert store.record("box-1", MATCH) == [before]
    for raw_line in (other, raw(1)):
        part = ("box-1", RecordPart(MATCH, 1, raw_line))
        assert store.keep([part]) == [part]


def test_of_two_lines_of_one_number_the_first_stays(store: EventStore) -> None:
    others = parts("box-1", MATCH, 1, words="other")
    assert store.keep([*parts("box-1", MATCH, 1), *others, *parts("box-1", MATCH, 1)]) == others
    assert store.record("box-1", MATCH) == [raw(1)]


def test_a_record_that_was_contradicted_stays_so(store: EventStore, home: MemoryHome | SqlHome) -> None:
    """Also where the line that came first and the other came together, or in a store that is opened again."""
    assert store.contradicted() == set()
    store.keep([*parts("box-1", MATCH, 1), *parts("box-1", MATCH, 1, words="other")])
    store.keep(parts("box-2", MATCH, 1, 2, 3))
    store.keep(parts("box-2", OTHER_MATCH, 1))
    assert store.contradicted() == {("box-1", MATCH)}
    for words in ("other", "another", "other"):
        assert len(store.keep(parts("box-2", MATCH, 2, words=words))) == 1
    again = opened_again(store, home)
    assert again.contradicted() == {("box-1", MATCH), ("box-2", MATCH)}
    assert len(again.keep(parts("box-2", MATCH, 2, 3, words="other"))) == 2
    assert again.record("box-2", MATCH) == [raw(1), raw(2), raw(3)]
    again.close()


def test_records_are_told_apart_by_box_and_match(store: EventStore) -> None:
    contradicting = store.keep(
        parts("box-1", MATCH, 1, words="one")
        + parts("box-2", MATCH, 1, 2, words="two")
        + parts("box-1", OTHER_MATCH, 1, 2, 3, words="three")
    )
    assert contradicting == []
    assert store.held() == {("box-1", MATCH): 1, ("box-2", MATCH): 2, ("box-1", OTHER_MATCH): 3}
    assert store.record("box-2", MATCH) == [raw(1, "two"), raw(2, "two")]
    assert store.record("box-2", OTHER_MATCH) == []


def test_a_number_that_no_line_has_is_illegal_and_nothing_is_kept(store: EventStore) -> None:
    with pytest.raises(Illegal, match=r"box-1 has no line 0 of a+: they are numbered from 1"):
        store.keep(parts("box-1", MATCH, 1, 0))
    assert store.held() == {}


def test_what_was_given_is_the_callers(store: EventStore) -> None:
    store.append(1, [b"one"])
    store.keep(parts("box-1", MATCH, 1))
    store.entries().clear()
    store.held().clear()
    store.record("box-1", MATCH).clear()
    assert (store.entries(), store.held()) == ([b"one"], {("box-1", MATCH): 1})
    assert store.record("box-1", MATCH) == [raw(1)]


CALLS: dict[str, Callable[[EventStore], object]] = {
    "entries": lambda store: store.entries(),
    "append": lambda store: store.append(1, [b"one"]),
    "keep": lambda store: store.keep(parts("box-1", MATCH, 1)),
    "held": lambda store: store.held(),
    "record": lambda store: store.record("box-1", MATCH),
}


@pytest.mark.parametrize("call", CALLS)
def test_a_store_that_is_not_open_is_unavailable(home: MemoryHome | SqlHome, call: str) -> None:
    store = home.store()
    with pytest.raises(Unavailable, match="is not open"):
        CALLS[call](store)
    store.open()
    store.close()
    store.close()
    with pytest.raises(Unavailable, match="is not open"):
        CALLS[call](store)


def test_to_open_an_open_store_changes_nothing(store: EventStore) -> None:
    store.append(1, [b"one"])
    store.open()
    assert store.entries() == [b"one"]


def test_a_fault_of_the_store_in_memory_changes_nothing() -> None:
    store = MemoryEventStore()
    store.fault = "the disk is full"
    with pytest.raises(Unavailable, match="the disk is full"):
        store.open()
    store.fault = None
    store.open()
    store.fault = "the disk is full"
    for call in CALLS.values():
        with pytest.raises(Unavailable, match="the disk is full"):
            call(store)
    store.fault = None
    assert (store.entries(), store.held()) == ([], {})


LINES = st.tuples(
    st.sampled_from(["box-1", "box-2"]),
    st.builds(
        RecordPart,
        st.sampled_from([MATCH, OTHER_MATCH]),
        st.integers(1, 6),
        st.sampled_from([b"same", b"same", b"other"]),
    ),
)


@settings(max_examples=many(20), suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(batches=st.lists(st.lists(LINES, max_size=8), max_size=6))
@pytest.mark.parametrize("kind", ["memory", "sqlite"])
def test_whatever_comes_in_whatever_order_the_first_of_each_number_is_kept(
    kind: str, batches: list[list[tuple[str, RecordPart]]], tmp_path: Path
) -> None:
    home = MemoryHome() if kind == "memory" else SqlHome(url_of_file(tmp_path / "any.sqlite"), f"any-{next(_EVENTS)}")
    store = home.store()
    store.open()
    first: dict[tuple[str, str, int], bytes] = {}
    for batch in batches:
        given_back = []
        for box, part in batch:
            if first.setdefault((box, part.match, part.number), part.raw) != part.raw:
                given_back.append((box, part))
        assert store.keep(batch) == given_back
    for box, match in {(box, match) for box, match, _ in first}:
        held = next(number for number in range(1, 9) if (box, match, number) not in first) - 1
        assert store.held()[box, match] == held
        assert store.record(box, match) == [first[box, match, number] for number in range(1, held + 1)]
    counted = store.held()
    again = opened_again(store, home)
    assert again.held() == counted
    again.close()
