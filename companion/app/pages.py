"""The web's part of the app: it gives the web server the session, the stored matches and the demonstration.

Part of `app`: it sees both sides. Imported only when the web is on.
"""

from __future__ import annotations

import io
import socket
import sys
import time
from typing import TYPE_CHECKING, Any

import msgspec
import segno

from companion.adapters.evidence_files import evidence_folder, find_evidence
from companion.adapters.service.installed import program_version
from companion.adapters.sqlite_journal import export_lines, list_matches
from companion.adapters.web.phones.panel_source import PanelSource, PhoneTrust
from companion.adapters.web.phones.phone_clock import TouchDelay
from companion.adapters.web.server import WebServer
from companion.app.assembly import ALL_LINES
from companion.config.installed_games import games_in
from companion.config.languages import ENGLISH
from companion.core.errors import Illegal, Unavailable, UnknownGame
from companion.core.shown import displays
from companion.games import registry
from companion.screens.web.views import Views

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from typing import TextIO

    from companion.app.loop import BoxLoop
    from companion.config.settings import DisplaySettings
    from companion.config.settings import Web as WebSettings
    from companion.core.errors import CompanionError
    from companion.core.match.effects import Tone
    from companion.core.play.commands import Command, Done
    from companion.core.play.session import Session
    from companion.core.shown.scene import Scene
    from companion.ports import Demo

EVERYWHERE = "0.0.0.0"  # noqa: S104 - only when the settings or --lan say so
HERE = "127.0.0.1"


class StoredMatches:
    """The archive that the web reads: the journal's file, also while the box writes to it."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def matches(self) -> list[dict[str, Any]]:
        """Give all matches, the newest first; none where nothing has been stored yet."""
        try:
            stored = list_matches(self._directory)[::-1]
        except Unavailable:
            if self._directory.exists() and any(self._directory.glob("*.db")):
                raise
            return []
        return [{**msgspec.to_builtins(match._asdict()), "title": _title(match.game)} for match in stored]

    def lines(self, match_id: int) -> list[bytes]:
        """Give a match's record. Raises UnknownMatch, Unavailable, Malformed."""
        return export_lines(self._directory, match_id)

    def evidence(self, sha256: str) -> bytes | None:
        """Give the evidence stored under a hash, None where there is none. Raises Unavailable."""
        return find_evidence(evidence_folder(self._directory), sha256)


def _title(name: str) -> str:
    try:
        return registry.find(name).title
    except UnknownGame:
        return name


class BoxReferee:
    """The referee's port. `loop` is given once it is there."""

    def __init__(self) -> None:
        self.loop: BoxLoop | None = None

    def ask(self, command: Command, answer: Callable[[Done | CompanionError], None]) -> None:
        """Have a command carried out in the box's thread."""
        if self.loop is None:
            answer(Illegal("the box is not ready yet"))
            return
        self.loop.ask(command, answer)


class Publisher:
    """Follows the box's loop and hands the web server what has changed, as frozen values."""

    def __init__(self, server: WebServer) -> None:
        self._server = server
        self._told: tuple[object, ...] = ()
        self._tones: list[str] = []

    def sound(self, tone: Tone) -> None:
        """Keep a tone until the next look."""
        self._tones.append(tone.value)

    def follow(self, session: Session, scene: Scene, now_ns: int, match_id: int | None) -> None:
        """Publish where something has changed."""
        match = session.match
        numbers = (0, 0, 0) if match is None else (match.lines_written, match.durable_lines, len(match.early))
        told = (scene, match_id, *numbers)
        if told == self._told and not self._tones:
            return
        self._told = told
        tones, self._tones = tuple(self._tones), []
        self._server.publish(session.snapshot(now_ns, scene), match_id, tones)


class Web:
    """The web of one box, from its settings. folder: where matches are kept.

    source: the buttons of browsers, to be read with the others; without one it makes its own, and opens it.
    language: of the words of games.
    """

    def __init__(
        self,
        chosen: WebSettings,
        display: DisplaySettings,
        folder: Path,
        *,
        simulated: bool,
        demo: Demo | None = None,
        source: PanelSource | None = None,
        language: str = ENGLISH,
    ) -> None:
        games = games_in(language)
        self._is_lan = chosen.lan
        self.referee = BoxReferee()
        self._opens_source = source is None
        self.source = source or PanelSource(time.monotonic_ns, ALL_LINES)
        size = displays.CHIPS.get(display.kind, displays.CHIPS[displays.USUAL]).size
        self.server = WebServer(
            host=chosen.host or (EVERYWHERE if chosen.lan else HERE),
            port=chosen.port,
            views=Views(games.find, games.names(), size),
            referee=self.referee,
            archive=StoredMatches(folder),
            panel_source=self.source,
            simulated=simulated,
            version=program_version(),
            pin_directory=folder,
            is_lan=chosen.lan,
            names=(socket.gethostname(), *chosen.names),
            demo=demo,
            far_delay_ns=chosen.phone_delay_ns,
            trust=PhoneTrust(chosen.max_error_ns, TouchDelay(chosen.touch_delay_ns, chosen.touch_delay_error_ns)),
        )

    def open(self) -> None:
        """Take the address. Raises Unavailable, Malformed."""
        self.server.open()
        if self._opens_source:
            self.source.open()

    def attach(self, loop: BoxLoop) -> None:
        """Serve, and follow a box's loop; from any thread. Raises Unavailable where the server does not start."""
        self.referee.loop = loop
        self.server.start()
        loop.follow(Publisher(self.server))
        if self._is_lan:
            loop.call(lambda session: session.invite(self.server.urls()[0], self.server.pin))

    def close(self) -> None:
        """Stop serving."""
        self.server.stop()

    def announce(self, out: TextIO) -> None:
        """Say how to reach it: the address, the PIN, and for a network the QR code."""
        urls = self.server.urls()
        if self._is_lan:
            out.write(_qr_code(urls[0]))
            others = "".join(f", or {url}" for url in urls[1:])
            out.write(f"table: {urls[0]}{others}\nreferee's PIN: {self.server.pin}\n")
        else:
            out.write(f"table: {urls[0]}\n")
            out.write(f"referee's desk: {urls[0]}referee#pin={self.server.pin}\n")
        out.flush()


def _qr_code(url: str) -> str:
    """Give a QR code in half blocks, or nothing where the terminal has no such characters."""
    out = io.StringIO()
    segno.make(url, micro=False).terminal(out, compact=True)
    text = out.getvalue()
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return ""
    return text
