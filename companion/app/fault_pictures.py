"""Draws, while the program works, what an OLED is to show when it does not: one picture for each way to fail.

Part of `app`. An installation draws them once; `systemd/show-fault`, which rests on nothing of ours, sends them to the
chip. A picture is 1,024 bytes: eight pages of 128 columns, the lowest bit at the top, as the chips keep them.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from companion.core.shown.displays import CHIPS, Memory
from companion.screens.oled.fault import fault_scene
from companion.screens.oled.picture import render

if TYPE_CHECKING:
    from pathlib import Path

    from PIL import Image

SIZE = (128, 64)
PAGE = 8

STATUS, LOG = "companion status", "journalctl -eu"

REASONS = {
    "exit-code": ("Cannot start", "the program ended with an error, again and again", LOG),
    "start-limit-hit": ("Cannot start", "the program was started too often", LOG),
    "watchdog": ("Hangs", "the program hung again and again", LOG),
    "signal": ("Was ended", "the program was killed again and again", LOG),
    "core-dump": ("Has crashed", "the program crashed again and again", LOG),
    "timeout": ("Cannot start", "the program took too long to start", LOG),
    "oom-kill": ("Was ended", "the program was out of memory", LOG),
    "resources": ("Cannot start", "the system has no room for it: is the card full?", STATUS),
    "other": ("Has failed", "the program does not run", STATUS),
}
"""By systemd's name for how a service ended (`$MONITOR_SERVICE_RESULT`, systemd.exec(5)): title, reason, command to
ask. `other` for the rest."""


def picture_of(reason: str) -> Image.Image:
    """Draw one of the reasons."""
    return render(fault_scene(*REASONS[reason]), SIZE)


def pages(picture: Image.Image) -> bytes:
    """Give a picture of mode "1" and 128×64 as the chips keep it."""
    lit = picture.tobytes()  # rows of 16 bytes, the highest bit leftmost
    row = SIZE[0] // 8
    out = bytearray()
    for page in range(SIZE[1] // PAGE):
        for x in range(SIZE[0]):
            byte, bit = divmod(x, 8)
            column = 0
            for y in range(PAGE):
                if lit[(page * PAGE + y) * row + byte] & (0x80 >> bit):
                    column |= 1 << y
            out.append(column)
    return bytes(out)


def first_columns() -> dict[str, int]:
    """Give, for each chip that can be shown them, the column of its memory that is leftmost on the panel."""
    return {
        name: chip.first_column
        for name, chip in CHIPS.items()
        if chip.size == SIZE and "i2c" in chip.interfaces and chip.memory is not Memory.GREYS
    }


def draw(folder: Path) -> None:
    """Write a file for each reason, and one that says which chips can show them (`first_columns`)."""
    folder.mkdir(parents=True, exist_ok=True)
    for reason in REASONS:
        (folder / f"{reason}.oled").write_bytes(pages(picture_of(reason)))
    (folder / "columns.json").write_text(json.dumps(first_columns()), encoding="utf-8")
