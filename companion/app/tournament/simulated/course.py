"""What the organiser of a simulated event does from its beginning to its end: all of it by the acts that pages have."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from companion.tournament.organiser import acts

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.app.tournament.driver import DeskDriver
    from companion.app.tournament.organiser import Organiser
    from companion.app.tournament.simulated.hall import Hall
    from companion.app.tournament.simulated.people import Plan
    from companion.tournament.desk.desk import Desk
    from companion.tournament.event.rounds import TableState

REFEREE = "Referee"
SPARE = "spare"
MINUTES = 30
WITHIN_S = 600.0
"""Longer than any piece of the event takes, on however busy a machine."""


@dataclass(frozen=True, slots=True)
class Course:
    """An event that is held. say: tells whoever looks on."""

    driver: DeskDriver
    organiser: Organiser
    hall: Hall
    plan: Plan
    say: Callable[[str], None]

    async def hold(self) -> None:
        """Hold the event. Raises what acts raise, and TimeoutError where something does not come about."""
        await self._enter()
        for name in self.hall.names():
            await self._enrol(name)
        await self._do(acts.CloseCheckIn())
        for number in range(1, self.plan.rounds + 1):
            self.say(await self._do(acts.DrawRound(round=number)))
            await self._do(acts.TurnClock(round=number, action="start", minutes=MINUTES))
            if number == self.plan.failure[0]:
                await self._replace()
            await self._until(lambda desk: bool(_waiting(desk)) or _is_final(desk))
            await self._answer()
            await self._until(_is_final)
        await self._do(acts.EndEvent())

    async def _enter(self) -> None:
        for number in range(1, self.plan.players + 1):
            await self._do(acts.EnterPlayer(name=f"Player {number}"))
        await self._do(acts.OpenCheckIn())
        for number in range(1, self.plan.players + 1):
            await self._do(acts.CheckIn(player=number))
        self.say(f"{self.plan.players} players have checked in")

    async def _enrol(self, name: str) -> None:
        """Type the code that a box shows, once it waits."""
        await self._until(lambda desk: name in desk.boxes.waiting(desk.event))
        self.say(await self._do(acts.EnrolBox(code=self.hall.boxes[name].code)))

    async def _replace(self) -> None:
        """Have the match of the box that fails go on on another."""
        number, table = self.plan.failure
        await self._until(lambda desk: bool(self.hall.players.failed) or _is_over(desk, number))
        for name in self.hall.players.failed:
            await self._until(partial(self.hall.is_pushed, name))
            await self.hall.cut(name)
            self.say(f"{name} has failed: table {table} goes on on {SPARE}")
            self.hall.add(SPARE)
            await self._enrol(SPARE)
            await self._do(acts.AssignTable(round=number, table=table, box=SPARE))
            await self._do(acts.LetBoxGo(box=name, reason="it has failed"))

    async def _answer(self) -> None:
        """Answer the protests that wait."""
        for table in await self.driver.look(_waiting):
            for protest in table.protests:
                answer = acts.AnswerProtest(
                    round=table.round, table=table.number, match=protest.match, line=protest.line,
                    text="the strip shows who was first", by=REFEREE, stands=True,
                )  # fmt: skip
                self.say(f"a protest at {table.called()}: {await self._do(answer)}")

    async def _do(self, act: acts.AnyAct) -> str:
        return await self.organiser.do(act)

    async def _until(self, is_so: Callable[[Desk], bool]) -> None:
        """Wait until something is so at the desk."""
        changed = asyncio.Event()
        end = self.driver.on_change(lambda _: changed.set())
        try:
            async with asyncio.timeout(WITHIN_S):
                while not await self.driver.look(is_so):
                    changed.clear()
                    await _soon(changed)
        finally:
            end()


async def _soon(changed: asyncio.Event) -> None:
    """Wait for a change; what boxes do at their tables changes nothing here, and is looked for now and then."""
    try:
        await asyncio.wait_for(changed.wait(), 0.2)
    except TimeoutError:
        return


def _waiting(desk: Desk) -> list[TableState]:
    """Give the tables of the newest round at which a protest waits and whose match is over."""
    return [
        table
        for table in desk.event.rounds[-1].tables.values()
        if table.is_disputed and table.record is not None and not table.is_final
    ]


def _is_final(desk: Desk) -> bool:
    return all(table.is_final for table in desk.event.rounds[-1].tables.values())


def _is_over(desk: Desk, number: int) -> bool:
    return all(table.record is not None for table in desk.event.round(number).tables.values())
