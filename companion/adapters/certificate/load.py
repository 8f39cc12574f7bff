"""What keeps a machine busy while its stamps are measured: disk, network and displays, each by a process of its own.

A box that is measured at rest says nothing of an evening: interrupts' threads wait for writes, for the packets of
phones, for pictures. The network is the machine's own, so that nobody else's is loaded: a radio's interrupts are not in
it. Runs as a program, too: `python -m companion.adapters.certificate.load disk FOLDER` or `network`, until it is ended.
"""

from __future__ import annotations

import itertools
import multiprocessing
import os
import signal
import socket
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from multiprocessing.context import SpawnProcess
    from types import TracebackType
    from typing import Any, Self

    from companion.ports import Display

BLOCK = bytes(256 * 1024)
BLOCKS = 32
"""The size of the file in blocks: it is written from its beginning again, and takes no more of the disk."""
PACKET = bytes(1200)
END_S = 5.0


class Load:
    """A context in which the machine is busy. folder: where the disk is written; nothing of it is left.

    displays: not opened; none where there are none. Another process opens them.
    """

    def __init__(self, folder: Path, displays: Sequence[Display] = ()) -> None:
        self._jobs: dict[str, tuple[Callable[..., None], Any]] = {
            "disk": (write_disk, (folder,)),
            "network": (send_packets, ()),
        }
        if displays:
            self._jobs["display"] = draw_pictures, (tuple(displays),)
        self._running: dict[str, SpawnProcess] = {}

    @property
    def kinds(self) -> tuple[str, ...]:
        """What is kept busy."""
        return tuple(self._jobs)

    def __enter__(self) -> Self:
        spawn = multiprocessing.get_context("spawn")  # a library may have threads here, which a fork would lose
        for kind, (job, given) in self._jobs.items():
            process = spawn.Process(target=_alone, name=f"busy {kind}", args=(job, *given), daemon=True)
            process.start()
            self._running[kind] = process
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:  # fmt: skip
        for process in self._running.values():
            process.kill()
        for process in self._running.values():
            process.join(END_S)
        self._running.clear()

    @property
    def ended(self) -> tuple[str, ...]:
        """What is not kept busy any more, as it has ended by itself."""
        return tuple(kind for kind, process in self._running.items() if not process.is_alive())


def _alone(job: Callable[..., None], *given: Any) -> None:
    """Do a job in a process that another ends: a Ctrl-C at the terminal is for that one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    job(*given)


def write_disk(folder: Path) -> None:
    """Write and flush for ever; the file has no name, so that nothing is left of it."""
    with tempfile.TemporaryFile(dir=folder) as file:
        while True:
            file.seek(0)
            for _ in range(BLOCKS):
                file.write(BLOCK)
                file.flush()
                os.fsync(file.fileno())


def send_packets() -> None:
    """Send packets to oneself for ever."""
    with (
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as receiver,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender,
    ):
        receiver.bind(("127.0.0.1", 0))
        sender.connect(receiver.getsockname())
        while True:
            sender.send(PACKET)
            receiver.recv(len(PACKET))


def draw_pictures(displays: Sequence[Display]) -> None:
    """Draw for ever, of which each picture differs from the last in every dot. Raises Unavailable where one goes."""
    for is_lit in itertools.cycle((True, False)):
        for display in displays:
            display.show(Image.new("1", display.size, is_lit))


if __name__ == "__main__":
    if sys.argv[1] == "disk":
        write_disk(Path(sys.argv[2]))
    send_packets()
