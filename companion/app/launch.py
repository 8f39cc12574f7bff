"""The one launch route: takes a list of parts through the life of a box, and tells the service manager how it goes.

Part of `app`. Knows no panel and no simulation. Whatever fails is told here, once: to the service manager, and before
the box is ready on its displays too; the error then goes on to the command line.
"""

from __future__ import annotations

import logging
import sys
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from companion.app.assembly import handle_signals
from companion.app.service import hang_on_signal
from companion.core.errors import CompanionError
from companion.screens.oled.fault import fault_scene
from companion.screens.oled.picture import render

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.app.loop import BoxLoop
    from companion.app.parts import Part
    from companion.app.service import Service
    from companion.ports import Display

    Assemble = Callable[[Sequence[Part]], BoxLoop]

LOG = logging.getLogger("companion")

HANDOVER_S = 0.0001
"""How long a thread that computes keeps another waiting. Python's usual 5 ms are more than a press takes to its place
on the display, which changes hands after every block on the bus; and a pod's stamp may wait no longer."""


async def launch(make_parts: Callable[[], Sequence[Part]], assemble: Assemble, service: Service) -> None:
    """Run a box until `service.stop`. make_parts: what it is made of. assemble: builds the loop around open parts.

    Raises whatever fails, after telling of it; CompanionError where the box cannot be started.
    """
    try:
        await _live(make_parts(), assemble, service)
    except Exception as error:
        service.failed(str(error) if isinstance(error, CompanionError) else repr(error))
        raise
    finally:
        service.stopped()


async def _live(parts: Sequence[Part], assemble: Assemble, service: Service) -> None:
    async with AsyncExitStack() as stack:
        stack.callback(sys.setswitchinterval, sys.getswitchinterval())
        sys.setswitchinterval(HANDOVER_S)
        try:
            loop = _attached(parts, assemble, stack)
        except CompanionError as error:
            _show_fault([display for part in parts for display in part.displays], str(error))
            raise
        service.attach(loop)
        handle_signals(service.stop)
        hang_on_signal()
        for part in parts:
            await stack.enter_async_context(part.running())

        def on_ready() -> None:
            service.ready()
            for part in parts:
                part.ready()

        await loop.run(on_ready=on_ready)


def _attached(parts: Sequence[Part], assemble: Assemble, stack: AsyncExitStack) -> BoxLoop:
    """Open the parts, each to be closed when `stack` ends, and build the loop around them."""
    for part in parts:
        stack.callback(part.close)
        part.open()
    loop = assemble(parts)
    for part in parts:
        part.attach(loop)
    return loop


def _show_fault(displays: Sequence[Display], text: str) -> None:
    """Leave the reason on the displays before giving up; one that fails too changes nothing."""
    scene = fault_scene("Cannot start", text, "companion doctor")
    for display in displays:
        try:
            display.open()
            display.show(render(scene, display.size))
        except CompanionError as error:
            LOG.debug("%s", error)
