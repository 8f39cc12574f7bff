"""What `companion doctor` says of the Pi's boot files, and of the speed of the display's bus. It changes neither."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from companion.adapters.boot_files.config_txt import FAST_HZ
from companion.adapters.boot_files.folder import find, planned
from companion.adapters.machine.facts import i2c_hz
from companion.cli.findings.finding import Finding, Health
from companion.core.errors import CompanionError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.adapters.boot_files.config_txt import Wanted
    from companion.adapters.boot_files.folder import Places

SUBJECT = "boot files"
MEND = "sudo companion boot-files, then restart: sudo reboot"
PICTURE_MS = 25
"""So long a whole picture takes at 400 kHz."""


def check_boot_files(wanted: Wanted, root: Path = Path("/")) -> Iterator[Finding]:
    """Say what stands in `config.txt` and `cmdline.txt` against the box, by file and line; nothing off a Pi."""
    try:
        places = find(root)
        if places is not None:
            yield from _findings(places, wanted)
    except CompanionError as error:
        yield Finding(Health.WARNING, SUBJECT, str(error), "sudo companion boot-files")
    if wanted.i2c and (hz := i2c_hz(root / "sys")) is not None:
        yield _speed(hz)


def _findings(places: Places, wanted: Wanted) -> Iterator[Finding]:
    well = True
    for one in planned(places, wanted):
        for sentence in one.new.changes:
            well = False
            yield Finding(Health.WARNING, SUBJECT, f"{one.path}: {sentence}", MEND)
        for sentence in one.new.remarks:
            well = False
            yield Finding(Health.WARNING, SUBJECT, f"{one.path}: {sentence}", f"edit it by hand: {one.path}")
    if well:
        yield Finding(Health.OK, SUBJECT, f"{places.boot}: the box has its pins")


def _speed(hz: int) -> Finding:
    text = f"bus 1 runs at {hz // 1000} kHz"
    if hz >= FAST_HZ:
        return Finding(Health.OK, "I2C speed", text)
    slow_ms = PICTURE_MS * FAST_HZ // max(hz, 1)
    return Finding(Health.WARNING, "I2C speed", f"{text}: a whole picture takes {slow_ms} ms", MEND)
