"""Frames on a serial line: COBS between zero bytes, closed by a CRC-32. Bytes in, payloads out; knows no message.

A frame on the wire is `COBS(payload + CRC-32 of it, least byte first) + 0x00` (tables in `firmware/README.md`). Zero is
only ever the end of a frame, so a reader that begins in the middle, or lost bytes, is right again after the next zero.
What is not a frame is counted and dropped; it never becomes a payload.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass

from companion.core.errors import Malformed

MOST_PAYLOAD = 240
"""Bytes of the longest payload: with its CRC it stays within one COBS block, which keeps the pod's side small."""
CRC_BYTES = 4
MOST_ENCODED = MOST_PAYLOAD + CRC_BYTES + 1


@dataclass(slots=True)
class LineErrors:
    """What was dropped so far, by its fault.

    not_cobs: no COBS block ends where the zero says. too_short: without room for a payload and its CRC. too_long: more
    bytes than the longest frame has. wrong_crc: the bytes are not those that were sent.
    """

    not_cobs: int = 0
    too_short: int = 0
    too_long: int = 0
    wrong_crc: int = 0

    @property
    def total(self) -> int:
        """All of them."""
        return self.not_cobs + self.too_short + self.too_long + self.wrong_crc


def encode_frame(payload: bytes) -> bytes:
    """Give the bytes for the wire. Raises Malformed for an empty payload or one that is too long."""
    if not 1 <= len(payload) <= MOST_PAYLOAD:
        raise Malformed(f"a frame holds 1 to {MOST_PAYLOAD} bytes, not {len(payload)}")
    return cobs_encode(payload + zlib.crc32(payload).to_bytes(CRC_BYTES, "little")) + b"\0"


class FrameDecoder:
    """Takes bytes in any portions and gives the payloads of whole frames."""

    def __init__(self) -> None:
        self.errors = LineErrors()
        self._begun = bytearray()
        self._is_overlong = False

    def feed(self, data: bytes) -> list[bytes]:
        """Take the next bytes, give the payloads they complete."""
        *ended, rest = data.split(b"\0")
        payloads = [payload for part in ended if (payload := self._end(part)) is not None]
        self._keep(rest)
        return payloads

    def _keep(self, part: bytes) -> None:
        if not self._is_overlong:
            self._begun += part
        if len(self._begun) > MOST_ENCODED:
            self._is_overlong = True
            self._begun.clear()

    def _end(self, part: bytes) -> bytes | None:
        """A zero has come: give the payload before it, None where there is none."""
        self._keep(part)
        encoded, self._begun = bytes(self._begun), bytearray()
        if self._is_overlong:
            self._is_overlong = False
            self.errors.too_long += 1
            return None
        return self._open(encoded) if encoded else None  # zeros in a row: an idle line, no fault

    def _open(self, encoded: bytes) -> bytes | None:
        decoded = cobs_decode(encoded)
        if decoded is None:
            self.errors.not_cobs += 1
        elif len(decoded) <= CRC_BYTES:
            self.errors.too_short += 1
        elif zlib.crc32(decoded[:-CRC_BYTES]).to_bytes(CRC_BYTES, "little") != decoded[-CRC_BYTES:]:
            self.errors.wrong_crc += 1
        else:
            return decoded[:-CRC_BYTES]
        return None


def cobs_encode(data: bytes) -> bytes:
    """Replace each zero of at most 253 bytes by the distance to the next one; the result has none."""
    return b"".join(bytes((len(run) + 1,)) + run for run in data.split(b"\0"))


def cobs_decode(encoded: bytes) -> bytes | None:
    """Undo `cobs_encode` for bytes without a zero; None where they are not its result."""
    runs = []
    at = 0
    while at < len(encoded):
        step = encoded[at]
        runs.append(encoded[at + 1 : at + step])
        at += step
    return b"\0".join(runs) if at == len(encoded) and encoded else None
