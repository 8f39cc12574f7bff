"""`companion tournament --simulate`: holds a simulated event, with its pages beside it for whoever looks on."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from companion.app.assembly import handle_signals
from companion.app.tournament.program import DeskOptions, as_it_was, log_to_stderr, prepare, serve, until_stopped
from companion.app.tournament.simulated.event import EVENT, came_to, opened
from companion.app.tournament.simulated.people import plan_of
from companion.core.errors import Unavailable
from companion.tournament.verifying.findings import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TextIO

    from companion.app.tournament.driver import DeskDriver
    from companion.app.tournament.simulated.course import Course
    from companion.app.tournament.simulated.event import Held
    from companion.app.tournament.simulated.people import Plan
    from companion.config.settings import Settings

PACE_S = 2.0
"""From race to race where somebody looks on."""


class SimulateOptions(NamedTuple):
    """What a simulation is told. folder: where it is kept, empty or not there yet; None: a new one, which stays."""

    folder: Path | None
    boxes: int
    seed: str
    rounds: int
    port: int
    opens_browser: bool


def simulate(options: SimulateOptions, settings: Settings, out: TextIO) -> int:
    """Hold the event and say what it came to; 0 where its file holds. Raises Unavailable where it cannot be held.

    Its pages are served from the beginning. In a terminal, and where others are let in, races come slowly enough to be
    watched, and the pages stay; else it ends with the event.
    """
    log_to_stderr("WARNING")  # dozens of boxes would say who sits where
    folder = options.folder or Path(tempfile.mkdtemp(prefix="companion-tournament-"))
    if folder.exists() and any(folder.iterdir()):
        raise Unavailable(f"{folder} is not empty: a simulation is a new event")
    folder.mkdir(parents=True, exist_ok=True)
    is_seen = settings.web.lan or out.isatty()
    with as_it_was():
        held = asyncio.run(_hold(options, settings, folder, out, is_seen=is_seen))
    return 0 if held is None or held.verdict is not Verdict.BROKEN else 1


async def _hold(
    options: SimulateOptions, settings: Settings, folder: Path, out: TextIO, *, is_seen: bool
) -> Held | None:  # fmt: skip
    """Hold it; None where it is stopped before its end."""
    stopped = asyncio.Event()
    handle_signals(stopped.set)
    plan = plan_of(options.boxes, options.seed, options.rounds)
    found: list[Held] = []

    def say(text: str) -> None:
        out.write(f"{text}\n")
        out.flush()

    async with opened(plan, folder, say, pace_s=PACE_S if is_seen else 0.0) as (driver, course):
        desk = prepare(
            DeskOptions(folder, EVENT, boxes=1, port=options.port, opens_browser=options.opens_browser), settings
        )
        ready = asyncio.Event()

        async def hold() -> None:
            found.append(await _held(plan, driver, course, folder, ready))
            _tell(found[0], say)
            if is_seen:
                say("the pages stay until Ctrl-C")
                await asyncio.Event().wait()

        await until_stopped(stopped, hold(), serve(desk, driver, out, None, ready.set))
    return found[0] if found else None


async def _held(plan: Plan, driver: DeskDriver, course: Course, folder: Path, ready: asyncio.Event) -> Held:
    """Hold the event once its pages can be looked at."""
    await ready.wait()
    await course.hold()
    return await came_to(plan, driver, folder)


def _tell(held: Held, say: Callable[[str], None]) -> None:
    """Say the standings, how they agree with what is known, and where the event's file is."""
    for one in held.standings:
        say(f"{one.place:3}. {held.names[one.player]}: {one.points}")
    say(f"rank correlation with the known strengths: {held.agreement:.3f}")
    say(f"companion verify finds it {held.verdict.value}: {held.file}")
    say(f"  companion verify {held.file} --head {held.head}")
