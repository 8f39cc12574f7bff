"""The one place that knows both the core and the adapters: builds a box from settings and runs it.

Which parts it is made of is said in `devices` (a real panel) and `simulated`; how they are run, in `launch`. Exit
statuses: 0 stopped, 1 could not start (the error says why).
"""

from __future__ import annotations

import asyncio
import faulthandler
import logging
import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from companion.adapters.service.status_file import runtime_directory
from companion.adapters.text_stream.wire import SOCKET_NAME
from companion.app.assembly import build, told_alone
from companion.app.certificate.weighing import remark_of
from companion.app.launch import launch
from companion.app.service import SERVICE_DIRECTORY, make_service
from companion.app.turn.bounded_log import BoundedLog
from companion.config.languages import languages_of
from companion.core.errors import CompanionError
from companion.core.switches.unheard import Outlets

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.app.loop import BoxLoop
    from companion.app.parts import Part
    from companion.config.run_options import RunOptions
    from companion.config.settings import Settings


LOG = logging.getLogger("companion")


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
        parts = [*_parts(settings, options, service.stop), *_read_along(settings), *_event(settings)]
        return parts if options.calibrate is None else [*parts, *_for_calibration(options, parts, service.stop)]

    await launch(make_parts, lambda parts: build_from(settings, options, parts), service)


def _read_along(settings: Settings) -> list[Part]:
    """Give the text stream of this process; none where it has no runtime directory."""
    folder = runtime_directory(os.environ, SERVICE_DIRECTORY)
    if folder is None:
        return []
    from companion.app.parts import ReadAlong
    from companion.app.reading.stream import TextStreamFollower

    return [ReadAlong(TextStreamFollower(folder / SOCKET_NAME, languages_of(settings.box.language)))]


def _event(settings: Settings) -> list[Part]:
    """Give the event that this box has joined; none where it has joined none. Nothing of it is imported then."""
    from companion.app.event.joined import joined_of
    from companion.config.reading import state_directory

    folder = state_directory(settings.box)
    try:
        joined = joined_of(settings.event, folder)
    except CompanionError as error:  # a box that cannot take part can referee
        LOG.error("no event: %s", error)
        return []
    if joined is None:
        return []
    from companion.app.event.part import BoxAtEvent
    from companion.app.parts import AtEvent

    return [AtEvent(BoxAtEvent(joined, folder, settings.box.language))]


def _parts(settings: Settings, options: RunOptions, stop: Callable[[], None]) -> Sequence[Part]:
    if options.simulate:
        from companion.app.simulated import simulated_parts

        return simulated_parts(settings, options, stop)
    from companion.app.devices import panel_parts, phone_parts

    if options.phones:
        return phone_parts(settings, opens_browser=options.browser)
    return panel_parts(settings, opens_browser=options.browser)


def _for_calibration(options: RunOptions, parts: Sequence[Part], stop: Callable[[], None]) -> Sequence[Part]:
    """Give what begins the trials, ends with them, and tells how they go where nothing else does."""
    from companion.app.parts import CalibrationRun
    from companion.app.simulated import Text

    is_told = options.terminal or any(isinstance(part, Text) for part in parts)
    return [*([] if is_told else [Text()]), CalibrationRun(stop)]


def outlets_of(settings: Settings) -> Outlets:
    """Give by what this box can tell a seat something alone; phones come and go, and are told by the pages.

    A voice that fails says so itself, while it does.
    """
    return Outlets(told_alone(settings), has_voice=settings.voice.kind != "none")


def build_from(settings: Settings, options: RunOptions, parts: Sequence[Part]) -> BoxLoop:
    """Build the loop around what the parts give; the first buzzer among them is the box's."""
    sources = [source for part in parts for source in part.sources]
    loop = build(
        settings,
        options,
        sources=sources,
        lines=[line for part in parts for line in part.lines],
        displays=[display for part in parts for display in part.displays],
        buzzer=next((part.buzzer for part in parts if part.buzzer is not None), None),
        announcer=next((part.announcer for part in parts if part.announcer is not None), None),
        watchers=[watcher for part in parts for watcher in part.watchers],
        keepers=[keeper for part in parts for keeper in part.keepers],
        outbox=next((part.outbox for part in parts if part.outbox is not None), None),
    )
    loop.box.session.box_remark = remark_of(sources)
    loop.box.session.outlets = outlets_of(settings)
    return loop
