"""A store at a PostgreSQL server: who has an event, connections that are lost, and passwords that nobody may read."""

from __future__ import annotations

import logging
import sys
import traceback
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from companion.adapters.event_store import SqlEventStore
from companion.core.errors import Illegal, Unavailable
from tests.adapters.event_store.faults import asked_at_commit
from tests.adapters.event_store.homes import MATCH, parts, raw
from tests.adapters.event_store.postgresql import DATABASE, USER
from tests.adapters.event_store.proxy import Proxy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.adapters.event_store.postgresql import Server

pytestmark = pytest.mark.slow  # starts processes


@pytest.fixture
def store(server: Server, event: str) -> Iterator[SqlEventStore]:
    store = SqlEventStore(server.url(), event)
    store.open()
    yield store
    store.close()


@pytest.fixture
def proxy(server: Server) -> Iterator[Proxy]:
    proxy = Proxy(server.port)
    yield proxy
    proxy.close()


@pytest.fixture
def far(server: Server, proxy: Proxy, event: str) -> Iterator[SqlEventStore]:
    """Give a store that is reached through the proxy, with a line in its log and one of a record."""
    store = SqlEventStore(server.url(port=proxy.port), event)
    store.open()
    store.append(1, [b"one"])
    store.keep(parts("box-1", MATCH, 1))
    yield store
    store.close()


def disconnect_desks(server: Server, database: str = DATABASE) -> None:
    """End all sessions of desks, as the server's administrator may."""
    with server.connect(database) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
            " WHERE application_name = 'companion-desk' AND datname = current_database()"
        )


def refused(call: Callable[[], object], words: str) -> Unavailable:
    with pytest.raises(Unavailable, match=words) as error:
        call()
    return error.value


# Who has an event -----------------------------------------------------------------------------------------------------


def test_events_in_one_database_are_apart_and_open_at_once(server: Server, event: str, store: SqlEventStore) -> None:
    other = SqlEventStore(server.url(), f"{event}-b")
    other.open()
    for one, name in ((store, "a"), (other, "b")):
        one.append(1, [name.encode()])
        assert one.keep(parts("box-1", MATCH, 1, words=name)) == []
    assert (store.entries(), store.record("box-1", MATCH)) == ([b"a"], [raw(1, "a")])
    assert (other.entries(), other.record("box-1", MATCH)) == ([b"b"], [raw(1, "b")])
    other.close()


def test_a_second_desk_is_refused_until_the_first_has_gone(server: Server, event: str, store: SqlEventStore) -> None:
    second = SqlEventStore(server.url(), event)
    refused(second.open, f"another desk \\(at 127.0.0.1\\) has the event '{event}' in postgresql://{USER}@127.0.0.1")
    refused(second.entries, "is not open")
    store.append(1, [b"one"])
    store.close()
    second.open()
    assert second.entries() == [b"one"]
    second.close()


def test_desks_that_begin_at_once_make_the_tables_once(server: Server, new_database: Callable[[], str]) -> None:
    url = server.url(new_database())
    desks = [SqlEventStore(url, f"event-{number}") for number in range(4)]
    with ThreadPoolExecutor(len(desks)) as pool:
        assert list(pool.map(SqlEventStore.open, desks)) == [None] * 4
    for desk in desks:
        assert desk.entries() == []
        desk.close()


def test_the_servers_socket_does_too(server: Server, event: str) -> None:
    host = f"host={server.folder}&port={server.port}"
    store = SqlEventStore(f"postgresql://{USER}:{server.password}@/{DATABASE}?{host}", event)
    store.open()
    store.append(1, [b"one"])
    assert store.entries() == [b"one"]
    store.close()


def test_what_returns_is_on_the_disk_whatever_is_usual_at_the_server(
    server: Server, new_database: Callable[[], str]
) -> None:
    database = new_database()
    with server.connect(database) as connection:
        connection.execute(f"ALTER DATABASE {database} SET synchronous_commit = off".encode())
    store = SqlEventStore(server.url(database), "cup")
    store.open()
    with asked_at_commit("SHOW synchronous_commit") as settings:
        store.append(1, [b"one"])
    assert settings == [("on",)]
    store.close()


# Lost connections -----------------------------------------------------------------------------------------------------


def test_a_lost_connection_is_told_and_the_next_call_connects_again(server: Server, store: SqlEventStore) -> None:
    store.append(1, [b"one"])
    store.keep(parts("box-1", MATCH, 1, 3))
    disconnect_desks(server)
    refused(lambda: store.append(2, [b"two"]), f"postgresql://{USER}@127.0.0.1:{server.port}/{DATABASE}: .*terminat")
    assert store.entries() == [b"one"]
    store.append(2, [b"two"])
    disconnect_desks(server)
    refused(lambda: store.keep(parts("box-1", MATCH, 2)), "terminat")
    assert store.held() == {("box-1", MATCH): 1}
    assert store.keep(parts("box-1", MATCH, 2)) == []
    assert (store.held(), store.entries()) == ({("box-1", MATCH): 3}, [b"one", b"two"])


def test_a_connection_that_was_lost_has_the_lock_again(server: Server, event: str, store: SqlEventStore) -> None:
    disconnect_desks(server)
    refused(store.entries, "terminat")
    assert store.entries() == []
    refused(SqlEventStore(server.url(), event).open, "another desk")


def test_a_desk_that_came_between_is_not_disturbed(server: Server, event: str, store: SqlEventStore) -> None:
    store.append(1, [b"one"])
    disconnect_desks(server)
    refused(store.entries, "terminat")
    second = SqlEventStore(server.url(), event)
    second.open()
    second.append(2, [b"two"])
    for _ in range(2):
        refused(lambda: store.append(2, [b"other"]), "another desk")
    second.append(3, [b"three"])
    second.close()
    with pytest.raises(Illegal, match="has 3 lines"):
        store.append(2, [b"other"])
    assert store.entries() == [b"one", b"two", b"three"]


def test_a_server_that_dies_and_comes_back_has_all_that_was_stored(server: Server, store: SqlEventStore) -> None:
    store.append(1, [b"one", b"two"])
    store.keep(parts("box-1", MATCH, 1, 2))
    server.kill()
    try:
        refused(lambda: store.append(3, [b"three"]), "postgresql://")
        for _ in range(2):
            refused(store.entries, "postgresql://.*refused")
            refused(store.held, "postgresql://.*refused")
    finally:
        server.start()
    assert (store.entries(), store.held()) == ([b"one", b"two"], {("box-1", MATCH): 2})
    store.append(3, [b"three"])
    assert store.entries() == [b"one", b"two", b"three"]


def test_a_session_that_the_server_still_believes_in_is_ended_by_the_desk_that_had_it(
    server: Server, proxy: Proxy, event: str, far: SqlEventStore
) -> None:
    proxy.cut()
    refused(lambda: far.append(2, [b"two"]), "postgresql://")
    refused(SqlEventStore(server.url(), event).open, "another desk")  # by the session that nobody uses any more
    assert far.entries() == [b"one"]
    far.append(2, [b"two"])
    assert far.entries() == [b"one", b"two"]


def test_lines_of_the_log_whose_storing_was_not_known_are_taken_back(proxy: Proxy, far: SqlEventStore) -> None:
    proxy.lose_after = b"COMMIT"
    refused(lambda: far.append(2, [b"two", b"three"]), "postgresql://")
    assert proxy.lose_after is None
    assert far.entries() == [b"one"]
    far.append(2, [b"other"])
    assert far.entries() == [b"one", b"other"]


def test_lines_that_were_told_lost_are_taken_back_also_when_it_is_opened_anew(proxy: Proxy, far: SqlEventStore) -> None:
    proxy.lose_after = b"COMMIT"
    refused(lambda: far.append(2, [b"two"]), "postgresql://")
    far.close()
    far.open()
    assert far.entries() == [b"one"]


def test_lines_on_which_another_desk_went_on_are_not_taken_back(
    server: Server, proxy: Proxy, event: str, far: SqlEventStore
) -> None:
    proxy.lose_after = b"COMMIT"
    refused(lambda: far.append(2, [b"two"]), "postgresql://")
    disconnect_desks(server)
    second = SqlEventStore(server.url(), event)
    second.open()
    assert second.entries() == [b"one", b"two"]
    second.append(3, [b"three"])
    second.close()
    assert far.entries() == [b"one", b"two", b"three"]


def test_lines_of_records_whose_storing_was_not_known_come_again(proxy: Proxy, far: SqlEventStore) -> None:
    proxy.lose_after = b"COMMIT"
    refused(lambda: far.keep(parts("box-1", MATCH, 2) + parts("box-2", MATCH, 1)), "postgresql://")
    assert far.keep(parts("box-1", MATCH, 2, 3) + parts("box-2", MATCH, 1)) == []
    assert far.held() == {("box-1", MATCH): 3, ("box-2", MATCH): 1}
    assert far.record("box-1", MATCH) == [raw(1), raw(2), raw(3)]


def test_a_connection_lost_before_the_end_of_a_transaction_leaves_nothing_of_it(
    proxy: Proxy, far: SqlEventStore
) -> None:
    proxy.lose_after = b"INSERT INTO event_line"
    refused(lambda: far.keep(parts("box-1", MATCH, *range(2, 200)) + parts("box-2", MATCH, 1)), "postgresql://")
    assert proxy.lose_after is None
    assert far.held() == {("box-1", MATCH): 1}
    proxy.lose_after = b"INSERT INTO event_log"
    refused(lambda: far.append(2, [b"two", b"three"]), "postgresql://")
    assert proxy.lose_after is None
    assert far.entries() == [b"one"]


def test_a_server_that_only_reads_is_told(server: Server, new_database: Callable[[], str]) -> None:
    database = new_database()
    store = SqlEventStore(server.url(database), "cup")
    store.open()
    store.append(1, [b"one"])
    with server.connect(database) as connection:
        connection.execute(f"ALTER DATABASE {database} SET default_transaction_read_only = on".encode())
    disconnect_desks(server, database)
    refused(store.entries, "terminat")
    refused(lambda: store.append(2, [b"two"]), "read-only transaction")
    refused(lambda: store.keep(parts("box-1", MATCH, 1)), "read-only transaction")
    assert (store.entries(), store.held()) == ([b"one"], {})
    store.close()


# What is told, and what not -------------------------------------------------------------------------------------------


def test_no_password_is_in_anything_that_is_said(
    server: Server, event: str, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    wrong = "hunter2%2Fsecret"
    urls = {
        f"postgresql://{USER}:{wrong}@127.0.0.1:{server.port}/{DATABASE}": "password authentication failed",
        f"postgresql://{USER}@127.0.0.1:{server.port}/{DATABASE}?password={wrong}": "password authentication failed",
        f"postgresql://{USER}:{wrong}@127.0.0.1:1/{DATABASE}": "refused",
        f"postgresql://{USER}:{wrong}@/{DATABASE}?host=/nowhere/hunter2/secret": "No such file",
        f"postgresql://{USER}:{wrong}@127.0.0.1:{server.port}/{DATABASE}?hunter2/secret=1": "invalid|option",
        server.url("missing"): 'database "missing" does not exist',
    }
    said = []
    for url, words in urls.items():
        store = SqlEventStore(url, event)
        error = refused(store.open, words)
        said += [repr(store), repr(error), str(error), *traceback.format_exception(error)]
    store = SqlEventStore(server.url(), event)
    store.open()
    disconnect_desks(server)
    error = refused(store.entries, "terminat")
    store.close()
    said += [repr(store), repr(error), *traceback.format_exception(error), caplog.text, *capfd.readouterr()]
    shown = [line for text in said for line in text.splitlines() if "hunter2" in line or server.password in line]
    assert shown == []


def test_a_server_is_backed_up_by_its_own_program(store: SqlEventStore, tmp_path: Path) -> None:
    refused(lambda: store.backup(tmp_path / "backup.sqlite"), "is backed up by pg_dump")
    assert list(tmp_path.iterdir()) == []


def test_without_psycopg_it_says_what_to_install(server: Server, event: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    refused(SqlEventStore(server.url(), event).open, r"needs psycopg.*pip install 'table-companion\[postgresql\]'")
