"""A card reader's bytes as codes, and which codes have been shown in a match. Knows no port, no deck and no game.

Readers end a code with CR, LF or both, and may be set to send a prefix. What is no code (wrong prefix, unprintable,
too long) is told as such, so that a wrongly set reader is noticed at the first card.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.core.record.lines import Remark, Reveal

if TYPE_CHECKING:
    from companion.core.ruling.history import History

LONGEST_CODE = 64
SCANNER = "scanner"
"""The source of the remark that follows each scanned reveal in a record: "scanned CODE: CARD"."""
_SAID = "scanned "


class Scan(NamedTuple):
    """A code was read."""

    code: str


class Unreadable(NamedTuple):
    """Something was read that is no code; text: what is wrong with it."""

    text: str


class ScannedLines:
    """Cuts a reader's bytes, in any portions, into scans. prefix: what the reader sends before each code."""

    def __init__(self, prefix: str = "") -> None:
        self._prefix = prefix
        self._begun = bytearray()
        self._is_overlong = False

    def feed(self, data: bytes) -> list[Scan | Unreadable]:
        """Take the next bytes, give the scans that they complete."""
        found: list[Scan | Unreadable] = []
        for byte in data:
            if byte in b"\r\n":
                found += self._end()
            elif len(self._begun) < LONGEST_CODE + len(self._prefix):
                self._begun.append(byte)
            else:
                self._is_overlong = True
        return found

    def _end(self) -> list[Scan | Unreadable]:
        raw, self._begun = bytes(self._begun), bytearray()
        is_overlong, self._is_overlong = self._is_overlong, False
        if is_overlong:
            return [Unreadable(f"a code of more than {LONGEST_CODE} characters")]
        try:
            text = raw.decode("ascii").strip(" \t\x02\x03")  # STX and ETX frame the codes of some RFID readers
        except UnicodeDecodeError:
            return [Unreadable("bytes that are no code: is the reader's speed right?")]
        if not text:
            return []  # the LF of a CRLF, or an empty scan
        if not text.isprintable():
            return [Unreadable("bytes that are no code: is the reader's speed right?")]
        if not text.startswith(self._prefix):
            return [Unreadable(f"a code without the prefix {self._prefix!r}: {text}")]
        code = text.removeprefix(self._prefix)
        return [Scan(code)] if code else []


def scanned_remark(code: str, card: str) -> str:
    """Say for the record that a reveal was scanned; `shown_codes` reads it back."""
    return f"{_SAID}{code}: {card}"


def shown_codes(history: History) -> set[str]:
    """Give the codes of the cards that have been revealed by the scanner and whose reveal still stands."""
    codes: set[str] = set()
    reveal: int | None = None
    for told in history:
        if isinstance(told.line, Reveal):
            reveal = told.number
        elif isinstance(told.line, Remark) and told.line.source == SCANNER and told.line.text.startswith(_SAID):
            code = told.line.text.removeprefix(_SAID).rpartition(": ")[0]
            if reveal is not None and history.taken_back_by(reveal) is None:
                codes.add(code)
    return codes
