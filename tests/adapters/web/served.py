"""A web server on a box of the test's own: real HTTP and WebSockets on 127.0.0.1, a session that answers at once."""

from __future__ import annotations

import tempfile
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx

from companion.adapters.game_files import FileFolder
from companion.adapters.people_file import PeopleFile
from companion.adapters.profiles_folder import ProfilesFolder
from companion.adapters.simulated.memory_journal import MemoryJournal
from companion.adapters.web.pages import Pages
from companion.adapters.web.phones.panel_source import PanelSource
from companion.adapters.web.server import WebServer
from companion.app.guide.demonstrations import Demonstrations
from companion.app.scanner import Cameras
from companion.app.storing.game_files import GameFiles
from companion.app.storing.people import StoredPeople
from companion.app.storing.profiles import StoredProfiles
from companion.config.settings import Scanner
from companion.core.errors import CompanionError, UnknownMatch
from companion.core.match.effects import Began, GaveUp, Wrote
from companion.core.match.match import PlaySettings
from companion.core.panel import BUTTONS, KNOB_PUSH, named_button
from companion.core.play.commands import Done, perform
from companion.core.play.seating import Table
from companion.core.play.session import Session
from companion.core.record.lines import dump_line
from companion.core.timing.events import MS, Press
from companion.games import registry
from companion.ports import UNTIMED, SeenCode, Sent
from companion.screens.web.views import Views

if TYPE_CHECKING:
    import ssl
    from collections.abc import Callable, Iterator

    from companion.core.play.commands import Command
    from companion.core.ruling.game import Game

LINES = [*(button.label for button in BUTTONS), KNOB_PUSH]
PIN = "271828"


class TestClock:
    """Real time, and what a test adds to it; or, once it has been stopped, only what a test adds."""

    __test__ = False

    def __init__(self) -> None:
        self.ahead_ns = 0
        self._stopped_ns: int | None = None

    def stop(self) -> None:
        self._stopped_ns = time.monotonic_ns()

    def __call__(self) -> int:
        now_ns = time.monotonic_ns() if self._stopped_ns is None else self._stopped_ns
        return now_ns + self.ahead_ns


class AtOnce:
    """The referee's port and a journal in memory around a real session: commands are carried out at once."""

    def __init__(self, clock: Callable[[], int], find: Callable[[str], Game[Any]] = registry.find) -> None:
        self.session = Session(find, ("apache", "order"), Table(game="apache"), PlaySettings())
        self.journal = MemoryJournal()
        self.server: WebServer | None = None
        self.match_id: int | None = None
        self.kept: dict[str, bytes] = {}  # evidence by its hash
        self._cameras = Cameras(Scanner())
        self._clock, self._game, self._lock = clock, "", threading.RLock()
        self.journal.open(self._stored, lambda _text: None)

    def _stored(self, match_id: int, count: int) -> None:
        if match_id == self.match_id:
            self.session.stored(count)

    def ask(
        self, command: Command, answer: Callable[[Done | CompanionError], None], sent: Sent = UNTIMED
    ) -> None:  # fmt: skip
        with self._lock:
            try:
                done: Done | CompanionError = perform(
                    self.session, command, self._clock() if sent.t_ns is None else sent.t_ns, sent.error_ns
                )
            except CompanionError as error:
                done = error
            self.turn()
        answer(done)

    def scan(self, seen: SeenCode, answer: Callable[[Done | CompanionError], None]) -> None:
        with self._lock:
            try:
                done: Done | CompanionError = self._cameras.enter(self.session, seen, self._clock())
            except CompanionError as error:
                done = error
            self.turn()
        answer(done)

    def press(self, label: str) -> None:
        """`label`: a button as Apache calls it ("red hunter")."""
        button = named_button(label, registry.find("apache").roles)
        with self._lock:
            self.session.feed(Press(button.label if button else label, self._clock(), 20_000))
            self.turn()

    def turn(self) -> None:
        now_ns = self._clock()
        self.session.advance(now_ns, now_ns)
        for effect in self.session.take():
            if isinstance(effect, Began):
                self._game, self.match_id = effect.game, None
            elif isinstance(effect, GaveUp) and self.match_id is not None:
                self.journal.finish(self.match_id)
            elif isinstance(effect, Wrote):
                raw = dump_line(effect.line)
                if self.match_id is None:
                    self.match_id = len(self.journal._matches) + 1
                    self.journal.begin(self._game, [raw], None)
                else:
                    self.journal.append(self.match_id, raw)
        self.session.advance(now_ns, now_ns)
        if self.server is not None:
            self.server.publish(self.session.snapshot(now_ns), self.match_id)

    # -- the archive

    def matches(self) -> list[dict[str, Any]]:
        return [
            {"id": number, "game": match.game, "title": match.game.title(), "started": "", "ended": match.finished,
             "seats": [], "lines": len(match.lines)}
            for number, match in reversed(list(enumerate(self.journal._matches, 1)))
        ]  # fmt: skip

    def lines(self, match_id: int) -> list[bytes]:
        if not 1 <= match_id <= len(self.journal._matches):
            raise UnknownMatch(f"there is no match {match_id}")
        return self.journal.lines(match_id)

    def evidence(self, sha256: str) -> bytes | None:
        return self.kept.get(sha256)


class Served:
    """A running server. `client`: an HTTP client of nobody's; `referee`: one with a session. game: one more.

    folder: where its list of players is kept, until it stops.

    verify: what the clients trust where pages are encrypted; loading certificates for plain HTTP takes longer than most
    tests. pin: "" for one that the server takes from its file, or draws.
    """

    def __init__(
        self, pages: Path | None = None, *, simulated: bool = True, game: Game[Any] | None = None,
        verify: ssl.SSLContext | bool = False, pin: str = PIN, **options: Any
    ) -> None:  # fmt: skip
        def find(name: str) -> Game[Any]:
            return game if game is not None and game.name == name else registry.find(name)

        names = (*registry.names(), game.name) if game is not None else registry.names()
        self.clock = TestClock()
        self.box = AtOnce(self.clock, find)
        self.source = PanelSource(self.clock, LINES)
        self.source.open()
        self._folder = tempfile.TemporaryDirectory(prefix="served-")
        self.folder = Path(self._folder.name)
        self.profiles = StoredProfiles(ProfilesFolder(self.folder), PeopleFile(self.folder))
        self.box.session = Session(
            find, ("apache", "order"), Table(game="apache"), PlaySettings(), people=self.profiles
        )
        self.people = StoredPeople(self.profiles, self.box, find)
        self.people.journal = self.box.journal
        self.files = GameFiles(FileFolder(self.folder), find, lambda: names)
        self.server = WebServer(
            host="127.0.0.1", port=0, views=Views(find, names), referee=self.box,
            archive=self.box, panel_source=self.source, simulated=simulated, version="0.0.test", pin=pin,
            demonstrations=Demonstrations(find, names), clock=self.clock, pages=Pages(pages) if pages else None,
            people=self.people, profiles=self.profiles, files=self.files, **options,
        )  # fmt: skip
        self.box.server = self.server
        self.server.open()
        self.server.start()
        self.box.turn()
        self.url = self.server.urls()[0].rstrip("/")
        self.client = httpx.Client(base_url=self.url, timeout=30, verify=verify)
        self.referee = httpx.Client(base_url=self.url, timeout=30, verify=verify)
        self._clients = [self.client, self.referee]
        answer = self.referee.post("/api/session", json={"pin": self.server.pin})
        assert answer.status_code == 200, answer.text
        until(lambda: self.state().get("phase") == "lobby")

    def guest(self, address: str) -> httpx.Client:
        """An HTTP client of another address; 127.0.0.1 is the box's own, others of 127.0.0.0/8 are strangers'."""
        transport = httpx.HTTPTransport(verify=False, local_address=address)  # plain HTTP: no certificates to load
        client = httpx.Client(base_url=self.url, timeout=30, transport=transport)
        self._clients.append(client)
        return client

    def state(self) -> dict[str, Any]:
        return dict(self.client.get("/api/state").json())

    def begin(self, *cards: str) -> None:
        """A match of red and yellow with some cards face up."""
        seats = [{"colour": "red", "name": "Ann"}, {"colour": "yellow"}]
        assert self.referee.post("/api/match", json={"seats": seats}).status_code == 200
        for card in cards:
            assert self.referee.post("/api/reveal", json={"card": card}).status_code == 200

    def until_state(self, holds: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        until(lambda: holds(self.state()))
        return self.state()

    def stop(self) -> None:
        for client in self._clients:
            client.close()
        self.server.stop()
        self.source.close()
        self._folder.cleanup()


def until(holds: Callable[[], bool]) -> None:
    """Wait for another thread, patiently."""
    patience_s = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < patience_s, "it never came"
        time.sleep(0.002)


@contextmanager
def served(pages: Path | None = None, **options: Any) -> Iterator[Served]:
    box = Served(pages, **options)
    try:
        yield box
    finally:
        box.stop()


__all__ = ["LINES", "MS", "PIN", "AtOnce", "Served", "served", "until"]
