"""A model of the chips at the far end of the bus: from the very bytes luma sends back to a picture.

For tests, and for the simulated panel, which so runs the real display code. Follows the controllers' datasheets
(Solomon Systech SSD1306, SSD1309, SSD1322; Sino Wealth SH1106), not luma. What the box never uses (scrolling, vertical
addressing, fading) is an error here rather than a guess.
"""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from PIL import Image

from companion.adapters.oled.display import OledDisplay
from companion.adapters.oled.wiring import I2cWiring, SpiWiring
from companion.core.errors import Malformed
from companion.core.shown.displays import CHIPS, Memory

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.core.shown.displays import Chip


class ChipModel(Protocol):
    """One controller with its panel. `changes` grows with every byte it takes."""

    size: tuple[int, int]
    changes: int

    def command(self, byte: int) -> None:
        """Take a byte that was sent as a command."""

    def data(self, byte: int) -> None:
        """Take a byte that was sent as data."""

    def picture(self) -> Image.Image:
        """Give what an eye sees: mode "1"; black while the display is off."""

    def power_cut(self) -> None:
        """Lose everything, as after an unplug."""


class _Commands:
    """Collects a command's arguments, which follow it as command bytes. `ARGUMENTS`: how many each opcode takes."""

    ARGUMENTS: ClassVar[dict[int, int]]

    def __init__(self) -> None:
        self._pending: list[int] = []
        self.changes = 0

    def command(self, byte: int) -> None:
        """Take a byte that was sent as a command."""
        self.changes += 1
        self._pending.append(byte)
        opcode, *arguments = self._pending
        if opcode not in self.ARGUMENTS:
            raise Malformed(f"{type(self).__name__} has no command 0x{opcode:02x}")
        if len(arguments) == self.ARGUMENTS[opcode]:
            self._pending = []
            self._obey(opcode, arguments)

    def _obey(self, opcode: int, arguments: list[int]) -> None:
        raise NotImplementedError


class _Monochrome(_Commands):
    """What SSD1306, SSD1309 and SH1106 share: eight pages of columns, a byte for eight pixels, lowest bit on top."""

    USUAL: ClassVar[str]

    def __init__(self, facts: Chip | None = None) -> None:
        super().__init__()
        self.facts = facts or CHIPS[self.USUAL]
        self.size = self.facts.size
        self.width = self.facts.columns or self.size[0]
        self.power_cut()

    def power_cut(self) -> None:
        """Lose everything, as after an unplug."""
        self._pending = []
        self.ram = [bytearray(self.width) for _ in range(8)]
        self.on = self.pump = self.inverse = self.all_on = False
        self.mirrored = self.upside_down = True  # as the modules are mounted, the reset state shows mirror writing
        self.start_line = self.offset = 0
        self.contrast = 0x7F
        self.page = self.column = 0

    def picture(self) -> Image.Image:
        """Give what an eye sees."""
        image = Image.new("1", self.size)
        if not self.on or (self.facts.has_pump and not self.pump):
            return image
        width, height = self.size
        for y in range(height):
            line = (y + self.start_line + self.offset) % 64
            bits, page = 1 << line % 8, self.ram[line // 8]
            for x in range(width):
                lit = self.all_on or bool(page[self.facts.first_column + x] & bits) != self.inverse
                place = (width - 1 - x if self.mirrored else x, height - 1 - y if self.upside_down else y)
                image.putpixel(place, int(lit))
        return image

    def _obey(self, opcode: int, arguments: list[int]) -> None:
        switches = {
            0xA0: ("mirrored", True), 0xA1: ("mirrored", False),
            0xC0: ("upside_down", True), 0xC8: ("upside_down", False),
            0xA4: ("all_on", False), 0xA5: ("all_on", True),
            0xA6: ("inverse", False), 0xA7: ("inverse", True),
            0xAE: ("on", False), 0xAF: ("on", True),
        }  # fmt: skip
        if opcode in switches:
            setattr(self, *switches[opcode])
        elif opcode == 0x81:
            self.contrast = arguments[0]
        elif opcode == 0xD3:
            self.offset = arguments[0] & 0x3F
        elif 0x40 <= opcode <= 0x7F:
            self.start_line = opcode & 0x3F
        else:
            self._address(opcode, arguments)

    def _address(self, opcode: int, arguments: list[int]) -> None:
        raise NotImplementedError


_COMMON = {
    **dict.fromkeys(range(0x40, 0x80), 0),
    **dict.fromkeys((0xA0, 0xA1, 0xA4, 0xA5, 0xA6, 0xA7, 0xAE, 0xAF, 0xC0, 0xC8, 0xE3), 0),
    **dict.fromkeys((0x81, 0xA8, 0xD3, 0xD5, 0xD9, 0xDA, 0xDB), 1),
}


class Ssd1306Model(_Monochrome):
    """Horizontal addressing: the pointer wraps within a window of columns and pages (datasheet 10.1.3 to 10.1.5)."""

    ARGUMENTS: ClassVar[dict[int, int]] = {**_COMMON, 0x20: 1, 0x21: 2, 0x22: 2, 0x8D: 1}
    USUAL = "ssd1306"

    def power_cut(self) -> None:
        """Lose everything, as after an unplug."""
        super().power_cut()
        self.columns, self.pages, self.mode = (0, 127), (0, 7), 2

    def data(self, byte: int) -> None:
        """Take a byte that was sent as data."""
        self.changes += 1
        if self.mode != 0:
            raise Malformed("only horizontal addressing is modelled")
        self.ram[self.page][self.column] = byte
        self.column += 1
        if self.column > self.columns[1]:
            self.column = self.columns[0]
            self.page = self.pages[0] if self.page == self.pages[1] else self.page + 1

    def _address(self, opcode: int, arguments: list[int]) -> None:
        if opcode == 0x20:
            self.mode = arguments[0] & 3
        elif opcode == 0x21:
            self.columns = _window(arguments, 127, "columns")
            self.column = self.columns[0]
        elif opcode == 0x22:
            self.pages = _window(arguments, 7, "pages")
            self.page = self.pages[0]
        elif opcode == 0x8D:
            self.pump = arguments[0] == 0x14


class Sh1106Model(_Monochrome):
    """Page addressing; 132 columns, of which the panel shows 128 from the third on. The pointer stays in its page."""

    # 0x20 and 0x8d, which luma sends out of habit, are no commands of this chip: it takes what follows as commands
    ARGUMENTS: ClassVar[dict[int, int]] = {
        **_COMMON,
        **dict.fromkeys([*range(0x20), *range(0xB0, 0xB8), 0x20, 0x8D], 0),
        0xAD: 1,
    }
    USUAL = "sh1106"

    def data(self, byte: int) -> None:
        """Take a byte that was sent as data."""
        self.changes += 1
        if self.column < self.width:
            self.ram[self.page][self.column] = byte
            self.column += 1

    def _address(self, opcode: int, _arguments: list[int]) -> None:
        if opcode < 0x10:
            self.column = self.column & 0xF0 | opcode
        elif opcode < 0x20:
            self.column = self.column & 0x0F | (opcode & 0x0F) << 4
        elif 0xB0 <= opcode <= 0xB7:
            self.page = opcode & 7


class Ssd1322Model(_Commands):
    """Four-bit greys in windows of columns of four pixels; arguments of commands come as data (datasheet 8.1.3)."""

    ARGUMENTS: ClassVar[dict[int, int]] = {
        **dict.fromkeys((0x5C, 0xA4, 0xA5, 0xA6, 0xA7, 0xA9, 0xAE, 0xAF, 0xB9), 0),
        **dict.fromkeys((0xA1, 0xA2, 0xAB, 0xB1, 0xB3, 0xB5, 0xB6, 0xBB, 0xBE, 0xC1, 0xC7, 0xCA, 0xFD), 1),
        **dict.fromkeys((0x15, 0x75, 0xA0, 0xB4, 0xD1), 2),
    }

    def __init__(self, facts: Chip | None = None) -> None:
        super().__init__()
        self.facts = facts or CHIPS["ssd1322"]
        self.size = self.facts.size
        self.power_cut()

    def power_cut(self) -> None:
        """Lose everything, as after an unplug."""
        self._pending = []
        self.ram = [bytearray((self.facts.columns or self.size[0]) // 2) for _ in range(128)]
        self.on = self.writing = False
        self.mode = 0xA6
        self.contrast = 0x7F
        self.remap = 0x00
        self.columns, self.rows = (0, 0x77), (0, 0x7F)
        self.byte, self.row = 0, 0

    def command(self, byte: int) -> None:
        """Take a byte that was sent as a command."""
        if self._pending:
            raise Malformed(f"command 0x{self._pending[0]:02x} lacks arguments")
        self.writing = False
        super().command(byte)

    def data(self, byte: int) -> None:
        """Take a byte that was sent as data."""
        self.changes += 1
        if self._pending:
            super().command(byte)
        elif self.writing:
            self.ram[self.row][self.byte] = byte
            self.byte += 1
            if self.byte > self.columns[1] * 2 + 1:
                self.byte = self.columns[0] * 2
                self.row = self.rows[0] if self.row == self.rows[1] else self.row + 1
        else:
            raise Malformed("data without the command to write")

    def _obey(self, opcode: int, arguments: list[int]) -> None:
        if opcode == 0x15:
            self.columns = _window(arguments, 0x77, "columns")
        elif opcode == 0x75:
            self.rows = _window(arguments, 0x7F, "rows")
        elif opcode == 0x5C:
            self.writing, self.byte, self.row = True, self.columns[0] * 2, self.rows[0]
        elif opcode == 0xA0:
            self.remap = arguments[0]
        elif opcode == 0xC1:
            self.contrast = arguments[0]
        elif opcode in {0xAE, 0xAF}:
            self.on = opcode == 0xAF
        elif 0xA4 <= opcode <= 0xA7:
            self.mode = opcode

    def picture(self) -> Image.Image:
        """Give what an eye sees."""
        image = Image.new("1", self.size)
        if not self.on or self.mode == 0xA4:
            return image
        if self.remap != 0x14:
            raise Malformed(f"remap 0x{self.remap:02x} is not modelled: only 0x14, as the panels are mounted")
        for y in range(self.size[1]):
            for x in range(self.size[0]):
                byte = self.ram[y][(self.facts.first_column + x) // 2]
                grey = byte & 0x0F if x % 2 else byte >> 4
                image.putpixel((x, y), int((grey >= 8) != (self.mode == 0xA7) or self.mode == 0xA5))
        return image


def _window(arguments: list[int], last: int, what: str) -> tuple[int, int]:
    start, end = arguments
    if not 0 <= start <= end <= last:
        raise Malformed(f"{what} {start} to {end}: allowed 0 to {last}")
    return start, end


class I2cWire:
    """An SMBus with one chip on it. `sent` counts the bytes on the bus, addresses and control bytes too."""

    def __init__(self, chip: ChipModel, address: int = 0x3C) -> None:
        self.chip = chip
        self.address = address
        self.plugged = True
        self.sent = 0

    def write_i2c_block_data(self, address: int, register: int, data: Iterable[int]) -> None:
        """Take a block as smbus2 sends it: at most 32 bytes after the control byte."""
        block = list(data)
        if len(block) > 32:
            raise ValueError("an SMBus block has at most 32 bytes")
        if not self.plugged or address != self.address:
            raise OSError(errno.EREMOTEIO, "Remote I/O error")
        self.sent += 2 + len(block)
        take = {0x00: self.chip.command, 0x40: self.chip.data}[register]
        for byte in block:
            take(byte)

    def close(self) -> None:
        """Let go of the bus; the chip stays as it is."""


class SpiWire:
    """spidev and the pins beside it, with one chip: the level of the data/command pin says what a byte is."""

    LOW, HIGH, OUT = 0, 1, 0
    max_speed_hz = 0

    def __init__(self, chip: ChipModel, dc: int = 24, reset: int = 25) -> None:
        self.chip = chip
        self.sent = 0
        self._dc, self._reset = dc, reset
        self._levels: dict[int, int] = {}

    def open(self, port: int, device: int) -> None:
        """Take what spidev takes."""

    def writebytes(self, data: Iterable[int]) -> None:
        """Take bytes as spidev sends them."""
        take = self.chip.data if self._levels[self._dc] else self.chip.command
        for byte in data:
            self.sent += 1
            take(byte)

    def setup(self, pin: int, _direction: int, initial: int = 0) -> None:
        """Claim a pin."""
        self._levels[pin] = initial

    def output(self, pin: int, level: int) -> None:
        """Drive a pin; reset is active low."""
        self._levels[pin] = level
        if pin == self._reset and not level:
            self.chip.power_cut()

    def cleanup(self, _pins: object = ()) -> None:
        """Let go of the pins."""

    def close(self) -> None:
        """Let go of the bus; the chip stays as it is."""


_BY_MEMORY: dict[Memory, type[Any]] = {
    Memory.WINDOWS: Ssd1306Model,
    Memory.PAGES: Sh1106Model,
    Memory.GREYS: Ssd1322Model,
}


def simulated(chip: str, **settings: Any) -> tuple[OledDisplay, I2cWire | SpiWire]:
    """Give a display and the wire to the model of its chip; I2C where it speaks that. Raises Malformed."""
    if chip not in CHIPS:
        raise Malformed(f"there is no display chip {chip!r}; allowed: {', '.join(CHIPS)}")
    facts = CHIPS[chip]
    model: ChipModel = _BY_MEMORY[facts.memory](facts)
    if "i2c" not in facts.interfaces:
        spi = SpiWire(model)
        return OledDisplay(chip, SpiWiring(open_bus=lambda: (spi, spi)), **settings), spi
    i2c = I2cWire(model)
    return OledDisplay(chip, I2cWiring(open_bus=lambda _bus: i2c), **settings), i2c
