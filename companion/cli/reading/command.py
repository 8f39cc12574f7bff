"""Follows the box on this machine as plain lines: what `companion follow` does. For braille lines and screen readers.

Lines are only ever added, never changed, and each is a sentence: what BRLTTY and a screen reader in a terminal follow
by themselves. Nothing moves, and nothing stands there that is not to be read.
"""

from __future__ import annotations

import os
import selectors
import socket
import sys
import textwrap
import time
from typing import TYPE_CHECKING, Literal, TextIO

import click

from companion.adapters.service.status_file import runtime_directories
from companion.adapters.text_stream.wire import SOCKET_NAME, Asked
from companion.app.service import SERVICE_DIRECTORY
from companion.core.words.encoding import encode
from companion.core.words.texts import in_language, text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from companion.core.words.language import Language

AGAIN_S = 2.0
"""How often a box that is not there is looked for."""
SHORTEST = 12
PATIENCE_S = 1.0
"""How long the box may take to say how everything stands."""
WORDS: dict[str, Literal["brief", "normal", "full"]] = {"few": "brief", "usual": "normal", "full": "full"}


@click.command("follow")
@click.option("--language", metavar="CODE", default="", help="Of what is told: en, fr, it, de. Else the box's own.")
@click.option(
    "--words", type=click.Choice(list(WORDS)), default="usual", help="How much is told."
)  # fmt: skip
@click.option(
    "--width", type=click.IntRange(SHORTEST, 400), default=None, metavar="CELLS",
    help="Break lines after so many cells, as a braille line has; else none is broken.",
)  # fmt: skip
@click.option("--once", is_flag=True, help="Say how everything stands, and end.")
def command(language: str, words: str, width: int | None, once: bool) -> int:
    """Tell what happens at the table, a sentence a line, as it happens; Enter says how everything stands."""
    asked = Asked(language=language, wordiness=WORDS[words], again=once)
    follower = Follower(sys.stdout, language_of(language), width)
    return follower.run(asked, sys.stdin, once=once)


def language_of(code: str) -> Language:
    """Give the language in which the command itself speaks."""
    from companion.config.languages import languages_of

    languages = languages_of("en")
    return languages.find(code) or languages.box


class Follower:
    """Reads from the box and writes lines. out: a terminal's, or a pipe's."""

    def __init__(
        self,
        out: TextIO,
        language: Language,
        width: int | None,
        environ: Mapping[str, str] = os.environ,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self._out, self._language, self._width, self._pause = out, language, width, pause
        folders = runtime_directories(environ, SERVICE_DIRECTORY)
        self._places: tuple[Path, ...] = tuple(folder / SOCKET_NAME for folder in folders)

    def run(self, asked: Asked, keys: TextIO | None, *, once: bool) -> int:
        """Follow until interrupted; give the exit status. A box that ends is waited for."""
        was_there = True
        while True:
            connected = self._connect()
            if connected is not None:
                was_there = True
                with connected:
                    connected.sendall(_line(asked))
                    self._read(connected, None if once else keys, once=once)
                if once:
                    return 0
                self.say(text("The box has ended. This waits for it."))
            elif once:
                self.say(text("No box runs on this machine."))
                return 3
            elif was_there:
                self.say(text("No box runs on this machine. This waits for one."))
            was_there = False
            self._pause(AGAIN_S)

    def say(self, says: str) -> None:
        """Write a text, broken where a width was given."""
        said = str(in_language(says, self._language))
        for part in textwrap.wrap(said, self._width) if self._width else [said]:
            self._out.write(f"{part}\n")
        self._out.flush()

    def _connect(self) -> socket.socket | None:
        for place in self._places:
            found = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            if found.connect_ex(str(place)) == 0:
                return found
            found.close()
        return None

    def _read(self, connected: socket.socket, keys: TextIO | None, *, once: bool) -> None:
        """Write what comes until the box hangs up; `once`: until nothing has come for a moment."""
        rest = b""
        with selectors.DefaultSelector() as selector:
            selector.register(connected, selectors.EVENT_READ)
            if keys is not None:
                _watch_keys(selector, keys)
            while True:
                ready = [key.fileobj for key, _ in selector.select(PATIENCE_S if once else None)]
                if not ready:
                    return
                if connected in ready:
                    data = connected.recv(4096)
                    if not data:
                        return
                    *lines, rest = (rest + data).split(b"\n")
                    for line in lines:
                        self.say(line.decode("utf-8", "replace"))
                if keys in ready and not _ask(connected, keys):
                    selector.unregister(keys)


def _ask(connected: socket.socket, keys: TextIO | None) -> bool:
    """Ask how everything stands, as Enter was pressed; False at the end of what can be pressed."""
    if keys is None or not keys.readline():
        return False
    connected.sendall(_line(Asked(again=True)))
    return True


def _watch_keys(selector: selectors.BaseSelector, keys: TextIO) -> None:
    try:
        selector.register(keys, selectors.EVENT_READ)
    except (ValueError, PermissionError):  # closed, or a file: nobody can press a key there
        return


def _line(asked: Asked) -> bytes:
    return encode(asked) + b"\n"
