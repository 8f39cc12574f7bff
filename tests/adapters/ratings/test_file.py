"""The file of ratings: whole or as before, for its owner alone; a broken one is kept aside and said."""

from __future__ import annotations

import stat
from pathlib import Path

import msgspec
import pytest

from companion.adapters.ratings.book import Person, Rated, Rating, Ratings
from companion.adapters.ratings.file import RatingsFile, read_ratings
from companion.core.errors import Illegal, Malformed, Unavailable
from companion.tournament.results import Place, TableResult

PEOPLE = {1: Person("Ann", "Club"), 2: Person("Zoë"), 3: Person("Ann", "Club")}
RESULTS = (TableResult(1, 1, (Place(1, 1), Place(2, 2)), is_final=True),)


def test_without_a_file_there_are_no_ratings(tmp_path: Path) -> None:
    assert RatingsFile(tmp_path).read() == Ratings()
    assert list(tmp_path.iterdir()) == []


def test_what_was_rated_is_there_for_the_next_program_to_the_last_bit(tmp_path: Path) -> None:
    ratings = RatingsFile(tmp_path / "new").add("spring", RESULTS, PEOPLE)
    assert [one.person.name for one in ratings.listed()] == ["Ann", "Zoë"]
    assert RatingsFile(tmp_path / "new").read() == ratings
    assert stat.S_IMODE((tmp_path / "new" / "ratings.json").stat().st_mode) == 0o600


def test_an_event_that_is_added_twice_changes_no_byte(tmp_path: Path) -> None:
    file = RatingsFile(tmp_path)
    file.add("spring", RESULTS, PEOPLE)
    before, written = file.path.read_bytes(), file.path.stat().st_ino
    file.add("spring", RESULTS, PEOPLE)
    assert (file.path.read_bytes(), file.path.stat().st_ino) == (before, written)


def test_nothing_new_needs_neither_library_nor_disk(tmp_path: Path) -> None:
    def missing(*_: object) -> list[Rating]:
        raise Unavailable("openskill is missing")

    file = RatingsFile(tmp_path, missing)
    assert file.add("spring", (), PEOPLE) == Ratings()
    with pytest.raises(Unavailable, match="openskill is missing"):
        file.add("spring", RESULTS, PEOPLE)
    assert list(tmp_path.iterdir()) == []


def test_what_is_refused_changes_nothing(tmp_path: Path) -> None:
    file = RatingsFile(tmp_path)
    before = file.add("spring", RESULTS, PEOPLE)
    with pytest.raises(Illegal):
        file.add("spring", (TableResult(2, 1, (Place(1, 1), Place(3, 2)), is_final=True),), PEOPLE)
    assert file.read() == before


BROKEN = [
    b"", b"{", b"[]", b'{"people":[1]}', b'{"people":[],"more":1}', b"\xff", b"[" * 200_000, b'{"version":"1"}',
    b'{"people":[{"person":{"name":"A"},"rating":{"mu":25,"sigma":0}}]}',
    b'{"people":[{"person":{"name":"A"},"rating":{"mu":25,"sigma":-1}}]}',
    b'{"people":[{"person":{"name":"A"},"rating":{"mu":25,"sigma":1}},'
    b'{"person":{"name":"a"},"rating":{"mu":25,"sigma":1}}]}',
]  # fmt: skip


@pytest.mark.parametrize("content", BROKEN)
def test_a_broken_file_is_kept_aside_and_said_and_ratings_begin_anew(tmp_path: Path, content: bytes) -> None:
    file = RatingsFile(tmp_path)
    file.path.write_bytes(content)
    assert file.read() == Ratings()
    (aside,) = tmp_path.iterdir()
    assert aside.read_bytes() == content
    assert "ratings.json has no ratings that can be read: " in file.fault
    assert file.fault.endswith(f"it is kept as {aside.name}, and ratings begin anew")
    assert len(file.add("spring", RESULTS, PEOPLE).people) == 2


@pytest.mark.parametrize("content", BROKEN)
def test_who_only_reads_is_told_and_sets_nothing_aside(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "other.json"
    path.write_bytes(content)
    with pytest.raises(Malformed, match=r"other\.json has no ratings that can be read: "):
        read_ratings(path)
    assert [one.name for one in tmp_path.iterdir()] == ["other.json"]


def test_a_newer_file_is_left_alone(tmp_path: Path) -> None:
    file = RatingsFile(tmp_path)
    file.path.write_bytes(b'{"version":2,"people":{}}')
    with pytest.raises(Unavailable, match="was written by a newer version"):
        file.read()
    with pytest.raises(Unavailable, match="was written by a newer version"):
        file.add("spring", RESULTS, PEOPLE)
    assert file.path.read_bytes() == b'{"version":2,"people":{}}'


def test_a_disk_that_fails_is_said_and_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    file = RatingsFile(tmp_path)
    before = file.add("spring", RESULTS, PEOPLE)
    monkeypatch.setattr("companion.adapters.ratings.file.put", full)
    with pytest.raises(Unavailable, match="the ratings cannot be stored: No space left on device"):
        file.add("autumn", RESULTS, PEOPLE)
    assert file.read() == before


def test_the_file_is_read_by_people_too(tmp_path: Path) -> None:
    ratings = Ratings(people=(Rated(Person("Ann", "Club"), Rating(27.5, 8.0), 3),), counted={"spring": {"1": (1, 2)}})
    (tmp_path / "ratings.json").write_bytes(msgspec.json.encode(ratings))
    assert RatingsFile(tmp_path).read() == ratings
