"""`companion ratings`: the best first, from the state directory or a file that is named; nothing is changed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import msgspec
import pytest

from companion.adapters.ratings.book import Person, Rated, Rating, Ratings
from companion.cli.main import main

if TYPE_CHECKING:
    from pathlib import Path

RATINGS = Ratings(
    people=(
        Rated(Person("Ann", "Club"), Rating(25.0, 2.0), 12),
        Rated(Person("Zoë\x1b[2J"), Rating(20.0, 1.0), 1),
        Rated(Person("Bob", profile="bob-k"), Rating(30.5, 2.5), 7),
    )
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "ratings.json").write_bytes(msgspec.json.encode(RATINGS))
    (tmp_path / "config.toml").write_text("")
    return tmp_path


def run(folder: Path, *arguments: str) -> int:
    return main(["ratings", "--config", str(folder / "config.toml"), "--state-dir", str(folder), *arguments])


def test_players_are_listed_the_best_first(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(folder) == 0
    assert capsys.readouterr().out.splitlines() == [
        "   1   23.00  (30.50 ± 2.50,   7 tables)  Bob",
        "   2   19.00  (25.00 ± 2.00,  12 tables)  Ann (Club)",
        "   3   17.00  (20.00 ± 1.00,    1 table)  'Zoë\\x1b[2J'",
    ]


def test_as_json_they_are_one_object_a_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(folder, "--json") == 0
    assert json.loads(capsys.readouterr().out.splitlines()[0]) == {
        "place": 1, "name": "Bob", "club": "", "profile": "bob-k", "rating": 23.0, "mu": 30.5, "sigma": 2.5,
        "tables": 7,
    }  # fmt: skip


def test_a_file_that_is_named_is_read_and_no_settings_are_needed(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other.json"
    other.write_bytes(b'{"people":[]}')
    (folder / "config.toml").write_text("nonsense = 1\n")
    assert run(folder, str(other)) == 0
    assert capsys.readouterr() == ("", "")


def test_where_there_are_none_it_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "config.toml").write_text("")
    assert run(tmp_path) == 1
    assert capsys.readouterr().err == (
        f"companion: there are no ratings yet: {tmp_path}/ratings.json is not there; a desk writes it\n"
    )


def test_a_broken_file_is_refused_in_words_and_left(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "ratings.json").write_bytes(b"{")
    assert run(folder) == 1
    assert "ratings.json has no ratings that can be read: " in capsys.readouterr().err
    assert (folder / "ratings.json").read_bytes() == b"{"
