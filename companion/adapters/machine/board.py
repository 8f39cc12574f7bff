"""Which board this is, as the kernel tells it. Reads /proc and asks nobody."""

from __future__ import annotations

import platform
from pathlib import Path
from typing import NamedTuple

PROC = Path("/proc")


class Board(NamedTuple):
    """A Raspberry Pi's model and serial number, each empty where nothing tells it, and the kernel's release."""

    model: str
    serial: str
    kernel: str


def this_board(proc: Path = PROC) -> Board:
    """Look at the device tree, and where there is none at the processor's page."""
    told = _cpuinfo(proc / "cpuinfo")
    return Board(
        _tree(proc, "model") or told.get("Model", ""),
        _tree(proc, "serial-number") or told.get("Serial", ""),
        platform.release(),
    )


def _tree(proc: Path, name: str) -> str:
    """Give a text of the device tree, which ends with a zero byte."""
    try:
        return (proc / "device-tree" / name).read_bytes().rstrip(b"\0").decode("utf-8", "replace").strip()
    except OSError:
        return ""


def _cpuinfo(path: Path) -> dict[str, str]:
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return {}
    return {key.strip(): value.strip() for key, _, value in (line.partition(":") for line in lines) if value}
