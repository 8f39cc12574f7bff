"""A voice by speech-dispatcher: a server by which other programs of this machine speak too; it tells begin and end.

Threads: "speech-dispatcher" reads what the server sends. Touched by it and by whoever calls `say`: `_ids` and `_sent`,
under the lock. `stop` sends and does not wait.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import threading
import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from companion.adapters.voice.ssip import ANSWER_S, EVENTS, Answer, Connection, message
from companion.core.errors import Unavailable
from companion.core.speech.utterance import FASTEST_WPM, SLOWEST_WPM, USUAL_WPM, Heard, Manner, Phase
from companion.threads.watched import Watched

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from companion.core.speech.utterance import Utterance

PROGRAM = "speech-dispatcher"
INSTALL = "sudo apt install speech-dispatcher speech-dispatcher-espeak-ng"
SPAWN_S = 5.0
PROOF = -1
"""The number of what is said to see whether there is a sound card."""
PROOF_S, PROOFS = 5.0, 3
"""How long one proof may take, and how often it is tried: a machine that has just started stands still for seconds."""
QUEUED, BEGIN, END, CANCELED = 225, 701, 702, 703
SYSTEM_SOCKET = "/run/speech-dispatcher/.cache/speech-dispatcher/speechd.sock"
"""Where Debian's system service (`speech-dispatcherd`) listens, for the group audio."""


class _Server(NamedTuple):
    """What a voice was told of its server."""

    addresses: tuple[str, ...]
    spawns: bool
    program: str
    answer_s: float
    proof_s: float


class SpeechDispatcher:
    """Speaks by a server. addresses: where it may listen, the first that answers is taken.

    spawns: whether one is started where none answers, as every client of it does. program: name or path. clock:
    CLOCK_MONOTONIC, ns. answer_s, proof_s: how long, in seconds, an answer may take, and a first word to its end.
    """

    name = PROGRAM

    def __init__(
        self,
        addresses: Sequence[str],
        *,
        spawns: bool = False,
        program: str = PROGRAM,
        clock: Callable[[], int] = time.monotonic_ns,
        answer_s: float = ANSWER_S,
        proof_s: float = PROOF_S,
    ) -> None:
        self._server = _Server(tuple(addresses), spawns, program, answer_s, proof_s)
        self._clock = clock
        self._lock = threading.Lock()
        self._ids: dict[str, int] = {}  # the server's name of a message: our number
        self._sent: int | None = None  # the number of what was sent, and has no name yet
        self._early: list[tuple[int, str, int]] = []  # events told before the name: code, name, CLOCK_MONOTONIC in ns
        self._proved = threading.Event()
        self._manner: Manner | None = None
        self._on_heard: Callable[[Heard], None] | None = None
        self._connection: Connection | None = None
        self._thread: Watched | None = None

    def open(self, on_heard: Callable[[Heard], None]) -> str:
        """Connect, and see that the server has a voice."""
        self._on_heard = on_heard
        connection, address = self._connected()
        self._connection, self._manner = connection, None
        self._thread = Watched(partial(self._read, connection), name="speech-dispatcher")
        self._thread.start()
        try:
            user = re.sub(r"[^A-Za-z0-9_-]", "", os.environ.get("USER", "")) or "box"
            connection.ask(f"SET self CLIENT_NAME {user}:companion:voice")
            connection.ask("SET self NOTIFICATION ALL on")
            module = _first(connection.ask("GET OUTPUT_MODULE"))
            if module in ("", "dummy"):
                raise Unavailable(f"speech-dispatcher has no voice; {INSTALL}")
            self._prove(connection)
        except Unavailable:
            self.close()
            raise
        return f"{version_of(self._server.program)} with {module}, at {address}"

    def say(self, utterance: Utterance) -> None:
        """Have an utterance spoken; cuts off what is."""
        connection = self._open_connection()
        connection.send("CANCEL self")
        self._set(connection, utterance.manner)
        with self._lock:
            self._sent = utterance.number
        try:
            connection.ask("SPEAK")
            connection.ask(message(utterance.text), "what is said")
        except Unavailable:
            with self._lock:
                self._sent = None
                self._ids = {name: number for name, number in self._ids.items() if number != utterance.number}
            raise

    def stop(self) -> None:
        """Fall silent."""
        if self._connection is not None:
            with suppress(Unavailable):
                self._connection.send("CANCEL self")

    def close(self) -> None:
        """Fall silent and let go of the server."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(Unavailable):
                connection.ask("CANCEL self")
            connection.close()
        if self._thread is not None:
            self._thread.join(SPAWN_S)
            self._thread = None
        self._lose("")

    def voices(self) -> list[tuple[str, str]]:
        """Give each voice of an open server: the tag of its language, and its name."""
        rows = [row.split("\t") for row in self._open_connection().ask("LIST SYNTHESIS_VOICES").lines]
        return [(row[1], row[0].replace("_", " ")) for row in rows if len(row) > 1]

    def _prove(self, connection: Connection) -> None:
        """Say next to nothing, unheard: a server without a sound card begins, and never comes to the end."""
        self._set(connection, Manner(rate=FASTEST_WPM, volume=0))
        self._proved.clear()
        for _ in range(PROOFS):
            with self._lock:
                self._sent = PROOF
            try:
                connection.ask("SPEAK")
                connection.ask(message("a"), "what is said")
            except Unavailable:
                if connection.is_gone:
                    raise
                break  # it hangs at the sound card that it waits for
            if self._proved.wait(self._server.proof_s):
                return
        raise Unavailable("speech-dispatcher has no sound card: plug in a speaker, and see spd-say hello")

    # -- talking to it -----------------------------------------------------------------------------------------------

    def _open_connection(self) -> Connection:
        connection = self._connection
        if connection is None or connection.is_gone:
            raise Unavailable("speech-dispatcher has gone")
        return connection

    def _connected(self) -> tuple[Connection, str]:
        connection = Connection(self._answered, self._server.answer_s)
        why = Unavailable(f"speech-dispatcher is not installed: {INSTALL}")
        for is_spawned in (False, True) if self._server.spawns and shutil.which(self._server.program) else (False,):
            if is_spawned:
                self._spawn()
            for address in self._server.addresses:
                try:
                    connection.connect(address)
                except Unavailable as error:
                    why = error
                else:
                    return connection, address
        raise why

    def _spawn(self) -> None:
        command = [self._server.program, "--spawn", "--communication-method", "unix_socket", "--socket-path",
                   self._server.addresses[0]]  # fmt: skip
        with suppress(OSError, subprocess.TimeoutExpired):  # what is wrong is told by the address that does not answer
            subprocess.run(command, capture_output=True, timeout=SPAWN_S, check=False)  # noqa: S603 - these words only

    def _set(self, connection: Connection, manner: Manner) -> None:
        """Say how to speak, where that is not as it was."""
        if manner == self._manner:
            return
        for command in (
            f"SET self LANGUAGE {_word(manner.language)}",
            f"SET self RATE {rate_of(manner.rate)}",
            f"SET self VOLUME {2 * manner.volume - 100}",
            f"SET self PITCH {2 * manner.pitch - 100}",
        ):
            connection.ask(command)
        self._manner = manner

    # -- the thread that reads ---------------------------------------------------------------------------------------

    def _read(self, connection: Connection) -> None:
        connection.listen()
        if connection is self._connection:
            self._lose("speech-dispatcher has gone")

    def _answered(self, answer: Answer) -> None:
        """Take an answer or an event, in the reading thread, in the order in which the server sent them.

        The server's threads answer and tell by themselves: it may tell that a message begins, even that it has ended,
        before it answers what the message is called.
        """
        name = answer.lines[0] if answer.lines else ""
        if answer.code == QUEUED:
            with self._lock:
                early, self._early = self._early, []
                if self._sent is not None:
                    self._ids[name], self._sent = self._sent, None
            for event in early:
                self._told(*event)
        elif answer.code >= EVENTS:
            self._told(answer.code, name, self._clock())

    def _told(self, code: int, name: str, t_ns: int) -> None:
        with self._lock:
            if self._sent is not None and name not in self._ids:
                self._early.append((code, name, t_ns))
                return
            number = self._ids.get(name) if code == BEGIN else self._ids.pop(name, None)
        phases = {BEGIN: Phase.BEGAN, END: Phase.ENDED, CANCELED: Phase.CUT}
        if number == PROOF:
            if code == END:
                self._proved.set()
        elif number is not None and code in phases and self._on_heard is not None:
            self._on_heard(Heard(number, phases[code], t_ns))

    def _lose(self, why: str) -> None:
        with self._lock:
            numbers, self._ids, self._sent, self._early = list(self._ids.values()), {}, None, []
        for number in numbers:
            if number != PROOF and self._on_heard is not None:
                phase = Phase.FAILED if why else Phase.CUT
                self._on_heard(Heard(number, phase, self._clock(), why))


def addresses_of(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Give where a server may listen: as SPEECHD_ADDRESS says, at the user's own place, at the system service's."""
    said = environ.get("SPEECHD_ADDRESS", "")
    method, _, place = said.partition(":")
    if method in ("unix_socket", "inet_socket") and place:
        return (place,)
    runtime = environ.get("XDG_RUNTIME_DIR") or f"/run/user/{os.getuid()}"
    return (str(Path(runtime) / "speech-dispatcher" / "speechd.sock"), SYSTEM_SOCKET)


def rate_of(wpm: int) -> int:
    """Give the server's rate, -100 to 100, for words a minute: 0 is the usual, both sides are straight."""
    if wpm < USUAL_WPM:
        return -100 * (USUAL_WPM - wpm) // (USUAL_WPM - SLOWEST_WPM)
    return 100 * (wpm - USUAL_WPM) // (FASTEST_WPM - USUAL_WPM)


def version_of(program: str = PROGRAM) -> str:
    """Give name and version, the name alone where it does not say."""
    try:
        done = subprocess.run([program, "--version"], capture_output=True, timeout=SPAWN_S, check=False)  # noqa: S603 - as above
    except (OSError, subprocess.TimeoutExpired):
        return PROGRAM
    found = re.search(r"speech-dispatcher \S+", done.stdout.decode(errors="replace"))
    return found[0] if found else PROGRAM


def _first(answer: Answer) -> str:
    return answer.lines[0].strip() if answer.lines else ""


def _word(tag: str) -> str:
    return re.sub(r"[^A-Za-z0-9-]", "", tag.partition("+")[0].replace("_", "-")) or "en"
