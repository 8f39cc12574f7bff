"""Names of people: when two are the same, and taking one out of a record."""

from __future__ import annotations

import json

import pytest

from companion.core.errors import Malformed
from companion.core.people.names import is_same, mentions, names_in, tidy, with_name
from companion.core.record.lines import Names, parse_line


def names_line(**names: str) -> bytes:
    return json.dumps({"type": "names", "names": names}).encode()


@pytest.mark.parametrize(
    ("one", "other"), [("Ann", "ann"), ("Ann ", " ANN"), ("Zoë", "Zoe\u0308"), ("Straße", "STRASSE")]
)
def test_two_spellings_of_a_name_are_one_person(one: str, other: str) -> None:
    assert is_same(one, other)


@pytest.mark.parametrize(("one", "other"), [("Ann", "Anna"), ("Ann B", "AnnB"), ("Zoë", "Zoe")])
def test_other_names_are_others(one: str, other: str) -> None:
    assert not is_same(one, other)


def test_a_name_is_kept_without_needless_blanks() -> None:
    assert tidy("  Ann   B ") == "Ann B"


@pytest.mark.parametrize("name", ["", "   ", "a" * 13, "Ann\u0007", "Ann\u202e"])
def test_what_is_no_name_is_refused_with_a_sentence(name: str) -> None:
    with pytest.raises(Malformed, match="no name of a player: 1 to 12 characters"):
        tidy(name)


def test_a_name_taken_out_leaves_the_line_and_the_other_names() -> None:
    line = parse_line(with_name(names_line(red="Ann", blue="Bob"), "ANN", ""), 2)
    assert isinstance(line, Names)
    assert line.names == {"red": "", "blue": "Bob"}


def test_a_name_is_changed_and_the_wall_time_kept() -> None:
    raw = b'{"type":"names","wall":"2025-03-01T19:30:00Z","names":{"red":"Ann"}}'
    line = parse_line(with_name(raw, "Ann", "Anna"), 2)
    assert (line.wall, line) == ("2025-03-01T19:30:00Z", Names(names={"red": "Anna"}, wall=line.wall))  # type: ignore[dict-item]


@pytest.mark.parametrize(
    "raw", [names_line(red="Bob"), b'{"type":"remark","text":"\\"names\\": Ann"}', b"junk with names", b'{"names"']
)
def test_every_other_line_stays_as_it_is_byte_by_byte(raw: bytes) -> None:
    assert with_name(raw, "Ann", "") is raw


def test_every_name_that_a_record_ever_had_is_found() -> None:
    assert list(names_in([b"{}", names_line(red="Ann", blue=""), names_line(red="Anna")])) == ["Ann", "Anna"]


def test_lines_that_seals_cover_and_that_tell_of_somebody_are_found_by_whole_words() -> None:
    lines = [
        names_line(red="Ann"),
        b'{"type":"remark","text":"ann agrees to everything"}',
        b'{"type":"undo","reason":"a slip","by":"Ann"}',
        b'{"type":"remark","text":"Anna agrees; the banner fell"}',
        b'{"type":"press","colour":"red","role":"Ann","t_ns":1}',
        b"junk about Ann",
    ]
    assert mentions(lines, "Ann") == [2, 3]


def test_lines_that_only_look_like_a_record_tell_of_nobody() -> None:
    lines = [b'["Ann"]', b'"Ann"', b"[" * 50_000, b'{"text":7}', b'{"type":"remark","text":"Ann leaves"}']
    assert mentions(lines, "Ann") == [5]
