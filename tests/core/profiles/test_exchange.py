"""Profiles as files and as QR codes: they come back as they were, and what is none is refused in words."""

from __future__ import annotations

import base64
import json
import zlib
from contextlib import suppress

import msgspec
import pytest
import segno
from hypothesis import given
from hypothesis import strategies as st

from companion.core.errors import Malformed
from companion.core.profiles.evidence import Evidence
from companion.core.profiles.exchange import (
    LARGEST,
    LONGEST_CODE,
    MARK,
    NewerVersion,
    as_code,
    as_file,
    from_code,
    from_file,
    name_in,
    read_profile,
)
from companion.core.profiles.profile import OwnButton, Profile
from tests.core.profiles.people import FULL, PLAIN


@pytest.mark.parametrize("profile", [PLAIN, FULL])
def test_a_file_gives_the_profile_again_and_says_its_version(profile: Profile) -> None:
    assert from_file(as_file(profile)) == read_profile(as_file(profile)) == profile
    assert msgspec.json.decode(as_file(profile))["version"] == 1


def test_a_profile_that_says_nothing_is_short() -> None:
    assert msgspec.json.decode(as_file(PLAIN)) == {"version": 1, "name": "Ann"}


def test_a_code_gives_the_profile_again_without_single_trials_and_races() -> None:
    assert from_code(as_code(PLAIN)) == PLAIN
    assert FULL.allowance.evidence is not None
    assert FULL.allowance.evidence.trials is not None
    short = Evidence(trials=msgspec.structs.replace(FULL.allowance.evidence.trials, times_ms=()), count=120)
    allowance = msgspec.structs.replace(FULL.allowance, evidence=short)
    assert from_code(as_code(FULL)) == msgspec.structs.replace(FULL, allowance=allowance)


def test_the_fullest_code_can_be_read_off_a_screen() -> None:
    """Version 24 has 113 modules a side: on 6 cm of a telephone's screen each is half a millimetre."""
    devices = tuple(OwnButton(device=f"Pedal of {n:02} {'x' * 20}", code=n, place=n % 4 + 1) for n in range(16))
    fullest = msgspec.structs.replace(FULL, mapping=devices)
    for profile, version in ((PLAIN, 4), (FULL, 19), (fullest, 22)):
        code = segno.make_qr(as_code(profile), error="m")
        assert code.mode == "alphanumeric"
        assert int(code.version) <= version, len(as_code(profile))
    assert int(segno.make_qr("A" * LONGEST_CODE, error="m").version) <= 24


def test_a_profile_that_a_code_has_no_room_for_goes_as_a_file() -> None:
    names = [base64.b85encode(bytes((n * 37 + i * i * 11) % 251 for i in range(60))).decode() for n in range(16)]
    devices = tuple(OwnButton(device=name, code=n, place=1) for n, name in enumerate(names))
    with pytest.raises(Malformed, match="take it along as a file"):
        as_code(msgspec.structs.replace(FULL, mapping=devices))


def test_a_code_is_read_however_it_was_copied() -> None:
    text = as_code(FULL)
    copied = "\n ".join(text[at : at + 40] for at in range(0, len(text), 40)).lower()

    assert read_profile(f"  {copied}\n".encode()) == from_code(text)


def packed(content: bytes) -> str:
    return MARK + base64.b32encode(zlib.compress(content)).decode().rstrip("=")


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "it is no profile"),
        (b"{}", "missing required field `name`"),
        (b'{"name":"Ann","voice":{"rate":99}}', r"\$.voice.rate"),
        (b'{"name":"Ann","shoe":44}', "unknown field `shoe`"),
        (b'{"name":"Ann Ann Ann Ann"}', "no name of a player"),
        (b"\xff\xfe", "it is no profile"),
        (b"[" * 30_000, "it is no profile"),
        (b" " * (LARGEST + 1), "too large"),
        (b"TCP1:", "not whole"),
        (b"TCP1:1111", "not whole"),
        (as_code(FULL)[:-20].encode(), "not whole"),
        (packed(b'{"name":"Ann"}' + b" " * LARGEST).encode(), "too large"),
        (packed(b" " * 50_000_000).encode(), "too large"),
        (packed(b"nothing").encode(), "it is no profile"),
    ],
)
def test_what_is_no_profile_is_refused_in_words(content: bytes, says: str) -> None:
    with pytest.raises(Malformed, match=says):
        read_profile(content)


@pytest.mark.parametrize("wrap", [bytes, lambda content: packed(content).encode()])
def test_a_newer_version_is_told_and_not_read(wrap: type[bytes]) -> None:
    with pytest.raises(NewerVersion, match="install that one"):
        read_profile(wrap(b'{"version":2,"name":"Ann","hat":{"size":58}}'))


BIG = json.dumps(["x" * 60] * 1000)


@pytest.mark.parametrize(
    ("content", "name"),
    [
        ('{"version":"2.0","name":"Ann"}', "Ann"),
        ('{"version":"2","name":"Ann","voice":7}', "Ann"),
        ('{"version":2.5,"name":["Ann"]}', ""),
        ('{"version":"1.1","name":"Ann"}', "Ann"),
        ('{"version":1e400,"name":"Ann"}', "Ann"),
        ('{"version":99999999999999999999999,"name":"Ann"}', "Ann"),
        ('{"version":"2024-beta"}', ""),
        ('{"version":2,"name":"Ann","hats":' + BIG + "}", "Ann"),
        ('{"hats":' + BIG + ',"name":"Ann","version":"3.1"}', "Ann"),
        ('{"version":2,"name":"%s"}' % ("A" * 5000), ""),
    ],
)
def test_a_newer_version_may_say_so_otherwise_and_at_length(content: str, name: str) -> None:
    with pytest.raises(NewerVersion, match="install that one"):
        from_file(content.encode())
    assert name_in(content.encode()) == name


@pytest.mark.parametrize("start", ['{"version":2,"name":"A\\u006en"', '{\n "version": "2.0" ,\n "name": "Ann" ,'])
def test_of_what_is_too_large_to_be_read_as_a_whole_the_beginning_says_the_version(start: str) -> None:
    content = (start + ', "hats": [' + '"x",' * LARGEST).encode()
    with pytest.raises(NewerVersion, match="install that one"):
        from_file(content[: LARGEST + 1])
    assert name_in(content) == "Ann"


@pytest.mark.parametrize(
    "version", ["1", "0", '"1"', '"1.0"', '"two"', "null", "true", '"nan"', "[2]", '{"major":2}', "-3", '""']
)
def test_what_says_no_newer_version_is_no_newer_one(version: str) -> None:
    with suppress(Malformed):
        from_file(b'{"version":%s,"name":"Ann"}' % version.encode())
    with pytest.raises(Malformed):
        from_file(b'{"version":%s,"name":"Ann","hats":%s}' % (version.encode(), BIG.encode()))


@given(st.binary(max_size=300) | st.text(max_size=200).map(lambda text: (MARK + text).encode("utf-8", "replace")))
def test_whatever_is_scanned_is_read_or_refused(content: bytes) -> None:
    with suppress(Malformed, NewerVersion):
        read_profile(content)
