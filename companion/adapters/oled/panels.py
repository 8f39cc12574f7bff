"""The chips' luma devices with their `display` replaced: only what has changed goes over the bus.

luma sends whole frames to the page-oriented chips (1,024 bytes, 25 ms at 400 kHz) and packs them pixel by pixel in
Python; here Pillow packs, and runs of changed columns are sent. Set-up sequences and the serial interfaces stay luma's.
Knows no bus and no error text.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from luma.oled import device as luma_device
from PIL import Image

from companion.core.shown.displays import CHIPS, Memory

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from companion.core.shown.displays import Chip

_DISPLAY_OFF = 0xAE
_COLUMNS, _PAGES = 0x21, 0x22
_WINDOW_COST = 10
"""Bytes it costs to begin another run (address, control byte, the window's command, the data's address and control
byte): changed columns nearer to each other than this are one run."""


def page_bytes(picture: Image.Image) -> list[bytes]:
    """Pack a picture of mode "1" as the page-oriented chips hold it: a byte a column, its lowest bit on top."""
    turned = picture.transpose(Image.Transpose.ROTATE_270)  # a row of it is a column of the picture, bottom first
    packed, pages = turned.tobytes(), picture.height // 8
    return [packed[pages - 1 - page :: pages] for page in range(pages)]


def nibble_rows(picture: Image.Image) -> list[bytes]:
    """Pack a picture of mode "1" as the greyscale chips hold it: two pixels a byte, the left one in the high nibble."""
    flat, width = picture.convert("L").tobytes(), picture.width
    even, odd = flat[0::2], flat[1::2]
    packed = bytes((left & 0xF0) | (right & 0x0F) for left, right in zip(even, odd, strict=True))
    return [packed[start : start + width // 2] for start in range(0, len(packed), width // 2)]


def changed_runs(old: bytes, new: bytes, gap: int) -> Iterator[tuple[int, int]]:
    """Give the half-open ranges in which two strings of equal length differ; those nearer than `gap` are one."""
    start = end = -1
    for index, (before, after) in enumerate(zip(old, new, strict=True)):
        if before == after:
            continue
        if start >= 0 and index - end >= gap:
            yield start, end
            start = index
        elif start < 0:
            start = index
        end = index + 1
    if start >= 0:
        yield start, end


class _Waking:
    """Remembers the set-up that luma's constructor sends before its first picture, to send it again without a blink."""

    facts: Chip
    preprocess: Callable[[Image.Image], Image.Image]
    data: Callable[[list[int]], None]
    _setup: tuple[tuple[int, ...], ...] = ()
    _set_up = False
    _sent: list[bytes] | None = None

    def command(self, *command: int) -> None:
        """Pass a command on to luma's device."""
        if not self._set_up:
            self._setup = (*self._setup, command)
        super().command(*command)  # type: ignore[misc]

    def wake(self) -> None:
        """Set the chip up as if its power had failed, but for "display off"; the next `display` sends everything."""
        for command in self._setup:
            if kept := command[1:] if command[0] == _DISPLAY_OFF else command:
                self.command(*kept)
        self.forget()

    def forget(self) -> None:
        """Take nothing for granted about what the chip holds."""
        self._set_up = True
        self._sent = None


class _Paged(_Waking):
    """Chips with a byte for eight pixels of a column. `_send_run` is what differs between them."""

    def display(self, image: Image.Image) -> None:
        """Send what differs from the picture before; everything at first and after `wake`."""
        self._set_up = True
        pages = page_bytes(self.preprocess(image))
        before, self._sent = self._sent, None  # None while sending: after an error everything is sent again
        for page, new in enumerate(pages):
            old = before[page] if before is not None else bytes(byte ^ 0xFF for byte in new)
            if old == new:
                continue
            for start, end in changed_runs(old, new, _WINDOW_COST):
                self._send_run(page, start, new[start:end])
        self._sent = pages

    def _send_run(self, page: int, column: int, data: bytes) -> None:
        raise NotImplementedError


class _Windows(_Paged):
    """Horizontal addressing within a window that is set for each run."""

    def _send_run(self, page: int, column: int, data: bytes) -> None:
        last = column + len(data) - 1
        self.command(_COLUMNS, column, last, _PAGES, page, page)
        self.data(list(data))


class _Pages(_Paged):
    """Page addressing; the visible columns may begin at a later one of the chip's."""

    def _send_run(self, page: int, column: int, data: bytes) -> None:
        column += self.facts.first_column
        self.command(0xB0 | page, column & 0x0F, 0x10 | column >> 4)
        self.data(list(data))


class _Greys(_Waking):
    """Four bits a pixel; windows of whole columns, four pixels each, over bands of eight rows."""

    _BAND = 8
    _set_position: Callable[[int, int, int, int], None]

    def __init__(self, serial_interface: Any, **settings: Any) -> None:
        super().__init__(serial_interface, mode="1", **settings)  # type: ignore[call-arg]

    def display(self, image: Image.Image) -> None:
        """Send what differs from the picture before; everything at first and after `wake`."""
        self._set_up = True
        rows = nibble_rows(self.preprocess(image))
        before, self._sent = self._sent, None
        for top in range(0, len(rows), self._BAND):
            new = rows[top : top + self._BAND]
            old = before[top : top + self._BAND] if before is not None else None
            self._send_band(top, new, old)
        self._sent = rows

    def _send_band(self, top: int, new: list[bytes], old: list[bytes] | None) -> None:
        left, right = 0, len(new[0])
        if old is not None:
            spans = [span for pair in zip(old, new, strict=True) for span in changed_runs(*pair, gap=right)]
            if not spans:
                return
            left = min(start for start, _ in spans) & ~1  # an address is four pixels: two bytes
            right = (max(end for _, end in spans) + 1) & ~1
        self._set_position(top, right * 2, top + len(new), left * 2)
        self.data([byte for row in new for byte in row[left:right]])


_BY_MEMORY: dict[Memory, type[_Waking]] = {Memory.WINDOWS: _Windows, Memory.PAGES: _Pages, Memory.GREYS: _Greys}


@cache
def panel_of(chip: str) -> Any:
    """Give the class of a chip's panel: luma's device of that name, sending as the chip's memory is made."""
    facts = CHIPS[chip]
    return type(chip.capitalize(), (_BY_MEMORY[facts.memory], getattr(luma_device, chip)), {"facts": facts})
