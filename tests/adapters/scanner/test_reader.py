"""The card reader's thread on a pseudo-terminal: codes with their time, unplugging, closing."""

from __future__ import annotations

import queue
import time
from functools import partial

import pytest

from companion.adapters.pods.ports import open_port
from companion.adapters.scanner.reader import Scanner
from companion.core.play.scanning import Scan, Unreadable
from tests.fakes.wired_reader import WiredReader

PATIENCE_S = 15.0


@pytest.fixture
def reader(tmp_path):
    made = WiredReader(tmp_path / "scanner")
    yield made
    made.unplug()


@pytest.fixture
def scanned(reader):
    scans = queue.Queue[tuple[Scan | Unreadable, int]]()
    states = queue.Queue[str | None]()
    scanner = Scanner(
        reader.path,
        partial(open_port, baud=9600),
        lambda scan, t_ns: scans.put((scan, t_ns)),
        states.put,
        prefix="~",
    )
    scanner.start()
    assert states.get(timeout=PATIENCE_S) is None
    yield scans, states
    scanner.close()
    scanner.close()


def test_codes_come_with_the_time_at_which_they_came(reader, scanned):
    scans, _ = scanned
    before_ns = time.monotonic_ns()
    reader.show(b"~APACHE-001\r")
    scan, t_ns = scans.get(timeout=PATIENCE_S)
    assert scan == Scan("APACHE-001")
    assert before_ns <= t_ns <= time.monotonic_ns()
    reader.show(b"APACHE-002\r\n")
    assert isinstance(scans.get(timeout=PATIENCE_S)[0], Unreadable)


def test_an_unplugged_reader_is_told_and_taken_again_when_it_is_back(reader, scanned):
    scans, states = scanned
    reader.unplug()
    assert "has gone" in states.get(timeout=PATIENCE_S)
    assert "is not there" in states.get(timeout=PATIENCE_S)
    reader.plug()
    assert states.get(timeout=PATIENCE_S) is None
    reader.show(b"~X\n")
    assert scans.get(timeout=PATIENCE_S)[0] == Scan("X")
