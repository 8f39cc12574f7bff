"""Does at the running desk what an organiser asks for, where it takes more than one step: drawing, and moving a table.

A drawing is worked out in a thread from what the desk knew at one instant. It counts only for that: where somebody
came or left meanwhile, or a result did, it is worked out again.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from companion.core.errors import Illegal
from companion.core.words.texts import text
from companion.threads.aside import aside
from companion.tournament.desk.rounds import match_to_move
from companion.tournament.drawing.drawing import draw
from companion.tournament.organiser import acts
from companion.tournament.organiser.doing import Doing, drawn, moved, perform

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.app.tournament.driver import DeskDriver
    from companion.tournament.desk.desk import Desk
    from companion.tournament.desk.outcome import Outcome
    from companion.tournament.drawing.wanted import Drawing, Wanted
    from companion.tournament.organiser.acts import AnyAct
    from companion.tournament.organiser.doing import Told

DRAWINGS = 5
"""So often a round is worked out while the event goes on under it; then it is said that it cannot be."""


class Organiser:
    """Whoever runs the event, at its desk. seed: of the event, "" where it is not known."""

    def __init__(self, driver: DeskDriver, seed: str) -> None:
        self._driver, self._seed = driver, seed

    async def do(self, act: AnyAct) -> str:
        """Do something, and say what was done; it is durable then. Raises Illegal, Malformed, Unavailable."""
        if isinstance(act, acts.DrawRound):
            return await self._draw(act)
        if isinstance(act, acts.AssignTable):
            return await self._assign(act)
        return await self._told(lambda desk, doing: perform(desk, act, doing))

    async def _draw(self, act: acts.DrawRound) -> str:
        for _ in range(DRAWINGS):
            wanted = await self._driver.look(lambda desk: _wanted(desk, act))
            drawing = await aside(draw, wanted)
            try:
                return await self._told(partial(_made, act, wanted, drawing))
            except _Overtaken:
                continue
        raise Illegal(text("results come in while the round is drawn: draw it again in a moment"))

    async def _assign(self, act: acts.AssignTable) -> str:
        found = await self._driver.look(lambda desk: match_to_move(desk, act.round, act.table))
        record = [] if found is None else await self._driver.record(*found)
        match = "" if found is None else found[1]
        return await self._told(lambda desk, doing: moved(desk, act, match, record, doing))

    async def _told(self, do: Callable[[Desk, Doing], Told]) -> str:
        said: list[str] = []

        def act(desk: Desk, _wall: str) -> Outcome:
            told = do(desk, Doing(self._driver.now(), self._seed))
            said.append(told.says)
            return told.outcome

        await self._driver.act(act)
        return said[-1]


class _Overtaken(Exception):
    """A drawing is of an event that has gone on since."""


def _made(act: acts.DrawRound, wanted: Wanted, drawing: Drawing, desk: Desk, doing: Doing) -> Told:
    if desk.wanted() != wanted:
        raise _Overtaken
    return drawn(desk, act, drawing, doing)


def _wanted(desk: Desk, act: acts.DrawRound) -> Wanted:
    """Give what the round is drawn from now. Raises Illegal: another is next."""
    following = len(desk.event.rounds) + 1
    if act.round != following:
        raise Illegal(text("the next round is number {next}, not {round}").format(next=following, round=act.round))
    return desk.wanted()
