"""A desk that is killed at any moment has lost nothing that a call has returned for, and left nothing half."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from companion.adapters.event_store import SqlEventStore, url_of_file
from companion.core.errors import Unavailable
from tests.adapters.event_store.store_child import BATCH, BOXES, MATCH, line

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

    Child = subprocess.Popen[bytes]

pytestmark = pytest.mark.slow  # starts processes

ROOT = Path(__file__).parents[3]
KILLS = 3
FREED_S = 60


def child(url: str, event: str) -> AbstractContextManager[Child]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.adapters.event_store.store_child", event],
        stdout=subprocess.PIPE,
        cwd=ROOT,
        env={**os.environ, "STORE_URL": url},
    )


def killed_after(url: str, event: str, turns: int) -> int:
    """Kill a desk after it has said so many turns; give the last that it could say."""
    with child(url, event) as desk:
        assert desk.stdout is not None
        said = [desk.stdout.readline() for _ in range(turns)]
        desk.kill()
        said += desk.stdout.readlines()  # what it said before the kill came through
    assert desk.returncode == -9
    return int(said[-1])


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return url_of_file(tmp_path / "event.sqlite")
    found: str = request.getfixturevalue("server").url()
    return found


@pytest.fixture
def store(url: str, event: str) -> Iterator[SqlEventStore]:
    store = SqlEventStore(url, event)
    yield store
    store.close()


def test_what_a_call_has_returned_for_is_there_and_nothing_is_half(url: str, event: str, store: SqlEventStore) -> None:
    chance = random.Random(4)
    for _ in range(KILLS):
        turns = killed_after(url, event, chance.randint(1, 20))
        open_freed(store)
        log, records = store.entries(), {box: store.record(f"box-{box}", MATCH) for box in range(BOXES)}
        store.close()
        for lines in (log, *records.values()):
            assert turns * BATCH <= len(lines) <= (turns + 1) * BATCH
            assert len(lines) % BATCH == 0
            assert lines == [line(number) for number in range(1, len(lines) + 1)]


def open_freed(store: SqlEventStore) -> None:
    """Open a store whose desk has just died: a server may take a moment to notice."""
    deadline = time.monotonic() + FREED_S
    while True:
        try:
            store.open()
        except Unavailable as error:
            if "another desk" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.05)
        else:
            return


def test_a_desk_that_runs_keeps_a_second_one_away(url: str, event: str, store: SqlEventStore) -> None:
    with child(url, event) as desk:
        try:
            assert desk.stdout is not None
            assert desk.stdout.readline() == b"1\n"
            held_by = f"process {desk.pid}" if url.startswith("sqlite") else "at 127.0.0.1"
            with pytest.raises(Unavailable, match=rf"another desk \({held_by}\)"):
                store.open()
            assert desk.stdout.readline() == b"2\n"
        finally:
            desk.kill()
    open_freed(store)
    assert len(store.entries()) >= 2 * BATCH
