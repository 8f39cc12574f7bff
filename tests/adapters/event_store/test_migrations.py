"""Stores of other versions: an older one is brought forward with all that is in it, a newer one is refused by name."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine

from companion.adapters.event_store import SqlEventStore, url_of_file
from companion.adapters.event_store.migrating import SCRIPTS
from companion.adapters.event_store.tables import METADATA, VERSION_TABLE
from companion.core.errors import Unavailable
from companion.tournament.wire import RecordPart
from tests.adapters.event_store.faults import each_connection
from tests.adapters.event_store.older import down_to, of_revision, of_revision_0001, revision_of

if TYPE_CHECKING:
    from pathlib import Path

NEWEST = "0003"


class Urls:
    """The URL of an empty place, for a store and for SQLAlchemy itself."""

    def __init__(self, store: str, plain: str) -> None:
        self.store, self.plain = store, plain


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def urls(request: pytest.FixtureRequest, tmp_path: Path) -> Urls:
    if request.param == "sqlite":
        url = url_of_file(tmp_path / "event.sqlite")
        return Urls(url, url)
    database = request.getfixturevalue("new_database")()
    url = request.getfixturevalue("server").url(database)
    return Urls(url, url.replace("postgresql:", "postgresql+psycopg:"))


def test_the_revisions_are_one_line_and_end_at_the_newest() -> None:
    scripts = ScriptDirectory(str(SCRIPTS))
    assert [script.revision for script in scripts.walk_revisions()] == [NEWEST, "0002", "0001"]
    assert scripts.get_heads() == [NEWEST]


def test_a_store_of_the_first_version_is_brought_forward_with_its_content(urls: Urls) -> None:
    of_revision_0001(urls.plain)
    store = SqlEventStore(urls.store, "cup")
    store.open()
    assert revision_of(urls.plain) == NEWEST
    assert store.entries() == [b"one", b"two"]
    counts = {("box-1", "full"): 2, ("box-2", "gap"): 1, ("box-3", "late"): 0, ("box-4", "empty"): 0}
    assert store.held() == counts
    assert store.record("box-1", "full") == [b"one", b"two"]
    assert store.keep([("box-2", RecordPart("gap", 2, b"two")), ("box-3", RecordPart("late", 1, b"one"))]) == []
    assert store.held() == {**counts, ("box-2", "gap"): 3, ("box-3", "late"): 2}
    store.append(3, [b"three"])
    store.close()
    other = SqlEventStore(urls.store, "other")
    other.open()
    assert (other.entries(), other.held()) == ([b"one"], {("box-1", "full"): 1})
    other.close()


def test_the_way_back_and_forth_again_keeps_what_is_stored(urls: Urls) -> None:
    store = SqlEventStore(urls.store, "cup")
    store.open()
    store.append(1, [b"one"])
    store.keep([("box-1", RecordPart("gap", number, b"line")) for number in (1, 2, 4)])
    store.close()
    down_to(urls.plain, "0001")
    assert revision_of(urls.plain) == "0001"
    store.open()
    assert (store.entries(), store.held()) == ([b"one"], {("box-1", "gap"): 2})
    store.close()


def test_a_newer_store_is_refused_by_its_revision_and_left_alone(urls: Urls) -> None:
    store = SqlEventStore(urls.store, "cup")
    store.open()
    store.append(1, [b"one"])
    store.close()
    of_revision(urls.plain, "0099")
    with pytest.raises(Unavailable, match=r"newer version \(revision 0099; this program knows up to 0003\)"):
        store.open()
    with pytest.raises(Unavailable, match="is not open"):
        store.entries()
    assert revision_of(urls.plain) == "0099"
    of_revision(urls.plain, NEWEST)
    store.open()
    assert store.entries() == [b"one"]
    store.close()


def test_stores_of_one_process_are_made_at_once_in_as_many_threads(tmp_path: Path) -> None:
    stores = [SqlEventStore(url_of_file(tmp_path / f"{number}.sqlite"), "cup") for number in range(8)]
    with ThreadPoolExecutor(len(stores)) as pool:
        assert list(pool.map(SqlEventStore.open, stores)) == [None] * len(stores)
    for store in stores:
        assert (store.entries(), store.held()) == ([], {})
        store.close()


def test_a_change_of_the_tables_that_fails_leaves_them_as_they_were(tmp_path: Path) -> None:
    url = url_of_file(tmp_path / "event.sqlite")
    of_revision_0001(url)
    store = SqlEventStore(url, "cup")
    refusing = "CREATE TEMP TRIGGER no BEFORE UPDATE ON main.event_record BEGIN SELECT RAISE(ABORT, 'cut off'); END"
    with each_connection(refusing), pytest.raises(Unavailable, match="cut off"):
        store.open()
    assert revision_of(url) == "0001"
    store.open()
    assert store.held()["box-1", "full"] == 2
    store.close()


def test_the_tables_are_those_that_queries_know(urls: Urls) -> None:
    store = SqlEventStore(urls.store, "cup")
    store.open()
    store.close()
    engine = create_engine(urls.plain)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE, "compare_type": True})
        differences = compare_metadata(context, METADATA)
    engine.dispose()
    assert differences == []
