"""A code as a symbol that scanners read: QR, Data Matrix or Code 128, as dark and light modules. Draws nothing.

Standards: ISO/IEC 18004 (QR), ISO/IEC 16022 (Data Matrix, ECC 200), ISO/IEC 15417 (Code 128).
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from companion.core.errors import Unavailable

if TYPE_CHECKING:
    from companion.screens.labels.outline import Modules

LIBRARIES = "pip install 'table-companion[cards]'"


class Kind(StrEnum):
    """What a code is printed as."""

    QR = "qr"
    DATA_MATRIX = "data-matrix"
    CODE_128 = "code-128"


QUIET = {Kind.QR: 4, Kind.DATA_MATRIX: 2, Kind.CODE_128: 10}
"""Modules of white that a symbol needs beside it. Data Matrix asks for 1; two, as labels are cut and fed crookedly."""
LEAST_MODULE_MM = {Kind.QR: 0.25, Kind.DATA_MATRIX: 0.25, Kind.CODE_128: 0.19}
"""The narrowest module that common readers manage from a printer of 300 dpi: 10 mil for areas, as cameras of phones
need, and 7.5 mil for bars, as scanners of the counter state."""


class Symbol(NamedTuple):
    """A code as modules, without its quiet zone; one row where it is bars, which may be as high as there is room."""

    kind: Kind
    modules: Modules

    @property
    def across(self) -> int:
        """How many modules wide it is with its quiet zone."""
        return len(self.modules[0]) + 2 * QUIET[self.kind]

    @property
    def is_bars(self) -> bool:
        """Whether its height says nothing."""
        return self.kind is Kind.CODE_128


def symbol(code: str, kind: Kind) -> Symbol:
    """Give a code of printable ASCII as a symbol. Raises Unavailable where the library that encodes it is missing."""
    return Symbol(kind, {Kind.QR: _qr, Kind.DATA_MATRIX: _data_matrix, Kind.CODE_128: _code_128}[kind](code))


def _qr(code: str) -> Modules:
    import segno  # noqa: PLC0415 - whoever prints nothing need not have it in memory

    return tuple(tuple(bool(bit) for bit in row) for row in segno.make_qr(code, error="m").matrix)


def _data_matrix(code: str) -> Modules:
    try:
        from pystrich.datamatrix import DataMatrixData, DataMatrixEncoder  # noqa: PLC0415 - as above
    except ImportError as error:
        raise _missing() from error
    marks = DataMatrixEncoder(DataMatrixData(code, encoding="ascii"), quiet_zone=0).get_rect_marks()
    rows = [[False] * marks.width for _ in range(marks.height)]
    for left, top, width, height in marks.marks:
        for row in rows[top : top + height]:
            row[left : left + width] = [True] * width
    return tuple(map(tuple, rows))


def _code_128(code: str) -> Modules:
    try:
        from pystrich.code128 import Code128Encoder  # noqa: PLC0415 - as above
    except ImportError as error:
        raise _missing() from error
    return (tuple(bar == "1" for bar in Code128Encoder(code).bars),)


def _missing() -> Unavailable:
    return Unavailable(f"pystrich is missing, which draws Data Matrix and Code 128: {LIBRARIES}; or take --symbol qr")
