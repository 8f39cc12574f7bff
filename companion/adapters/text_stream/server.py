"""The box's end of the text stream: a socket in the runtime directory, and whoever reads there.

Theory of operation. The loop hands over the newest snapshot (`follow`), which replaces one that was not told yet; with
nobody reading that is all that is done. One thread waits for readers, for what they ask, and for snapshots; it has each
reader's `Teller` put into words what is news to that reader, and writes it; whoever comes is told how everything stands
first, of the snapshot that is asked for then: with nobody there none is handed over, so that the newest may be old. A
reader that does not keep up with `MOST_WAITING` bytes is let go, so that nobody can fill the box's memory. Knows no
scene and no language.

Threads: `follow` and `close` from the loop; everything else in the stream's own. Shared, under the lock: the newest
snapshot, and whether the stream is to end.
"""

from __future__ import annotations

import contextlib
import logging
import os
import selectors
import socket
import stat
import threading
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from companion.adapters.text_stream.wire import LONGEST_ASKED, Asked
from companion.core.errors import Unavailable
from companion.threads.watched import Watched

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

LOG = logging.getLogger("companion")

MOST_READERS = 16
MOST_WAITING = 65_536
OPEN_TO_ALL = 0o666
"""What is told there everybody at the table may see; nobody can do anything by it."""


class Teller(Protocol):
    """Puts into words for one reader what it has not been told."""

    def told(self, snapshot: Any) -> Sequence[str]:
        """Give what is news."""

    def standing(self, snapshot: Any) -> Sequence[str]:
        """Give how everything stands."""


class TextStream:
    """Serves the stream at `path`.

    make_teller: gives a reader's own; raises ValueError for a language there is not. on_reader: somebody has come, who
    is to be given a snapshot; called in the stream's thread.
    """

    def __init__(self, path: Path, make_teller: Callable[[Asked], Teller], on_reader: Callable[[], None]) -> None:
        self.path = path
        self._make_teller, self._on_reader = make_teller, on_reader
        self._lock = threading.Lock()
        self._newest: Any = None
        self._is_closing = False
        self._readers: dict[socket.socket, _Reader] = {}
        self._listener: socket.socket | None = None
        self._wake_out, self._wake_in = -1, -1
        self._thread = Watched(self._run, name="text stream")

    def open(self) -> None:
        """Listen. Raises Unavailable where the socket cannot be made, or another box listens there."""
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_NONBLOCK)
        try:
            _remove_stale(self.path)
            listener.bind(str(self.path))
            self.path.chmod(OPEN_TO_ALL)
            listener.listen(MOST_READERS)
        except OSError as error:
            listener.close()
            why = f"nobody can follow by `companion follow`: {self.path}: {error.strerror or error}"
            raise Unavailable(why) from error
        self._listener = listener
        self._wake_out, self._wake_in = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._thread.start()

    def follow(self, snapshot: Any) -> None:
        """Have this told; from the loop, never blocks."""
        with self._lock:
            self._newest = snapshot
        self._wake()

    @property
    def has_readers(self) -> bool:
        """Tell whether anybody reads."""
        return bool(self._readers)

    def close(self) -> None:
        """Let every reader go; may be called again, or without `open`."""
        with self._lock:
            if self._is_closing or self._listener is None:
                return
            self._is_closing = True
        self._wake()
        self._thread.join()
        for descriptor in (self._wake_out, self._wake_in):
            os.close(descriptor)
        self._listener.close()
        with contextlib.suppress(OSError):
            self.path.unlink()

    def _wake(self) -> None:
        if self._wake_in >= 0:
            with contextlib.suppress(BlockingIOError, OSError):
                os.write(self._wake_in, b"!")

    # -- in the thread -----------------------------------------------------------------------------------------------

    def _run(self) -> None:
        with selectors.DefaultSelector() as selector:
            if self._listener is None:
                return
            selector.register(self._listener, selectors.EVENT_READ)
            selector.register(self._wake_out, selectors.EVENT_READ)
            for reader in self._readers.values():
                selector.register(reader.socket, reader.waits_for)
            while not self._is_closing:
                for key, events in selector.select():
                    self._see_to(selector, key.fileobj, events)
        for reader in self._readers.values():
            reader.socket.close()
        self._readers.clear()

    def _see_to(self, selector: selectors.BaseSelector, found: Any, events: int) -> None:
        if found is self._listener:
            self._accept(selector)
        elif found == self._wake_out:
            with contextlib.suppress(BlockingIOError):
                os.read(self._wake_out, 4096)
            for each in list(self._readers.values()):
                self._attend(selector, each, self._tell)
        elif (reader := self._readers.get(found)) is not None:
            self._attend(selector, reader, self._answer if events & selectors.EVENT_READ else _Reader.write)

    def _accept(self, selector: selectors.BaseSelector) -> None:
        if self._listener is None:
            return
        with contextlib.suppress(OSError):  # whoever came has gone again
            accepted, _ = self._listener.accept()
            accepted.setblocking(False)
            if len(self._readers) >= MOST_READERS:
                accepted.close()
                return
            self._readers[accepted] = _Reader(accepted)
            selector.register(accepted, selectors.EVENT_READ)

    def _attend(
        self, selector: selectors.BaseSelector, reader: _Reader, what: Callable[[_Reader], None]
    ) -> None:  # fmt: skip
        """Do something for a reader; one that has gone, or asks what cannot be, is let go."""
        try:
            what(reader)
            selector.modify(reader.socket, reader.waits_for)
        except (OSError, ValueError) as error:
            LOG.debug("a reader of the text stream has gone: %s", error)
            selector.unregister(reader.socket)
            reader.socket.close()
            del self._readers[reader.socket]

    def _answer(self, reader: _Reader) -> None:
        for asked in reader.read():
            if reader.teller is None:
                try:
                    reader.teller = self._make_teller(asked)
                except ValueError as error:
                    reader.put([str(error)])
                    raise
                with self._lock:
                    self._newest = None  # it may be of when somebody read last
                reader.owes = True
                self._on_reader()
            elif asked.again:
                self._stand(reader, reader.teller)

    def _stand(self, reader: _Reader, teller: Teller) -> None:
        """Tell how everything stands, now or as soon as that is known."""
        with self._lock:
            newest = self._newest
        reader.owes = newest is None
        if newest is not None:
            reader.put(teller.standing(newest))

    def _tell(self, reader: _Reader) -> None:
        with self._lock:
            newest = self._newest
        if reader.teller is None or newest is None:
            return
        news = reader.teller.told(newest)
        if reader.owes:  # in which all that is news stands
            self._stand(reader, reader.teller)
        else:
            reader.put(news)


class _Reader:
    """Somebody who reads. teller: None until it has said what it wants. owes: it is yet to be told how all stands."""

    def __init__(self, connected: socket.socket) -> None:
        self.socket = connected
        self.teller: Teller | None = None
        self.owes = False
        self._asked = b""
        self._waiting = b""

    @property
    def waits_for(self) -> int:
        """What its socket is watched for."""
        return selectors.EVENT_READ | (selectors.EVENT_WRITE if self._waiting else 0)

    def read(self) -> list[Asked]:
        """Give what it asks. Raises ConnectionError where it has gone, ValueError where nobody can understand it."""
        data = self.socket.recv(4096)
        if not data:
            raise ConnectionResetError("it has hung up")
        *lines, self._asked = (self._asked + data).split(b"\n")
        if len(self._asked) > LONGEST_ASKED:
            raise ValueError("it asks more than a line holds")
        return [_decode(line) for line in lines if line.strip()]

    def put(self, texts: Sequence[str]) -> None:
        """Write lines. Raises ConnectionError where it has gone, or does not read."""
        self._waiting += b"".join(f"{' '.join(text.split())}\n".encode() for text in texts if text.strip())
        if len(self._waiting) > MOST_WAITING:
            raise ConnectionAbortedError("it does not keep up")
        self.write()

    def write(self) -> None:
        """Write what waits, as far as there is room."""
        with contextlib.suppress(BlockingIOError):
            sent = self.socket.send(self._waiting) if self._waiting else 0
            self._waiting = self._waiting[sent:]


def _decode(line: bytes) -> Asked:
    try:
        return msgspec.json.decode(line, type=Asked)
    except msgspec.DecodeError as error:
        raise ValueError(str(error)) from error


def _remove_stale(path: Path) -> None:
    """Remove a socket that nobody listens at any more. Raises OSError where somebody does, or it is no socket."""
    try:
        if not stat.S_ISSOCK(path.lstat().st_mode):
            raise FileExistsError(17, "there is a file of this name that is no socket")
    except FileNotFoundError:
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        if probe.connect_ex(str(path)) == 0:
            raise FileExistsError(17, "another box listens there")
    path.unlink()
