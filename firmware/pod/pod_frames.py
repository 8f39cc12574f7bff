# Frames of the pod's serial line: COBS between zero bytes, closed by a CRC-32 (tables: firmware/README.md).
#
# Nothing is allocated after start-up: every frame is made and taken apart in place, in buffers that exist. The CRC is
# kept in two halves of 16 bits, as a number of 32 bits would be a new object at every step.
from array import array
from struct import pack_into

import micropython

MOST_IN = 32  # encoded bytes of the longest frame that a host sends, with room
MOST_OUT = 96  # encoded bytes of the longest frame that a pod sends, with room

_low = array("H", bytes(512))
_high = array("H", bytes(512))
for _byte in range(256):
    _value = _byte
    for _ in range(8):
        _value = (_value >> 1) ^ (0xEDB88320 if _value & 1 else 0)
    _low[_byte] = _value & 0xFFFF
    _high[_byte] = _value >> 16


@micropython.native
def crc(buf, start, end, out):
    """Put the CRC-32 of buf[start:end] into out[0] (low half) and out[1] (high half)."""
    low = 0xFFFF
    high = 0xFFFF
    at = start
    while at < end:
        index = (low ^ buf[at]) & 0xFF
        low = ((low >> 8) | ((high & 0xFF) << 8)) ^ _low[index]
        high = (high >> 8) ^ _high[index]
        at += 1
    out[0] = low ^ 0xFFFF
    out[1] = high ^ 0xFFFF


class FrameOut:
    """Builds one frame: pack the payload into buf[1:], `end` behind it; then buf[:length] is what to write."""

    def __init__(self):
        self.buf = bytearray(MOST_OUT)
        self.length = 0
        self._crc = array("H", (0, 0))

    @micropython.native
    def end(self, at):
        """Close the frame whose payload is buf[1:at]: CRC, then each zero becomes the distance to the next one."""
        buf = self.buf
        crc(buf, 1, at, self._crc)
        pack_into("<HH", buf, at, self._crc[0], self._crc[1])
        last = at + 4
        mark = 0
        at = 1
        while at < last:
            if not buf[at]:
                buf[mark] = at - mark
                mark = at
            at += 1
        buf[mark] = last - mark
        buf[last] = 0
        self.length = last + 1


class FrameIn:
    """Takes bytes one by one; after a whole frame buf[1:end] is its payload, and `feed` says so."""

    def __init__(self):
        self.buf = bytearray(MOST_IN)
        self.end = 0
        self.bad = 0
        self._at = 0
        self._crc = array("H", (0, 0))

    @micropython.native
    def feed(self, byte):
        """Take a byte. True: a frame is complete, its payload is buf[1:end] until the next byte."""
        if byte:
            if self._at < MOST_IN:
                self.buf[self._at] = byte
            if self._at <= MOST_IN:
                self._at += 1  # one past the end stands for any number past the end
            return False
        length = self._at
        self._at = 0
        if not length:
            return False
        if length > MOST_IN or not self._open(length):
            self.bad = (self.bad + 1) & 0xFFFF
            return False
        return True

    @micropython.native
    def _open(self, length):
        buf = self.buf
        at = 0
        while at < length:
            step = buf[at]
            if at:
                buf[at] = 0
            at += step
        end = length - 4
        if at != length or end < 2:
            return False
        crc(buf, 1, end, self._crc)
        low = buf[end] | buf[end + 1] << 8
        high = buf[end + 2] | buf[end + 3] << 8
        if low != self._crc[0] or high != self._crc[1]:
            return False
        self.end = end
        return True

    def get16(self, at):
        return self.buf[at] | self.buf[at + 1] << 8
