"""A PN532 at its bytes: frames in, frames out, as NXP's UM0701-02 has them; at a pseudo-terminal, or on an I2C bus.

It sleeps until it is woken (HSU: by 0x55), answers each command with an acknowledgement and then its answer, keeps two
tags at most, and looks for tags for ever unless RFConfiguration has said how often. A tag that was selected misses the
first call of the next search, as ISO/IEC 14443-3 has it (a REQA sends it from ACTIVE to IDLE).
"""

from __future__ import annotations

import os
import select
import threading
import tty
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ACK = bytes.fromhex("0000ff00ff00")
NACK = bytes.fromhex("0000ffff0000")
SYNTAX_ERROR = bytes.fromhex("0000ff01ff7f8100")
WAKE_UP = 0x55
TIMEOUT = 0x01


def frame(data: bytes) -> bytes:
    """A normal information frame from the chip: data begins with its command's number and one."""
    body = b"\xd5" + data
    return b"\x00\x00\xff" + bytes([len(body), -len(body) & 0xFF]) + body + bytes([-sum(body) & 0xFF, 0])


def ndef_text(text: str) -> bytes:
    """Pages from 3 on of an NTAG213 with one text record."""
    payload = b"\x02en" + text.encode()
    record = bytes([0xD1, 1, len(payload)]) + b"T" + payload
    value = b"\x01\x03\xa0\x0c\x34\x03" + bytes([len(record)]) + record + b"\xfe"
    return bytes.fromhex("e1101200") + value


@dataclass
class FakeTag:
    """A tag. pages: its bytes from page 3 on; kind: SEL_RES, 0x00 for NTAG, 0x08 for Mifare Classic 1K."""

    uid: bytes
    kind: int = 0x00
    pages: bytes = bytes.fromhex("e1101200") + bytes(140)
    breaks_off: int = 0
    """So many of its next pages are not read: it is moved."""
    is_active: bool = False
    reads: list[int] = field(default_factory=list)

    @property
    def ats(self) -> bytes:
        """What a tag says that talks ISO/IEC 14443-4."""
        return bytes.fromhex("0675778102") + b"\x80" if self.kind & 0x20 else b""

    def listed(self, number: int) -> bytes:
        """It among the chip's targets."""
        return bytes([number, 0x00, 0x44, self.kind, len(self.uid)]) + self.uid + self.ats

    def read(self, page: int) -> bytes:
        """Status and 16 bytes."""
        self.reads.append(page)
        if self.breaks_off:
            self.breaks_off -= 1
            return bytes([TIMEOUT])
        at = 4 * (page - 3)
        return b"\x00" + self.pages[at : at + 16].ljust(16, b"\x00")


class Pn532:
    """The chip. tags: what lies on it. faults: what it sends instead of its next acknowledgements or answers."""

    def __init__(self) -> None:
        self.tags: list[FakeTag] = []
        self.faults: list[str] = []
        self.commands: list[bytes] = []
        self.is_awake = False
        self._retries = 0xFF
        self._kept: list[FakeTag] = []
        self._begun = b""

    def take(self, data: bytes) -> list[bytes]:
        """Take bytes; give the frames that it sends."""
        if not self.is_awake:
            if WAKE_UP not in data:
                return []
            self.is_awake = True
        self._begun += data
        return [answer for command in self._commands() for answer in self._answers(command)]

    def _commands(self) -> Iterator[bytes]:
        while (start := self._begun.find(b"\x00\xff")) >= 0 and len(self._begun) >= start + 4:
            length, check = self._begun[start + 2 : start + 4]
            if (length, check) in {(0x00, 0xFF), (0xFF, 0x00)}:
                self._begun = self._begun[start + 4 :]
                continue
            end = start + 4 + length + 1
            if (length + check) & 0xFF or len(self._begun) < end:
                if len(self._begun) < end and not (length + check) & 0xFF:
                    return
                self._begun = self._begun[start + 2 :]
                continue
            body, self._begun = self._begun[start + 4 : end], self._begun[end:]
            if sum(body) & 0xFF == 0 and body[0] == 0xD4:
                yield bytes(body[1:-1])

    def _answers(self, command: bytes) -> list[bytes]:
        self.commands.append(command)
        fault = self.faults.pop(0) if self.faults else ""
        answer = self._answer(command)
        made = SYNTAX_ERROR if answer is None else frame(bytes([command[0] + 1]) + answer)
        return {
            "": [ACK, made] if answer != b"waits" else [ACK],
            "nack": [NACK],
            "error": [ACK, SYNTAX_ERROR],
            "no answer": [ACK],
            "silent": [],
            "garbage": [ACK, bytes(range(1, 60))],
            "checksum": [ACK, made[:-2] + bytes([made[-2] ^ 1, 0])],
            "cut": [ACK, made[:7]],
            "other command": [ACK, frame(b"\x03\x32\x01\x06\x07")],
        }[fault]

    def _answer(self, command: bytes) -> bytes | None:
        match command[0]:
            case 0x02:
                return b"\x32\x01\x06\x07"
            case 0x14:
                return b""
            case 0x32:
                self._retries = command[4] if command[1] == 5 else self._retries
                return b""
            case 0x4A:
                return self._search(command[1])
            case 0x40:
                number, _, page = command[1:4]
                there = number <= len(self._kept) and self._kept[number - 1] in self.tags
                return self._kept[number - 1].read(page) if there else bytes([TIMEOUT])
        return None

    def _search(self, most: int) -> bytes:
        self._kept = []
        for _ in range(1 + min(self._retries, 10)):
            for tag in self.tags:
                if tag.is_active:
                    tag.is_active = False
                elif tag not in self._kept and len(self._kept) < most:
                    self._kept.append(tag)
            if len(self._kept) == min(most, len(self.tags)) > 0:
                break
        for tag in self._kept:
            tag.is_active = True
        if not self._kept and self._retries == 0xFF:
            return b"waits"
        return bytes([len(self._kept)]) + b"".join(tag.listed(n) for n, tag in enumerate(self._kept, start=1))


class WiredPn532:
    """A chip at a pseudo-terminal, with a thread that plays it; unplugged and plugged in again, it is asleep."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.plug()

    def plug(self) -> None:
        self.chip = Pn532()
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        self._stop = os.pipe()
        self.path.unlink(missing_ok=True)
        self.path.symlink_to(os.ttyname(self._slave))
        self._thread = threading.Thread(target=self._play, daemon=True)
        self._thread.start()

    def _play(self) -> None:
        while True:
            ready, _, _ = select.select([self._master, self._stop[0]], [], [])
            if self._stop[0] in ready:
                return
            for answer in self.chip.take(os.read(self._master, 4096)):
                os.write(self._master, answer)

    def unplug(self) -> None:
        os.write(self._stop[1], b".")
        self._thread.join()
        self.path.unlink()
        for descriptor in (self._slave, self._master, *self._stop):
            os.close(descriptor)


class I2cPn532:
    """A chip on an I2C bus, at 0x24: each read begins with a status byte, 1 where an answer waits (UM0701, 6.2.4)."""

    def __init__(self) -> None:
        self.chip = Pn532()
        self.chip.is_awake = True  # its own address wakes it
        self.is_there, self.closed = True, 0
        self._waiting: list[bytes] = []

    def write(self, address: int, data: bytes) -> None:
        self._check(address)
        self._waiting = self.chip.take(data)

    def read(self, address: int, count: int) -> bytes:
        self._check(address)
        if not self._waiting:
            return bytes(count)
        said = b"\x01" + self._waiting[0]
        if count > 1:
            self._waiting.pop(0)
        return said[:count].ljust(count, b"\x00")

    def _check(self, address: int) -> None:
        if not self.is_there or address != 0x24:
            raise OSError(121, "Remote I/O error")

    def close(self) -> None:
        self.closed += 1
