"""The simulated box: the same core, journal and display path; a panel in the browser or of keys, a modelled chip.

Part of `app`: it wires adapters. The OLED's picture goes through luma to a model of its chip; what the model decoded is
what the terminal shows.
"""

from __future__ import annotations

import asyncio
import sys
import time
from importlib import resources
from typing import TYPE_CHECKING, Any

from companion.adapters.oled.chip import simulated
from companion.adapters.simulated.script import Script, parse
from companion.adapters.simulated.source import SimulatedSource
from companion.app.assembly import ALL_LINES, build, handle_signals
from companion.app.service import hang_on_signal, make_service
from companion.core.errors import Illegal, Unavailable
from companion.core.play.commands import Done
from companion.core.shown import displays
from companion.core.timing.events import MS, SECOND
from companion.screens.text.scene_lines import lines as text_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TextIO

    from companion.app.loop import BoxLoop
    from companion.app.pages import Web
    from companion.app.service import Service
    from companion.config.run_options import RunOptions
    from companion.config.settings import Settings
    from companion.core.errors import CompanionError
    from companion.core.play.session import Session
    from companion.core.shown.scene import Scene

DEMO, DEMO_GAME = "powwow.script", "apache"
LEAD_NS = 200 * MS
"""A script begins so long after the box is ready."""


class PlainText:
    """Writes each scene as lines of text, where it says something new."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._said: tuple[str, ...] = ()

    def show(self, scene: Scene) -> None:
        """Write a scene, parted from the one before by an empty line."""
        said = text_of(scene)
        if said == self._said:
            return
        self._said = said
        self._out.write("\n".join((*said, "", "")))
        self._out.flush()


class Demonstration:
    """The match that comes with the program, played on the simulated buttons."""

    def __init__(self, source: SimulatedSource, clock: Callable[[], int], error_ns: int) -> None:
        text = resources.files("companion").joinpath("demo", DEMO).read_text(encoding="utf-8")
        self._script = parse(text, DEMO, error_ns)
        self._source, self._clock = source, clock
        self._until_ns = 0
        self.loop: BoxLoop | None = None

    def play(self, answer: Callable[[Done | CompanionError], None]) -> None:
        """Play it from an empty seating; refused while a match runs."""
        if self.loop is None:
            answer(Illegal("the box is not ready yet"))
        else:
            self.loop.request(self._begin, answer)

    def _begin(self, session: Session, _t_ns: int) -> Done:
        now_ns = self._clock()
        if now_ns < self._until_ns:
            raise Illegal("the demonstration is being played already")
        session.seat_nobody(DEMO_GAME)
        self._source.feed(self._script.events, now_ns + LEAD_NS)
        self._until_ns = now_ns + LEAD_NS + self._script.length_ns
        return Done("a demonstration match is played")


def run_simulated(settings: Settings, options: RunOptions, *, in_terminal: bool) -> int:
    """Run the simulated box: its panel in the browser, in the terminal, or none and a script.

    Raises Malformed for a script that cannot be read, Unavailable where there is no panel and no script.
    """
    script = None
    if options.script is not None:
        try:
            text = options.script.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise Unavailable(f"{options.script}: cannot be read: {error}") from error
        script = parse(text, str(options.script), settings.source.error_ns)
    in_browser = settings.web.enabled and script is None and not options.terminal
    if not in_terminal and not in_browser and script is None:
        raise Unavailable(
            "there is no terminal to draw the panel in: run it in a terminal, or give presses with --script FILE"
        )
    return asyncio.run(_run(settings, options, script, in_terminal=in_terminal, in_browser=in_browser))


async def _run(
    settings: Settings,
    options: RunOptions,
    script: Script | None,
    *,
    in_terminal: bool,
    in_browser: bool,
) -> int:
    chip = settings.display.kind if settings.display.kind != "none" else displays.USUAL
    display, wire = simulated(chip)
    source = SimulatedSource(time.monotonic_ns, ALL_LINES, settings.source.error_ns)
    source.open()
    panel = None
    if in_terminal:
        from companion.adapters.terminal import TerminalPanel

        panel = TerminalPanel(source, wire.chip, text_of)
    web = demo = None
    if in_browser:
        from companion.app.pages import Web

        demo = Demonstration(source, time.monotonic_ns, settings.source.error_ns)
        web = Web(settings, simulated=True, demo=demo)
        web.open()
    watchers: list[Any] = [panel] if panel is not None else []
    if panel is None and (web is None or options.plain):
        watchers.append(PlainText(sys.stdout))
    loop = build(
        settings,
        options,
        sources=[source] if web is None else [source, web.source],
        lines=ALL_LINES if web is None else (*ALL_LINES, *web.source.lines),
        displays=[display],
        speaker=panel,
        watchers=watchers,
    )
    service = make_service()
    service.attach(loop)
    handle_signals(service.stop)
    hang_on_signal()

    def begin() -> None:
        service.ready()
        if script is None:
            return
        start_ns = time.monotonic_ns() + LEAD_NS
        source.feed(script.events, start_ns)
        if panel is None:
            asyncio.get_running_loop().call_later((LEAD_NS + script.length_ns + SECOND) / SECOND, loop.stop)

    try:
        if web is not None and demo is not None:
            demo.loop = loop
            await _serve(web, loop, service)
        elif panel is None:
            await loop.run(on_ready=begin)
        else:
            async with panel.running(on_quit=loop.stop):
                await loop.run(on_ready=begin)
    finally:
        service.stopped()
    return 0


async def _serve(web: Web, loop: BoxLoop, service: Service) -> None:
    """Run the box with its panel in the browser."""
    web.attach(loop)

    def announce() -> None:
        service.ready()
        web.announce(sys.stdout)
        sys.stdout.write("Ctrl-C ends.\n")
        sys.stdout.flush()

    try:
        await loop.run(on_ready=announce)
    finally:
        web.close()
