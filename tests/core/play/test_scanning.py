"""A card reader's bytes: any line end, any portions, any rubbish."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.panel import Colour
from companion.core.play.scanning import (
    LONGEST_CODE,
    SCANNER,
    Scan,
    ScannedLines,
    Unreadable,
    scanned_remark,
    shown_codes,
)
from companion.core.record.lines import Remark, Reveal, Seat, Setup, Undo
from companion.core.ruling.judge import Judge
from companion.games import registry

CODES = st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-", min_size=1, max_size=LONGEST_CODE)


@given(st.lists(st.tuples(CODES, st.sampled_from((b"\r", b"\n", b"\r\n")))), st.lists(st.integers(0, 2000)))
def test_codes_come_out_whole_with_any_line_end_and_in_any_portions(lines, cuts):
    wire = b"".join(code.encode() + end for code, end in lines)
    reader = ScannedLines()
    found = []
    edges = sorted({0, len(wire), *(cut for cut in cuts if cut <= len(wire))})
    for start, end in zip(edges, edges[1:], strict=False):  # noqa: RUF007
        found += reader.feed(wire[start:end])
    assert found == [Scan(code) for code, _ in lines]


def test_a_prefix_is_taken_off_and_its_absence_is_told():
    reader = ScannedLines(prefix="~C")
    assert reader.feed(b"~CAPACHE-001\r\nAPACHE-002\r\n~C\r") == [
        Scan("APACHE-001"),
        Unreadable("a code without the prefix '~C': APACHE-002"),
    ]


@pytest.mark.parametrize("raw", [b"\xff\xfe\x80\r", b"A\x00B\n", b"x" * 200 + b"\r\n"])
def test_rubbish_is_told_and_the_next_code_is_right(raw):
    reader = ScannedLines()
    (wrong,) = reader.feed(raw)
    assert isinstance(wrong, Unreadable)
    assert reader.feed(b"APACHE-009\r\n") == [Scan("APACHE-009")]


def test_stx_and_etx_of_rfid_readers_are_no_part_of_the_code():
    assert ScannedLines().feed(b"\x0204A2B91C\x03\r\n") == [Scan("04A2B91C")]


@pytest.mark.slow  # a million bytes
def test_a_million_bytes_of_noise_do_no_harm_and_fill_no_memory():
    chance = random.Random(3)
    reader = ScannedLines("~")
    for _ in range(100):
        for found in reader.feed(chance.randbytes(10_000)):
            assert isinstance(found, Unreadable) or len(found.code) <= LONGEST_CODE
        assert len(reader._begun) <= LONGEST_CODE + 1
    reader.feed(b"\n")
    assert reader.feed(b"~GOOD\n") == [Scan("GOOD")]


def test_a_code_counts_as_shown_until_its_reveal_is_taken_back():
    judge = Judge(registry.find)
    judge.feed(
        Setup(
            record=2,
            match="0" * 32,
            game="apache",
            edition=1,
            seats=(Seat(Colour.RED), Seat(Colour.YELLOW)),
            first=Colour.RED,
        )
    )
    for line in (
        Reveal(card="red chief"),
        Remark(text=scanned_remark("APACHE-001", "red chief"), source=SCANNER),
        Remark(text="scanned by hand", source="somebody"),
        Reveal(card="buffalo"),
        Remark(text=scanned_remark("A: B", "buffalo"), source=SCANNER),
    ):
        judge.feed(line)
    assert shown_codes(judge.history) == {"APACHE-001": 2, "A: B": 5}
    judge.feed(Undo())
    assert shown_codes(judge.history) == {"APACHE-001": 2}
