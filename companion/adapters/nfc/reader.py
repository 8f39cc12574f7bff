"""A reader of tags: asks the chip which lie on it, and hands on each that comes. One thread ("tag reader").

A tag's time is when it was found. It came at most so long before as its scan says: since the chip was asked last and
had not found it; nobody knows how long where it lay there when the chip began to answer. Does for the box what
`companion.adapters.scanner.reader.Scanner` does for a reader of codes.
"""

from __future__ import annotations

import re
import select
import time
from typing import TYPE_CHECKING, NamedTuple, Protocol

from companion.adapters.nfc.buses import Ended, I2cBus, SerialBus, SmbusMessages
from companion.adapters.nfc.chip import Chip, TagLeft
from companion.adapters.nfc.library import drivers
from companion.adapters.nfc.ndef import text_on
from companion.adapters.nfc.tags import Lying
from companion.core.errors import Unavailable
from companion.core.play.scanning import LONGEST_CODE, Condition, Scan, Unreadable
from companion.core.words.texts import text
from companion.threads.stop_pipe import StopPipe
from companion.threads.watched import Watched

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import serial

    from companion.adapters.nfc.tags import Tag

AGAIN_S = 1.0
POLL_S = 0.05
"""Between two questions, on top of what an answer takes."""
MOST_TRIES = 3
BAUD = 115_200
"""The chip's after it was switched on."""
I2C = re.compile(r"/dev/i2c-(\d+)")
SILENT = text("no PN532 answers at {port}: {error}")
GONE = text("the reader of tags at {port} has gone: {error}")
RANDOM = text("a tag that shows another number each time, as phones and bank cards do: no card's")
LEFT = text("a tag that was taken away before its text was read: hold it there a little longer")


class Bus(Protocol):
    """What the driver is given; it is closed with the reader."""

    def close(self) -> None:
        """Give it back."""


class NoChip(Unavailable):
    """There is a port or a bus, and no PN532 that answers."""


class Begun(NamedTuple):
    """A tag whose text could not be read yet: when it was found first."""

    tries: int
    found_ns: int
    error_ns: int | None


class TagReader:
    """Reads tags until closed.

    port: a serial port, or /dev/i2c-NUMBER. open_bus: `open_chip`. on_scan: a tag's code, or what is wrong with it, and
    when it was found (CLOCK_MONOTONIC, ns). on_state: what is wrong with the reader, None when it is well again. Both
    are called in its thread. by_text: a text that is written on a tag is its code; else, and where there is none, its
    own number is.
    """

    def __init__(
        self,
        port: Path,
        open_bus: Callable[[Path, Callable[[], bool]], tuple[Chip, Bus]],
        on_scan: Callable[[Scan | Unreadable, int], None],
        on_state: Callable[[str | None], None],
        *,
        by_text: bool = False,
        clock: Callable[[], int] = time.monotonic_ns,
        again_s: float = AGAIN_S,
    ) -> None:
        """again_s: between two attempts to open it."""
        self._port, self._on_scan, self._condition = port, on_scan, Condition(on_state)
        self._by_text, self._open, self._clock, self._again_s = by_text, open_bus, clock, again_s
        self._lying, self._begun = Lying(), dict[bytes, Begun]()
        self._stop = StopPipe()
        self._thread = Watched(self._run, name="tag reader")

    def start(self) -> None:
        """Begin to read."""
        self._thread.start()

    def close(self) -> None:
        """Stop; may be called again."""
        self._stop.end(self._thread)

    def _run(self) -> None:
        while not self._waits(0):
            try:
                chip, bus = self._open(self._port, lambda: self._waits(0))
            except Ended:
                return
            except Unavailable as error:
                self._condition.tell(str(error))
            else:
                self._condition.tell(None)
                try:
                    self._read(chip)
                    return
                except Ended:
                    return
                except FAULTS as error:
                    self._condition.tell(GONE.format(port=str(self._port), error=str(error)))
                finally:
                    bus.close()
            if self._waits(self._again_s):
                return

    def _waits(self, seconds: float) -> bool:
        """Wait so long; True once it is to stop."""
        return bool(select.select([self._stop.fileno()], [], [], seconds)[0])

    def _read(self, chip: Chip) -> None:
        """Read until told to stop. Raises one of FAULTS when the chip has gone."""
        asked_ns: int | None = None
        while True:
            now_ns = self._clock()
            tags = chip.tags()
            found_ns = self._clock()
            for tag in self._lying.look(tags):
                self._found(chip, tag, found_ns, None if asked_ns is None else found_ns - asked_ns)
            self._tell_of_those_that_left(tags, found_ns)
            asked_ns = now_ns
            if self._waits(POLL_S):
                return

    def _found(self, chip: Chip, tag: Tag, found_ns: int, error_ns: int | None) -> None:
        if tag.is_random:
            self._on_scan(Unreadable(RANDOM), found_ns)
            return
        first = self._begun.pop(tag.uid, Begun(0, found_ns, error_ns))
        try:
            code = self._code(chip, tag)
        except TagLeft:
            if first.tries + 1 < MOST_TRIES:
                self._begun[tag.uid] = first._replace(tries=first.tries + 1)
                self._lying.forget(tag)
            else:
                self._on_scan(Unreadable(LEFT), found_ns)
        else:
            self._on_scan(Scan(code, first.error_ns), first.found_ns)

    def _code(self, chip: Chip, tag: Tag) -> str:
        """Give a tag's text where that is wanted and can be a code, else its number. Raises TagLeft."""
        said = text_on(lambda page: chip.read(tag, page)) if self._by_text and tag.has_pages else None
        said = (said or "").strip()
        return said if re.fullmatch(rf"[!-~][ -~]{{0,{LONGEST_CODE - 1}}}", said) else tag.code

    def _tell_of_those_that_left(self, tags: list[Tag], now_ns: int) -> None:
        for uid in self._begun.keys() - {tag.uid for tag in tags}:
            del self._begun[uid]
            self._on_scan(Unreadable(LEFT), now_ns)


FAULTS = (OSError, RuntimeError, ValueError, TypeError)
"""What the driver and pyserial raise where a chip is unplugged or talks nonsense."""


def open_chip(
    port: Path, is_ended: Callable[[], bool], *, open_port: Callable[[Path, int], serial.Serial]
) -> tuple[Chip, SerialBus | I2cBus]:
    """Wake the chip at a port; give it and what it is at, to be closed. Raises Ended, Unavailable.

    is_ended: asked while it is waited for. open_port: opens a serial port at a speed; raises Unavailable.
    """
    driver = drivers()
    if found := I2C.fullmatch(str(port)):
        try:
            on_i2c = I2cBus(SmbusMessages(int(found[1])), is_ended)
        except OSError as error:
            raise NoChip(SILENT.format(port=str(port), error=error.strerror or str(error))) from error
        return _woken(lambda: driver.on_i2c(on_i2c), port, driver.busy, on_i2c), on_i2c
    on_uart = SerialBus(open_port(port, BAUD), is_ended)
    return _woken(lambda: driver.on_uart(on_uart), port, driver.busy, on_uart), on_uart


def _woken(wake: Callable[[], object], port: Path, busy: type[Exception], bus: Bus) -> Chip:
    try:
        return Chip(wake(), busy)
    except Ended:
        bus.close()
        raise
    except (*FAULTS, IndexError, busy) as error:
        bus.close()
        raise NoChip(SILENT.format(port=str(port), error=str(error))) from error
