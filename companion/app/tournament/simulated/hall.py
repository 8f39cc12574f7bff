"""The boxes of a simulated event: each in a folder of its own, joined to the event's broker by its own password."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from companion.app.event.joined import Joined
from companion.app.event.linking import link_of
from companion.app.tournament.simulated.box import Players, SimulatedBox
from companion.threads.aside import aside

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from companion.tournament.desk.desk import Desk


class Hall:
    """All boxes, by name. folder: for their journals and keys. logins: passwords by box. pace_s: see `SimulatedBox`."""

    def __init__(
        self, folder: Path, event: str, broker: str, logins: Mapping[str, str], players: Players, *, pace_s: float = 0.0
    ) -> None:  # fmt: skip
        self._folder, self._event, self.broker, self._logins = folder, event, broker, logins
        self._pace_s = pace_s
        self.players = players
        self.boxes: dict[str, SimulatedBox] = {}

    def names(self) -> tuple[str, ...]:
        """Give the boxes that are there."""
        return tuple(self.boxes)

    def add(self, name: str) -> None:
        """Have a box come, and switch it on."""
        joined = Joined(self.broker, self._event, name, password=self._logins[name])
        box = SimulatedBox(
            name, self._folder / name, self._event, link_of(joined), self.players, pace_s=self._pace_s
        )  # fmt: skip
        self.boxes[name] = box
        box.start()

    def is_pushed(self, name: str, desk: Desk) -> bool:
        """Tell whether the desk has every line that is stored on a box."""
        return self.boxes[name].lines_stored() <= sum(
            held.count for (box, _), held in desk.records.held.items() if box == name
        )

    async def cut(self, name: str) -> None:
        """Switch a box off; it is never seen again."""
        await aside(self.boxes.pop(name).stop)

    async def close(self) -> None:
        """Switch all boxes off."""
        boxes = list(self.boxes.values())
        self.boxes.clear()
        await asyncio.gather(*(aside(box.stop) for box in boxes))
