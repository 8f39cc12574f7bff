"""The web's part of the app: it gives the web server the session, the stored matches and the demonstrations.

Part of `app`: it sees both sides. Imported only when the web is on.
"""

from __future__ import annotations

import gc
import io
import os
import socket
import sys
import time
from functools import partial
from typing import TYPE_CHECKING, Any

from companion.adapters.evidence_files import evidence_folder, find_evidence
from companion.adapters.host_clocks.reading import read_clocks
from companion.adapters.service.browser import can_open, open_page
from companion.adapters.service.installed import program_version
from companion.adapters.sqlite_journal import NothingStored, export_lines, list_matches
from companion.adapters.web.limits.bounds import Bounds
from companion.adapters.web.pages import Later, Page
from companion.adapters.web.pages import Pages as PageFiles
from companion.adapters.web.phones.panel_source import PanelSource, PhoneTrust
from companion.adapters.web.phones.phone_clock import TouchDelay
from companion.adapters.web.server import AccessSettings, WebServer
from companion.app.assembly import ALL_LINES
from companion.app.guide.demonstrations import Demonstrations
from companion.app.guide.help import pages_of
from companion.app.scanner import Cameras
from companion.app.storing.game_files import files_in
from companion.app.storing.people import StoredPeople
from companion.app.storing.profiles import profiles_in
from companion.config.groups.times import TimesSettings
from companion.config.installed_games import PlayableNames, games_in
from companion.config.languages import Languages
from companion.config.settings import Scanner as ScannerSettings
from companion.core.errors import CompanionError, Illegal, Malformed, Unavailable, UnknownGame, UnknownMatch
from companion.core.shown import displays
from companion.core.shown.scene import Menu, Question, Trust
from companion.core.words.encoding import builtins
from companion.core.words.texts import text
from companion.games import registry
from companion.ports import UNTIMED, SeenCode, Sent
from companion.screens.help.pages import HELP
from companion.screens.oled.large.drawing import drawing
from companion.screens.web.state import Shows
from companion.screens.web.views import Views

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path
    from typing import TextIO

    from companion.adapters.web.encryption.keeping import Encryption
    from companion.app.loop import BoxLoop
    from companion.config.installed_games import InstalledGames
    from companion.config.settings import DisplaySettings
    from companion.config.settings import Web as WebSettings
    from companion.core.match.effects import Cue, Sound
    from companion.core.panel import Colour
    from companion.core.play.commands import Command, Done
    from companion.core.play.session import Session
    from companion.core.profiles.profile import Profile
    from companion.core.shown.cued import SwitchNow
    from companion.core.shown.scene import Scene
    from companion.core.words.language import Language
    from companion.screens.oled.large.leafing import Draw

EVERYWHERE = "0.0.0.0"  # noqa: S104 - only when the settings or --lan say so
HERE = "127.0.0.1"
MANY_OBJECTS = 10_000
"""So many more objects, and the youngest are looked through; Python's usual 700 are a few requests."""


class StoredMatches:
    """The archive that the web reads: the journal's file, also while the box writes to it."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def matches(self) -> list[dict[str, Any]]:
        """Give all matches, the newest first; none where nothing has been stored yet. Raises Unavailable."""
        try:
            stored = list_matches(self._directory)[::-1]
        except NothingStored:
            return []
        except Malformed as error:
            raise Unavailable(str(error)) from error
        return [{**builtins(match._asdict()), "title": _title(match.game)} for match in stored]

    def lines(self, match_id: int) -> list[bytes]:
        """Give a match's record. Raises UnknownMatch, Unavailable."""
        try:
            return export_lines(self._directory, match_id)
        except NothingStored as error:
            raise UnknownMatch(str(error)) from error
        except Malformed as error:
            raise Unavailable(str(error)) from error

    def evidence(self, sha256: str) -> bytes | None:
        """Give the evidence stored under a hash, None where there is none. Raises Unavailable."""
        return find_evidence(evidence_folder(self._directory), sha256)


def _title(name: str) -> str:
    try:
        return registry.find(name).title
    except UnknownGame:
        return name


def spare_collections() -> None:
    """Have the collector of garbage leave alone what is there by now: libraries and games, which stay for good.

    A whole collection of them stops every thread for 50 ms and more, and the web's traffic brings collections about;
    so they are made more seldom, too. A connection that ends leaves nothing behind that would have to wait for one.
    """
    gc.freeze()
    gc.set_threshold(MANY_OBJECTS, 10, 10)


class BoxReferee:
    """The referee's port. `loop` is given once it is there."""

    def __init__(self, cameras: Cameras) -> None:
        self.loop: BoxLoop | None = None
        self._cameras = cameras

    def scan(self, seen: SeenCode, answer: Callable[[Done | CompanionError], None]) -> None:
        """Have a code that a page's camera read entered in the box's thread."""
        if self.loop is None:
            answer(Illegal(text("the box is not ready yet")))
            return
        try:
            self._cameras.prepare()
        except CompanionError as error:
            answer(error)
            return
        self.loop.request(lambda session, t_ns: self._cameras.enter(session, seen, t_ns), answer)

    def ask(
        self, command: Command, answer: Callable[[Done | CompanionError], None], sent: Sent = UNTIMED
    ) -> None:  # fmt: skip
        """Have a command carried out in the box's thread."""
        if self.loop is None:
            answer(Illegal(text("the box is not ready yet")))
            return
        self.loop.ask(command, answer, sent)

    def show_pin(self, pin: str) -> None:
        """Have the box's own display show another PIN, wherever it shows one; from any thread."""
        if self.loop is not None:
            self.loop.call(lambda session: session.change_pin(pin))


class BoxNotices:
    """What the pages say on the box itself; nobody hears it until `loop` is given."""

    def __init__(self) -> None:
        self.loop: BoxLoop | None = None
        self._early: list[tuple[str, str | None]] = []

    def attach(self, loop: BoxLoop) -> None:
        """Tell this loop, and first what was said before."""
        self.loop = loop
        for key, says in self._early:
            loop.alarm(key, says)

    def alarm(self, key: str, text: str | None) -> None:
        """Something is wrong with the pages, or well again."""
        if self.loop is None:
            self._early.append((key, text))
        else:
            self.loop.alarm(key, text)

    def note(self, text: str) -> None:
        """Note something in log and record."""
        if self.loop is not None:
            self.loop.call(lambda session: session.note(text, "web"))

    def can_show_code(self) -> bool:
        """Tell whether the box has a display, or a terminal, of its own."""
        return self.loop is not None and self.loop.screens.are_there

    def show_code(self, code: str, asker: str, until_ns: int) -> None:
        """Show a code on the box's own displays and nowhere else."""
        lines = (f"{code[:3]} {code[3:]}", "opens a referee's desk,", f"asked for by {asker}")
        self._show_apart(Question("Code", lines, Menu("", ())), until_ns)

    def hide_code(self) -> None:
        """Show it no longer."""
        self._show_apart(None, 0)

    def _show_apart(self, what: Question | None, until_ns: int) -> None:
        if (loop := self.loop) is not None:
            loop.call(lambda _session: loop.screens.apart(what, until_ns))


class Publisher:
    """Follows the box's loop and hands the web server what has changed, as frozen values."""

    def __init__(self, server: WebServer) -> None:
        self._server = server
        self._told: tuple[object, ...] = ()
        self._tones: list[Sound] = []
        self._switches: tuple[SwitchNow, ...] = ()
        self._profiles: dict[Colour, Profile] = {}

    def sound(self, sound: Sound) -> None:
        """Keep a tone until the next look."""
        self._tones.append(sound)

    def cue(self, cue: Cue) -> None:
        """Seats' own pages have what is offered from the session, where it stands for as long as it is."""

    def follow(self, session: Session, scene: Scene, now_ns: int, match_id: int | None) -> None:
        """Publish where something has changed."""
        self._server.tell_inputs(session.inputs.values())
        session.switches.cue_ways["phone"] = self._server.seats_of_phones()
        if (switches := session.switches.now()) != self._switches:
            self._switches = switches
            self._server.tell_switches(switches)
        phones = self._server.phones()
        if session.outlets is not None and session.outlets.phones != phones:
            session.outlets = session.outlets._replace(phones=phones)
        profiles = {colour: sitter.profile for colour, sitter in session.sitters.items()}
        if profiles != self._profiles:
            self._profiles = profiles
            self._server.tell_profiles(profiles)
        match = session.match
        numbers = (0, 0, 0) if match is None else (match.lines_written, match.durable_lines, len(match.early))
        told = (scene, match_id, *numbers)
        if told == self._told and not self._tones:
            return
        self._told = told
        tones, self._tones = tuple(self._tones), []
        self._server.publish(session.snapshot(now_ns, scene), match_id, tones)


def _size_of(display: DisplaySettings) -> tuple[int, int]:
    """Give the width and height of the OLED's picture in pixels, of the usual one where there is none."""
    return displays.CHIPS.get(display.kind, displays.CHIPS[displays.USUAL]).size


def _views(
    games: InstalledGames, size: tuple[int, int], draw: Draw, chosen: WebSettings, times: TimesSettings
) -> Views:  # fmt: skip
    """Give what makes the documents of pages, as the settings have them shown."""
    shows = Shows(chosen.simple, times.controls_ms)
    return Views(games.find, PlayableNames(games), size, draw, shows, times.core.leaf_ns)


class Web:
    """The web of one box, from its settings. folder: where matches are kept.

    source: the buttons of browsers, to be read with the others; without one it makes its own, and opens it.
    languages: what the box speaks, and what else there is. letters: of the OLED's picture. scanner: which says by
    what deck a code is a card. opens_browser: whether this machine's own browser is opened, where there is one.
    """

    def __init__(
        self,
        chosen: WebSettings,
        display: DisplaySettings,
        folder: Path,
        *,
        simulated: bool,
        source: PanelSource | None = None,
        languages: Languages | None = None,
        letters: str = "usual",
        times: TimesSettings | None = None,
        scanner: ScannerSettings | None = None,
        opens_browser: bool = False,
    ) -> None:
        languages, times = languages or Languages(), times or TimesSettings()
        games = games_in(languages.box.code)
        self._is_lan, self._is_simulated, self._has_display = chosen.lan, simulated, simulated or display.kind != "none"
        self.referee = BoxReferee(Cameras(scanner or ScannerSettings(), profiles_in(folder)))
        self._notices = BoxNotices()
        self._opens_source, self._opens_browser = source is None, opens_browser
        self.source = source or PanelSource(time.monotonic_ns, ALL_LINES, read_clocks=read_clocks)
        archive = StoredMatches(folder)
        self.people = StoredPeople(profiles_in(folder), archive, games.find)
        self.server = WebServer(
            host=chosen.host or (EVERYWHERE if chosen.lan else HERE),
            port=chosen.port,
            views=_views(games, _size_of(display), drawing(letters, language=lambda: languages.box), chosen, times),
            referee=self.referee,
            archive=archive,
            panel_source=self.source,
            simulated=simulated,
            version=program_version(),
            pin_directory=folder,
            is_lan=chosen.lan,
            names=(socket.gethostname(), *chosen.names),
            pages=PageFiles(made=Later(HELP, partial(_help_pages, games)), languages=languages.all),
            demonstrations=Demonstrations(games.find, PlayableNames(games, usual_first=True)),
            far_delay_ns=chosen.phone_delay_ns,
            on_pin=self.referee.show_pin,
            encryption=_encryption_of(chosen, folder) if chosen.tls else None,
            help_port=chosen.help_port,
            admission=AccessSettings(chosen.panels_per_address, chosen.screen_code and not simulated),
            notices=self._notices,
            bounds=Bounds(connections=chosen.connections, per_address=chosen.address_connections),
            trust=PhoneTrust(chosen.max_error_ns, TouchDelay(chosen.touch_delay_ns, chosen.touch_delay_error_ns)),
            people=self.people,
            profiles=profiles_in(folder),
            files=files_in(folder, languages.box.code),
            languages=languages,
        )

    def open(self) -> None:
        """Take the address. Raises Unavailable."""
        self.server.open()
        if self._opens_source:
            self.source.open()

    def attach(self, loop: BoxLoop) -> None:
        """Serve, and follow a box's loop; from any thread. Raises Unavailable where the server does not start."""
        self.referee.loop = loop
        self.people.journal = loop.journal
        self._notices.attach(loop)
        if self.server.encryption is not None:
            self.server.encryption.on_fault = partial(loop.alarm, "certificate of the pages")
        self.server.keeping.way = loop.way.give_way
        spare_collections()
        self.server.start()
        loop.follow(Publisher(self.server))
        if self._is_lan:
            loop.call(lambda session: session.invite(self.server.urls()[0], self.server.pin, self._trust()))

    def close(self) -> None:
        """Stop serving."""
        self.server.stop()

    def _trust(self) -> Trust | None:
        encryption = self.server.encryption
        return None if encryption is None else Trust(self.server.trust_url(), encryption.fingerprint)

    def announce(self, out: TextIO, environ: Mapping[str, str] = os.environ) -> None:
        """Say where to begin, in one line that can be clicked; for a network how others reach it, and the PIN.

        The PIN is said to a terminal alone, and by a simulated box to whatever program started it: never where it would
        be kept, as the service manager's journal keeps it. environ: of the process.
        """
        urls = self.server.urls()
        is_said = out.isatty() or (self._is_simulated and not is_journal(out, environ))
        begin = self._first_page() if is_said else f"{self.server.near_url()} (referee's PIN: `companion pin`)"
        out.write(f"begin here: {begin}\n")
        if self._is_lan:
            others = "".join(f", or {url}" for url in urls[1:])
            shown = "on the box's own display before a match, and " if self._has_display else ""
            pin = self.server.pin if is_said else f"{shown}by `companion pin`"
            out.write(f"{_qr_code(urls[0])}others: {urls[0]}{others}\nreferee's PIN: {pin}\n")
        if (trust := self._trust()) is not None:
            out.write(f"to trust it: {trust.url}\nits fingerprint (SHA-256): {trust.fingerprint}\n")
        out.flush()
        if self._opens_browser and is_said and can_open(out, environ):
            open_page(self._first_page())

    def _first_page(self) -> str:
        """Give the link to the first page for this machine's own browser, which is the referee's by it."""
        return f"{self.server.near_url()}#pin={self.server.pin}"


def _help_pages(games: InstalledGames, language: Language) -> list[Page]:
    """Give the help pages for the games that are installed, in a language."""
    made = pages_of([games.find(name) for name in games.names()], language)
    return [Page("help", one.address, one.title, text("the help"), main=one.html) for one in made]


def is_journal(out: TextIO, environ: Mapping[str, str]) -> bool:
    """Tell whether what is written there goes to the journal of systemd, which names the file it reads in `environ`."""
    try:
        found = os.fstat(out.fileno())
    except (OSError, ValueError):  # it is closed, or no file
        return False
    return environ.get("JOURNAL_STREAM") == f"{found.st_dev}:{found.st_ino}"


def _encryption_of(chosen: WebSettings, folder: Path) -> Encryption:
    """Give the certificates of a box, not opened. folder: the state directory."""
    from companion.adapters.web.encryption.keeping import encryption_in

    return encryption_in(folder, chosen.names, chosen.host)


def _qr_code(url: str) -> str:
    """Give a QR code in half blocks, or nothing where the terminal has no such characters."""
    import segno

    out = io.StringIO()
    segno.make(url, micro=False).terminal(out, compact=True)
    text = out.getvalue()
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return ""
    return text
