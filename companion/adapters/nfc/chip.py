"""The commands of a PN532 that a reader of tags needs, above Adafruit's driver, which wakes it, frames and checks.

NXP UM0701-02, "PN532 User Manual": RFConfiguration 7.3.1, InListPassiveTarget 7.3.5, InDataExchange 7.3.8.
"""

from __future__ import annotations

from typing import Any

from companion.adapters.nfc.tags import MOST_TAGS, Tag, listed

RF_CONFIGURATION, IN_LIST_PASSIVE_TARGET, IN_DATA_EXCHANGE = 0x32, 0x4A, 0x40
MAX_RETRIES, FOR_EVER, ONCE, TWICE_MORE = 5, 0xFF, 0x01, 0x02
TYPE_A = 0x00
READ = 0x30
"""Of a tag of type 2: 16 bytes, from a page on."""
PATIENCE_S = 0.3
STATUS = 0x3F
LIST_BYTES = 80


class Silent(OSError):
    """The chip does not answer."""

    def __init__(self) -> None:
        super().__init__("it does not answer")


class TagLeft(Exception):
    """A tag went, or kept something to itself, while it was read."""


class Chip:
    """A PN532 that has answered. driver: of `library.Drivers`, opened; busy: its error for an answer that stays away.

    All raise OSError, RuntimeError, ValueError, TypeError.
    """

    def __init__(self, driver: Any, busy: type[Exception]) -> None:
        self._driver, self._busy = driver, busy
        self._ask(RF_CONFIGURATION, (MAX_RETRIES, FOR_EVER, ONCE, TWICE_MORE), 0)

    @property
    def version(self) -> str:
        """Its firmware's version, such as 1.6."""
        _, version, revision, _ = self._driver.firmware_version
        return f"{version}.{revision}"

    def tags(self) -> list[Tag]:
        """Give the tags that lie there, two at most; it takes the chip some 30 ms."""
        return listed(self._ask(IN_LIST_PASSIVE_TARGET, (MOST_TAGS, TYPE_A), LIST_BYTES))

    def read(self, tag: Tag, page: int) -> bytes:
        """Give 16 bytes of a tag that `tags` gave last, from a page on. Raises TagLeft."""
        answer = self._ask(IN_DATA_EXCHANGE, (tag.number, READ, page), 17)
        if not answer or answer[0] & STATUS or len(answer) != 17:
            raise TagLeft
        return answer[1:]

    def _ask(self, command: int, parameters: tuple[int, ...], longest: int) -> bytes:
        try:
            answer = self._driver.call_function(command, longest, parameters, PATIENCE_S)
        except IndexError as error:  # the driver's, for a frame that ends in its midst
            raise ValueError("a frame that ends in its midst") from error
        except self._busy as error:
            raise Silent from error
        if answer is None:
            raise Silent
        return bytes(answer)
