"""A whole box at an event, as `companion run` makes it, in a thread of the test's process."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import TYPE_CHECKING, Any

from companion.adapters.sqlite_journal import export_lines, list_matches
from companion.app.event.joined import Joined
from companion.app.event.part import BoxAtEvent
from companion.app.parts import AtEvent, Part
from companion.app.run import build_from
from companion.config.run_options import RunOptions
from companion.config.settings import Box, Settings
from companion.core.errors import CompanionError
from companion.core.play.commands import Choose, EndMatch, EnterCard, LeaveMatch, perform
from companion.tournament.wire import SeatAt, Sit
from tests.fakes.event_link import BOX, EVENT, PATIENCE_S, FakeDesk

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from companion.app.loop import BoxLoop
    from companion.core.match.match import Match
    from companion.core.play.health import EventStatus
    from companion.core.play.session import Session

CARDS = ["buffalo", "teepee", "necklace", "tomahawk"]


def sit(
    round_: int = 2, table: int = 7, names: tuple[str, ...] = ("Ada", "Ben Okonkwo-Sorensen"), game: str = "apache"
) -> Sit:
    seats = tuple(SeatAt(player=number, name=name) for number, name in enumerate(names, start=1))
    return Sit(round=round_, table=table, sheet="0" * 62 + f"{round_:02}", game=game, seats=seats)


def match_of(session: Session) -> Match:
    assert session.match is not None
    return session.match


def event_of(session: Session) -> EventStatus:
    """Give how the event is that the box has a part in."""
    status = session.at_event()
    assert status is not None
    return status


class Refused(Exception):
    """Stands for what a command raised, in the test's thread."""


class RunningBox:
    """Begins at once; to be stopped."""

    def __init__(
        self,
        folder: Path,
        desk: FakeDesk,
        *,
        keep_matches: int = 0,
        resume: str = "ask",
        joined: Joined | None = None,
    ) -> None:
        """joined: an event at a real broker; None: the link is the desk's own, without any."""
        self.folder, self.desk = folder, desk
        folder.mkdir(exist_ok=True)
        make_link = desk.make_link if joined is None else None
        self.part = BoxAtEvent(joined or Joined("mqtt://127.0.0.1", EVENT, BOX), folder, "en", make_link=make_link)
        self._settings = Settings(box=Box(state_dir=str(folder), keep_matches=keep_matches, resume=resume))  # type: ignore[arg-type]
        self._loop: BoxLoop | None = None
        self._ready = threading.Event()
        self._fault: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="box of a test")
        self._thread.start()
        assert self._ready.wait(PATIENCE_S)
        assert self._loop is not None, self._fault

    def _run(self) -> None:
        try:
            asyncio.run(self._live())
        except BaseException as error:  # the test says it
            self._fault = error
            raise
        finally:
            self._ready.set()

    async def _live(self) -> None:
        parts: list[Part] = [AtEvent(self.part)]
        loop = build_from(self._settings, RunOptions(), parts)
        for part in parts:
            part.attach(loop)

        def ready() -> None:
            for part in parts:
                part.ready()
            self._loop = loop
            self._ready.set()

        try:
            await loop.run(on_ready=ready)
        finally:
            await asyncio.to_thread(self.part.close)

    def stop(self) -> None:
        if self._thread.is_alive():
            loop = self._loop
            assert loop is not None
            loop.call(lambda _session: loop.stop())
            self._thread.join(PATIENCE_S)
        assert not self._thread.is_alive()

    # -- the session -------------------------------------------------------------------------------------------------

    def ask(self, what: Callable[[Session], Any]) -> Any:
        """Do something in the box's loop, and give what it gave."""
        assert self._loop is not None
        done, found = threading.Event(), []

        def act(session: Session) -> None:
            try:
                found.append(what(session))
            except Exception as error:  # noqa: BLE001 - the test raises it
                found.append(Refused(error))
            done.set()

        self._loop.call(act)
        assert done.wait(PATIENCE_S)
        if isinstance(found[0], Refused):
            raise found[0].args[0]
        return found[0]

    def do(self, command: Any) -> Any:
        return self.ask(lambda session: perform(session, command, time.monotonic_ns()).says)

    def until(self, condition: Callable[[Session], bool]) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while not self.ask(condition):
            assert time.monotonic() < deadline, self.ask(lambda session: session.scene())
            time.sleep(0.01)

    def seated(self, round_: int = 2) -> None:
        """Wait until the event's table is prepared."""
        self.until(lambda session: session.table.event is not None and session.table.event.round == round_)

    def start(self) -> str:
        """Start as whoever is at the box does, and give the match's random bits."""
        self.ask(lambda session: session.start(session.table.setup(session.find_game(session.table.game))))
        match: str = self.ask(lambda session: match_of(session).setup.match)
        return match

    def reveal(self, *cards: str) -> None:
        for card in cards:
            self.do(EnterCard(card=card))

    def end(self) -> None:
        self.do(EndMatch())

    def leave(self) -> None:
        self.until(lambda session: session.stage.name == "ENDED")
        self.do(LeaveMatch())

    def lines(self, number: int = 1) -> list[bytes]:
        """Give what is stored of a match, nothing where nothing is yet."""
        try:
            return export_lines(self.folder, number)
        except CompanionError:
            return []

    def is_pushed(self, match: str, number: int = 1) -> bool:
        """Tell whether the desk has all that is stored of a match."""
        lines = self.lines(number)
        return bool(lines) and self.desk.model.record(match) == lines

    def numbers(self) -> list[int]:
        return [match.id for match in list_matches(self.folder)]


__all__ = ["CARDS", "Choose", "Refused", "RunningBox", "event_of", "match_of", "sit"]
