"""Frames and messages of a pod's line, on the host's side: any portions, any corruption, never a wrong message."""

from __future__ import annotations

import contextlib
import json
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.errors import Malformed
from companion.core.pods.frames import MOST_PAYLOAD, FrameDecoder, cobs_decode, cobs_encode, encode_frame
from companion.core.pods.messages import (
    Ack,
    AskReport,
    Edges,
    Heard,
    Hello,
    Identity,
    Lamps,
    Ping,
    PodEdge,
    ToRepl,
    UnknownMessage,
    decode_message,
    encode_message,
)

VECTORS = json.loads((Path(__file__).parents[2] / "vectors" / "pod_frames.json").read_text())
HOST_MESSAGES = {
    "hello": Hello,
    "ping": Ping,
    "ack": Ack,
    "heard": Heard,
    "lamps": Lamps,
    "ask report": AskReport,
    "to repl": ToRepl,
}
PAYLOADS = st.lists(st.binary(min_size=1, max_size=MOST_PAYLOAD), max_size=8)


def named(vector):
    return vector.get("message") or vector["name"]


@pytest.mark.parametrize("vector", VECTORS["host_to_pod"], ids=named)
def test_the_host_says_what_the_vectors_say(vector):
    payload = encode_message(HOST_MESSAGES[vector["message"]](**vector["fields"]))
    assert payload.hex() == vector["payload"]
    assert encode_frame(payload).hex() == vector["wire"]


@pytest.mark.parametrize("vector", VECTORS["pod_to_host"], ids=named)
def test_the_host_understands_what_the_vectors_say(vector):
    (payload,) = FrameDecoder().feed(bytes.fromhex(vector["wire"]))
    assert payload.hex() == vector["payload"]
    fields = decode_message(payload)._asdict()
    if "edges" in fields:
        fields["edges"] = [list(edge) for edge in fields["edges"]]
    if "unique_id" in fields:
        fields |= {"unique_id": fields["unique_id"].hex(), "firmware": list(fields["firmware"])}
    assert fields == vector["fields"]


@pytest.mark.parametrize("vector", VECTORS["broken"], ids=named)
def test_a_broken_frame_is_counted_and_the_next_one_is_right(vector):
    decoder = FrameDecoder()
    assert decoder.feed(bytes.fromhex(vector["wire"])) == []
    assert decoder.errors.total == 1
    if vector["fault"]:
        assert getattr(decoder.errors, vector["fault"]) == 1
    assert decoder.feed(encode_frame(b"well")) == [b"well"]


@given(PAYLOADS, st.data())
def test_any_portions_of_the_bytes_give_the_same_frames(payloads, data):
    wire = b"".join(encode_frame(payload) for payload in payloads)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(wire)), max_size=20)))
    decoder = FrameDecoder()
    found = [
        p for start, end in zip([0, *cuts], [*cuts, len(wire)], strict=True) for p in decoder.feed(wire[start:end])
    ]
    assert found == payloads
    assert decoder.errors.total == 0


@given(PAYLOADS, st.data())
def test_corruption_gives_only_frames_that_were_sent_and_counts_the_rest(payloads, data):
    wire = bytearray(b"".join(encode_frame(payload) for payload in payloads))
    for _ in range(data.draw(st.integers(1, 6)) if wire else 0):
        at = data.draw(st.integers(0, len(wire) - 1))
        match data.draw(st.sampled_from(("flip", "drop", "double", "zero"))):
            case "flip":
                wire[at] ^= data.draw(st.integers(1, 255))
            case "drop" if len(wire) > 1:
                del wire[at]
            case "double":
                wire.insert(at, wire[at])
            case _:
                wire[at] = 0
    decoder = FrameDecoder()
    found = decoder.feed(bytes(wire))
    remaining = iter(payloads)
    assert all(payload in remaining for payload in found)  # in order, none made up, none twice


@given(st.binary(max_size=253))
def test_cobs_has_no_zero_and_comes_back(data):
    encoded = cobs_encode(data)
    assert 0 not in encoded
    assert len(encoded) == len(data) + 1
    assert cobs_decode(encoded) == data


@pytest.mark.no_cover  # counting branches makes it three times as slow
def test_ten_million_bytes_of_noise_make_no_message():
    """Noise, noise with many zeros, and frames with one wrong bit: nothing comes out, and frames between do."""
    chance = random.Random(10)
    frame = encode_frame(encode_message(Ack(1, 2)))
    decoder = FrameDecoder()
    found = 0
    for portion in range(100):
        noise = chance.randbytes(100_000)
        if portion % 3 == 1:
            noise = noise.translate(bytes(byte if byte % 8 else 0 for byte in range(256)))
        if portion % 3 == 2:
            wrong = bytearray(frame * (len(noise) // len(frame)))
            for at in range(0, len(wrong), len(frame)):
                wrong[at + chance.randrange(len(frame) - 1)] ^= 1 << chance.randrange(8)
            noise = bytes(wrong)
        for start in range(0, len(noise), 4096):
            assert decoder.feed(noise[start : start + 4096]) == []
        assert decoder.feed(b"\0" + frame) == [frame_payload()]
        found += 1
    assert found == 100
    assert decoder.errors.total > 100_000


def frame_payload() -> bytes:
    return encode_message(Ack(1, 2))


@given(st.binary(min_size=1, max_size=MOST_PAYLOAD))
def test_any_payload_is_a_message_or_malformed(payload):
    with contextlib.suppress(Malformed):
        assert decode_message(payload) is not None


def test_a_kind_of_a_later_version_is_told_from_a_broken_message():
    with pytest.raises(UnknownMessage):
        decode_message(b"\x99abc")
    with pytest.raises(Malformed) as caught:
        decode_message(b"\x82abc")
    assert not isinstance(caught.value, UnknownMessage)


@pytest.mark.parametrize("payload", [b"\x83" + bytes(12) + b"\1" + bytes((24, 0, 0, 0, 0, 0, 0)),
                                     b"\x83" + bytes(12) + b"\2" + bytes(7),
                                     b"\x82" + bytes(7) + b"\x40",
                                     b"\x81" + bytes(14) + b"\0" + bytes(8),
                                     b"\x81" + bytes(14) + b"\x19" + bytes(8)],
                         ids=["line 24", "edge missing", "31 bits of ticks", "no lines", "25 lines"])  # fmt: skip
def test_a_message_that_cannot_be_is_malformed(payload):
    with pytest.raises(Malformed):
        decode_message(payload)


def test_frames_of_no_bytes_or_too_many_are_refused():
    for payload in (b"", bytes(MOST_PAYLOAD + 1)):
        with pytest.raises(Malformed, match="240"):
            encode_frame(payload)
    assert FrameDecoder().feed(encode_frame(bytes(MOST_PAYLOAD))) == [bytes(MOST_PAYLOAD)]


def test_a_number_without_room_is_refused():
    with pytest.raises(Malformed, match="Ping"):
        encode_message(Ping(70_000))


def test_messages_are_tuples_that_compare():
    assert Edges(1, 2, 3, (PodEdge(0, True, 5),)) == Edges(1, 2, 3, (PodEdge(0, True, 5),))
    assert Identity(1, 1, 1, b"12345678", (1, 0, 0), 4, 0, 9).lines == 4
