"""Does faults at the hall, one after the other, each for as long as it lasts while the next ones begin."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import TYPE_CHECKING

from tests.chaos.given import DESK
from tests.chaos.hall import BROKER
from tests.chaos.plan import Fault, Kind, faults_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.chaos.hall import Hall
    from tests.chaos.wires import Wire

KILLS = {Kind.KILL_BROKER: BROKER, Kind.KILL_DESK: DESK, Kind.KILL_BOX: None}
STOPS = {Kind.STOP_BROKER: BROKER, Kind.STOP_DESK: DESK, Kind.STOP_BOX: None}
ALL = {Kind.CUT_ALL, Kind.REFUSE_ALL, Kind.HOLE_ALL}
LOOK_S = 0.1
MOST_DELAY_S = 0.5
"""Of each piece that passes a slow wire; a handshake of TLS has a handful."""


class Striking:
    """Strikes until it is told to end. counts: faults that were done, by kind."""

    def __init__(self, hall: Hall, seed: str, say: Callable[[str], None]) -> None:
        self._hall, self._say = hall, say
        self._faults: Iterator[Fault] = faults_of(seed, hall.boxes, DESK)
        self.counts = Counter[Kind]()
        self._struck = set[str]()  # wires to which something is done just now
        self._tasks = set[asyncio.Task[None]]()

    async def run(self) -> None:
        """Strike until cancelled."""
        for fault in self._faults:
            await asyncio.sleep(fault.gap_s)
            task = asyncio.create_task(self._strike(fault))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def over(self) -> None:
        """Wait until all that was done is undone. Raises what a fault has raised."""
        await asyncio.gather(*self._tasks)

    async def _strike(self, fault: Fault) -> None:
        if fault.kind in KILLS or fault.kind in STOPS:
            await self._process(fault)
        else:
            await self._wires(fault)

    async def _process(self, fault: Fault) -> None:
        """Kill or stop one, once one of those that may be struck runs."""
        hall, is_kill = self._hall, fault.kind in KILLS
        only = (KILLS | STOPS)[fault.kind]
        names = fault.targets if only is None else (only,)
        while (name := next((one for one in names if one not in hall.down), None)) is None:
            await asyncio.sleep(LOOK_S)
        self._note(fault, name)
        (hall.kill if is_kill else hall.stop)(name)
        await asyncio.sleep(fault.lasts_s)
        (hall.begin_again if is_kill else hall.go_on)(name)

    async def _wires(self, fault: Fault) -> None:
        """Do something to a wire, or to all, but for those to which something is done already."""
        names = tuple(self._hall.wires) if fault.kind in ALL else fault.targets
        while not (free := [name for name in names if name not in self._struck]):
            await asyncio.sleep(LOOK_S)
        struck = free if fault.kind in ALL else free[:1]
        self._note(fault, "all" if fault.kind in ALL else struck[0])
        self._struck |= set(struck)
        try:
            await asyncio.gather(*(_wire(self._hall.wires[name], fault) for name in struck))
        finally:
            self._struck -= set(struck)

    def _note(self, fault: Fault, name: str) -> None:
        self.counts[fault.kind] += 1
        self._say(f"{name}: {fault.kind.value} ({fault.lasts_s:.1f} s)")


async def _wire(wire: Wire, fault: Fault) -> None:
    match fault.kind:
        case Kind.REFUSE_ONE | Kind.REFUSE_ALL:
            wire.is_refusing = True
            wire.cut()
        case Kind.HOLE_ONE | Kind.HOLE_ALL | Kind.STALL_ONE:
            wire.hold(up=True, down=True)
        case Kind.DEAF_ONE:
            wire.hold(up=False, down=True)
        case Kind.SLOW_ONE:
            wire.delay_s = min(fault.lasts_s / 10, MOST_DELAY_S)
        case _:
            wire.cut()
            return
    await asyncio.sleep(fault.lasts_s)
    wire.is_refusing, wire.delay_s = False, 0.0
    if fault.kind is not Kind.STALL_ONE:
        wire.cut()
    wire.release()
