"""A card scanner that types ("keyboard wedge"): an input device whose keys are codes. One thread ("typing scanner").

Whether a device is one is said in the settings and never guessed from how fast it types. It is grabbed, so that its
codes appear nowhere else; no key of it is a button. A code's time is the kernel's stamp of its Enter, however busy the
box is. Does for the box what `companion.adapters.scanner.reader.Scanner` does for a serial port.
"""

from __future__ import annotations

import select
from pathlib import Path
from typing import TYPE_CHECKING

from companion.adapters.evdev.device import Device
from companion.adapters.evdev.identity import INPUT, SYS, Node, node_of, nodes
from companion.adapters.evdev.inotify import FolderWatch
from companion.adapters.evdev.layouts import Layout, Typing
from companion.adapters.evdev.plugged import JOIN, MISSING
from companion.core.play.scanning import Condition, Scan, ScannedLines, Unreadable
from companion.core.timing.events import SECOND
from companion.core.words.texts import text
from companion.threads.stop_pipe import StopPipe
from companion.threads.watched import Watched

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

AGAIN_NS = SECOND
PRESS_PERCENT = 60
"""Of axes, which no scanner has."""
ABSENT = text("no card scanner is plugged in: {port}")
DENIED = text("the card scanner may not be read at {path}: {mend}")
CLOSED = text("the card scanner at {path} cannot be opened: {error}")
SHARED = text("the card scanner types elsewhere too: {why}")
GONE = text("the card scanner has gone: {error}")


def is_at(node: Node, port: str) -> bool:
    """Tell whether a device is the one that is meant: by its file or a link to it, its model, or its own name here."""
    if port.startswith("/"):
        return Path(port).resolve() == node.path.resolve()
    return port in (node.identity.model, *node.identity.keys)


class Wedge:
    """Reads codes until closed.

    on_scan: a code, or what is wrong with what was typed, and when it ended (CLOCK_MONOTONIC, ns). on_state: what is
    wrong with the scanner, None when it is well again. Both are called in its thread. port: as of `is_at`.
    """

    def __init__(
        self,
        port: str,
        layout: Layout,
        on_scan: Callable[[Scan | Unreadable, int], None],
        on_state: Callable[[str | None], None],
        *,
        prefix: str = "",
        folder: Path = INPUT,
        sys: Path = SYS,
    ) -> None:
        self._port, self._layout, self._prefix = port, layout, prefix
        self._on_scan, self._condition = on_scan, Condition(on_state)
        self._folder, self._sys = folder, sys
        self._stop = StopPipe()
        self._thread = Watched(self._run, name="typing scanner")

    def start(self) -> None:
        """Begin to read."""
        self._thread.start()

    def close(self) -> None:
        """Stop; may be called again."""
        self._stop.end(self._thread)

    def _run(self) -> None:
        watch = FolderWatch(self._folder)
        try:
            while not self._live(watch):
                pass
        finally:
            watch.close()

    def _live(self, watch: FolderWatch) -> bool:
        """Read the devices that are there until one goes or another comes; True once it is to stop."""
        watch.take()
        devices = self._open()
        try:
            if not devices:
                return self._is_to_stop(watch)
            return self._read(devices, watch)
        finally:
            for device in devices:
                device.close()

    def _is_to_stop(self, watch: FolderWatch) -> bool:
        waited = select.select([self._stop.fileno(), watch.fileno()], [], [], AGAIN_NS / SECOND)[0]
        return self._stop.fileno() in waited

    def _open(self) -> list[Device]:
        """Open all event files of the scanner: a scanner with several types on one of them."""
        found, opened = list(self._found()), []
        why = ABSENT.format(port=self._port)
        for node in found:
            try:
                device = Device(node, PRESS_PERCENT)
            except PermissionError:
                why = DENIED.format(path=str(node.path), mend=JOIN)
                continue
            except ImportError:
                why = MISSING
                continue
            except OSError as error:
                why = CLOSED.format(path=str(node.path), error=error.strerror)
                continue
            device.hear(())
            opened.append(device)
        self._condition.tell(None if opened else why)
        return opened

    def _found(self) -> Iterator[Node]:
        if self._port.startswith("/"):
            node = node_of(Path(self._port).resolve(), self._sys)
            return iter([node] if node is not None and Path(self._port).exists() else [])
        return (node for node in nodes(self._folder, self._sys) if is_at(node, self._port))

    def _read(self, devices: list[Device], watch: FolderWatch) -> bool:
        typing, lines = Typing(self._layout), ScannedLines(self._prefix)
        while True:
            for device in devices:
                if (taken := device.grab(wanted=True)) is not None:
                    self._condition.tell(SHARED.format(why=taken))
            files = [device.fileno() for device in devices]
            ready = select.select([self._stop.fileno(), watch.fileno(), *files], [], [])[0]
            if self._stop.fileno() in ready:
                return True
            for device in devices:
                try:
                    self._type(device, typing, lines)
                except OSError as error:
                    self._condition.tell(GONE.format(error=error.strerror))
                    return False
            if watch.fileno() in ready and watch.take() and self._has_changed(devices):
                return False

    def _has_changed(self, devices: list[Device]) -> bool:
        return {node.path for node in self._found()} != {device.node.path for device in devices}

    def _type(self, device: Device, typing: Typing, lines: ScannedLines) -> None:
        for edge in device.read():
            for scan in lines.feed(typing.feed(edge.key.code, edge.active)):
                self._on_scan(scan, edge.t_ns)
        if device.decoder.is_adrift:
            device.restate()
            typing.forget()
            for scan in lines.feed(b"\xff\r"):
                self._on_scan(scan, device.decoder.stamp_ns or 0)
