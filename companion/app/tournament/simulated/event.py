"""Holds a whole event in this process: broker, desk, boxes and players; and says what has come of it.

The desk's store, its folder and those of the boxes are what a real event has. What is checked at the end is the event's
file, as anybody would check it.
"""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, NamedTuple

from companion.adapters.event_archive.reader import opened_archive
from companion.adapters.event_store import SqlEventStore, url_of_file
from companion.adapters.keys.ed25519 import check
from companion.app.tournament.broker.embedded import EmbeddedBroker
from companion.app.tournament.broker.logins import logins_for
from companion.app.tournament.driver import DeskDriver, utc_now, wall_of
from companion.app.tournament.files import event_file
from companion.app.tournament.folder import begin_desk, first_line
from companion.app.tournament.linking import desk_link
from companion.app.tournament.organiser import Organiser
from companion.app.tournament.simulated.box import Players
from companion.app.tournament.simulated.course import SPARE, Course
from companion.app.tournament.simulated.hall import Hall
from companion.app.tournament.simulated.people import correlation, strengths
from companion.games import registry
from companion.threads.aside import aside
from companion.tournament.standings.standings import standings
from companion.tournament.verifying.means import Means
from companion.tournament.verifying.verifying import verify_event

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    from companion.app.tournament.simulated.people import Plan
    from companion.tournament.desk.desk import Desk
    from companion.tournament.standings.standings import Standing
    from companion.tournament.verifying.findings import Verdict

EVENT, NAME, GAME = "simulated", "A simulated tournament", "order"
HERE = "127.0.0.1"


class Held(NamedTuple):
    """What an event came to. file: the event's. head: of its log. agreement: of the order with the known strengths."""

    standings: tuple[Standing, ...]
    names: dict[int, str]
    agreement: float
    verdict: Verdict
    file: Path
    head: str


async def hold(plan: Plan, folder: Path, say: Callable[[str], None]) -> Held:
    """Hold an event without anybody looking on. folder: empty, for everything. Raises what keeps it from being held."""
    async with opened(plan, folder, say, pace_s=0.0) as (driver, course):
        await course.hold()
        return await came_to(plan, driver, folder)


@asynccontextmanager
async def opened(
    plan: Plan, folder: Path, say: Callable[[str], None], *, pace_s: float
) -> AsyncIterator[tuple[DeskDriver, Course]]:
    """Open broker, desk and boxes; what is to be held is not begun."""
    kept = begin_desk(folder, EVENT, plan.seed.encode().hex())
    names = [f"box-{number:02}" for number in range(1, plan.boxes + 1)]
    logins = logins_for(folder, EVENT, [*names, SPARE])
    driver = DeskDriver(SqlEventStore(url_of_file(folder / "event.sqlite3"), EVENT), registry.find, check)
    async with EmbeddedBroker(EVENT, HERE, 0, logins) as broker:
        address = f"mqtt://{HERE}:{broker.port}"
        hall = Hall(folder / "boxes", EVENT, address, logins, Players(plan, strengths(plan)), pace_s=pace_s)
        first = first_line(kept, wall_of(utc_now()), name=NAME, game=GAME, rounds=plan.rounds)
        try:
            await driver.open(lambda: first)
            running = asyncio.create_task(driver.run(desk_link(driver, address, EVENT, logins)))
            try:
                for name in names:
                    hall.add(name)
                yield driver, Course(driver, Organiser(driver, kept.seed), hall, plan, say)
            finally:
                await hall.close()
                running.cancel()
                await asyncio.gather(running, return_exceptions=True)
        finally:
            await driver.close()


async def came_to(plan: Plan, driver: DeskDriver, folder: Path) -> Held:
    """Write the event's file, check it as anybody would, and give what the event came to."""
    file = folder / "EVENT.zip"
    file.write_bytes(await event_file(driver))
    found = await driver.look(_standings)
    names, head = await driver.look(_about)
    verdict = await aside(_verdict, file, head)
    agreement = correlation(strengths(plan), [one.player for one in found])
    return Held(found, names, agreement, verdict, file, head)


def _standings(desk: Desk) -> tuple[Standing, ...]:
    line = desk.event.line
    return standings(desk.results(), desk.event.players.ever(), line.tie_breaks, desk.event.seed or "", line.event)


def _about(desk: Desk) -> tuple[dict[int, str], str]:
    return {player.number: player.name for player in desk.event.players.all.values()}, desk.chain.head


def _verdict(file: Path, head: str) -> Verdict:
    with opened_archive(file) as archive:
        return verify_event(archive, Means(registry.find, check), head).verdict
