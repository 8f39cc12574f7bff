"""The sources of presses in the event loop: read as they have something to give, closed as they go, tried again."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, NamedTuple

from companion.core.errors import CompanionError
from companion.core.play.health import SourceStatus
from companion.core.words.texts import text
from companion.ports import SetsAside

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Mapping, Sequence

    from companion.core.timing.events import SourceEvent
    from companion.core.timing.safekeeping import Counted
    from companion.ports import ButtonSource, KeepsEdges

LOG = logging.getLogger("companion")


class Reading(NamedTuple):
    """What the sources gave, each event with its source's name; and up to when each that holds back has given all."""

    events: list[tuple[str, SourceEvent]]
    given: dict[str, int | None]


class SourceWatch:
    """The sources of presses in the event loop: what they give, which of them have gone, which are back.

    turn: called when one has something to give. alarm: told, by the source's name, how it failed, None once it is well.
    """

    def __init__(
        self,
        sources: Sequence[ButtonSource],
        turn: Callable[[], None],
        alarm: Callable[[str, str | None], None],
        keepers: Sequence[KeepsEdges] = (),
    ) -> None:
        """keepers: those of the sources whose devices keep their edges until they are safe."""
        self._sources, self._keepers = list(sources), tuple(keepers)
        self._gone: list[ButtonSource] = []
        self._turn, self._alarm = turn, alarm
        self._loop: asyncio.AbstractEventLoop | None = None

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        """Watch every source, all of which must be open."""
        self._loop = loop
        for source in self._sources:
            loop.add_reader(source.fileno(), self._turn)

    @property
    def delays(self) -> dict[str, int]:
        """The longest that each of them may take to hand an edge over, by its name."""
        return {source.name: source.delay_ns for source in self._sources}

    def read(self) -> Reading:
        """Take all that the sources have."""
        here = [source for source in self._sources if source not in self._gone]
        events = [(source.name, event) for source in here for event in source.read()]
        return Reading(events, {source.name: source.given_until_ns for source in here})

    def set_aside(self, sick: Callable[[str], frozenset[str]]) -> None:
        """Have sources give lines back that flood. sick: which these are, by the source's name."""
        for source in self._sources:
            if isinstance(source, SetsAside) and source not in self._gone:
                source.set_aside(sick(source.name))

    def acknowledge(self, safe: Mapping[Counted, int]) -> None:
        """Have devices forget the edges before these numbers, which need not be kept any more."""
        for (device, start), number in safe.items():
            for keeper in self._keepers:
                keeper.acknowledge(device, start, number)

    def statuses(self) -> tuple[SourceStatus, ...]:
        """Give how each source is."""
        return tuple(
            SourceStatus(
                name=source.name,
                fault="its lines have gone" if source in self._gone else None,
                remark=source.remark,
                longest_wait_ns=getattr(source, "longest_wait_ns", None),
            )
            for source in self._sources
        )

    def check(self) -> None:
        """Let them look for edges they missed, and see whether one has gone."""
        for source in self._sources:
            if source not in self._gone:
                source.check()
                self._watch_for_leaving(source)

    def retry(self) -> None:
        """Try those again that have gone."""
        for source in list(self._gone):
            self._try_again(source)

    def close(self) -> None:
        """Watch them no more, and close them."""
        for source in self._sources:
            if source not in self._gone and self._loop is not None:
                self._loop.remove_reader(source.fileno())
                source.close()

    def _watch_for_leaving(self, source: ButtonSource) -> None:
        if not source.is_gone or self._loop is None:
            return
        self._turn()  # what it had to say
        self._loop.remove_reader(source.fileno())
        source.close()
        self._gone.append(source)
        self._alarm(source.name, text("{source}: the buttons' lines have gone").format(source=source.name))

    def _try_again(self, source: ButtonSource) -> None:
        if self._loop is None:
            return
        try:
            source.open()
        except CompanionError as error:
            LOG.debug("%s", error)
            return
        self._gone.remove(source)
        self._loop.add_reader(source.fileno(), self._turn)
        self._alarm(source.name, None)
