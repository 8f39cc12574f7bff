"""Junk for each input of the box: a sample of what `attack_junk.py` does with ten million bytes each."""

from __future__ import annotations

import resource
from typing import TYPE_CHECKING

import pytest

from tests.adapters.web.served import served
from tests.attack import junk

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MOST_LOGGED = 40
MOST_GROWTH_KIB = 64 * 1024


@pytest.fixture
def amount() -> int:
    return 200_000


@pytest.fixture(autouse=True)
def is_bounded(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """See that junk neither fills the log nor stays in memory."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    yield
    assert len(caplog.records) <= MOST_LOGGED
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < MOST_GROWTH_KIB


def test_a_pod_s_port(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, amount: int) -> None:
    taken, faults = junk.pod_junk(monkeypatch, tmp_path, amount)
    assert taken >= amount
    assert faults < 100


def test_the_card_reader_s_port(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, amount: int) -> None:
    assert junk.scanner_junk(monkeypatch, tmp_path, amount) >= amount


def test_bodies_of_requests(monkeypatch: pytest.MonkeyPatch, amount: int) -> None:
    with served() as box:
        assert junk.body_junk(monkeypatch, box, amount) >= amount
        seats = {"seats": [{"colour": "red"}, {"colour": "yellow"}], "abandon": True}
        assert box.referee.post("/api/match", json=seats).status_code == 200
        assert box.state()["match"] is not None


def test_texts_of_files(monkeypatch: pytest.MonkeyPatch, amount: int) -> None:
    with served() as box:
        assert junk.file_junk(monkeypatch, box, amount) >= amount
        body = {"game": "claim", "key": "game", "text": "", "seats": ["red", "yellow"]}
        assert box.referee.post("/api/files/try", json=body).status_code == 400
        assert box.state()["phase"] == "lobby"


def test_messages_of_a_socket(monkeypatch: pytest.MonkeyPatch, amount: int) -> None:
    with served() as box:
        assert junk.socket_junk(monkeypatch, box, amount) >= amount
        seats = {"seats": [{"colour": "red"}, {"colour": "yellow"}], "abandon": True}
        assert box.referee.post("/api/match", json=seats).status_code == 200
        assert box.state()["match"] is not None


def test_files_of_settings_pods_and_cards(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, amount: int) -> None:
    assert junk.toml_junk(monkeypatch, tmp_path, amount) >= amount


def test_records(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, amount: int) -> None:
    assert junk.record_junk(monkeypatch, tmp_path, amount) >= amount
    assert junk.good_line() is not None


def test_the_command_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, amount: int) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert junk.argument_junk(monkeypatch, amount) >= amount
    assert junk.called("--version") == 0
