"""Cells and rows of CSV as spreadsheets have them: written so that none is run, read so that nothing is guessed.

A spreadsheet takes a cell that begins with =, +, - or @ for a formula, whoever wrote it: such a text is given an
apostrophe, which is taken off again when it is read. A text that begins so behind apostrophes of its own gets one more,
so every text comes back as it was. Pure: bytes in, rows out.
"""

from __future__ import annotations

import csv
import io
import re
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from companion.core.errors import Malformed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MOST_BYTES = 4 * 2**20
"""Four thousand players take a tenth of it."""
BOM = b"\xef\xbb\xbf"
"""The mark that spreadsheets know UTF-8 by."""
MOST_TOLD = 20
"""So many faults are told in one sentence; all are in `faults`."""

_FORMULA = re.compile(r"'*[=+\-@\t\r]")
_GUARDED = re.compile(r"'+[=+\-@\t\r]")
_HINT = re.compile(r"(?i)sep=(.)\r?\n")
"""What Excel writes as a first line, to say what parts cells; it is none of the rows that it shows."""
_AS_UTF8 = "save it as “CSV UTF-8”; in LibreOffice choose the character set Unicode (UTF-8)"


class Separator(Enum):
    """What stands between two cells. SEMICOLON: as Excel reads it where decimals have a comma."""

    COMMA = ","
    SEMICOLON = ";"


class Fault(NamedTuple):
    """Something wrong with a file. row: as a spreadsheet counts, the first is 1; None: of the file as a whole."""

    row: int | None
    says: str

    def __str__(self) -> str:
        """Give it in words."""
        return self.says if self.row is None else f"row {self.row}: {self.says}"


class FaultyFile(Malformed):
    """A file that cannot be taken, with all that is wrong with it; nothing of it has been taken."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        more = f"; and {len(faults) - MOST_TOLD} more" if len(faults) > MOST_TOLD else ""
        super().__init__("; ".join(map(str, faults[:MOST_TOLD])) + more)
        self.faults = tuple(faults)


def guarded(text: str) -> str:
    """Give a text as a cell that no spreadsheet runs."""
    return f"'{text}" if _FORMULA.match(text) else text


def unguarded(cell: str) -> str:
    """Give the text of a cell."""
    return cell[1:] if _GUARDED.match(cell) else cell


def write_rows(rows: Iterable[Sequence[object]], separator: Separator = Separator.COMMA) -> bytes:
    """Give a file: UTF-8 with its mark, lines ended as RFC 4180 has it, every text guarded."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=separator.value, lineterminator="\r\n")
    for row in rows:
        writer.writerow([guarded(cell) if isinstance(cell, str) else cell for cell in row])
    return BOM + out.getvalue().encode()


def read_rows(content: bytes) -> list[list[str]]:
    """Give the rows of a file, each cell as a text without blanks around it; blank rows are there, so that they count.

    UTF-8, with or without its mark; cells parted by commas or semicolons, whichever there are more of in the first row.
    Raises FaultyFile.
    """
    text = _decoded(content)
    hint = _HINT.match(text)
    separator = hint[1] if hint else None
    text = text[hint.end() :] if hint else text
    rows: list[list[str]] = []
    try:
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator or _separator(text), strict=True):
            rows.append([unguarded(cell.strip()) for cell in row])  # noqa: PERF401 - counts up to the fault
    except (csv.Error, TypeError, ValueError) as error:
        says = f"cannot be parted into cells: {error}; a cell with a quote in it stands in quotes, and has it twice"
        raise FaultyFile([Fault(len(rows) + 1, says)]) from error
    return rows


def _separator(text: str) -> str:
    first = text[: text.find("\n")] if "\n" in text else text
    return Separator.SEMICOLON.value if first.count(";") > first.count(",") else Separator.COMMA.value


def _decoded(content: bytes) -> str:
    if len(content) > MOST_BYTES:
        raise FaultyFile([Fault(None, f"the file is too large: at most {MOST_BYTES // 2**20} MiB are read")])
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise FaultyFile([Fault(None, f"this is UTF-16, not UTF-8: {_AS_UTF8}")])
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FaultyFile([_not_utf8(content, error.start)]) from error


def _not_utf8(content: bytes, start: int) -> Fault:
    """Say where a file is no UTF-8, and how that place reads in what Excel's plain CSV has in Western Europe."""
    begin = content.rfind(b"\n", 0, start) + 1
    line = content[begin:].split(b"\n", 1)[0].decode("cp1252", "replace").strip()
    told = "".join(sign if sign.isprintable() else "�" for sign in line[:60])
    return Fault(content.count(b"\n", 0, start) + 1, f"not UTF-8, perhaps Windows-1252 (“{told}”): {_AS_UTF8}")
