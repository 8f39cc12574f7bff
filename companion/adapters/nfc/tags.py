"""Tags as the chip lists them, and which of them are new. Pure.

Theory of operation. The chip is asked again and again which tags lie on it. A tag that lies there is one scan, however
long; it is another once it was away, which is believed after `MISSES` empty answers in a row: a tag that is moved, or
whose turn the chip missed, is not away. Two tags at once are two scans; the chip tells no more than two.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MISSES = 3
MOST_TAGS = 2
"""The chip keeps no more (UM0701-02, 7.3.5)."""
TYPE_2 = 0x00
"""SEL_RES of tags that can be read by pages without a key (NXP AN10833)."""
ANSWERS_14443_4 = 0x20
RANDOM = 0x08
"""First byte of a number of 4 bytes that is made up anew each time (ISO/IEC 14443-3, 6.5.4): phones, bank cards."""


class Tag(NamedTuple):
    """A tag. number: the chip's, 1 or 2, as long as it lies there. kind: its SEL_RES."""

    number: int
    uid: bytes
    kind: int

    @property
    def code(self) -> str:
        """Its own number, as a code: hexadecimal, in capitals."""
        return self.uid.hex().upper()

    @property
    def is_random(self) -> bool:
        """Whether it shows another number each time."""
        return len(self.uid) == 4 and self.uid[0] == RANDOM

    @property
    def has_pages(self) -> bool:
        """Whether something may be written on it that can be read without a key."""
        return self.kind == TYPE_2


def listed(answer: bytes) -> list[Tag]:
    """Read what InListPassiveTarget answers at 106 kbps, type A (UM0701-02, 7.3.5). Raises ValueError for nonsense."""
    try:
        return list(_tags(answer))
    except IndexError as error:
        raise ValueError(f"a list of tags that ends in its midst: {answer.hex()}") from error


def _tags(answer: bytes) -> Iterator[Tag]:
    at = 1
    for _ in range(answer[0]):
        number, kind, length = answer[at], answer[at + 3], answer[at + 4]
        uid = answer[at + 5 : at + 5 + length]
        if len(uid) < length or length not in (4, 7, 10):
            raise ValueError(f"a tag with a number of {length} bytes: {answer.hex()}")
        at += 5 + length
        if kind & ANSWERS_14443_4:  # its ATS follows, which begins with its own length
            at += answer[at]
        yield Tag(number, bytes(uid), kind)


class Lying:
    """Which tags lie on the reader."""

    def __init__(self) -> None:
        self._missed: dict[bytes, int] = {}

    def look(self, tags: Iterable[Tag]) -> list[Tag]:
        """Take what the chip lists now; give those that have come."""
        there = {tag.uid: tag for tag in tags}
        new = [tag for uid, tag in there.items() if uid not in self._missed]
        missed = {uid: 0 if uid in there else count + 1 for uid, count in self._missed.items()}
        self._missed = {uid: count for uid, count in missed.items() if count < MISSES}
        self._missed.update(dict.fromkeys(there, 0))
        return new

    def forget(self, tag: Tag) -> None:
        """Take it as not there: it is new once more where it is listed again."""
        self._missed.pop(tag.uid, None)
