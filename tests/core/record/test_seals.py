"""Seals: every changed byte, missing, added and moved line before one is found; `names` lines alone are free."""

from __future__ import annotations

import base64
import hashlib
import io
import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.adapters.keys.ed25519 import Ed25519Signer, check
from companion.core.record.lines import dump_line
from companion.core.record.seals import SEAL_EVERY, Sealer, Verified, verify_seals
from companion.core.words.encoding import encode

if TYPE_CHECKING:
    from collections.abc import Iterable

SIGNER = Ed25519Signer(b"\x01" * 32)
STRANGER = Ed25519Signer(b"\x02" * 32)
SETUP = b'{"type":"setup","record":2,"game":"order","edition":1,"seats":[{"colour":"red"}],"first":"red"}'
NAMES = '{"type":"names","names":{"red":"Zoë"}}'.encode()
END = b'{"type":"end"}'


def press(t_ns: int) -> bytes:
    return b'{"type":"press","colour":"red","role":"first","t_ns":%d}' % t_ns


def written(lines: Iterable[bytes], signer: Ed25519Signer = SIGNER) -> list[bytes]:
    """What the box makes of these lines: each with its end of line, and a seal where one is due."""
    sealer, out = Sealer(), []
    for line in lines:
        sealer.add(line)
        out.append(line + b"\n")
        if sealer.is_due:
            seal = dump_line(sealer.seal(signer.key, signer.sign))
            sealer.add(seal)
            out.append(seal + b"\n")
    return out


def verified(lines: Iterable[bytes], key: bytes | None = None) -> Verified:
    return verify_seals(lines, check, key)


RECORD = written(
    [SETUP, NAMES, press(1), press(2), b'{"type":"close"}', b'{"type":"judge"}', END, b'{"type":"sign","colour":"red"}']
)
"""Ten lines: the seals are lines 8 and 10."""


# -- what the box writes -----------------------------------------------------------------------------------------------


def test_a_seal_is_the_hash_of_all_lines_before_it_without_names_and_its_signature() -> None:
    sealed = RECORD[:7]
    digest = hashlib.sha256(b"".join(line for line in sealed if line != NAMES + b"\n")).digest()
    key, signature = (base64.b64encode(part).decode() for part in (SIGNER.key, SIGNER.sign(digest)))
    seal = f'{{"type":"seal","sha256":"{digest.hex()}","key":"{key}","signature":"{signature}"}}'
    assert RECORD[7] == seal.encode() + b"\n"


def test_the_box_seals_at_the_end_at_each_sign_and_after_each_hundredth_line() -> None:
    lines = written(
        [
            SETUP,
            *(press(i) for i in range(250)),
            END,
            *(b'{"type":"sign","colour":"%s"}' % c for c in (b"red", b"yellow")),
        ]
    )
    seals = [number for number, line in enumerate(lines, start=1) if b'"seal"' in line]
    assert seals == [101, 201, 255, 257, 259]
    assert verified(lines).seals == 5


@pytest.mark.parametrize("last", [SEAL_EVERY - 1, SEAL_EVERY])
def test_a_seal_that_is_itself_the_hundredth_line_asks_for_no_other(last: int) -> None:
    lines = written([SETUP, *(press(i) for i in range(last - 2)), END])
    assert [b'"seal"' in line for line in lines[-2:]] == [False, True]
    assert len(lines) == last + 1


def test_a_seal_that_was_lost_with_the_power_is_due_when_the_match_is_taken_up() -> None:
    whole = written([SETUP, press(1), END])
    assert Sealer(line.rstrip(b"\n") for line in whole[:-1]).is_due
    assert not Sealer(line.rstrip(b"\n") for line in whole).is_due
    assert Sealer(line.rstrip(b"\n") for line in whole).is_sealed


def test_a_match_that_was_taken_up_goes_on_with_the_same_hash() -> None:
    straight = written([SETUP, NAMES, press(1), END])
    resumed = Sealer(line.rstrip(b"\n") for line in straight[:3])
    resumed.add(END)
    assert dump_line(resumed.seal(SIGNER.key, SIGNER.sign)) + b"\n" == straight[-1]


# -- what a stranger finds ---------------------------------------------------------------------------------------------


def test_a_record_as_the_box_wrote_it_holds_up_to_its_last_seal() -> None:
    found = verified(RECORD, SIGNER.key)
    assert (found.seals, found.sealed, found.lines, found.fault) == (2, 10, 10, None)
    assert [use.key for use in found.keys] == [SIGNER.key]


def test_a_record_without_a_seal_has_none_that_fails() -> None:
    assert verified(RECORD[:7]) == Verified(0, 0, 7, (), None)
    assert verified([]) == Verified(0, 0, 0, (), None)
    assert verified([b"\xff\xfe no record at all"]).fault is None


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_any_changed_byte_before_a_seal_is_found(data: st.DataObject) -> None:
    sealed = [number for number in range(1, 10) if number != 2]  # line 2 is `names`, line 10 the last seal
    at = data.draw(st.sampled_from(sealed)) - 1
    offset = data.draw(st.integers(0, len(RECORD[at]) - 1))
    flipped = data.draw(st.integers(1, 255))
    line = bytearray(RECORD[at])
    line[offset] ^= flipped
    found = verified(io.BytesIO(b"".join([*RECORD[:at], bytes(line), *RECORD[at + 1 :]])))
    assert found.fault is not None


@pytest.mark.parametrize("offset", range(len(RECORD[-1].rstrip())))
def test_a_changed_letter_of_the_last_seal_is_found(offset: int) -> None:
    """All that could make it say something else; bytes without a meaning, such as a space, are not sealed yet."""
    line = bytearray(RECORD[-1])
    line[offset] = ord("B") if line[offset] != ord("B") else ord("C")
    found = verified([*RECORD[:-1], bytes(line)])
    assert found.fault is not None or found.sealed == 8  # or it is no seal any more


@settings(deadline=None)
@given(st.data())
def test_any_missing_line_before_a_seal_is_found(data: st.DataObject) -> None:
    at = data.draw(st.sampled_from([i for i in range(9) if i != 1]))
    assert verified(RECORD[:at] + RECORD[at + 1 :]).fault is not None


@settings(deadline=None)
@given(st.data())
def test_any_added_line_before_a_seal_is_found(data: st.DataObject) -> None:
    at = data.draw(st.integers(0, 9))
    line = data.draw(
        st.sampled_from([b"\n", *RECORD[:1], press(3) + b"\n", b'{"type":"undo"}\n', RECORD[7], RECORD[9]])
    )
    found = verified([*RECORD[:at], line, *RECORD[at:]])
    assert found.fault is not None


@settings(deadline=None)
@given(st.permutations([i for i in range(10) if i != 1]))
def test_any_other_order_of_the_lines_is_found(order: list[int]) -> None:
    found = verified([RECORD[i] for i in order])
    assert (found.fault is None and found.seals == 2) == (order == sorted(order))


@pytest.mark.no_cover  # counting branches makes it three times as slow
@settings(deadline=None)
@given(st.integers(0, 10), st.dictionaries(st.sampled_from(["red", "yellow"]), st.text(max_size=20)))
def test_names_may_be_changed_added_and_taken_out(at: int, names: dict[str, str]) -> None:

    without = [*RECORD[:1], *RECORD[2:]]
    line = encode({"type": "names", "names": names}) + b"\n"
    assert verified(without).fault is None
    assert verified([*without[:at], line, *without[at:]]).fault is None


@pytest.mark.parametrize(
    "line",
    [
        b'{"type":"press","colour":"red","role":"first","t_ns":1,"type":"names","names":{}}',
        b'{"type":"names","names":{},"names":{}}',
        b'{"type":"names","names":{},"t_ns":1}',
        b'{"type":"names"}',
        b'{"type":"names","names":{"red":1}}',
    ],
)
def test_a_line_that_only_looks_like_names_is_no_way_around_a_seal(line: bytes) -> None:
    assert verified([*RECORD[:2], line + b"\n", *RECORD[2:]]).fault is not None


def test_the_line_of_the_first_seal_that_does_not_hold_and_where_the_change_is_are_named() -> None:
    found = verified([*RECORD[:8], RECORD[8].replace(b"red", b"yellow"), RECORD[9]])
    assert (found.sealed, found.seals) == (8, 1)
    assert found.fault is not None
    assert found.fault.line == 10
    assert found.fault.why == "of lines 8 to 9 one has been changed, taken out, added or moved since it was made"


def test_lines_after_the_last_seal_are_told_apart() -> None:
    found = verified([*RECORD, b'{"type":"undo"}\n'])
    assert (found.sealed, found.lines, found.fault) == (10, 11, None)


def test_another_key_is_found_where_a_certain_one_is_asked_for() -> None:
    forged = written([line.rstrip(b"\n") for line in RECORD if b'"seal"' not in line], STRANGER)
    assert verified(forged).fault is None
    found = verified(forged, SIGNER.key)
    assert found.fault is not None
    assert found.fault.line == 8
    assert base64.b64encode(STRANGER.key).decode() in found.fault.why


def test_a_key_put_in_place_of_another_does_not_fit_the_signature() -> None:
    mine, theirs = (base64.b64encode(signer.key) for signer in (SIGNER, STRANGER))
    found = verified([*RECORD[:7], RECORD[7].replace(mine, theirs)])
    assert found.fault is not None
    assert found.fault.why == "its signature is not by the key that it names"


def test_a_seal_of_another_record_does_not_hold() -> None:
    other = written([SETUP, press(5), END])
    found = verified([*RECORD[:7], other[-1]])
    assert found.fault is not None
    assert found.sealed == 0


@pytest.mark.parametrize("broken", [b'{"type":"seal"}', b'{"type":"seal","sha256":"00","key":"","signature":""}'])
def test_a_seal_that_cannot_be_read_does_not_hold(broken: bytes) -> None:
    found = verified([*RECORD, broken + b"\n"])
    assert found.fault is not None
    assert (found.fault.line, found.sealed) == (11, 10)
    assert found.fault.why.startswith("it cannot be read: ")


def test_every_key_is_told_and_whether_a_line_says_that_the_match_moved_to_it() -> None:
    moved = b'{"type":"moved","box":"b","key":"%s","previous":"%s"}' % (base64.b64encode(STRANGER.key), b"0" * 64)
    sealer = Sealer([line.rstrip(b"\n") for line in RECORD])
    for extra, announced in ((press(9), False), (moved, True)):
        sealer = Sealer([*(line.rstrip(b"\n") for line in RECORD), extra])
        seal = dump_line(sealer.seal(STRANGER.key, STRANGER.sign))
        found = verified([*RECORD, extra + b"\n", seal + b"\n"])
        assert found.fault is None
        assert [(use.line, use.key, use.is_announced) for use in found.keys] == [
            (8, SIGNER.key, False),
            (12, STRANGER.key, announced),
        ]


def test_random_bytes_are_no_signature() -> None:
    assert not check(SIGNER.key, os.urandom(64), b"data")
    assert not check(b"short", os.urandom(64), b"data")
    assert not check(SIGNER.key, b"", b"data")
