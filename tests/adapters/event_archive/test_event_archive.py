"""An event's file: the same bytes for the same content, and no harm from one that somebody made on purpose."""

from __future__ import annotations

import io
import struct
import zipfile
from typing import TYPE_CHECKING

import pytest

from companion.adapters.event_archive import members, reader
from companion.adapters.event_archive.members import LOG, README, TEXT
from companion.adapters.event_archive.reader import EventArchive, is_archive, opened_archive
from companion.adapters.event_archive.writer import archived, write_archive
from companion.core.errors import Malformed, Unavailable
from companion.core.record.lines import LONGEST_LINE

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

KEY = "A" * 43 + "="
MATCH = "0123456789abcdef" * 2
RECORD = f"records/one/{MATCH}.jsonl"


class Held:
    """What an event's file is made of, in memory."""

    def __init__(self) -> None:
        self.lines = [b'{"type":"event"}', b'{"n":2}']
        self.boxes: dict[str, list[str]] = {"two": [KEY], "one": [KEY, "B" * 42 + "A="]}
        self.matches = {("two", MATCH): [b"c"], ("one", MATCH): [b"a", b"b"], ("one", "0" * 32): [b"d"]}

    def log(self) -> list[bytes]:
        return self.lines

    def keys(self) -> dict[str, list[str]]:
        return self.boxes

    def records(self) -> list[tuple[str, str]]:
        return list(self.matches)

    def record(self, box: str, match: str) -> list[bytes]:
        return self.matches[box, match]


def packed(*entries: tuple[str | zipfile.ZipInfo, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in entries:
            archive.writestr(name, content)
    return out.getvalue()


def opened(content: bytes) -> EventArchive:
    return EventArchive(io.BytesIO(content), "EVENT.zip")


def read_whole(content: bytes) -> None:
    with opened(content) as archive:
        archive.log()
        archive.keys()
        for box, match in archive.records():
            archive.record(box, match)


def refused(content: bytes) -> str:
    """What is said of an archive that is refused, when it is opened or when all of it is read."""
    with pytest.raises(Malformed) as caught:
        read_whole(content)
    return str(caught.value)


# -- there and back ----------------------------------------------------------------------------------------------------


def test_what_was_written_is_read(tmp_path: Path) -> None:
    path, held = tmp_path / "EVENT.zip", Held()
    write_archive(path, held)
    assert is_archive(path)
    with opened_archive(path) as archive:
        assert archive.log() == held.lines
        assert archive.keys() == {box: tuple(keys) for box, keys in held.boxes.items()}
        assert archive.records() == sorted(held.matches)
        for box, match in archive.records():
            assert archive.record(box, match) == held.matches[box, match]


def test_the_same_content_gives_the_same_bytes_in_whatever_order_it_comes(tmp_path: Path) -> None:
    one, other = Held(), Held()
    other.boxes = dict(reversed(other.boxes.items()))
    other.matches = dict(reversed(other.matches.items()))
    assert archived(one) == archived(other)
    write_archive(tmp_path / "EVENT.zip", one)
    assert (tmp_path / "EVENT.zip").read_bytes() == archived(one)


def test_members_have_the_names_that_are_written_down_and_no_dates() -> None:
    with zipfile.ZipFile(io.BytesIO(archived(Held()))) as archive:
        assert archive.namelist() == [
            README, LOG, "keys/one.pub", "keys/two.pub",
            f"records/one/{'0' * 32}.jsonl", RECORD, f"records/two/{MATCH}.jsonl",
        ]  # fmt: skip
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert archive.read(README).decode() == TEXT
        assert archive.read(RECORD) == b"a\nb\n"
        assert archive.read("keys/one.pub").decode() == f"{KEY}\n{'B' * 42}A=\n"


def test_an_archive_that_was_packed_again_without_pressing_is_read() -> None:
    with opened(packed((LOG, b"a\n"), (RECORD, b"b\n"), method=zipfile.ZIP_STORED)) as archive:
        assert archive.log() == [b"a"]
        assert archive.keys() == {}


@pytest.mark.parametrize(
    "spoil",
    [
        lambda held: held.lines.clear(),
        lambda held: held.lines.append(b""),
        lambda held: held.lines.append(b"one\nmore"),
        lambda held: held.boxes.update(three=[]),
        lambda held: held.boxes.update(three=["short"]),
        lambda held: held.boxes.update({"../three": [KEY]}),
        lambda held: held.matches.update({("one", "../1"): [b"a"]}),
        lambda held: held.matches.update({("one", "1" * 32): []}),
    ],
)
def test_what_no_reader_would_take_is_not_written(spoil: Callable[[Held], None], tmp_path: Path) -> None:
    held, path = Held(), tmp_path / "EVENT.zip"
    write_archive(path, held)
    before = path.read_bytes()
    spoil(held)
    with pytest.raises(Malformed):
        write_archive(path, held)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


# -- made to do harm ---------------------------------------------------------------------------------------------------


GOOD = (LOG, b"a\n")


@pytest.mark.parametrize(
    "name",
    [
        "../event.jsonl", "/etc/passwd", "records/../../x.jsonl", f"records/one/../{MATCH}.jsonl", "records/one/",
        f"records/One/{MATCH}.jsonl", f"records/one/{MATCH.upper()}.jsonl", f"records/one/{MATCH}.jsonl\n",
        f"records\\one\\{MATCH}.jsonl", "keys/.pub", "keys/one.pub/x", "keys/-.pub", "event.jsonl/", "EVENT.JSONL",
        "other.txt", f"records/{'a' * 33}/{MATCH}.jsonl", "keys/öne.pub", "C:/event.jsonl",
    ],
)  # fmt: skip
def test_a_name_of_something_else_is_refused(name: str) -> None:
    assert "is no member of an event's file" in refused(packed(GOOD, (name, b"a\n")))


def test_a_name_that_ends_at_a_zero_byte_is_not_taken_for_its_beginning() -> None:
    content = packed(GOOD, ("keys/one.pubX", KEY.encode() + b"\n")).replace(b"keys/one.pubX", b"keys/one.pub\0")
    assert repr("keys/one.pub\0") in refused(content)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_member_that_is_there_twice_is_refused() -> None:
    assert refused(packed(GOOD, (RECORD, b"a\n"), (RECORD, b"b\n"))).endswith(f"member {RECORD}: it is there twice")


def test_an_archive_without_a_log_is_refused() -> None:
    assert f"member {LOG} is missing" in refused(packed((RECORD, b"a\n")))
    assert f"member {LOG} is missing" in refused(packed((README, b"")))


@pytest.mark.parametrize("flag", [0x1, 0x40, 0x2000])
def test_an_encrypted_member_is_refused(flag: int) -> None:
    content = bytearray(packed(GOOD))
    at = content.index(b"PK\x01\x02") + 8
    content[at : at + 2] = struct.pack("<H", flag)
    assert f"member {LOG}: it is encrypted" in refused(bytes(content))


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_ways_to_pack_are_refused(method: int) -> None:
    assert f"member {LOG}: it is packed by method {method}" in refused(packed(GOOD, method=method))


def test_a_member_that_says_that_it_is_large_is_not_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    content = packed(GOOD, (RECORD, b"a" * 5_000 + b"\n"))
    monkeypatch.setattr(reader, "LARGEST_MEMBER", 5_000)
    assert f"member {RECORD}: it says that it has 5001 bytes: more than 5000" in refused(content)
    monkeypatch.setattr(reader, "LARGEST_MEMBER", members.LARGEST_MEMBER)
    monkeypatch.setattr(reader, "LARGEST_IN_ALL", 5_002)
    assert f"member {RECORD}: with it all members have more than 5002 bytes" in refused(content)
    monkeypatch.setattr(reader, "LARGEST_IN_ALL", 5_003)
    with opened(content) as archive:
        assert archive.log() == [b"a"]


def test_a_member_that_is_larger_than_it_says_is_not_unpacked_beyond_that() -> None:
    """The bomb proper: a list of members that names a small size, and a stream of zeros without an end."""
    content = bytearray(packed(GOOD, (RECORD, b"0" * 1_000_000 + b"\n")))
    at = content.rindex(b"PK\x01\x02") + 24
    assert struct.unpack_from("<L", content, at) == (1_000_001,)
    struct.pack_into("<L", content, at, 100)
    assert f"member {RECORD}: it cannot be unpacked: Bad CRC-32" in refused(bytes(content))


def test_a_member_that_is_smaller_than_it_says_is_named() -> None:
    content = bytearray(packed(GOOD))
    struct.pack_into("<L", content, content.index(b"PK\x01\x02") + 24, 100)
    assert f"member {LOG}: it has 2 bytes, and says that it has 100" in refused(bytes(content))


def test_a_list_of_members_too_long_to_be_loaded_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "MOST_MEMBERS", 1)
    assert "it lists 2 members" in refused(packed(GOOD, (RECORD, b"a\n")))
    entry = zipfile.ZipInfo(LOG)
    entry.comment = b"c" * 60_000
    assert "it lists 1 members in" in refused(packed((entry, b"a\n")))


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda content: content + b"x", "it does not end as an archive without a comment does"),
        (lambda content: content[:-1], "it does not end as an archive without a comment does"),
        (lambda content: b"x" + content, "its list of members is not where it says"),
        (lambda content: content[:30], "it does not end as an archive without a comment does"),
        (lambda content: b"", "it does not end as an archive without a comment does"),
        (lambda content: content[:-22] + b"PK\x06\x07" + b"\0" * 16 + content[-22:], "an archive of a kind"),
        (lambda content: content[:-18] + b"\1\0" + content[-16:], "an archive of a kind"),
        (lambda content: content.replace(b"PK\x01\x02", b"PK\x01\x03"), "no archive that can be read"),
        (lambda content: content.replace(b"PK\x03\x04", b"PK\x03\x05"), f"member {LOG}: it cannot be unpacked"),
    ],
)  # fmt: skip
def test_what_is_broken_is_named(spoil: Callable[[bytes], bytes], says: str) -> None:
    assert says in refused(spoil(packed(GOOD)))


def test_a_file_that_is_too_large_is_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "LARGEST_FILE", 50)
    assert "is too large" in refused(packed(GOOD))


def test_whatever_byte_is_changed_nothing_but_malformed_comes_out() -> None:
    content = archived(Held())
    for at in range(0, len(content), 7):
        spoilt = content[:at] + bytes([content[at] ^ 0xFF]) + content[at + 1 :]
        try:
            with opened(spoilt) as archive:
                archive.keys()
                assert archive.log() == Held().lines
                for box, match in archive.records():
                    assert archive.record(box, match) == Held().matches[box, match]
        except Malformed as error:
            assert "EVENT.zip" in str(error)  # noqa: PT017 - most are refused, and changed dates are not


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "it is empty"),
        (b"a\nb", "it does not end with an end of line"),
        (b"a\n\nb\n", "line 2 is empty"),
        (b"\n", "line 1 is empty"),
        (b"a\n" + b"b" * (LONGEST_LINE + 1) + b"\n", f"line 2 is longer than {LONGEST_LINE} bytes"),
    ],
)
def test_a_member_is_lines(content: bytes, says: str) -> None:
    assert refused(packed((LOG, content))) == f"EVENT.zip: member {LOG}: {says}"
    assert refused(packed(GOOD, (RECORD, content))) == f"EVENT.zip: member {RECORD}: {says}"


@pytest.mark.parametrize("key", [b"short", KEY.encode()[:-1] + b"A", b"\xff" * 44, KEY.encode() + b"\r"])
def test_a_key_is_one(key: bytes) -> None:
    assert refused(packed(GOOD, ("keys/one.pub", key + b"\n"))).endswith("a key is 32 bytes in base64, one a line")


def test_a_record_that_is_not_there_is_named() -> None:
    with opened(packed(GOOD)) as archive, pytest.raises(Malformed, match=f"member {RECORD}: it is missing"):
        archive.record("one", MATCH)


def test_what_is_no_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(Unavailable):
        is_archive(tmp_path / "none.zip")
    with pytest.raises(Unavailable), opened_archive(tmp_path):
        pass
    (tmp_path / "record.jsonl").write_bytes(b'{"type":"setup"}\n')
    assert not is_archive(tmp_path / "record.jsonl")
