"""Tags as the chip lists them, which are new, and the text on them: pure."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.adapters.nfc.buses import frame_length
from companion.adapters.nfc.ndef import text_on
from companion.adapters.nfc.tags import MISSES, Lying, Tag, listed
from tests.fakes.pn532 import ACK, NACK, FakeTag, frame, ndef_text

NTAG = bytes.fromhex("04a2b91c112280")
CLASSIC = bytes.fromhex("deadbeef")


def test_two_tags_of_two_kinds_are_both_listed():
    answer = b"\x02" + FakeTag(NTAG).listed(1) + FakeTag(CLASSIC, kind=0x08).listed(2)
    assert listed(answer) == [Tag(1, NTAG, 0x00), Tag(2, CLASSIC, 0x08)]
    assert [tag.code for tag in listed(answer)] == ["04A2B91C112280", "DEADBEEF"]


def test_a_tag_that_says_more_of_itself_does_not_hide_the_next():
    answer = b"\x02" + FakeTag(CLASSIC, kind=0x20).listed(1) + FakeTag(NTAG).listed(2)
    assert [tag.uid for tag in listed(answer)] == [CLASSIC, NTAG]


@pytest.mark.parametrize("answer", [b"", b"\x01", b"\x01\x01\x00\x44\x00\x07\x04", b"\x01\x01\x00\x44\x00\x03abc"])
def test_a_list_that_is_none_is_an_error(answer):
    with pytest.raises(ValueError, match=r"a list of tags|a tag with a number"):
        listed(answer)


@given(st.binary(max_size=60))
def test_whatever_is_listed_is_tags_or_one_kind_of_error(answer):
    try:
        tags = listed(answer)
    except ValueError:
        return
    assert all(len(tag.uid) in (4, 7, 10) for tag in tags)


def test_a_tag_that_lies_there_is_new_once_and_again_only_after_it_was_away():
    lying, tag = Lying(), Tag(1, NTAG, 0)
    assert lying.look([tag]) == [tag]
    for _ in range(20):
        assert lying.look([tag]) == []
        for _ in range(2):  # a moment in which it is moved
            assert lying.look([]) == []
    for _ in range(MISSES):
        lying.look([])
    assert lying.look([tag]) == [tag]


def test_a_second_tag_beside_the_first_is_new_and_the_first_is_not():
    lying, one, two = Lying(), Tag(1, NTAG, 0), Tag(2, CLASSIC, 8)
    lying.look([one])
    assert lying.look([one, two]) == [two]
    assert lying.look([two._replace(number=1), one._replace(number=2)]) == []


def test_frames_are_as_long_as_they_say():
    assert frame_length(ACK) == frame_length(NACK) == 6
    whole = frame(b"\x03\x32\x01\x06\x07")
    assert [frame_length(whole[:count]) for count in (0, 5, 6, 9, 13)] == [6, 6, 13, 13, 13]
    assert frame_length(b"\x55" * 9) == 6


def read_from(pages):
    return lambda page: pages[4 * (page - 3) :][:16].ljust(16, b"\x00")


@pytest.mark.parametrize("text", ["A", "APACHE-007", "x" * 64, "ä€", "x" * 120])
def test_a_text_is_read_however_many_pages_it_takes(text):
    assert text_on(read_from(ndef_text(text))) == text


def test_more_than_there_is_room_on_the_tag_is_not_read():
    assert text_on(read_from(ndef_text("x" * 150))) is None


def test_no_more_pages_are_read_than_the_text_takes():
    read = []

    def count(page):
        read.append(page)
        return read_from(ndef_text("APACHE-007"))(page)

    assert text_on(count) == "APACHE-007"
    assert read == [3, 7]


@pytest.mark.parametrize(
    "pages",
    [
        bytes(16),
        bytes.fromhex("e1101200") + bytes(140),
        bytes.fromhex("e1101200fe") + bytes(140),
        bytes.fromhex("e11012000300fe"),
        bytes.fromhex("e11012000308d1010455016578fe"),  # a link
        bytes.fromhex("e110120003ffffff"),
    ],
)
def test_a_tag_without_a_text_has_none(pages):
    assert text_on(read_from(pages)) is None


def test_a_text_behind_a_link_is_found():
    link, text = bytes.fromhex("910102550165"), bytes.fromhex("510104540265") + b"nX"
    assert text_on(read_from(bytes.fromhex("e1101200") + b"\x03\x0e" + link + text + b"\xfe")) == "X"


@given(st.binary(max_size=300))
def test_whatever_is_written_on_a_tag_is_a_text_or_none(data):
    said = text_on(read_from(bytes.fromhex("e1106d00") + data))
    assert said is None or isinstance(said, str)
