"""Emulated pods for tests: the file-system image with the pod's very files, and the processes that run it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.emulator.image import FOLDER, HERE, bootrom, micropython
from tests.emulator.sources import EmulatorError, need_tools, run

if TYPE_CHECKING:
    from collections.abc import Sequence

PROGRAM = HERE.parents[1] / "firmware" / "pod"
EMULATOR = "rp2040js@1.4.1"
BLOCK, BLOCKS, PROG = 4096, 352, 256
"""MicroPython's file system on a Pico: 1,408 kB behind the program."""

GARBAGE = """\
# Allocates in the main loop, as fast as it may, so that the collector runs again and again.
from machine import Timer

Timer(period=2, mode=Timer.PERIODIC, callback=lambda timer: [number for number in range(100)])
"""


def make_all() -> Path:
    """Build or find everything that an emulated pod needs; gives the folder. Raises EmulatorError."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    need_tools()
    micropython()
    bootrom()
    node = FOLDER / "node"
    if not (node / "node_modules" / "rp2040js").is_dir():
        node.mkdir(exist_ok=True)
        (node / "package.json").write_text('{"private": true}\n')
        run("npm", "install", "--no-save", "--no-package-lock", EMULATOR, cwd=node)
    return FOLDER


NO_ID = "0" * 16
"""Of an emulated chip that is given none."""


def file_system(into: Path, pins: dict[str, Any], extra: dict[str, str] | None = None) -> Path:
    """Write the image of a pod's file system: the program's files, its pins, and more files by name."""
    from littlefs import LittleFS

    files = LittleFS(block_size=BLOCK, block_count=BLOCKS, prog_size=PROG)
    contents = {path.name: path.read_bytes() for path in sorted(PROGRAM.glob("*.py"))}
    contents["pod.json"] = json.dumps(pins).encode()
    contents |= {name: text.encode() for name, text in (extra or {}).items()}
    for name, content in contents.items():
        with files.open(name, "wb") as file:
            file.write(content)
    into.write_bytes(bytes(files.context.buffer))
    return into


class VirtualPico:
    """An emulated pod whose time stands still between calls of `advance`."""

    def __init__(self, files: Path, kept: Sequence[int] = (), unique_id: str = NO_ID) -> None:
        """kept: the watchdog's registers, which live through a reset."""
        self._process = subprocess.Popen(
            ["nice", "node", str(HERE / "virtual.mjs"), str(FOLDER), str(files), json.dumps(list(kept)), unique_id],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.now_ns = 0
        self.resets = 0
        self.warnings: list[str] = []

    def advance(
        self, until_ns: int, *, usb: bytes = b"", edges: Sequence[tuple[int, int, int]] = (), wake: bool = False
    ) -> bytes:  # fmt: skip
        """Let time pass until `until_ns` (or until the pod sends, with `wake`); give what it has sent.

        edges: (ns, pin, level), made at exactly that emulated time.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        order = {"until": until_ns, "usb": usb.hex(), "edges": list(edges), "wake": wake}
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise EmulatorError(f"the emulator ended with status {self._process.wait()}")
        answer = json.loads(line)
        self.now_ns, self.resets = answer["now"], answer["resets"]
        self.warnings += answer["warnings"]
        self.kept: list[int] = answer["kept"]
        return bytes.fromhex(answer["usb"])

    def close(self) -> None:
        self._process.terminate()
        self._process.communicate()
