"""The highest number that a match of this state directory has had: no number is given twice, whatever becomes of the
database. A database that was set aside still has its matches under their numbers, and is repaired into the new one.

The file is read where the database is begun anew, and written when a match begins. It holds the number and a check sum;
what is not whole counts as not there.
"""

from __future__ import annotations

import logging
import zlib
from typing import TYPE_CHECKING

from companion.core.errors import CompanionError
from companion.files.durable import put
from companion.files.reading import read_file

if TYPE_CHECKING:
    from pathlib import Path

LOG = logging.getLogger(__name__)
FILE_NAME = "matches.last"
HIGHEST = 2**53
"""No match has a higher number: a page's script would not tell it from its neighbour."""


def last_number(directory: Path) -> int:
    """Give the highest number that was given; 0 where that is not known."""
    try:
        text = read_file(directory / FILE_NAME, 64)
    except CompanionError:
        return 0
    number = text.partition(b" ")[0]
    if not number.isdigit() or text != _content(int(number)) or int(number) > HIGHEST:
        return 0
    return int(number)


def keep_number(directory: Path, number: int) -> None:
    """Keep the highest number; a disk that does not take it changes nothing: the database has it too."""
    if number <= last_number(directory):
        return
    try:
        put(directory / FILE_NAME, _content(number))
    except OSError as error:
        LOG.debug("%s cannot be written: %s", directory / FILE_NAME, error)


def _content(number: int) -> bytes:
    digits = b"%d" % number
    return b"%s %08x\n" % (digits, zlib.crc32(digits))
