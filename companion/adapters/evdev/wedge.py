"""A card scanner that types ("keyboard wedge"): an input device whose keys are codes. One thread ("typing scanner").

Whether a device is one is said in the settings and never guessed from how fast it types. It is grabbed, so that its
codes appear nowhere else; no key of it is a button. A code's time is the kernel's stamp of its first key, however busy
the box is: the scanner has seen the card by then, and the rest takes up to half a second to type. Does for the box what
`companion.adapters.scanner.reader.Scanner` does for a serial port.
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
    from collections.abc import Callable, Iterable, Iterator

    Timed = tuple[Scan | Unreadable, int]

AGAIN_NS = SECOND
PAUSE_NS = SECOND // 2
"""Between two keys of one code: a scanner needs some milliseconds, over Bluetooth some tens."""
PRESS_PERCENT = 60
"""Of axes, which no scanner has."""
ABSENT = text("no card scanner is plugged in: {port}")
DENIED = text("the card scanner may not be read at {path}: {mend}")
CLOSED = text("the card scanner at {path} cannot be opened: {error}")
SHARED = text("the card scanner types elsewhere too: {why}")
GONE = text("the card scanner has gone: {error}")
NO_CODE = text("keys that no code has: is scanner.layout the keyboard that the scanner pretends to be?")
ENDLESS = text("a code without Enter behind it: set the scanner to send one")


def is_at(node: Node, port: str) -> bool:
    """Tell whether a device is the one that is meant: by its file or a link to it, its model, or its own name here."""
    if port.startswith("/"):
        return Path(port).resolve() == node.path.resolve()
    return port in (node.identity.model, *node.identity.keys)


class TypedCodes:
    """Keys with their stamps become codes, each with the stamp of its first key. Pure."""

    def __init__(self, layout: Layout, prefix: str) -> None:
        self._typing, self._lines = Typing(layout), ScannedLines(prefix, NO_CODE)
        self._begun_ns: int | None = None

    @property
    def is_begun(self) -> bool:
        """Whether a code has begun and not ended."""
        return self._begun_ns is not None

    def feed(self, key: int, active: bool, t_ns: int) -> list[Timed]:
        """Take a key that was pressed or let go of; give what it completes."""
        if not (typed := self._typing.feed(key, active)):
            return []
        begun_ns = t_ns if self._begun_ns is None else self._begun_ns
        self._begun_ns = None if typed == b"\r" else begun_ns
        return [(scan, begun_ns) for scan in self._lines.feed(typed)]

    def pause(self) -> list[Timed]:
        """No key has come for long: what has begun will not end."""
        begun_ns, self._begun_ns = self._begun_ns, None
        self._lines.forget()
        return [] if begun_ns is None else [(Unreadable(ENDLESS), begun_ns)]

    def lose(self, t_ns: int) -> list[Timed]:
        """Keys were lost: whatever they were of is no code."""
        self._typing.forget()
        begun_ns, self._begun_ns = self._begun_ns, None
        return [(scan, begun_ns or t_ns) for scan in self._lines.feed(b"\xff\r")]


class Wedge:
    """Reads codes until closed.

    on_scan: a code, or what is wrong with what was typed, and when it began (CLOCK_MONOTONIC, ns). on_state: what is
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
        codes = TypedCodes(self._layout, self._prefix)
        while True:
            files = [device.fileno() for device in devices]
            patience_ns = PAUSE_NS if codes.is_begun else None if self._grab(devices) else AGAIN_NS
            patience_s = None if patience_ns is None else patience_ns / SECOND
            ready = select.select([self._stop.fileno(), watch.fileno(), *files], [], [], patience_s)[0]
            if self._stop.fileno() in ready:
                return True
            if not ready:
                self._tell(codes.pause())
            for device in devices:
                try:
                    self._type(device, codes)
                except OSError as error:
                    self._condition.tell(GONE.format(error=error.strerror))
                    return False
            if watch.fileno() in ready and watch.take() and self._has_changed(devices):
                return False

    def _grab(self, devices: list[Device]) -> bool:
        """Have all for this program alone, and say where another has one; False where that is to be tried again."""
        refused = [taken for device in devices if (taken := device.grab(wanted=True)) is not None]
        self._condition.tell(SHARED.format(why=refused[0]) if refused else None)
        return all(device.is_grabbed for device in devices)

    def _has_changed(self, devices: list[Device]) -> bool:
        return {node.path for node in self._found()} != {device.node.path for device in devices}

    def _type(self, device: Device, codes: TypedCodes) -> None:
        for edge in device.read():
            self._tell(codes.feed(edge.key.code, edge.active, edge.t_ns))
        if device.decoder.is_adrift:
            device.restate()
            self._tell(codes.lose(device.decoder.stamp_ns or 0))

    def _tell(self, scans: Iterable[Timed]) -> None:
        for scan, t_ns in scans:
            self._on_scan(scan, t_ns)
