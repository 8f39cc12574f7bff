"""`companion people`: list, export, rename, delete, by whoever may read the state directory."""

from __future__ import annotations

import csv
import io
import json
import os
from typing import TYPE_CHECKING

import pytest

from companion.adapters.keys.box_key import BoxKey
from companion.adapters.keys.ed25519 import check
from companion.adapters.people_file import PeopleFile
from companion.adapters.sqlite_journal import SqliteJournal, export_lines
from companion.app.storing.sealing import sealed_copy
from companion.cli.main import main
from companion.core.record.seals import verify_seals
from tests.core.people.records import record

if TYPE_CHECKING:
    from pathlib import Path

NAMES = {"red": "Ann", "blue": "Bob"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A state directory with two matches of Ann and Bob, sealed, and a list with one more."""
    key = BoxKey(tmp_path)
    key.prepare()
    journal = SqliteJournal(tmp_path, wall_time=lambda: "2025-03-01T19:30:00+01:00")
    journal.open(lambda *_: None, lambda _: None)
    for _ in range(2):
        lines = record({"red": 400, "blue": 500}, names=NAMES)
        journal.finish(journal.begin("apache", sealed_copy(lines, key.signer), None))
    journal.close()
    PeopleFile(tmp_path).change(lambda book: book.with_people(["Cleo"]))
    return tmp_path


def run(folder: Path, *arguments: str) -> int:
    config = folder / "config.toml"
    if not config.exists():
        config.write_text("")
    name, *others = arguments
    return main(["people", name, "--config", str(config), "--state-dir", str(folder), *others])


def test_players_are_listed_with_their_matches(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(folder, "list") == 0
    assert [line.split() for line in capsys.readouterr().out.splitlines()] == [
        ["Ann", "2", "matches"], ["Bob", "2", "matches"], ["Cleo", "0", "matches"],
    ]  # fmt: skip
    assert run(folder, "list", "--json") == 0
    assert json.loads(capsys.readouterr().out.splitlines()[0]) == {"name": "Ann", "matches": 2}


def test_nothing_stored_is_an_empty_list(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path, "list") == 0
    assert capsys.readouterr().out == ""


def test_everything_is_exported(folder: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert run(folder, "export") == 0
    rows = list(csv.DictReader(io.StringIO(capfdbinary.readouterr().out.decode("utf-8-sig"))))
    assert [(row["match"], row["player"]) for row in rows] == [("1", "Ann"), ("1", "Bob"), ("2", "Ann"), ("2", "Bob")]
    assert run(folder, "export", "--format", "jsonl", "-o", str(folder / "people.jsonl")) == 0
    assert len((folder / "people.jsonl").read_bytes().splitlines()) == 2


def test_a_deleted_name_is_in_no_file_and_every_seal_still_holds(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(folder, "delete", "ann", "--yes") == 0
    assert capsys.readouterr().out == "ann is deleted: from the list, the links and 2 records\n"
    assert not any(b"Ann" in path.read_bytes() for path in folder.rglob("*") if path.is_file())
    found = verify_seals((line + b"\n" for line in export_lines(folder, 1)), check)
    assert (found.fault, found.seals) == (None, 1)


def test_a_name_is_changed_everywhere(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(folder, "rename", "Ann", "Anna") == 0
    assert capsys.readouterr().out == "Ann is called Anna from now on, in 2 records too\n"
    assert b'"Anna"' in export_lines(folder, 1)[1]


def test_whoever_is_not_there_cannot_be_deleted(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(folder, "delete", "Nobody", "--yes") == 1
    assert capsys.readouterr().err == "companion: nobody here is called Nobody\n"


def test_nothing_is_deleted_without_a_yes(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("n\n"))
    assert run(folder, "delete", "Ann") != 0
    assert "for good?" in capsys.readouterr().err
    assert b'"Ann"' in export_lines(folder, 1)[1]


def test_while_the_box_runs_its_page_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    journal = SqliteJournal(folder)
    journal.open(lambda *_: None, lambda _: None)
    try:
        assert run(folder, "delete", "Ann", "--yes") == 1
    finally:
        journal.close()
    assert "the box is running: change names on its page /people" in capsys.readouterr().err
    assert b'"Ann"' in export_lines(folder, 1)[1]


def test_a_name_in_the_settings_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "config.toml").write_text('[seats.red]\nname = "Ann"\n')
    assert run(folder, "delete", "Ann", "--yes") == 0
    assert "the settings file still calls the player of red Ann: [seats.red] name" in capsys.readouterr().err


def test_a_missing_folder_is_said_and_not_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    missing = tmp_path / "missing"
    config = tmp_path / "config.toml"
    config.write_text("")
    assert main(["people", "delete", "--config", str(config), "--state-dir", str(missing), "Ann", "--yes"]) == 1
    assert "there is no such folder" in capsys.readouterr().err
    assert not missing.exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read everything")
def test_a_list_that_may_not_be_read_is_said(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    PeopleFile(folder).path.chmod(0)
    assert run(folder, "list") == 1
    assert "people.json" in capsys.readouterr().err
