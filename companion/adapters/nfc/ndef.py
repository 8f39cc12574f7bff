"""The text that is written on a tag of type 2 (NTAG213, 215, 216, Mifare Ultralight). Pure.

NFC Forum, "Type 2 Tag" 1.2 (pages of 4 bytes; page 3 says that it is formatted, data from page 4 on are blocks of type,
length, value), "NDEF" 1.0 (records), "Text Record Type Definition" 1.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

NULL, MESSAGE, TERMINATOR = 0x00, 0x03, 0xFE
FORMATTED = 0xE1
SHORT, HAS_ID, TYPE_NAME_FORMAT, WELL_KNOWN = 0x10, 0x08, 0x07, 0x01
IS_UTF_16, LANGUAGE = 0x80, 0x3F
MOST_BYTES = 256
"""More of a tag is not read: a code has 64 characters at most."""


def text_on(read: Callable[[int], bytes]) -> str | None:
    """Give the first text record of a tag; None where there is none, or the tag is not formatted as it should be.

    read: gives 16 bytes from a page on; what it raises is passed on.
    """
    head = read(3)
    if head[0] != FORMATTED:
        return None
    room = min(head[2] * 8, MOST_BYTES)
    data = head[4:]
    while len(data) < room and (wanted := _wanted(data)) is not None and wanted > len(data):
        data += read(4 + len(data) // 4)
    message = next((value for kind, value in _blocks(data[:room]) if kind == MESSAGE), b"")
    return next(_texts(message), None)


def _wanted(data: bytes) -> int | None:
    """Give how many bytes it takes to know more; None where the message is there, or none will come."""
    at = 0
    while at < len(data):
        kind = data[at]
        if kind == NULL:
            at += 1
            continue
        if kind == TERMINATOR:
            return None
        head, length = _length(data, at + 1)
        if length is None:
            return at + 4
        if kind == MESSAGE:
            return head + length if head + length > len(data) else None
        at = head + length
    return at + 1


def _length(data: bytes, at: int) -> tuple[int, int | None]:
    """Give where a block's value begins, and its length; None where that is not there yet."""
    if at >= len(data):
        return at, None
    if data[at] != 0xFF:
        return at + 1, data[at]
    if at + 2 >= len(data):
        return at, None
    return at + 3, int.from_bytes(data[at + 1 : at + 3], "big")


def _blocks(data: bytes) -> Iterator[tuple[int, bytes]]:
    at = 0
    while at < len(data) and data[at] != TERMINATOR:
        if data[at] == NULL:
            at += 1
            continue
        kind = data[at]
        at, length = _length(data, at + 1)
        if length is None or at + length > len(data):
            return
        yield kind, data[at : at + length]
        at += length


def _texts(message: bytes) -> Iterator[str]:
    """Give the texts among the records of a message, until one is not as it should be."""
    while message:
        try:
            flags, type_length, rest = message[0], message[1], message[2:]
            size = 1 if flags & SHORT else 4
            length, rest = int.from_bytes(rest[:size], "big"), rest[size:]
            id_length = rest[0] if flags & HAS_ID else 0
            rest = rest[1:] if flags & HAS_ID else rest
            kind, rest = rest[:type_length], rest[type_length + id_length :]
            payload, message = rest[:length], rest[length:]
            if len(payload) < length:
                return
            if flags & TYPE_NAME_FORMAT == WELL_KNOWN and kind == b"T":
                said = payload[1 + (payload[0] & LANGUAGE) :]
                yield said.decode("utf-16" if payload[0] & IS_UTF_16 else "utf-8")
        except (IndexError, UnicodeDecodeError):
            return
