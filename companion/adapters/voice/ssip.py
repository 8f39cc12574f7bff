"""Speech-dispatcher's protocol, SSIP, over a socket: commands, answers, and what it tells of messages by itself.

By https://htmlpreview.github.io/?https://github.com/brailcom/speechd/blob/master/doc/ssip.html: lines end in CR LF; an
answer is lines of a number, "-" (more follow) or " " (the last), and words; numbers from 700 on are events. Debian's
`python3-speechd` is a client of this too: it is for programs of the system's own Python, and keeps two threads.
"""

from __future__ import annotations

import socket
import threading
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from companion.core.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Callable

ANSWER_S = 3.0
"""How long a server that is well may take to answer."""
EVENTS = 700
"""Codes from here on are told by the server itself."""
MOST_BYTES = 1 << 20


class Answer(NamedTuple):
    """code: three digits, 200 to 299 where all is well. lines: the words of each line but the last."""

    code: int
    lines: tuple[str, ...]
    said: str


class Connection:
    """A connection to a server. on_answer is called with each event, and with each answer before whoever asked has it;
    both in whatever thread calls `listen`, which returns when the connection has ended. answer_s: how long a server may
    take to answer, in seconds."""

    def __init__(self, on_answer: Callable[[Answer], None], answer_s: float = ANSWER_S) -> None:
        self._on_answer, self._answer_s = on_answer, answer_s
        self._socket: socket.socket | None = None
        self._sending = threading.Lock()
        self._asked: deque[_Asked] = deque()
        self.is_gone = True

    def connect(self, address: str) -> None:
        """Connect. address: a path, or "host:port". Raises Unavailable."""
        try:
            self._socket = _socket_to(address)
        except OSError as error:
            raise Unavailable(f"speech-dispatcher does not answer at {address}: {error.strerror or error}") from error
        self.is_gone = False

    def listen(self) -> None:
        """Read until the end of the connection."""
        rest, lines = b"", []
        while self._socket is not None and len(rest) < MOST_BYTES:
            try:
                read = self._socket.recv(4096)
            except OSError:
                break
            if not read:
                break
            *whole, rest = (rest + read).split(b"\n")
            for line in whole:
                text = line.decode(errors="replace").rstrip("\r")
                if text[3:4] == "-":
                    lines.append(text[4:])
                elif text[:3].isdigit():
                    self._take(Answer(int(text[:3]), tuple(lines), text[4:]))
                    lines = []
        self._end()

    def ask(self, command: str, called: str = "") -> Answer:
        """Give the answer to a command; called: instead of itself where it is refused. Raises Unavailable."""
        asked = self.send(command)
        if not asked.came.wait(self._answer_s) or asked.answer is None:
            raise Unavailable("speech-dispatcher has gone" if self.is_gone else "speech-dispatcher does not answer")
        if not 200 <= asked.answer.code < 300:
            raise Unavailable(f"speech-dispatcher refuses {called or command}: {asked.answer.said}")
        return asked.answer

    def send(self, command: str) -> _Asked:
        """Send a command without waiting for its answer. Raises Unavailable."""
        asked = _Asked()
        with self._sending:
            if self._socket is None or self.is_gone:
                raise Unavailable("speech-dispatcher has gone")
            self._asked.append(asked)
            try:
                self._socket.sendall(command.encode() + b"\r\n")
            except OSError as error:
                raise Unavailable(f"speech-dispatcher has gone: {error.strerror or error}") from error
        return asked

    def close(self) -> None:
        """End the connection; `listen` returns."""
        with self._sending:
            self.is_gone = True
            if self._socket is not None:
                with suppress(OSError):
                    self._socket.shutdown(socket.SHUT_RDWR)
                self._socket.close()

    def _take(self, answer: Answer) -> None:
        self._on_answer(answer)
        if answer.code < EVENTS and self._asked:
            asked = self._asked.popleft()
            asked.answer = answer
            asked.came.set()

    def _end(self) -> None:
        self.is_gone = True
        while self._asked:
            self._asked.popleft().came.set()


class _Asked:
    """A command that was sent; `came` once `answer` is there, or the connection has ended without one."""

    def __init__(self) -> None:
        self.came = threading.Event()
        self.answer: Answer | None = None


def message(text: str) -> str:
    """Give a text as the data of SPEAK: a line that begins with a dot gets another, and a dot alone ends it."""
    lines = (f".{line}" if line.startswith(".") else line for line in text.splitlines())
    return "\r\n".join([*lines, "."])


def _socket_to(address: str) -> socket.socket:
    host, _, port = address.rpartition(":")
    if host and port.isdigit():
        return socket.create_connection((host, int(port)), timeout=ANSWER_S)
    one = socket.socket(socket.AF_UNIX)
    try:
        one.connect(address)
    except OSError:
        one.close()
        raise
    return one
