"""What a store's URL may be, and that no password in it is ever shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.adapters.event_store import SqlEventStore, url_of_file
from companion.adapters.event_store.address import read_address
from companion.core.errors import Malformed

SECRET = "p@ss/w0rd"
QUOTED = "p%40ss%2Fw0rd"


def test_a_file_has_an_absolute_or_a_relative_path() -> None:
    assert read_address("sqlite:////srv/cup/event.sqlite").path == Path("/srv/cup/event.sqlite")
    assert read_address("sqlite:///event.sqlite").path == Path("event.sqlite")


@pytest.mark.parametrize("name", ["event.sqlite", "with space.sqlite", "50%.sqlite", "ü@:.sqlite"])
def test_the_url_of_a_file_leads_to_it(tmp_path: Path, name: str) -> None:
    assert read_address(url_of_file(tmp_path / name)).path == tmp_path / name


@pytest.mark.parametrize("scheme", ["postgresql", "postgres", "postgresql+psycopg"])
def test_a_server_is_asked_by_psycopg(scheme: str) -> None:
    address = read_address(f"{scheme}://desk:{QUOTED}@db.example:5433/events")
    assert (address.path, address.url.drivername) == (None, "postgresql+psycopg")
    assert address.url.password == SECRET
    assert address.name == "postgresql://desk@db.example:5433/events"


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("", "cannot be read"),
        ("event.sqlite", "cannot be read"),
        ("postgresql://desk:p@ss:word@db:port/events", "cannot be read"),
        ("mysql://desk:secret@db/events", "cannot be 'mysql'"),
        ("postgresql+psycopg2://desk:secret@db/events", r"cannot be 'postgresql\+psycopg2'"),
        ("sqlite://event.sqlite", "three slashes"),
        ("sqlite://desk:secret@db/event.sqlite", "three slashes"),
        ("sqlite:///event.sqlite?mode=ro", "three slashes"),
        ("sqlite://", "must outlive the desk"),
        ("sqlite:///:memory:", "must outlive the desk"),
    ],
)
def test_no_other_url_is_taken_and_none_is_repeated(url: str, words: str) -> None:
    with pytest.raises(Malformed, match=words) as refused:
        SqlEventStore(url, "cup")
    assert "sqlite:///PATH" in str(refused.value)
    assert not {"secret", "ss:word", "p@ss"} & set(str(refused.value).split())
    assert refused.value.__suppress_context__ or refused.value.__context__ is None


@pytest.mark.parametrize(
    "url",
    [
        f"postgresql://desk:{QUOTED}@db/events",
        f"postgresql://desk@db/events?password={QUOTED}",
        f"postgresql://desk@db/events?sslkey=key&sslpassword={QUOTED}",
    ],
)
def test_no_password_is_shown_however_it_is_written(url: str) -> None:
    address = read_address(url)
    said = f"FATAL: no '{SECRET}'\n  for {QUOTED}, nor {SECRET.replace('@', '%40')}"
    shown = [repr(address), str(address), repr(SqlEventStore(url, "cup")), address.name, address.clean(said)]
    assert [text for text in shown if "w0rd" in text] == []
    assert address.clean("FATAL: no\n\tpg_hba  entry") == "FATAL: no pg_hba entry"


def test_nothing_is_read_or_made_before_it_is_opened(tmp_path: Path) -> None:
    SqlEventStore(url_of_file(tmp_path / "folder" / "event.sqlite"), "cup")
    SqlEventStore("postgresql://desk@host.invalid/events", "cup")
    assert list(tmp_path.iterdir()) == []
