"""What `companion doctor` says of a card scanner that is at no plain serial port: one that types, a reader of tags."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.inputs.examining import SCANNER, check_typing_scanner
from companion.cli.findings.finding import Finding, Health
from companion.core.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.config.settings import Scanner

WIRES = (
    "check its wires and the switches on its board: HSU (both off) at a serial port, TX to RX;"
    " I2C (on, off) at /dev/i2c-1, SDA pin 3, SCL pin 5"
)
"""The switches of the boards that are sold with the chip; its pins I0 and I1 (UM0701-02, 3.1.3)."""


def check_scanner(scanner: Scanner) -> Iterable[Finding]:
    """Say how the scanner is that the settings name; nothing of one at a serial port, which is looked at with pods'."""
    for one in check_typing_scanner(scanner):
        yield Finding(Health(one.health), one.subject, one.text, one.mend)
    if scanner.kind == "pn532" and scanner.port:
        yield _tags(Path(scanner.port))


def _tags(port: Path) -> Finding:
    """Wake the chip, ask what it is and for tags, and let go of it."""
    from companion.adapters.nfc.reader import FAULTS, NoChip, open_chip
    from companion.adapters.pods.ports import open_port

    try:
        chip, bus = open_chip(port, lambda: False, open_port=open_port)
    except NoChip as error:
        return Finding(Health.FAULT, SCANNER, str(error), WIRES)
    except Unavailable as error:
        text, _, mend = str(error).rpartition(": ")
        return Finding(Health.FAULT, SCANNER, text, mend)
    try:
        lying = len(chip.tags())
        return Finding(Health.OK, SCANNER, f"a PN532 {chip.version} answers at {port}; tags on it now: {lying}")
    except FAULTS as error:
        return Finding(Health.FAULT, SCANNER, f"the PN532 at {port} stopped to answer: {error}", WIRES)
    finally:
        bus.close()
