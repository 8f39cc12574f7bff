"""The one place that knows both the core and the adapters: builds a box from settings and runs it.

Which parts it is made of is said in `devices` (a real panel) and `simulated`; how they are run, in `launch`. Exit
statuses: 0 stopped, 1 could not start (the error says why).
"""

from __future__ import annotations

import asyncio
import faulthandler
import logging
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from companion.app.assembly import build
from companion.app.certificate.weighing import remark_of
from companion.app.launch import launch
from companion.app.service import make_service
from companion.app.turn.bounded_log import BoundedLog

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.app.loop import BoxLoop
    from companion.app.parts import Part
    from companion.config.run_options import RunOptions
    from companion.config.settings import Settings


def run(settings: Settings, options: RunOptions) -> int:
    """Referee until stopped. Raises Unavailable or Malformed where the box cannot be started."""
    handler = BoundedLog(logging.StreamHandler(sys.stderr))
    logging.basicConfig(
        level=settings.box.log_level.upper(), handlers=[handler], format="%(levelname)s %(message)s", force=True
    )
    with suppress(OSError, ValueError, RuntimeError):  # stderr may be no file
        # Where every thread was when the watchdog ended the process is then in the log.
        faulthandler.enable()
    asyncio.run(_run(settings, options))
    return 0


async def _run(settings: Settings, options: RunOptions) -> None:
    service = make_service()

    def make_parts() -> Sequence[Part]:
        if options.simulate:
            from companion.app.simulated import simulated_parts

            return simulated_parts(settings, options, service.stop)
        from companion.app.devices import panel_parts, phone_parts

        if options.phones:
            return phone_parts(settings, opens_browser=options.browser)
        return panel_parts(settings, opens_browser=options.browser)

    await launch(make_parts, lambda parts: build_from(settings, options, parts), service)


def build_from(settings: Settings, options: RunOptions, parts: Sequence[Part]) -> BoxLoop:
    """Build the loop around what the parts give; the first speaker among them is the box's."""
    sources = [source for part in parts for source in part.sources]
    loop = build(
        settings,
        options,
        sources=sources,
        lines=[line for part in parts for line in part.lines],
        displays=[display for part in parts for display in part.displays],
        speaker=next((part.speaker for part in parts if part.speaker is not None), None),
        watchers=[watcher for part in parts for watcher in part.watchers],
    )
    loop.box.session.box_remark = remark_of(sources)
    return loop
