"""The desk of the event, as a process: the driver on a store on disk, and an organiser who goes by what the desk says.

    python -m tests.chaos.desk FOLDER

It may be killed at any instant. Begun again it takes up the event from its store; the organiser does whatever is next
by how the event stands, and remembers nothing.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from companion.adapters.event_store import SqlEventStore, url_of_file
from companion.adapters.keys.ed25519 import check
from companion.app.tournament.driver import DeskDriver, utc_now, wall_of
from companion.app.tournament.folder import first_line, kept_desk
from companion.app.tournament.linking import desk_link
from companion.app.tournament.organiser import Organiser
from companion.core.errors import CompanionError
from companion.games import registry
from companion.tournament.event.stages import Stage
from companion.tournament.organiser import acts
from tests.chaos.given import (
    DESK,
    EVENT,
    GAME,
    NAME,
    Given,
    code_of,
    desk_folder,
    ended_file,
    enough_file,
    notes_file,
    read_given,
    store_file,
)
from tests.chaos.spoiling import spoiled_store

if TYPE_CHECKING:
    from companion.tournament.desk.desk import Desk
    from companion.tournament.organiser.acts import AnyAct

LOG = logging.getLogger("companion")
LOOK_S = 0.2
UNSIGNED_S = 10.0
"""A result that nobody signs for so long is made final: a box that was killed after a match's end asks nobody again."""
MINUTES = 30


class Chief:
    """The organiser. Gives what is to be done next, from the desk as it stands."""

    def __init__(self, folder: Path, given: Given) -> None:
        self._folder, self._given = folder, given
        self._seen: dict[tuple[int, int], float] = {}
        self.is_over = False

    def next(self, desk: Desk) -> AnyAct | None:
        """Give the next act; None: wait."""
        event = desk.event
        match event.stage:
            case Stage.ENTERING:
                number = len(event.players.all) + 1
                is_last = number > self._given.players
                return acts.OpenCheckIn() if is_last else acts.EnterPlayer(name=f"Player {number}")
            case Stage.CHECK_IN:
                return self._check_in(desk)
            case Stage.RUNNING:
                return self._run(desk)
        self.is_over = True
        return None

    def _check_in(self, desk: Desk) -> AnyAct | None:
        """Check in whoever is not yet, then enrol the boxes in their order."""
        for player in desk.event.players.all.values():
            if not player.is_there:
                return acts.CheckIn(player=player.number)
        for name in self._given.boxes:
            if name not in desk.event.boxes:
                code = code_of(self._folder, name)
                waits = name in desk.boxes.waiting(desk.event)
                return acts.EnrolBox(code=code) if waits and code is not None else None
        return acts.CloseCheckIn()

    def _run(self, desk: Desk) -> AnyAct | None:
        rounds = desk.event.rounds
        if not rounds or all(table.is_final for table in rounds[-1].tables.values()):
            is_enough = len(rounds) == self._given.rounds or (bool(rounds) and enough_file(self._folder).exists())
            return acts.EndEvent() if is_enough else acts.DrawRound(round=len(rounds) + 1)
        newest = rounds[-1]
        if newest.clock is None:
            return acts.TurnClock(round=newest.number, action="start", minutes=MINUTES)
        for table in newest.tables.values():
            for protest in table.protests:
                if protest.answer is None:
                    return acts.AnswerProtest(
                        round=table.round, table=table.number, match=protest.match, line=protest.line,
                        text="the strip shows who was first", by="Referee", stands=True,
                    )  # fmt: skip
            if table.has_result and not table.is_final:
                since = self._seen.setdefault((table.round, table.number), time.monotonic())
                if time.monotonic() - since > UNSIGNED_S:
                    return acts.MakeFinal(round=table.round, table=table.number)
        return None


async def conduct(folder: Path, driver: DeskDriver, organiser: Organiser, chief: Chief) -> None:
    """Do act after act, and keep what the desk notes."""
    noted: list[str] = []
    while True:
        act, notes = await driver.look(lambda desk: (chief.next(desk), list(desk.notes)))
        if notes != noted:
            noted = notes
            with notes_file(folder).open("a") as file:
                file.writelines(f"{note}\n" for note in noted[-5:])
        if chief.is_over:
            ended_file(folder).touch()
        if act is None:
            await asyncio.sleep(LOOK_S)
            continue
        try:
            LOG.info("%s", await organiser.do(act))
        except CompanionError as error:
            LOG.warning("%s: %s", act, error)
            await asyncio.sleep(LOOK_S)


async def live(folder: Path) -> None:
    """Take the event up and run it."""
    given, own = read_given(folder), desk_folder(folder)
    kept = kept_desk(own)
    assert kept is not None
    store = SqlEventStore(url_of_file(store_file(folder)), EVENT)
    driver = DeskDriver(spoiled_store(store, given.spoils), registry.find, check)
    await driver.open(lambda: first_line(kept, wall_of(utc_now()), name=NAME, game=GAME))
    link = desk_link(driver, given.brokers[DESK], EVENT, given.logins, Path(given.authority))
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(driver.run(link))
        tasks.create_task(conduct(folder, driver, Organiser(driver, kept.seed), Chief(folder, given)))


def main() -> int:
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    asyncio.run(live(Path(sys.argv[1])))
    return 0


if __name__ == "__main__":
    sys.exit(main())
