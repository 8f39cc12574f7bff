"""What it costs a box's players that it takes part in an event: from an edge to its display, with and without.

By turns a round is played at a box that pushes each line, encrypted, to a real broker and desk, and at one that has
joined nothing; broker and desk run beside both, so that they share the machine with either. Races of the two that were
played at the same place of a round are a pair.
"""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from companion.app.event.joined import Joined
from companion.app.event.part import BoxAtEvent
from companion.core.record.lines import Event
from tests.bench.measured import Measured, ratio_of, spread
from tests.bench.showing import Bench, play, told
from tests.bench.tournament import BUILD, EVENT, held

if TYPE_CHECKING:
    from companion.app.loop import BoxLoop
    from tests.bench import tournament
    from tests.bench.showing import Shown


class Sizes(NamedTuple):
    """rounds: so often at an event and at none, by turns. races: of a round."""

    rounds: int = 4
    races: int = 50


USUAL = Sizes()
SMOKE = Sizes(rounds=1, races=2)
FIGURES = {"order_ratio": "times", "picture_ratio": "times", "final_ratio": "times", "final_rest_ratio": "times"}
MOST_RATIO = 1.1
"""What still counts as unchanged, where the spread of the ratio has it."""


class AtEvent:
    """A box's part in the event; `pushed`: how many of its lines the desk has acknowledged at the end."""

    def __init__(self, event: tournament.Event, broker: tournament.Broker, number: int) -> None:
        name = event.boxes[number - 1]
        self.folder = event.folder / "boxes" / name
        self.place = Event(EVENT, 1, number, event.sheet)
        joined = Joined(broker.address, EVENT, name, password=event.logins[name], ca_file=str(broker.authority))
        self._part = BoxAtEvent(joined, self.folder, "en")
        self._loop: BoxLoop | None = None
        self.pushed = 0

    def attach(self, loop: BoxLoop) -> None:
        self._loop = loop
        self._part.attach(loop)

    def ready(self) -> None:
        self._part.ready()

    def durable(self, match_id: int, count: int) -> None:
        self._part.durable(match_id, count)

    def close(self) -> None:
        assert self._loop is not None
        status = self._loop.box.session.at_event()
        self.pushed = 0 if status is None else sum(match.pushed for match in status.matches)
        self._part.close()


def measure(sizes: Sizes = USUAL) -> Measured:
    """Play by turns, and compare."""
    out = Measured("A box that takes part in an event, and one that does not: from the edge to the display")
    joined: list[Shown] = []
    alone: list[Shown] = []
    processor: list[tuple[float, float]] = []
    pushed = []
    with held(sizes.rounds) as (event, broker, _):
        for number in range(1, sizes.rounds + 1):
            at_event = AtEvent(event, broker, number)
            playing = play(Bench(), at_event.folder, keeps=True, at_event=at_event, races=sizes.races)
            mine, with_ms = asyncio.run(playing)
            with tempfile.TemporaryDirectory(dir=BUILD) as other:
                others, without_ms = asyncio.run(play(Bench(), Path(other), keeps=True, races=sizes.races))
            joined += mine
            alone += others
            processor.append((with_ms, without_ms))
            pushed.append(at_event.pushed)
    for name, what in (
        ("order", "to the rows of the provisional order"),
        ("picture", "to the whole picture"),
        ("final", "to the final order"),
        ("final_rest", "of it beyond settling and the bus"),
    ):
        with_it, without = ([getattr(race, name) for race in races] for races in (joined, alone))
        ratio = ratio_of(list(zip(with_it, without, strict=True)))
        out.row(f"{what}, ms p50 / p99 (least to greatest), at an event", told(with_it))
        out.row(f"{what}, at none", told(without))
        out.row(f"{what}: ratio of the medians, in pairs", str(ratio))
        out.figures[f"{name}_ratio"] = ratio.figure
        out.values[name] = {"at_event_ms": with_it, "at_none_ms": without, "ratio": ratio}
        if name in {"order", "picture", "final"}:
            out.promise(ratio.low <= MOST_RATIO, f"{what}: unchanged by an event ({ratio})")
    out.row("processor time of a race, at an event by that at none", spread([one / two for one, two in processor], 2))
    out.row("lines that the desk had of each round by its end", ", ".join(map(str, pushed)))
    out.values["processor_ms"] = processor
    out.promise(all(count > sizes.races for count in pushed), f"the lines are pushed meanwhile ({pushed})")
    return out
