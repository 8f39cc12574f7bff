"""The chips' luma devices with their `display` replaced: only what has changed goes over the bus.

luma sends whole frames to the page-oriented chips (1,024 bytes, 25 ms at 400 kHz) and packs them pixel by pixel in
Python; here Pillow packs, and rectangles of what has changed are sent (`changes`), the most wanted first. Set-up
sequences and the serial interfaces stay luma's. Knows no bus and no error text.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

from luma.oled import device as luma_device
from PIL import Image

from companion.adapters.oled.changes import BAND, Writing, pieces
from companion.core.shown.displays import CHIPS, Memory

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from companion.adapters.oled.changes import Piece
    from companion.core.shown.displays import Chip

_DISPLAY_OFF = 0xAE
_COLUMNS, _PAGES = 0x21, 0x22
_BLOCK = 32
"""Bytes of data at a time on I2C, as SMBus has it; between two of them a newer picture can come first."""

_NIBBLES = [bytes(0xF0 * (byte >> 7 - x & 1) | 0x0F * (byte >> 6 - x & 1) for x in (0, 2, 4, 6)) for byte in range(256)]
"""For eight pixels of one bit, the leftmost highest: the same of four bits, two a byte, the left in the high nibble."""


def never() -> bool:
    """Tell that nothing newer is waiting."""
    return False


def page_bytes(picture: Image.Image) -> list[bytes]:
    """Pack a picture of mode "1" as the page-oriented chips hold it: a byte a column, its lowest bit on top."""
    turned = picture.transpose(Image.Transpose.ROTATE_270)  # a row of it is a column of the picture, bottom first
    packed, pages = turned.tobytes(), picture.height // 8
    return [packed[pages - 1 - page :: pages] for page in range(pages)]


def octet_bands(picture: Image.Image) -> list[bytes]:
    """Pack a picture of mode "1" in bands of eight rows: for every eight pixels of width eight bytes, one a row."""
    packed, width = picture.tobytes(), picture.width // 8
    bands = [packed[start : start + width * BAND] for start in range(0, len(packed), width * BAND)]
    return [b"".join(band[column::width] for column in range(width)) for band in bands]


class _Waking:
    """Remembers the set-up that luma's constructor sends before its first picture, to send it again without a blink."""

    facts: Chip
    _setup: tuple[tuple[int, ...], ...] = ()
    _set_up = False
    _held: list[bytearray | None] | None = None

    def command(self, *command: int) -> None:
        """Pass a command on to luma's device."""
        if not self._set_up:
            self._setup = (*self._setup, command)
        super().command(*command)  # type: ignore[misc]

    def wake(self) -> None:
        """Set the chip up as if its power had failed, but for "display off"; the next picture is sent whole."""
        for command in self._setup:
            if kept := command[1:] if command[0] == _DISPLAY_OFF else command:
                self.command(*kept)
        self.forget()

    def forget(self) -> None:
        """Take nothing for granted about what the chip holds."""
        self._set_up = True
        self._held = None


class _Sending(_Waking):
    """Keeps account of what the chip holds, band by band (None: not known), and sends what differs from it."""

    WRITING: ClassVar[Writing]
    preprocess: Callable[[Image.Image], Image.Image]
    data: Callable[[list[int]], None]
    rotate: int

    def display(self, image: Image.Image) -> None:
        """Send what differs from what the chip holds: luma's own name for it."""
        self.send(image)

    def send(
        self, image: Image.Image, first: tuple[int, int] = (0, 0), is_stale: Callable[[], bool] = never
    ) -> bool:  # fmt: skip
        """Send what differs from what the chip holds; everything at first and after `wake`. False: nothing does.

        first: rows of pixels, the end exclusive, that go before all others. is_stale: asked after every block on the
        bus; once it is true the rest is left out, to be found by the next picture's comparison.
        """
        self._set_up = True
        new = self._packed(self.preprocess(image))
        held: list[bytearray | None] = self._held or [None] * len(new)
        todo = [piece for bands in self._in_order(first, len(new)) for piece in pieces(held, new, bands, self.WRITING)]
        self._held = None  # while sending: after an error everything is sent again
        for piece in todo:
            if not self._write(piece, new, held, is_stale):
                break
        self._held = held
        return bool(todo)

    def _in_order(self, first: tuple[int, int], count: int) -> tuple[list[int], list[int]]:
        """Give the bands that touch `first`, and the others."""
        top, bottom = first if self.rotate == 0 else (count * BAND - first[1], count * BAND - first[0])
        wanted = range(top // BAND, -(-bottom // BAND))
        return [band for band in range(count) if band in wanted], [b for b in range(count) if b not in wanted]

    def _write(
        self, piece: Piece, new: list[bytes], held: list[bytearray | None], is_stale: Callable[[], bool]
    ) -> bool:  # fmt: skip
        """Send a rectangle and note what of it has arrived; False where the rest is not worth it."""
        self._begin(piece)
        written, goes_on = 0, True
        for columns, block in self._blocks(piece, new):
            self.data(block)
            written += columns
            if is_stale():
                goes_on = False
                break
        self._note(piece, new, held, written)
        return goes_on

    def _note(self, piece: Piece, new: list[bytes], held: list[bytearray | None], written: int) -> None:
        """Note that `written` columns of a rectangle have arrived; a part of an unknown band leaves it unknown."""
        unit, width = self.WRITING.unit, piece.right - piece.left
        for band in range(piece.top, piece.bottom):
            columns = max(0, min(width, written - (band - piece.top) * width))
            start, end = piece.left * unit, (piece.left + columns) * unit
            known = held[band]
            if known is not None:
                known[start:end] = new[band][start:end]
            elif end - start == len(new[band]):
                held[band] = bytearray(new[band])

    def _packed(self, image: Image.Image) -> list[bytes]:
        raise NotImplementedError

    def _begin(self, piece: Piece) -> None:
        """Tell the chip where the data that follows belongs."""
        raise NotImplementedError

    def _blocks(self, piece: Piece, new: list[bytes]) -> Iterator[tuple[int, list[int]]]:
        """Give the rectangle's data in turn, each block with the number of columns it fills."""
        raise NotImplementedError


class _Paged(_Sending):
    """Chips with a byte for eight pixels of a column."""

    def _packed(self, image: Image.Image) -> list[bytes]:
        return page_bytes(image)

    def _blocks(self, piece: Piece, new: list[bytes]) -> Iterator[tuple[int, list[int]]]:
        data = b"".join(new[page][piece.left : piece.right] for page in range(piece.top, piece.bottom))
        for start in range(0, len(data), _BLOCK):
            block = data[start : start + _BLOCK]
            yield len(block), list(block)


class _Windows(_Paged):
    """Horizontal addressing within a window that is set for each rectangle.

    Its cost: address, control byte and six of command, then the data's address and control byte.
    """

    WRITING = Writing(unit=1, window=10, is_tall=True)

    def _begin(self, piece: Piece) -> None:
        self.command(_COLUMNS, piece.left, piece.right - 1, _PAGES, piece.top, piece.bottom - 1)


class _Pages(_Paged):
    """Page addressing; the visible columns may begin at a later one of the chip's. Three bytes of command."""

    WRITING = Writing(unit=1, window=7, is_tall=False)

    def _begin(self, piece: Piece) -> None:
        column = piece.left + self.facts.first_column
        self.command(0xB0 | piece.top, column & 0x0F, 0x10 | column >> 4)


class _Greys(_Sending):
    """Four bits a pixel; windows of whole columns, four pixels each. Two of those are one here: eight pixels.

    A window's cost is not its seven bytes but the five times that the data/command pin is driven: about 0.3 ms on a Pi,
    in which 8 MHz would carry nine columns of eight rows (32 bytes each).
    """

    WRITING = Writing(unit=8, window=9, is_tall=True)
    _set_position: Callable[[int, int, int, int], None]

    def __init__(self, serial_interface: Any, **settings: Any) -> None:
        super().__init__(serial_interface, mode="1", **settings)  # type: ignore[call-arg]

    def _packed(self, image: Image.Image) -> list[bytes]:
        return octet_bands(image)

    def _begin(self, piece: Piece) -> None:
        self._set_position(piece.top * BAND, piece.right * 8, piece.bottom * BAND, piece.left * 8)

    def _blocks(self, piece: Piece, new: list[bytes]) -> Iterator[tuple[int, list[int]]]:
        for band in new[piece.top : piece.bottom]:
            octets = band[piece.left * 8 : piece.right * 8]
            rows = b"".join(_NIBBLES[octet] for row in range(BAND) for octet in octets[row::8])
            yield piece.right - piece.left, list(rows)


_BY_MEMORY: dict[Memory, type[_Sending]] = {
    Memory.WINDOWS: _Windows,
    Memory.PAGES: _Pages,
    Memory.GREYS: _Greys,
}


@cache
def panel_of(chip: str) -> Any:
    """Give the class of a chip's panel: luma's device of that name, sending as the chip's memory is made."""
    facts = CHIPS[chip]
    return type(chip.capitalize(), (_BY_MEMORY[facts.memory], getattr(luma_device, chip)), {"facts": facts})
